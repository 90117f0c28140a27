//! Links in mail. Their signature is not stored: a reader of the database cannot make one.

use ring::hmac;

use crate::ids;

/// The longest token of a link.
const MAX_TOKEN_LENGTH: usize = 110;

/// Makes and checks links.
#[derive(Debug)]
pub(crate) struct Links {
    key: hmac::Key,
    /// The public URL, without a slash at its end.
    url: String,
}

/// What a link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To confirm an address.
    Confirm,
    /// To choose a new password.
    Reset,
}

impl Purpose {
    /// As the database and addresses have it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Purpose::Confirm => "confirm",
            Purpose::Reset => "reset",
        }
    }
}

impl Links {
    pub(crate) fn new(secret: &[u8], public_url: &str) -> Links {
        let key = ids::derived(secret, "links in mail", "1");
        Links {
            key: hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()),
            url: public_url.trim_end_matches('/').to_owned(),
        }
    }

    /// A page of the app. The part after `#` is not sent to any server, and is in no log.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("{}/#/{path}", self.url)
    }

    /// The link with this id.
    pub(super) fn single_use(&self, purpose: Purpose, id: &str) -> String {
        let token = self.sign(purpose.word(), id, "");
        self.page(&format!("mail/{}/{token}", purpose.word()))
    }

    /// The id of the link with this token.
    pub(crate) fn single_use_id(&self, purpose: Purpose, token: &str) -> Option<String> {
        self.check(purpose.word(), token, "")
    }

    /// A page that ends the mail of a player at an address, and the address at which one request does so
    /// (RFC 8058).
    pub(super) fn unsubscribe(&self, player: &str, address: &str) -> (String, String) {
        let token = self.sign("unsubscribe", player, address);
        let page = self.page(&format!("mail/unsubscribe/{token}"));
        (page, format!("{}/api/mail/unsubscribe/{token}", self.url))
    }

    /// The player whose mail a token ends, before it is known whether their address is still the same.
    pub(crate) fn unsubscriber(token: &str) -> Option<&str> {
        split(token).map(|(player, _)| player)
    }

    /// Whether a token ends the mail of its player at this address.
    pub(crate) fn ends_mail(&self, token: &str, address: &str) -> bool {
        self.check("unsubscribe", token, address).is_some()
    }

    /// The domain of this server, for the ids of messages.
    pub(super) fn host(&self) -> &str {
        let host = self.url.split("://").nth(1).unwrap_or_default();
        host.split(['/', ':']).next().unwrap_or_default()
    }

    fn sign(&self, what: &str, id: &str, with: &str) -> String {
        let tag = hmac::sign(&self.key, format!("{what} {id} {with}").as_bytes());
        let tag: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{id}-{tag}")
    }

    fn check(&self, what: &str, token: &str, with: &str) -> Option<String> {
        let (id, tag) = split(token)?;
        let signed = format!("{what} {id} {with}");
        hmac::verify(&self.key, signed.as_bytes(), &bytes(tag)?).ok().map(|()| id.to_owned())
    }
}

fn split(token: &str) -> Option<(&str, &str)> {
    let (id, tag) = token.rsplit_once('-').filter(|_| token.len() <= MAX_TOKEN_LENGTH)?;
    ids::is_id(id).then_some((id, tag))
}

/// What hexadecimal digits stand for.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_signed_for_the_purpose_are_valid() {
        let links = Links::new(&[7; 32], "https://club.example/");
        let link = links.single_use(Purpose::Confirm, "abc");
        let token = link.strip_prefix("https://club.example/#/mail/confirm/").expect("a link");
        assert_eq!(links.single_use_id(Purpose::Confirm, token).as_deref(), Some("abc"));
        assert_eq!(links.single_use_id(Purpose::Reset, token), None);
        let other = Links::new(&[8; 32], "https://club.example");
        assert_eq!(other.single_use_id(Purpose::Confirm, token), None);
        for forged in
            ["", "-", "abc", "abc-", &token.replacen("abc", "abd", 1), &format!("{token}00")]
        {
            assert_eq!(links.single_use_id(Purpose::Confirm, forged), None, "{forged}");
        }
        let (page, request) = links.unsubscribe("zeno", "z@elea.example");
        let token = page.strip_prefix("https://club.example/#/mail/unsubscribe/").expect("a link");
        assert_eq!(request, format!("https://club.example/api/mail/unsubscribe/{token}"));
        assert_eq!(Links::unsubscriber(token), Some("zeno"));
        assert!(links.ends_mail(token, "z@elea.example"));
        assert!(!links.ends_mail(token, "another@elea.example"));
        assert_eq!(links.host(), "club.example");
    }
}
