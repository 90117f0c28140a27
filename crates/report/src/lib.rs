//! Reports for designers: what kind of game a game is.
//!
//! The engine plays against itself at several strengths ([`play`]), the games are kept in files
//! that can be continued and put together ([`parts`]), and every figure of a report is counted
//! from them ([`figures`]). Where a game is solved, its report comes from the exact answers instead
//! ([`exact`]). What differs from game to game is in [`games`].

pub mod exact;
pub mod games;
pub mod openings;
pub mod parts;
pub mod plan;
pub mod play;
pub mod replay;
