//! The `stoa` command as people and programs use it: readable transcripts in `cmd/`, and a hundred
//! malformed inputs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output, Stdio};

/// `STOA_BLESS=1 cargo test -p stoa --test cli transcripts` writes them anew.
#[test]
fn transcripts() {
    // Trycmd has a variable of its own, which it reads from the environment of this very process.
    let (bless, overwrite) = ("STOA_BLESS", "TRYCMD");
    if std::env::var_os(bless).is_some() && std::env::var_os(overwrite).is_none() {
        let mut again = Command::new(std::env::current_exe().unwrap());
        let status = again.args(["--exact", "transcripts"]).env(overwrite, "overwrite").status();
        assert!(status.unwrap().success());
        return;
    }
    let cases = trycmd::TestCases::new();
    cases.env("STOA_TABLES", "no-such-tables").env("NO_COLOR", "1").env("COLUMNS", "80");
    cases.case("tests/cmd/*.md").case("../../docs/formats.md");
    if cfg!(not(feature = "bot")) {
        cases.skip("tests/cmd/bot.md");
    }
}

fn stoa(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(args)
        .stdin(Stdio::null())
        .env("STOA_TABLES", "no-such-tables")
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

/// Positions that are no positions, by game.
const BAD_POSITIONS: &[(&str, &[&str])] = &[
    (
        "colonnade",
        &[
            "",
            " ",
            "-",
            "r",
            "-/-/-/-/-/-/- r",
            "-/-/-/-/-/-/-/-/- r",
            "-/-/-/-/-/-/-/-",
            "-/-/-/-/-/-/-/- ",
            "-/-/-/-/-/-/-/- w",
            "-/-/-/-/-/-/-/- r b",
            "-/-/-/-/-/-/-/-  r x",
            "x/-/-/-/-/-/-/- r",
            "/-/-/-/-/-/-/- r",
            "rr/-/-/-/-/-/-/- r",
            "rb-/-/-/-/-/-/-/- r",
            "-r/-/-/-/-/-/-/- r",
            "brbr/brbr/brbr/brbr/brbr/brbr/brbr/- r",
            "R/-/-/-/-/-/-/- r",
            "-/-/-/-/-/-/-/- R",
            "rbrbrbrbrbrbrbrbrbrbrbrbr/-/-/-/-/-/-/- r",
            "-\n/-/-/-/-/-/-/- r",
            "é/-/-/-/-/-/-/- r",
        ],
    ),
    (
        "impasse",
        &[
            "",
            "8/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8 w",
            "8/8/8/8/8/8/8/8/8 w",
            "9/8/8/8/8/8/8/8 w",
            "7/8/8/8/8/8/8/8 w",
            "08/8/8/8/8/8/8/8 w",
            "8/8/8/8/8/8/8/8 x",
            "8/8/8/8/8/8/8/8 w 0",
            "w7/8/8/8/8/8/8/8 w",
            "8/8/8/8/8/8/8/1w6 w",
            "1W1W1W1W/W1W1W1W1/8/8/8/8/8/8 w",
            "8/8/8/8/8/8/8/q7 w",
            "8/8/8/8/8/8/8/-8 w",
            "8/8/8/8/8/8/8/99999999999999999999 w",
            "1W6x/8/8/8/8/8/8/8 w",
            "44/8/8/8/8/8/8/8  w w",
        ],
    ),
    (
        "palisade",
        &[
            "",
            "1 b",
            "2/2 b",
            "4/4/4/4 b",
            "21/21 b",
            "3/3/3",
            "3/3/3 r",
            "3/3 b",
            "3/3/4 b",
            "3/3/2 b",
            "w2/3/3 b",
            "1b1/3/3 b",
            "3/3/3 b b",
            "3/3/x2 b",
            "3/3/-3 b",
            "3/3/0b2 b",
            "3/3/ b",
            "//  b",
            "3/3/3/ b",
            "3\t/3/3 b",
            "3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3 b",
            "99/99/99 b",
        ],
    ),
    (
        "columna",
        &[
            "",
            "x7/x7/x7/x7/x7/x7/x7",
            "x7/x7/x7/x7/x7/x7 a1 i9 b 0",
            "x7/x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0",
            "x8/x7/x7/x7/x7/x7/x7 a1 i9 b 0",
            "x6/x7/x7/x7/x7/x7/x7 a1 i9 b 0",
            "x7/x7/x7/x7/x7/x7/x7 a1 b 0",
            "x7/x7/x7/x7/x7/x7/x7 a1 i9 r 0",
            "x7/x7/x7/x7/x7/x7/x7 a1 i9 b",
            "x7/x7/x7/x7/x7/x7/x7 a1 i9 b -1",
            "x7/x7/x7/x7/x7/x7/x7 a1 i9 b 41",
            "x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0 0",
            "b5,x6/x7/x7/x7/x7/x7/x7 a1 i9 b 0",
            "b0,x6/x7/x7/x7/x7/x7/x7 a1 i9 b 0",
            "b,x6/x7/x7/x7/x7/x7/x7 a1 i9 b 0",
            "b1x6/x7/x7/x7/x7/x7/x7 a1 i9 b 0",
            "b1,,x6/x7/x7/x7/x7/x7/x7 a1 i9 b 0",
            "x7/x7/x7/x7/x7/x7/x7 a1 a1 b 0",
            "x7/x7/x7/x7/x7/x7/x7 a9 i9 b 0",
            "x7/x7/x7/x7/x7/x7/x7 d4 i9 b 0",
            "x7/x7/x7/x7/x7/x7/x7 a4 a5 b 0",
            "x7/x7/x7/x7/x7/x7/x7 a4 b9 b 0",
            "x7/x7/x7/x7/x7/x7/x7 j4 i9 b 0",
            "x0,x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0",
        ],
    ),
    (
        "colossus",
        &[
            "",
            "t2W/5/6/t5t/6/5/B2t",
            "t2W/5/6/t5t/6/5/B2t b",
            "t2W/5/6/t5t/6/5/B2t b 3",
            "t2W/5/6/t5t/6/5/B2t b 3 0",
            "t2W/5/6/t5t/6/5/B2t x 3 0 6",
            "t2W/5/6/t5t/6/5/B2t b 4 0 6",
            "t2W/5/6/t5t/6/5/B2t b 3 41 6",
            "t2W/5/6/t5t/6/5/B2t b 3 0 5",
            "t2W/5/6/t5t/6/5/B2t b 3 0 38",
            "t2W/5/6/t5t/6/5/B2t b 3 0 6 1",
            "t2W/5/6/t5t/6/5 b 3 0 6",
            "t3W/5/6/t5t/6/5/B2t b 3 0 6",
            "t2W/5/6/t4t/6/5/B2t b 3 0 6",
            "t2W/6/6/t5t/6/5/B2t b 3 0 6",
            "q3/5/6/t5t/6/5/B2t b 3 0 6",
            "tttt/ttttt/6/7/6/5/4 b 3 0 9",
            "tttt/ttttt/t5/7/6/5/4 b 0 0 10",
            "t2W/5/6/t5t/6/5/B2t b -3 0 6",
            "t2W/5/6/t5t/6/5/B2t b 3 0 6.5",
        ],
    ),
];

/// Moves that are no moves from the start, by game.
const BAD_MOVES: &[(&str, &[&str])] = &[
    (
        "colonnade",
        &[
            "", " ", "b<", "1b", "1z<", "0b<", "99b<", "1b<<", "1b< 1c<", "-1b<", "2b<", "4b<",
            "1a>", "1h<", "b1<", "１b<",
        ],
    ),
    (
        "impasse",
        &[
            "",
            "d2",
            "d2-",
            "d2-b4-",
            "d2-d3",
            "d2-e9",
            "i1-j2",
            "d2-b4*",
            "d2-b4+a1>b4",
            "*d2",
            "**",
            "d2=c3",
            "c1-d2",
            "d2-d2",
            "a1-h8",
            "d2–b4",
        ],
    ),
    ("palisade", &["", "a", "1", "a0", "a20", "t1", "b1", "aa1", "a1b2", "a01", "-a1", "a1a1"]),
    (
        "columna",
        &[
            "", "pass", "a4", "a4@", "a4@d5", "a1@b2", "i9@h8", "d4@d4", "a4,d4-d6", "a4,d4",
            "a4@d4@d4", "@d4", "a9@b8", "a4d4",
        ],
    ),
    (
        "colossus",
        &[
            "",
            "a1",
            "d4",
            "a1-a2",
            "a1-c2-c3",
            "g4-e4",
            "d1=",
            "d1=b1",
            "d1=b1.c1",
            "d1=b1.c1+",
            "h1",
            "a9",
            "a1-",
            "b2.c3",
            "=b1",
        ],
    ),
];

#[test]
fn bad_input_is_refused_with_exit_code_2() {
    let mut count = 0;
    let mut refused = |args: &[&str]| {
        let output = stoa(args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}\n{error}");
        assert!(output.stdout.is_empty(), "{args:?}");
        assert!(error.starts_with("stoa: ") || error.starts_with("error: "), "{args:?}\n{error}");
        assert!(!error.contains("panicked"), "{args:?}\n{error}");
        count += 1;
    };
    for (game, positions) in BAD_POSITIONS {
        for position in *positions {
            refused(&["moves", game, "--position", position]);
        }
    }
    for (game, moves) in BAD_MOVES {
        for mv in *moves {
            refused(&["apply", game, mv]);
        }
    }
    assert!(count > 150, "{count}");
}

/// Arguments that are not even UTF-8.
#[cfg(unix)]
#[test]
fn arguments_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    for args in [["moves", ""].as_slice(), &["apply", "impasse", ""], &["replay", ""]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stoa"));
        command.args(&args[..args.len() - 1]).arg(OsStr::from_bytes(b"\xff\xfe"));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    }
}

/// A reader that goes away is not an error.
#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(["rules", "columna"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A picture is written whole, and a failure leaves the old one.
#[test]
fn pictures_are_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.svg");
    let path = file.to_str().unwrap();
    for game in stoa_rules::Game::variants() {
        assert!(stoa(&["show", &game.to_string(), "--svg", path]).status.success());
        let svg = std::fs::read_to_string(&file).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("<title>"), "the designer is named");
    }
    let before = std::fs::read(&file).unwrap();
    assert_eq!(stoa(&["show", "impasse", "x", "--svg", path]).status.code(), Some(2));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Records in every state of damage.
#[test]
fn damaged_records() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.stoa");
    let sound = std::fs::read("tests/cmd/game.stoa").unwrap();
    for cut in [0, 3, 14, 60, 110, 130] {
        std::fs::write(&file, &sound[..cut]).unwrap();
        let output = stoa(&["replay", file.to_str().unwrap(), "--check"]);
        assert!(matches!(output.status.code(), Some(0 | 2)), "{cut}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    }
    for damage in [b"\xff\xfe\x00".as_slice(), b"game: impasse\n\n1. \x00", b"\x7fELF\x02\x01"] {
        std::fs::write(&file, damage).unwrap();
        let output = stoa(&["replay", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
    }
    assert_eq!(stoa(&["replay", folder.path().to_str().unwrap()]).status.code(), Some(2));
}

#[test]
fn every_command_has_help_and_every_shell_completions() {
    for command in [
        "play",
        "games",
        "rules",
        "show",
        "moves",
        "apply",
        "perft",
        "random",
        "replay",
        "analyse",
        "review",
        "bench",
        "ugi",
        "tune",
        "match",
        "ladder",
        "openings",
        "completions",
    ] {
        let output = stoa(&[command, "--help"]);
        assert!(output.status.success());
        assert!(output.stdout.len() > 100, "{command}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = stoa(&["completions", shell]);
        assert!(String::from_utf8_lossy(&output.stdout).contains("perft"), "{shell}");
    }
}

#[test]
fn bench_measures_every_game() {
    let output = stoa(&["bench", "--seconds", "0.01", "--json"]);
    let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let figures = figures.as_array().unwrap();
    for game in stoa_rules::Game::ALL {
        let id = game.info().id;
        let is_of_game = |name: &str| name.split(':').next() == Some(id);
        assert!(figures.iter().any(|figure| is_of_game(figure["game"].as_str().unwrap())), "{id}");
    }
    assert!(figures.iter().all(|figure| figure["games_per_second"].as_f64().unwrap() > 0.0));
}
