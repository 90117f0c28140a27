//! The strength of the levels 1 to 10: nodes searched, and moves overlooked in a thousand.
//! `stoa ladder colossus --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels.
pub(super) const LEVELS: LevelTable = Skill::table([
    (480, 170),
    (1_150, 110),
    (2_900, 62),
    (6_600, 32),
    (12_500, 15),
    (2_400, 0),
    (5_200, 0),
    (12_000, 0),
    (32_000, 0),
    (0, 0),
]);
