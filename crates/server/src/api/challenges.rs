//! Handlers for challenges and the lobby.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use stoa_wire::{
    ApiError, Challenge, ChallengeList, ChallengeSide, ChallengeState, ErrorCode, GameView,
    NewChallenge, PlayerKind, ServerMessage,
};

use super::Error;
use super::auth::AuthPlayer;
use super::error::{Body, NoBody};
use super::parse_game;
use crate::app::{App, AppState};
use crate::bots::is_engine;
use crate::guard::Client;
use crate::hub::Topic;
use crate::ids;
use crate::monitoring::warn_folded;
use crate::presence::present_until;
use crate::ratings::{Category, can_be_rated};
use crate::rooms::new_game;
use crate::store::{Accepted, Added, ChallengeRow};
use crate::time::millis;

/// How long a live challenge stays open, however long its creator is present.
const LIVE_TTL: Duration = Duration::from_secs(2 * 3600);
const DAY: Duration = Duration::from_secs(24 * 3600);
/// How many days other challenges stay open, unless their creators choose: in the lobby, and elsewhere.
const DEFAULT_LISTED_DAYS: u32 = 3;
const DEFAULT_DAYS: u32 = 14;
/// How many challenges the lobby shows.
pub(crate) const LOBBY_SIZE: i64 = 200;

/// The lobby: challenges that anyone may accept, newest first, at most 200. If there are more, every address
/// gets a fair share.
#[utoipa::path(get, path = "/api/challenges", operation_id = "list_challenges", tag = "challenges",
    responses((status = 200, body = ChallengeList)))]
pub(crate) async fn lobby(State(app): State<AppState>) -> Result<Json<ChallengeList>, Error> {
    Ok(Json(ChallengeList { challenges: lobby_challenges(&app).await? }))
}

/// The challenges of the lobby.
pub(crate) async fn lobby_challenges(app: &App) -> Result<Vec<Challenge>, Error> {
    let now = app.time.now();
    let rows = app.store.lobby(now, LOBBY_SIZE).await?;
    Ok(rows.into_iter().map(|row| row.at(now)).collect())
}

/// Create a challenge, to one player or to anyone. A player has at most 20 open challenges, an address 60. A
/// player plays at most 8 games against the engine at the same time, an address 16, and each level of it plays at
/// most 50; if the engine is busy, a challenge to it is refused with `engine_busy`. Games in which nothing happens
/// for an hour keep nobody else waiting, and can be continued whenever their players like.
#[utoipa::path(post, path = "/api/challenges", operation_id = "create_challenge", tag = "challenges",
    request_body = NewChallenge,
    responses((status = 201, body = Challenge), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 409, body = ApiError), (status = 429, body = ApiError),
        (status = 503, body = ApiError)))]
pub(crate) async fn create(
    State(app): State<AppState>,
    client: Client,
    AuthPlayer(me): AuthPlayer,
    Body(new): Body<NewChallenge>,
) -> Result<(StatusCode, Json<Challenge>), Error> {
    let game = parse_game(&new.game)?;
    if let Some(flaw) = new.control.flaw() {
        return Err(Error::new(ErrorCode::BadControl, flaw));
    }
    if let Some(flaw) = new.flaw() {
        return Err(Error::new(ErrorCode::BadRequest, flaw));
    }
    let no_opponent = || Error::new(ErrorCode::BadOpponent, "there is no such player");
    let opponent = match &new.opponent {
        None => None,
        Some(id) if *id == me.id => {
            return Err(Error::new(ErrorCode::BadOpponent, "you cannot challenge yourself"));
        }
        Some(id) if !ids::is_id(id) => return Err(no_opponent()),
        Some(id) => {
            let found = app.store.player(id).await?.filter(|player| player.deleted.is_none());
            Some(found.ok_or_else(no_opponent)?)
        }
    };
    app.limits.challenge(&me.id, &client)?;
    if let Some(opponent) = &opponent
        && app.store.is_blocked(&me.id, &opponent.id).await?
    {
        return Err(Error::blocked());
    }
    let now = app.time.now();
    let network = client.pseudonym(&app.settings.secret);
    let listed = new.listed && opponent.is_none();
    let has_only_link = !listed && opponent.is_none();
    let present_until = present_until(has_only_link, new.control, now);
    let default_days = if listed { DEFAULT_LISTED_DAYS } else { DEFAULT_DAYS };
    let time_to_live = match present_until {
        Some(_) => LIVE_TTL,
        None => DAY * new.days.unwrap_or(default_days),
    };
    let category = Category::of(game, new.control);
    let kinds = [me.kind, opponent.as_ref().map_or(PlayerKind::Account, |opponent| opponent.kind)];
    let row = ChallengeRow {
        id: ids::short(),
        creator: me.into(),
        opponent: opponent.map(Into::into),
        game: game.to_string(),
        side: new.side,
        control: new.control,
        rated: new.rated.unwrap_or(true) && category.is_some() && can_be_rated(kinds),
        category,
        listed,
        state: ChallengeState::Open,
        game_id: None,
        created: now,
        expires: now + millis(time_to_live),
        present_until,
        network: Some(network),
    };
    let too_many = |message| Error::new(ErrorCode::TooManyChallenges, message);
    match app.store.add_challenge(&row, &app.current_limits.challenges()).await? {
        Added::Done => {}
        Added::NoCreator => return Err(Error::no_player()),
        Added::NoOpponent => return Err(no_opponent()),
        Added::TooMany(max) => {
            return Err(too_many(format!("you have {max} open challenges; cancel one first")));
        }
        Added::TooManyFromNetwork(max) => {
            return Err(too_many(format!("your address has {max} open challenges")));
        }
        Added::EngineBusy(why) => return Err(Error::engine_busy(why.to_string())),
    }
    // Read again: with the ratings of its players.
    let challenge = find(&app, &row.id).await?.at(now);
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
    _: NoBody,
) -> Result<Json<GameView>, Error> {
    let row = find(&app, &id).await?;
    if row.creator.id == me.id {
        return Err(Error::new(ErrorCode::OwnChallenge, "you cannot accept your own challenge"));
    }
    if row.opponent.as_ref().is_some_and(|opponent| opponent.id != me.id) {
        return Err(Error::new(ErrorCode::NotForYou, "this challenge is for another player"));
    }
    let game = parse_game(&row.game)?;
    let creator_first = match row.side {
        ChallengeSide::First => true,
        ChallengeSide::Second => false,
        ChallengeSide::Random => ids::coin(),
    };
    if app.store.is_blocked(&row.creator.id, &me.id).await? {
        return Err(Error::blocked());
    }
    let rated = row.rated && can_be_rated([row.creator.kind, me.kind]);
    let creator = row.creator.id.clone();
    let me = me.id;
    let players = if creator_first { [creator, me.clone()] } else { [me.clone(), creator] };
    let now = app.time.now();
    let mut game = new_game(game, row.control, players, None, now);
    game.rated = rated;
    game.network = row.network.filter(|_| is_engine(&me));
    match app.store.accept(&id, &me, now, &game).await? {
        Accepted::Done => {}
        Accepted::Gone => {
            return Err(Error::new(ErrorCode::Gone, "this challenge is no longer open"));
        }
        Accepted::NoPlayer => return Err(Error::no_player()),
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
    _: NoBody,
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
    _: NoBody,
) -> Result<Json<Challenge>, Error> {
    if find(&app, &id).await?.creator.id != me.id {
        return Err(Error::new(ErrorCode::NotYours, "this is another player's challenge"));
    }
    close(&app, &id, ChallengeState::Cancelled).await
}

async fn close(app: &App, id: &str, state: ChallengeState) -> Result<Json<Challenge>, Error> {
    if !app.store.close_challenge(id, state, app.time.now()).await? {
        return Err(Error::new(ErrorCode::Gone, "this challenge is no longer open"));
    }
    let challenge = find(app, id).await?.at(app.time.now());
    publish(app, &challenge);
    Ok(Json(challenge))
}

async fn find(app: &App, id: &str) -> Result<ChallengeRow, Error> {
    let found = if ids::is_id(id) { app.store.challenge(id).await? } else { None };
    found.ok_or_else(|| Error::not_found("challenge"))
}

/// Publishes a challenge that was closed. It is closed whether this works or not.
pub(crate) async fn publish_closed(app: &App, id: &str) {
    match find(app, id).await {
        Ok(row) => publish(app, &row.at(app.time.now())),
        Err(error) => {
            warn_folded!(error = error.body.message, "cannot publish that a challenge ended");
        }
    }
}

/// Publishes a new or changed challenge to the lobby and to both players.
fn publish(app: &App, challenge: &Challenge) {
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
