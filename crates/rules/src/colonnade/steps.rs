//! Clicks: the lowest checker to pick up, then the square to put it on.

use super::{Move, Position};
use crate::{Role, Step, Steps};

impl Steps for Position {
    fn roles(&self, _: Move) -> &'static [Role] {
        &[Role::Piece, Role::Target]
    }

    fn steps(&self, mv: Move, steps: &mut Vec<Step>) {
        let level = self.stack(mv.from).height() + 1 - mv.carried;
        steps.push(Step { cell: mv.from.index() as u16, level });
        if let Some(to) = mv.from.neighbour(mv.direction) {
            steps.push(Step::cell(to.index() as u16));
        }
    }
}
