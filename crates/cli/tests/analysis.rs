//! `stoa analyse` and `stoa review` as programs use them: their JSON, comments in records, Ctrl-C.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output, Stdio};

fn stoa(args: &[&str]) -> Output {
    stoa_reading(args, "")
}

/// The answer to a command that reads a record from standard input.
fn stoa_reading(args: &[&str], input: &str) -> Output {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env("STOA_TABLES", "no-such-tables")
        .env("NO_COLOR", "1")
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn keys(value: &serde_json::Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// What programs rely on: the fields, and whose point of view values are from.
#[test]
fn a_review_for_programs() {
    let record = std::fs::read_to_string("tests/cmd/blunder.stoa").unwrap();
    let args = ["review", "-", "--nodes", "3000", "--threads", "1", "--format", "json"];
    let output = stoa_reading(&args, &record);
    let review: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        keys(&review),
        [
            "complete",
            "first_win_probability",
            "game",
            "moves",
            "nodes_per_position",
            "outcome",
            "player_names",
            "players",
            "plies",
            "result",
            "seconds_per_position",
            "side_names",
            "start",
            "turning_points",
        ]
    );
    assert_eq!(review["complete"], true);
    assert_eq!(review["side_names"], serde_json::json!(["White", "Black"]));
    assert_eq!(review["player_names"], serde_json::json!(["Ada", "Grace"]));
    assert_eq!(review["turning_points"], serde_json::json!([0]));
    assert_eq!(review["first_win_probability"], serde_json::json!([1.0, 0.0, 0.0, 0.0, 0.0]));
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    for mv in moves {
        assert_eq!(
            keys(mv),
            [
                "after",
                "allowed_loss",
                "before",
                "best",
                "class",
                "expected",
                "findings",
                "lost",
                "missed_win",
                "move",
                "ply",
                "reason",
                "side",
            ]
        );
        assert_eq!(keys(&mv["before"]), ["first", "mover"]);
        assert_eq!(keys(&mv["before"]["mover"]), ["points", "proven", "turns", "win_probability"]);
    }
    // White throws the win away; then it is Black's, whose point of view is the opposite.
    let [blunder, answer] = [&moves[0], &moves[1]];
    assert_eq!((&blunder["side"], &blunder["class"]), (&"first".into(), &"blunder".into()));
    assert_eq!(blunder["before"]["mover"]["proven"], "win");
    assert_eq!(blunder["after"]["mover"]["proven"], "loss");
    assert_eq!((&blunder["missed_win"], &blunder["allowed_loss"]), (&3.into(), &3.into()));
    assert_eq!(answer["side"], "second");
    assert_eq!(answer["before"]["mover"]["proven"], "win");
    assert_eq!(answer["before"]["first"]["proven"], "loss");
    assert_eq!(
        keys(&review["players"][0]),
        ["accuracy", "allowed_losses", "average_loss", "counts", "missed_wins", "side"]
    );
}

/// An analysis for programs: an object a line, the last one final.
#[test]
fn an_analysis_for_programs() {
    let position = "rbr/b/r/r/brb/r/-/- r";
    let args = ["analyse", "colonnade", "--position", position, "--lines", "9", "--depth", "8"];
    let output = stoa(&[&args[..], &["--threads", "1", "--json", "--explain"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let objects: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, before) = objects.split_last().unwrap();
    assert!(before.iter().all(|object| object["final"] == false && object.get("terms").is_none()));
    assert_eq!(last["final"], true);
    assert_eq!(
        keys(last),
        [
            "depth",
            "final",
            "game",
            "lines",
            "nodes",
            "nodes_per_second",
            "outcome",
            "position",
            "result",
            "seconds",
            "strategy",
            "terms",
            "to_move",
            "to_move_name",
        ]
    );
    let lines = last["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 4, "as many as there are moves");
    assert_eq!((&lines[0]["proven"], &lines[0]["turns"]), (&"win".into(), &3.into()));
    assert_eq!(
        (&lines[0]["point_of_view"], &lines[0]["moves"][0]),
        (&"first".into(), &"1c>".into())
    );
    assert_eq!(lines[3]["proven"], "loss", "the worst comes last");
}

/// An annotated record is a sound record that keeps what was said before.
#[test]
fn a_review_as_comments() {
    let folder = tempfile::tempdir().unwrap();
    let annotated = folder.path().join("annotated.stoa");
    let picture = folder.path().join("graph.svg");
    let output = stoa(&[
        "review",
        "tests/cmd/blunder.stoa",
        "--nodes",
        "3000",
        "--threads",
        "1",
        "--annotate",
        annotated.to_str().unwrap(),
        "--format",
        "svg",
        "--output",
        picture.to_str().unwrap(),
    ]);
    assert!(output.status.success() && output.stdout.is_empty());
    let text = std::fs::read_to_string(&annotated).unwrap();
    // So few moves say nothing about accuracy.
    assert!(text.contains("{Reviewed by Stoa.}"), "{text}");
    assert!(
        text.contains("1. c3-b4?? {into the corner? Review: Misses a win in 3 turns: c3-h8"),
        "{text}"
    );
    assert!(text.contains("White's chances went from 100 % to 0 %.} g5-c1\n"), "{text}");
    let checked = stoa(&["replay", annotated.to_str().unwrap(), "--canonical"]);
    assert_eq!(String::from_utf8_lossy(&checked.stdout), text);
    // A second review takes the place of the first.
    let again = folder.path().join("again.stoa");
    let output = stoa(&[
        "review",
        annotated.to_str().unwrap(),
        "--nodes",
        "6000",
        "--threads",
        "1",
        "--annotate",
        again.to_str().unwrap(),
    ]);
    assert!(output.status.success());
    let text = std::fs::read_to_string(&again).unwrap();
    assert_eq!(text.matches("Reviewed by Stoa.").count(), 1, "{text}");
    assert_eq!(text.matches("Misses a win").count(), 1, "{text}");
    assert!(text.contains("1. c3-b4?? {into the corner? Review: Misses"), "{text}");
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("<title>1. c3-b4??: Misses a win in 3 turns"), "{svg}");
}

/// Ctrl-C ends the thinking, and what was found is printed.
#[cfg(unix)]
#[test]
fn an_interrupted_analysis_says_what_it_has() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(["analyse", "impasse", "--time", "600", "--threads", "1"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("depth 1, "));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(rest.last().unwrap().starts_with(" 1. White "), "{rest:?}");
    assert!(child.wait().unwrap().success());
}
