//! `stoa report`: pages from games, and clear words where there is nothing to report.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn report(out: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stoa"));
    command.arg("report").args(args).arg("--out").arg(out).output().unwrap()
}

fn refused(out: &Path, args: &[&str]) -> String {
    let output = report(out, args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The smallest board: games of it take no time.
const SMALL: [&str; 3] = ["palisade:3", "--rounds", "1"];

#[test]
fn a_report_is_played_written_and_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let output = report(folder.path(), &SMALL);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("palisade:3: 30 games in ") && said.contains("palisade.html"), "{said}");
    let pages = ["palisade.md", "palisade.html", "palisade.json"].map(read);
    // Exact answers come before opinions.
    assert!(pages[0].contains("With best play White wins: the second player."), "{}", pages[0]);
    assert!(pages[0].contains("stoa report palisade:3 --rounds 1 --seed 1"));
    assert!(serde_json::from_str::<serde_json::Value>(&pages[2]).is_ok());
    // Nothing more to play; the same pages again, from the games that are there.
    let again = report(folder.path(), &["palisade:3", "--write-only"]);
    assert!(again.status.success());
    assert_eq!(pages, ["palisade.md", "palisade.html", "palisade.json"].map(read));
    // Elsewhere, on another number of threads.
    let other = tempfile::tempdir().unwrap();
    assert!(report(other.path(), &[&SMALL[..], &["--threads", "3"]].concat()).status.success());
    assert_eq!(pages[2], fs::read_to_string(other.path().join("palisade.json")).unwrap());
    // Two machines, each with its share.
    let shared = tempfile::tempdir().unwrap();
    for share in ["1/2", "2/2"] {
        let args = [&SMALL[..], &["--play-only", "--share", share]].concat();
        assert!(report(shared.path(), &args).status.success());
    }
    assert!(report(shared.path(), &["palisade:3", "--write-only"]).status.success());
    let text = fs::read_to_string(shared.path().join("palisade.md")).unwrap();
    assert!(text.contains("--rounds 2 --seed 1"), "{text}");
}

#[test]
fn invalid_report_arguments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let said = refused(out, &["palisade:4"]);
    assert!(said.contains("palisade"), "{said}");
    assert!(refused(out, &["chess"]).contains("there is no game 'chess'"));
    assert!(refused(out, &["palisade:3", "--rounds", "0"]).contains("1..=100000"));
    assert!(refused(out, &["palisade:3", "--share", "3/2"]).contains("such as 2/4"));
    assert!(refused(out, &["impasse", "--write-only"]).contains("there are no games of impasse"));
    let both = refused(out, &["impasse", "--write-only", "--play-only"]);
    assert!(both.contains("cannot be used with"), "{both}");
    // A folder that cannot be.
    let file = out.join("file");
    fs::write(&file, "").unwrap();
    assert!(refused(&file, &SMALL).contains("cannot make the folder"));
    // Parts that were played with other seeds do not mix.
    assert!(report(out, &[&SMALL[..], &["--play-only"]].concat()).status.success());
    let args = [&SMALL[..], &["--play-only", "--seed", "2"]].concat();
    let said = refused(out, &args);
    assert!(said.contains("palisade-3.games has games that were played otherwise"), "{said}");
    let other = ["palisade:3", "--rounds", "1", "--play-only", "--seed", "2", "--share", "1/2"];
    assert!(report(out, &other).status.success());
    assert!(refused(out, &["palisade:3", "--write-only"]).contains("played otherwise"));
    // A foreign file with the name of a part.
    fs::write(out.join("parts/letter.games"), "Dear friend,\n").unwrap();
    let said = refused(out, &["palisade:3", "--write-only"]);
    assert!(said.contains("letter.games: this is not a file of self-played games"), "{said}");
}
