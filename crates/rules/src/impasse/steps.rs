//! Clicks: from and to, or the checker to remove; then the single to crown with and the single to
//! crown, as far as there is a choice.

use super::{Move, Position};
use crate::{Position as _, Step, Steps};

impl Steps for Position {
    fn steps(&self, mv: Move, steps: &mut Vec<Step>) {
        use super::Action;
        let click = |square: super::Square| Step::cell(square.index().into());
        match mv.action {
            Action::Slide { from, to } => steps.extend([click(from), click(to)]),
            Action::Transpose { from, onto } => steps.extend([click(from), click(onto)]),
            Action::Remove(from) => steps.push(click(from)),
        }
        let Some(crown) = mv.crown else { return };
        let crowns: Vec<_> = self
            .legal_moves()
            .into_iter()
            .filter(|other| other.action == mv.action)
            .filter_map(|other| other.crown)
            .collect();
        if crowns.len() > 1 {
            steps.push(click(crown.lifted));
        }
        if crowns.iter().filter(|other| other.lifted == crown.lifted).count() > 1 {
            steps.push(click(crown.onto));
        }
    }
}
