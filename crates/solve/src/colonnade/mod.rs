//! Colonnade, solved: the result and the length of every position there is.
//!
//! The row has at most 24 checkers, and there are 872,893,441 ways to stand. [`solve`] finds the
//! value of each and writes a [`Tablebase`]; `sweep.rs` tells how.

mod build;
mod half;
mod index;
mod layer;
mod perfect;
mod sweep;
mod tablebase;
#[cfg(test)]
mod tests;

pub use build::{Content, Progress, Statistics, solve};
pub use perfect::Perfect;
pub use tablebase::Tablebase;
