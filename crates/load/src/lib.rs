//! Measures a Stoa server under load, and kills it to see whether anything is lost.
//!
//! `cargo xtask load` runs it; `docs/operations.md` tells what came of it. People are played by programs
//! that know the server only by its description, moves are random legal ones, and what the tool itself
//! could not do is said beside the figures.
//!
//! | module | what |
//! |---|---|
//! | `place` | the servers: given, or started with their database |
//! | `socket`, `table` | a connection; two people who play over two of them |
//! | `moves` | moves at a pace: how long until they are acknowledged, and until the opponent has them |
//! | `sockets` | many connections: how much memory they take |
//! | `crash` | kills under load, and what is there afterwards |
//! | `figures` | how figures are gathered and told |

#![cfg(unix)]

pub mod crash;
mod figures;
mod moves;
mod place;
mod socket;
mod sockets;
mod table;

pub use moves::Pace;
pub use place::{Place, Setup};
pub use sockets::Crowd;
