//! The puzzles of the web app, as they are in the repository: they can be played, no two are alike,
//! and what they say is proven is proven again. The usual run proves some of them again;
//! `STOA_MORE=10` and more proves all.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use stoa_engine::Stop;
use stoa_rules::{AnyPosition, Game};
use stoa_solve::puzzles::{Puzzle, are_alike, check};

/// How many puzzles a game has at least.
const MIN_PUZZLES: usize = 40;

/// How many puzzles of each file are proven again.
const PROVEN_AGAIN: usize = 4;

/// The puzzles of every file, by its name.
fn files() -> Vec<(String, Vec<Puzzle>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/pages/puzzles/data");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let puzzles = serde_json::from_str(&text).unwrap_or_else(|error| {
                panic!("{name}: {error}");
            });
            (name, puzzles)
        })
        .collect();
    files.sort_by(|one, other| one.0.cmp(&other.0));
    files
}

fn position(puzzle: &Puzzle) -> AnyPosition {
    puzzle.game.parse::<Game>().unwrap().position(&puzzle.position).unwrap()
}

#[test]
fn every_game_has_puzzles() {
    let files = files();
    for game in Game::ALL {
        let own = files.iter().flat_map(|(_, puzzles)| puzzles);
        let count =
            own.filter(|puzzle| position(puzzle).game().info().id == game.info().id).count();
        assert!(count >= MIN_PUZZLES, "{game}: {count} puzzles");
    }
    for (name, puzzles) in &files {
        let grades: HashSet<u8> = puzzles.iter().map(|puzzle| puzzle.grade).collect();
        assert!(grades.len() >= 3, "{name}: {grades:?}");
        let easy = puzzles.iter().filter(|puzzle| puzzle.grade == 1).count();
        assert!(easy * 5 <= puzzles.len() * 2, "{name}: {easy} easy ones");
        for puzzle in puzzles {
            assert_eq!(puzzle.game.replace(':', "-"), *name);
        }
    }
}

#[test]
fn puzzles_can_be_played() {
    for (name, puzzles) in files() {
        for puzzle in puzzles {
            let mut at = position(&puzzle);
            assert!(at.outcome().is_none() && at.count_moves() >= 3, "{}", puzzle.id);
            let solver = at.side_to_move();
            for (index, turn) in puzzle.turns.iter().enumerate() {
                // Several moves may end the game, nothing else.
                for mv in turn.accepted.iter().skip(1) {
                    let mut ended = at.clone();
                    ended.play(mv).unwrap();
                    assert!(index > 0 && ended.outcome().is_some(), "{name} {}", puzzle.id);
                }
                assert_eq!(at.side_to_move(), solver, "{name} {}", puzzle.id);
                at.play(&turn.accepted[0]).unwrap();
                if at.outcome().is_some() && index == 0 {
                    assert_eq!(puzzle.grade, 1, "{name} {}: a win at once is easy", puzzle.id);
                }
                if let Some(reply) = &turn.reply {
                    at.play(reply).unwrap();
                }
            }
            for mv in &puzzle.rest {
                at.play(mv).unwrap();
            }
            if let Some(plies) = puzzle.plies {
                assert!(puzzle.turns.len() * 2 <= plies as usize + 1, "{name} {}", puzzle.id);
            }
        }
    }
}

#[test]
fn no_two_puzzles_are_alike() {
    for (name, puzzles) in files() {
        let positions: Vec<AnyPosition> = puzzles.iter().map(position).collect();
        let ids: HashSet<&str> = puzzles.iter().map(|puzzle| puzzle.id.as_str()).collect();
        assert_eq!(ids.len(), puzzles.len(), "{name}");
        for (index, one) in positions.iter().enumerate() {
            for other in &positions[..index] {
                assert!(!are_alike(one, other), "{name}: {one} and {other}");
            }
        }
    }
}

#[test]
fn proven_puzzles_are_proven_again() {
    let more: usize = std::env::var("STOA_MORE").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for (name, puzzles) in files() {
        let step = (puzzles.len() / (PROVEN_AGAIN * more)).max(1);
        for puzzle in puzzles.iter().step_by(step) {
            assert_eq!(check(puzzle, &Stop::new()), Ok(()), "{name} {}", puzzle.id);
        }
    }
}

#[test]
fn the_same_seed_finds_the_same_on_any_number_of_threads() {
    let puzzles = |threads: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_stoa"))
            .args(["puzzles", "colonnade", "--count", "3", "--games", "16", "--seed", "5"])
            .args(["--threads", threads])
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let alone = puzzles("1");
    assert!(alone.contains("\"goal\":\"win\""), "{alone}");
    assert_eq!(alone, puzzles("2"));
}
