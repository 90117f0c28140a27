//! The strength of the levels 1 to 10: nodes searched, and moves overlooked in a thousand.
//! `stoa ladder colossus --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels.
pub(super) const LEVELS: LevelTable = Skill::table([
    (300, 240),
    (680, 170),
    (1_600, 95),
    (3_800, 50),
    (8_500, 24),
    (1_900, 0),
    (4_800, 0),
    (12_500, 0),
    (36_000, 0),
    (0, 0),
]);
