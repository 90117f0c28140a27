//! Asking somebody to play.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use stoa_rules::Game;
use utoipa::ToSchema;

use super::Error;
use super::error::Body;
use super::identity::Me;
use crate::app::Handle;
use crate::hub::Topic;
use crate::ids;
use crate::play::Control;
use crate::rooms::new_game;
use crate::store::{Accepted, ChallengeRow, Named, PlayerRow};
use crate::wire::{Challenge, GameView, Message};

const HOUR: i64 = 3600 * 1000;
/// How long a challenge in the lobby waits, and one that is sent as a link.
const LISTED: i64 = 2 * HOUR;
const UNLISTED: i64 = 14 * 24 * HOUR;
/// How many challenges one player may have open.
const MOST_OPEN: i64 = 20;
/// How many challenges the lobby shows.
const LOBBY: i64 = 200;

/// A list of challenges.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Challenges {
    pub(crate) challenges: Vec<Challenge>,
}

/// What you would like to play.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    /// The game with its options.
    #[schema(example = "palisade:9")]
    game: String,
    /// Your side: `first`, `second` or `random`.
    #[serde(default)]
    side: WishedSide,
    control: Control,
    /// Whether the lobby shows it to everyone; otherwise only those who have the link know of it.
    #[serde(default)]
    listed: bool,
    /// The id of the player it is for; anyone may accept if it is missing.
    #[serde(default)]
    opponent: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WishedSide {
    First,
    Second,
    #[default]
    Random,
}

impl WishedSide {
    fn word(self) -> &'static str {
        match self {
            WishedSide::First => "first",
            WishedSide::Second => "second",
            WishedSide::Random => "random",
        }
    }
}

/// The challenges that anyone may accept, newest first.
#[utoipa::path(get, path = "/api/challenges", operation_id = "list_challenges", tag = "challenges",
    responses((status = 200, body = Challenges)))]
pub(crate) async fn lobby(State(app): State<Handle>) -> Result<Json<Challenges>, Error> {
    Ok(Json(Challenges { challenges: open_to_all(&app).await? }))
}

pub(crate) async fn open_to_all(app: &Handle) -> Result<Vec<Challenge>, Error> {
    let now = app.time.now();
    let rows = app.store.lobby(now, LOBBY).await?;
    Ok(rows.into_iter().map(|row| Challenge::new(row, now)).collect())
}

/// Ask somebody, or anybody, to play.
#[utoipa::path(post, path = "/api/challenges", operation_id = "create_challenge", tag = "challenges",
    request_body = Wish,
    responses((status = 201, body = Challenge), (status = 400, body = Error),
        (status = 401, body = Error), (status = 429, body = Error)))]
pub(crate) async fn create(
    State(app): State<Handle>,
    Me(me): Me,
    Body(wish): Body<Wish>,
) -> Result<(StatusCode, Json<Challenge>), Error> {
    let game: Game =
        wish.game.parse().map_err(|error| Error::bad("bad_game", format!("{error}")))?;
    if let Some(flaw) = wish.control.flaw() {
        return Err(Error::bad("bad_control", flaw));
    }
    let opponent = match wish.opponent {
        None => None,
        Some(id) if id == me.id => {
            return Err(Error::bad("bad_opponent", "you cannot challenge yourself"));
        }
        Some(id) => {
            let found = app.store.player(&id).await?.filter(|player| player.deleted.is_none());
            Some(found.ok_or_else(|| Error::bad("bad_opponent", "there is no such player"))?)
        }
    };
    app.limits.challenge(&me.id)?;
    let now = app.time.now();
    if app.store.open_challenges(&me.id, now).await? >= MOST_OPEN {
        let message = format!("you have {MOST_OPEN} open challenges; cancel one first");
        return Err(Error::conflict("too_many_challenges", message));
    }
    let listed = wish.listed && opponent.is_none();
    let row = ChallengeRow {
        id: ids::short(),
        creator: named(me),
        opponent: opponent.map(named),
        game: game.to_string(),
        side: wish.side.word().to_owned(),
        control: wish.control,
        listed,
        state: "open".to_owned(),
        game_id: None,
        created: now,
        expires: now + if listed { LISTED } else { UNLISTED },
    };
    app.store.add_challenge(&row).await?;
    let challenge = Challenge::new(row, now);
    tell(&app, &challenge);
    Ok((StatusCode::CREATED, Json(challenge)))
}

/// A challenge.
#[utoipa::path(get, path = "/api/challenges/{id}", operation_id = "show_challenge", tag = "challenges",
    params(("id" = String, Path)),
    responses((status = 200, body = Challenge), (status = 404, body = Error)))]
pub(crate) async fn show(
    State(app): State<Handle>,
    Path(id): Path<String>,
) -> Result<Json<Challenge>, Error> {
    let row = find(&app, &id).await?;
    Ok(Json(Challenge::new(row, app.time.now())))
}

/// Accept a challenge: the game begins.
#[utoipa::path(post, path = "/api/challenges/{id}/accept", operation_id = "accept_challenge", tag = "challenges",
    params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 401, body = Error),
        (status = 403, body = Error), (status = 404, body = Error), (status = 409, body = Error)))]
pub(crate) async fn accept(
    State(app): State<Handle>,
    Me(me): Me,
    Path(id): Path<String>,
) -> Result<Json<GameView>, Error> {
    let row = find(&app, &id).await?;
    if row.creator.id == me.id {
        return Err(Error::forbidden("own_challenge", "you cannot accept your own challenge"));
    }
    if row.opponent.as_ref().is_some_and(|opponent| opponent.id != me.id) {
        return Err(Error::forbidden("not_for_you", "this challenge is for somebody else"));
    }
    let game: Game =
        row.game.parse().map_err(|error| Error::bad("bad_game", format!("{error}")))?;
    let creator_first = match row.side.as_str() {
        "first" => true,
        "second" => false,
        _ => ids::coin(),
    };
    let creator = row.creator.id.clone();
    let players = if creator_first { [creator, me.id] } else { [me.id, creator] };
    let now = app.time.now();
    let game = new_game(game, row.control, players, None, now);
    if app.store.accept(&id, now, &game).await? == Accepted::Gone {
        return Err(Error::conflict("gone", "this challenge is no longer open"));
    }
    app.rooms.started(&game.id).await;
    let challenge = Challenge::new(find(&app, &id).await?, now);
    tell(&app, &challenge);
    Ok(Json(app.rooms.view(&game.id).await?))
}

/// Decline a challenge that was sent to you.
#[utoipa::path(post, path = "/api/challenges/{id}/decline", operation_id = "decline_challenge", tag = "challenges",
    params(("id" = String, Path)),
    responses((status = 200, body = Challenge), (status = 401, body = Error),
        (status = 403, body = Error), (status = 404, body = Error), (status = 409, body = Error)))]
pub(crate) async fn decline(
    State(app): State<Handle>,
    Me(me): Me,
    Path(id): Path<String>,
) -> Result<Json<Challenge>, Error> {
    let row = find(&app, &id).await?;
    if row.opponent.is_none_or(|opponent| opponent.id != me.id) {
        return Err(Error::forbidden("not_for_you", "this challenge was not sent to you"));
    }
    close(&app, &id, "declined").await
}

/// Take your challenge back.
#[utoipa::path(delete, path = "/api/challenges/{id}", operation_id = "cancel_challenge", tag = "challenges",
    params(("id" = String, Path)),
    responses((status = 200, body = Challenge), (status = 401, body = Error),
        (status = 403, body = Error), (status = 404, body = Error), (status = 409, body = Error)))]
pub(crate) async fn cancel(
    State(app): State<Handle>,
    Me(me): Me,
    Path(id): Path<String>,
) -> Result<Json<Challenge>, Error> {
    if find(&app, &id).await?.creator.id != me.id {
        return Err(Error::forbidden("not_yours", "this is somebody else's challenge"));
    }
    close(&app, &id, "cancelled").await
}

async fn close(app: &Handle, id: &str, state: &str) -> Result<Json<Challenge>, Error> {
    if !app.store.close_challenge(id, state).await? {
        return Err(Error::conflict("gone", "this challenge is no longer open"));
    }
    let challenge = Challenge::new(find(app, id).await?, app.time.now());
    tell(app, &challenge);
    Ok(Json(challenge))
}

async fn find(app: &Handle, id: &str) -> Result<ChallengeRow, Error> {
    let found = if ids::is_name(id) { app.store.challenge(id).await? } else { None };
    found.ok_or_else(|| Error::not_found("challenge"))
}

/// Tells what has become of a challenge that was closed.
pub(super) async fn tell_closed(app: &Handle, id: &str) -> Result<(), Error> {
    tell(app, &Challenge::new(find(app, id).await?, app.time.now()));
    Ok(())
}

/// Tells the lobby and both players what has become of a challenge.
fn tell(app: &Handle, challenge: &Challenge) {
    if challenge.listed {
        let message = Message::Challenge { challenge: challenge.clone() };
        app.bus.publish(Topic::Lobby, &message);
    }
    let message = Message::Challenged { challenge: challenge.clone() };
    app.bus.publish(Topic::Player(challenge.creator.id.clone()), &message);
    if let Some(opponent) = &challenge.opponent {
        app.bus.publish(Topic::Player(opponent.id.clone()), &message);
    }
}

fn named(row: PlayerRow) -> Named {
    Named { id: row.id, name: row.name, kind: row.kind }
}
