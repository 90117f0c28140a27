//! Colossus, by Aaron Bradford Starr (2005): stones turn stones and claim towers on a hexagon of
//! 37 spaces, and a player who runs out of towers has lost.
//!
//! ```
//! use stoa_rules::{Notation, Position, colossus};
//!
//! let mut position = colossus::Position::start(());
//! let mv = position.parse_move("b2").unwrap();
//! position.play(mv).unwrap();
//! assert_eq!(position.to_setup().to_string(), "t2W/5/6/t5t/6/1b3/B2t w 3 0 7");
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

pub use board::{CELLS, Cell, Occupant, between, next_to};
pub use legality::Violation;
pub use moves::Move;
pub use position::Position;
pub use setup::{Flaw, Setup};

/// All the towers there are, on the board and off it (clause 1).
pub const TOWERS: u32 = 9;

/// The game ends after this many turns in a row that do not make the board fuller than ever
/// before (R8).
pub const STALL: u8 = 40;

impl crate::Playable for Position {
    const INFO: crate::Info = crate::Info {
        id: "colossus",
        name: "Colossus",
        designer: "Aaron Bradford Starr",
        year: 2005,
        board: "A hexagon of 37 spaces with nine towers",
        aim: "Turn stones, claim and besiege towers, and never be without one",
        sides: ["Black", "White"],
        draws: true,
    };
}
