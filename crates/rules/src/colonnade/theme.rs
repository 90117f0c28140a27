//! Every move is a carry, so no move is of a kind but the one that ends the game.

use super::{Move, Position};
use crate::{Theme, Themes};

impl Themes for Position {
    fn theme(&self, _: Move, _: &Position) -> Option<Theme> {
        None
    }
}
