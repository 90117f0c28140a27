//! How hard a puzzle is: who finds the first move, and how many more must be found.

use stoa_engine::{Engine, Level, Limits, Settings, Stop};
use stoa_rules::AnyPosition;

use super::{HARDEST, Turn};

/// The levels that are asked, each so many times with other slips.
const LEVELS: std::ops::RangeInclusive<u8> = 1..=6;
const TRIES: u64 = 2;

/// Twelve tries of low levels, those that go wrong counted, and two more for every further turn:
/// from these counts on a puzzle has the grades 2 to 5.
const THRESHOLDS: [usize; HARDEST as usize - 1] = [3, 6, 9, 12];

/// The grade of a puzzle. A win at once has the lowest.
pub(super) fn grade(position: &AnyPosition, turns: &[Turn], seed: u64, stop: &Stop) -> u8 {
    let Some(first) = turns.first() else { return 1 };
    let mut after = position.clone();
    let ends = first.accepted.first().is_some_and(|mv| after.play(mv).is_ok())
        && after.outcome().is_some();
    if ends {
        return 1;
    }
    let missed = LEVELS
        .flat_map(|level| (0..TRIES).map(move |attempt| (level, attempt)))
        .filter(|&(level, attempt)| !finds(position, first, level, seed ^ attempt, stop))
        .count();
    let count = missed + 2 * (turns.len() - 1);
    1 + THRESHOLDS.iter().filter(|&&least| count >= least).count() as u8
}

/// Whether a level plays the right move.
fn finds(position: &AnyPosition, turn: &Turn, level: u8, seed: u64, stop: &Stop) -> bool {
    let settings = Settings { level: Level::new(level), seed, table: 1, ..Settings::default() };
    let Ok(mut engine) = Engine::new(position.game(), settings) else { return false };
    let thought = engine.think(position, &Limits::default(), stop, &mut |_| {});
    thought.best().is_some_and(|mv| turn.accepted.iter().any(|right| right == mv))
}
