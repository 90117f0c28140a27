//! Passkeys (WebAuthn): what browsers and authenticators send, checked.
//!
//! The signatures are checked by `ring`. No attestation is asked for: a passkey is whatever key its owner
//! brings, so the public key is taken as the browser gives it, and there is no CBOR to read. The authenticator
//! must have verified the user, because a passkey stands for a password.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::signature::{self, UnparsedPublicKey, VerificationAlgorithm};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::ids;
use crate::time::millis;

/// How long a challenge is valid.
pub(crate) const CHALLENGE_TTL: Duration = Duration::from_secs(300);
/// How far the clock of the node that issued a challenge may be ahead.
const MAX_CLOCK_SKEW: Duration = Duration::from_secs(5);

/// The longest id of a credential, and the longest of anything else, in bytes.
const MAX_CREDENTIAL_ID: usize = 1023;
const MAX_BYTES: usize = 4096;

/// Why something from an authenticator is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Flaw {
    #[error("it cannot be read")]
    Unreadable,
    #[error("it is for another purpose")]
    Purpose,
    #[error("it was made for another site")]
    Site,
    #[error("the authenticator has not checked who is there")]
    NotVerified,
    #[error("the key is of a kind that is not known here")]
    Key,
    #[error("the signature is wrong")]
    Signature,
    #[error("the authenticator may have been copied: its counter goes back")]
    Counter,
}

/// What a passkey is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Create,
    SignIn,
}

/// The bytes of a text in base64url.
pub(crate) fn bytes(text: &str) -> Result<Vec<u8>, Flaw> {
    if text.len() > MAX_BYTES {
        return Err(Flaw::Unreadable);
    }
    URL_SAFE_NO_PAD.decode(text).map_err(|_| Flaw::Unreadable)
}

/// Bytes as a text.
pub(crate) fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Whether a text can be the id of a credential.
pub(crate) fn is_credential_id(text: &str) -> bool {
    bytes(text).is_ok_and(|id| (1..=MAX_CREDENTIAL_ID).contains(&id.len()))
}

/// Whether a text can be a challenge of ours for making a passkey: a secret in base64url.
pub(crate) fn is_challenge(text: &str) -> bool {
    bytes(text).is_ok_and(|challenge| challenge.len() == ids::SECRET_LENGTH)
}

/// Makes and checks challenges to sign in with. Anyone may ask for one, so none is stored: it says when it was issued,
/// and is signed. That it is used only once is seen by the passkey, which remembers when it was last used.
#[derive(Debug)]
pub(crate) struct Challenges {
    key: hmac::Key,
}

impl Challenges {
    /// All nodes with the same secret know each other's challenges.
    pub(crate) fn new(secret: &[u8]) -> Challenges {
        let key = ids::derived(secret, "challenges for passkeys", "1");
        Challenges { key: hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()) }
    }

    pub(crate) fn issue(&self, now: i64) -> String {
        let content = [&now.to_be_bytes()[..], ids::secret().as_bytes()].concat();
        let tag = hmac::sign(&self.key, &content);
        text(&[&content, tag.as_ref()].concat())
    }

    /// When a challenge was issued, if it is one of ours and still valid.
    pub(crate) fn issued(&self, challenge: &str, now: i64) -> Option<i64> {
        let bytes = bytes(challenge).ok()?;
        let (content, tag) = bytes.split_at_checked(8 + ids::SECRET_LENGTH)?;
        hmac::verify(&self.key, content, tag).ok()?;
        let issued = i64::from_be_bytes(*content.first_chunk()?);
        let age = now.checked_sub(issued)?;
        (-millis(MAX_CLOCK_SKEW)..millis(CHALLENGE_TTL)).contains(&age).then_some(issued)
    }
}

/// The challenge that the browser says was signed, if it was for this purpose and on our own pages.
pub(crate) fn challenge(
    client_data: &[u8],
    purpose: Purpose,
    is_own: impl Fn(&str) -> bool,
) -> Result<String, Flaw> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct ClientData {
        r#type: String,
        challenge: String,
        origin: String,
        #[serde(default)]
        cross_origin: bool,
    }
    let data: ClientData = serde_json::from_slice(client_data).map_err(|_| Flaw::Unreadable)?;
    let expected = match purpose {
        Purpose::Create => "webauthn.create",
        Purpose::SignIn => "webauthn.get",
    };
    if data.r#type != expected {
        return Err(Flaw::Purpose);
    }
    if data.cross_origin || !is_own(&data.origin) {
        return Err(Flaw::Site);
    }
    Ok(data.challenge)
}

/// What an authenticator says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AuthenticatorData {
    /// How often it has signed; 0 if it does not count.
    pub(crate) counter: u32,
    /// The id of the credential that it has made.
    pub(crate) credential: Option<Vec<u8>>,
}

impl AuthenticatorData {
    /// Reads what an authenticator says about a site, after it has checked who is there.
    pub(crate) fn read(data: &[u8], rp_id: &str) -> Result<AuthenticatorData, Flaw> {
        const PRESENT_AND_VERIFIED: u8 = 0b0000_0101;
        const HAS_CREDENTIAL: u8 = 0b0100_0000;
        let (site, rest) = data.split_at_checked(32).ok_or(Flaw::Unreadable)?;
        let (&flags, rest) = rest.split_first().ok_or(Flaw::Unreadable)?;
        let (counter, rest) = rest.split_first_chunk::<4>().ok_or(Flaw::Unreadable)?;
        if *site != Sha256::digest(rp_id)[..] {
            return Err(Flaw::Site);
        }
        if flags & PRESENT_AND_VERIFIED != PRESENT_AND_VERIFIED {
            return Err(Flaw::NotVerified);
        }
        let credential = match flags & HAS_CREDENTIAL {
            0 => None,
            _ => {
                // The model of the authenticator, the length of the id, the id, the key.
                let (_, rest) = rest.split_at_checked(16).ok_or(Flaw::Unreadable)?;
                let (length, rest) = rest.split_first_chunk::<2>().ok_or(Flaw::Unreadable)?;
                let length = usize::from(u16::from_be_bytes(*length));
                Some(rest.get(..length).ok_or(Flaw::Unreadable)?.to_vec())
            }
        };
        Ok(AuthenticatorData { counter: u32::from_be_bytes(*counter), credential })
    }

    /// Whether the authenticator has counted on since it was last used. Many do not count.
    pub(crate) fn check_counter(&self, last: u32) -> Result<(), Flaw> {
        let counts = self.counter > 0 || last > 0;
        if counts && self.counter <= last { Err(Flaw::Counter) } else { Ok(()) }
    }
}

/// Whether a public key, a `SubjectPublicKeyInfo`, is of a kind that can be used.
pub(crate) fn check_key(info: &[u8]) -> Result<(), Flaw> {
    public_key(info).map(drop)
}

/// Whether an authenticator with this key has signed what it says about this client data.
pub(crate) fn check_signature(
    key: &[u8],
    authenticator_data: &[u8],
    client_data: &[u8],
    signature: &[u8],
) -> Result<(), Flaw> {
    let signed = [authenticator_data, &Sha256::digest(client_data)[..]].concat();
    public_key(key)?.verify(&signed, signature).map_err(|_| Flaw::Signature)
}

/// The key in a `SubjectPublicKeyInfo`: a sequence of the algorithm and, in a bit string, the key.
fn public_key(info: &[u8]) -> Result<UnparsedPublicKey<&[u8]>, Flaw> {
    /// The algorithms by their identifiers in DER, without tag and length.
    const KINDS: [(&[u8], &dyn VerificationAlgorithm); 3] = [
        (
            b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07",
            &signature::ECDSA_P256_SHA256_ASN1,
        ),
        (b"\x06\x03\x2b\x65\x70", &signature::ED25519),
        (
            b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00",
            &signature::RSA_PKCS1_2048_8192_SHA256,
        ),
    ];
    const SEQUENCE: u8 = 0x30;
    const BIT_STRING: u8 = 0x03;
    let (content, rest) = element(info, SEQUENCE)?;
    let (algorithm, content) = element(content, SEQUENCE)?;
    let (key, end) = element(content, BIT_STRING)?;
    // The first byte says how many bits of the last are unused.
    let key = key.strip_prefix(&[0]).ok_or(Flaw::Key)?;
    if !rest.is_empty() || !end.is_empty() {
        return Err(Flaw::Key);
    }
    let (_, kind) = KINDS.iter().find(|(known, _)| *known == algorithm).ok_or(Flaw::Key)?;
    let is_whole = match algorithm.len() {
        // An uncompressed point of P-256; a key of Ed25519.
        19 => key.len() == 65 && key[0] == 4,
        5 => key.len() == 32,
        _ => key.len() >= 256,
    };
    if is_whole { Ok(UnparsedPublicKey::new(*kind, key)) } else { Err(Flaw::Key) }
}

/// The content of the first element of some DER, which must have this tag, and what follows it.
fn element(der: &[u8], tag: u8) -> Result<(&[u8], &[u8]), Flaw> {
    let (&found, rest) = der.split_first().ok_or(Flaw::Key)?;
    let (&length, rest) = rest.split_first().ok_or(Flaw::Key)?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        0x81 => rest.split_first().map(|(&n, rest)| (usize::from(n), rest)).ok_or(Flaw::Key)?,
        0x82 => {
            let (length, rest) = rest.split_first_chunk::<2>().ok_or(Flaw::Key)?;
            (usize::from(u16::from_be_bytes(*length)), rest)
        }
        _ => return Err(Flaw::Key),
    };
    if found != tag { Err(Flaw::Key) } else { rest.split_at_checked(length).ok_or(Flaw::Key) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(flags: u8, counter: u32, rest: &[u8]) -> Vec<u8> {
        let site = Sha256::digest("stoa.example");
        [&site[..], &[flags], &counter.to_be_bytes(), rest].concat()
    }

    #[test]
    fn challenges_are_ours_and_expire() {
        const ISSUED: i64 = 1_800_000_000_000;
        let ours = Challenges::new(&[7; 32]);
        let challenge = ours.issue(ISSUED);
        assert_ne!(challenge, ours.issue(ISSUED));
        let valid = |challenge: &str, passed| ours.issued(challenge, ISSUED + passed);
        for passed in [0, 299_999, -5_000] {
            assert_eq!(valid(&challenge, passed), Some(ISSUED), "{passed}");
        }
        for passed in [300_000, -5_001, i64::MIN, i64::MAX - ISSUED] {
            assert_eq!(valid(&challenge, passed), None, "{passed}");
        }
        let all = bytes(&challenge).expect("bytes");
        for place in 0..all.len() {
            let mut forged = all.clone();
            forged[place] ^= 1;
            assert_eq!(valid(&text(&forged), 0), None, "{place}");
            assert_eq!(valid(&text(&all[..place]), 0), None, "{place}");
        }
        assert_eq!(Challenges::new(&[8; 32]).issued(&challenge, ISSUED), None);
        assert_eq!(valid("\0", 0), None);
    }

    #[test]
    fn authenticator_data_names_the_site_and_a_verified_user() {
        let read = |data: &[u8]| AuthenticatorData::read(data, "stoa.example");
        assert_eq!(read(&data(5, 7, &[])), Ok(AuthenticatorData { counter: 7, credential: None }));
        assert_eq!(read(&data(1, 7, &[])), Err(Flaw::NotVerified), "only present");
        assert_eq!(read(&data(4, 7, &[])), Err(Flaw::NotVerified), "only verified");
        assert_eq!(AuthenticatorData::read(&data(5, 7, &[]), "other.example"), Err(Flaw::Site));
        let credential = [&[0; 16][..], &[0, 3], b"abc", b"and a key"].concat();
        assert_eq!(read(&data(0x45, 0, &credential)).unwrap().credential.unwrap(), b"abc");
        for length in 0..37 {
            assert_eq!(read(&data(5, 7, &[])[..length]), Err(Flaw::Unreadable), "{length}");
        }
        for length in 0..21 {
            let cut = data(0x45, 0, &credential[..length]);
            assert_eq!(read(&cut), Err(Flaw::Unreadable), "{length}");
        }
    }

    #[test]
    fn counters_never_go_back() {
        let at = |counter| AuthenticatorData { counter, credential: None };
        assert_eq!(at(0).check_counter(0), Ok(()), "it does not count");
        assert_eq!(at(8).check_counter(7), Ok(()));
        assert_eq!(at(7).check_counter(7), Err(Flaw::Counter));
        assert_eq!(at(0).check_counter(7), Err(Flaw::Counter));
    }

    #[test]
    fn client_data_is_for_one_purpose_on_our_own_pages() {
        let own = |origin: &str| origin == "https://stoa.example";
        let said = |json: &str| challenge(json.as_bytes(), Purpose::SignIn, own);
        let good =
            r#"{"type":"webauthn.get","challenge":"abc","origin":"https://stoa.example","x":1}"#;
        assert_eq!(said(good), Ok("abc".to_owned()));
        assert_eq!(said(&good.replace("get", "create")), Err(Flaw::Purpose));
        assert_eq!(said(&good.replace("stoa.example", "evil.example")), Err(Flaw::Site));
        assert_eq!(said(&good.replace("\"x\":1", "\"crossOrigin\":true")), Err(Flaw::Site));
        assert_eq!(said("{"), Err(Flaw::Unreadable));
    }

    #[test]
    fn keys_of_unknown_kinds_and_broken_ones_are_refused() {
        let ed = [&b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"[..], &[1; 32]].concat();
        assert_eq!(check_key(&ed), Ok(()));
        for length in 0..ed.len() {
            assert_eq!(check_key(&ed[..length]), Err(Flaw::Key), "{length}");
        }
        let mut other = ed.clone();
        other[8] = 0x71;
        assert_eq!(check_key(&other), Err(Flaw::Key), "Ed448");
        assert_eq!(check_key(&[&ed[..], b"more"].concat()), Err(Flaw::Key));
        assert_eq!(check_signature(&ed, b"", b"", &[0; 64]), Err(Flaw::Signature));
    }
}
