//! What a click may have been meant as: a stone on the point.

use super::Position;
use crate::view::View;
use crate::{Clicked, Explain};

impl Explain for Position {
    fn intended(&self, clicks: &[Clicked<'_>], _: &View) -> Vec<String> {
        clicks.last().map(ToString::to_string).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Position;
    use crate::palisade::Size;
    use crate::testing::why_not;

    #[test]
    fn a_point_is_a_stone_there() {
        let why = |cells: &[&str]| {
            why_not(<Position as crate::Position>::start(Size::new(7).unwrap()), cells)
        };
        assert_eq!(why(&["b1"]).unwrap(), "only White may put a stone on b1");
        assert_eq!(why(&["a1"]), None, "legal");
    }
}
