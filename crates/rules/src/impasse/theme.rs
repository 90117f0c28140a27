//! Kinds of moves: removals, bear offs, crowns and transposes.

use super::{Action, Move, Position};
use crate::{Theme, Themes};

impl Themes for Position {
    fn theme(&self, mv: Move, _: &Position) -> Option<Theme> {
        match mv.action {
            Action::Remove(_) => Some(Theme::Removal),
            _ if mv.bears_off => Some(Theme::BearOff),
            _ if mv.crown.is_some() => Some(Theme::Crown),
            Action::Transpose { .. } => Some(Theme::Transpose),
            Action::Slide { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Game, Theme};

    #[test]
    fn the_rarest_part_of_a_turn_names_it() {
        let theme = |text: &str, mv: &str| Game::Impasse.position(text).unwrap().theme(mv);
        let corner = "1w6/8/8/4W3/8/8/8/6b1 w";
        assert_eq!(theme(corner, "e5-a1*+a1>b8"), Some(Theme::BearOff));
        assert_eq!(theme("8/2W5/1w6/8/8/8/8/6b1 w", "c7=b6"), Some(Theme::Transpose));
        assert_eq!(theme("8/8/8/b7/8/2W5/1B1b4/2w5 w", "*c3"), Some(Theme::Removal));
        assert_eq!(theme(corner, "e5-d4"), None);
        assert_eq!(theme(corner, "e5-e6"), None, "not legal");
    }
}
