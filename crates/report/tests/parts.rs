//! Parts of reports: the same on any machine, continued, put together, and refused when damaged.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use stoa_engine::Stop;
use stoa_report::parts::{PartError, PartWriter, collect, file_name, plan_of};
use stoa_report::plan::{Plan, ROUND, Share};
use stoa_report::play::{fill, play_one};
use stoa_rules::Game;

fn plan() -> Plan {
    // The weakest players there are, in the game with the quickest games.
    Plan { nodes: 8, ..Plan::new(small(), 7) }
}

fn small() -> Game {
    "colossus".parse().unwrap()
}

/// Plays games into a part of a folder.
fn play(folder: &Path, plan: &Plan, share: Share, games: u64, threads: usize) -> PathBuf {
    let path = folder.join(file_name(plan.game, share));
    let mut part = PartWriter::open(&path, plan, share).unwrap();
    fill(&mut part, plan, share, games, threads, &Stop::new(), &mut || {}).unwrap();
    assert_eq!(part.games(), games);
    path
}

fn refused(plan: &Plan, paths: &[PathBuf]) -> String {
    collect(plan, paths).unwrap_err().to_string()
}

#[test]
fn one_thread_and_three_write_the_same_bytes() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for game in ["palisade:5", "impasse", "columna", "colossus"] {
        let game: Game = game.parse().unwrap();
        let plan = Plan { nodes: 4, ..Plan::new(game, 3) };
        let games = if game == small() { 45 } else { 3 };
        let [one, three] = [(0, 1), (1, 3)].map(|(folder, threads)| {
            fs::read(play(folders[folder].path(), &plan, Share::default(), games, threads)).unwrap()
        });
        assert!(one == three, "{game}");
    }
}

#[test]
fn an_interrupted_part_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = play(folder.path(), &plan(), Share::default(), 40, 1);
    let whole = fs::read(&path).unwrap();
    // Within the header, the survey, the first game, and at the very end.
    for kept in [0, 5, 100, 150, 260, whole.len() - 1] {
        fs::write(&path, &whole[..kept]).unwrap();
        play(folder.path(), &plan(), Share::default(), 40, 2);
        assert!(fs::read(&path).unwrap() == whole, "cut after {kept} bytes");
    }
    // A game that is stopped is not there.
    fs::remove_file(&path).unwrap();
    let stop = Stop::new();
    let mut part = PartWriter::open(&path, &plan(), Share::default()).unwrap();
    let mut ticks = 0;
    fill(&mut part, &plan(), Share::default(), 40, 2, &stop, &mut || {
        ticks += 1;
        if ticks == 11 {
            stop.stop();
        }
    })
    .unwrap();
    assert!((11..40).contains(&part.games()), "{}", part.games());
    drop(part);
    play(folder.path(), &plan(), Share::default(), 40, 1);
    assert!(fs::read(&path).unwrap() == whole, "after a stop");
}

#[test]
fn shares_of_several_machines_make_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let round = u64::from(ROUND);
    let whole = collect(&plan(), &[play(folder.path(), &plan(), Share::default(), 2 * round, 2)]);
    let shares = [1, 2].map(|which| play(folder.path(), &plan(), Share { which, of: 2 }, round, 1));
    let together = collect(&plan(), &shares).unwrap();
    let whole = whole.unwrap();
    assert_eq!(whole.games.len(), 60);
    assert_eq!(whole.games, together.games);
    assert_eq!(whole.survey, together.survey);
    // What two parts have counts once.
    let path = folder.path().join(file_name(small(), Share::default()));
    let twice = collect(&plan(), &[shares[0].clone(), path.clone(), shares[0].clone()]).unwrap();
    assert_eq!(twice.games, whole.games);
    assert_eq!(plan_of(&path, small()).unwrap().seed, 7);
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let good = play(folder.path(), &plan(), Share::default(), 5, 1);
    let other_seed = Plan { seed: 8, ..plan() };
    let message = refused(&other_seed, std::slice::from_ref(&good));
    assert!(message.contains("played otherwise: 'for a report, plan 1, seed 7"), "{message}");
    let open = |plan: &Plan, share| match PartWriter::open(&good, plan, share) {
        Ok(_) => String::from("opened"),
        Err(error) => error.to_string(),
    };
    assert!(open(&other_seed, Share::default()).contains("played otherwise"));
    assert!(open(&plan(), Share { which: 1, of: 2 }).contains("played otherwise"));
    let other_game = Plan { game: "palisade:7".parse().unwrap(), ..plan() };
    let message = refused(&other_game, std::slice::from_ref(&good));
    assert!(message.contains("these are games of"), "{message}");

    let foreign = folder.path().join("foreign.games");
    fs::write(&foreign, "a letter to a friend\n\n").unwrap();
    let message = refused(&plan(), std::slice::from_ref(&foreign));
    assert!(message.contains("not a file of self-played games"), "{message}");
    let missing = folder.path().join("missing.games");
    assert!(refused(&plan(), &[missing]).contains("cannot open"));

    let empty = play(
        &folder.path().join("."),
        &Plan { seed: 9, ..plan() },
        Share { which: 3, of: 3 },
        0,
        1,
    );
    let message = refused(&Plan { seed: 9, ..plan() }, &[empty]);
    assert_eq!(message, "there are no games of colossus to report on; play some first");
    assert!(matches!(collect(&plan(), &[]), Err(PartError::NoGames(_))));
}

#[test]
fn games_of_another_program_are_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = play(folder.path(), &plan(), Share::default(), 0, 1);
    // A program with another mind plays game 1 otherwise.
    let otherwise = play_one(&Plan { seed: 8, ..plan() }, &[], 1, &Stop::new()).unwrap();
    let mut part = PartWriter::open(&path, &plan(), Share::default()).unwrap();
    part.add(otherwise).unwrap();
    drop(part);
    let mut part = PartWriter::open(&path, &plan(), Share::default()).unwrap();
    let filled = fill(&mut part, &plan(), Share::default(), 3, 1, &Stop::new(), &mut || {});
    let message = filled.unwrap_err().to_string();
    assert!(message.contains("another version of the program"), "{message}");
    assert_eq!(part.games(), 1);
}

#[test]
fn damaged_parts_are_refused_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let good = play(folder.path(), &plan(), Share::default(), 5, 1);
    let bytes = fs::read(&good).unwrap();
    let header = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
    let bad = folder.path().join("bad.games");
    let (mut refused_at, mut seen) = (0, std::collections::BTreeSet::new());
    for at in header..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0xff;
        fs::write(&bad, &changed).unwrap();
        // What cannot be noticed in the file itself is noticed beside the good one.
        let Err(error) = collect(&plan(), &[good.clone(), bad.clone()]) else {
            // A length that reaches beyond the end looks like an interruption: games are missing.
            let left = collect(&plan(), std::slice::from_ref(&bad)).map_or(0, |c| c.games.len());
            assert!(left < 5, "byte {at}");
            continue;
        };
        refused_at += 1;
        seen.insert(match error {
            PartError::Damaged { .. } => "damaged",
            PartError::Disagree { .. } => "disagree",
            PartError::OutOfOrder { .. } => "out of order",
            PartError::File { .. } => "file",
            other => panic!("byte {at}: {other}"),
        });
    }
    assert!(refused_at > (bytes.len() - header) * 9 / 10, "{refused_at}");
    assert_eq!(
        seen.into_iter().collect::<Vec<_>>(),
        ["damaged", "disagree", "file", "out of order"]
    );
}

#[test]
fn a_part_is_written_by_one_program_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("busy.games");
    let first = PartWriter::open(&path, &plan(), Share::default()).unwrap();
    let second = PartWriter::open(&path, &plan(), Share::default());
    assert!(matches!(second, Err(PartError::Busy { .. })));
    drop(first);
    assert!(PartWriter::open(&path, &plan(), Share::default()).is_ok());
    let nowhere = folder.path().join("nowhere").join("x.games");
    assert!(matches!(
        PartWriter::open(&nowhere, &plan(), Share::default()),
        Err(PartError::Write { .. })
    ));
}
