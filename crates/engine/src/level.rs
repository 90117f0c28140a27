//! Levels of strength, from a friendly beginner to the full engine.

use std::fmt;
use std::str::FromStr;

use stoa_rules::Game;
use stoa_rules::playout::Rng;

use crate::games::{KnowledgeVisitor, visit};
use crate::text::excerpt;
use crate::{Knowledge, Limits};

/// A level of strength, 1 to 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// The names of the levels: the people one meets in a stoa, from the passer-by to the architect.
const NAMES: [&str; 10] = [
    "Passer-by",
    "Visitor",
    "Novice",
    "Regular",
    "Student",
    "Mason",
    "Scholar",
    "Master",
    "Sage",
    "Architect",
];

impl Level {
    /// The weakest.
    pub const LOWEST: Level = Level(1);
    /// The full strength of the engine.
    pub const HIGHEST: Level = Level(10);

    /// The level with a number.
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= 10 { Some(Level(number)) } else { None }
    }

    /// Every level, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> + ExactSizeIterator {
        (0..10).map(|below| Level(below + 1))
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        NAMES[self.0 as usize - 1]
    }

    /// The first level that judges positions with the game's network, where it has one.
    pub fn first_with_net(game: Game) -> Level {
        struct First;
        impl KnowledgeVisitor for First {
            type Output = u8;
            fn visit<P: Knowledge>(self, _: P::Options) -> u8 {
                P::FIRST_LEVEL_WITH_NET
            }
        }
        Level(visit(game, First))
    }

    /// Whether it judges positions with the game's network, where it has one.
    pub fn takes_net(self, game: Game) -> bool {
        self >= Level::first_with_net(game)
    }

    /// How well it plays a game.
    pub fn skill(self, game: Game) -> Skill {
        self.of(visit(game, Levels { with_terms: false }))
    }

    /// The same with the hand-made terms where it would take a network.
    pub(crate) fn skill_with_terms(self, game: Game) -> Skill {
        self.of(visit(game, Levels { with_terms: true }))
    }

    fn of(self, levels: LevelTable) -> Skill {
        levels[usize::from(self.0) - 1]
    }
}

/// The skill of each level of a game, the weakest first. Each level should win about two games in
/// three against the one below; `stoa ladder GAME` measures it, docs/strength.md has the figures.
pub type LevelTable = [Skill; 10];

/// Asks a game for its levels.
struct Levels {
    with_terms: bool,
}

impl KnowledgeVisitor for Levels {
    type Output = LevelTable;
    fn visit<P: Knowledge>(self, options: P::Options) -> LevelTable {
        if self.with_terms { P::levels_with_terms(options) } else { P::levels(options) }
    }
}

/// What makes a level as strong as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skill {
    /// How many nodes it searches, or playouts it makes; `None` for as many as time allows.
    pub nodes: Option<u64>,
    /// How many of a thousand moves it overlooks.
    pub overlook: u32,
}

impl Skill {
    /// Skills from rows of nodes, 0 for as many as time allows, and moves overlooked in a thousand.
    pub const fn table(rows: [(u64, u32); 10]) -> LevelTable {
        let mut skills = [Skill { nodes: None, overlook: 0 }; 10];
        let mut index = 0;
        while index < rows.len() {
            let (nodes, overlook) = rows[index];
            skills[index] = Skill { nodes: if nodes > 0 { Some(nodes) } else { None }, overlook };
            index += 1;
        }
        skills
    }

    /// Whether it limits nothing.
    pub(crate) fn sees_all(self) -> bool {
        self.nodes.is_none() && self.overlook == 0
    }

    /// The limits of a search at this level.
    pub(crate) fn limits(self, limits: &Limits) -> Limits {
        match self.nodes {
            None => *limits,
            Some(max) => {
                Limits { nodes: Some(limits.nodes.map_or(max, |nodes| nodes.min(max))), ..*limits }
            }
        }
    }
}

/// Which moves a search overlooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Oversight {
    /// The seed of the random choice.
    pub(crate) seed: u64,
    /// How many of a thousand moves are overlooked.
    pub(crate) overlook: u32,
}

impl Oversight {
    /// Whether a move is overlooked. In the same position it is always the same moves; noisy ones are
    /// overlooked half as often.
    #[inline]
    pub(crate) fn overlooks<P: Knowledge>(self, position: &P, mv: P::Move) -> bool {
        if self.overlook == 0 {
            return false;
        }
        let rate = if position.is_noisy(mv) { self.overlook / 2 } else { self.overlook };
        let mut rng =
            Rng::for_game(self.seed ^ position.board_key(), position.history_index(mv) as u64);
        (rng.below(1000) as u32) < rate
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.name())
    }
}

/// There is no such level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no level '{0}'; levels go from 1 to 10")]
pub struct UnknownLevel(String);

impl FromStr for Level {
    type Err = UnknownLevel;

    /// Reads a number or a name.
    fn from_str(text: &str) -> Result<Level, UnknownLevel> {
        let by_number = text.trim().parse().ok().and_then(Level::new);
        let by_name = || Level::all().find(|level| level.name().eq_ignore_ascii_case(text.trim()));
        by_number.or_else(by_name).ok_or_else(|| UnknownLevel(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_go_from_one_to_ten() {
        assert_eq!(Level::all().len(), 10);
        assert_eq!("3".parse(), Ok(Level(3)));
        assert_eq!("architect".parse(), Ok(Level::HIGHEST));
        assert_eq!(
            "11".parse::<Level>().unwrap_err().to_string(),
            "there is no level '11'; levels go from 1 to 10"
        );
        assert_eq!(Level::LOWEST.to_string(), "1 Passer-by");
    }
}
