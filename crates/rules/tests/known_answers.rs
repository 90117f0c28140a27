//! The known answers of the rules files: perft numbers and counts. (Their figures are tests of the
//! games' own modules.)

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use stoa_rules::Game;

/// Deeper counts than this are left to `stoa perft`.
const MAX_LEAVES: u64 = 70_000_000;

#[test]
fn perft_table() {
    let mut lines = 0;
    for line in include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let [game, position, counts] =
            line.split('|').map(str::trim).collect::<Vec<_>>().try_into().unwrap();
        let game: Game = game.parse().unwrap();
        let position =
            if position.is_empty() { game.start() } else { game.position(position).unwrap() };
        for (depth, count) in (1..).zip(counts.split_whitespace()) {
            let count: u64 = count.parse().unwrap();
            if count <= MAX_LEAVES {
                assert_eq!(position.perft(depth), count, "{game} {position} depth {depth}");
            }
        }
        lines += 1;
    }
    assert!(lines >= 10);
    assert_eq!(Game::Impasse.start().perft(0), 1);
}

/// A stack is known by its height and the colour of its top, so there are two of each height but
/// one empty one: 872,893,441 arrangements of at most 24 checkers on 8 squares.
#[test]
fn colonnade_arrangements() {
    let mut ways = [0u64; 25];
    ways[0] = 1;
    for _square in 0..8 {
        let mut next = [0u64; 25];
        for (checkers, ways) in ways.into_iter().enumerate() {
            for height in 0..=24 - checkers {
                next[checkers + height] += ways * if height == 0 { 1 } else { 2 };
            }
        }
        ways = next;
    }
    assert_eq!(ways.iter().sum::<u64>(), 872_893_441);
}

/// Colossus: at depth 1, three placements and five suicidal moves of the only tower's stone.
#[test]
fn colossus_first_moves() {
    let start = Game::Colossus.start();
    let moves = start.legal_moves();
    let (steps, places): (Vec<&String>, Vec<&String>) =
        moves.iter().partition(|text| text.contains('-'));
    assert_eq!(places.len(), 3);
    assert_eq!(steps.len(), 5);
    for text in steps {
        let mut next = start.clone();
        next.play(text).unwrap();
        let outcome = next.outcome().unwrap();
        assert_eq!(outcome.winner, Some(stoa_rules::Side::Second), "{text}");
    }
}
