//! The table against the rules, against plain search, and against damage.

use std::collections::HashMap;
use std::path::Path;

use stoa_engine::Stop;
use stoa_rules::colonnade::Position;
use stoa_rules::playout::Rng;
use stoa_rules::{Position as _, Setup as _, Symmetry as _};

use super::build::solve_up_to;
use super::half::{MAX_CHECKERS, SQUARES};
use super::index::{Index, Row};
use super::{Content, Perfect, Tablebase};
use crate::file::TablebaseFile;
use crate::{Exact, Verdict};

/// A table of the positions with few checkers.
fn small_table(folder: &Path, most: usize, content: Content) -> Tablebase {
    let path = folder.join(format!("{most}.{}", content.kind()));
    let done = solve_up_to(most, &path, content, 2, &Stop::new(), &mut |_| {});
    assert!(done.expect("the disk works"));
    let file = TablebaseFile::open(&path, "colonnade", content.kind()).expect("it is sound");
    Tablebase::up_to(most, file, content)
}

/// Any row with a number of checkers on some of the squares, Red or Blue to move.
fn random_position_on(squares: usize, checkers: usize, rng: &mut Rng) -> Position {
    let open: Vec<usize> = (0..squares).map(|_| rng.below(8)).collect();
    let mut heights = [0i8; 8];
    for _ in 0..checkers {
        let square = if squares == 8 { rng.below(8) } else { open[rng.below(open.len())] };
        heights[square] += 1;
    }
    let mut row = Row { left: [0; SQUARES], right: [0; SQUARES] };
    for (index, height) in heights.into_iter().enumerate() {
        let height = if rng.below(2) == 0 { height } else { -height };
        if index < SQUARES { row.left[index] = height } else { row.right[index - SQUARES] = height }
    }
    let position = row.position().expect("there are that many checkers");
    position.transform(rng.below(position.symmetries()))
}

/// Any row with a number of checkers. Few rows with many checkers have empty squares, so some are
/// left empty on purpose.
fn random_position(checkers: usize, rng: &mut Rng) -> Position {
    let squares = 1 + rng.below(8);
    random_position_on(squares, checkers, rng)
}

/// The value by plain search.
fn search(position: &Position, known: &mut HashMap<Position, u32>) -> u32 {
    if let Some(&plies) = known.get(position) {
        return plies;
    }
    let after = position.legal_moves().into_iter().map(|mv| {
        let mut after = *position;
        after.play_unchecked(mv);
        search(&after, known)
    });
    let plies = best(after.collect::<Vec<_>>().into_iter());
    known.insert(*position, plies);
    plies
}

/// The plies of a position by those of the positions it can be moved to: the player hastens a win
/// and delays a loss.
fn best(after: impl Iterator<Item = u32>) -> u32 {
    let after: Vec<u32> = after.collect();
    let losses = after.iter().filter(|plies| **plies % 2 == 0);
    let wins = after.iter().filter(|plies| **plies % 2 == 1);
    losses.min().or(wins.max()).map_or(0, |plies| plies + 1)
}

fn exact(plies: u32) -> Exact {
    let verdict = if plies % 2 == 1 { Verdict::Win } else { Verdict::Loss };
    Exact { verdict, plies: Some(plies) }
}

#[test]
fn every_place_has_a_row_and_every_row_its_place() {
    let index = Index::new();
    for checkers in 0..=5 {
        for place in 0..index.size(checkers) {
            let row = index.row(checkers, place).expect("the layer has that many rows");
            assert_eq!(index.place(&row), Some((checkers, place)), "{row:?}");
            let mirrored = Row { left: row.right, right: row.left };
            assert_eq!(index.place(&mirrored), Some((checkers, place)), "{row:?}");
        }
        assert_eq!(index.row(checkers, index.size(checkers)), None);
    }
}

#[test]
fn the_table_agrees_with_plain_search() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let table = small_table(folder.path(), 5, Content::Lengths);
    let results = small_table(folder.path(), 5, Content::Results);
    let mut known = HashMap::new();
    let index = Index::new();
    for checkers in 0..=5 {
        for place in 0..index.size(checkers) {
            let row = index.row(checkers, place).expect("the layer has that many rows");
            let position = row.position().expect("there are that many checkers");
            let value = exact(search(&position, &mut known));
            for symmetry in 0..position.symmetries() {
                let seen = position.transform(symmetry);
                assert_eq!(table.value(&seen).expect("sound"), Some(value), "{seen:?}");
                let result = Exact { plies: None, ..value };
                assert_eq!(results.value(&seen).expect("sound"), Some(result), "{seen:?}");
            }
        }
    }
}

#[test]
fn values_follow_from_those_after_each_move() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let most = 13;
    let table = small_table(folder.path(), most, Content::Lengths);
    check_moves(&table, 300, most);
}

/// Checks random positions of every size: the value is what the moves of the rules make it.
fn check_moves(table: &Tablebase, each: usize, most: usize) {
    let mut rng = Rng::new(7);
    for checkers in 1..=most {
        for _ in 0..each {
            let position = random_position(checkers, &mut rng);
            let moves = table.moves(&position).expect("sound");
            assert_eq!(moves.len(), position.count_moves());
            let after = moves.iter().filter_map(|(_, value)| value.plies).map(|plies| plies - 1);
            let value = exact(best(after));
            assert_eq!(table.value(&position).expect("sound"), Some(value), "{position:?}");
            if let Some((_, best)) = moves.first() {
                assert_eq!(*best, value, "the best move is the first: {position:?}");
            }
        }
    }
}

/// The full table, if there is one: `STOA_TABLES=… cargo test -- --ignored`.
#[test]
#[ignore = "needs the table that `stoa solve colonnade` makes"]
fn the_full_table_follows_the_rules() {
    let folder = std::env::var_os("STOA_TABLES").expect("the folder of the table");
    let path = Path::new(&folder).join("colonnade.table");
    let table = Tablebase::open(&path).expect("a sound table");
    check_moves(&table, 100_000, MAX_CHECKERS);
}

#[test]
fn an_interrupted_build_goes_on_and_makes_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for content in [Content::Lengths, Content::Results] {
        let path = folder.path().join(content.kind());
        let stop = Stop::new();
        let stopped = solve_up_to(9, &path, content, 2, &stop, &mut |progress| {
            assert!(!progress.kept);
            if progress.layer.checkers == 6 {
                stop.stop();
            }
        });
        assert!(!stopped.expect("the disk works"));
        assert!(!path.exists(), "nothing half done has the table's name");
        let mut kept = Vec::new();
        let done = solve_up_to(9, &path, content, 1, &Stop::new(), &mut |progress| {
            kept.push(progress.kept);
        });
        assert!(done.expect("the disk works"));
        if content == Content::Lengths {
            assert_eq!(kept.iter().filter(|kept| **kept).count(), 7, "layers 0 to 6");
        }
        small_table(folder.path(), 9, content);
        let straight = std::fs::read(folder.path().join(format!("9.{}", content.kind())));
        assert_eq!(std::fs::read(&path).expect("it is there"), straight.expect("it is there"));
    }
}

#[test]
fn more_checkers_than_there_are_have_no_value() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let table = small_table(folder.path(), 3, Content::Lengths);
    let start = Position::start(());
    assert!(table.value(&start).is_err(), "a table without its upper layers is not whole");
    let text = "rbrbrbrbrbrbrbrbrbrbrbrb/r/-/-/-/-/-/- r";
    let setup = <Position as stoa_rules::Notation>::Setup::parse(text, ()).expect("well written");
    assert!(setup.validate().is_err(), "the rules refuse it, so no table is ever asked");
}

/// Compares the answers found without a file with those of a table.
fn check_perfect(
    perfect: &mut Perfect,
    table: &Tablebase,
    each: usize,
    sizes: std::ops::RangeInclusive<usize>,
) {
    let stop = Stop::new();
    let mut rng = Rng::new(11);
    for checkers in sizes {
        for _ in 0..each {
            let position = random_position_on(8, checkers, &mut rng);
            let value = perfect.value(&position, &stop).expect("nobody stops it");
            let known = table.value(&position).expect("sound").expect("it is in the table");
            assert_eq!(value.verdict, known.verdict, "{position:?}");
            if value.plies.is_some() {
                assert_eq!(value, known, "{position:?}");
            }
        }
    }
}

#[test]
fn answers_without_a_file_are_the_same() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let table = small_table(folder.path(), 13, Content::Lengths);
    let mut perfect =
        Perfect::up_to(9, super::perfect::no_time, &Stop::new()).expect("nobody stops it");
    check_perfect(&mut perfect, &table, 200, 0..=13);
}

#[test]
#[ignore = "needs the table that `stoa solve colonnade` makes, and takes minutes"]
fn answers_without_a_file_are_those_of_the_full_table() {
    let folder = std::env::var_os("STOA_TABLES").expect("the folder of the table");
    let table =
        Tablebase::open(&Path::new(&folder).join("colonnade.table")).expect("a sound table");
    let mut perfect = Perfect::new(&Stop::new()).expect("nobody stops it");
    for checkers in 0..=MAX_CHECKERS {
        check_perfect(&mut perfect, &table, 100_000, checkers..=checkers);
        eprintln!("{checkers} checkers: 100,000 positions agree");
    }
}

/// An engine with a table knows at once what the table knows, to the last move of the line.
#[test]
fn an_engine_with_a_table_is_perfect() {
    use std::sync::Arc;
    use stoa_engine::{Engine, Limits, Settings};
    use stoa_rules::{Game, Notation as _};

    let folder = tempfile::tempdir().expect("a folder for the test");
    let table =
        Arc::new(crate::AnyTablebase::Colonnade(small_table(folder.path(), 11, Content::Lengths)));
    let settings = Settings { oracle: Some(table.clone()), ..Settings::default() };
    let mut engine = Engine::new(Game::Colonnade, settings).expect("the engine's own weights");
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let position = random_position(11, &mut rng);
        if position.outcome().is_some() {
            continue;
        }
        let text = position.to_setup().to_string();
        let any = Game::Colonnade.position(&text).expect("it is a position");
        let value = table.value(&any).expect("sound").expect("it is in the table");
        let thought = engine.think(&any, &Limits::depth(20), &Stop::new(), &mut |_| {});
        let line = &thought.lines[0];
        assert_eq!(line.score.turns(), value.plies, "{position:?}");
        assert_eq!(line.score.is_win(), value.verdict == Verdict::Win, "{position:?}");
        if line.score.is_win() {
            assert_eq!(line.moves.len() as u32, value.plies.expect("known"), "{position:?}");
        }
    }
}
