//! Where the openings of a match come from: a file, or a seed.

use std::sync::{Mutex, PoisonError};

use stoa_engine::matches::{Opening, OpeningError, Openings};
use stoa_rules::Game;

/// Openings by number, made when they are asked for: a match may end before it needs them all.
pub struct OpeningSource(Mutex<Made>);

/// A line that is no opening.
#[derive(Debug, thiserror::Error)]
#[error("line {line}")]
pub struct OpeningsError {
    line: usize,
    source: OpeningError,
}

/// There is no opening of the number asked for.
#[derive(Debug, thiserror::Error)]
#[error(
    "{game} has only {count} different openings that are not decided; ask for fewer games, or give \
     some with --openings"
)]
pub struct NoMoreOpenings {
    game: Game,
    count: usize,
}

struct Made {
    game: Game,
    openings: Vec<Opening>,
    more: Option<Openings>,
}

impl OpeningSource {
    /// The openings that come of a seed.
    pub fn new(game: Game, seed: u64) -> OpeningSource {
        let more = Some(Openings::new(game, seed));
        OpeningSource(Mutex::new(Made { game, openings: Vec::new(), more }))
    }

    /// The openings of a text, one a line with comments after `#`.
    pub fn parse(game: Game, text: &str) -> Result<OpeningSource, OpeningsError> {
        let lines = (1..).zip(text.lines()).filter_map(|(number, line)| {
            let line = line.split('#').next().unwrap_or_default().trim();
            (!line.is_empty()).then_some((number, line))
        });
        let mut openings = Vec::new();
        for (line, text) in lines {
            let opening = Opening::parse(game, text);
            openings.push(opening.map_err(|source| OpeningsError { line, source })?);
        }
        Ok(OpeningSource(Mutex::new(Made { game, openings, more: None })))
    }

    /// How many openings there are now; those of a seed are made when they are asked for.
    pub fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).openings.len()
    }

    /// The opening of a number, counted from zero.
    pub fn get(&self, number: u64) -> Result<Opening, NoMoreOpenings> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while made.openings.len() as u64 <= number {
            let Some(opening) = made.more.as_mut().and_then(Iterator::next) else {
                return Err(NoMoreOpenings { game: made.game, count: made.openings.len() });
            };
            made.openings.push(opening);
        }
        Ok(made.openings[number as usize].clone())
    }
}
