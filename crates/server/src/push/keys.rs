//! The key by which push services know this server (VAPID, RFC 8292).

use std::time::Duration;

use axum::http::Uri;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::SecretKey;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use ring::hkdf::{HKDF_SHA256, Salt};
use serde_json::json;

use super::Length;
use crate::time::millis;

/// The purpose that the key is derived for; another number gives another key.
const PURPOSE: &str = "stoa push key 1";
/// How long a signature is valid. Push services accept a day at most.
const SIGNATURE_TTL: Duration = Duration::from_secs(12 * 3600);

/// The signing key. It is derived from the server's secret: nodes with the same secret have the same key,
/// and it stays the same as long as cookies stay valid.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    signing: SigningKey,
    /// The public key as base64url.
    pub(crate) public: String,
    /// The contact for push services: an `https:` URL.
    contact: Option<String>,
}

impl Key {
    pub(crate) fn derive(secret: &[u8], public_url: Option<&str>) -> Key {
        let seed = Salt::new(HKDF_SHA256, PURPOSE.as_bytes()).extract(secret);
        let mut bytes = [0; 32];
        // Nearly every number of 32 bytes is a key; the first of these that is one is ours.
        let secret = (0..=u8::MAX).find_map(|attempt| {
            seed.expand(&[&[attempt]], Length(32)).ok()?.fill(&mut bytes).ok()?;
            SecretKey::from_slice(&bytes).ok()
        });
        let secret = secret.expect("one of 256 numbers is a key, but for a chance of 2^-8000");
        let public = URL_SAFE_NO_PAD.encode(secret.public_key().to_sec1_bytes());
        let contact = public_url.filter(|url| url.starts_with("https:")).map(str::to_owned);
        Key { signing: SigningKey::from(&secret), public, contact }
    }

    /// The header `Authorization` for a push service.
    pub(super) fn authorization(&self, endpoint: &Uri, now: i64) -> Option<String> {
        let audience = format!("{}://{}", endpoint.scheme_str()?, endpoint.authority()?);
        let mut claims = json!({ "aud": audience, "exp": (now + millis(SIGNATURE_TTL)) / 1000 });
        if let Some(contact) = &self.contact {
            claims["sub"] = json!(contact);
        }
        let head = URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"ES256"}"#);
        let claims = URL_SAFE_NO_PAD.encode(claims.to_string());
        let signed = format!("{head}.{claims}");
        let signature: Signature = self.signing.sign(signed.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature.to_bytes());
        Some(format!("vapid t={signed}.{signature}, k={}", self.public))
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::VerifyingKey;
    use p256::ecdsa::signature::Verifier;

    use super::*;

    /// What the header says, if it is rightly signed.
    fn verified(header: &str) -> Option<serde_json::Value> {
        let (token, key) = header.strip_prefix("vapid t=")?.split_once(", k=")?;
        let (signed, signature) = token.rsplit_once('.')?;
        let key = VerifyingKey::from_sec1_bytes(&URL_SAFE_NO_PAD.decode(key).ok()?).ok()?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        key.verify(signed.as_bytes(), &Signature::from_slice(&signature).ok()?).ok()?;
        let (head, claims) = signed.split_once('.')?;
        assert_eq!(URL_SAFE_NO_PAD.decode(head).ok()?, br#"{"typ":"JWT","alg":"ES256"}"#);
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()
    }

    #[test]
    fn the_example_of_rfc_8292_is_understood() {
        let header = "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhb\
            XBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxC\
            DquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1\
            b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";
        let claims = verified(header).expect("a good signature");
        assert_eq!(claims["aud"], "https://push.example.net");
        assert_eq!(verified(&header.replace("i3CYb7", "i3CYb8")), None);
    }

    #[test]
    fn signatures_name_the_service_and_expire() {
        let key =
            Key::derive(b"a secret of thirty-two bytes or more", Some("https://stoa.example"));
        let endpoint: Uri = "https://push.example:8443/send/abc?x=1".parse().expect("an address");
        let header = key.authorization(&endpoint, 1_000_000).expect("a header");
        let claims = verified(&header).expect("a good signature");
        let expected = json!({ "aud": "https://push.example:8443", "exp": 1000 + SIGNATURE_TTL.as_secs(),
            "sub": "https://stoa.example" });
        assert_eq!(claims, expected);
    }

    #[test]
    fn the_key_follows_from_the_secret() {
        let key = |secret: &[u8]| Key::derive(secret, None).public;
        assert_eq!(key(b"one"), key(b"one"));
        assert_ne!(key(b"one"), key(b"two"));
        assert_eq!(URL_SAFE_NO_PAD.decode(key(b"one")).expect("base64").len(), 65);
    }
}
