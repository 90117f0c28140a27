//! Palisade, by Mark Steere (2007): diagonal chains of stones close into loops, a loop captures
//! what stands within, and the player who owns more points wins.
//!
//! ```
//! use stoa_rules::{Notation, Position, Setup, palisade};
//!
//! // White closes a loop around the corner with two stones of the ring.
//! let text = "5/5/5/w4/b4 w";
//! let setup = palisade::Setup::parse(text, palisade::Size::DEFAULT).unwrap();
//! let mut position = setup.validate().unwrap();
//! position.play(position.parse_move("b1").unwrap()).unwrap();
//! assert_eq!(position.to_setup().to_string(), "5/5/5/w4/1w3 b");
//! assert_eq!(position.score(), [0, 3]);
//! ```

mod board;
mod editor;
mod explain;
mod legality;
mod loops;
mod moves;
mod notation;
mod options;
mod points;
mod position;
mod setup;
mod steps;
mod symmetry;
#[cfg(test)]
mod tests;
mod theme;
mod threats;
mod view;

pub use board::{MAX_SIZE, Point, Size};
pub use legality::Violation;
pub use moves::Move;
pub use position::Position;
pub use setup::{Flaw, Setup};
pub use threats::PointSet;

impl crate::Playable for Position {
    const INFO: crate::Info = crate::Info {
        id: "palisade",
        name: "Palisade",
        designer: "Mark Steere",
        year: 2007,
        board: "A grid of points, 19×19 or smaller, within a ring of stones",
        aim: "Close loops, capture what is within, and own most of the board",
        sides: ["Black", "White"],
        draws: false,
    };
}
