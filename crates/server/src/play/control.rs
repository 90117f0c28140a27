//! How much time players have.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How much time each side has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Control {
    /// A clock for each side: seconds at the start, and seconds added after each own move.
    Clock { initial: u32, increment: u32 },
    /// So many days for each move.
    Days { days: u32 },
    /// All the time in the world.
    Unlimited,
}

impl Control {
    const INITIAL: std::ops::RangeInclusive<u32> = 5..=10_800;
    const MOST_INCREMENT: u32 = 180;
    const DAYS: std::ops::RangeInclusive<u32> = 1..=14;

    /// What is wrong with it, if anything is.
    pub(crate) fn flaw(self) -> Option<String> {
        match self {
            Control::Clock { initial, .. } if !Control::INITIAL.contains(&initial) => {
                let (least, most) = (Control::INITIAL.start(), Control::INITIAL.end());
                Some(format!("a clock starts with {least} to {most} seconds, not with {initial}"))
            }
            Control::Clock { increment, .. } if increment > Control::MOST_INCREMENT => Some(
                format!("a move adds 0 to {} seconds, not {increment}", Control::MOST_INCREMENT),
            ),
            Control::Days { days } if !Control::DAYS.contains(&days) => {
                let (least, most) = (Control::DAYS.start(), Control::DAYS.end());
                Some(format!("a move may take {least} to {most} days, not {days}"))
            }
            _ => None,
        }
    }
}
