//! Palisade: loops close off points for good, and only a loop stops another.
//!
//! Each player has points of their own, so nobody can stand in the other's way. The last of four
//! stones around a point closes a loop there; all that prevents it is a loop of the opponent's
//! that is closed first. So the game is a race, and the order of most moves does not matter:
//! sharing what playouts tell about moves between the branches of the tree does much, exploring
//! for its own sake does little.

mod inputs;
mod levels;

use stoa_rules::palisade::{MAX_SIZE, Move, Position, Size};
use stoa_rules::playout::Rng;
use stoa_rules::{Position as _, Side};

use crate::matches::OpeningLength;
use crate::policy::Grid;
use crate::{Knowledge, LevelTable, Strategy, TenToOne, Term, TermSink, TreeSearchOptions};

const TEMPO: usize = 0;
const OWNED: usize = 1;
const STONES: usize = 2;
const LINKS: usize = 3;
const LAST_OF_FOUR: usize = 4;
const CAPTURES: usize = 5;
const SMOTHERED: usize = 6;
const BREATHS: usize = 7;

/// Of a hundred turns in a playout, in how many a loop around a single point is closed if one can
/// be. Not always: such a loop can often wait.
const CLOSES: usize = 70;

impl Knowledge for Position {
    const TERMS: &'static [Term] = &[
        Term { name: "tempo", words: "the move", meaning: "Whose turn it is: loops are a race." },
        Term {
            name: "owned",
            words: "owned points",
            meaning: "Points on and within a player's loops: they are what is counted at the end.",
        },
        Term {
            name: "stones",
            words: "stones on the board",
            meaning: "Stones of a player, on loops or not: what was captured is missing.",
        },
        Term {
            name: "links",
            words: "linked stones",
            meaning: "Pairs of a player's stones that are diagonally adjacent, the ring's included: loops are made of them.",
        },
        Term {
            name: "last-of-four",
            words: "points to surround",
            meaning: "Points where a player's next stone would be the last of four around a point, and so close a loop.",
        },
        Term {
            name: "captures",
            words: "stones to capture",
            meaning: "Stones of the opponent with a player's stones on three sides: the fourth captures them.",
        },
        Term {
            name: "smothered",
            words: "smothered points",
            meaning: "Open points of a player with the opponent's stones on three sides: a stone there can be captured at once.",
        },
        Term {
            name: "breaths",
            words: "open points around stones",
            meaning: "Open points next to a player's stones, which the opponent must fill to capture them.",
        },
    ];

    const HISTORY_SIZE: usize = (MAX_SIZE as usize) * (MAX_SIZE as usize);

    fn weights(_: Size) -> &'static str {
        include_str!("default.weights")
    }

    fn levels(size: Size) -> LevelTable {
        if size.get() > 11 { levels::LARGE } else { levels::SMALL }
    }

    fn levels_with_terms(_: Size) -> LevelTable {
        levels::BY_PLAYOUTS
    }

    /// The network's opinion, averaged over a tree, is too careful.
    fn ten_to_one(size: Size) -> TenToOne {
        TenToOne { net: if size.get() > 11 { 270 } else { 155 }, ..TenToOne::default() }
    }

    fn level_losses(size: Size) -> &'static str {
        if size.get() < 12 { include_str!("accuracy.txt") } else { include_str!("accuracy-13.txt") }
    }

    fn strategy(_: Size) -> Strategy {
        Strategy::Mcts
    }

    fn tree_search_options(size: Size) -> TreeSearchOptions {
        TreeSearchOptions {
            exploration: 0.02,
            sharing: 300.0,
            // A leaf of a large board has many children; they must be worth their memory.
            expand_after: if size.get() > 11 { 8 } else { 2 },
            ..TreeSearchOptions::default()
        }
    }

    /// Playouts are slow on large boards, and a few random stones matter little there.
    fn opening_length(size: Size) -> OpeningLength {
        OpeningLength { plies: if size.get() < 7 { 2 } else { 4 }, nodes: 150 }
    }

    fn terms(&self, sink: &mut impl TermSink) {
        sink.add(TEMPO, self.side_to_move(), 1);
        let owned = self.score();
        for side in Side::BOTH {
            sink.add(OWNED, side, owned[side.index()] as i32);
            sink.add(STONES, side, self.stones(side).len() as i32);
            sink.add(LINKS, side, self.links(side) as i32);
            sink.add(LAST_OF_FOUR, side, self.last_of_four(side).len() as i32);
            sink.add(CAPTURES, side, self.capturable(side.other()).len() as i32);
            sink.add(SMOTHERED, side, self.smothered(side).len() as i32);
            sink.add(BREATHS, side, self.breaths(side).len() as i32);
        }
    }

    #[inline]
    fn history_index(&self, Move(point): Move) -> usize {
        usize::from(point.rank()) * usize::from(MAX_SIZE) + usize::from(point.file())
    }

    /// A stone that can be captured at once is rarely worth it, and one on the edge is part of few
    /// loops.
    #[inline]
    fn ordering_score(&self, Move(point): Move) -> i32 {
        let last = self.size().get() - 1;
        let on_edge = [point.file(), point.rank()].iter().any(|&at| at == 0 || at == last);
        let smothered = self.enemies_beside(point) >= 3;
        -(if smothered { 100 } else { 0 } + if on_edge { 50 } else { 0 })
    }

    #[inline]
    fn is_noisy(&self, Move(point): Move) -> bool {
        self.closes_loop(point)
    }

    const FIRST_LEVEL_WITH_NET: u8 = 1;

    const GRID_PLANES: usize = inputs::PLANES;

    /// One network for boards of all sizes.
    fn net(_: Size) -> Option<&'static [u8]> {
        shipped_net!("default.net")
    }

    fn grid(&self, cells: &mut Grid) -> usize {
        inputs::grid(self, cells)
    }

    #[inline]
    fn grid_cell(&self, Move(point): Move) -> usize {
        inputs::cell_of(point, usize::from(self.size().get()))
    }

    fn grid_owner(&self, cell: usize) -> bool {
        inputs::is_blacks(self, cell)
    }

    /// Loops around single points are closed, and few stones are put where they can be captured
    /// at once.
    #[inline]
    fn playout_move(&self, rng: &mut Rng) -> Option<Move> {
        if rng.below(100) < CLOSES {
            let closing = self.last_of_four(self.side_to_move());
            if !closing.is_empty() {
                return closing.nth(rng.below(closing.len())).map(Move);
            }
        }
        let count = self.count_moves();
        let mut mv = self.nth_move(rng.below(count))?;
        for _ in 0..3 {
            if self.enemies_beside(mv.0) < 3 {
                break;
            }
            mv = self.nth_move(rng.below(count))?;
        }
        Some(mv)
    }
}

#[cfg(test)]
mod tests {
    use stoa_rules::Notation as _;
    use stoa_rules::Setup as _;
    use stoa_rules::palisade::Setup;

    use super::*;
    use crate::{Engine, Limits, Settings, Stop, counts};

    fn at(text: &str) -> Position {
        Setup::parse(text, Size::DEFAULT).unwrap().validate().unwrap()
    }

    fn count(position: &Position, name: &str) -> i32 {
        let term = Position::TERMS.iter().position(|term| term.name == name).unwrap();
        counts(position)[term]
    }

    fn think(text: &str, playouts: u64) -> crate::Thought {
        let game = stoa_rules::Game::Palisade(at(text).size());
        let mut engine = Engine::new(game, Settings::default()).unwrap();
        let limits = Limits { playouts: Some(playouts), ..Limits::default() };
        let position = game.position(text).unwrap();
        engine.think(&position, &limits, &Stop::new(), &mut |_| {})
    }

    #[test]
    fn the_terms_count_what_they_say() {
        // Black can capture c4 at c3; White owns the corner g1 and the two stones around it.
        let position = at("7/7/2b4/1bwb3/7/6w/5w1 b");
        assert_eq!(count(&position, "tempo"), 1);
        assert_eq!(count(&position, "owned"), -3);
        assert_eq!(count(&position, "stones"), 3 - 3);
        // White's two stones have two lines each to the ring.
        assert_eq!(count(&position, "links"), 2 - 4 - 1);
        assert_eq!(count(&position, "last-of-four"), 1);
        assert_eq!(count(&position, "captures"), 1);
        assert_eq!(count(&position, "smothered"), 0);
    }

    #[test]
    fn a_loop_that_captures_is_found() {
        // Either side to move closes a loop: Black around c2, or White around c3.
        let stones = "5/2w2/1w3/1bwb1/2b2";
        assert_eq!(think(&format!("{stones} b"), 2_000).best(), Some("c3"));
        assert_eq!(think(&format!("{stones} w"), 2_000).best(), Some("d3"));
    }

    #[test]
    fn small_boards_are_solved() {
        let thought = think("3/3/3 b", 200_000);
        assert!(thought.score().unwrap().is_proven(), "{thought:?}");
    }

    #[test]
    fn loud_moves_close_loops() {
        let position = at("7/7/2b4/1b1b3/7/7/7 b");
        let noisy: Vec<String> = position
            .legal_moves()
            .into_iter()
            .filter(|&mv| position.is_noisy(mv))
            .map(|mv| position.move_text(mv))
            .collect();
        assert_eq!(noisy, ["c3"]);
    }

    #[test]
    fn a_smothered_point_promises_least() {
        let position = at("7/7/2b4/1b1b3/7/7/7 w");
        let ordering_score =
            |text: &str| position.ordering_score(position.parse_move(text).unwrap());
        assert!(ordering_score("c4") < ordering_score("a4"));
        assert!(ordering_score("a4") < ordering_score("e4"));
    }

    #[test]
    fn playouts_come_to_an_end_on_every_board() {
        for size in Size::all() {
            let mut rng = Rng::for_game(1, u64::from(size.get()));
            for _ in 0..20 {
                let mut position = Position::start(size);
                let mut left = position.turns_left_at_most();
                while let Some(mv) = position.playout_move(&mut rng) {
                    assert!(position.is_legal(mv), "{position:?} {mv:?}");
                    position.play_unchecked(mv);
                    assert!(position.turns_left_at_most() < left);
                    left = position.turns_left_at_most();
                }
                assert!(position.outcome().is_some(), "{position:?}");
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_thought() {
        let text = "7/7/7/3b3/7/7/7 w";
        let (one, two) = (think(text, 500), think(text, 500));
        assert_eq!((one.lines, one.depth, one.nodes), (two.lines, two.depth, two.nodes));
    }
}
