//! Bots: programs that anyone can challenge.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::Error;
use super::identity::Me;
use crate::app::Handle;
use crate::wire::Player;

/// Bots that can be challenged now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BotList {
    bots: Vec<Player>,
}

/// The bots that are connected and can be challenged, with `opponent` in `POST /api/challenges`. The levels
/// of the server's own engine are called Stoa 1 to Stoa 10. A bot that has left may be listed for a minute.
#[utoipa::path(get, path = "/api/bots", operation_id = "list_bots", tag = "bots",
    responses((status = 200, body = BotList)))]
pub(crate) async fn list(State(app): State<Handle>) -> Result<Json<BotList>, Error> {
    Ok(Json(BotList { bots: app.bots.list().await? }))
}

/// Become a bot: others see that you are a program, and you are listed while you are connected to
/// `/api/me/events` or a socket. There is no way back. Not while a game of yours is being played.
#[utoipa::path(post, path = "/api/me/bot", operation_id = "become_bot", tag = "bots",
    responses((status = 200, body = Player), (status = 401, body = Error),
        (status = 409, body = Error)))]
pub(crate) async fn become_one(
    State(app): State<Handle>,
    Me(mut me): Me,
) -> Result<Json<Player>, Error> {
    if me.kind != "bot" && !app.store.make_bot(&me.id).await? {
        let message = "you are playing; finish your games first, or make a new player for the bot";
        return Err(Error::conflict("still_playing", message));
    }
    me.kind = "bot".to_owned();
    app.player_changed(&me.id).await;
    Ok(Json(me.into()))
}
