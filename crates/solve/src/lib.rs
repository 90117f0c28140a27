//! Exact answers: tables of solved positions, proof search, and certificates.

pub mod file;
