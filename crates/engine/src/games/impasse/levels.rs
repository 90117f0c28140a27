//! The strength of the levels 1 to 10: nodes searched, and moves overlooked in a thousand.
//! `stoa ladder impasse --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels.
pub(super) const LEVELS: LevelTable = Skill::table([
    (190, 248),
    (300, 205),
    (626, 149),
    (1_350, 100),
    (2_900, 62),
    (5_900, 35),
    (11_000, 16),
    (28_000, 1),
    (110_000, 0),
    (0, 0),
]);
