//! The strength of the levels 1 to 10: nodes searched, and moves overlooked in a thousand.
//! `stoa ladder colossus --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels.
pub(super) const LEVELS: LevelTable = Skill::table([
    (780, 132),
    (1_500, 92),
    (2_500, 67),
    (4_300, 45),
    (7_400, 28),
    (13_000, 14),
    (21_000, 6),
    (38_000, 0),
    (100_000, 0),
    (0, 0),
]);
