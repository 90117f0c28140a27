#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::time::{Duration, Instant};

use stoa_engine::{Knowledge, KnowledgeVisitor, Stop, visit};
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Setup as _};

use super::*;

/// The value of a position by plain negamax, unless that takes too many positions.
fn truth<P: Knowledge>(
    position: &P,
    known: &mut HashMap<P, Value>,
    budget: &mut u32,
) -> Option<Value> {
    if let Some(outcome) = position.outcome() {
        return Some(value_of_end(position.side_to_move(), outcome.winner));
    }
    if let Some(&value) = known.get(position) {
        return Some(value);
    }
    *budget = budget.checked_sub(1)?;
    let mut best = Value::Loss;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        best = best.max(opposite(truth(&next, known, budget)?));
        if best == Value::Win {
            break;
        }
    }
    known.insert(position.clone(), best);
    Some(best)
}

fn value_of_end(mover: stoa_rules::Side, winner: Option<stoa_rules::Side>) -> Value {
    match winner {
        None => Value::Draw,
        Some(winner) if winner == mover => Value::Win,
        Some(_) => Value::Loss,
    }
}

fn opposite(value: Value) -> Value {
    match value {
        Value::Win => Value::Loss,
        Value::Draw => Value::Draw,
        Value::Loss => Value::Win,
    }
}

fn proof_of<P: Knowledge>(position: &P, memory: usize) -> Answer<P::Move> {
    // An error of the search must not keep the tests busy forever.
    let budget = Budget { nodes: Some(20_000_000), time: None, memory };
    prove(position, &budget, &Stop::new(), &mut |_| {})
}

/// The proof agrees with the truth, and its line is legal and ends as it says.
fn check<P: Knowledge>(position: &P, expected: Value, memory: usize) {
    let answer = proof_of(position, memory);
    assert_eq!(answer.value(), Some(expected), "{position:?}");
    let mut at = position.clone();
    for &mv in &answer.line {
        at.play(mv).unwrap_or_else(|_| panic!("{mv:?} is not legal in {at:?}"));
    }
    if answer.is_line_whole {
        let winner = at.outcome().unwrap_or_else(|| panic!("no end after the line of {position:?}"));
        assert_eq!(value_of_end(position.side_to_move(), winner.winner), expected, "{position:?}");
    } else {
        assert!(memory < 1 << 16, "the line of {position:?} is not whole");
    }
}

/// Endings of random games.
struct Endings {
    /// How many are wanted, and how many positions negamax may look at for one.
    count: usize,
    budget: u32,
}

impl KnowledgeVisitor for Endings {
    type Output = [usize; 3];

    fn visit<P: Knowledge>(self, options: P::Options) -> [usize; 3] {
        let mut rng = Rng::new(0x900f);
        let mut found = [0; 3];
        for game in 0..20 * self.count {
            let mut way = vec![P::start(options)];
            while let Some(mv) = way.last().and_then(|at| at.nth_move(rng.below(at.count_moves().max(1)))) {
                let mut next = way[way.len() - 1].clone();
                next.play_unchecked(mv);
                way.push(next);
            }
            for position in way.iter().rev().take(40) {
                let mut known = HashMap::new();
                let Some(value) = truth(position, &mut known, &mut { self.budget }) else { break };
                // Now and then with a table that is far too small.
                check(position, value, if game % 4 == 0 { 1 << 10 } else { 1 << 20 });
                found[value as usize] += 1;
            }
            if found.iter().sum::<usize>() >= self.count {
                break;
            }
        }
        found
    }
}

fn endings(id: &str, count: usize, budget: u32) {
    let game: Game = id.parse().unwrap();
    let [losses, draws, wins] = visit(game, Endings { count, budget });
    assert!(losses + draws + wins >= count && losses > 9 && wins > 9, "{id}: {losses} {draws} {wins}");
}

#[test]
fn endings_of_colonnade() {
    endings("colonnade", 3_000, 2_000);
}

#[test]
fn endings_of_impasse() {
    endings("impasse", 2_000, 2_000);
}

#[test]
fn endings_of_palisade() {
    endings("palisade:3", 1_000, 2_000);
    endings("palisade:5", 2_000, 2_000);
}

#[test]
fn endings_of_columna() {
    endings("columna", 500, 2_000);
    endings("columna:points", 100, 2_000);
}

#[test]
fn endings_of_colossus() {
    endings("colossus", 500, 2_000);
}
