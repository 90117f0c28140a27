//! Matches between players: openings, games, and what their results say about strength.
//!
//! Nothing here reads files or starts threads; the program does.

pub mod player;

pub use player::{Choice, Player, PlayerError, Thinking};
