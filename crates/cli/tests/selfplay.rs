//! `stoa selfplay` and `stoa samples`: games that can be repeated and continued, and rows for training.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::{Command, Output};

fn stoa(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stoa")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Plays a few short games into a file.
fn selfplay(file: &Path, games: &str, threads: &str) -> Output {
    let file = file.to_str().unwrap();
    let how = ["--nodes", "60", "--seed", "5", "--explore", "100", "--aside", "300"];
    let args = [&["selfplay", "impasse", "--out", file], &how[..], &["--games", games]].concat();
    stoa(&[&args[..], &["--threads", threads]].concat())
}

#[test]
fn games_can_be_continued_and_repeated_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole.games", "parts.games"].map(|name| folder.path().join(name));
    let output = selfplay(&whole, "6", "1");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("impasse: 6 games, "), "{}", text(&output.stdout));
    assert!(selfplay(&parts, "2", "2").status.success());
    // A run that was killed while it wrote a game.
    let bytes = std::fs::read(&parts).unwrap();
    std::fs::write(&parts, &bytes[..bytes.len() - 7]).unwrap();
    let output = selfplay(&parts, "6", "2");
    assert!(text(&output.stdout).starts_with("impasse: 5 games, "), "{}", text(&output.stdout));
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&parts).unwrap());
    let output = selfplay(&parts, "6", "2");
    assert!(text(&output.stdout).starts_with("impasse: 0 games, "), "{}", text(&output.stdout));
}

#[test]
fn samples_have_a_row_for_every_position_that_was_searched() {
    let folder = tempfile::tempdir().unwrap();
    let [games, rows] = ["a.games", "a.samples"].map(|name| folder.path().join(name));
    assert!(selfplay(&games, "3", "1").status.success());
    let [games, rows] = [&games, &rows].map(|path| path.to_str().unwrap());
    let output = stoa(&["samples", "impasse", "--out", rows, games]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let bytes = std::fs::read(rows).unwrap();
    let header = text(&bytes[..256]);
    let expected = "stoa-samples 3 game=impasse inputs=64,64 max-set=24 buckets=8 weights=";
    assert!(header.starts_with(expected), "{header}");
    let (header, row) = (256, 2 * 8 + 10);
    assert_eq!((bytes.len() - header) % row, 0);
    let count = (bytes.len() - header) / row;
    assert_eq!(text(&output.stdout), format!("impasse: {count} samples of 3 games\n"));
}

/// Alpha-beta has no use for a network that guides a tree search.
#[test]
fn self_play_of_palisade_judges_by_terms() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.games");
    let name = file.to_str().unwrap();
    let play = ["selfplay", "palisade:5", "--games", "2", "--nodes", "50", "--out", name];
    assert!(stoa(&play).status.success());
    let header = std::fs::read(&file).unwrap();
    assert!(text(&header[..200]).contains("terms "), "{}", text(&header[..200]));
}

#[test]
fn mismatched_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.games");
    let name = file.to_str().unwrap();
    let refused = |args: &[&str], reason: &str| {
        let output = stoa(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(reason), "{args:?}: {}", text(&output.stderr));
    };
    assert!(selfplay(&file, "1", "1").status.success());
    refused(&["selfplay", "impasse", "--out", name], "played otherwise");
    // Another network is noticed by its numbers, whatever its file is called.
    let net = folder.path().join("a.net");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src/games/impasse/default.net");
    std::fs::copy(shipped, &net).unwrap();
    let by_net = folder.path().join("net.games");
    let [net, by_net] = [&net, &by_net].map(|path| path.to_str().unwrap());
    let play = ["selfplay", "impasse", "--games", "1", "--nodes", "20", "--out", by_net];
    assert!(stoa(&[&play[..], &["--evaluation", net]].concat()).status.success());
    assert!(stoa(&[&play[..], &["--evaluation", "net"]].concat()).status.success());
    refused(&[&play[..], &["--evaluation", "terms"]].concat(), "played otherwise");
    refused(
        &["selfplay", "colossus", "--out", name],
        "these are games of impasse, not of colossus",
    );
    let rows = folder.path().join("a.samples");
    let rows = rows.to_str().unwrap();
    refused(&["samples", "colossus", "--out", rows, name], "games of impasse, not of colossus");
    refused(&["samples", "palisade:9", "--out", rows, name], "no network for palisade:9 learns");
    refused(&["lessons", "impasse", "--out", rows], "is not a policy network");
    refused(&["lessons", "impasse"], "is not played with a policy network");
    refused(&["samples", "impasse", "--out", rows, "no.games"], "cannot read no.games");
    std::fs::write(&file, "something else").unwrap();
    refused(&["samples", "impasse", "--out", rows, name], "not a file of self-played games");
    refused(&["analyse", "impasse", "--evaluation", name], "this is not a network file");
    refused(&["analyse", "impasse", "--evaluation", "no.net"], "cannot read no.net");
    let by_points = ["analyse", "columna:points", "--evaluation", "net"];
    refused(&by_points, "no network for columna:points comes with");
}

#[test]
fn the_network_that_comes_with_the_engine_can_be_asked() {
    for game in ["impasse", "colossus", "palisade:5"] {
        let limits = ["--nodes", "3000", "--threads", "1", "--json"];
        let args = [&["analyse", game, "--evaluation", "net"], &limits[..]].concat();
        let output = stoa(&args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let terms = stoa(&[&["analyse", game], &limits[..]].concat());
        assert_ne!(text(&output.stdout), text(&terms.stdout), "{game}: the evaluations differ");
    }
}

/// The length of a sample of 5×5: see `stoa_engine::selfplay::guided`.
const ROW: usize = 8 + 5 * 25;

/// The games of a file of lessons, by their numbers.
fn games_of(file: &Path) -> Vec<(u32, Vec<u8>)> {
    let bytes = std::fs::read(file).unwrap();
    assert!(bytes.starts_with(b"stoa-lessons 1\ngame: palisade:5\nplayed: network "));
    let mut rest = &bytes[bytes.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2..];
    let mut games = Vec::new();
    while !rest.is_empty() {
        let number = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
        let end = 8 + number(0) as usize;
        let rows = &rest[8..end];
        assert!(rows.chunks(ROW).all(|row| row[..4] == rest[4..8]));
        games.push((number(4), rows.to_vec()));
        rest = &rest[end..];
    }
    games
}

/// Whether rows are what they say: of 5×5, with visits where the player to move may move.
fn are_lessons(bytes: &[u8]) {
    assert!(!bytes.is_empty() && bytes.len().is_multiple_of(ROW), "{} bytes", bytes.len());
    for row in bytes.chunks(ROW) {
        assert!(row[6] <= 1 && row[7] == 5, "{row:?}");
        let cell = |from: usize, cell: usize| {
            u16::from_le_bytes([row[from + 2 * cell], row[from + 2 * cell + 1]])
        };
        let visits: u32 = (0..25).map(|at| u32::from(cell(8 + 50, at))).sum();
        assert!(visits > 0, "{row:?}");
        for at in 0..25 {
            let open = cell(8, at) >> 4 & 1;
            assert!(open == 1 || cell(8 + 50, at) == 0, "visits of {at}: {row:?}");
            assert!(row[8 + 100 + at] <= 1, "{row:?}");
        }
    }
}

#[test]
fn lessons_are_played_with_the_engines_network() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.lessons");
    let name = file.to_str().unwrap();
    let args = ["lessons", "palisade:5", "--out", name, "--seconds", "1", "--threads", "2"];
    let quick = ["--batch", "2", "--full", "6", "--quick", "3"];
    let output = stoa(&[&args[..], &quick].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("samples of"), "{}", text(&output.stdout));
    let first = games_of(&file);
    are_lessons(&first.iter().flat_map(|(_, rows)| rows.clone()).collect::<Vec<_>>());
    // No game was left unfinished when the time was up.
    let mut numbers: Vec<u32> = first.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    assert!(numbers.iter().copied().eq(0..numbers.len() as u32), "{numbers:?}");
    // A run that was killed while it wrote a game goes on; on another number of threads, too.
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 7]).unwrap();
    let again = ["lessons", "palisade:5", "--out", name, "--seconds", "1", "--threads", "1"];
    assert!(stoa(&[&again[..], &quick].concat()).status.success());
    let second = games_of(&file);
    assert!(second.len() > first.len());
    assert_eq!(second[..first.len() - 1], first[..first.len() - 1]);
    let mut numbers: Vec<u32> = second.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    assert!(numbers.iter().copied().eq(0..numbers.len() as u32), "{numbers:?}");
    assert!(second.contains(first.last().unwrap()), "the game that was cut off is played again");
    // Others are not mixed in.
    let refused = |args: &[&str], reason: &str| {
        let output = stoa(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(reason), "{args:?}: {}", text(&output.stderr));
    };
    refused(&args, "played otherwise");
    refused(&["lessons", "palisade:7", "--out", name], "games of palisade:5, not of palisade:7");
    std::fs::write(&file, [&bytes[..], &[4, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4]].concat()).unwrap();
    refused(&[&args[..], &quick].concat(), "is damaged");
    std::fs::write(&file, "something else").unwrap();
    refused(&args, "not a file of lessons");
}

/// Whoever should judge says nothing.
#[test]
#[cfg(unix)]
fn players_that_wait_for_judgements_can_be_interrupted() {
    use std::io::Read;
    let mut player = Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(["lessons", "palisade:5", "--threads", "1", "--batch", "1"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    player.stdout.as_mut().unwrap().read_exact(&mut [0; 16 + 50]).unwrap();
    let id = player.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let began = std::time::Instant::now();
    while player.try_wait().unwrap().is_none() {
        if began.elapsed().as_secs() > 20 {
            player.kill().unwrap();
            panic!("it waits for ever");
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// Another program judges the positions: here it finds all moves equally good.
#[test]
fn lessons_are_played_over_pipes() {
    use std::io::{Read, Write};
    let mut player = std::process::Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(["lessons", "palisade:5", "--threads", "2", "--batch", "3"])
        .args(["--full", "6", "--quick", "3"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let (mut to, mut from) = (player.stdin.take().unwrap(), player.stdout.take().unwrap());
    let mut samples = Vec::new();
    while samples.len() < 20 * ROW {
        let mut header = [0; 16];
        from.read_exact(&mut header).unwrap();
        let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().unwrap());
        let mut payload = vec![0; number(12) as usize];
        from.read_exact(&mut payload).unwrap();
        match number(0) {
            1 => {
                assert_eq!(payload.len(), number(8) as usize * 50);
                to.write_all(&header[4..12]).unwrap();
                to.write_all(&vec![0; number(8) as usize * 2 * 26]).unwrap();
            }
            2 => {
                assert_eq!(payload.len(), number(8) as usize * ROW);
                samples.extend(payload);
            }
            other => panic!("message {other}"),
        }
    }
    are_lessons(&samples);
    // When nobody judges any more, it ends by itself.
    drop((to, from));
    assert!(player.wait().unwrap().code().is_some());
}
