//! Other programs in `stoa match`.

use std::path::Path;
use std::process::Command;

use crate::docs::page;

const STOA: &str = env!("CARGO_BIN_EXE_stoa");

/// Plays a match of a few games against a random mover, and returns what went wrong on A's side.
fn match_against_random(game: &str, player: &str, games: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("games");
    // Programs that are started find this very `stoa`.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let ours = Path::new(STOA).parent().unwrap().to_owned();
    let path = std::env::join_paths(std::iter::once(ours).chain(std::env::split_paths(&path)));
    let output = Command::new(STOA)
        .args(["match", game, "--a", player, "--b", "random", "--games", games, "--time", "30ms"])
        .args(["--concurrency", "1", "--margin", "20s", "--json", "--records"])
        .arg(&records)
        .env("PATH", path.unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["games"].to_string(), games);
    assert_eq!(summary["b"]["forfeits"], 0);
    let records = std::fs::read_to_string(records).unwrap();
    let forfeits = records.lines().filter_map(|line| line.strip_prefix("forfeit: "));
    let forfeits: Vec<String> = forfeits.map(str::to_owned).collect();
    assert_eq!(summary["a"]["forfeits"], forfeits.len());
    forfeits
}

#[test]
fn our_own_engine_plays_over_pipes_as_well() {
    for game in ["colonnade", "palisade:5", "columna:points", "colossus"] {
        let player = format!("ugi:'{STOA}' ugi {game} ;Level=2,Hash=2,nodes=100");
        assert_eq!(match_against_random(game, &player, "2"), [""; 0], "{game}");
    }
}

/// The engine printed on the page, in a file.
fn smallest_engine() -> tempfile::NamedTempFile {
    let page = page();
    let engine = page.split("```sh\n").find(|block| block.starts_with("#!/bin/sh")).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), engine.split("```").next().unwrap()).unwrap();
    file
}

#[test]
fn the_smallest_engine_plays() {
    let engine = smallest_engine();
    let player = format!("ugi:sh '{}'", engine.path().display());
    assert_eq!(match_against_random("impasse", &player, "2"), [""; 0]);
}

#[test]
fn a_faulty_engine_loses_its_games_with_a_reason() {
    let engine = smallest_engine();
    let script = std::fs::read_to_string(engine.path()).unwrap();
    let player = format!("ugi:sh '{}'", engine.path().display());
    for (fault, why) in [
        ("echo 'bestmove a1-a1 yes';;", "it answered nonsense: in its line 'bestmove a1-a1 yes': "),
        (
            "echo help >&2; exit 3;;",
            "it crashed: no bestmove: exit status: 3; its last words: help",
        ),
    ] {
        // Faulty from its first `go`.
        let faulty = script.replacen("go*) ", &format!("go*) {fault}\n        never) "), 1);
        std::fs::write(engine.path(), faulty).unwrap();
        let forfeits = match_against_random("impasse", &player, "4");
        assert_eq!(forfeits.len(), 4, "{forfeits:?}");
        assert!(forfeits.iter().all(|forfeit| forfeit.starts_with(why)), "{forfeits:?}");
    }
}

#[test]
fn a_player_that_cannot_start_is_an_error() {
    for (player, why) in [
        ("ugi:no-such-program", "cannot run 'no-such-program'"),
        ("ugi:true", "it crashed: no ugiok: exit status: 0"),
        ("ugi:sh -c \"echo ugiok\" ;Hash=1", "it has no option 'Hash'; its options are: none"),
    ] {
        let output = Command::new(STOA)
            .args(["match", "impasse", "--a", player, "--b", "random", "--games", "2"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(why), "{error}");
    }
}
