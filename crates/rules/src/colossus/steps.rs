//! Clicks: the space to place on; from and to; or the tower to claim, the tower at the other end
//! where there is a choice of lines, and the space of the new tower if there is one.

use super::{Cell, Move, Position};
use crate::{Role, Step, Steps};

impl Steps for Position {
    fn roles(&self, mv: Move) -> &'static [Role] {
        match mv {
            Move::Place(_) => &[Role::Place],
            Move::Step { .. } => &[Role::Piece, Role::Target],
            Move::Claim { tower, .. } if self.lines_to(tower).count() > 1 => {
                &[Role::Tower, Role::LineEnd, Role::NewTower]
            }
            Move::Claim { .. } => &[Role::Tower, Role::NewTower],
        }
    }

    fn steps(&self, mv: Move, steps: &mut Vec<Step>) {
        let click = |cell: Cell| Step::cell(cell.index().into());
        match mv {
            Move::Place(cell) => steps.push(click(cell)),
            Move::Step { from, to } => steps.extend([click(from), click(to)]),
            Move::Claim { tower, from, new_tower } => {
                steps.push(click(tower));
                if self.lines_to(tower).count() > 1 {
                    steps.push(click(from));
                }
                steps.extend(new_tower.map(click));
            }
        }
    }
}
