#![doc = "The rules of five abstract games."]
mod bits;
pub mod colonnade;
pub mod colossus;
pub mod columna;
pub mod impasse;
mod notation;
pub mod palisade;
mod perft;
pub mod playout;
mod position;
mod ranks;
mod sink;
mod steps;
mod symmetry;
#[cfg(test)]
mod testing;
mod text;
pub mod view;
pub use notation::{Cites, Notation, Rule, Setup};
pub use perft::perft;
pub use position::{NotLegal, Outcome, Position, Reason, Side};
pub use steps::{NotAChoice, Selection, Step, Steps};
pub use symmetry::Symmetry;
pub use text::ParseError;
pub use view::Show;
