//! Left and right can be exchanged, and so can the colours together with the turn.

use super::{Move, Position};
use crate::Symmetry;

impl Symmetry for Position {
    fn symmetries(&self) -> usize {
        4
    }

    fn transform(&self, symmetry: usize) -> Position {
        let mut position = *self;
        if symmetry & 1 != 0 {
            position.stacks.reverse();
        }
        if symmetry & 2 != 0 {
            position.stacks = position.stacks.map(super::Stack::recoloured);
            position.side = position.side.other();
        }
        position
    }

    fn transform_move(&self, mv: Move, symmetry: usize) -> Move {
        if symmetry & 1 == 0 {
            return mv;
        }
        Move { from: mv.from.mirrored(), direction: mv.direction.mirrored(), ..mv }
    }
}
