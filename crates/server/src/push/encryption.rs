//! Encryption of messages for one browser (RFC 8291, with the encoding of RFC 8188).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::{PublicKey, SecretKey};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, Prk, Salt};

use super::Length;

/// The size of a record; a message is one record, and push services accept no longer messages.
const RECORD_SIZE: u32 = 4096;
/// The longest message: a record less its header, the delimiter and the authentication tag.
const MAX_MESSAGE: usize = RECORD_SIZE as usize - 86 - 1 - 16;

/// The keys of a browser, checked.
#[derive(Debug, Clone)]
pub(crate) struct Recipient {
    key: PublicKey,
    auth: [u8; 16],
}

impl Recipient {
    /// From the keys that browsers send; nothing if they are invalid.
    pub(crate) fn new(p256dh: &str, auth: &str) -> Option<Recipient> {
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let bytes = decode(p256dh)?;
        let key = PublicKey::from_sec1_bytes(&bytes).ok().filter(|_| bytes.len() == 65)?;
        Some(Recipient { key, auth: decode(auth)?.try_into().ok()? })
    }

    /// The encrypted message; nothing if it is too long.
    pub(super) fn encrypt(&self, message: &[u8]) -> Option<Vec<u8>> {
        let mut random = [0; 48];
        loop {
            getrandom::fill(&mut random).ok()?;
            let (salt, own) = random.split_at(16);
            if let Ok(own) = SecretKey::from_slice(own) {
                return self.encrypt_with(message, salt.try_into().ok()?, &own);
            }
        }
    }

    fn encrypt_with(&self, message: &[u8], salt: [u8; 16], own: &SecretKey) -> Option<Vec<u8>> {
        if message.len() > MAX_MESSAGE {
            return None;
        }
        let own_public = own.public_key().to_sec1_bytes();
        let shared = own.diffie_hellman(&self.key);
        let (key, nonce) = keys(
            &self.auth,
            shared.raw_secret_bytes(),
            [&self.key.to_sec1_bytes(), &own_public],
            &salt,
        )?;
        let mut sealed = message.to_vec();
        // The last record, without padding.
        sealed.push(2);
        key.seal_in_place_append_tag(nonce, Aad::empty(), &mut sealed).ok()?;
        let mut sent = Vec::with_capacity(RECORD_SIZE as usize);
        sent.extend(salt);
        sent.extend(RECORD_SIZE.to_be_bytes());
        sent.push(u8::try_from(own_public.len()).ok()?);
        sent.extend(&own_public);
        sent.extend(sealed);
        Some(sent)
    }
}

/// What the content is encrypted with. The public keys are the browser's and ours.
fn keys(
    auth: &[u8; 16],
    shared: &[u8],
    [browsers, ours]: [&[u8]; 2],
    salt: &[u8; 16],
) -> Option<(LessSafeKey, Nonce)> {
    let fill = |from: &Prk, info: &[&[u8]], to: &mut [u8]| {
        from.expand(info, Length(to.len())).and_then(|key| key.fill(to)).ok()
    };
    let mut secret = [0; 32];
    let combined = Salt::new(HKDF_SHA256, auth).extract(shared);
    fill(&combined, &[b"WebPush: info\0", browsers, ours], &mut secret)?;
    let seed = Salt::new(HKDF_SHA256, salt).extract(&secret);
    let (mut key, mut nonce) = ([0; 16], [0; 12]);
    fill(&seed, &[b"Content-Encoding: aes128gcm\0"], &mut key)?;
    fill(&seed, &[b"Content-Encoding: nonce\0"], &mut nonce)?;
    let key = UnboundKey::new(&AES_128_GCM, &key).ok()?;
    Some((LessSafeKey::new(key), Nonce::assume_unique_for_key(nonce)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROWSER: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRp\
        kNtoIAiw4";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

    #[test]
    fn the_example_of_rfc_8291_comes_out_the_same() {
        let recipient = Recipient::new(BROWSER, AUTH).expect("keys");
        let decode = |text| URL_SAFE_NO_PAD.decode(text).expect("base64");
        let own = decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
        let salt = decode("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("16 bytes");
        let own = SecretKey::from_slice(&own).expect("a key");
        let message = b"When I grow up, I want to be a watermelon";
        let sent = recipient.encrypt_with(message, salt, &own).expect("encrypted");
        assert_eq!(
            URL_SAFE_NO_PAD.encode(sent),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6T\
             lzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy\
             4a-fN"
        );
    }

    #[test]
    fn no_two_messages_are_alike_and_long_ones_are_refused() {
        let recipient = Recipient::new(BROWSER, AUTH).expect("keys");
        assert_ne!(recipient.encrypt(b"move"), recipient.encrypt(b"move"));
        assert_eq!(recipient.encrypt(&[b'x'; MAX_MESSAGE]).map(|sent| sent.len()), Some(4096));
        assert_eq!(recipient.encrypt(&[b'x'; MAX_MESSAGE + 1]), None);
    }

    #[test]
    fn only_keys_are_keys() {
        assert!(Recipient::new(&format!("{BROWSER}="), &format!("{AUTH}==")).is_some());
        for (key, auth) in [
            ("", AUTH),
            (BROWSER, ""),
            (AUTH, AUTH),
            (BROWSER, BROWSER),
            (&BROWSER.replace("BCVx", "BCVy"), AUTH),
            ("not base64!", AUTH),
        ] {
            assert!(Recipient::new(key, auth).is_none(), "{key} {auth}");
        }
    }
}
