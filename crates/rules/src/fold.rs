//! Positions and moves up to symmetry: what was played here, however the board was turned.
//!
//! ```
//! use stoa_rules::Game;
//!
//! let start = Game::Impasse.start();
//! let folded: std::collections::BTreeSet<String> =
//!     start.folded_moves().into_iter().map(|(_, folded)| folded).collect();
//! assert!(folded.len() <= start.count_moves());
//! ```

use crate::Playable;

/// A position as it looks through the symmetries that make its key smallest. Stall counts are left out:
/// openings do not differ by them.
pub(crate) struct Fold<'a, P> {
    pub(crate) key: u64,
    position: &'a P,
    /// The symmetries, and what is seen through them.
    seen: Vec<(usize, P)>,
}

impl<'a, P: Playable> Fold<'a, P> {
    pub(crate) fn new(position: &'a P) -> Fold<'a, P> {
        let mut fold = Fold { key: u64::MAX, position, seen: Vec::new() };
        for symmetry in 0..position.symmetries() {
            let seen = position.transform(symmetry);
            let key = seen.board_key();
            if key < fold.key {
                fold.seen.clear();
            }
            if key <= fold.key {
                fold.key = key;
                fold.seen.push((symmetry, seen));
            }
        }
        fold
    }

    /// A move as it looks through these symmetries: of several texts the smallest.
    pub(crate) fn folded(&self, mv: P::Move) -> String {
        let text = |(symmetry, seen): &(usize, P)| {
            seen.move_text(self.position.transform_move(mv, *symmetry))
        };
        self.seen.iter().map(text).min().unwrap_or_else(|| self.position.move_text(mv))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use crate::playout::Rng;
    use crate::{AnyPosition, Game, Playable, Visitor};

    /// In random games of every game: whichever way the board is turned, a position has the same key, and
    /// its moves fold to the same texts, which lead to positions with the same key.
    #[test]
    fn turning_the_board_changes_nothing() {
        struct Turned<'a>(&'a AnyPosition);
        impl Visitor for Turned<'_> {
            type Output = Vec<AnyPosition>;
            fn visit<P: Playable>(self, _: P::Options) -> Vec<AnyPosition> {
                let position: &P = self.0.downcast().expect("a position of its game");
                let turned = (0..position.symmetries()).map(|s| position.transform(s));
                turned.map(AnyPosition::new).collect()
            }
        }
        let mut rng = Rng::new(7);
        for game in Game::representatives() {
            let mut position = game.start();
            for _ in 0..12 {
                if position.outcome().is_some() {
                    break;
                }
                let mut folded: Vec<String> =
                    position.folded_moves().into_iter().map(|(_, folded)| folded).collect();
                folded.sort();
                for turned in game.visit(Turned(&position)) {
                    assert_eq!(turned.folded_key(), position.folded_key(), "{game} {turned:?}");
                    let mut other: Vec<String> =
                        turned.folded_moves().into_iter().map(|(_, folded)| folded).collect();
                    other.sort();
                    assert_eq!(other, folded, "{game} {turned:?}");
                }
                let mut after: HashMap<String, u64> = HashMap::new();
                for (text, folded) in position.folded_moves() {
                    assert_eq!(position.folded_move(&text).as_ref(), Some(&folded));
                    let mut next = position.clone();
                    next.play(&text).expect("a legal move");
                    let key = next.folded_key();
                    assert_eq!(*after.entry(folded).or_insert(key), key, "{game} {text}");
                }
                let moves = position.legal_moves();
                let chosen = rng.below(moves.len());
                position.play(&moves[chosen]).expect("a legal move");
            }
        }
    }

    #[test]
    fn a_symmetric_start_has_fewer_first_moves_than_it_has_moves() {
        let start = "palisade:9".parse::<Game>().expect("a game").start();
        let mut folded: Vec<String> =
            start.folded_moves().into_iter().map(|(_, folded)| folded).collect();
        let all = folded.len();
        folded.sort();
        folded.dedup();
        assert!(folded.len() * 3 < all, "{} of {all}", folded.len());
        assert_eq!(start.folded_move("nonsense"), None);
    }

    /// Databases hold these keys: changing one means counting all games again.
    #[test]
    fn keys_are_what_they_always_were() {
        let keys = Game::ALL.map(|game| game.start().folded_key());
        assert_eq!(
            keys,
            [
                0x260f_fec1_a120_55bc,
                0x2e2a_03aa_0aa9_508b,
                0xd87d_0752_c9e9_8625,
                0x6642_6bcd_8afb_502e,
                0x0b52_f78a_4ea2_077d,
            ]
        );
    }
}
