//! Clicks: the point.

use super::{Move, Position};
use crate::{Role, Step, Steps};

impl Steps for Position {
    fn roles(&self, _: Move) -> &'static [Role] {
        &[Role::Place]
    }

    fn steps(&self, Move(point): Move, steps: &mut Vec<Step>) {
        steps.push(Step::cell(self.size.cell(point)));
    }
}
