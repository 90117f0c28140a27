#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use stoa_engine::{Stop, Timer};
use stoa_rules::palisade::{Position, Size};
use stoa_rules::playout::Rng;
use stoa_rules::{Position as _, Side, Symmetry as _};

use super::*;
use crate::proof::Table;
use crate::proof::search::{Ends, Search};

/// In random games the words play by the same rules as the rules crate, and the bound on what can be
/// owned holds until the end.
#[test]
fn small_boards_play_by_the_rules() {
    for size in [3, 5, 7] {
        let board = Board::new(size).unwrap();
        for game in 0..2_000 {
            let mut rng = Rng::for_game(size.into(), game);
            let mut position = Position::start(Size::new(size).unwrap());
            let mut stones = board.start();
            let mut most = [board.half() * 2 + 1; 2];
            loop {
                assert_eq!(board.read(&position), Some(stones), "{position:?}");
                let score = Side::BOTH.map(|side| board.score(&stones, side));
                assert_eq!(score, position.score(), "{position:?}");
                for side in Side::BOTH {
                    let bound = board.most_owned(&stones, side);
                    assert!(bound <= most[side.index()], "a bound never rises: {position:?}");
                    most[side.index()] = bound;
                }
                let number = rng.below(8);
                let image = board.read(&position.transform(number)).unwrap();
                assert_eq!(board.least_word(&stones), board.least_word(&image));
                let outcome = position.outcome();
                assert_eq!(outcome.and_then(|outcome| outcome.winner), board.winner(&stones));
                if outcome.is_some() {
                    assert!(score[0] <= most[0] && score[1] <= most[1]);
                    assert_eq!(board.sure_winner(&stones), board.winner(&stones));
                    break;
                }
                let mut open = board.open(&stones);
                assert_eq!(open.count_ones() as usize, position.count_moves(), "{position:?}");
                for _ in 0..rng.below(open.count_ones() as usize) {
                    open &= open - 1;
                }
                let point = open.trailing_zeros() as u8;
                position.play(board.to_move(point).unwrap()).unwrap();
                stones = board.after(&stones, point);
            }
        }
    }
}

#[test]
fn experiment() {
    let size: u8 = std::env::var("SIZE").ok().and_then(|v| v.parse().ok()).unwrap_or(5);
    for variant in [7,7+16,7+32,7+48,12+48,13+48,9+48,8+48,4+48] {
        let field = Field { board: Board::new(size).unwrap(), bounds: true, symmetry: true, variant };
        let mut table = Table::new(512 << 20);
        let mut search = Search::new(&field, &mut table);
        let stop = Stop::new();
        let timer = Timer::start();
        let ends = Ends { nodes: 30_000_000, time: None, timer, stop: &stop };
        let (found, children) = search.run(&field.board.start(), &ends);
        println!("{variant}: {found:?} nodes {} {:?} {:?}", search.nodes, timer.elapsed(), search.table().len());
        let _ = children;
    }
}

#[test]
fn growth() {
    let board = Board::new(7).unwrap();
    for plies in [20, 18, 16, 14] {
        for variant in [4, 7, 8, 9, 7 + 48] {
            let mut total = 0;
            let mut solved = 0;
            let timer = Timer::start();
            for game in 0..6 {
                let mut rng = Rng::for_game(77, game);
                let mut stones = board.start();
                let mut k = 0;
                while k < plies {
                    let mut open = board.open(&stones);
                    for _ in 0..rng.below(open.count_ones() as usize) {
                        open &= open - 1;
                    }
                    let next = board.after(&stones, open.trailing_zeros() as u8);
                    // only quiet moves
                    if board.score(&next, Side::First) + board.score(&next, Side::Second) == 0 || rng.below(100) == 0 {
                        stones = next;
                        k += 1;
                    }
                }
                let field = Field { board, bounds: true, symmetry: true, variant };
                let mut table = Table::new(128 << 20);
                let mut search = Search::new(&field, &mut table);
                let stop = Stop::new();
                let ends = Ends { nodes: 3_000_000, time: None, timer: Timer::start(), stop: &stop };
                let (found, _) = search.run(&stones, &ends);
                solved += u32::from(found.is_settled());
                total += search.nodes;
            }
            println!("plies {plies} variant {variant}: solved {solved}, nodes {total}, {:?}", timer.elapsed());
        }
    }
}
