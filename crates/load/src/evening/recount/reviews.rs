//! Reviews, and the leases of workers that were killed.

use super::Line;
use crate::evening::found::Found;
use crate::evening::ledger::Ledger;

/// A review that was finished this soon after its worker was killed, in milliseconds, had been handed in before.
const HANDED_IN: i64 = 5000;

/// Every review that was asked for is done, once, or waits; and it is one of that game.
pub(super) fn reviews(ledger: &Ledger, found: &Found, kills: usize) -> Line {
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
pub(super) fn leases(ledger: &Ledger, found: &Found) -> Line {
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
