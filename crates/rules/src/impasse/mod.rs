//! Impasse, by Mark Steere (2003): singles slide forward, doubles slide backward, and the first
//! player to get rid of all checkers wins.
//!
//! ```
//! use stoa_rules::{Notation, Position, Setup, impasse};
//!
//! let mut position = impasse::Setup::parse("8/2W5/1w6/8/8/8/8/6b1 w", ()).unwrap().validate().unwrap();
//! let mv = position.parse_move("c7=b6").unwrap();
//! position.play(mv).unwrap();
//! assert_eq!(position.to_setup().to_string(), "8/2w5/1W6/8/8/8/8/6b1 b");
//! ```

mod board;
mod editor;
mod explain;
mod legality;
mod moves;
mod notation;
mod position;
mod setup;
mod steps;
mod symmetry;
#[cfg(test)]
mod tests;
mod theme;
mod view;

pub use board::{Checkers, Square};
pub use legality::Violation;
pub use moves::{Action, Crown, Move};
pub use position::Position;
pub use setup::{Flaw, Setup};

/// How many checkers each player has (clause 1).
pub const CHECKERS: u32 = 12;

impl crate::Playable for Position {
    const INFO: crate::Info = crate::Info {
        id: "impasse",
        name: "Impasse",
        designer: "Mark Steere",
        year: 2003,
        board: "The dark squares of an 8×8 board",
        aim: "Slide singles forward and doubles back, and get rid of all checkers",
        sides: ["White", "Black"],
        draws: false,
    };
}
