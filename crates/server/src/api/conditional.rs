//! Handlers for conditional moves.

use axum::Json;
use axum::extract::{Path, State};
use stoa_wire::{ApiError, ConditionalMoves, NewConditionalMoves};

use super::Error;
use super::auth::AuthPlayer;
use super::error::{Body, NoBody};
use crate::app::AppState;

/// Your conditional moves in a game.
#[utoipa::path(get, path = "/api/games/{id}/conditional", operation_id = "conditional_moves", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = ConditionalMoves), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
) -> Result<Json<ConditionalMoves>, Error> {
    app.rooms.side_of(&id, &me.id).await?;
    Ok(Json(app.store.conditional_moves(&id, &me.id).await?))
}

/// Set your conditional moves in a game without a clock, while it is the other side's turn. They replace the
/// earlier ones. When the other side plays the first move of a line, the server plays your reply at the same
/// moment; lines that do not begin with it are dropped. If no line fits, if a draw is offered, if a move is
/// taken back, or if the game ends, all are dropped, and you are notified.
#[utoipa::path(post, path = "/api/games/{id}/conditional", operation_id = "set_conditional_moves", tag = "games",
    params(("id" = String, Path)),
    request_body = NewConditionalMoves,
    responses((status = 200, body = ConditionalMoves), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 403, body = ApiError), (status = 404, body = ApiError),
        (status = 409, body = ApiError), (status = 413, body = ApiError), (status = 503, body = ApiError)))]
pub(crate) async fn set(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    Body(wanted): Body<NewConditionalMoves>,
) -> Result<Json<ConditionalMoves>, Error> {
    Ok(Json(app.rooms.set_conditional(&id, &me.id, &wanted.lines).await?))
}

/// Delete your conditional moves in a game, or the notice that they were dropped.
#[utoipa::path(delete, path = "/api/games/{id}/conditional", operation_id = "delete_conditional_moves",
    tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = ConditionalMoves), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError), (status = 503, body = ApiError)))]
pub(crate) async fn delete(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<Json<ConditionalMoves>, Error> {
    Ok(Json(app.rooms.set_conditional(&id, &me.id, &[]).await?))
}
