//! The model's clocks: how much time is left, and who has lost on time.

use serde_json::{Value, json};
use stoa_rules::Side;

const SECOND: i64 = 1000;
const DAY: i64 = 24 * 3600 * SECOND;
/// How long the first move of a side may take on a clock.
const FIRST_MOVE: i64 = 60 * SECOND;

/// How much time a game has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Control {
    Unlimited,
    Days(i64),
    /// Seconds, and seconds more for each move.
    Clock(i64, i64),
}

/// Both clocks of a game.
#[derive(Debug, Clone)]
pub(super) struct ModelClock {
    pub(super) control: Control,
    /// What each side had when the turn began.
    left: [i64; 2],
    turn_began: i64,
}

impl Control {
    pub(super) fn body(self) -> Value {
        match self {
            Control::Unlimited => json!({ "kind": "unlimited" }),
            Control::Days(days) => json!({ "kind": "days", "days": days }),
            Control::Clock(initial, increment) => {
                json!({ "kind": "clock", "initial": initial, "increment": increment })
            }
        }
    }
}

impl ModelClock {
    pub(super) fn new(control: Control, now: i64) -> ModelClock {
        let each = match control {
            Control::Unlimited => 0,
            Control::Days(days) => days * DAY,
            Control::Clock(initial, _) => initial * SECOND,
        };
        ModelClock { control, left: [each; 2], turn_began: now }
    }

    /// On a clock, the first move of each side costs no time.
    fn runs(&self, ply: usize) -> bool {
        match self.control {
            Control::Unlimited => false,
            Control::Days(_) => true,
            Control::Clock(..) => ply >= 2,
        }
    }

    /// When the side to move has lost, or the game is aborted.
    pub(super) fn deadline(&self, side: Side, ply: usize) -> Option<i64> {
        match self.control {
            Control::Unlimited => None,
            Control::Clock(..) if ply < 2 => Some(self.turn_began + FIRST_MOVE),
            _ => Some(self.turn_began + self.left[side.index()]),
        }
    }

    /// What is left for both sides, if `turn` is to move.
    pub(super) fn left(&self, turn: Option<Side>, ply: usize, now: i64) -> Option<[i64; 2]> {
        if self.control == Control::Unlimited {
            return None;
        }
        let mut left = self.left;
        if let Some(side) = turn.filter(|_| self.runs(ply)) {
            left[side.index()] = (left[side.index()] - (now - self.turn_began)).max(0);
        }
        Some(left)
    }

    /// The side whose clock runs.
    pub(super) fn running(&self, turn: Option<Side>, ply: usize) -> Option<Side> {
        turn.filter(|_| self.runs(ply))
    }

    /// A side has moved.
    pub(super) fn moved(&mut self, side: Side, ply: usize, now: i64) {
        self.stop(Some(side), ply, now);
        match self.control {
            Control::Days(days) => self.left[side.index()] = days * DAY,
            Control::Clock(_, increment) if ply >= 2 => {
                self.left[side.index()] += increment * SECOND;
            }
            _ => {}
        }
    }

    /// A turn ends without a move.
    pub(super) fn stop(&mut self, turn: Option<Side>, ply: usize, now: i64) {
        self.left = self.left(turn, ply, now).unwrap_or(self.left);
        self.turn_began = now;
    }

    /// A side is given time; true if it may have so much.
    pub(super) fn give(&mut self, side: Side) -> Result<(), &'static str> {
        let (gift, most) = match self.control {
            Control::Unlimited => return Err("no_clock"),
            Control::Days(_) => (DAY, 30 * DAY),
            Control::Clock(..) => (15 * SECOND, 3 * 3600 * SECOND),
        };
        if self.left[side.index()] >= most {
            return Err("enough_time");
        }
        self.left[side.index()] += gift;
        Ok(())
    }
}
