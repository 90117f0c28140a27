//! The recount: what was found after an evening, compared with what the players saw. Everything is pure, so that
//! tests can plant faults.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use stoa_client::{Action, EndReason, GameResult, GameView, Side, TimeControl};
use stoa_rules::{Outcome, Reason, Record};
use stoa_wire::{GameStatus, Pace};

use super::found::{Found, FoundGame};
use super::ledger::{Ledger, SeenGame};
use crate::witnessed_game::{replay, was_committed};

/// A review that was finished this soon after its worker was killed, in milliseconds, had been handed in before.
const HANDED_IN: i64 = 5000;
/// How many faults of one kind are printed.
const MAX_PRINTED: usize = 5;

/// One subject of the recount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) subject: &'static str,
    pub(super) figures: String,
    /// Everything that differs.
    pub(super) faults: Vec<String>,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { subject, figures, faults } = self;
        if faults.is_empty() {
            return write!(f, "  {subject:<11}ok       {figures}");
        }
        write!(f, "  {subject:<11}DIFFERS  {figures}")?;
        for fault in faults.iter().take(MAX_PRINTED) {
            write!(f, "\n             {fault}")?;
        }
        match faults.len().saturating_sub(MAX_PRINTED) {
            0 => Ok(()),
            more => write!(f, "\n             and {more} more"),
        }
    }
}

/// Compares everything.
pub(super) fn recount(ledger: &Ledger, found: &Found, kills: usize) -> Vec<Line> {
    vec![
        players(ledger),
        games(ledger, found),
        moves(ledger, found),
        results(ledger, found),
        archive(ledger, found),
        records(ledger, found),
        ratings(ledger, found),
        rebuild(found),
        explorer(found),
        reviews(ledger, found, kills),
        leases(ledger, found),
        backup(found),
    ]
}

/// What players noticed while they played.
fn players(ledger: &Ledger) -> Line {
    let figures = format!(
        "{} players, who left {} games for a while and came back",
        ledger.players.len(),
        ledger.counts.absences
    );
    Line { subject: "players", figures, faults: ledger.complaints.clone() }
}

/// Every game that someone began is there, and no other.
fn games(ledger: &Ledger, found: &Found) -> Line {
    let mut faults = Vec::new();
    for (id, seen) in &ledger.games {
        match found.games.get(id) {
            None => faults.push(format!("game {id} is gone")),
            Some(_) if !found.rows.contains_key(id) => {
                faults.push(format!("game {id} is shown, and not in the database"));
            }
            Some(FoundGame { view, .. }) => {
                let players = view.players.each_ref().map(|player| player.id.as_str());
                let is_same = view.game == seen.kind.to_string()
                    && view.control == seen.control
                    && view.rated == seen.rated
                    && players == seen.players.each_ref().map(String::as_str);
                if !is_same {
                    faults.push(format!("game {id} is not what it was: {view:?}"));
                }
            }
        }
    }
    let unknown = found.rows.keys().chain(found.games.keys());
    let unknown: BTreeSet<&String> = unknown.filter(|id| !ledger.games.contains_key(*id)).collect();
    faults.extend(unknown.into_iter().map(|id| format!("nobody has begun game {id}")));
    let count = |status| of_status(found, status).count();
    let figures = format!(
        "{} begun: {} over, {} aborted, {} still being played",
        ledger.games.len(),
        count(GameStatus::Over),
        count(GameStatus::Aborted),
        count(GameStatus::Playing)
    );
    Line { subject: "games", figures, faults }
}

/// Every acknowledged move is there, and nothing that nobody played.
fn moves(ledger: &Ledger, found: &Found) -> Line {
    let mut faults = Vec::new();
    let (mut acknowledged, mut late) = (0, 0);
    for (id, seen) in &ledger.games {
        acknowledged += seen.moves.len();
        let Some(FoundGame { view, record }) = found.games.get(id) else { continue };
        match was_committed(&seen.moves, seen.unanswered.as_deref(), &view.moves) {
            Ok(was_committed) => late += usize::from(was_committed),
            Err(error) => faults.push(format!("game {id}: {error}")),
        }
        if let Err(error) = replay(view, record) {
            faults.push(format!("{error:#}"));
        }
        // Each is an event: the moves, an offer of a draw, an end that is not on the board.
        let least = view.moves.len() + usize::from(ended_off_board(view));
        let version = view.situation.version;
        let is_explained = usize::try_from(version).is_ok_and(|version| {
            version >= least && seen.draw_offers().contains(&(version - least))
        });
        let row = found.rows.get(id).map(|row| (row.version, row.events));
        if !is_explained || row.is_some_and(|row| row != (version, version)) {
            faults.push(format!(
                "game {id}: {} moves, {:?} offers, and {version} events; the database has {row:?}",
                view.moves.len(),
                seen.draw_offers()
            ));
        }
    }
    let figures = format!("{acknowledged} acknowledged, {late} more without a response");
    Line { subject: "moves", figures, faults }
}

/// Every result that someone was told is the result, and every result has its reason.
fn results(ledger: &Ledger, found: &Found) -> Line {
    let mut faults = Vec::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, seen) in &ledger.games {
        let Some(FoundGame { view, .. }) = found.games.get(id) else { continue };
        let result = view.situation.result;
        for told in seen.results.iter().filter(|told| Some(**told) != result) {
            faults.push(format!("game {id}: someone was told {told:?}, and it is {result:?}"));
        }
        if let Some(result) = result {
            *reasons.entry(result.reason.word()).or_default() += 1;
            if !is_deserved(seen, view, result) {
                faults.push(format!("game {id}: {result:?} is nobody's doing"));
            }
        } else if outcome(view).is_some() {
            faults.push(format!("game {id} is over on the board, and goes on"));
        }
    }
    let words: Vec<String> =
        reasons.iter().map(|(word, count)| format!("{count} {word}")).collect();
    Line { subject: "results", figures: words.join(", "), faults }
}

/// Whether the players, the board or the clocks have brought a result about.
fn is_deserved(seen: &SeenGame, view: &GameView, result: GameResult) -> bool {
    if let Some(Outcome { winner, reason }) = outcome(view) {
        return result == GameResult { winner, reason: EndReason::Over(reason) };
    }
    let has_clock = matches!(seen.control, TimeControl::Clock { .. });
    match (result.winner, result.reason) {
        (Some(winner), EndReason::Over(Reason::Resigned)) => {
            seen.has_done(winner.other(), &Action::Resign)
        }
        (None, EndReason::Over(Reason::Agreed)) => {
            Side::BOTH.into_iter().all(|side| seen.has_done(side, &Action::Draw))
        }
        (Some(winner), EndReason::Over(Reason::Time)) => {
            has_clock && view.moves.len() >= 2 && side_to_move(view) == Some(winner.other())
        }
        (None, EndReason::Aborted) => {
            let by_player = Side::BOTH.into_iter().any(|side| seen.has_done(side, &Action::Abort));
            view.moves.len() < 2 && (by_player || has_clock)
        }
        _ => false,
    }
}

/// The archive has every game that is over once, in the order of their ends, for everyone and for each player.
fn archive(ledger: &Ledger, found: &Found) -> Line {
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
        if archived.game.result != view.situation.result || archived.game.ply != view.moves.len() {
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
    pages: &[stoa_wire::ArchivedGame],
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
fn records(ledger: &Ledger, found: &Found) -> Line {
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

/// Wins, losses and draws of a player in a category.
type Score = [i64; 3];

/// Every rated game that is over counts once for each of its players, and no other game does.
fn ratings(ledger: &Ledger, found: &Found) -> Line {
    let mut faults = Vec::new();
    let mut scores: BTreeMap<(String, String), Score> = BTreeMap::new();
    let mut counting = 0;
    for (id, seen) in &ledger.games {
        let Some(FoundGame { view, .. }) = found.games.get(id) else { continue };
        let status = view.situation.status();
        let counts = seen.rated && status == GameStatus::Over && view.moves.len() >= 2;
        if view.rating_changes.is_some() != counts {
            faults.push(format!(
                "game {id}: it counts {counts}, and changed {:?}",
                view.rating_changes
            ));
        }
        if found.rows.get(id).is_some_and(|row| row.counted.is_some() != counts) {
            faults.push(format!("game {id}: it counts {counts}, and its place says otherwise"));
        }
        let (true, Some(pace)) = (counts, Pace::of(seen.control)) else { continue };
        counting += 1;
        let category = format!("{} {pace}", seen.kind.rated_as());
        for side in Side::BOTH {
            let score = match view.situation.result.and_then(|result| result.winner) {
                Some(winner) if winner == side => 0,
                Some(_) => 1,
                None => 2,
            };
            let player = seen.players[side.index()].clone();
            scores.entry((player, category.clone())).or_default()[score] += 1;
        }
    }
    let mut shown: BTreeMap<(String, String), Score> = BTreeMap::new();
    for (player, ratings) in &found.ratings {
        for rating in ratings {
            let key = (player.clone(), format!("{} {}", rating.game, rating.pace));
            shown.insert(key, [rating.wins, rating.losses, rating.draws]);
        }
    }
    for key in scores.keys().chain(shown.keys()).collect::<BTreeSet<_>>() {
        let (score, shown) = (scores.get(key), shown.get(key));
        if score != shown {
            let (player, category) = key;
            faults.push(format!(
                "player {player}, {category}: {score:?} were played, {shown:?} are shown"
            ));
        }
    }
    let sum: i64 = shown.values().flatten().sum();
    if sum != 2 * counting {
        faults.push(format!("{counting} games count, and players have {sum} in all"));
    }
    for standing in &found.leaderboards {
        let key = (standing.player.clone(), standing.category.clone());
        if scores.get(&key).map(|score| score.iter().sum()) != Some(standing.games) {
            faults.push(format!("in a leaderboard: {standing:?}"));
        }
    }
    let places: BTreeSet<i64> = found.rows.values().filter_map(|row| row.counted).collect();
    if !places.into_iter().eq(1..=counting) {
        faults.push(
            "the games that count do not have the places from the first to the last".to_owned(),
        );
    }
    let figures = format!(
        "{counting} games count, {sum} in the ratings of their players, {} in leaderboards",
        found.leaderboards.len()
    );
    Line { subject: "ratings", figures, faults }
}

/// Computed again, the ratings are the same to the last bit.
fn rebuild(found: &Found) -> Line {
    let [before, after] = &found.rating_tables;
    let mut faults = Vec::new();
    for (before, after) in [(&before.ratings, &after.ratings), (&before.changes, &after.changes)] {
        let [old, new] = [before, after].map(|rows| rows.iter().collect::<BTreeSet<_>>());
        faults.extend(old.difference(&new).map(|row| format!("before, and not after: {row}")));
        faults.extend(new.difference(&old).map(|row| format!("after, and not before: {row}")));
    }
    if !found.rebuilt.ends_with("all were right") {
        faults.push("the command found something wrong".to_owned());
    }
    Line { subject: "rebuild", figures: found.rebuilt.clone(), faults }
}

/// The explorer knows every game that is over and has a move.
fn explorer(found: &Found) -> Line {
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

/// Every review that was asked for is done, once, or waits; and it is one of that game.
fn reviews(ledger: &Ledger, found: &Found, kills: usize) -> Line {
    let mut faults = Vec::new();
    let (mut done, mut waiting) = (0, 0);
    for (game, seen) in &ledger.reviews {
        let (Some(row), Some(review)) = (found.review_rows.get(game), found.reviews.get(game))
        else {
            faults.push(format!("the review of game {game} is lost"));
            continue;
        };
        match row.state.as_str() {
            "done" => done += 1,
            "waiting" | "running" => waiting += 1,
            state => {
                faults.push(format!("the review of game {game} has {state}: {:?}", review.failure))
            }
        }
        let body = serde_json::to_string(&review.review).unwrap_or_default();
        let now = review.finished.filter(|_| review.review.is_some()).map(|at| (at, body));
        if seen.done.is_some() && seen.done != now {
            faults.push(format!("the review of game {game} was done, and then done again"));
        }
        if let (Some(review), Some(game)) = (&review.review, found.games.get(game)) {
            let moves = review.moves.iter().map(|reviewed| &reviewed.text);
            if review.plies != game.view.moves.len() || !moves.eq(&game.view.moves) {
                faults.push(format!("the review of game {} has other moves", game.view.id));
            }
        }
    }
    let unknown = found.review_rows.keys().filter(|game| !ledger.reviews.contains_key(*game));
    faults.extend(unknown.map(|game| format!("nobody has asked for a review of game {game}")));
    let kept = found.reviews_kept;
    // A worker does not learn that a review is kept if it is killed just then, or the server is.
    if kept > done || kept + kills < done {
        faults.push(format!("{done} reviews are done, and workers were told so of {kept}"));
    }
    let figures = format!(
        "{} asked for: {done} done, {waiting} waiting; workers were told so of {kept}; {} were declined",
        ledger.reviews.len(),
        ledger.counts.reviews_declined
    );
    Line { subject: "reviews", figures, faults }
}

/// What a killed worker was doing was given to another, or waits.
fn leases(ledger: &Ledger, found: &Found) -> Line {
    let mut faults = Vec::new();
    let [mut passed_on, mut waiting, mut handed_in] = [0; 3];
    for (game, seen) in &ledger.reviews {
        let Some(row) = found.review_rows.get(game) else { continue };
        let finished = found.reviews.get(game).and_then(|review| review.finished);
        for lease in &seen.abandoned {
            let was_just_done = finished.is_some_and(|at| at <= lease.killed + HANDED_IN);
            match row.state.as_str() {
                _ if row.attempts > lease.attempts => passed_on += 1,
                "waiting" => waiting += 1,
                "done" if was_just_done => handed_in += 1,
                state => {
                    faults.push(format!("game {game} is {state} with the lease of a dead worker"))
                }
            }
        }
    }
    let figures = format!(
        "{passed_on} of killed workers were given to another, {waiting} wait, {handed_in} were done just before"
    );
    Line { subject: "leases", figures, faults }
}

/// A backup can be used, and every game in it replayed.
fn backup(found: &Found) -> Line {
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

fn of_status(found: &Found, status: GameStatus) -> impl Iterator<Item = &FoundGame> {
    found.games.values().filter(move |game| game.view.situation.status() == status)
}

/// The position after a game's moves.
fn last_position(view: &GameView) -> Option<stoa_rules::AnyPosition> {
    let game: stoa_rules::Game = view.game.parse().ok()?;
    let mut position = game.start();
    view.moves.iter().try_for_each(|text| position.play(text).map(drop)).ok()?;
    Some(position)
}

/// How the game ended on the board, if it did.
fn outcome(view: &GameView) -> Option<Outcome> {
    last_position(view)?.outcome()
}

fn side_to_move(view: &GameView) -> Option<Side> {
    last_position(view).map(|position| position.side_to_move())
}

fn ended_off_board(view: &GameView) -> bool {
    view.situation.result.is_some() && outcome(view).is_none()
}

#[cfg(test)]
#[path = "recount_tests.rs"]
mod tests;
