//! Levels of strength, from a friendly beginner to the full engine.

use std::fmt;
use std::str::FromStr;

use stoa_rules::Game;
use stoa_rules::columna::RuleSet;
use stoa_rules::playout::Rng;

use crate::text::excerpt;
use crate::{Knowledge, Limits};

/// A level of strength, 1 to 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// What the levels are called: the people one meets in a stoa, from the passer-by to the
/// architect.
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

    /// How well it plays a game.
    pub fn skill(self, game: Game) -> Skill {
        let index = usize::from(self.0) - 1;
        let (nodes, overlook) = table(game)[index];
        Skill { nodes: (nodes > 0).then_some(nodes), overlook }
    }
}

/// What makes a level as strong as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skill {
    /// How many positions it looks at, or playouts it makes; nothing for as many as time allows.
    pub nodes: Option<u64>,
    /// How many of a thousand moves it overlooks.
    pub overlook: u32,
}

impl Skill {
    /// The limits of a search at this level.
    pub(crate) fn limits(self, limits: &Limits) -> Limits {
        match self.nodes {
            None => *limits,
            Some(most) => Limits {
                nodes: Some(limits.nodes.map_or(most, |nodes| nodes.min(most))),
                ..*limits
            },
        }
    }
}

/// What a search leaves to chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Chance {
    /// What it depends on.
    pub(crate) seed: u64,
    /// How many of a thousand moves are overlooked.
    pub(crate) overlook: u32,
}

impl Chance {
    /// Whether a move is not seen. It is the same move whenever the position comes up, and moves
    /// that catch the eye are overlooked less often.
    #[inline]
    pub(crate) fn overlooks<P: Knowledge>(self, position: &P, mv: P::Move) -> bool {
        if self.overlook == 0 {
            return false;
        }
        let rate = if position.is_loud(mv) { self.overlook / 2 } else { self.overlook };
        let mut rng = Rng::for_game(self.seed ^ position.board_key(), position.slot(mv) as u64);
        (rng.below(1000) as u32) < rate
    }
}

/// Positions looked at (playouts made, in Palisade) and moves overlooked in a thousand, for levels 1
/// to 10; no number of positions is as many as time allows. Each level wins about two games in
/// three against the one below; `stoa ladder GAME` measures it, docs/strength.md tells the figures.
fn table(game: Game) -> [(u64, u32); 10] {
    match game {
        Game::Colonnade => COLONNADE,
        Game::Impasse => IMPASSE,
        Game::Palisade(_) => PALISADE,
        Game::Columna(RuleSet::Spaces) => COLUMNA,
        Game::Columna(RuleSet::Points) => COLUMNA_POINTS,
        Game::Colossus => COLOSSUS,
    }
}

const COLONNADE: [(u64, u32); 10] = [
    (9, 703),
    (18, 571),
    (38, 446),
    (78, 349),
    (160, 270),
    (310, 198),
    (600, 150),
    (1_700, 86),
    (5_500, 36),
    (0, 0),
];

const IMPASSE: [(u64, u32); 10] = [
    (190, 248),
    (300, 205),
    (626, 149),
    (1_350, 100),
    (2_900, 62),
    (5_900, 35),
    (11_000, 16),
    (28_000, 1),
    (110_000, 0),
    (0, 0),
];

const COLUMNA: [(u64, u32); 10] = [
    (24, 523),
    (313, 198),
    (657, 143),
    (2_160, 75),
    (5_800, 35),
    (10_000, 18),
    (21_000, 6),
    (29_000, 2),
    (90_000, 0),
    (0, 0),
];

const COLUMNA_POINTS: [(u64, u32); 10] = [
    (300, 200),
    (700, 120),
    (2_200, 50),
    (3_700, 35),
    (6_500, 22),
    (12_000, 12),
    (24_000, 5),
    (48_000, 1),
    (110_000, 0),
    (0, 0),
];

const COLOSSUS: [(u64, u32); 10] = [
    (780, 132),
    (1_500, 92),
    (2_500, 67),
    (4_300, 45),
    (7_400, 28),
    (13_000, 14),
    (21_000, 6),
    (38_000, 0),
    (100_000, 0),
    (0, 0),
];

const PALISADE: [(u64, u32); 10] = [
    (11, 347),
    (18, 277),
    (29, 205),
    (45, 154),
    (70, 105),
    (125, 60),
    (260, 25),
    (540, 6),
    (1_400, 0),
    (0, 0),
];

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
