//! Event streams.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::time::Duration;

use ureq::http::Response;
use ureq::{Body, BodyReader};

use crate::http::Error;
use crate::wire::Message;

/// No message is longer.
const LONGEST: u64 = 1024 * 1024;

/// Messages as they arrive. Ends with an error when the connection does; then it is time to connect
/// again, and to ask for what was missed.
pub struct Events {
    lines: BufReader<BodyReader<'static>>,
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Events")
    }
}

impl Events {
    /// The server says something every 15 seconds, so who hears nothing for so long is cut off.
    pub const SILENCE: Duration = Duration::from_secs(40);

    pub(crate) fn new(response: Response<Body>) -> Events {
        let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        Events { lines: BufReader::new(reader) }
    }

    fn read(&mut self) -> Result<Option<Message>, Error> {
        loop {
            let mut line = String::new();
            let read = (&mut self.lines).take(LONGEST).read_line(&mut line);
            match read {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) => return Err(Error::NoAnswer(error.to_string())),
            }
            // Every message is one line; empty lines and comments are between them.
            if let Some(data) = line.strip_prefix("data:") {
                let message = serde_json::from_str(data.trim());
                return message.map(Some).map_err(|error| Error::Strange(error.to_string()));
            }
        }
    }
}

impl Iterator for Events {
    type Item = Result<Message, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}
