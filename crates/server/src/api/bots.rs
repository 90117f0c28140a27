//! Handlers for bots.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use stoa_wire::{ApiError, BotList, ErrorCode, Player, PlayerKind};

use super::Error;
use super::auth::{AuthPlayer, not_for_tokens};
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
/// `/api/me/events` or a socket. This cannot be undone, and is refused while you are playing a game. An account
/// needs the cookie for it; a player without a password can do it with a token.
#[utoipa::path(post, path = "/api/me/bot", operation_id = "become_bot", tag = "bots",
    responses((status = 200, body = Player), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn become_bot(
    State(app): State<AppState>,
    headers: HeaderMap,
    AuthPlayer(mut me): AuthPlayer,
    _: NoBody,
) -> Result<Json<Player>, Error> {
    let is_bot = me.kind == PlayerKind::Bot;
    if !is_bot && me.login.is_some() && headers.contains_key(header::AUTHORIZATION) {
        return Err(not_for_tokens());
    }
    if !is_bot && !app.store.make_bot(&me.id).await? {
        let message =
            "you are playing; finish your games first, or create another player for the bot";
        return Err(Error::new(ErrorCode::StillPlaying, message));
    }
    me.kind = PlayerKind::Bot;
    app.invalidate_player(&me.id).await;
    Ok(Json(me.into()))
}
