//! How the tablebase is made and written.

use std::path::Path;

use stoa_engine::Stop;
use stoa_rules::colonnade::Position;

use super::half::{Class, MAX_CHECKERS};
use super::index::Index;
use super::layer::Layer;
use super::sweep::Sweep;
use super::tablebase::GAME;
use crate::file::{TablebaseError, Writer};
use crate::packed::{Packed, pack};

/// What a tablebase tells of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Content {
    /// Who wins: a bit for each position.
    Results,
    /// Who wins, and after how many plies.
    Lengths,
}

impl Content {
    /// How a file names it.
    pub(super) const fn kind(self) -> &'static str {
        match self {
            Content::Results => "results",
            Content::Lengths => "lengths",
        }
    }
}

/// What is known of all positions with some number of checkers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics {
    /// How many checkers they have.
    pub checkers: usize,
    /// How many positions there are for each number of plies to the end, mirror images and all.
    pub plies: Vec<u64>,
    /// One of those with the most plies, the player to move being Red.
    pub longest: Option<Position>,
}

impl Statistics {
    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.plies.iter().sum()
    }

    /// How many of them the player to move wins.
    pub fn wins(&self) -> u64 {
        self.plies.iter().skip(1).step_by(2).sum()
    }
}

/// How far the work is.
#[derive(Debug, Clone)]
pub struct Progress {
    /// How many positions have been solved, mirror images and all.
    pub done: u64,
    /// How many there are.
    pub of: u64,
    /// What was found, layer by layer.
    pub layer: Statistics,
    /// Whether the layer was there already, from work that was interrupted.
    pub kept: bool,
}

/// Solves the game and writes the tablebase. Layers that an interrupted build left behind are kept.
/// Tells after each layer how far it is. False if it was stopped before the end.
pub fn solve(
    path: &Path,
    content: Content,
    threads: usize,
    stop: &Stop,
    report: &mut dyn FnMut(&Progress),
) -> Result<bool, TablebaseError> {
    solve_up_to(MAX_CHECKERS, path, content, threads, stop, report)
}

/// Solves the positions with at most this many checkers.
pub(super) fn solve_up_to(
    most: usize,
    path: &Path,
    content: Content,
    threads: usize,
    stop: &Stop,
    report: &mut dyn FnMut(&Progress),
) -> Result<bool, TablebaseError> {
    let index = Index::new();
    let sweep = Sweep::new(most, threads);
    let mut writer = Writer::resume_or_create(path, GAME, content.kind())?;
    let (mut done, of) = (0, arrangements(most));
    let mut below = None;
    for checkers in 0..=most {
        let kept = match content {
            Content::Lengths => read_back(&mut writer, checkers, threads)?,
            // Results alone are not enough to go on from.
            Content::Results => None,
        };
        let was_kept = kept.is_some();
        let layer = match kept {
            Some(layer) => layer,
            None => match sweep.layer(below.as_ref(), stop) {
                Some(layer) => layer,
                None => return Ok(false),
            },
        };
        // Two layers at a time are enough.
        drop(below);
        let plies = layer.plies(threads);
        match content {
            Content::Lengths if was_kept => {}
            Content::Lengths => writer.section(checkers as u32, &pack(&plies, threads))?,
            Content::Results if writer.has_section(checkers as u32) => {}
            Content::Results => writer.section(checkers as u32, &bits(&plies))?,
        }
        let statistics = statistics(&layer, &plies, &index, threads);
        done += statistics.positions();
        report(&Progress { done, of, layer: statistics, kept: was_kept });
        below = Some(layer);
    }
    writer.finish(&[])?;
    Ok(true)
}

/// How many positions have at most this many checkers, the player to move being the same.
fn arrangements(most: usize) -> u64 {
    let halves = |checkers| Class::with(checkers).map(|class| class.size() as u64).sum::<u64>();
    (0..=most)
        .flat_map(|checkers| (0..=checkers).map(move |left| halves(left) * halves(checkers - left)))
        .sum()
}

/// The layer that an interrupted build left behind.
fn read_back(
    writer: &mut Writer,
    checkers: usize,
    threads: usize,
) -> Result<Option<Layer>, TablebaseError> {
    let Some(data) = writer.read_section(checkers as u32)? else { return Ok(None) };
    let Ok(packed) = Packed::open(&data[..]);
    let Ok(plies) = packed.all(&data[..]);
    Ok(Layer::from_plies(checkers, plies, threads))
}

fn statistics(layer: &Layer, plies: &[u8], index: &Index, threads: usize) -> Statistics {
    let counts = layer.counts(threads);
    let most = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    let place = plies.iter().position(|&plies| usize::from(plies) == most);
    let longest = place.and_then(|place| index.row(layer.checkers(), place));
    Statistics {
        checkers: layer.checkers(),
        plies: counts[..=most].to_vec(),
        longest: longest.and_then(|row| row.position()),
    }
}

/// A bit for each position: whether its number of plies is odd.
fn bits(plies: &[u8]) -> Vec<u8> {
    let byte = |plies: &[u8]| plies.iter().rev().fold(0, |byte, plies| byte << 1 | plies & 1);
    plies.chunks(8).map(byte).collect()
}
