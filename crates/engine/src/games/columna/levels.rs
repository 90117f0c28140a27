//! The strength of the levels 1 to 10: nodes searched, and moves overlooked in a thousand.
//! `stoa ladder columna --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels under the rule set `spaces`.
pub(super) const SPACES: LevelTable = Skill::table([
    (30, 490),
    (360, 195),
    (1_080, 115),
    (4_400, 44),
    (12_000, 14),
    (72, 0),
    (210, 0),
    (1_300, 0),
    (10_000, 0),
    (0, 0),
]);

/// The levels under the rule set `points`.
pub(super) const POINTS: LevelTable = Skill::table([
    (300, 200),
    (700, 120),
    (2_200, 50),
    (3_700, 35),
    (6_500, 22),
    (12_000, 12),
    (24_000, 5),
    (48_000, 1),
    (110_000, 0),
    (0, 0),
]);
