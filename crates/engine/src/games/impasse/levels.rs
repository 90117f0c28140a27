//! The strength of the levels 1 to 10: nodes searched, and moves overlooked in a thousand.
//! `stoa ladder impasse --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels.
pub(super) const LEVELS: LevelTable = Skill::table([
    (115, 330),
    (330, 205),
    (1_000, 122),
    (3_300, 55),
    (1_100, 0),
    (2_900, 0),
    (7_500, 0),
    (19_000, 0),
    (50_000, 0),
    (0, 0),
]);
