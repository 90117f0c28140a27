//! Handlers for following and blocking, and for what others may see.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use stoa_wire::{Acquaintance, AcquaintanceList, ApiError, ErrorCode, Privacy};

use super::Error;
use super::auth::{AuthPlayer, CookiePlayer};
use super::error::{Body, NoBody};
use super::players::find_player;
use crate::app::{App, AppState};
use crate::ids;
use crate::presence::is_here;
use crate::store::{Relation, RelationChange};

/// How many people a player may follow, and how many they may have blocked.
const MAX_ACQUAINTANCES: i64 = 500;

/// The people whom you follow, with whether they are online now, and those whom you have blocked.
#[utoipa::path(get, path = "/api/me/acquaintances", operation_id = "my_acquaintances", tag = "players",
    responses((status = 200, body = AcquaintanceList), (status = 401, body = ApiError)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
) -> Result<Json<AcquaintanceList>, Error> {
    Ok(Json(acquaintances(&app, &me.id).await?))
}

/// The people whom a player follows or has blocked.
pub(super) async fn acquaintances(app: &App, id: &str) -> Result<AcquaintanceList, Error> {
    let now = app.time.now();
    let found = app.store.acquaintances(id).await?;
    let mut following: Vec<Acquaintance> = found
        .following
        .into_iter()
        .map(|(player, seen)| {
            let here = is_here(app.bus.hub(), &player.id, &seen, now);
            Acquaintance { player, here }
        })
        .collect();
    following.sort_by_key(|one| !one.here);
    let blocked = found.blocked.into_iter().map(|player| Acquaintance { player, here: false });
    Ok(AcquaintanceList { following, blocked: blocked.collect() })
}

/// Follow a player: you see when they are online, unless they hide it. You follow at most 500.
#[utoipa::path(post, path = "/api/players/{id}/follow", operation_id = "follow", tag = "players",
    params(("id" = String, Path)),
    responses((status = 204), (status = 400, body = ApiError), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn follow(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<StatusCode, Error> {
    add_relation(&app, &me.id, &id, Relation::Follow).await
}

/// Unfollow a player.
#[utoipa::path(delete, path = "/api/players/{id}/follow", operation_id = "unfollow", tag = "players",
    params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn unfollow(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<StatusCode, Error> {
    remove_relation(&app, &me.id, &id, Relation::Follow).await
}

/// Block a player: neither of you can challenge the other or accept the other's challenges, and they no longer
/// follow you. You block at most 500. Guests can be blocked, too, by their id.
#[utoipa::path(post, path = "/api/players/{id}/block", operation_id = "block", tag = "players",
    params(("id" = String, Path)),
    responses((status = 204), (status = 400, body = ApiError), (status = 401, body = ApiError),
        (status = 404, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn block(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<StatusCode, Error> {
    add_relation(&app, &me.id, &id, Relation::Block).await
}

/// Unblock a player.
#[utoipa::path(delete, path = "/api/players/{id}/block", operation_id = "unblock", tag = "players",
    params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn unblock(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<StatusCode, Error> {
    remove_relation(&app, &me.id, &id, Relation::Block).await
}

async fn add_relation(
    app: &App,
    me: &str,
    other: &str,
    relation: Relation,
) -> Result<StatusCode, Error> {
    let other = id_of(app, other, relation).await?;
    if other == me {
        let message = "you cannot follow or block yourself";
        return Err(Error::new(ErrorCode::BadOpponent, message));
    }
    let now = app.time.now();
    match app.store.add_relation(me, &other, relation, now, MAX_ACQUAINTANCES).await? {
        RelationChange::Done => Ok(StatusCode::NO_CONTENT),
        RelationChange::Gone => Err(Error::not_found("player")),
        RelationChange::Blocked => Err(Error::blocked()),
        RelationChange::TooMany => {
            let message = format!("you can follow {MAX_ACQUAINTANCES} people, and block as many");
            Err(Error::new(ErrorCode::TooManyPeople, message))
        }
    }
}

async fn remove_relation(
    app: &App,
    me: &str,
    other: &str,
    relation: Relation,
) -> Result<StatusCode, Error> {
    let other = id_of(app, other, relation).await?;
    app.store.remove_relation(me, &other, relation).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The id of a player, who may be a guest only if they are blocked.
async fn id_of(app: &App, handle: &str, relation: Relation) -> Result<String, Error> {
    if relation == Relation::Block {
        return any_player(app, handle).await;
    }
    let found = find_player(app, handle).await?;
    Ok(found.ok_or_else(|| Error::not_found("player"))?.0.id)
}

/// The id of a player by any handle, or of a guest by their id.
pub(super) async fn any_player(app: &App, handle: &str) -> Result<String, Error> {
    if let Some((player, _)) = find_player(app, handle).await? {
        return Ok(player.id);
    }
    let guest = if ids::is_id(handle) { app.store.player(handle).await? } else { None };
    let guest = guest.filter(|guest| guest.deleted.is_none());
    Ok(guest.ok_or_else(|| Error::not_found("player"))?.id)
}

/// What others may see of you.
#[utoipa::path(get, path = "/api/me/privacy", operation_id = "my_privacy", tag = "players",
    responses((status = 200, body = Privacy), (status = 401, body = ApiError)))]
pub(crate) async fn privacy(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
) -> Result<Json<Privacy>, Error> {
    Ok(Json(Privacy { show_presence: app.store.shows_presence(&me.id).await? }))
}

/// Set what others may see of you. This needs the cookie.
#[utoipa::path(post, path = "/api/me/privacy", operation_id = "set_privacy", tag = "players",
    request_body = Privacy,
    responses((status = 200, body = Privacy), (status = 400, body = ApiError), (status = 401, body = ApiError),
        (status = 403, body = ApiError)))]
pub(crate) async fn set_privacy(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
    Body(privacy): Body<Privacy>,
) -> Result<Json<Privacy>, Error> {
    app.store.set_show_presence(&me.id, privacy.show_presence).await?;
    Ok(Json(privacy))
}
