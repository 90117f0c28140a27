#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use stoa_engine::Stop;
use stoa_rules::palisade::{Position, Size};
use stoa_rules::playout::Rng;
use stoa_rules::{Position as _, Side, Symmetry as _};

use super::*;

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
                    let bound = board.max_owned(&stones, side);
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

/// Who wins a position by plain search with the rules crate alone: no bounds, no images, no proof
/// numbers. What was found is remembered by stones and turn, which are a position of one size.
fn winner_by_the_rules(position: &Position, known: &mut HashMap<u64, Side>) -> Side {
    if let Some(outcome) = position.outcome() {
        return outcome.winner.unwrap();
    }
    let stones = Side::BOTH.into_iter().flat_map(|side| position.stones(side).iter());
    let word = stones.fold(position.side_to_move() as u64, |word, point| {
        word | 2 << (point.rank() * position.size().get() + point.file())
    });
    if let Some(&winner) = known.get(&word) {
        return winner;
    }
    let mover = position.side_to_move();
    let wins = position.legal_moves().into_iter().any(|mv| {
        let mut next = *position;
        next.play_unchecked(mv);
        winner_by_the_rules(&next, known) == mover
    });
    let winner = if wins { mover } else { mover.other() };
    known.insert(word, winner);
    winner
}

fn solved(size: u8, bounds: bool, symmetry: bool) -> Solver {
    let field = Field { board: Board::new(size).unwrap(), bounds, symmetry };
    let mut solver = Solver::with(field, 256 << 20);
    solver.work(u64::MAX, &Stop::new());
    assert!(solver.is_solved());
    solver
}

fn winners(solver: &Solver) -> Vec<Option<Side>> {
    solver.openings().iter().map(Opening::winner).collect()
}

/// The first moves and who wins after them, by the rules alone.
fn winners_by_the_rules(size: u8) -> Vec<Option<Side>> {
    let start = Position::start(Size::new(size).unwrap());
    let mut known = HashMap::new();
    let mut winner_after = |point| {
        let mut next = start;
        next.play(stoa_rules::palisade::Move(point)).unwrap();
        Some(winner_by_the_rules(&next, &mut known))
    };
    let solver = Solver::new(Board::new(size).unwrap(), 1);
    solver.openings().iter().map(|opening| winner_after(opening.point)).collect()
}

#[test]
fn three_by_three_agrees_with_brute_force() {
    let expected = winners_by_the_rules(3);
    for bounds in [false, true] {
        for symmetry in [false, true] {
            let solver = solved(3, bounds, symmetry);
            assert_eq!(winners(&solver), expected);
            let any = expected.contains(&Some(Side::First));
            assert_eq!(solver.winner() == Some(Side::First), any);
        }
    }
}

#[test]
fn five_by_five_is_the_same_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("five.proof");
    let board = Board::new(5).unwrap();
    let mut solver = Solver::new(board, 16 << 20);
    // Sitting after sitting, each from the file of the one before.
    while !solver.is_solved() {
        solver.work(60_000, &Stop::new());
        solver.save(&path).unwrap();
        let (nodes, time) = (solver.nodes(), solver.time());
        solver = Solver::resume(board, 16 << 20, &path).unwrap();
        assert_eq!(solver.nodes(), nodes);
        assert!(time.abs_diff(solver.time()) < std::time::Duration::from_millis(1));
    }
    let whole = solved(5, true, true);
    assert_eq!((solver.winner(), winners(&solver)), (whole.winner(), winners(&whole)));
    // First moves that are images of each other have the same value.
    for one in whole.openings() {
        for other in whole.openings().iter().filter(|other| other.class == one.class) {
            assert_eq!(one.winner(), other.winner(), "{} {}", one.point, other.point);
        }
    }

    // Files of another board, or damaged ones, are refused.
    let seven = Board::new(7).unwrap();
    let error = Solver::resume(seven, 1 << 20, &path).unwrap_err().to_string();
    assert!(error.contains("it is a table of palisade:5 (proof)"), "{error}");
    let mut bytes = std::fs::read(&path).unwrap();
    for at in [100, bytes.len() / 2, bytes.len() - 40] {
        bytes[at] ^= 4;
        std::fs::write(&path, &bytes).unwrap();
        assert!(Solver::resume(board, 1 << 20, &path).is_err(), "byte {at}");
        bytes[at] ^= 4;
    }
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(Solver::resume(board, 1 << 20, &path).is_err());
}

/// A position that the bound calls decided is won by plain search, and the stones of random games
/// are few enough for it.
#[test]
fn a_sure_winner_wins_by_the_rules() {
    let board = Board::new(5).unwrap();
    let (mut seen, mut known) = ([0; 2], HashMap::new());
    for game in 0..400 {
        let mut rng = Rng::for_game(0x5e, game);
        let mut position = Position::start(Size::new(5).unwrap());
        loop {
            let stones = board.read(&position).unwrap();
            if let Some(winner) = board.sure_winner(&stones) {
                if position.outcome().is_none() {
                    assert_eq!(winner_by_the_rules(&position, &mut known), winner, "{position:?}");
                    seen[winner.index()] += 1;
                }
                break;
            }
            let mv = position.nth_move(rng.below(position.count_moves())).unwrap();
            position.play_unchecked(mv);
        }
    }
    assert!(seen[0] > 50 && seen[1] > 50, "{seen:?}");
}

/// The second way: plain search with the rules crate, without bounds, images or proof numbers. It
/// takes some minutes: `cargo test -p stoa-solve five_by_five -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn five_by_five_agrees_with_plain_search() {
    let solver = solved(5, true, true);
    assert_eq!(winners(&solver), winners_by_the_rules(5));
    // And the proof search without the bounds, and without the images.
    for (bounds, symmetry) in [(false, true), (true, false)] {
        let other = solved(5, bounds, symmetry);
        assert_eq!((other.winner(), winners(&other)), (solver.winner(), winners(&solver)));
    }
}
