//! The rules of abstract games, exactly right and fast: Colonnade, Impasse and Palisade by
//! Mark Steere, Columna by Rey Alicea and Colossus by Aaron Bradford Starr.
//!
//! There are two ways in. Code that searches or counts uses a game's own types through the
//! [`Position`] trait and the small traits beside it:
//!
//! ```
//! use stoa_rules::{Notation, Position, colonnade, perft};
//!
//! let start = colonnade::Position::start(());
//! assert_eq!(perft(&start, 3), 2694);
//! let first = start.legal_moves()[0];
//! assert_eq!(start.move_text(first), "1b<");
//! ```
//!
//! Code that talks to people names a [`Game`] and works with text and clicks:
//!
//! ```
//! use stoa_rules::Game;
//!
//! let mut position = "impasse".parse::<Game>()?.start();
//! position.play("d2-b4")?;
//! assert_eq!(position.text(), "1W1b1W1b/b1W1b1W1/8/8/1w6/8/1B3B1w/w1B1w1B1 b");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every game has a module of its own with the same files in it: learn one, know them all.
//! Nothing here does I/O, starts threads or keeps global state.

/// The examples of the README, which are tests too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

mod any;
mod bits;
pub mod colonnade;
pub mod colossus;
pub mod columna;
mod editor;
mod explain;
mod fold;
mod game;
pub mod impasse;
mod notation;
mod objection;
mod options;
pub mod palisade;
mod perft;
pub mod playout;
mod position;
mod ranks;
pub mod record;
mod registry;
mod session;
mod sink;
mod steps;
mod symmetry;
#[cfg(test)]
mod testing;
mod text;
mod theme;
pub mod view;

pub use any::{AnyPosition, Choices, MoveError, PositionError};
pub use editor::{AnySetup, Counter, Edit};
pub use explain::{Clicked, Explain, Refusal};
pub use game::{Info, Playable, UnknownGame, Visitor};
pub use notation::{Cites, Notation, Rule, Setup};
pub use objection::{Citation, Objection, ObjectionKind};
pub use options::GameOptions;
pub use perft::perft;
pub use position::{NotLegal, Outcome, Position, Reason, Side};
pub use record::{Record, RecordError, result_text};
pub use registry::{Game, Listed};
pub use session::Session;
pub use steps::{NotAChoice, Role, Selection, Step, Steps};
pub use symmetry::Symmetry;
pub use text::ParseError;
pub use theme::{Theme, Themes};
pub use view::Show;
