//! Columna: stacks taken over, stacks of four, stack moves, passes.

use stoa_rules::Position as _;
use stoa_rules::columna::{Move, Position, RuleSet};

use super::{Reported, Rule};

impl Reported for Position {
    const RULES: &'static [Rule] = &[
        Rule { id: "takeover", bites_when: "a piece is dropped on an enemy stack" },
        Rule { id: "four", bites_when: "a stack reaches its full height of four" },
        Rule { id: "stack-move", bites_when: "a stack moves" },
        Rule { id: "pass", bites_when: "the player has no valid turn and passes" },
    ];

    fn rules(&self, mv: Move, after: &Position, bites: &mut dyn FnMut(usize)) {
        let (own, enemy) = (self.side_to_move(), self.side_to_move().other());
        let happened = [
            after.owned(enemy).count_ones() < self.owned(enemy).count_ones(),
            after.fours()[own.index()] > self.fours()[own.index()],
            matches!(mv, Move::MoveStack { .. }),
            mv == Move::Pass,
        ];
        (0..).zip(happened).filter(|(_, happened)| *happened).for_each(|(rule, _)| bites(rule));
    }

    fn base_nodes(_: RuleSet) -> u64 {
        500
    }

    fn boards() -> Vec<(RuleSet, u32)> {
        use stoa_rules::GameOptions;
        RuleSet::all().into_iter().map(|rule_set| (rule_set, 11)).collect()
    }

    fn board_name(rule_set: RuleSet) -> String {
        use stoa_rules::GameOptions;
        rule_set.word().unwrap_or_default()
    }
}
