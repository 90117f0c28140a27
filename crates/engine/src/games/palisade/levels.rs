//! The strength of the levels 1 to 10: playouts, and moves overlooked in a thousand.
//! `stoa ladder palisade --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels of every board, calibrated on 9 × 9.
pub(super) const LEVELS: LevelTable = Skill::table([
    (11, 347),
    (18, 277),
    (29, 205),
    (45, 154),
    (70, 105),
    (125, 60),
    (260, 25),
    (540, 6),
    (1_000, 0),
    (0, 0),
]);
