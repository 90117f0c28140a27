//! A tablebase of any game that has one.

use std::any::Any;
use std::path::Path;

use stoa_engine::{Oracle, Score};
use stoa_rules::{AnyPosition, Game, Position};

use crate::file::TablebaseError;
use crate::{Exact, Verdict, colonnade, impasse};

/// A tablebase of a game that is known at run time.
#[derive(Debug)]
pub enum AnyTablebase {
    /// All of Colonnade.
    Colonnade(colonnade::Tablebase),
    /// Endgames of Impasse.
    Impasse(impasse::Tablebase),
}

impl AnyTablebase {
    /// Whether there are tablebases of a game.
    pub fn is_made_for(game: Game) -> bool {
        matches!(game, Game::Colonnade | Game::Impasse)
    }

    /// Opens the tablebase of a game; nothing if there are none of it.
    pub fn open(game: Game, path: &Path) -> Result<Option<AnyTablebase>, TablebaseError> {
        Ok(match game {
            Game::Colonnade => Some(AnyTablebase::Colonnade(colonnade::Tablebase::open(path)?)),
            Game::Impasse => Some(AnyTablebase::Impasse(impasse::Tablebase::open(path)?)),
            _ => None,
        })
    }

    /// The value of a position; nothing if it is not in the tablebase.
    pub fn value(&self, position: &AnyPosition) -> Result<Option<Exact>, TablebaseError> {
        match self {
            AnyTablebase::Colonnade(table) => {
                position.downcast().map_or(Ok(None), |p| table.value(p))
            }
            AnyTablebase::Impasse(table) => {
                position.downcast().map_or(Ok(None), |p| table.value(p))
            }
        }
    }

    /// Every legal move with its value for the player who makes it, the best first and those that
    /// are not in the tablebase last.
    pub fn moves(
        &self,
        position: &AnyPosition,
    ) -> Result<Vec<(String, Option<Exact>)>, TablebaseError> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            // A move from the list of legal ones is legal.
            let _ = after.play(&mv);
            moves.push((mv, self.value(&after)?.map(Exact::before)));
        }
        moves.sort_by(|(_, one), (_, other)| match (one, other) {
            (Some(one), Some(other)) => other.compare(one),
            _ => other.is_some().cmp(&one.is_some()),
        });
        Ok(moves)
    }
}

/// A tablebase that cannot be read gives no score: the engine then searches for itself.
impl Oracle for AnyTablebase {
    #[inline]
    fn score(&self, position: &dyn Any) -> Option<Score> {
        match self {
            AnyTablebase::Colonnade(table) => {
                let position: &stoa_rules::colonnade::Position = position.downcast_ref()?;
                table.value(position).ok()?.map(|value| score(value, position))
            }
            AnyTablebase::Impasse(table) => {
                let position: &stoa_rules::impasse::Position = position.downcast_ref()?;
                table.value(position).ok()?.map(|value| score(value, position))
            }
        }
    }
}

/// A value as the engine counts it.
fn score(value: Exact, position: &impl Position) -> Score {
    let plies = value.plies.unwrap_or_else(|| position.turns_left_at_most());
    match value.verdict {
        Verdict::Win => Score::win_in(plies),
        Verdict::Loss => Score::loss_in(plies),
        Verdict::Draw => Score::EVEN,
    }
}
