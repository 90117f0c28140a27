//! Colossus: claims, new towers, sieges, desperate forces, stones that change colour.

use stoa_rules::Position as _;
use stoa_rules::colossus::{Move, Position};

use super::{Reported, Rule};

impl Reported for Position {
    const RULES: &'static [Rule] = &[
        Rule { id: "move", bites_when: "a stone is moved instead of placed" },
        Rule { id: "turn", bites_when: "enemy stones change colour" },
        Rule { id: "claim", bites_when: "an empty tower is claimed by a line" },
        Rule { id: "new-tower", bites_when: "a tower from the supply is put on the board" },
        Rule { id: "siege", bites_when: "enemy towers are taken by siege" },
        Rule { id: "desperate-force", bites_when: "a player without towers moves onto one" },
    ];

    fn rules(&self, mv: Move, after: &Position, bites: &mut dyn FnMut(usize)) {
        let enemy = self.side_to_move().other();
        let on_spaces = |position: &Position| position.stones(enemy) & !position.towers();
        let towers =
            |position: &Position| (position.stones(enemy) & position.towers()).count_ones();
        let bit = |cell: stoa_rules::colossus::Cell| 1u64 << cell.index();
        let happened = [
            matches!(mv, Move::Step { .. }),
            on_spaces(after).count_ones() < on_spaces(self).count_ones(),
            matches!(mv, Move::Claim { .. }),
            matches!(mv, Move::Claim { new_tower: Some(_), .. }),
            towers(after) < towers(self),
            matches!(mv, Move::Step { to, .. } if self.towers() & bit(to) != 0),
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
