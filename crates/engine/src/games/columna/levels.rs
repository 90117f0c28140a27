//! The strength of the levels 1 to 10: nodes searched, and moves overlooked in a thousand.
//! `stoa ladder columna --calibrate` prints these rows.

use crate::{LevelTable, Skill};

/// The levels under the rule set `spaces`. All judge with the network: with the terms, a search that overlooks
/// moves walks into paths at once.
pub(super) const SPACES: LevelTable = Skill::table([
    (60, 650),
    (100, 400),
    (110, 20),
    (180, 0),
    (500, 0),
    (1_500, 0),
    (4_500, 0),
    (13_000, 0),
    (35_000, 0),
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
