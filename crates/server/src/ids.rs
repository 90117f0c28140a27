//! Random ids, short enough for a link, without letters that look alike.

use sha2::{Digest, Sha256};

const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

/// A new id for a game or a challenge: 50 random bits.
pub(crate) fn short() -> String {
    random(10)
}

/// The length of the id of a player.
const PLAYER_ID_LENGTH: usize = 16;

/// A new id for a player: 80 random bits.
pub(crate) fn long() -> String {
    random(PLAYER_ID_LENGTH)
}

/// How many letters a secret has.
pub(crate) const SECRET_LENGTH: usize = 40;

/// A new secret: 200 random bits.
pub(crate) fn secret() -> String {
    random(SECRET_LENGTH)
}

/// Heads or tails.
pub(crate) fn coin() -> bool {
    random(1).bytes().all(|letter| LETTERS[..16].contains(&letter))
}

/// Random letters, five bits each.
fn random(length: usize) -> String {
    let mut bytes = vec![0; length];
    // Without the system's randomness nothing here is secure, and no server can do without it.
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// The longest id.
pub(crate) const MAX_ID_LENGTH: usize = 40;

/// Whether a text could be an id; anything else need not be looked up.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() <= MAX_ID_LENGTH
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Whether a text has the form of a player's id.
pub(crate) fn is_player_id(text: &str) -> bool {
    text.len() == PLAYER_ID_LENGTH && text.bytes().all(|byte| LETTERS.contains(&byte))
}

/// The hash of a secret, to be stored. Secrets are random and long, so a plain hash is enough.
pub(crate) fn hash(secret: &str) -> String {
    Sha256::digest(secret).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A token for a part of the server that all nodes with the same secret have in common.
pub(crate) fn derived(secret: &[u8], what: &str, which: &str) -> String {
    let mut digest = Sha256::new_with_prefix(secret);
    digest.update(format!(" is not told, but {what} {which}"));
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_and_are_ids() {
        let names: std::collections::HashSet<String> = (0..1000).map(|_| short()).collect();
        assert_eq!(names.len(), 1000);
        assert!(names.iter().all(|name| is_id(name) && name.len() == 10));
        assert!(is_player_id(&long()) && !is_player_id(&short()));
        assert!(!is_player_id("Chrysippusofsoli"), "capitals, and letters that look alike");
        assert!(!is_id("../etc"));
        assert!(!is_id(&"a".repeat(41)));
        assert_eq!(hash("stoa").len(), 64);
        assert_ne!(hash(&secret()), hash(&secret()));
    }
}
