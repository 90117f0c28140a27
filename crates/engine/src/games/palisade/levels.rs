//! The strength of the levels 1 to 10. `stoa ladder palisade:9 --calibrate` and `stoa ladder palisade:13 --calibrate`
//! print rows like these.

use crate::{LevelTable, Skill};

/// The levels of boards up to 11 × 11, calibrated on 9 × 9: positions that the network judges, and moves overlooked
/// in a thousand. Most judge a single position, so they play what the network thinks of first, of the moves they see.
pub(super) const SMALL: LevelTable = Skill::table([
    (1, 960),
    (1, 912),
    (1, 837),
    (1, 701),
    (1, 480),
    (1, 173),
    (5, 0),
    (29, 0),
    (145, 0),
    (0, 0),
]);

/// The levels of larger boards, calibrated on 13 × 13.
pub(super) const LARGE: LevelTable = Skill::table([
    (1, 985),
    (1, 961),
    (1, 920),
    (1, 843),
    (1, 624),
    (1, 282),
    (5, 0),
    (14, 0),
    (75, 0),
    (0, 0),
]);

/// The levels while the network cannot be had, calibrated on 9 × 9: playouts, and moves overlooked in a thousand.
pub(super) const BY_PLAYOUTS: LevelTable = Skill::table([
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
