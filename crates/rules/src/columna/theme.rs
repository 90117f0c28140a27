//! Kinds of moves: stacks that are taken over.

use super::{Move, Position};
use crate::{Theme, Themes};

impl Themes for Position {
    fn theme(&self, _: Move, after: &Position) -> Option<Theme> {
        let enemy = self.side.other();
        let stacks = |position: &Position| position.owned(enemy).count_ones();
        (stacks(after) < stacks(self)).then_some(Theme::Capture)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Game, Theme};

    #[test]
    fn a_piece_on_an_enemy_stack_takes_it_over() {
        let game: Game = "columna".parse().unwrap();
        let theme = |text: &str, mv: &str| game.position(text).unwrap().theme(mv);
        let text = "x7/x7/x7/x7/x2,w1,x4/x7/x7 a1 i9 b 0";
        assert_eq!(theme(text, "a4@d4"), Some(Theme::Capture));
        assert_eq!(theme(text, "a4@c4"), None);
    }
}
