//! What clicks may have been meant as: a carry to either side.

use super::Position;
use crate::view::View;
use crate::{Clicked, Explain};

impl Explain for Position {
    fn intended(&self, clicks: &[Clicked<'_>], _: &View) -> Vec<String> {
        let Some(from) = clicks.first() else { return Vec::new() };
        let height = from.spot.checkers().len();
        let lowest = if from.level == 0 { height } else { usize::from(from.level) };
        let carried = (height + 1).saturating_sub(lowest).max(1);
        let towards = |sign: char| format!("{carried}{from}{sign}");
        match clicks.get(1).map(|to| to.spot.x - from.spot.x) {
            None => vec![towards('<'), towards('>')],
            Some(2) => vec![towards('>')],
            Some(-2) => vec![towards('<')],
            Some(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Position;
    use crate::testing::{start, why_not};

    #[test]
    fn the_clicked_checker_decides_how_many_are_carried() {
        let why = |cells: &[&str]| why_not(start::<Position>(), cells);
        assert!(why(&["b.3"]).unwrap().contains("the opponent's"));
        let top = why(&["b.4", "c"]).unwrap();
        assert_eq!(top, "the stack on c is topped with the opponent's colour");
        assert_eq!(why(&["b.4", "a"]), None, "legal");
        assert_eq!(why(&["b.4", "h"]), None, "no text for so long a way");
    }
}
