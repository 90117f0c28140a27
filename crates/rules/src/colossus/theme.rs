//! Kinds of moves: sieges, and claims.

use super::{Move, Position};
use crate::{Theme, Themes};

impl Themes for Position {
    fn theme(&self, mv: Move, after: &Position) -> Option<Theme> {
        let enemy = self.side.other();
        let towers = |position: &Position| (position.stones(enemy) & position.towers).count_ones();
        if towers(after) < towers(self) {
            Some(Theme::Siege)
        } else {
            matches!(mv, Move::Claim { .. }).then_some(Theme::Claim)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Game, Theme};

    #[test]
    fn a_siege_counts_more_than_a_claim() {
        let theme = |text: &str, mv: &str| Game::Colossus.position(text).unwrap().theme(mv);
        let siege = "B2B/wbbbb/wwbbbw/twbbbwW/1wbbww/wwbww/twwW w 3 1 36";
        let siege = Game::Colossus.position(siege).unwrap();
        let kinds: Vec<_> = siege.legal_moves().iter().filter_map(|mv| siege.theme(mv)).collect();
        assert!(kinds.contains(&Theme::Siege), "{kinds:?}");
        let claim = "t2W/wwwww/wwwwww/twwbwbB/bwbbbb/bwb1b/Wbbt b 3 0 34";
        assert_eq!(theme(claim, "a4=b5.c6"), Some(Theme::Claim));
        assert_eq!(theme("t2W/5/6/t5t/6/5/B2t b 3 0 6", "b2"), None);
    }
}
