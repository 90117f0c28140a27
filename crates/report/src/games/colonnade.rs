//! Colonnade: everything is known, so nothing is played.

use stoa_rules::colonnade::{Move, Position};

use super::{ExactError, Exactly, Reported, Rule};
use crate::exact::ExactReport;

impl Reported for Position {
    const RULES: &'static [Rule] =
        &[Rule { id: "capture", bites_when: "a checker is removed from the board" }];

    fn rules(&self, _: Move, after: &Position, bites: &mut dyn FnMut(usize)) {
        use stoa_rules::Show;
        let checkers = |position: &Position| position.view().counts.iter().sum::<u32>();
        if checkers(after) < checkers(self) {
            bites(0);
        }
    }

    fn base_nodes((): ()) -> u64 {
        250
    }

    fn boards() -> Vec<((), u32)> {
        vec![((), 0)]
    }

    fn is_played((): ()) -> bool {
        false
    }

    fn exact((): (), how: &Exactly<'_>) -> Result<Option<ExactReport>, ExactError> {
        crate::exact::colonnade::report(how).map(Some)
    }
}
