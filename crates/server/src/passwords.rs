//! Passwords: hashed with a slow hash, a few at a time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use argon2::password_hash::phc::{Ident, Output, ParamsString, PasswordHash as Parsed, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use stoa_wire::{ErrorCode, Password};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use unicode_normalization::UnicodeNormalization;

use crate::api::Error;
use crate::store::PasswordHash;

/// How many passwords are hashed at the same time: each takes 19 MiB and a core for tens of milliseconds.
const MAX_CONCURRENT: usize = 2;
/// The length of a hash and of a salt, in bytes.
const HASH_LENGTH: usize = 32;
const SALT_LENGTH: usize = 16;
const ALGORITHM: &str = "argon2id";
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

/// The memory that a hash needs. It is kept and used again, so that there is never more of it than hashes
/// at the same time: an allocator may keep what is given back to it, once for each thread that hashed.
type Memory = Vec<Block>;

/// Hashes and verifies passwords.
#[derive(Clone)]
pub(crate) struct Passwords {
    permits: Arc<Semaphore>,
    /// Memory that no hash is using.
    free: Arc<Mutex<Vec<Memory>>>,
    /// The hash of a random password: checking an unknown name takes as long as checking a known one.
    dummy: Arc<PasswordHash>,
}

impl std::fmt::Debug for Passwords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Passwords")
    }
}

impl Passwords {
    pub(crate) fn new() -> Passwords {
        let mut memory = Memory::new();
        let dummy = hash(crate::ids::secret().as_bytes(), &mut memory);
        let dummy = Arc::new(dummy.unwrap_or(PasswordHash(String::new())));
        let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
        Passwords { permits, free: Arc::new(Mutex::new(vec![memory])), dummy }
    }

    /// The hash of a password, to be stored.
    pub(crate) async fn hash(&self, password: &Password) -> Result<PasswordHash, Error> {
        let bytes = bytes(password);
        self.work(move |memory| hash(&bytes, memory)).await?.ok_or_else(Error::unavailable)
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
        let fits = self.work(move |memory| verify(&bytes, &kept, memory)).await?;
        Ok(fits && is_known)
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let permit = timeout(QUEUE_TIMEOUT, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else { return Err(Error::unavailable()) };
        let free = Arc::clone(&self.free);
        let worked = tokio::task::spawn_blocking(move || {
            let lock = || free.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = lock().pop();
            let mut memory = kept.unwrap_or_default();
            let done = work(&mut memory);
            lock().push(memory);
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

/// The raw hash of a password.
fn raw_hash(password: &[u8], salt: &[u8], memory: &mut Memory) -> Option<[u8; HASH_LENGTH]> {
    memory.resize(argon().params().block_count(), Block::default());
    let mut hash = [0; HASH_LENGTH];
    argon().hash_password_into_with_memory(password, salt, &mut hash, memory).ok()?;
    Some(hash)
}

fn hash(password: &[u8], memory: &mut Memory) -> Option<PasswordHash> {
    let mut salt = [0; SALT_LENGTH];
    getrandom::fill(&mut salt).ok()?;
    let hash = raw_hash(password, &salt, memory)?;
    let parsed = Parsed {
        algorithm: Ident::new(ALGORITHM).ok()?,
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(argon().params()).ok()?,
        salt: Some(Salt::new(&salt).ok()?),
        hash: Some(Output::new(&hash).ok()?),
    };
    Some(PasswordHash(parsed.to_string()))
}

fn verify(password: &[u8], kept: &PasswordHash, memory: &mut Memory) -> bool {
    let Ok(kept) = Parsed::new(&kept.0) else { return false };
    // All hashes are made here, with these parameters.
    let is_ours = kept.algorithm.as_str() == ALGORITHM
        && kept.version == Some(Version::V0x13.into())
        && ParamsString::try_from(argon().params()).is_ok_and(|own| own == kept.params);
    let (Some(salt), Some(hash), true) = (kept.salt, kept.hash, is_ours) else { return false };
    // The comparison of outputs takes the same time wherever they differ.
    raw_hash(password, &salt, memory)
        .and_then(|found| Output::new(&found).ok())
        .is_some_and(|found| found == hash)
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

    #[tokio::test]
    async fn there_is_never_more_memory_than_hashes_at_the_same_time() {
        let passwords = Passwords::new();
        let checks = (0..20).map(|n| {
            let passwords = passwords.clone();
            tokio::spawn(
                async move { passwords.verify(&Password(format!("wrong {n}")), None).await },
            )
        });
        for check in checks.collect::<Vec<_>>() {
            assert!(!check.await.expect("a task").expect("an answer"));
        }
        let free = passwords.free.lock().expect("a lock");
        let blocks: usize = free.iter().map(Vec::capacity).sum();
        assert!((1..=MAX_CONCURRENT).contains(&free.len()), "{}", free.len());
        assert!(blocks <= MAX_CONCURRENT * argon().params().block_count(), "{blocks}");
    }

    /// Hashes that earlier versions stored.
    #[test]
    fn hashes_of_released_versions_are_understood() {
        let kept =
            argon2::PasswordHasher::hash_password(&argon(), b"Zeno's arrow").expect("a hash");
        let kept = PasswordHash(kept.to_string());
        let mut memory = Memory::new();
        assert!(verify(b"Zeno's arrow", &kept, &mut memory));
        assert!(!verify(b"Zeno's bow", &kept, &mut memory));
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = format!("{:?} {:?}", Password("secret12".to_owned()), PasswordHash("h".into()));
        assert_eq!(shown, "Password(…) PasswordHash(…)");
    }

    #[test]
    fn passwords_have_a_minimum_and_a_maximum_length() {
        let check = |length| check_new(&Password("é".repeat(length)));
        assert!(check(8).is_ok() && check(200).is_ok());
        assert!(check(201).is_err() && check(0).is_err());
        assert_eq!(check(7).unwrap_err().body.message, "a password has 8 to 200 characters, not 7");
    }
}
