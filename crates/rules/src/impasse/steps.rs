//! Clicks: from and to, or the checker to remove; then the single to crown with and the single to
//! crown, as far as there is a choice.

use super::{Action, Move, Position};
use crate::{Position as _, Role, Step, Steps};

impl Steps for Position {
    fn roles(&self, mv: Move) -> &'static [Role] {
        match mv.action {
            Action::Remove(_) => &[Role::Remove, Role::CrownWith, Role::Crowned],
            _ => &[Role::Piece, Role::Target, Role::CrownWith, Role::Crowned],
        }
    }

    fn steps(&self, mv: Move, steps: &mut Vec<Step>) {
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
