//! The mail server, as an operator names it.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use axum::http::Uri;
use lettre::message::Mailbox;
use percent_encoding::percent_decode_str;

/// How long after the event a notice is sent. Whoever has answered by then gets none.
const DEFAULT_DELAY: Duration = Duration::from_secs(300);

/// How mail is sent.
#[derive(Clone)]
pub struct MailSettings {
    pub(super) security: Security,
    pub(super) host: String,
    pub(super) port: u16,
    /// Name and password.
    pub(super) credentials: Option<(String, String)>,
    pub(super) from: Mailbox,
    /// How long after the event a notice is sent. Whoever has answered by then gets none.
    pub delay: Duration,
}

/// How a connection to the mail server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Security {
    /// Not at all: for a server on the same machine.
    None,
    /// TLS after `STARTTLS`, and nothing without it.
    StartTls,
    /// TLS from the beginning.
    Tls,
}

/// What is wrong with the settings for mail. Nothing of the URL is repeated: it may have a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailSettingsError {
    /// The URL is not one of a mail server.
    #[error(
        "the mail server is written as smtps://USER:PASSWORD@HOST or smtp://USER:PASSWORD@HOST, with %40 \
         and the like for special characters"
    )]
    Url,
    /// The sender is not an address.
    #[error("the sender of mail is written as stoa@example.org or Stoa <stoa@example.org>")]
    From,
    /// One of the two is missing.
    #[error("mail needs both a server (--mail-url) and a sender (--mail-from)")]
    Half,
}

impl MailSettings {
    /// A server, such as `smtps://user:password@mail.example` (TLS, port 465 if none is named) or `smtp://…`
    /// (STARTTLS, port 587; on the same machine without TLS, port 25), and the sender of mail.
    pub fn new(url: &str, from: &str) -> Result<MailSettings, MailSettingsError> {
        let bad = MailSettingsError::Url;
        let uri: Uri = url.parse().map_err(|_| bad)?;
        let authority = uri.authority().ok_or(bad)?.as_str();
        let host = uri.host().filter(|host| !host.is_empty()).ok_or(bad)?;
        let host = host.trim_matches(['[', ']']).to_owned();
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err(bad);
        }
        let (security, default_port) = match uri.scheme_str() {
            Some("smtps") => (Security::Tls, 465),
            Some("smtp") if is_this_machine(&host) => (Security::None, 25),
            Some("smtp") => (Security::StartTls, 587),
            _ => return Err(bad),
        };
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().map(String::from);
        let credentials = match authority.rsplit_once('@') {
            None => None,
            Some((credentials, _)) => {
                let (user, password) = credentials.split_once(':').ok_or(bad)?;
                Some((decoded(user).map_err(|_| bad)?, decoded(password).map_err(|_| bad)?))
            }
        };
        let from: Mailbox = from.trim().parse().map_err(|_| MailSettingsError::From)?;
        let port = uri.port_u16().unwrap_or(default_port);
        Ok(MailSettings { security, host, port, credentials, from, delay: DEFAULT_DELAY })
    }

    /// The server, to be shown.
    pub(crate) fn server(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Without the password.
impl fmt::Debug for MailSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailSettings")
            .field("server", &self.server())
            .field("security", &self.security)
            .field("from", &self.from.to_string())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: &str = "Stoa <stoa@club.example>";

    #[test]
    fn servers_are_understood_and_passwords_not_shown() {
        let settings = MailSettings::new("smtps://zeno:p%40ss:word@mail.example", FROM).unwrap();
        assert_eq!((settings.security, settings.port), (Security::Tls, 465));
        let credentials = Some(("zeno".to_owned(), "p@ss:word".to_owned()));
        assert_eq!((settings.host.as_str(), &settings.credentials), ("mail.example", &credentials));
        let shown = format!("{settings:?}");
        assert!(shown.contains("mail.example:465") && !shown.contains("ss:word"), "{shown}");
        let of = |url| {
            let settings = MailSettings::new(url, FROM).unwrap();
            (settings.security, settings.port)
        };
        assert_eq!(of("smtp://mail.example"), (Security::StartTls, 587));
        assert_eq!(of("smtp://a:b@mail.example:25"), (Security::StartTls, 25));
        assert_eq!(of("smtp://localhost"), (Security::None, 25));
        assert_eq!(of("smtp://[::1]:2525"), (Security::None, 2525));
        assert_eq!(of("smtps://localhost"), (Security::Tls, 465));
    }

    #[test]
    fn errors_do_not_show_the_password() {
        for url in [
            "",
            "mail.example",
            "http://h",
            "smtp://",
            "smtps://user-without@h",
            "smtp://h/x",
            "smtp://h?tls=no",
        ] {
            let error = MailSettings::new(url, FROM).unwrap_err();
            assert_eq!(error, MailSettingsError::Url, "{url}");
        }
        for from in ["", "stoa", "stoa@", "a@b.example\r\nBcc: c@d.example", "<>"] {
            let error = MailSettings::new("smtp://h", from).unwrap_err();
            assert_eq!(error, MailSettingsError::From, "{from}");
        }
    }
}
