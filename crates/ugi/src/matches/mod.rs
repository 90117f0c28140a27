//! Matches: who is stronger, and by how much.
//!
//! The engine crate knows what a match is made of (one game, openings, statistics); this module plays
//! the games on all cores ([`Match`]), keeps them ([`GameWriter`]) and reports them ([`Report`]).
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::time::Duration;
//! use stoa_engine::{Limits, Stop};
//! use stoa_rules::Game;
//! use stoa_ugi::matches::{Match, MatchEnd, MatchError, OpeningSource};
//! use stoa_ugi::players::PlayerSpec;
//!
//! let random: PlayerSpec = "random".parse()?;
//! let rules = Match {
//!     game: Game::Colonnade,
//!     players: [&random, &random],
//!     limits: Limits::nodes(1),
//!     margin: Duration::from_secs(1),
//!     concurrency: 1,
//!     pairs: 2,
//!     seed: 1,
//!     max_plies: None,
//! };
//! let openings = OpeningSource::new(Game::Colonnade, 1);
//! let (totals, end) = rules.run(&openings, &Stop::new(), |_, _, _| {
//!     Ok::<_, MatchError>(ControlFlow::Continue(()))
//! })?;
//! assert_eq!((totals.games(), end), (4, MatchEnd::Done));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod openings;
pub mod report;
mod runner;
mod writer;

pub use openings::{NoMoreOpenings, OpeningSource, OpeningsError};
pub use report::Report;
pub use runner::{Match, MatchEnd, MatchError};
pub use writer::{GameWriter, RecordsError};
