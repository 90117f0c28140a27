//! Exact answers: tablebases of solved positions, proof search, and certificates.

mod any;
mod certificate;
pub mod colonnade;
mod exact;
pub mod file;
pub mod impasse;
mod packed;
pub mod palisade;
pub mod proof;
pub mod puzzles;
mod threads;

pub use any::AnyTablebase;
pub use certificate::{NoCertificate, certify};
pub use exact::{Exact, Verdict};
