//! Matches as people run them: the same result on one core as on two, games that can be read back,
//! and an interruption that loses nothing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn stoa(args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_stoa")).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Plays a match, and leaves out of the summary what depends on the machine's mood.
fn summary(args: &[&str]) -> Value {
    let output = stoa(&[&["match"], args, &["--json"]].concat());
    let mut summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    summary.as_object_mut().unwrap().remove("seconds");
    for player in ["a", "b"] {
        let player = summary[player].as_object_mut().unwrap();
        player.remove("mean_seconds");
        player.remove("slowest_seconds");
    }
    summary
}

#[test]
fn the_number_of_cores_changes_nothing() {
    for (game, a, b) in [
        ("colonnade", "alphabeta,nodes=300", "mcts,playouts=40"),
        ("impasse", "level=3,nodes=200", "skill=50/300,depth=2"),
        ("palisade:5", "uct,playouts=20", "random"),
    ] {
        let played = |concurrency: &str, seed: &str| {
            summary(&[
                game,
                "--a",
                a,
                "--b",
                b,
                "--games",
                "12",
                "--concurrency",
                concurrency,
                "--seed",
                seed,
            ])
        };
        let one = played("1", "3");
        assert_eq!(one["games"], 12);
        assert_eq!(one, played("2", "3"), "{game}");
        assert_eq!(one, played("5", "3"), "{game}");
        assert_ne!(one["mean_moves"], played("2", "4")["mean_moves"], "{game}: another seed");
    }
}

#[test]
fn a_test_ends_the_match_at_the_same_game_on_any_number_of_cores() {
    let played = |concurrency: &str| {
        summary(&[
            "impasse",
            "--a",
            "alphabeta,depth=2",
            "--b",
            "random",
            "--games",
            "1000",
            "--sprt",
            "elo0=0,elo1=100",
            "--concurrency",
            concurrency,
        ])
    };
    let one = played("1");
    assert_eq!(one["sprt"]["verdict"], "accept");
    assert!(one["games"].as_u64().unwrap() < 100, "{one}");
    assert_eq!(one, played("3"));
}

/// All but the comments, which have the times.
fn without_comments(record: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in record.chars() {
        match c {
            '{' => inside = true,
            '}' => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text
}

#[test]
fn the_games_can_be_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let (file, games) = (folder.path().join("games.txt"), folder.path().join("games/"));
    for path in [&file, &games] {
        let path = path.to_str().unwrap();
        // With time enough that only the level limits the search, also on a busy machine.
        let players = ["columna", "--a", "random", "--b", "level=4", "--time", "60"];
        summary(&[&players[..], &["--games", "6", "--records", path]].concat());
    }
    let mut single = String::new();
    for number in 1..=3 {
        for letter in ["a", "b"] {
            let path = games.join(format!("{number:05}{letter}.stoa"));
            stoa(&["replay", path.to_str().unwrap(), "--check"]);
            single.push_str(&std::fs::read_to_string(path).unwrap());
            single.push('\n');
        }
    }
    let all = std::fs::read_to_string(&file).unwrap();
    assert_eq!(all.matches("game: columna\n").count(), 6);
    assert_eq!(all.matches("\nblack: random\n").count(), 3, "sides are swapped");
    assert!(all.contains(", depth "), "players say what they thought");
    assert_eq!(without_comments(&all), without_comments(&single));
}

#[test]
fn a_ladder_has_a_rung_for_each_level() {
    let output = stoa(&["ladder", "colonnade", "--levels", "2-4", "--games", "8", "--json"]);
    let rungs: Value = serde_json::from_slice(&output.stdout).unwrap();
    let levels: Vec<u64> =
        rungs.as_array().unwrap().iter().map(|rung| rung["level"].as_u64().unwrap()).collect();
    assert_eq!(levels, [2, 3, 4]);
    assert!(rungs[0]["step"].is_null() && rungs[2]["step"]["games"] == 8, "{rungs}");
    let output = stoa(&["ladder", "colonnade", "--levels", "2-3", "--games", "4", "--markdown"]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("|---:|---|") && table.contains("\n| 3 | Novice | "), "{table}");
    let again = "`stoa ladder colonnade --levels 2-3 --games 4 --seed 1 --markdown`\n\n";
    assert!(table.starts_with(again), "{table}");
}

#[test]
fn calibration_ends_with_a_table_of_levels() {
    let output = stoa(&["ladder", "colonnade", "--levels", "2-3", "--games", "4", "--calibrate"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\nlevel 2 Visitor: "), "{text}");
    let (_, table) = text.split_once("\n// colonnade, levels 2 to 3\n[\n").unwrap();
    assert_eq!(table.lines().filter(|line| line.starts_with("    (")).count(), 2, "{text}");
}

#[test]
fn openings_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    for more in [[].as_slice(), &["--positions"]] {
        let output = stoa(&[&["openings", "impasse", "--count", "5"], more].concat());
        std::fs::write(&file, &output.stdout).unwrap();
        let path = file.to_str().unwrap();
        let players = ["--a", "random", "--b", "random", "--openings", path, "--games", "10"];
        assert_eq!(summary(&[&["impasse"], players.as_slice()].concat())["games"], 10);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_says_what_there_is() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(["match", "colonnade", "--a", "random", "--b", "best,time=50ms", "--games", "100000"])
        .args(["--concurrency", "1", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut stdout = child.stdout.take().unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut stdout, &mut text).unwrap();
    assert!(child.wait().unwrap().success());
    let summary: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(summary["interrupted"], true);
    assert!(summary["games"].as_u64().unwrap() < 100_000);
}
