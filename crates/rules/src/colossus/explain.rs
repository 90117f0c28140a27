//! What clicks may have been meant as: a new stone, a claim, or a stone's move.

use super::Position;
use crate::view::{Piece, View};
use crate::{Clicked, Explain};

impl Explain for Position {
    fn intended(&self, clicks: &[Clicked<'_>], _: &View) -> Vec<String> {
        match clicks {
            // No stone stays where it is, so this says what keeps the stone from moving.
            [from] if matches!(from.spot.piece, Some(Piece::Stone(_))) => {
                vec![format!("{from}-{from}")]
            }
            [place_or_tower] => vec![place_or_tower.to_string()],
            [from, to] => vec![format!("{from}-{to}")],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Position;
    use crate::testing::{start, why_not};

    #[test]
    fn an_empty_space_is_a_new_stone_and_a_stone_is_to_move() {
        let why = |cells: &[&str]| why_not(start::<Position>(), cells);
        assert!(why(&["d4"]).unwrap().contains("not next to"));
        assert!(why(&["a1", "d4"]).is_some());
        assert_eq!(why(&["b2"]), None, "legal");
    }
}
