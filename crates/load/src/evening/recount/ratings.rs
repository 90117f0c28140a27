//! Ratings: as they are shown, and computed again.

use std::collections::{BTreeMap, BTreeSet};

use stoa_client::Side;
use stoa_wire::{GameStatus, Pace};

use super::Line;
use crate::evening::found::{Found, FoundGame};
use crate::evening::ledger::Ledger;

/// A player and a category.
type Key = (String, String);

/// Wins, losses and draws of a player in a category, and the games.
#[derive(Debug, Default, PartialEq, Eq)]
struct Score {
    results: [i64; 3],
    games: Vec<String>,
}

/// Every rated game that is over counts once for each of its players, and no other game does.
pub(super) fn ratings(ledger: &Ledger, found: &Found) -> Line {
    let mut faults = Vec::new();
    let mut scores: BTreeMap<Key, Score> = BTreeMap::new();
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
            let result = match view.situation.result.and_then(|result| result.winner) {
                Some(winner) if winner == side => 0,
                Some(_) => 1,
                None => 2,
            };
            let player = seen.players[side.index()].clone();
            let score = scores.entry((player, category.clone())).or_default();
            score.results[result] += 1;
            score.games.push(id.clone());
        }
    }
    let mut shown: BTreeMap<Key, Score> = BTreeMap::new();
    for (player, ratings) in &found.ratings {
        for (rating, history) in ratings {
            let key = (player.clone(), format!("{} {}", rating.game, rating.pace));
            let mut games = history.clone();
            games.sort();
            let results = [rating.wins, rating.losses, rating.draws];
            shown.insert(key, Score { results, games });
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
    let sum: i64 = shown.values().flat_map(|score| score.results).sum();
    if sum != 2 * counting {
        faults.push(format!("{counting} games count, and players have {sum} in all"));
    }
    for standing in &found.leaderboards {
        let key = (standing.player.clone(), standing.category.clone());
        if scores.get(&key).map(|score| score.results.iter().sum()) != Some(standing.games) {
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
pub(super) fn rebuild(found: &Found) -> Line {
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
