//! Positions and moves as numbers, for programs that learn: observation planes, a fixed action space
//! with a legal mask for every game and size, and batches of games that are stepped together.
//!
//! A game says in a file of `games/` how its positions and moves are numbered ([`Encode`]). What
//! is common to all games is written once over any [`AnyPosition`](stoa_rules::AnyPosition):
//!
//! ```
//! use stoa_arrays::{Shape, legal_actions, play};
//! use stoa_rules::Game;
//!
//! let position = Game::Impasse.start();
//! assert_eq!(Shape::of(Game::Impasse), Shape { planes: 4, rows: 8, columns: 8, actions: 1609 });
//! let mut actions = Vec::new();
//! legal_actions(&position, &mut actions)?;
//! assert_eq!(actions.len(), 22);
//! let next = play(&position, actions[0])?;
//! assert_ne!(next, position);
//! # Ok::<(), stoa_arrays::ActionError>(())
//! ```
//!
//! # What holds in every game
//!
//! - **Actions are those of the player to move.** Where the rules are the same for both players
//!   once the board is turned, the second player's actions are those of the turned board, so that both
//!   players see the game alike.
//! - **Every legal move of a position that play can reach has an action of its own.** Positions
//!   that were set up and cannot be reached may have a move without one ([`ActionError::NoAction`]).
//! - **An observation is seen by one of the players**: planes speak of *own* and *opposing* pieces.
//!   All values are from 0 to 1.
//!
//! The page `docs/python.md` has the numbering of each game in words.

mod action;
mod batch;
mod encode;
mod games;
mod random;

pub use action::{ActionError, action_of, legal_actions, legal_mask, move_of, play};
pub use action::{observe, transform_action};
pub use batch::{Batch, BatchError};
pub use encode::{Encode, Shape, planes};
pub use random::{RandomGames, random_games};
