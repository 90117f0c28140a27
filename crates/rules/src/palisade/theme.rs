//! Kinds of moves: captures, and loops that capture nothing.

use super::{Move, Position};
use crate::{Theme, Themes};

impl Themes for Position {
    fn theme(&self, _: Move, after: &Position) -> Option<Theme> {
        let (own, enemy) = (self.side.index(), self.side.other().index());
        if after.stones[enemy] != self.stones[enemy] {
            Some(Theme::Capture)
        } else {
            (after.score()[own] > self.score()[own]).then_some(Theme::Loop)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Game, Theme};

    #[test]
    fn a_loop_with_a_stone_in_it_captures() {
        let game: Game = "palisade:5".parse().unwrap();
        let theme = |text: &str, mv: &str| game.position(text).unwrap().theme(mv);
        assert_eq!(theme("5/5/5/w4/b4 w", "b1"), Some(Theme::Capture));
        assert_eq!(theme("5/5/5/w4/5 w", "b1"), Some(Theme::Loop));
        assert_eq!(theme("5/5/5/5/5 b", "c3"), None);
    }
}
