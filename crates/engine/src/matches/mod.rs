//! Matches between players: openings, games, and what their results say about strength.
//!
//! Nothing here reads files or starts threads; the program does.

mod elo;
mod game;
mod likelihood;
mod odds;
mod openings;
mod player;
mod sprt;
mod totals;

pub use elo::{Bounded, Estimate, Pentanomial, elo_of_score, score_of_elo};
pub use game::{Forfeit, GameLimits, Pace, Played, play};
pub use odds::Judgements;
pub use openings::{Opening, OpeningError, OpeningLength, Openings};
pub use player::{Choice, Player, PlayerError, Thinking};
pub use sprt::{Model, Sprt, SprtError, Verdict};
pub use totals::Totals;
