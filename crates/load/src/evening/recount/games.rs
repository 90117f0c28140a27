//! Games, their moves and their results.

use std::collections::{BTreeMap, BTreeSet};

use stoa_client::{Action, EndReason, GameResult, GameView, Side, TimeControl};
use stoa_rules::{Outcome, Reason};
use stoa_wire::GameStatus;

use super::{Line, of_status};
use crate::evening::found::{Found, FoundGame};
use crate::evening::ledger::{Ledger, SeenGame};
use crate::witnessed_game::{replay, was_committed};

/// What players noticed while they played.
pub(super) fn players(ledger: &Ledger) -> Line {
    let figures = format!(
        "{} players, who left {} games for a while and came back",
        ledger.players.len(),
        ledger.counts.absences
    );
    Line { subject: "players", figures, faults: ledger.complaints.clone() }
}

/// Every game that someone began is there, and no other.
pub(super) fn games(ledger: &Ledger, found: &Found) -> Line {
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
pub(super) fn moves(ledger: &Ledger, found: &Found) -> Line {
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
pub(super) fn results(ledger: &Ledger, found: &Found) -> Line {
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
