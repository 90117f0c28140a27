//! Clicks: the point.

use super::{Move, Position};
use crate::{Step, Steps};

impl Steps for Position {
    fn steps(&self, Move(point): Move, steps: &mut Vec<Step>) {
        steps.push(Step::cell(self.size.cell(point)));
    }
}
