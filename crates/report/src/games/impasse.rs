//! Impasse: crowns, bear offs, transposes and impasses.

use stoa_rules::impasse::{Action, Move, Position};

use super::{Reported, Rule};

impl Reported for Position {
    const RULES: &'static [Rule] = &[
        Rule { id: "bear-off", bites_when: "a checker is borne off" },
        Rule { id: "crown", bites_when: "a single is crowned" },
        Rule { id: "transpose", bites_when: "a double and a single change places" },
        Rule { id: "impasse", bites_when: "the player has no basic move and removes a checker" },
    ];

    fn rules(&self, mv: Move, _: &Position, bites: &mut dyn FnMut(usize)) {
        let happened = [
            mv.bears_off,
            mv.crown.is_some(),
            matches!(mv.action, Action::Transpose { .. }),
            matches!(mv.action, Action::Remove(_)),
        ];
        (0..).zip(happened).filter(|(_, happened)| *happened).for_each(|(rule, _)| bites(rule));
    }

    fn base_nodes((): ()) -> u64 {
        500
    }

    fn boards() -> Vec<((), u32)> {
        vec![((), 12)]
    }
}
