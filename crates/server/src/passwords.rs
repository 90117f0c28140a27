//! Passwords: hashed with a slow hash, a few at a time.

use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash as Parsed;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use stoa_wire::{ErrorCode, Password};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use unicode_normalization::UnicodeNormalization;

use crate::api::Error;
use crate::store::PasswordHash;

/// How many passwords are hashed at the same time: each takes 19 MiB and a core for tens of milliseconds.
const MAX_CONCURRENT: usize = 2;
/// How long a request may wait for another to be hashed.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(10);
/// The length of a new password, in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=200;

/// Refuses a password that may not be chosen.
pub(crate) fn check_new(password: &Password) -> Result<(), Error> {
    let length = password.0.chars().count();
    if LENGTH.contains(&length) {
        return Ok(());
    }
    let (min, max) = (LENGTH.start(), LENGTH.end());
    let message = format!("a password has {min} to {max} characters, not {length}");
    Err(Error::new(ErrorCode::BadPassword, message))
}

/// The bytes to hash: normalised, because keyboards write the same letter in different ways.
fn bytes(password: &Password) -> Vec<u8> {
    password.0.nfc().collect::<String>().into_bytes()
}

/// Hashes and verifies passwords.
#[derive(Debug, Clone)]
pub(crate) struct Passwords {
    permits: Arc<Semaphore>,
    /// The hash of a random password: checking an unknown name takes as long as checking a known one.
    dummy: Arc<PasswordHash>,
}

impl Passwords {
    pub(crate) fn new() -> Passwords {
        let dummy = hash(crate::ids::secret().as_bytes()).unwrap_or(PasswordHash(String::new()));
        Passwords { permits: Arc::new(Semaphore::new(MAX_CONCURRENT)), dummy: Arc::new(dummy) }
    }

    /// The hash of a password, to be stored.
    pub(crate) async fn hash(&self, password: &Password) -> Result<PasswordHash, Error> {
        let bytes = bytes(password);
        self.work(move || hash(&bytes)).await?.ok_or_else(Error::unavailable)
    }

    /// Whether a password matches a stored hash. Without a hash it does not, after the same time.
    pub(crate) async fn verify(
        &self,
        password: &Password,
        kept: Option<&PasswordHash>,
    ) -> Result<bool, Error> {
        // Nobody has such a long password, and hashing it would take long.
        if password.0.chars().count() > *LENGTH.end() {
            return Ok(false);
        }
        let bytes = bytes(password);
        let is_known = kept.is_some();
        let kept = kept.unwrap_or(&self.dummy).clone();
        let fits = self.work(move || verify(&bytes, &kept)).await?;
        Ok(fits && is_known)
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let permit = timeout(QUEUE_TIMEOUT, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else { return Err(Error::unavailable()) };
        let worked = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(permit);
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

/// A name in the form in which logins are stored and compared: compatible characters become one (NFKC),
/// and upper case becomes lower case. `proper_name` has normalised the spaces. Letters of different
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
            passwords.verify(&Password(text.to_owned()), kept).await.expect("an answer")
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
        let check = |length| check_new(&Password("é".repeat(length)));
        assert!(check(8).is_ok() && check(200).is_ok());
        assert!(check(201).is_err() && check(0).is_err());
        assert_eq!(check(7).unwrap_err().body.message, "a password has 8 to 200 characters, not 7");
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
