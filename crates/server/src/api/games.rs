//! Games: seeing them, acting in them.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::Error;
use super::error::Body;
use super::identity::Me;
use crate::app::Handle;
use crate::play::Action;
use crate::wire::{GameCard, GameView, Situation};

/// How many games are shown to those who want to watch one.
const TO_WATCH: i64 = 50;

/// A list of games.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Games {
    pub(crate) games: Vec<GameCard>,
}

/// Games being played, those with the latest moves first.
#[utoipa::path(get, path = "/api/games", operation_id = "list_games", tag = "games",
    responses((status = 200, body = Games)))]
pub(crate) async fn list(State(app): State<Handle>) -> Result<Json<Games>, Error> {
    let games = app.store.games_to_watch(TO_WATCH).await?;
    Ok(Json(Games { games: games.into_iter().map(Into::into).collect() }))
}

/// A game, whole.
#[utoipa::path(get, path = "/api/games/{id}", operation_id = "show_game", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 404, body = Error)))]
pub(crate) async fn show(
    State(app): State<Handle>,
    Path(id): Path<String>,
) -> Result<Json<GameView>, Error> {
    Ok(Json(app.view(&id).await?))
}

/// A game as a record, the format that `stoa` reads and writes.
#[utoipa::path(get, path = "/api/games/{id}/record", operation_id = "game_record", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "text/plain"),
        (status = 404, body = Error)))]
pub(crate) async fn record(
    State(app): State<Handle>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Error> {
    let record = app.rooms.record(&id).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], record))
}

/// Move, resign, ask for a draw, and whatever else a player can do. The answer comes when it is kept for
/// good. A move that was played already may be sent again: it is answered as if it were new.
#[utoipa::path(post, path = "/api/games/{id}/actions", operation_id = "act", tag = "games",
    params(("id" = String, Path)),
    request_body = Action,
    responses((status = 200, body = Situation), (status = 400, body = Error),
        (status = 401, body = Error), (status = 403, body = Error), (status = 404, body = Error),
        (status = 409, body = Error), (status = 429, body = Error), (status = 503, body = Error)))]
pub(crate) async fn act(
    State(app): State<Handle>,
    Me(me): Me,
    Path(id): Path<String>,
    Body(action): Body<Action>,
) -> Result<Json<Situation>, Error> {
    Ok(Json(app.rooms.act(&id, &me.id, &action).await?))
}
