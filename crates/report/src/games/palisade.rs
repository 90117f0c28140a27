//! Palisade: loops by size, captures, and ground that changes hands.

use stoa_rules::Position as _;
use stoa_rules::palisade::{Move, Position, Size};

use super::{ExactError, Exactly, Reported, Rule};
use crate::exact::ExactReport;

/// The most points that the loops of each rule gain, but for the last.
const LOOP_SIZES: [u32; 3] = [3, 8, 16];

const CAPTURE: usize = 4;
const RETAKEN: usize = 5;

impl Reported for Position {
    const RULES: &'static [Rule] = &[
        Rule { id: "loop-3", bites_when: "loops are closed that gain up to 3 points" },
        Rule { id: "loop-8", bites_when: "loops are closed that gain 4 to 8 points" },
        Rule { id: "loop-16", bites_when: "loops are closed that gain 9 to 16 points" },
        Rule { id: "loop-17", bites_when: "loops are closed that gain 17 points or more" },
        Rule { id: "capture", bites_when: "enemy stones are captured" },
        Rule { id: "retaken", bites_when: "points that the enemy owned change hands" },
    ];

    fn rules(&self, _: Move, after: &Position, bites: &mut dyn FnMut(usize)) {
        let (own, enemy) = (self.side_to_move(), self.side_to_move().other());
        let score = |position: &Position, side: stoa_rules::Side| position.score()[side.index()];
        let gained = score(after, own).saturating_sub(score(self, own));
        if gained > 0 {
            bites(LOOP_SIZES.iter().filter(|size| gained > **size).count());
        }
        if self.size().points().any(|p| self.at(p) == Some(enemy) && after.at(p) != Some(enemy)) {
            bites(CAPTURE);
        }
        if score(after, enemy) < score(self, enemy) {
            bites(RETAKEN);
        }
    }

    fn base_nodes(size: Size) -> u64 {
        match size.get() {
            0..=9 => 16,
            10..=11 => 12,
            12..=13 => 8,
            _ => 4,
        }
    }

    fn boards() -> Vec<(Size, u32)> {
        [(5, 3), (7, 6), (9, 14), (11, 9), (13, 9), (19, 9)]
            .into_iter()
            .filter_map(|(size, weight)| Some((Size::new(size)?, weight)))
            .collect()
    }

    fn board_name(size: Size) -> String {
        format!("{0}×{0}", size.get())
    }

    fn exact(size: Size, how: &Exactly<'_>) -> Result<Option<ExactReport>, ExactError> {
        crate::exact::palisade::report(size, how)
    }
}
