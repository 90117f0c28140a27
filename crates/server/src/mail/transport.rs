//! Messages, and how the mail server gets them.

use std::time::Duration;

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};

use super::settings::{MailSettings, Security};

/// How long the mail server may take to answer a command, and for a whole message.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(20);
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(60);
/// The longest address (RFC 5321).
const MAX_ADDRESS_LENGTH: usize = 254;

/// The result of sending a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Delivered {
    /// The mail server has taken it.
    Accepted,
    /// It cannot take it now, or cannot be reached.
    Later(String),
    /// It will never take it.
    Refused(String),
}

/// A message and its recipient.
#[derive(Debug)]
pub(super) struct Letter {
    /// The same whenever it is sent, so that a reader's program shows it once.
    pub(super) message_id: String,
    pub(super) to: String,
    pub(super) subject: String,
    pub(super) text: String,
    /// Where one request ends such mail.
    pub(super) unsubscribe: Option<String>,
}

/// An address that mail can be sent to: with a domain, and in ASCII, as every mail server understands it.
/// The domain is in small letters.
pub(crate) fn proper_address(text: &str) -> Option<String> {
    let text = text.trim();
    let is_plain =
        text.len() <= MAX_ADDRESS_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic());
    let address: Address = text.parse().ok().filter(|_| is_plain)?;
    let domain = address.domain().to_ascii_lowercase();
    (domain.contains('.') && !domain.starts_with('['))
        .then(|| format!("{}@{domain}", address.user()))
}

/// The connection to the mail server.
#[derive(Debug, Clone)]
pub(super) struct MailTransport {
    smtp: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl MailTransport {
    pub(super) fn new(
        settings: &MailSettings,
    ) -> Result<MailTransport, lettre::transport::smtp::Error> {
        let MailSettings { security, host, port, credentials, from, .. } = settings;
        let tls = match security {
            Security::None => Tls::None,
            Security::StartTls => Tls::Required(TlsParameters::new(host.clone())?),
            Security::Tls => Tls::Wrapper(TlsParameters::new(host.clone())?),
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
            .port(*port)
            .tls(tls)
            .hello_name(ClientId::Domain(from.email.domain().to_owned()))
            .timeout(Some(COMMAND_TIMEOUT));
        if let Some((user, password)) = credentials {
            builder = builder.credentials(Credentials::new(user.clone(), password.clone()));
        }
        Ok(MailTransport { smtp: builder.build(), from: from.clone() })
    }

    pub(super) async fn send(&self, letter: Letter) -> Delivered {
        let Some(message) = message(&self.from, letter) else {
            return Delivered::Refused("the message cannot be written".to_owned());
        };
        match tokio::time::timeout(MESSAGE_TIMEOUT, self.smtp.send(message)).await {
            Ok(Ok(_)) => Delivered::Accepted,
            // A wrong password of ours is no fault of the reader's address.
            Ok(Err(error)) if error.is_permanent() && !is_about_us(&error) => {
                Delivered::Refused(error.to_string())
            }
            Ok(Err(error)) => Delivered::Later(error.to_string()),
            Err(_) => Delivered::Later("the mail server takes too long".to_owned()),
        }
    }

    /// Connects and signs in, and sends nothing.
    pub(super) async fn test(&self) -> Result<(), String> {
        match tokio::time::timeout(COMMAND_TIMEOUT, self.smtp.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err("it does not answer as a mail server does".to_owned()),
            Ok(Err(error)) => Err(with_source(&error)),
            Err(_) => Err("it takes too long".to_owned()),
        }
    }
}

/// Whether an answer is about who sends rather than about what is sent.
fn is_about_us(error: &lettre::transport::smtp::Error) -> bool {
    error.status().is_some_and(|code| matches!(u16::from(code), 421 | 500..=504 | 530..=538))
}

/// An error, and what caused it.
fn with_source(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error} ({source})"),
        None => error.to_string(),
    }
}

/// Plain text. Whatever is in a name or a subject, the library encodes it: no header can be added by it.
fn message(from: &Mailbox, letter: Letter) -> Option<Message> {
    let Letter { message_id, to, subject, text, unsubscribe } = letter;
    let mut message = Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to.parse().ok()?))
        .subject(subject)
        .message_id(Some(format!("<{message_id}>")))
        .header(ContentType::TEXT_PLAIN)
        .body(text)
        .ok()?;
    let mut raw = |name: &'static str, value: String| {
        let name = HeaderName::new_from_ascii_str(name);
        message.headers_mut().insert_raw(HeaderValue::new(name, value));
    };
    // Programs that answer mail by themselves leave this alone (RFC 3834).
    raw("Auto-Submitted", "auto-generated".to_owned());
    if let Some(address) = unsubscribe {
        raw("List-Unsubscribe", format!("<{address}>"));
        raw("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned());
    }
    Some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_that_mail_can_be_sent_to() {
        for (text, proper) in [
            ("zeno@elea.example", "zeno@elea.example"),
            (" Zeno@ELEA.Example ", "Zeno@elea.example"),
            ("zeno+stoa@elea.example", "zeno+stoa@elea.example"),
        ] {
            assert_eq!(proper_address(text).as_deref(), Some(proper), "{text}");
        }
        let long = format!("{}@elea.example", "z".repeat(300));
        for text in [
            "",
            "zeno",
            "@elea.example",
            "zeno@",
            "zeno@elea",
            "zeno@[127.0.0.1]",
            "zeno@elea.example\r\nBcc: all@elea.example",
            "zeno@elea.example, other@elea.example",
            "Zeno <zeno@elea.example>",
            "zenón@elea.example",
            &long,
        ] {
            assert_eq!(proper_address(text), None, "{text}");
        }
    }

    #[test]
    fn no_header_can_be_added() {
        let from = "Stoa <stoa@club.example>".parse().expect("a sender");
        let letter = Letter {
            message_id: "abc@club.example".to_owned(),
            to: "zeno@elea.example".to_owned(),
            subject: "Your move\r\nBcc: all@elea.example\r\n\r\nBuy!".to_owned(),
            text: "Hello\r\n.\r\nMAIL FROM:<x@y.example>".to_owned(),
            unsubscribe: Some("https://club.example/api/mail/unsubscribe/x".to_owned()),
        };
        let message = message(&from, letter).expect("a message").formatted();
        let text = String::from_utf8(message).expect("a text");
        let (head, _) = text.split_once("\r\n\r\n").expect("a head");
        assert!(
            !head.lines().any(|line| line.starts_with("Bcc:") || line.starts_with("Buy")),
            "{head}"
        );
        for line in [
            "Message-ID: <abc@club.example>",
            "To: zeno@elea.example",
            "Auto-Submitted: auto-generated",
            "List-Unsubscribe: <https://club.example/api/mail/unsubscribe/x>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        ] {
            assert!(head.lines().any(|one| one == line), "{line}: {head}");
        }
        assert!(head.contains("Content-Type: text/plain; charset=utf-8"), "{head}");
    }
}
