//! How hard a puzzle is: how long the way is, how many moves there are to choose from, how far one
//! must look ahead, and how many turns are to be found.

use stoa_engine::{Engine, Limits, Settings, Stop, Strategy};
use stoa_rules::AnyPosition;

use super::{MAX_GRADE, Turn};

/// A solution that takes at least this many turns to the end counts one more, both players' counted.
const LENGTHS: [u32; 5] = [2, 4, 6, 10, 16];

/// The length that counts where none is proven.
const USUAL_LENGTH: u32 = 5;

/// At least this many legal moves count one more.
const CHOICES: [usize; 3] = [6, 12, 24];

/// Searches of this many positions are asked for the first move, from a glance to a long look; each
/// that misses it counts one. All games are asked alike: a level means something else in each.
const LOOKS: [u64; 6] = [20, 60, 200, 600, 2_000, 6_000];

/// From these counts on a puzzle has the grades 2 to 5.
const THRESHOLDS: [usize; MAX_GRADE as usize - 1] = [3, 5, 7, 9];

/// The grade of a puzzle. What ends the game at once has the lowest.
pub(super) fn grade(position: &AnyPosition, turns: &[Turn], plies: Option<u32>, stop: &Stop) -> u8 {
    let Some(first) = turns.first() else { return 1 };
    let mut after = position.clone();
    if first.accepted.iter().any(|mv| after.play(mv).is_ok()) && after.outcome().is_some() {
        return 1;
    }
    let plies = plies.unwrap_or(USUAL_LENGTH);
    let length = LENGTHS.iter().filter(|&&least| plies >= least).count();
    let choice = CHOICES.iter().filter(|&&least| position.count_moves() >= least).count();
    let missed = LOOKS.iter().filter(|&&nodes| !finds(position, first, nodes, stop)).count();
    let count = length + choice + missed + turns.len() - 1;
    1 + THRESHOLDS.iter().filter(|&&least| count >= least).count() as u8
}

/// Whether a look of this many positions finds the right move.
fn finds(position: &AnyPosition, turn: &Turn, nodes: u64, stop: &Stop) -> bool {
    let settings =
        Settings { strategy: Some(Strategy::AlphaBeta), table: 1, ..Settings::default() };
    let Ok(mut engine) = Engine::new(position.game(), settings) else { return false };
    let thought = engine.think(position, &Limits::nodes(nodes), stop, &mut |_| {});
    thought.best().is_some_and(|mv| turn.accepted.iter().any(|right| right == mv))
}
