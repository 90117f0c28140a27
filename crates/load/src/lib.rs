//! Measures a Stoa server under load, and kills it to see whether anything is lost.
//!
//! `cargo xtask load` runs it; `docs/operations.md` has the results. People are played by programs that know the
//! server only by its description, moves are random legal ones, and the shortcomings of the tool itself are
//! printed beside the results.
//!
//! | module | what |
//! |---|---|
//! | `target` | the servers: given, or started with their database |
//! | `socket`, `live_game` | a connection; a game between two people, over two of them |
//! | `witnessed_game` | a game over HTTP whose players remember what was acknowledged |
//! | `moves` | moves at a rate: how long until they are acknowledged, and until the opponent has them |
//! | `pairing` | a crowd that asks to be paired at once: how long until everyone has a game |
//! | `archive` | an archive full of games: how quickly positions are found, how long ratings take to rebuild |
//! | `sockets` | many connections: how much memory they take |
//! | `soak` | people who come and go for hours: whether anything grows |
//! | `fairness` | one greedy address beside ordinary people: whether these wait longer |
//! | `chart` | measurements over time as SVG |
//! | `crash` | kills under load, and what is there afterwards |
//! | `evening` | people, bots and workers for an evening with kills, and a recount of everything |
//! | `stats` | how measurements are collected and printed |

#![cfg(unix)]

mod archive;
mod chart;
pub mod crash;
mod evening;
mod fairness;
mod live_game;
mod moves;
mod pairing;
mod soak;
mod socket;
mod sockets;
mod stats;
mod target;
mod witnessed_game;

pub use archive::ArchiveLoad;
pub use evening::Evening;
pub use fairness::{Asked, FairnessLoad, Habit, Verdict};
pub use moves::MoveLoad;
pub use pairing::PairLoad;
pub use soak::SoakLoad;
pub use sockets::SocketLoad;
pub use target::{Target, TargetOptions, max_connections};
