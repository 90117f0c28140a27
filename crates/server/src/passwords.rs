//! Passwords: hashed slowly on purpose, a few at a time.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash as Parsed;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use unicode_normalization::UnicodeNormalization;
use utoipa::ToSchema;

use crate::api::Error;
use crate::store::PasswordHash;

/// So many are worked on at once: each takes 19 MiB and a core for some ten milliseconds.
const AT_ONCE: usize = 2;
/// Nobody waits longer for their turn.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a password may be, in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=200;

/// A password as somebody typed it. It is shown nowhere.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, min_length = 8, max_length = 200, format = Password)]
pub(crate) struct Password(String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

impl Password {
    /// Why it cannot be chosen, if it cannot.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let length = self.0.chars().count();
        if LENGTH.contains(&length) {
            return Ok(());
        }
        let (least, most) = (LENGTH.start(), LENGTH.end());
        let message = format!("a password has {least} to {most} characters, not {length}");
        Err(Error::bad("bad_password", message))
    }

    /// The bytes that are hashed: keyboards write the same letter in different ways.
    fn bytes(&self) -> Vec<u8> {
        self.0.nfc().collect::<String>().into_bytes()
    }
}

/// Does the slow work.
#[derive(Debug, Clone)]
pub(crate) struct Passwords {
    room: Arc<Semaphore>,
    /// The hash of a password that nobody has: names that are not known take as long as others.
    nobodys: Arc<PasswordHash>,
}

impl Passwords {
    pub(crate) fn new() -> Passwords {
        let nobodys = hash(crate::ids::secret().as_bytes()).unwrap_or(PasswordHash(String::new()));
        Passwords { room: Arc::new(Semaphore::new(AT_ONCE)), nobodys: Arc::new(nobodys) }
    }

    /// What is kept of a password.
    pub(crate) async fn hash(&self, password: &Password) -> Result<PasswordHash, Error> {
        let bytes = password.bytes();
        self.work(move || hash(&bytes)).await?.ok_or_else(Error::unavailable)
    }

    /// Whether it is the password whose hash is kept. Without a hash it is not, after the same time.
    pub(crate) async fn is_right(
        &self,
        password: &Password,
        kept: Option<&PasswordHash>,
    ) -> Result<bool, Error> {
        // Nobody has one so long, and hashing it could be made to take long.
        if password.0.chars().count() > *LENGTH.end() {
            return Ok(false);
        }
        let bytes = password.bytes();
        let is_known = kept.is_some();
        let kept = kept.unwrap_or(&self.nobodys).clone();
        let fits = self.work(move || verify(&bytes, &kept)).await?;
        Ok(fits && is_known)
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let room = timeout(PATIENCE, Arc::clone(&self.room).acquire_owned()).await;
        let Ok(Ok(room)) = room else { return Err(Error::unavailable()) };
        let worked = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(room);
            done
        });
        worked.await.map_err(|_| Error::unavailable())
    }
}

/// Argon2id with 19 MiB and two rounds, as OWASP recommends.
fn argon() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::DEFAULT)
}

fn hash(password: &[u8]) -> Option<PasswordHash> {
    argon().hash_password(password).ok().map(|hash| PasswordHash(hash.to_string()))
}

fn verify(password: &[u8], kept: &PasswordHash) -> bool {
    Parsed::new(&kept.0).is_ok_and(|kept| argon().verify_password(password, &kept).is_ok())
}

/// A name in the form in which logins are kept and compared: compatible forms of letters become one
/// (NFKC), and capitals small letters. `proper_name` has seen to the spaces. Letters of different
/// alphabets that look alike stay different.
pub(crate) fn login(name: &str) -> String {
    name.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_right_password_is_right_and_no_other() {
        let passwords = Passwords::new();
        let right = Password("Zeno's arrow é".to_owned());
        let kept = passwords.hash(&right).await.expect("a hash");
        assert!(kept.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert_ne!(passwords.hash(&right).await.expect("a hash"), kept, "salted");
        let is_right = async |text: &str, kept: Option<&PasswordHash>| {
            passwords.is_right(&Password(text.to_owned()), kept).await.expect("an answer")
        };
        assert!(is_right("Zeno's arrow e\u{301}", Some(&kept)).await, "typed in another way");
        assert!(!is_right("zeno's arrow é", Some(&kept)).await);
        assert!(!is_right("Zeno's arrow é", None).await);
        assert!(!is_right(&"x".repeat(10_000), Some(&kept)).await);
        assert!(!is_right("Zeno's arrow é", Some(&PasswordHash("rubbish".to_owned()))).await);
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = format!("{:?} {:?}", Password("secret12".to_owned()), PasswordHash("h".into()));
        assert_eq!(shown, "Password(…) PasswordHash(…)");
    }

    #[test]
    fn a_password_is_neither_short_nor_endless() {
        let check = |length| Password("é".repeat(length)).check();
        assert!(check(8).is_ok() && check(200).is_ok());
        assert!(check(201).is_err() && check(0).is_err());
        assert_eq!(check(7).unwrap_err().message, "a password has 8 to 200 characters, not 7");
    }

    #[test]
    fn one_name_has_one_login() {
        assert_eq!(login("ZENO"), "zeno");
        assert_eq!(login("Ｚｅｎｏ"), "zeno");
        assert_eq!(login("É"), login("E\u{301}"));
        assert_eq!(login("É"), "é");
        assert_ne!(login("Zeno"), login("Ζeno"), "a Greek letter is another");
    }
}
