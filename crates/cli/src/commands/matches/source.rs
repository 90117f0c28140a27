//! Where the openings of a match come from: a file, or a seed.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use stoa_engine::matches::{Opening, Openings};
use stoa_rules::Game;

use crate::files;

/// Openings by number, made when they are asked for: a match may end before it needs them all.
pub(super) struct Source(Mutex<Made>);

struct Made {
    game: Game,
    openings: Vec<Opening>,
    more: Option<Openings>,
}

impl Source {
    /// The openings that come of a seed.
    pub(super) fn new(game: Game, seed: u64) -> Source {
        let more = Some(Openings::new(game, seed));
        Source(Mutex::new(Made { game, openings: Vec::new(), more }))
    }

    /// The openings of a file, of which there must be enough for so many pairs.
    pub(super) fn read(path: &Path, game: Game, pairs: u64) -> Result<Source> {
        let name = path.display();
        let text = files::read_text(path).with_context(|| format!("cannot read {name}"))?;
        let lines = (1..).zip(text.lines()).filter_map(|(number, line)| {
            let line = line.split('#').next().unwrap_or_default().trim();
            (!line.is_empty()).then_some((number, line))
        });
        let mut openings = Vec::new();
        for (number, line) in lines {
            let opening = Opening::parse(game, line);
            openings.push(opening.with_context(|| format!("{name} line {number}"))?);
        }
        let count = openings.len();
        if (count as u64) < pairs {
            bail!(
                "{name} has {count} openings, enough for {} games; ask for no more, or leave \
                 --openings out",
                2 * count
            );
        }
        Ok(Source(Mutex::new(Made { game, openings, more: None })))
    }

    /// The opening of a number, counted from zero.
    pub(super) fn get(&self, number: u64) -> Result<Opening> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while made.openings.len() as u64 <= number {
            let Some(opening) = made.more.as_mut().and_then(Iterator::next) else {
                bail!(
                    "{} has only {} different openings that are not decided; ask for fewer games, \
                     or give some with --openings",
                    made.game,
                    made.openings.len()
                );
            };
            made.openings.push(opening);
        }
        Ok(made.openings[number as usize].clone())
    }
}
