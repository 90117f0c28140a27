//! Event streams.

use std::borrow::Cow;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::time::Duration;

use serde::Deserialize;
use stoa_wire::ServerMessage;
use ureq::http::Response;
use ureq::{Body, BodyReader};

use crate::http::Error;

/// The longest message, in bytes.
const MAX_MESSAGE: u64 = 1024 * 1024;

/// An event stream: messages as they arrive. It ends with an error when the connection fails; then connect
/// again, and ask for what was missed.
pub struct Events {
    lines: BufReader<BodyReader<'static>>,
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Events")
    }
}

impl Events {
    /// The server sends a line at least every 15 seconds; after this long without one the connection is
    /// lost.
    pub const READ_TIMEOUT: Duration = Duration::from_secs(40);

    pub(crate) fn new(response: Response<Body>) -> Events {
        let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        Events { lines: BufReader::new(reader) }
    }

    fn read(&mut self) -> Result<Option<ServerMessage>, Error> {
        loop {
            let mut line = String::new();
            let read = (&mut self.lines).take(MAX_MESSAGE).read_line(&mut line);
            match read {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) => return Err(Error::NoResponse(error.to_string())),
            }
            // Every message is one line; empty lines and comments are between them.
            if let Some(data) = line.strip_prefix("data:")
                && let Some(message) = parse(data.trim())?
            {
                return Ok(Some(message));
            }
        }
    }
}

/// Reads a message; nothing if it is of a kind that only newer servers send.
fn parse(data: &str) -> Result<Option<ServerMessage>, Error> {
    #[derive(Deserialize)]
    struct Tagged<'a> {
        #[serde(borrow)]
        t: Cow<'a, str>,
    }
    serde_json::from_str(data).map(Some).or_else(|error| {
        match serde_json::from_str::<Tagged<'_>>(data) {
            Ok(Tagged { t }) if !ServerMessage::KINDS.contains(&t.as_ref()) => Ok(None),
            _ => Err(Error::BadResponse(error.to_string())),
        }
    })
}

impl Iterator for Events {
    type Item = Result<ServerMessage, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_kinds_are_skipped_and_malformed_messages_are_not() {
        assert!(matches!(parse(r#"{"t":"restart"}"#), Ok(Some(ServerMessage::Restart))));
        assert!(matches!(parse(r#"{"t":"tournament","round":1}"#), Ok(None)));
        assert!(parse(r#"{"t":"pong"}"#).is_err(), "it has no id");
        assert!(parse("nonsense").is_err());
    }
}
