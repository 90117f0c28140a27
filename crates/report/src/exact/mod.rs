//! What is known for certain of a game.

pub mod colonnade;

use serde::Serialize;

/// What is known for certain of a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExactReport {}
