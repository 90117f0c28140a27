//! The current time. Tests have a clock that they set.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The source of the current time.
#[derive(Debug, Clone, Default)]
pub enum Time {
    /// The system's clock.
    #[default]
    System,
    /// A clock that stands still until it is set: milliseconds since 1970.
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

/// A duration in milliseconds, the unit of times in the database and in the API.
pub(crate) const fn millis(duration: Duration) -> i64 {
    duration.as_millis() as i64
}
