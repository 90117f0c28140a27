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

use crate::registry::{Game, Listed};
use crate::{
    AnyPosition, Edit, Explain, GameOptions, Notation, PositionError, Setup, Show, Side, Steps,
    Symmetry, Themes,
};

/// What to tell people about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "GameInfo"))]
pub struct Info {
    /// The plain id.
    pub id: &'static str,
    /// The game's name.
    pub name: &'static str,
    /// Its designer.
    pub designer: &'static str,
    /// The year of its publication.
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
pub trait Playable:
    Listed + Notation<Setup: Edit> + Steps + Symmetry + Show + Explain + Themes
{
    /// What to tell people about the game.
    const INFO: Info;
}

/// Something to be done with a game's own types, chosen by [`Game::visit`].
pub trait Visitor {
    /// What the visit returns.
    type Output;
    /// Does it for one game.
    fn visit<P: Playable>(self, options: P::Options) -> Self::Output;
}

impl Game {
    /// The games with all their options.
    pub fn variants() -> impl Iterator<Item = Game> {
        Game::ALL.into_iter().flat_map(Game::own_variants)
    }

    /// This game with all its options.
    pub fn own_variants(self) -> impl Iterator<Item = Game> {
        struct Variants;
        impl Visitor for Variants {
            type Output = Vec<Game>;
            fn visit<P: Playable>(self, _: P::Options) -> Vec<Game> {
                P::Options::all().into_iter().map(P::game).collect()
            }
        }
        self.visit(Variants).into_iter()
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

    /// Every game with a few of its options that stand for all of them, for benchmarks and the like.
    pub fn representatives() -> impl Iterator<Item = Game> {
        struct Representatives;
        impl Visitor for Representatives {
            type Output = Vec<Game>;
            fn visit<P: Playable>(self, _: P::Options) -> Vec<Game> {
                P::Options::representatives().into_iter().map(P::game).collect()
            }
        }
        Game::ALL.into_iter().flat_map(|game| game.visit(Representatives))
    }

    /// This game with the options that are offered first, where people choose.
    #[must_use]
    pub fn offered_first(self) -> Game {
        struct OfferedFirst;
        impl Visitor for OfferedFirst {
            type Output = Game;
            fn visit<P: Playable>(self, _: P::Options) -> Game {
                P::game(P::Options::offered_first())
            }
        }
        self.visit(OfferedFirst)
    }

    /// The game whose ratings count for this one: the same game, with the option that stands for all those
    /// that are rated together.
    #[must_use]
    pub fn rated_as(self) -> Game {
        struct RatedAs;
        impl Visitor for RatedAs {
            type Output = Game;
            fn visit<P: Playable>(self, options: P::Options) -> Game {
                P::game(options.rated_as())
            }
        }
        self.visit(RatedAs)
    }

    /// The word for the chosen option, such as `19` or `points`, if the game has options.
    pub fn option(self) -> Option<String> {
        struct Word;
        impl Visitor for Word {
            type Output = Option<String>;
            fn visit<P: Playable>(self, options: P::Options) -> Option<String> {
                options.word()
            }
        }
        self.visit(Word)
    }

    /// How the options are written, in a line for people; empty if the game has none.
    pub fn options_help(self) -> &'static str {
        struct Help;
        impl Visitor for Help {
            type Output = &'static str;
            fn visit<P: Playable>(self, _: P::Options) -> &'static str {
                P::Options::HELP
            }
        }
        self.visit(Help)
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
        struct Start;
        impl Visitor for Start {
            type Output = AnyPosition;
            fn visit<P: Playable>(self, options: P::Options) -> AnyPosition {
                AnyPosition::new(P::start(options))
            }
        }
        self.visit(Start)
    }

    /// The position of a text. Its options are those of this game, unless the text says what they
    /// are: [`GameOptions::mismatch`] decides what is accepted then.
    pub fn position(self, text: &str) -> Result<AnyPosition, PositionError> {
        struct Read<'a>(&'a str);
        impl Visitor for Read<'_> {
            type Output = Result<AnyPosition, PositionError>;
            fn visit<P: Playable>(self, options: P::Options) -> Self::Output {
                let setup = P::Setup::parse(self.0, options)?;
                let position =
                    setup.validate().map_err(|flaws| PositionError::impossible::<P>(&flaws))?;
                PositionError::check_options::<P>(options, position.options())?;
                Ok(AnyPosition::new(position))
            }
        }
        self.visit(Read(text))
    }
}

/// The canonical id: without a word for the usual options, such as plain `palisade`.
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
    #[error("there is no game {0}; the games are {ids}", ids = ids())]
    Id(String),
    /// The game has no such option; the game says what it has.
    #[error("{0}")]
    Option(String),
}

/// The ids of all games.
fn ids() -> String {
    Game::ALL.map(|game| game.info().id).join(", ")
}

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Game, UnknownGame> {
        struct WithOption<'a>(&'a str);
        impl Visitor for WithOption<'_> {
            type Output = Result<Game, UnknownGame>;
            fn visit<P: Playable>(self, _: P::Options) -> Self::Output {
                let options = P::Options::parse(self.0).ok_or_else(|| {
                    UnknownGame::Option(P::Options::unknown(P::INFO.id, &shortened(self.0)))
                })?;
                Ok(P::game(options))
            }
        }
        let lower = text.trim().to_ascii_lowercase();
        let (id, option) = match lower.split_once(':') {
            Some((id, option)) => (id, Some(option)),
            None => (lower.as_str(), None),
        };
        let game = Game::ALL.into_iter().find(|game| game.info().id == id);
        let game = game.ok_or_else(|| UnknownGame::Id(shortened(text)))?;
        option.map_or(Ok(game), |word| game.visit(WithOption(word)))
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
        for game in Game::ALL {
            assert_eq!(game.to_string(), game.info().id);
            assert!(game.own_variants().any(|variant| variant == game));
            let word = game.option().unwrap_or_default();
            let with_word = format!("{game}:{word}").parse::<Game>();
            assert_eq!(with_word.is_ok_and(|parsed| parsed == game), game.option().is_some());
            assert_eq!(game.options_help().is_empty(), game.option().is_none());
        }
        assert_eq!(" Impasse ".parse(), Ok(Game::Impasse));
    }

    #[test]
    fn every_game_is_represented() {
        let all: Vec<Game> = Game::representatives().collect();
        assert!(Game::ALL.iter().all(|game| all.contains(game)), "{all:?}");
        assert!(all.iter().all(|game| Game::variants().any(|variant| variant == *game)));
    }

    #[test]
    fn unknown_games_are_named() {
        let refused = |text: &str| text.parse::<Game>().unwrap_err().to_string();
        let known = "there is no game 'chess'; the games are colonnade, impasse, ";
        assert!(refused("chess").starts_with(known), "{}", refused("chess"));
        assert_eq!(refused("impasse:8"), "impasse has no options; write just impasse");
        assert!(refused(&"x".repeat(1000)).len() < 200);
        assert!(refused(&format!("palisade:{}", "7".repeat(1000))).len() < 200);
    }
}
