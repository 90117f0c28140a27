//! What clicks may have been meant as: a slide or a transpose.

use super::Position;
use crate::view::{Spot, View};
use crate::{Clicked, Explain};

impl Explain for Position {
    fn intended(&self, clicks: &[Clicked<'_>], view: &View) -> Vec<String> {
        match clicks {
            [from] => {
                let is_near = |spot: &&Spot| {
                    let (dx, dy) = (spot.x - from.spot.x, spot.y - from.spot.y);
                    (dx.abs(), dy.abs()) == (2, 2)
                };
                let near = view.spots.iter().filter(is_near);
                near.map(|to| format!("{from}-{}", to.name)).collect()
            }
            [from, to] if to.spot.piece.is_some() => {
                vec![format!("{from}={to}"), format!("{from}-{to}")]
            }
            [from, to] => vec![format!("{from}-{to}")],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Position;
    use crate::testing::{position, start, why_not};

    #[test]
    fn from_and_to_are_a_slide_or_a_transpose() {
        let why = |cells: &[&str]| why_not(start::<Position>(), cells);
        assert_eq!(why(&["b2"]).unwrap(), "you have no checker on b2");
        assert!(why(&["d2", "d4"]).is_none_or(|reason| reason.contains("diagonally")));
        assert_eq!(why(&["h2", "g3"]), None, "legal");
        let onto_own = why_not(position::<Position>("8/8/8/8/8/8/1w5b/w7 w"), &["a1", "b2"]);
        assert!(onto_own.is_some(), "neither of the two is legal");
    }
}
