//! Colonnade, from the table of all positions.

use std::collections::HashSet;

use stoa_rules::colonnade::Position;
use stoa_rules::{AnyPosition, Notation, Position as _, Record, Session, Side};
use stoa_solve::colonnade::{Content, Statistics, Tablebase, solve};
use stoa_solve::{Exact, Verdict};

use super::{ExactMove, ExactReport, ExactTurn, Layer};
use crate::games::{ExactError, Exactly};
use crate::openings::first_moves;
use crate::words::grouped;

/// Positions are followed turn by turn from the start as long as there are no more than this.
const MAX_POSITIONS: usize = 400_000;

/// The results from the table.
pub(crate) fn report(how: &Exactly<'_>) -> Result<ExactReport, ExactError> {
    let path = how.folder.join("colonnade.table");
    let mut layers: Vec<Statistics> = Vec::new();
    let each =
        &mut |progress: &stoa_solve::colonnade::Progress| layers.push(progress.layer.clone());
    if !solve(&path, Content::Lengths, how.threads, how.stop, each)? {
        return Err(ExactError::Stopped);
    }
    let table = Tablebase::open(&path)?;
    let start = Position::start(());
    let value = table.value(&start)?;
    let longest = layers.iter().map(|layer| layer.plies.len()).max().unwrap_or(0);
    let positions: u64 = layers.iter().map(Statistics::positions).sum();
    Ok(ExactReport {
        known_by: format!(
            "the table of all {} positions, which `stoa solve` makes",
            grouped(positions)
        ),
        winner: value.and_then(|value| winner(value, Side::First)),
        plies: value.and_then(|value| value.plies),
        first_moves: exact_first_moves(&table, &start)?,
        lengths: (0..longest)
            .map(|plies| layers.iter().filter_map(|layer| layer.plies.get(plies)).sum())
            .collect(),
        layers: layers.iter().map(layer).collect(),
        turns: turns(&table, start)?,
        record: Some(best_play(&table, start)?),
    })
}

fn layer(statistics: &Statistics) -> Layer {
    Layer {
        pieces: statistics.checkers,
        positions: statistics.positions(),
        won: statistics.wins(),
        longest: statistics.plies.len() - 1,
    }
}

/// Who wins a position with a value for the player to move.
fn winner(value: Exact, mover: Side) -> Option<Side> {
    match value.verdict {
        Verdict::Win => Some(mover),
        Verdict::Draw => None,
        Verdict::Loss => Some(mover.other()),
    }
}

fn exact_first_moves(table: &Tablebase, start: &Position) -> Result<Vec<ExactMove>, ExactError> {
    let values = table.moves(start)?;
    let mut found: Vec<ExactMove> = first_moves(start)
        .iter()
        .filter_map(|first| {
            let (_, value) = values.iter().find(|(mv, _)| *mv == first.mv)?;
            Some(ExactMove {
                mv: start.move_text(first.mv),
                alike: first.all.len(),
                winner: winner(*value, start.side_to_move()),
                plies: value.plies,
            })
        })
        .collect();
    // The longest resistance first: every move loses.
    found.sort_by_key(|first| std::cmp::Reverse(first.plies));
    Ok(found)
}

/// All positions that can be reached, turn by turn.
fn turns(table: &Tablebase, start: Position) -> Result<Vec<ExactTurn>, ExactError> {
    let mut reached = HashSet::from([start]);
    let mut turns = Vec::new();
    while !reached.is_empty() && reached.len() <= MAX_POSITIONS {
        let mut next = HashSet::new();
        let (mut legal, mut won, mut winning, mut single) = (0, 0, 0, 0);
        for position in &reached {
            let moves = table.moves(position)?;
            let kept = moves.iter().filter(|(_, value)| value.verdict == Verdict::Win).count();
            legal += moves.len();
            won += usize::from(kept > 0);
            winning += kept;
            single += usize::from(kept == 1);
            for (mv, _) in moves {
                let mut after = *position;
                after.play_unchecked(mv);
                if after.outcome().is_none() {
                    next.insert(after);
                }
            }
        }
        let share = |part: usize, of: usize| (part as f64 / of.max(1) as f64 * 1e4).round() / 1e4;
        turns.push(ExactTurn {
            positions: reached.len() as u64,
            won: share(won, reached.len()),
            legal: share(legal, reached.len()),
            winning: share(winning, won),
            single: share(single, won),
        });
        reached = next;
    }
    Ok(turns)
}

/// A game in which the winner hastens and the loser delays.
fn best_play(table: &Tablebase, start: Position) -> Result<String, ExactError> {
    let mut position = start;
    let mut session = Session::new(AnyPosition::new(start));
    while position.outcome().is_none() {
        let moves = table.moves(&position)?;
        let Some((mv, _)) = moves.into_iter().max_by(|a, b| a.1.compare(&b.1)) else { break };
        if session.play(&position.move_text(mv)).is_err() {
            break;
        }
        position.play_unchecked(mv);
    }
    Ok(Record::from(&session).to_string())
}
