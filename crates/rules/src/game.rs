//! The games by name: which there are, who made them, and how to get from a name to a position.
//!
//! ```
//! use stoa_rules::Game;
//!
//! let game: Game = "palisade:7".parse()?;
//! assert_eq!(game.info().designer, "Mark Steere");
//! assert_eq!(game.start().text(), "7/7/7/7/7/7/7 b");
//! # Ok::<(), stoa_rules::UnknownGame>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::columna::RuleSet;
use crate::palisade::Size;
use crate::{AnyPosition, Notation, PositionError, Setup, Show, Side, Steps, Symmetry};
use crate::{colonnade, colossus, columna, impasse, palisade};

/// What to tell people about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Info {
    /// The plain id.
    pub id: &'static str,
    /// The game's name.
    pub name: &'static str,
    /// Who made it.
    pub designer: &'static str,
    /// When.
    pub year: u16,
    /// The board in a few words.
    pub board: &'static str,
    /// The aim of the game in a sentence.
    pub aim: &'static str,
    /// The names of the players, the one who moves first first.
    pub sides: [&'static str; 2],
    /// Whether a game can be drawn.
    pub draws: bool,
}

impl Info {
    /// The name of a player.
    pub const fn side(&self, side: Side) -> &'static str {
        self.sides[side.index()]
    }
}

/// Everything that a game of this crate can do, and what to tell about it.
pub trait Playable: Notation + Steps + Symmetry + Show {
    /// What to tell people about the game.
    const INFO: Info;
}

/// A game with its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Game {
    /// Colonnade.
    Colonnade,
    /// Impasse.
    Impasse,
    /// Palisade on a board of some size.
    Palisade(Size),
    /// Columna by one of its two rule sets.
    Columna(RuleSet),
    /// Colossus.
    Colossus,
}

/// Something to be done with a game's own types, chosen by [`Game::visit`].
pub trait Visitor {
    /// What comes of it.
    type Output;
    /// Does it for one game.
    fn visit<P: Playable>(self, options: P::Options) -> Self::Output;
}

impl Game {
    /// The five games with their usual options.
    pub const ALL: [Game; 5] = [
        Game::Colonnade,
        Game::Impasse,
        Game::Palisade(Size::DEFAULT),
        Game::Columna(RuleSet::Spaces),
        Game::Colossus,
    ];

    /// The five games with all their options.
    pub fn variants() -> impl Iterator<Item = Game> {
        Game::ALL.into_iter().flat_map(|game| match game {
            Game::Palisade(_) => Size::all().map(Game::Palisade).collect(),
            Game::Columna(_) => RuleSet::BOTH.map(Game::Columna).to_vec(),
            _ => vec![game],
        })
    }

    /// This game with all its options.
    pub fn own_variants(self) -> impl Iterator<Item = Game> {
        let id = self.info().id;
        Game::variants().filter(move |variant| variant.info().id == id)
    }

    /// Does something with the game's own position type: the door from names to fast code.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match self {
            Game::Colonnade => visitor.visit::<colonnade::Position>(()),
            Game::Impasse => visitor.visit::<impasse::Position>(()),
            Game::Palisade(size) => visitor.visit::<palisade::Position>(size),
            Game::Columna(rule_set) => visitor.visit::<columna::Position>(rule_set),
            Game::Colossus => visitor.visit::<colossus::Position>(()),
        }
    }

    /// What to tell people about the game.
    pub fn info(self) -> Info {
        struct GetInfo;
        impl Visitor for GetInfo {
            type Output = Info;
            fn visit<P: Playable>(self, _: P::Options) -> Info {
                P::INFO
            }
        }
        self.visit(GetInfo)
    }

    /// The word for the chosen option, such as `19` or `points`, if the game has options.
    pub fn option(self) -> Option<String> {
        match self {
            Game::Palisade(size) => Some(size.get().to_string()),
            Game::Columna(rule_set) => Some(rule_set.word().to_owned()),
            Game::Colonnade | Game::Impasse | Game::Colossus => None,
        }
    }

    /// The name of a player.
    pub fn side_name(self, side: Side) -> &'static str {
        self.info().side(side)
    }

    /// The word for a player in records: the name in lower case.
    pub fn side_word(self, side: Side) -> String {
        self.side_name(side).to_ascii_lowercase()
    }

    /// The position in which the game begins.
    pub fn start(self) -> AnyPosition {
        struct Start(Game);
        impl Visitor for Start {
            type Output = AnyPosition;
            fn visit<P: Playable>(self, options: P::Options) -> AnyPosition {
                AnyPosition::new(self.0, P::start(options))
            }
        }
        self.visit(Start(self))
    }

    /// The position of a text. For plain `palisade` the number of ranks gives the size; for
    /// another size the text must have that many ranks.
    pub fn position(self, text: &str) -> Result<AnyPosition, PositionError> {
        struct Read<'a>(Game, &'a str);
        impl Visitor for Read<'_> {
            type Output = Result<AnyPosition, PositionError>;
            fn visit<P: Playable>(self, options: P::Options) -> Self::Output {
                let setup = P::Setup::parse(self.1, options)?;
                let position =
                    setup.validate().map_err(|flaws| PositionError::impossible::<P>(&flaws))?;
                Ok(AnyPosition::new(self.0.with_options(&position), position))
            }
        }
        let position = self.visit(Read(self, text))?;
        match (self, position.game()) {
            (Game::Palisade(wanted), Game::Palisade(found))
                if wanted != found && wanted != Size::DEFAULT =>
            {
                Err(PositionError::OtherSize { wanted, found })
            }
            _ => Ok(position),
        }
    }

    /// The game with the options that a position has.
    fn with_options<P: Playable>(self, position: &P) -> Game {
        let options: &dyn std::any::Any = &position.options();
        match self {
            Game::Palisade(size) => Game::Palisade(*options.downcast_ref().unwrap_or(&size)),
            other => other,
        }
    }
}

/// The canonical id: `palisade` and `columna` for the usual options.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().id)?;
        match self.option() {
            Some(option) if !Game::ALL.contains(self) => write!(f, ":{option}"),
            _ => Ok(()),
        }
    }
}

/// As text: the canonical id.
#[cfg(feature = "serde")]
impl serde::Serialize for Game {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Game {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        let id = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        id.parse().map_err(serde::de::Error::custom)
    }
}

/// There is no such game, or not with these options.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownGame {
    /// No game has this id.
    #[error("there is no game {0}; the games are colonnade, impasse, palisade, columna, colossus")]
    Id(String),
    /// The size of a Palisade board is odd, 3 to 19.
    #[error("palisade has no size {0}; write palisade:N with N odd, from 3 to 19")]
    Size(String),
    /// Columna has two rule sets.
    #[error("columna has no rule set {0}; write columna:spaces or columna:points")]
    RuleSet(String),
    /// The game has no options.
    #[error("{0} has no options; write just {0}")]
    NoOptions(&'static str),
}

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Game, UnknownGame> {
        let lower = text.trim().to_ascii_lowercase();
        let (id, option) = match lower.split_once(':') {
            Some((id, option)) => (id, Some(option)),
            None => (lower.as_str(), None),
        };
        let game = Game::ALL.into_iter().find(|game| game.info().id == id);
        match (game.ok_or_else(|| UnknownGame::Id(shortened(text)))?, option) {
            (game, None) => Ok(game),
            (game, Some(wanted)) => game
                .own_variants()
                .find(|variant| variant.option().as_deref() == Some(wanted))
                .ok_or_else(|| match game {
                    Game::Palisade(_) => UnknownGame::Size(shortened(wanted)),
                    Game::Columna(_) => UnknownGame::RuleSet(shortened(wanted)),
                    _ => UnknownGame::NoOptions(game.info().id),
                }),
        }
    }
}

/// What someone typed, in quotes, cut if it is long and without control characters.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    format!("'{short}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_go_both_ways() {
        for game in Game::variants() {
            assert_eq!(game.to_string().parse(), Ok(game));
            assert_eq!(game.start().game(), game);
        }
        assert_eq!(Game::variants().count(), 1 + 1 + 9 + 2 + 1);
        assert_eq!(
            "palisade:19".parse::<Game>().map(|game| game.to_string()),
            Ok("palisade".into())
        );
        assert_eq!("columna:spaces".parse(), Ok(Game::Columna(RuleSet::Spaces)));
        assert_eq!(" Impasse ".parse(), Ok(Game::Impasse));
    }

    #[test]
    fn unknown_games_are_named() {
        let refused = |text: &str| text.parse::<Game>().unwrap_err().to_string();
        assert!(refused("chess").starts_with("there is no game 'chess'; the games are"));
        assert!(refused("palisade:8").starts_with("palisade has no size '8'"));
        assert!(refused("palisade:").starts_with("palisade has no size ''"));
        assert!(refused("palisade:+7").starts_with("palisade has no size '+7'"));
        assert!(refused("columna:stars").starts_with("columna has no rule set 'stars'"));
        assert_eq!(refused("impasse:8"), "impasse has no options; write just impasse");
        assert!(refused(&"x".repeat(1000)).len() < 200);
    }

    #[test]
    fn plain_palisade_takes_its_size_from_the_text() {
        let plain: Game = "palisade".parse().unwrap();
        assert_eq!(plain.position("3/3/3 b").unwrap().game().to_string(), "palisade:3");
        let seven: Game = "palisade:7".parse().unwrap();
        let error = seven.position("3/3/3 b").unwrap_err().to_string();
        assert_eq!(error, "palisade:7 has 7 ranks, but this position has 3");
    }
}
