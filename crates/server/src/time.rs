//! The hour, as the server takes it. Tests have one that they can turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the hour comes from.
#[derive(Debug, Clone, Default)]
pub enum Time {
    /// The system's clock.
    #[default]
    System,
    /// A clock that stands still until it is turned: milliseconds since 1970.
    Manual(Arc<AtomicI64>),
}

impl Time {
    /// Milliseconds since 1970, UTC.
    pub fn now(&self) -> i64 {
        match self {
            Time::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
            }
            Time::Manual(now) => now.load(Ordering::SeqCst),
        }
    }
}
