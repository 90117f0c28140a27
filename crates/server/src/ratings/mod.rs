//! Ratings: what finished games say about the strength of their players.
//!
//! Playing comes first. A game ends like any other; a moment later the counter finds it, computes what it
//! did to the ratings of its players, and publishes that. Games count in an order that is stored with them
//! (`games.counted`), one after the other on all nodes together, so everything here can be computed again
//! from the games and comes out the same to the last bit.
//!
//! | file | what |
//! |---|---|
//! | `glicko.rs` | Glicko-2 |
//! | `standing.rs` | what a player has achieved in a category, and what a game does to it |
//! | `counter.rs` | the background task that counts games |

mod counter;
mod glicko;
mod standing;

use std::fmt;
use std::str::FromStr;

use stoa_rules::Game;
use stoa_wire::{Pace, PlayerKind, TimeControl};

pub(crate) use counter::RatingCounter;
pub(crate) use glicko::Strength;
pub(crate) use standing::{Standing, rating_at, shown};

/// What a rating is for: a game, with the option that stands for those that are rated together, at a pace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Category {
    pub(crate) game: Game,
    pub(crate) pace: Pace,
}

impl Category {
    /// The category of a game; nothing if it has no time limit.
    pub(crate) fn of(game: Game, control: TimeControl) -> Option<Category> {
        Some(Category { game: game.rated_as(), pace: Pace::of(control)? })
    }

    /// Every category.
    pub(crate) fn all() -> Vec<Category> {
        let mut games: Vec<Game> = Game::variants().map(Game::rated_as).collect();
        games.dedup();
        let paced = |game| Pace::ALL.map(|pace| Category { game, pace });
        games.into_iter().flat_map(paced).collect()
    }
}

/// As the database has it: `palisade:9 live`.
impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game, self.pace)
    }
}

impl FromStr for Category {
    type Err = String;

    fn from_str(text: &str) -> Result<Category, String> {
        let unknown = || format!("there is no category {text}");
        Category::all()
            .into_iter()
            .find(|category| category.to_string() == text)
            .ok_or_else(unknown)
    }
}

/// Whether a game of these players can be rated: none of them is a guest.
pub(crate) fn can_be_rated(players: [PlayerKind; 2]) -> bool {
    players.iter().all(|kind| *kind != PlayerKind::Guest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_are_what_they_are_called() {
        let all = Category::all();
        let names: Vec<String> = all.iter().map(Category::to_string).collect();
        assert!(names.contains(&"palisade:9 correspondence".to_owned()), "{names:?}");
        for (category, name) in all.iter().zip(&names) {
            assert_eq!(name.parse(), Ok(*category));
        }
        let mut apart = names.clone();
        apart.sort();
        apart.dedup();
        assert_eq!(apart.len(), names.len());
        assert!("palisade:11 live".parse::<Category>().is_err(), "rated as another");
        let eleven: Game = "palisade:11".parse().unwrap();
        let clock = TimeControl::Clock { initial: 60, increment: 0 };
        assert_eq!(Category::of(eleven, clock).unwrap().to_string(), "palisade:9 live");
        assert_eq!(Category::of(eleven, TimeControl::Unlimited), None);
    }
}
