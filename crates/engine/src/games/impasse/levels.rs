//! The strength of the levels 1 to 10: nodes searched, and moves overlooked in a thousand.
//! `stoa ladder impasse --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels.
pub(super) const LEVELS: LevelTable = Skill::table([
    (120, 310),
    (400, 185),
    (1_600, 90),
    (5_200, 39),
    (16_000, 8),
    (2_900, 0),
    (7_200, 0),
    (19_000, 0),
    (50_000, 0),
    (0, 0),
]);
