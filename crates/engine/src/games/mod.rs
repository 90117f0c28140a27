//! What the engine knows about each game: one folder per game, each with the same parts. `mod.rs` has the terms
//! of the evaluation, then move ordering, then playouts; beside it are the weights and the levels.

use stoa_rules::Game;

use crate::Knowledge;

/// Something to be done with what the engine knows of a game, chosen by [`visit`].
pub trait KnowledgeVisitor {
    /// The result.
    type Output;
    /// Does it for one game.
    fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output;
}

/// Does something with a game's own types: the door from names to fast code, as
/// [`Game::visit`] is in the rules.
pub fn visit<V: KnowledgeVisitor>(game: Game, visitor: V) -> V::Output {
    stoa_rules::dispatch!(game, |P, options| visitor.visit::<P>(options))
}

/// The network beside a game's code. It is no part of the module for browsers, whose page brings it
/// when the game is played.
macro_rules! shipped_net {
    ($file:literal) => {
        if cfg!(target_arch = "wasm32") { None } else { Some(include_bytes!($file)) }
    };
}

mod colonnade;
mod colossus;
mod columna;
mod impasse;
mod palisade;
