//! The strength of the levels 1 to 10: nodes searched, and moves overlooked in a thousand.
//! `stoa ladder colonnade --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels.
pub(super) const LEVELS: LevelTable = Skill::table([
    (9, 703),
    (18, 571),
    (38, 446),
    (78, 349),
    (160, 270),
    (310, 198),
    (600, 150),
    (1_700, 86),
    (5_500, 36),
    (0, 0),
]);
