//! Reports for designers: what kind of game a game is.
//!
//! The engine plays against itself at several strengths ([`play`]), the games are kept in files
//! that can be continued and put together ([`parts`]), and every figure of a report is counted
//! from them ([`figures`]). Where a game is solved, its report comes from the exact answers instead
//! ([`exact`]). What differs from game to game is in [`games`].

pub mod definitions;
pub mod document;
pub mod exact;
pub mod facts;
pub mod figures;
pub mod games;
pub mod html;
pub mod markdown;
pub mod openings;
pub mod parts;
pub mod plan;
pub mod play;
pub mod replay;
pub mod report;
pub mod stats;
pub mod svg;
pub mod words;
