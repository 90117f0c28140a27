//! Handlers for challenges and the lobby.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use stoa_rules::Game;
use stoa_wire::{
    ApiError, Challenge, ChallengeList, ChallengeSide, ChallengeState, ErrorCode, GameView,
    NewChallenge, ServerMessage,
};

use super::Error;
use super::auth::AuthPlayer;
use super::error::Body;
use crate::app::AppState;
use crate::hub::Topic;
use crate::ids;
use crate::rooms::new_game;
use crate::store::{Accepted, ChallengeRow};
use crate::time::millis;

/// How long a challenge in the lobby stays open.
const LISTED_TTL: Duration = Duration::from_secs(2 * 3600);
/// How long a challenge that is sent as a link stays open.
const UNLISTED_TTL: Duration = Duration::from_secs(14 * 24 * 3600);
/// How many open challenges a player may have.
const MAX_OPEN_CHALLENGES: i64 = 20;
/// How many challenges the lobby shows.
const LOBBY_SIZE: i64 = 200;

/// The lobby: challenges that anyone may accept, newest first.
#[utoipa::path(get, path = "/api/challenges", operation_id = "list_challenges", tag = "challenges",
    responses((status = 200, body = ChallengeList)))]
pub(crate) async fn lobby(State(app): State<AppState>) -> Result<Json<ChallengeList>, Error> {
    Ok(Json(ChallengeList { challenges: lobby_challenges(&app).await? }))
}

/// The challenges of the lobby.
pub(crate) async fn lobby_challenges(app: &AppState) -> Result<Vec<Challenge>, Error> {
    let now = app.time.now();
    let rows = app.store.lobby(now, LOBBY_SIZE).await?;
    Ok(rows.into_iter().map(|row| row.at(now)).collect())
}

/// Create a challenge, to one player or to anyone.
#[utoipa::path(post, path = "/api/challenges", operation_id = "create_challenge", tag = "challenges",
    request_body = NewChallenge,
    responses((status = 201, body = Challenge), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn create(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Body(new): Body<NewChallenge>,
) -> Result<(StatusCode, Json<Challenge>), Error> {
    let game: Game =
        new.game.parse().map_err(|error| Error::new(ErrorCode::BadGame, format!("{error}")))?;
    if let Some(flaw) = new.control.flaw() {
        return Err(Error::new(ErrorCode::BadControl, flaw));
    }
    let opponent = match new.opponent {
        None => None,
        Some(id) if id == me.id => {
            return Err(Error::new(ErrorCode::BadOpponent, "you cannot challenge yourself"));
        }
        Some(id) => {
            let found = app.store.player(&id).await?.filter(|player| player.deleted.is_none());
            Some(
                found
                    .ok_or_else(|| Error::new(ErrorCode::BadOpponent, "there is no such player"))?,
            )
        }
    };
    app.limits.challenge(&me.id)?;
    let now = app.time.now();
    if app.store.open_challenges(&me.id, now).await? >= MAX_OPEN_CHALLENGES {
        let message = format!("you have {MAX_OPEN_CHALLENGES} open challenges; cancel one first");
        return Err(Error::new(ErrorCode::TooManyChallenges, message));
    }
    let listed = new.listed && opponent.is_none();
    let row = ChallengeRow {
        id: ids::short(),
        creator: me.into(),
        opponent: opponent.map(Into::into),
        game: game.to_string(),
        side: new.side,
        control: new.control,
        listed,
        state: ChallengeState::Open,
        game_id: None,
        created: now,
        expires: now + millis(if listed { LISTED_TTL } else { UNLISTED_TTL }),
    };
    app.store.add_challenge(&row).await?;
    let challenge = row.at(now);
    publish(&app, &challenge);
    Ok((StatusCode::CREATED, Json(challenge)))
}

/// A challenge by its id.
#[utoipa::path(get, path = "/api/challenges/{id}", operation_id = "show_challenge", tag = "challenges",
    params(("id" = String, Path)),
    responses((status = 200, body = Challenge), (status = 404, body = ApiError)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<String>,
) -> Result<Json<Challenge>, Error> {
    let row = find(&app, &id).await?;
    Ok(Json(row.at(app.time.now())))
}

/// Accept a challenge: the game begins.
#[utoipa::path(post, path = "/api/challenges/{id}/accept", operation_id = "accept_challenge", tag = "challenges",
    params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn accept(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
) -> Result<Json<GameView>, Error> {
    let row = find(&app, &id).await?;
    if row.creator.id == me.id {
        return Err(Error::new(ErrorCode::OwnChallenge, "you cannot accept your own challenge"));
    }
    if row.opponent.as_ref().is_some_and(|opponent| opponent.id != me.id) {
        return Err(Error::new(ErrorCode::NotForYou, "this challenge is for somebody else"));
    }
    let game: Game =
        row.game.parse().map_err(|error| Error::new(ErrorCode::BadGame, format!("{error}")))?;
    let creator_first = match row.side {
        ChallengeSide::First => true,
        ChallengeSide::Second => false,
        ChallengeSide::Random => ids::coin(),
    };
    let creator = row.creator.id.clone();
    let players = if creator_first { [creator, me.id] } else { [me.id, creator] };
    let now = app.time.now();
    let game = new_game(game, row.control, players, None, now);
    if app.store.accept(&id, now, &game).await? == Accepted::Gone {
        return Err(Error::new(ErrorCode::Gone, "this challenge is no longer open"));
    }
    app.rooms.started(&game.id).await;
    let challenge = find(&app, &id).await?.at(now);
    publish(&app, &challenge);
    Ok(Json(app.rooms.view(&game.id).await?))
}

/// Decline a challenge that was sent to you.
#[utoipa::path(post, path = "/api/challenges/{id}/decline", operation_id = "decline_challenge", tag = "challenges",
    params(("id" = String, Path)),
    responses((status = 200, body = Challenge), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn decline(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
) -> Result<Json<Challenge>, Error> {
    let row = find(&app, &id).await?;
    if row.opponent.is_none_or(|opponent| opponent.id != me.id) {
        return Err(Error::new(ErrorCode::NotForYou, "this challenge was not sent to you"));
    }
    close(&app, &id, ChallengeState::Declined).await
}

/// Cancel your challenge.
#[utoipa::path(delete, path = "/api/challenges/{id}", operation_id = "cancel_challenge", tag = "challenges",
    params(("id" = String, Path)),
    responses((status = 200, body = Challenge), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn cancel(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
) -> Result<Json<Challenge>, Error> {
    if find(&app, &id).await?.creator.id != me.id {
        return Err(Error::new(ErrorCode::NotYours, "this is somebody else's challenge"));
    }
    close(&app, &id, ChallengeState::Cancelled).await
}

async fn close(app: &AppState, id: &str, state: ChallengeState) -> Result<Json<Challenge>, Error> {
    if !app.store.close_challenge(id, state).await? {
        return Err(Error::new(ErrorCode::Gone, "this challenge is no longer open"));
    }
    let challenge = find(app, id).await?.at(app.time.now());
    publish(app, &challenge);
    Ok(Json(challenge))
}

async fn find(app: &AppState, id: &str) -> Result<ChallengeRow, Error> {
    let found = if ids::is_id(id) { app.store.challenge(id).await? } else { None };
    found.ok_or_else(|| Error::not_found("challenge"))
}

/// Publishes a challenge that was closed.
pub(super) async fn publish_closed(app: &AppState, id: &str) -> Result<(), Error> {
    publish(app, &find(app, id).await?.at(app.time.now()));
    Ok(())
}

/// Publishes a new or changed challenge to the lobby and to both players.
fn publish(app: &AppState, challenge: &Challenge) {
    if challenge.listed {
        let message = ServerMessage::Challenge { challenge: challenge.clone() };
        app.bus.publish(Topic::Lobby, &message);
    }
    let message = ServerMessage::Challenged { challenge: challenge.clone() };
    app.bus.publish(Topic::Player(challenge.creator.id.clone()), &message);
    if let Some(opponent) = &challenge.opponent {
        app.bus.publish(Topic::Player(opponent.id.clone()), &message);
    }
}
