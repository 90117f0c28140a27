//! Handlers for the current player and their games.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum_extra::extract::SignedCookieJar;
use serde::Deserialize;
use stoa_wire::{
    ApiError, ChallengeList, ErrorCode, GameFilter, GameList, Identity, Player, PlayerKind,
    PlayerName,
};
use utoipa::IntoParams;

use super::Error;
use super::auth::{AuthPlayer, OwnPlayer, renewed, signed_in};
use super::error::Body;
use super::lists::{cut, page_size};
use crate::app::AppState;
use crate::guard::Client;
use crate::ids;
use crate::names::new_name;
use crate::store::{Cursor, GameRow, PlayerRow, StoreError};

/// The page size of a list, unless the request names another.
const DEFAULT_PAGE_SIZE: i64 = 50;
/// The largest page of a list.
const MAX_PAGE_SIZE: i64 = 100;
/// How many challenges of others, and of one's own, a list has.
const MAX_CHALLENGES: i64 = 100;

/// The current player.
#[utoipa::path(get, path = "/api/me", operation_id = "show_me", tag = "players",
    responses((status = 200, body = Identity)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    headers: HeaderMap,
    jar: SignedCookieJar,
    me: Option<AuthPlayer>,
) -> Result<(SignedCookieJar, Json<Identity>), Error> {
    let Some(AuthPlayer(row)) = me else {
        return Ok((jar, Json(Identity { player: None, login: None })));
    };
    let login = row.login.clone();
    // Programs send no cookie that could be renewed.
    let jar = match headers.contains_key(header::AUTHORIZATION) {
        true => jar,
        false => renewed(jar, &app, &headers, &row).await?,
    };
    Ok((jar, Json(Identity { player: Some(row.into()), login })))
}

/// Set your name. An anonymous client becomes a new player and gets a cookie. An account needs its cookie for
/// this; a token is not enough.
#[utoipa::path(post, path = "/api/me", operation_id = "name_me", tag = "players", request_body = PlayerName,
    responses((status = 200, body = Player), (status = 400, body = ApiError), (status = 403, body = ApiError),
        (status = 429, body = ApiError)))]
pub(crate) async fn rename(
    State(app): State<AppState>,
    client: Client,
    jar: SignedCookieJar,
    me: Option<OwnPlayer>,
    Body(PlayerName { name }): Body<PlayerName>,
) -> Result<(SignedCookieJar, Json<Player>), Error> {
    let name = new_name(&name)?;
    if let Some(OwnPlayer(mut row)) = me {
        app.limits.name(&row.id, &client)?;
        app.store.rename(&row.id, &name).await?;
        app.invalidate_player(&row.id).await;
        row.name = name;
        return Ok((jar, Json(row.into())));
    }
    app.limits.new_player(&client)?;
    let row = PlayerRow {
        id: ids::long(),
        name,
        kind: PlayerKind::Guest,
        login: None,
        password: None,
        epoch: app.time.now(),
        created: app.time.now(),
        deleted: None,
        closed: None,
    };
    app.store.add_player(&row).await?;
    Ok((signed_in(jar, &app, &row, None), Json(row.into())))
}

/// Which games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameQuery {
    /// Which games; `playing` by default.
    #[serde(default)]
    state: GameFilter,
    /// Where the page begins: the `next` of the page before. Without it, the first page.
    #[serde(default)]
    cursor: Option<String>,
    /// Only games that changed before this time. Several games can have changed at the same time, so this
    /// is not a way to read pages: use `cursor`.
    #[serde(default)]
    before: Option<i64>,
    /// How many games at most, 1 to 100; 50 by default.
    #[serde(default)]
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Your games, those that changed last first, in pages. A game that changes while you read the pages moves
/// to the first one.
#[utoipa::path(get, path = "/api/me/games", operation_id = "my_games", tag = "players", params(GameQuery),
    responses((status = 200, body = GameList), (status = 400, body = ApiError), (status = 401, body = ApiError)))]
pub(crate) async fn games(
    State(app): State<AppState>,
    AuthPlayer(row): AuthPlayer,
    query: Result<Query<GameQuery>, QueryRejection>,
) -> Result<Json<GameList>, Error> {
    let Query(query) = query?;
    let after = match query.cursor.as_deref() {
        None => Cursor { updated: query.before.unwrap_or(i64::MAX), id: String::new() },
        Some(text) => parse_cursor(text)?,
    };
    game_list(query.limit, async |limit| {
        app.store.games_of(&row.id, query.state, &after, limit).await
    })
    .await
}

/// A page of a list of games, which `read` reads up to a limit.
pub(super) async fn game_list(
    limit: Option<i64>,
    read: impl AsyncFnOnce(i64) -> Result<Vec<GameRow>, StoreError>,
) -> Result<Json<GameList>, Error> {
    let limit = page_size(limit, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)?;
    // One more than the page has, to see whether there is another page.
    let mut games = read(limit + 1).await?;
    let is_last = cut(&mut games, limit);
    let last = games.last().filter(|_| !is_last);
    let next = last.map(|game| format!("{}-{}", game.updated, game.id));
    Ok(Json(GameList { games: games.into_iter().map(Into::into).collect(), next }))
}

/// The place in a list of games that the `next` of a page names.
pub(super) fn parse_cursor(text: &str) -> Result<Cursor, Error> {
    let parse = || {
        let (updated, id) = text.split_once('-')?;
        let id = Some(id).filter(|id| ids::is_id(id))?.to_owned();
        Some(Cursor { updated: updated.parse().ok()?, id })
    };
    parse().ok_or_else(|| {
        Error::new(ErrorCode::BadRequest, "the cursor is not the `next` of a page of games")
    })
}

/// The open challenges that you created or were sent, newest first: at most 100 of each. If you were sent
/// more, every address gets a fair share of them.
#[utoipa::path(get, path = "/api/me/challenges", operation_id = "my_challenges", tag = "players",
    responses((status = 200, body = ChallengeList), (status = 401, body = ApiError)))]
pub(crate) async fn challenges(
    State(app): State<AppState>,
    AuthPlayer(row): AuthPlayer,
) -> Result<Json<ChallengeList>, Error> {
    let now = app.time.now();
    let challenges = app.store.challenges_of(&row.id, now, MAX_CHALLENGES).await?;
    let challenges = challenges.into_iter().map(|row| row.at(now)).collect();
    Ok(Json(ChallengeList { challenges }))
}
