//! Handlers for messages in games, for muting and for reports.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use stoa_wire::{
    ApiError, ErrorCode, NewReport, NewTalk, Player, ServerMessage, Talk, TalkMessage, TalkRoom,
};

use super::Error;
use super::acquaintances::any_player;
use super::auth::AuthPlayer;
use super::error::{Body, NoBody};
use crate::app::{App, AppState};
use crate::guard::Client;
use crate::hub::Topic;
use crate::ids;
use crate::settings::TalkPolicy;
use crate::store::{Muted, ReportRow, Said};
use crate::texts::{MAX_REASON_LENGTH, MAX_TALK_LENGTH, optional_text, proper_text};

/// How many messages a game may have among the players, and as many among the viewers.
pub(crate) const MAX_TALK: i64 = 500;
/// How many people a player may have muted.
const MAX_MUTED: i64 = 500;
/// How many open reports one person may have.
const MAX_REPORTS: i64 = 50;

/// The messages in a game: those of the players if you play in it, otherwise those of the viewers.
#[utoipa::path(get, path = "/api/games/{id}/talk", operation_id = "talk", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = Talk), (status = 404, body = ApiError)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    me: Option<AuthPlayer>,
    Path(id): Path<String>,
) -> Result<Json<Talk>, Error> {
    let me = me.map(|AuthPlayer(row)| row.id);
    let room = room_of(&app, &id, me.as_deref()).await?;
    let [muted, blocked] = match &me {
        Some(me) => app.store.unheard(me).await?,
        None => Default::default(),
    };
    let mut messages = app.store.talk(&id, room).await?;
    messages.retain(|one| !muted.contains(&one.by.id) && !blocked.contains(&one.by.id));
    let free_text = app.settings.talk.allows(room);
    Ok(Json(Talk { room, messages, free_text, muted, blocked }))
}

/// Send a message in a game: a phrase, or free text where the server allows it. Players talk to each other, and
/// viewers among themselves. A socket that watches the game gets it as `said`, and so do the event streams of
/// both players, unless they have muted or blocked you.
#[utoipa::path(post, path = "/api/games/{id}/talk", operation_id = "say", tag = "games",
    params(("id" = String, Path)),
    request_body = NewTalk,
    responses((status = 201, body = TalkMessage), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 403, body = ApiError), (status = 404, body = ApiError),
        (status = 409, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn say(
    State(app): State<AppState>,
    client: Client,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    Body(NewTalk { phrase, text }): Body<NewTalk>,
) -> Result<(StatusCode, Json<TalkMessage>), Error> {
    if phrase.is_some() == text.is_some() {
        return Err(Error::new(ErrorCode::BadRequest, "say either a phrase or a text"));
    }
    let room = room_of(&app, &id, Some(&me.id)).await?;
    let text = match text {
        Some(_) if !app.settings.talk.allows(room) => {
            let message = "this server allows only ready-made phrases here";
            return Err(Error::new(ErrorCode::NoFreeText, message));
        }
        Some(text) => Some(proper_text(&text, MAX_TALK_LENGTH)?),
        None => None,
    };
    app.limits.talk(&me.id, &client)?;
    let by = Player::from(me);
    let message = TalkMessage { id: ids::short(), room, by, at: app.time.now(), phrase, text };
    match app.store.say(&id, &message, MAX_TALK).await? {
        Said::Done => {}
        Said::Gone => return Err(Error::no_player()),
        Said::Full => {
            let why = format!("{MAX_TALK} things have been said in this game, which is enough");
            return Err(Error::new(ErrorCode::TalkFull, why));
        }
    }
    publish(&app, &id, &message).await?;
    Ok((StatusCode::CREATED, Json(message)))
}

async fn publish(app: &App, game: &str, message: &TalkMessage) -> Result<(), Error> {
    let said = ServerMessage::Said { game: game.to_owned(), message: message.clone() };
    if message.room == TalkRoom::Viewers {
        app.bus.publish(Topic::Viewers(game.to_owned()), &said);
        return Ok(());
    }
    for player in app.rooms.players(game).await? {
        if !app.store.is_unheard(&player, &message.by.id).await? {
            app.bus.publish(Topic::Player(player), &said);
        }
    }
    Ok(())
}

/// The room in which a player talks in a game.
async fn room_of(app: &App, game: &str, player: Option<&str>) -> Result<TalkRoom, Error> {
    let players = app.rooms.players(game).await?;
    let plays = player.is_some_and(|player| players.iter().any(|one| one == player));
    Ok(if plays { TalkRoom::Players } else { TalkRoom::Viewers })
}

/// Mute a player: you no longer get their messages. They are not notified. You can mute at most 500.
#[utoipa::path(post, path = "/api/players/{id}/mute", operation_id = "mute", tag = "players",
    params(("id" = String, Path)),
    responses((status = 204), (status = 400, body = ApiError), (status = 401, body = ApiError),
        (status = 404, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn mute(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<StatusCode, Error> {
    let other = any_player(&app, &id).await?;
    if other == me.id {
        return Err(Error::new(ErrorCode::BadOpponent, "you cannot mute yourself"));
    }
    done(app.store.mute(&me.id, &other, app.time.now(), MAX_MUTED).await?)
}

/// Unmute a player.
#[utoipa::path(delete, path = "/api/players/{id}/mute", operation_id = "unmute", tag = "players",
    params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn unmute(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<StatusCode, Error> {
    let other = any_player(&app, &id).await?;
    app.store.unmute(&me.id, &other).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Report a message or a player to the operators of the server. The reported player is not notified. Reporting
/// the same thing again has no further effect.
#[utoipa::path(post, path = "/api/reports", operation_id = "report", tag = "players",
    request_body = NewReport,
    responses((status = 204), (status = 400, body = ApiError), (status = 401, body = ApiError),
        (status = 404, body = ApiError), (status = 409, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn report(
    State(app): State<AppState>,
    client: Client,
    AuthPlayer(me): AuthPlayer,
    Body(wanted): Body<NewReport>,
) -> Result<StatusCode, Error> {
    let reason = optional_text(&wanted.reason, MAX_REASON_LENGTH)?;
    let (accused, game) = match (&wanted.message, &wanted.player) {
        (Some(message), None) => {
            let (game, said) = readable(&app, message, &me.id).await?;
            (said.by.id, Some(game))
        }
        (None, Some(player)) => {
            let game = match &wanted.game {
                Some(game) => app.rooms.players(game).await.map(|_| Some(game.clone()))?,
                None => None,
            };
            (any_player(&app, player).await?, game)
        }
        _ => {
            let message = "report either a message or a player";
            return Err(Error::new(ErrorCode::BadRequest, message));
        }
    };
    if accused == me.id {
        return Err(Error::new(ErrorCode::BadOpponent, "you cannot report yourself"));
    }
    app.limits.report(&me.id, &client)?;
    let report = ReportRow {
        id: ids::short(),
        reporter: me.id,
        accused,
        game,
        message: wanted.message,
        reason,
        at: app.time.now(),
    };
    done(app.store.add_report(&report, MAX_REPORTS).await?)
}

/// A message, if this person may read it.
async fn readable(app: &App, id: &str, reader: &str) -> Result<(String, TalkMessage), Error> {
    let found = if ids::is_id(id) { app.store.talk_message(id).await? } else { None };
    let (game, said) = found.ok_or_else(|| Error::not_found("message"))?;
    if room_of(app, &game, Some(reader)).await? != said.room {
        return Err(Error::not_found("message"));
    }
    Ok((game, said))
}

fn done(result: Muted) -> Result<StatusCode, Error> {
    match result {
        Muted::Done => Ok(StatusCode::NO_CONTENT),
        Muted::Gone => Err(Error::not_found("player")),
        Muted::TooMany => {
            let message = "you have muted or reported as many people as you can";
            Err(Error::new(ErrorCode::TooManyPeople, message))
        }
    }
}

impl TalkPolicy {
    fn allows(self, room: TalkRoom) -> bool {
        match room {
            TalkRoom::Players => self != TalkPolicy::Phrases,
            TalkRoom::Viewers => self == TalkPolicy::Everybody,
        }
    }
}
