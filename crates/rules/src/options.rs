//! What players choose before a game, and how it is written: the part after the colon in
//! `palisade:7` and `columna:points`.

use std::fmt::Debug;
use std::hash::Hash;

/// The options of a game. Games without any use `()`.
pub trait GameOptions: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The usual choice, which needs no word.
    const DEFAULT: Self;

    /// How the words are written, in a line for people; empty if there is nothing to choose.
    const HELP: &'static str;

    /// Every choice there is.
    fn all() -> Vec<Self>;

    /// A few choices that stand for all of them, where something is done for each game: benchmarks,
    /// for example.
    fn representatives() -> Vec<Self> {
        Self::all()
    }

    /// The choice that a new game is offered with first, where people choose.
    fn offered_first() -> Self {
        Self::DEFAULT
    }

    /// The choice whose games are rated together with those of this one. Another rule set is another
    /// skill; a board that is a little larger is not.
    #[must_use]
    fn rated_as(self) -> Self {
        self
    }

    /// The word for this choice, such as `7` or `points`; nothing if there is nothing to choose.
    fn word(self) -> Option<String>;

    /// The choice of a word, in lower case.
    fn parse(word: &str) -> Option<Self> {
        Self::all().into_iter().find(|options| options.word().as_deref() == Some(word))
    }

    /// What to tell people who asked the game for a word that means nothing; `wanted` is in quotes.
    fn unknown(game: &str, wanted: &str) -> String;

    /// Why a position that was read with these options is not one of such a game, if its text says
    /// what the options are and these are others.
    fn mismatch(self, found: Self) -> Option<String> {
        let _ = found;
        None
    }
}

impl GameOptions for () {
    const DEFAULT: () = ();
    const HELP: &'static str = "";

    fn all() -> Vec<()> {
        vec![()]
    }

    fn word(self) -> Option<String> {
        None
    }

    fn unknown(game: &str, _: &str) -> String {
        format!("{game} has no options; write just {game}")
    }
}
