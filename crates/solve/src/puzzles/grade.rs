//! How hard a puzzle is: how far one must look ahead to find the first move, and how many more must
//! be found.

use stoa_engine::{Engine, Limits, Settings, Stop, Strategy};
use stoa_rules::AnyPosition;

use super::{HARDEST, Turn};

/// Searches of so many positions are asked for the first move, from a glance to a long look. All
/// games are asked alike: a level of strength means something else in each.
const LOOKS: [u64; 6] = [20, 60, 200, 600, 2_000, 6_000];

/// Every look that misses the move counts two, and so does every further turn: from these counts on
/// a puzzle has the grades 2 to 5.
const THRESHOLDS: [usize; HARDEST as usize - 1] = [3, 6, 9, 12];

/// The grade of a puzzle. A win at once has the lowest.
pub(super) fn grade(position: &AnyPosition, turns: &[Turn], stop: &Stop) -> u8 {
    let Some(first) = turns.first() else { return 1 };
    let mut after = position.clone();
    let ends = first.accepted.first().is_some_and(|mv| after.play(mv).is_ok())
        && after.outcome().is_some();
    if ends {
        return 1;
    }
    let missed = LOOKS.iter().filter(|&&nodes| !finds(position, first, nodes, stop)).count();
    let count = 2 * missed + 2 * (turns.len() - 1);
    1 + THRESHOLDS.iter().filter(|&&least| count >= least).count() as u8
}

/// Whether a look of so many positions finds the right move.
fn finds(position: &AnyPosition, turn: &Turn, nodes: u64, stop: &Stop) -> bool {
    let settings =
        Settings { strategy: Some(Strategy::AlphaBeta), table: 1, ..Settings::default() };
    let Ok(mut engine) = Engine::new(position.game(), settings) else { return false };
    let thought = engine.think(position, &Limits::nodes(nodes), stop, &mut |_| {});
    thought.best().is_some_and(|mv| turn.accepted.iter().any(|right| right == mv))
}
