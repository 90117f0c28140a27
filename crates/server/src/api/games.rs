//! Handlers for games and actions.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use stoa_wire::{Action, ApiError, GameList, GameView, LiveGames, NETWORK_HEADER, Situation};

use super::Error;
use super::auth::AuthPlayer;
use super::error::Body;
use crate::app::AppState;
use crate::guard::Client;

/// How many games the list of games has.
const LIST_SIZE: i64 = 50;

/// Games being played, those with the latest moves first, at most 50.
#[utoipa::path(get, path = "/api/games", operation_id = "list_games", tag = "games",
    responses((status = 200, body = GameList)))]
pub(crate) async fn list(State(app): State<AppState>) -> Result<Json<GameList>, Error> {
    let games = app.store.games_to_watch(LIST_SIZE).await?;
    Ok(Json(GameList { games: games.into_iter().map(Into::into).collect(), next: None }))
}

/// Games being played as small boards, the most watched first, at most 200. The list is a few seconds old;
/// `boards` on a socket sends what changes in these games.
#[utoipa::path(get, path = "/api/games/live", operation_id = "live_games", tag = "games",
    responses((status = 200, body = LiveGames)))]
pub(crate) async fn live(State(app): State<AppState>) -> Result<impl IntoResponse, Error> {
    let list = app.rooms.boards.list(&app).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], list))
}

/// A game by its id.
#[utoipa::path(get, path = "/api/games/{id}", operation_id = "show_game", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 404, body = ApiError)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let view = app.view(&id).await?;
    // The engine shares its time out fairly, and for that must know who shares a network.
    if app.bots.is_engine(&headers)
        && let Some(network) = app.store.game(&id).await?.and_then(|game| game.network)
    {
        return Ok(([(NETWORK_HEADER, network)], Json(view)).into_response());
    }
    Ok(Json(view).into_response())
}

/// A game as a record, the format that `stoa` reads and writes.
#[utoipa::path(get, path = "/api/games/{id}/record", operation_id = "game_record", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "text/plain"),
        (status = 404, body = ApiError)))]
pub(crate) async fn record(
    State(app): State<AppState>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Error> {
    let record = app.rooms.record(&id).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], record))
}

/// Act in a game: move, resign, offer a draw and so on. The response comes after the action has been
/// committed to the database. A move that has already been played may be sent again: it gets the same
/// response as a new one.
#[utoipa::path(post, path = "/api/games/{id}/actions", operation_id = "act", tag = "games",
    params(("id" = String, Path)),
    request_body = Action,
    responses((status = 200, body = Situation), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 403, body = ApiError), (status = 404, body = ApiError),
        (status = 409, body = ApiError), (status = 429, body = ApiError), (status = 503, body = ApiError)))]
pub(crate) async fn act(
    State(app): State<AppState>,
    client: Client,
    headers: HeaderMap,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    Body(action): Body<Action>,
) -> Result<Json<Situation>, Error> {
    if action == Action::Rematch && !app.bots.is_engine(&headers) {
        app.limits.challenge(&me.id, &client)?;
    }
    Ok(Json(app.rooms.act(&id, &me.id, &action).await?))
}
