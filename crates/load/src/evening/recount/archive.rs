//! The archive, downloads, the explorer and backups.

use std::collections::{BTreeMap, BTreeSet};

use stoa_client::{EndReason, GameResult, GameView};
use stoa_rules::{Outcome, Record};
use stoa_wire::{ArchivedGame, GameStatus};

use super::{Line, of_status};
use crate::evening::found::{Found, FoundGame};
use crate::evening::ledger::Ledger;

/// The archive has every game that is over once, in the order of their ends, for everyone and for each player.
pub(super) fn archive(ledger: &Ledger, found: &Found) -> Line {
    let mut faults = Vec::new();
    let over: BTreeSet<&str> =
        of_status(found, GameStatus::Over).map(|game| game.view.id.as_str()).collect();
    check_pages("all pages", &found.archive, &over, &mut faults);
    for player in &ledger.players {
        let games = found.archives.get(&player.id).map_or(&[][..], |(games, _)| games);
        let own = of_status(found, GameStatus::Over)
            .filter(|game| game.view.players.iter().any(|one| one.id == player.id))
            .map(|game| game.view.id.as_str())
            .collect();
        check_pages(&format!("the pages of player {}", player.id), games, &own, &mut faults);
    }
    for archived in &found.archive {
        let Some(FoundGame { view, .. }) = found.games.get(&archived.game.id) else { continue };
        let game = &archived.game;
        let is_same = game.result == view.situation.result
            && game.ply == view.moves.len()
            && game.rating_changes == view.rating_changes;
        if !is_same {
            faults.push(format!("game {} is another in the archive: {archived:?}", view.id));
        }
    }
    for (id, row) in &found.rows {
        if row.is_archived != over.contains(id.as_str()) {
            faults.push(format!("game {id}: in the table of the archive: {}", row.is_archived));
        }
    }
    let figures = format!("{} games, each found once", found.archive.len());
    Line { subject: "archive", figures, faults }
}

fn check_pages(
    which: &str,
    pages: &[ArchivedGame],
    expected: &BTreeSet<&str>,
    faults: &mut Vec<String>,
) {
    let mut there = BTreeSet::new();
    for archived in pages {
        if !there.insert(archived.game.id.as_str()) {
            faults.push(format!("{which}: game {} is there twice", archived.game.id));
        }
    }
    faults.extend(expected.difference(&there).map(|id| format!("{which}: game {id} is missing")));
    faults.extend(there.difference(expected).map(|id| format!("{which}: game {id} is not over")));
    let ends = pages.iter().map(|archived| (archived.ended, &archived.game.id));
    if !ends.clone().zip(ends.skip(1)).all(|(later, earlier)| later > earlier) {
        faults.push(format!("{which}: they are out of order"));
    }
}

/// Downloads have the same games as the pages, and the rules can read them.
pub(super) fn records(ledger: &Ledger, found: &Found) -> Line {
    let mut faults = Vec::new();
    let mut read = 0;
    for player in &ledger.players {
        let Some((games, records)) = found.archives.get(&player.id) else { continue };
        read += records.len();
        if games.len() != records.len() {
            faults.push(format!(
                "player {}: {} games and {} records",
                player.id,
                games.len(),
                records.len()
            ));
        }
        for (archived, record) in games.iter().zip(records) {
            let id = &archived.game.id;
            if let Some(game) = found.games.get(id)
                && !is_record_of(record, &game.view)
            {
                faults.push(format!("the record of game {id} is that of another: {record}"));
            }
        }
    }
    let figures = format!("{read} downloaded, all games from both sides");
    Line { subject: "records", figures, faults }
}

fn is_record_of(record: &Record, view: &GameView) -> bool {
    let result = record
        .result()
        .map(|Outcome { winner, reason }| GameResult { winner, reason: EndReason::Over(reason) });
    record.game().to_string() == view.game
        && record.main_line().map(|node| node.text()).eq(view.moves.iter().map(String::as_str))
        && result == view.situation.result
}

/// The explorer knows every game that is over and has a move.
pub(super) fn explorer(found: &Found) -> Line {
    let mut faults = Vec::new();
    let mut expected: BTreeMap<&str, i64> = BTreeMap::new();
    for game in of_status(found, GameStatus::Over).filter(|game| !game.view.moves.is_empty()) {
        *expected.entry(&game.view.game).or_default() += 1;
    }
    for (game, known) in &found.explored {
        let expected = expected.get(game.as_str()).copied().unwrap_or_default();
        if *known != expected {
            faults
                .push(format!("{game}: {expected} games are over, and the explorer knows {known}"));
        }
    }
    for game in expected.keys().filter(|game| !found.explored.contains_key(**game)) {
        faults.push(format!("{game}: the explorer was not asked"));
    }
    let sum: i64 = found.explored.values().sum();
    let figures = format!("{sum} games of {} kinds, from their starts", expected.len());
    Line { subject: "explorer", figures, faults }
}

/// A backup can be used, and every game in it replayed.
pub(super) fn backup(found: &Found) -> Line {
    let (figures, faults) = match &found.backup {
        None => ("only of SQLite".to_owned(), Vec::new()),
        Some(Ok(said)) => {
            let said = said.split_once(": ").map_or(said.as_str(), |(_, said)| said);
            (said.to_owned(), Vec::new())
        }
        Some(Err(error)) => (String::new(), vec![error.clone()]),
    };
    Line { subject: "backup", figures, faults }
}
