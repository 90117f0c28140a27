//! Exact answers: tables of solved positions, proof search, and certificates.

pub mod colonnade;
mod exact;
pub mod file;
mod packed;
mod threads;

pub use exact::{Exact, Verdict};
