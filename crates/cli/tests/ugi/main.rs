//! `stoa ugi` as other programs meet it: over pipes, with everything that may come through them; and
//! other programs as `stoa match` meets them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod commands;
mod docs;
mod games;
mod garbage;
#[cfg(unix)]
mod matches;
mod searching;
mod talk;
