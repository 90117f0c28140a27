//! Palisade on boards that are small enough to be solved in a moment.

use stoa_rules::palisade::{Move, Position, Size};
use stoa_rules::{Notation, Position as _};
use stoa_solve::palisade::{Board, Solver};

use super::{ExactMove, ExactReport};
use crate::games::{ExactError, Exactly};
use crate::openings::first_moves;
use crate::words::grouped;

/// Boards up to this size take about a second.
const MAX_SIZE: u8 = 5;

/// The memory of the solver, in MiB.
const MEMORY: usize = 64;

/// How many positions are looked at between two looks at the stop.
const NODES: u64 = 1_000_000;

/// The results of proof search; none for a board that would take long.
pub(crate) fn report(size: Size, how: &Exactly<'_>) -> Result<Option<ExactReport>, ExactError> {
    let Some(board) = Board::new(size.get()).filter(|_| size.get() <= MAX_SIZE) else {
        return Ok(None);
    };
    let mut solver = Solver::new(board, MEMORY << 20);
    while !solver.is_solved() {
        solver.work(NODES, how.stop);
        if how.stop.is_stopped() {
            return Err(ExactError::Stopped);
        }
    }
    let start = Position::start(size);
    let value = |mv: Move| solver.openings().iter().find(|opening| opening.point == mv.0);
    let mut moves: Vec<ExactMove> = first_moves(&start)
        .iter()
        .map(|first| ExactMove {
            mv: start.move_text(first.mv),
            alike: first.all.len(),
            winner: value(first.mv).and_then(|opening| opening.winner()),
            plies: None,
        })
        .collect();
    moves.sort_by_key(|first| first.winner);
    Ok(Some(ExactReport {
        known_by: format!(
            "a proof that looked at {} positions (`stoa solve`)",
            grouped(solver.nodes())
        ),
        winner: solver.winner(),
        plies: None,
        first_moves: moves,
        layers: Vec::new(),
        lengths: Vec::new(),
        turns: Vec::new(),
        record: None,
    }))
}
