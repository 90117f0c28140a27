//! The board can be turned round if the colours and the turn are exchanged too.

use super::{Action, Crown, Move, Position};
use crate::Symmetry;

impl Symmetry for Position {
    fn symmetries(&self) -> usize {
        2
    }

    fn transform(&self, symmetry: usize) -> Position {
        if symmetry == 0 {
            return *self;
        }
        let turned = |[white, black]: [u64; 2]| [black.reverse_bits(), white.reverse_bits()];
        Position {
            singles: turned(self.singles),
            doubles: turned(self.doubles),
            side: self.side.other(),
        }
    }

    fn transform_move(&self, mv: Move, symmetry: usize) -> Move {
        if symmetry == 0 {
            return mv;
        }
        let action = match mv.action {
            Action::Slide { from, to } => Action::Slide { from: from.turned(), to: to.turned() },
            Action::Transpose { from, onto } => {
                Action::Transpose { from: from.turned(), onto: onto.turned() }
            }
            Action::Remove(from) => Action::Remove(from.turned()),
        };
        let crown = mv
            .crown
            .map(|crown| Crown { lifted: crown.lifted.turned(), onto: crown.onto.turned() });
        Move { action, crown, ..mv }
    }
}
