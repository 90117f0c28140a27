//! Handlers for computer reviews of finished games.

use axum::Json;
use axum::extract::{Path, State};
use stoa_wire::{ApiError, ErrorCode, GameReview};

use super::Error;
use super::auth::AuthPlayer;
use super::error::NoBody;
use crate::app::{App, AppState};
use crate::guard::Client;
use crate::play::End;
use crate::reviews;
use crate::store::Asked;

/// The computer's review of a game, if it was requested: what every move was worth, what was better, and why.
/// Everyone can read it. While it waits, `before` says how many come first.
#[utoipa::path(get, path = "/api/games/{id}/review", operation_id = "show_review", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = GameReview), (status = 404, body = ApiError)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<String>,
) -> Result<Json<GameReview>, Error> {
    found(&app, &id).await.map(Json)
}

/// Ask for a computer review of a finished game. It waits for its turn: your second review waits longer than the
/// first of everyone else. Asking again changes nothing, unless it was given up.
#[utoipa::path(post, path = "/api/games/{id}/review", operation_id = "ask_review", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = GameReview), (status = 401, body = ApiError),
        (status = 404, body = ApiError), (status = 409, body = ApiError), (status = 503, body = ApiError)))]
pub(crate) async fn ask(
    State(app): State<AppState>,
    client: Client,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<Json<GameReview>, Error> {
    let (_, play) = app.rooms.read_game(&id).await?;
    match play.end {
        None => return Err(Error::new(ErrorCode::NotOver, "the game is not over yet")),
        Some(End::Over(_)) if !play.moves.is_empty() => {}
        Some(_) => {
            let message = "there is nothing in this game to review";
            return Err(Error::new(ErrorCode::NothingToReview, message));
        }
    }
    let known = found(&app, &id).await?;
    if known.review.is_some() {
        return Ok(Json(known));
    }
    if !known.available {
        let message = "nobody reviews games on this server now";
        return Err(Error::new(ErrorCode::NoReviews, message).retry_after(60));
    }
    let network = client.pseudonym(&app.settings.secret);
    let limits = reviews::queue_limits(&app);
    let (of_player, all) = (limits.of_player, limits.all);
    match app.store.ask_review(&id, &me.id, &network, limits, app.time.now()).await? {
        Asked::Known => found(&app, &id).await.map(Json),
        Asked::NoPlayer => Err(Error::no_player()),
        Asked::TooMany => {
            let message = format!(
                "you, or people with your address, have {of_player} reviews waiting or more; ask again \
                 when one is done"
            );
            Err(Error::new(ErrorCode::TooManyReviews, message))
        }
        Asked::QueueFull => {
            let message = format!("{all} reviews are waiting already");
            Err(Error::engine_busy(message))
        }
    }
}

async fn found(app: &App, game: &str) -> Result<GameReview, Error> {
    reviews::state(app, game).await?.ok_or_else(|| Error::not_found("game"))
}
