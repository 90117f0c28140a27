//! Columna, by Rey Alicea (2013): two pawns on a ring drop pieces along their line of sight, and
//! the stacks they build connect the pawns or reach height four. The designer published two rule
//! sets ([`RuleSet`]).
//!
//! ```
//! use stoa_rules::{Notation, Position, columna};
//!
//! let mut position = columna::Position::start(columna::RuleSet::Spaces);
//! let mv = position.parse_move("a4@d4").unwrap();
//! position.play(mv).unwrap();
//! assert_eq!(position.to_setup().to_string(), "x7/x7/x7/x7/x2,b1,x4/x7/x7 a4 i9 w 0");
//! ```

mod board;
mod editor;
mod explain;
mod legality;
mod moves;
mod notation;
mod options;
mod position;
mod ring;
mod setup;
mod steps;
mod symmetry;
#[cfg(test)]
mod tests;
mod theme;
mod view;

pub use board::{Cell, RuleSet, Space, Stack};
pub use legality::Violation;
pub use moves::Move;
pub use position::Position;
pub use ring::Point;
pub use setup::{Flaw, Setup};

/// The number of ranks and of files of the inner board.
pub const WIDTH: u8 = 7;

/// The height of a stack that nothing is dropped on and that never moves (clause 3).
pub const FULL_HEIGHT: u8 = 4;

/// The game ends after this many turns in a row that drop no piece (R3).
pub const STALL: u8 = 40;

impl crate::Playable for Position {
    const INFO: crate::Info = crate::Info {
        id: "columna",
        name: "Columna",
        designer: "Rey Alicea",
        year: 2013,
        board: "A 7×7 board with two pawns on the ring around it",
        aim: "Build stacks in your pawn's sight; connect the pawns or own most fours",
        sides: ["Black", "White"],
        draws: true,
    };
}
