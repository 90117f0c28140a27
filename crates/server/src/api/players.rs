//! Handlers for players as others see them: profiles, their games, results and rating histories.

use std::collections::HashMap;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use serde::Deserialize;
use stoa_rules::Game;
use stoa_wire::{
    ApiError, GameFilter, GameList, Pace, Player, PlayerKind, PlayerRating, Profile, PuzzleScore,
    RatingHistory, RatingPoint, Results, ResultsAgainst, ResultsInGame, Score,
};
use utoipa::IntoParams;

use super::Error;
use super::auth::AuthPlayer;
use super::lists::cut;
use super::me::{game_list, parse_cursor};
use super::parse_game;
use crate::app::{App, AppState};
use crate::ids;
use crate::names;
use crate::presence::is_here;
use crate::puzzles;
use crate::ratings::{Category, Standing, shown};
use crate::store::{Cursor, HistoryRow, PlayerRow, Relation, ResultRow, Seen};

/// How many of the latest games results are counted from.
const MAX_RESULTS: i64 = 2000;
/// How many opponents results are listed for.
const MAX_OPPONENTS: usize = 50;
/// The largest page of a rating history.
pub(super) const MAX_HISTORY: i64 = 500;

/// The player that a URL names, by id or by the name they sign in with. Guests and deleted players have no page.
pub(crate) async fn find_player(
    app: &App,
    handle: &str,
) -> Result<Option<(PlayerRow, Seen)>, crate::store::StoreError> {
    if handle.chars().count() > names::MAX_NAME_LENGTH.max(ids::MAX_ID_LENGTH) {
        return Ok(None);
    }
    // Some accounts are older than the rule that no name has the form of an id.
    let login = if ids::is_player_id(handle) { String::new() } else { names::login(handle) };
    let found = app.store.profile(handle, &login).await?;
    Ok(found.filter(|(player, _)| player.kind != PlayerKind::Guest))
}

/// What names a player in the address of their page: addresses with dots are those of files, and what has the
/// form of an id is one.
fn handle_of(player: &PlayerRow) -> String {
    let is_handle = |login: &String| !login.contains(['.', '/', '\\']) && !ids::is_player_id(login);
    player.login.clone().filter(is_handle).unwrap_or_else(|| player.id.clone())
}

async fn found(app: &App, handle: &str) -> Result<(PlayerRow, Seen), Error> {
    find_player(app, handle).await?.ok_or_else(|| Error::not_found("player"))
}

/// A player with an account, or a bot: their ratings, puzzles, and when they were last online. `id` is an id or
/// the name that they sign in with.
#[utoipa::path(get, path = "/api/players/{id}", operation_id = "show_player", tag = "players",
    params(("id" = String, Path)),
    responses((status = 200, body = Profile), (status = 404, body = ApiError)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    me: Option<AuthPlayer>,
    Path(id): Path<String>,
) -> Result<Json<Profile>, Error> {
    let (row, seen) = found(&app, &id).await?;
    let now = app.time.now();
    let relation = match &me {
        Some(AuthPlayer(me)) => app.store.relation_to(&me.id, &row.id).await?,
        None => None,
    };
    let ratings = app.store.ratings_of(&row.id).await?;
    let solved = app.store.solved_by_game(&row.id).await?;
    let puzzles = puzzles::counts().filter_map(|(game, of)| {
        let (_, solved, clean) = solved.iter().find(|(family, ..)| family == game)?;
        let (game, of) = (game.to_owned(), i64::try_from(of).ok()?);
        Some(PuzzleScore { game, solved: *solved, clean: *clean, of })
    });
    Ok(Json(Profile {
        puzzles: puzzles.collect(),
        handle: handle_of(&row),
        created: row.created,
        here: is_here(app.bus.hub(), &row.id, &seen, now),
        seen: seen.show_presence.then_some(seen.seen),
        ratings: ratings.into_iter().map(|rating| player_rating(rating, now)).collect(),
        following: relation == Some(Relation::Follow),
        blocked: relation == Some(Relation::Block),
        player: row.into(),
    }))
}

/// A rating at a moment, to be shown.
pub(super) fn player_rating((category, standing): (Category, Standing), now: i64) -> PlayerRating {
    PlayerRating {
        game: category.game.to_string(),
        pace: category.pace,
        rating: standing.rating_at(now),
        deviation: standing.deviation_at(now),
        wins: standing.wins,
        losses: standing.losses,
        draws: standing.draws,
        at: standing.at.unwrap_or_default(),
    }
}

/// Which games of a player to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayerGameQuery {
    /// Which games; `ended` by default.
    #[serde(default = "ended")]
    state: GameFilter,
    /// Only games against the player with this id.
    #[serde(default)]
    opponent: Option<String>,
    /// Where the page begins: the `next` of the page before. Without it, the first page.
    #[serde(default)]
    cursor: Option<String>,
    /// How many games at most, 1 to 100; 50 by default.
    #[serde(default)]
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

fn ended() -> GameFilter {
    GameFilter::Ended
}

/// The games of a player, those that changed last first, in pages.
#[utoipa::path(get, path = "/api/players/{id}/games", operation_id = "player_games", tag = "players",
    params(("id" = String, Path), PlayerGameQuery),
    responses((status = 200, body = GameList), (status = 400, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn games(
    State(app): State<AppState>,
    Path(id): Path<String>,
    query: Result<Query<PlayerGameQuery>, QueryRejection>,
) -> Result<Json<GameList>, Error> {
    let Query(query) = query?;
    let after = match query.cursor.as_deref() {
        None => Cursor::START,
        Some(text) => parse_cursor(text)?,
    };
    let (row, _) = found(&app, &id).await?;
    game_list(query.limit, async |limit| match &query.opponent {
        None => app.store.games_of(&row.id, query.state, &after, limit).await,
        Some(opponent) => {
            let players = [row.id.as_str(), opponent.as_str()];
            app.store.games_between(players, query.state, &after, limit).await
        }
    })
    .await
}

/// What a player has achieved in their latest games, rated or not: by game and by opponent.
#[utoipa::path(get, path = "/api/players/{id}/results", operation_id = "player_results", tag = "players",
    params(("id" = String, Path)),
    responses((status = 200, body = Results), (status = 404, body = ApiError)))]
pub(crate) async fn results(
    State(app): State<AppState>,
    Path(id): Path<String>,
) -> Result<Json<Results>, Error> {
    let (row, _) = found(&app, &id).await?;
    // One more than are counted, to see whether these are all.
    let mut rows = app.store.results_of(&row.id, MAX_RESULTS + 1).await?;
    let complete = cut(&mut rows, MAX_RESULTS);
    Ok(Json(add_up(&rows, complete)))
}

fn add_up(rows: &[ResultRow], complete: bool) -> Results {
    let mut games: HashMap<String, Score> = HashMap::new();
    let mut opponents: HashMap<&str, (&Player, Score)> = HashMap::new();
    for ResultRow { game, opponent, won, .. } in rows {
        let game =
            game.parse().map_or_else(|_| game.clone(), |game: Game| game.rated_as().to_string());
        let (_, against) = opponents.entry(&opponent.id).or_insert((opponent, Score::default()));
        for score in [games.entry(game).or_default(), against] {
            match won {
                Some(true) => score.wins += 1,
                Some(false) => score.losses += 1,
                None => score.draws += 1,
            }
        }
    }
    let played = |score: &Score| score.wins + score.losses + score.draws;
    let mut games: Vec<ResultsInGame> =
        games.into_iter().map(|(game, score)| ResultsInGame { game, score }).collect();
    games.sort_by(|a, b| (played(&b.score), &a.game).cmp(&(played(&a.score), &b.game)));
    let opponents = opponents.into_values();
    let mut opponents: Vec<ResultsAgainst> = opponents
        .map(|(opponent, score)| ResultsAgainst { opponent: opponent.clone(), score })
        .collect();
    opponents.sort_by(|a, b| {
        (played(&b.score), &a.opponent.id).cmp(&(played(&a.score), &b.opponent.id))
    });
    opponents.truncate(MAX_OPPONENTS);
    Results { counted: rows.len(), complete, games, opponents }
}

/// Which part of a rating history to read.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct HistoryQuery {
    /// The game, with any of its options.
    game: String,
    /// The pace.
    pace: Pace,
    /// Where the page begins: the `next` of the page before. Without it, the first page.
    #[serde(default)]
    cursor: Option<i64>,
}

/// The history of a rating of a player, the latest game first, in pages of 500.
#[utoipa::path(get, path = "/api/players/{id}/history", operation_id = "rating_history", tag = "players",
    params(("id" = String, Path), HistoryQuery),
    responses((status = 200, body = RatingHistory), (status = 400, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn history(
    State(app): State<AppState>,
    Path(id): Path<String>,
    query: Result<Query<HistoryQuery>, QueryRejection>,
) -> Result<Json<RatingHistory>, Error> {
    let Query(HistoryQuery { game, pace, cursor }) = query?;
    let category = Category { game: parse_game(&game)?.rated_as(), pace };
    let (row, _) = found(&app, &id).await?;
    let before = cursor.unwrap_or(i64::MAX);
    let mut rows = app.store.rating_history(&row.id, category, before, MAX_HISTORY + 1).await?;
    let is_last = cut(&mut rows, MAX_HISTORY);
    let next = rows.last().filter(|_| !is_last).map(|row| row.counted.to_string());
    Ok(Json(RatingHistory { points: rows.into_iter().map(point).collect(), next }))
}

fn point(row: HistoryRow) -> RatingPoint {
    let HistoryRow { game, at, rating, deviation, .. } = row;
    RatingPoint { game, at, value: shown(rating), deviation: shown(deviation) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_add_up() {
        let player = |id: &str| Player {
            id: id.to_owned(),
            name: id.to_owned(),
            kind: PlayerKind::Account,
            rating: None,
        };
        let row =
            |game: &str, opponent: &str, won| ResultRow::for_test(game, player(opponent), won);
        let rows = [
            row("palisade:9", "zeno", Some(true)),
            row("impasse", "arete", Some(false)),
            row("palisade:11", "zeno", None),
        ];
        let results = add_up(&rows, true);
        assert_eq!(results.counted, 3);
        let games: Vec<_> =
            results.games.iter().map(|one| (one.game.as_str(), one.score)).collect();
        assert_eq!(
            games,
            [
                ("palisade:9", Score { wins: 1, losses: 0, draws: 1 }),
                ("impasse", Score { wins: 0, losses: 1, draws: 0 }),
            ]
        );
        let opponents: Vec<_> = results.opponents.iter().map(|one| &one.opponent.id).collect();
        assert_eq!(opponents, ["zeno", "arete"]);
    }
}
