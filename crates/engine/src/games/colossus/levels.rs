//! The strength of the levels 1 to 10: nodes searched, and moves overlooked in a thousand.
//! `stoa ladder colossus --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels.
pub(super) const LEVELS: LevelTable = Skill::table([
    (420, 180),
    (1_500, 92),
    (3_600, 52),
    (8_400, 24),
    (18_000, 8),
    (4_700, 0),
    (9_500, 0),
    (21_000, 0),
    (54_000, 0),
    (0, 0),
]);
