//! What self-play and tuning have in common: many games at a time, each move found by a short search.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::alphabeta::{MoveOrderings, Search, SearchOptions};
use crate::level::Oversight;
use crate::limits::{Stop, Timer};
use crate::transposition::TranspositionTable;
use crate::{Evaluator, Knowledge, Limits, Score};

/// The transposition table of each thread, in bytes: searches are short.
const TABLE_BYTES: usize = 2 << 20;

/// Plays the games of some numbers, several at a time, until all are played or it is stopped. Each
/// begins with an empty table: what another game has left there depends on which thread played it.
pub(crate) fn play_on_threads(
    threads: usize,
    numbers: Range<u64>,
    stop: &Stop,
    play: impl Fn(u64, &TranspositionTable) + Sync,
) {
    let next = AtomicU64::new(numbers.start);
    let work = || {
        let table = TranspositionTable::new(TABLE_BYTES);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end || stop.is_stopped() {
                return;
            }
            table.clear();
            play(number, &table);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}

/// The best move of a position that is not over, and its score; nothing if the search was stopped
/// before it found one.
pub(crate) fn best_move<P: Knowledge, E: Evaluator<P>>(
    position: &P,
    evaluator: &E,
    nodes: u64,
    table: &TranspositionTable,
    orderings: &mut MoveOrderings<P>,
    stop: &Stop,
) -> Option<(Score, P::Move)> {
    let search = Search {
        position,
        evaluator,
        table,
        // A game whose result is proven ends there, so nobody falls into a trap.
        options: SearchOptions { traps: false, ..SearchOptions::default() },
        oversight: Oversight::default(),
        limits: &Limits::nodes(nodes),
        lines: 1,
        threads: 1,
        oracle: None,
        crew: None,
        stop,
        timer: Timer::start(),
    };
    let best = search.run(orderings, &mut |_| {}).found.into_iter().next()?;
    Some((best.score, *best.line.first()?))
}
