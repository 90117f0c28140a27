//! Clicks: the pawn's new point, then the space of the drop, or the stack and where it goes. A pass
//! is a click on one's own pawn.

use super::{Cell, Move, Position};
use crate::{Role, Step, Steps};

impl Steps for Position {
    fn roles(&self, mv: Move) -> &'static [Role] {
        match mv {
            Move::Pass => &[Role::Pass],
            Move::Drop { .. } => &[Role::Pawn, Role::Drop],
            Move::MoveStack { .. } => &[Role::Pawn, Role::Stack, Role::Target],
        }
    }

    fn steps(&self, mv: Move, steps: &mut Vec<Step>) {
        let click = |cell: Cell| Step::cell(cell.index().into());
        match mv {
            Move::Pass => steps.push(click(self.pawn(self.side).cell())),
            Move::Drop { pawn, on } => steps.extend([pawn.cell(), on.cell()].map(click)),
            Move::MoveStack { pawn, from, to } => {
                steps.extend([pawn.cell(), from.cell(), to.cell()].map(click));
            }
        }
    }
}
