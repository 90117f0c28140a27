//! Colonnade, by Mark Steere (2010): eight squares in a row, stacks of alternating colours, and
//! the last player to move wins.
//!
//! ```
//! use stoa_rules::{Notation, Position, colonnade};
//!
//! let mut position = colonnade::Position::start(());
//! let mv = position.parse_move("1b<").unwrap();
//! position.play(mv).unwrap();
//! assert_eq!(position.to_setup().to_string(), "r/brb/rbrb/brbr/rbrb/brbr/rbrb/- b");
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

pub use board::{Direction, SQUARES, Square, Stack};
pub use legality::Violation;
pub use moves::Move;
pub use position::Position;
pub use setup::{Flaw, Setup};

/// All the checkers there are: twelve of each colour (clause 1).
pub const CHECKERS: u32 = 24;

impl crate::Playable for Position {
    const INFO: crate::Info = crate::Info {
        id: "colonnade",
        name: "Colonnade",
        designer: "Mark Steere",
        year: 2010,
        board: "A row of eight squares with stacks",
        aim: "Carry checkers onto your own colour, and be the last to move",
        sides: ["Red", "Blue"],
        draws: false,
    };
}
