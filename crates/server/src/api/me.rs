//! Handlers for the current player and their games.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum_extra::extract::SignedCookieJar;
use serde::Deserialize;
use stoa_wire::{
    ApiError, ChallengeList, ErrorCode, GameFilter, GameList, Identity, Player, PlayerKind,
    PlayerName,
};
use utoipa::IntoParams;

use super::Error;
use super::auth::{AuthPlayer, renewed, signed_in};
use super::error::Body;
use crate::app::AppState;
use crate::guard::Client;
use crate::ids;
use crate::store::PlayerRow;

/// The longest name, in characters.
const MAX_NAME_LENGTH: usize = 30;
/// The page size of a list, unless the request names another.
const DEFAULT_PAGE_SIZE: i64 = 50;
/// The largest page of a list.
const MAX_PAGE_SIZE: i64 = 100;

/// A normalised name: without odd spaces, and without characters that change how text is laid out.
pub(crate) fn proper_name(name: &str) -> Result<String, Error> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    let is_strange = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    if name.is_empty() {
        return Err(Error::new(ErrorCode::BadName, "a name has at least one letter"));
    }
    if name.chars().count() > MAX_NAME_LENGTH {
        return Err(Error::new(
            ErrorCode::BadName,
            format!("a name has at most {MAX_NAME_LENGTH} letters"),
        ));
    }
    if name.chars().any(is_strange) {
        return Err(Error::new(ErrorCode::BadName, "a name is made of letters that can be seen"));
    }
    Ok(name)
}

/// The current player.
#[utoipa::path(get, path = "/api/me", operation_id = "show_me", tag = "players",
    responses((status = 200, body = Identity)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    jar: SignedCookieJar,
    me: Option<AuthPlayer>,
) -> (SignedCookieJar, Json<Identity>) {
    let Some(AuthPlayer(row)) = me else {
        return (jar, Json(Identity { player: None, login: None }));
    };
    let login = row.login.clone();
    (renewed(jar, &app, &row), Json(Identity { player: Some(row.into()), login }))
}

/// Set your name. An anonymous client becomes a new player and gets a cookie.
#[utoipa::path(post, path = "/api/me", operation_id = "name_me", tag = "players", request_body = PlayerName,
    responses((status = 200, body = Player), (status = 400, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn rename(
    State(app): State<AppState>,
    client: Client,
    jar: SignedCookieJar,
    me: Option<AuthPlayer>,
    Body(PlayerName { name }): Body<PlayerName>,
) -> Result<(SignedCookieJar, Json<Player>), Error> {
    let name = proper_name(&name)?;
    if let Some(AuthPlayer(mut row)) = me {
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
    };
    app.store.add_player(&row).await?;
    Ok((signed_in(jar, &app, &row), Json(row.into())))
}

/// GameQuery games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameQuery {
    /// GameQuery games; `playing` by default.
    #[serde(default)]
    state: GameFilter,
    /// A cursor: only games that changed before this time, the `updated` of the last one you have.
    #[serde(default)]
    before: Option<i64>,
    /// How many games at most, up to 100; 50 by default.
    #[serde(default)]
    limit: Option<i64>,
}

/// Your games, those that changed last first.
#[utoipa::path(get, path = "/api/me/games", operation_id = "my_games", tag = "players", params(GameQuery),
    responses((status = 200, body = GameList), (status = 401, body = ApiError)))]
pub(crate) async fn games(
    State(app): State<AppState>,
    AuthPlayer(row): AuthPlayer,
    query: Result<Query<GameQuery>, QueryRejection>,
) -> Result<Json<GameList>, Error> {
    let Query(query) = query?;
    let limit = query.limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let before = query.before.unwrap_or(i64::MAX);
    let games = app.store.games_of(&row.id, query.state, before, limit).await?;
    Ok(Json(GameList { games: games.into_iter().map(Into::into).collect() }))
}

/// The open challenges that you created or were sent.
#[utoipa::path(get, path = "/api/me/challenges", operation_id = "my_challenges", tag = "players",
    responses((status = 200, body = ChallengeList), (status = 401, body = ApiError)))]
pub(crate) async fn challenges(
    State(app): State<AppState>,
    AuthPlayer(row): AuthPlayer,
) -> Result<Json<ChallengeList>, Error> {
    let now = app.time.now();
    let challenges = app.store.challenges_of(&row.id, now).await?;
    let challenges = challenges.into_iter().map(|row| row.at(now)).collect();
    Ok(Json(ChallengeList { challenges }))
}
