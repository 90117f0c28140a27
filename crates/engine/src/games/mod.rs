//! What the engine knows of each game: one folder per game, each with the same parts. `mod.rs` has the
//! terms of the evaluation, then move ordering, then playouts; beside it are the weights and the levels.

use stoa_rules::Game;

use crate::Knowledge;

/// Something to be done with what the engine knows of a game, chosen by [`visit`].
pub trait KnowledgeVisitor {
    /// What comes of it.
    type Output;
    /// Does it for one game.
    fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output;
}

/// Does something with a game's own types: the door from names to fast code, as
/// [`Game::visit`] is in the rules.
pub fn visit<V: KnowledgeVisitor>(game: Game, visitor: V) -> V::Output {
    match game {
        Game::Colonnade => visitor.visit::<stoa_rules::colonnade::Position>(()),
        Game::Impasse => visitor.visit::<stoa_rules::impasse::Position>(()),
        Game::Palisade(size) => visitor.visit::<stoa_rules::palisade::Position>(size),
        Game::Columna(rules) => visitor.visit::<stoa_rules::columna::Position>(rules),
        Game::Colossus => visitor.visit::<stoa_rules::colossus::Position>(()),
    }
}

mod colonnade;
mod colossus;
mod columna;
mod impasse;
mod palisade;
