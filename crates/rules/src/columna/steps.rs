//! Clicks: the pawn's new point, then the space of the drop, or the stack and where it goes. A pass
//! is a click on one's own pawn.

use super::{Cell, Move, Position};
use crate::{Step, Steps};

impl Steps for Position {
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
