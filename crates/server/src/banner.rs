//! A notice that administrators show on all pages, for example before maintenance.
//!
//! It is in the database, where `stoa admin banner` writes it. Every node reads it every two seconds and
//! sends it to its sockets when it has changed.

use std::time::Duration;

use stoa_wire::ServerMessage;
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::monitoring::debug_folded;
use crate::store::Store;

/// How often the line is read.
const READ_INTERVAL: Duration = Duration::from_secs(2);

/// The message with the line, for every socket. Before the line was first set it is empty.
#[derive(Debug)]
pub(crate) struct Banner {
    message: watch::Sender<Utf8Bytes>,
}

impl Default for Banner {
    fn default() -> Banner {
        Banner { message: watch::Sender::new(Utf8Bytes::default()) }
    }
}

impl Banner {
    /// The message, and its changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Utf8Bytes> {
        self.message.subscribe()
    }

    /// Reads the line again and again until the task is aborted.
    pub(crate) async fn follow(&self, store: &Store) {
        let mut shown = None;
        loop {
            match store.answered(store.banner()).await {
                Ok(text) if text != shown => {
                    shown.clone_from(&text);
                    self.publish(text);
                }
                Ok(_) => {}
                Err(error) => debug_folded!(%error, "cannot read the banner"),
            }
            tokio::time::sleep(READ_INTERVAL).await;
        }
    }

    fn publish(&self, text: Option<String>) {
        if let Ok(message) = serde_json::to_string(&ServerMessage::Banner { text }) {
            self.message.send_replace(message.into());
        }
    }
}
