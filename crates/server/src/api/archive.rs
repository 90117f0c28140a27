//! Handlers for finished games: search, records, the opening explorer.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::IntoResponse;
use serde::Deserialize;
use stoa_rules::{AnyPosition, Game};
use stoa_wire::{
    ApiError, ArchivePage, ArchivedGame, ErrorCode, Explored, ExplorerScope, ResultFilter,
};
use utoipa::IntoParams;

use super::Error;
use super::auth::AuthPlayer;
use super::downloads::{Games, download};
use super::lists::page_size;
use super::me::parse_cursor;
use super::parse_game;
use crate::app::{App, AppState};
use crate::explorer::{self, BOTS, PEOPLE};
use crate::guard::Client;
use crate::ids;
use crate::store::{ArchiveCursor, ArchiveFilter, Cursor, MAX_SEARCHED, RatingFilter};

/// How many games a page of a search has, by default and at most.
const DEFAULT_PAGE_SIZE: i64 = 24;
const MAX_PAGE_SIZE: i64 = 100;
/// The maximum length of a position's text.
const MAX_POSITION: usize = 2000;

/// What to search for.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArchiveQuery {
    /// The id of a player, or their name.
    #[serde(default)]
    #[param(max_length = 40)]
    player: Option<String>,
    /// The id or the name of the other player.
    #[serde(default)]
    #[param(max_length = 40)]
    opponent: Option<String>,
    /// The game, such as `palisade`, which means any board of it, or `palisade:9`.
    #[serde(default)]
    #[param(max_length = 40)]
    game: Option<String>,
    /// The kind of time control: `clock`, `days` or `unlimited`.
    #[serde(default)]
    #[param(inline)]
    pace: Option<Pace>,
    /// The result; `won` and `lost` need `player`.
    #[serde(default)]
    #[param(inline)]
    result: Option<ResultFilter>,
    /// Only games that ended at this time or later.
    #[serde(default)]
    since: Option<i64>,
    /// Only games that ended before this time.
    #[serde(default)]
    until: Option<i64>,
    /// Only games with this many moves or more.
    #[serde(default)]
    #[param(minimum = 0)]
    min_moves: Option<u32>,
    /// Only games with this many moves or fewer.
    #[serde(default)]
    #[param(minimum = 0)]
    max_moves: Option<u32>,
    /// Only rated games in which the players had this rating or more before the game.
    #[serde(default)]
    #[param(minimum = 0, maximum = 65535)]
    min_rating: Option<u16>,
    /// Only rated games in which the players had this rating or less before the game.
    #[serde(default)]
    #[param(minimum = 0, maximum = 65535)]
    max_rating: Option<u16>,
    /// Whose rating that is: of `both` players, which is the default, or of `either`.
    #[serde(default)]
    #[param(inline)]
    rating_of: Option<RatingOf>,
    /// Only games that came to this position of `game` in their first 40 moves; positions that differ only by
    /// a symmetry are one. A game is found by its positions some seconds after its end.
    #[serde(default)]
    #[param(max_length = 2000)]
    position: Option<String>,
    /// Where the page begins: the `next` of the page before. Without it, the first page.
    #[serde(default)]
    cursor: Option<String>,
    /// How many games at most, 1 to 100; 24 by default. Downloads have no pages.
    #[serde(default)]
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// A kind of time control.
#[derive(Debug, Clone, Copy, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum Pace {
    Clock,
    Days,
    Unlimited,
}

/// Whose rating is meant.
#[derive(Debug, Clone, Copy, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum RatingOf {
    Both,
    Either,
}

impl ArchiveQuery {
    /// The filter; nothing if there is no such player, and so no such game.
    async fn filter(&self, app: &App) -> Result<Option<ArchiveFilter>, Error> {
        let bad = |message: &str| Error::new(ErrorCode::BadRequest, message);
        let (mut family, mut game) = (String::new(), String::new());
        if let Some(text) = self.game.as_deref().filter(|text| !text.is_empty()) {
            let found = parse_game(text)?;
            found.info().id.clone_into(&mut family);
            if text.contains(':') {
                game = found.to_string();
            }
        }
        let position = match self.position.as_deref().filter(|text| !text.is_empty()) {
            None => None,
            Some(_) if family.is_empty() => {
                return Err(bad("a position is one of a game: say which"));
            }
            Some(text) => {
                let found = parse_game(if game.is_empty() { &family } else { &game })?;
                let position = parse_position(found, text)?;
                game = position.game().to_string();
                let key = explorer::position_key(&position);
                // Every game has the start, and needs no index for it.
                (key != explorer::position_key(&position.game().start())).then_some(key)
            }
        };
        let (min, max) = (self.min_rating, self.max_rating);
        let rating = (min.is_some() || max.is_some()).then(|| RatingFilter {
            players: if matches!(self.rating_of, Some(RatingOf::Either)) { 1 } else { 2 },
            // Ratings are shown without fractions.
            from: min.map_or(f64::MIN, |min| f64::from(min) - 0.5),
            below: max.map_or(f64::MAX, |max| f64::from(max) + 0.5),
        });
        let Some(player) = find_player(app, self.player.as_deref()).await? else { return Ok(None) };
        let Some(opponent) = find_player(app, self.opponent.as_deref()).await? else {
            return Ok(None);
        };
        let (winner, result) = match self.result {
            None => ("", ""),
            Some(ResultFilter::First) => ("first", ""),
            Some(ResultFilter::Second) => ("second", ""),
            Some(ResultFilter::Draw) => ("none", ""),
            Some(ResultFilter::Won) => ("", "won"),
            Some(ResultFilter::Lost) => ("", "lost"),
        };
        if !result.is_empty() && player.is_empty() {
            return Err(bad("won and lost are results of a player: say which"));
        }
        let pace = match self.pace {
            None => "",
            Some(Pace::Clock) => "clock",
            Some(Pace::Days) => "days",
            Some(Pace::Unlimited) => "unlimited",
        };
        Ok(Some(ArchiveFilter {
            player,
            opponent,
            family,
            game,
            pace: pace.to_owned(),
            winner: winner.to_owned(),
            result: result.to_owned(),
            since: self.since.unwrap_or(i64::MIN),
            until: self.until.map_or(i64::MAX, |until| until.saturating_sub(1)),
            min_ply: self.min_moves.map_or(0, i64::from),
            max_ply: self.max_moves.map_or(i64::MAX, i64::from),
            position,
            rating,
        }))
    }

    fn after(&self) -> Result<ArchiveCursor, Error> {
        let Some(text) = &self.cursor else { return Ok(ArchiveCursor::START) };
        let Cursor { updated: ended, id } = parse_cursor(text)?;
        Ok(ArchiveCursor { ended, id })
    }
}

/// The id of a player who is given by id or name: empty if none is given, nothing if there is no such player.
async fn find_player(app: &App, given: Option<&str>) -> Result<Option<String>, Error> {
    let Some(given) = given.map(str::trim).filter(|given| !given.is_empty()) else {
        return Ok(Some(String::new()));
    };
    if ids::is_id(given)
        && let Some(found) = app.store.player(given).await?
    {
        return Ok(Some(found.id));
    }
    if ids::is_player_id(given) {
        return Ok(None);
    }
    Ok(app.store.player_named(given).await?.map(|found| found.id))
}

/// Search the finished games, those that ended last first, in pages. A page looks through at most a few thousand
/// games: it can be empty although there are more, and `next` then continues.
#[utoipa::path(get, path = "/api/archive", operation_id = "search_archive", tag = "games", params(ArchiveQuery),
    responses((status = 200, body = ArchivePage), (status = 400, body = ApiError)))]
pub(crate) async fn search(
    State(app): State<AppState>,
    query: Result<Query<ArchiveQuery>, QueryRejection>,
) -> Result<Json<ArchivePage>, Error> {
    let Query(query) = query?;
    let limit = page_size(query.limit, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)?;
    let after = query.after()?;
    let Some(filter) = query.filter(&app).await? else {
        return Ok(Json(ArchivePage { games: Vec::new(), next: None }));
    };
    let (games, next) = app.store.search(&filter, &after, limit).await?;
    let games = games.into_iter().map(|(game, ended)| ArchivedGame { game: game.into(), ended });
    let next = next.map(|ArchiveCursor { ended, id }| format!("{ended}-{id}"));
    Ok(Json(ArchivePage { games: games.collect(), next }))
}

/// Download the games of a search as records, those that ended last first, with an empty line between them: a
/// file that `stoa` reads. At most 10,000; `cursor` continues a search. An address downloads once at a time. Two
/// downloads at a time are read from the database; a new one that has to wait for them for too long is refused with
/// `unavailable`.
#[utoipa::path(get, path = "/api/archive/records", operation_id = "download_archive", tag = "games",
    params(ArchiveQuery),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 400, body = ApiError),
        (status = 429, body = ApiError), (status = 503, body = ApiError)))]
pub(crate) async fn records(
    State(app): State<AppState>,
    client: Client,
    query: Result<Query<ArchiveQuery>, QueryRejection>,
) -> Result<impl IntoResponse, Error> {
    let Query(query) = query?;
    let cursor = query.after()?;
    let filter = query.filter(&app).await?;
    app.limits.download(&client)?;
    let games = match filter {
        Some(filter) => {
            let _running = app.downloads.begin(client, app.settings.rate.is_some())?;
            Games::Found { filter: Box::new(filter), cursor: Some(cursor), _running }
        }
        None => Games::Known(Vec::new().into_iter()),
    };
    download(app, games, "stoa-archive.txt").await
}

/// A position of a game.
fn parse_position(game: Game, text: &str) -> Result<AnyPosition, Error> {
    let bad = |message: String| Error::new(ErrorCode::BadRequest, message);
    if text.len() > MAX_POSITION {
        return Err(bad(format!("a position has at most {MAX_POSITION} characters")));
    }
    game.position(text).map_err(|error| bad(error.to_string()))
}

/// A position, and whose moves to count.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplorerQuery {
    /// The game with its options.
    #[param(max_length = 40)]
    game: String,
    /// The position; the start if left out.
    #[serde(default)]
    #[param(max_length = 2000)]
    position: Option<String>,
    /// Whose moves; those of all people by default.
    #[serde(default)]
    #[param(inline)]
    by: ExplorerScope,
}

/// The opening explorer: what was played from a position in the first 40 moves of the finished games, with
/// the results. Positions that differ only by a symmetry count as one. A game is counted some seconds after
/// its end.
#[utoipa::path(get, path = "/api/explorer", operation_id = "explore", tag = "games", params(ExplorerQuery),
    responses((status = 200, body = Explored), (status = 400, body = ApiError), (status = 401, body = ApiError)))]
pub(crate) async fn explore(
    State(app): State<AppState>,
    me: Option<AuthPlayer>,
    query: Result<Query<ExplorerQuery>, QueryRejection>,
) -> Result<Json<Explored>, Error> {
    let Query(query) = query?;
    let game = parse_game(&query.game)?;
    let position = match query.position.as_deref() {
        None => game.start(),
        Some(text) => parse_position(game, text)?,
    };
    let scope = match (query.by, &me) {
        (ExplorerScope::People, _) => PEOPLE,
        (ExplorerScope::Bots, _) => BOTS,
        (ExplorerScope::Me, Some(AuthPlayer(me))) => me.id.as_str(),
        (ExplorerScope::Me, None) => return Err(Error::no_player()),
    };
    let rows = app.store.explored(scope, explorer::position_key(&position)).await?;
    Ok(Json(Explored { moves: explorer::unfold(&position, rows) }))
}

const _: () = assert!(MAX_SEARCHED >= MAX_PAGE_SIZE, "a page can be full");
