//! The figures of a report, counted again from its games in the simplest way there is.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{HashMap, HashSet};

use stoa_engine::matches::Pentanomial;
use stoa_engine::selfplay::file::PlayedGame;
use stoa_engine::{Score, Stop};
use stoa_report::document::document;
use stoa_report::figures::{Figures, figures};
use stoa_report::html::html;
use stoa_report::markdown::markdown;
use stoa_report::parts::{Collected, PartWriter, collect};
use stoa_report::plan::{Plan, Share, Task, task};
use stoa_report::play::fill;
use stoa_report::report::{Board, Report};
use stoa_rules::{AnyPosition, Game, Outcome, Side};

/// Plays a few rounds with very weak players.
fn collected(game: &str, rounds: u64) -> Collected {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.games");
    let plan = Plan { nodes: 4, ..Plan::new(game.parse().unwrap(), 11) };
    let mut part = PartWriter::open(&path, &plan, Share::default()).unwrap();
    let stop = Stop::new();
    fill(&mut part, &plan, Share::default(), 30 * rounds, 2, &stop, &mut || {}).unwrap();
    drop(part);
    collect(&plan, &[path]).unwrap()
}

/// A game played through again over text: the positions before each turn, and how it ended.
fn replayed(game: Game, played: &PlayedGame) -> (Vec<AnyPosition>, Vec<String>, Outcome) {
    let mut position = game.start();
    let (mut positions, mut moves) = (Vec::new(), Vec::new());
    for turn in &played.turns {
        positions.push(position.clone());
        let mv = position.legal_moves()[usize::from(turn.mv)].clone();
        position.play(&mv).unwrap();
        moves.push(mv);
    }
    (positions, moves, position.outcome().unwrap())
}

/// The first player's chances before each turn.
fn chances(game: Game, played: &PlayedGame) -> Vec<f64> {
    let (positions, _, _) = replayed(game, played);
    let of = |(turn, position): (_, &AnyPosition)| {
        let turn: &stoa_engine::selfplay::file::PlayedTurn = turn;
        let mover = Score::from_raw(turn.score?).win_probability();
        Some(if position.side_to_move() == Side::First { mover } else { 1.0 - mover })
    };
    played.turns.iter().zip(&positions).filter_map(of).collect()
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 6e-5, "{found}, not {expected}");
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

fn check(game: &str, rounds: u64) -> Figures {
    let collected = collected(game, rounds);
    let game: Game = game.parse().unwrap();
    let figures = figures(&collected).unwrap();
    assert_eq!(figures.games as u64, 30 * rounds);
    assert_eq!(figures.rounds as u64, rounds);
    for (strength, of) in figures.strengths.iter().enumerate() {
        let mut results = [0; 3];
        let (mut lengths, mut branching, mut changes, mut decided) =
            (vec![], vec![], vec![], vec![]);
        let (mut comebacks, mut decisive, mut lines) = (0, 0, HashSet::new());
        for played in collected.games.values() {
            if task(played.number) != Some(Task::Play(strength)) {
                continue;
            }
            let (positions, moves, outcome) = replayed(game, played);
            results[match outcome.winner {
                Some(Side::First) => 0,
                None => 1,
                Some(Side::Second) => 2,
            }] += 1;
            lengths.push(positions.len() as f64);
            let choices: Vec<f64> =
                positions.iter().map(|p| p.legal_moves().len() as f64).collect();
            branching.push(mean(&choices));
            lines.insert(moves);
            // Who was ahead, with repetitions left out.
            let chances = chances(game, played);
            let mut leaders: Vec<bool> = chances
                .iter()
                .filter(|&&chance| chance >= 0.6 || 1.0 - chance >= 0.6)
                .map(|&chance| chance > 0.5)
                .collect();
            leaders.dedup();
            changes.push(leaders.len().saturating_sub(1) as f64);
            if let Some(winner) = outcome.winner {
                let of_winner: Vec<f64> = chances
                    .iter()
                    .map(|&chance| if winner == Side::First { chance } else { 1.0 - chance })
                    .collect();
                let settled = of_winner.iter().rev().take_while(|&&chance| chance >= 0.9).count();
                decided.push((positions.len() - settled) as f64 / positions.len() as f64);
                decisive += 1;
                comebacks += usize::from(of_winner.iter().any(|&chance| chance <= 0.3));
            }
        }
        assert_eq!(of.results, results);
        assert_eq!(of.games, results.iter().sum::<usize>());
        assert_eq!(of.different, lines.len());
        close(
            of.first_score.value,
            (results[0] as f64 + 0.5 * results[1] as f64) / of.games as f64,
        );
        close(of.draws.value, results[1] as f64 / of.games as f64);
        close(of.length.mean.value, mean(&lengths));
        close(of.branching.value, mean(&branching));
        close(of.lead_changes.value, mean(&changes));
        close(of.decided.unwrap().value, mean(&decided));
        close(of.comebacks.unwrap().value, f64::from(comebacks as u32) / f64::from(decisive));
        for bounded in [of.first_score, of.draws, of.length.mean, of.branching, of.lead_changes] {
            assert!(bounded.low <= bounded.value && bounded.value <= bounded.high, "{bounded:?}");
        }
    }
    check_matches(&collected, &figures);
    check_openings(game, &collected, &figures);
    figures
}

/// In the first game of a pair the stronger player moves second, in the second first.
fn check_matches(collected: &Collected, figures: &Figures) {
    for (rung, of) in figures.depth.iter().enumerate() {
        let mut pairs = Pentanomial::default();
        for (number, first) in &collected.games {
            if task(*number) == Some(Task::Match(rung, false)) {
                let second = &collected.games[&(number + 1)];
                let opening = |played: &PlayedGame| -> Vec<u16> {
                    let varied = played.turns.iter().take_while(|turn| turn.random);
                    varied.map(|turn| turn.mv).collect()
                };
                assert_eq!(opening(first), opening(second), "the opening of a pair is the same");
                let points = |winner, own| match winner {
                    None => 1,
                    Some(side) => 2 * usize::from(side == own),
                };
                pairs.add(points(first.winner, Side::Second) + points(second.winner, Side::First));
            }
        }
        assert_eq!(of.pairs, pairs.pairs());
        close(of.estimate.score.value, pairs.score());
    }
}

fn check_openings(game: Game, collected: &Collected, figures: &Figures) {
    let mut by_move: HashMap<String, Vec<f64>> = HashMap::new();
    for played in collected.games.values() {
        if matches!(task(played.number), Some(Task::Opening(_))) {
            let (_, moves, outcome) = replayed(game, played);
            let points = match outcome.winner {
                None => 0.5,
                Some(side) => f64::from(u8::from(side == Side::First)),
            };
            by_move.entry(moves[0].clone()).or_default().push(points);
        }
    }
    for first in &figures.openings.first_moves {
        match by_move.remove(&first.mv) {
            None => assert_eq!(first.score, None),
            Some(points) => {
                close(first.score.unwrap().value, mean(&points));
                assert_eq!(first.games, points.len());
            }
        }
    }
    assert!(by_move.is_empty(), "{by_move:?}");
    let total: usize = figures.openings.first_moves.iter().map(|first| first.alike).sum();
    assert_eq!(total, game.start().legal_moves().len());
    assert_eq!(total, figures.openings.moves);
}

#[test]
fn figures_of_palisade_are_what_a_plain_count_gives() {
    let figures = check("palisade:5", 4);
    assert_eq!(figures.unit, "playouts");
    // Every turn names the point of its stone, so the shares add up to one.
    let used: f64 = figures.board.iter().map(|cell| cell.used).sum();
    assert!((used - 1.0).abs() < 1e-3, "{used}");
    assert_eq!(figures.board.len(), 25);
    assert_eq!((figures.symmetry.symmetries, figures.symmetry.of_start), (8, 8));
}

#[test]
fn figures_of_the_other_games_are_what_a_plain_count_gives() {
    assert_eq!(check("impasse", 1).board.len(), 32, "light squares are never used");
    check("columna", 1);
    let figures = check("colossus", 1);
    assert_eq!(figures.rules.len(), 6);
    assert!(figures.rules.iter().any(|rule| rule.a_game.value > 0.0));
}

#[test]
fn pages_say_what_the_figures_say() {
    let collected = collected("palisade:5", 2);
    let game = collected.plan.game;
    let all = figures(&collected).unwrap();
    let score = stoa_report::words::percent(&all.strengths[2].first_score);
    let board = Board::new(game, None, Some(all));
    let sentence = board.answers[0].clone();
    assert!(
        sentence.starts_with(&format!("The first player (Black) scores {score}")),
        "{sentence}"
    );
    let report = Report::new(game, vec![board.clone(), board], "a <test>".to_owned());
    let blocks = document(&report);
    let text = markdown(&blocks);
    assert!(text.contains(&format!("- {sentence}\n")));
    assert!(text.contains("## Side by side"));
    let page = html("Palisade", &blocks);
    assert!(page.contains("a &lt;test&gt;") && !page.contains("<test>"));
    assert_eq!(page.matches("<svg ").count(), page.matches("</svg>").count());
    assert!(!page.contains("NaN") && !text.contains("NaN") && !page.contains("src="));
    let json: serde_json::Value = serde_json::from_str(&report.json().unwrap()).unwrap();
    assert_eq!(json["boards"][0]["figures"]["game"], "palisade:5");
    assert_eq!(
        json["boards"][0]["command"],
        "stoa report palisade:5 --rounds 2 --seed 11 --out reports"
    );
}
