//! A proof search for any position of any game: is it won, lost or drawn?

pub mod search;
mod table;

pub use table::{Key, Numbers, Table};
