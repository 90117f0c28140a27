//! Handlers for bots.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use stoa_wire::{ApiError, BotList, ErrorCode, Player, PlayerKind};

use super::Error;
use super::auth::{AuthPlayer, check_fresh};
use super::error::NoBody;
use crate::app::AppState;

/// The bots that are online and can be challenged, with `opponent` in `POST /api/challenges`. The levels
/// of the server's own engine are called Stoa 1 to Stoa 10. At most 200 are listed, oldest first. A bot that has disconnected may be listed for
/// another minute.
#[utoipa::path(get, path = "/api/bots", operation_id = "list_bots", tag = "bots",
    responses((status = 200, body = BotList)))]
pub(crate) async fn list(State(app): State<AppState>) -> Result<Json<BotList>, Error> {
    Ok(Json(BotList { bots: app.bots.list().await? }))
}

/// Become a bot: others see that you are a program, and you are listed while you are connected to
/// `/api/me/events` or a socket. This cannot be undone, and is refused while you are playing a game. A player without
/// a password can do it with a token. An account needs the cookie, and must have signed in a short while ago; otherwise
/// the code is `sign_in_again`.
#[utoipa::path(post, path = "/api/me/bot", operation_id = "become_bot", tag = "bots",
    responses((status = 200, body = Player), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn become_bot(
    State(app): State<AppState>,
    headers: HeaderMap,
    AuthPlayer(mut me): AuthPlayer,
    _: NoBody,
) -> Result<Json<Player>, Error> {
    if me.kind == PlayerKind::Bot {
        return Ok(Json(me.into()));
    }
    check_fresh(&headers, &app, &me).await?;
    if !app.store.make_bot(&me.id).await? {
        let message =
            "you are playing; finish your games first, or create another player for the bot";
        return Err(Error::new(ErrorCode::StillPlaying, message));
    }
    me.kind = PlayerKind::Bot;
    app.invalidate_player(&me.id).await;
    Ok(Json(me.into()))
}
