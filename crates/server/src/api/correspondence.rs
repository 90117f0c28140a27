//! Handlers for notes, the choice of notices, and vacations.

use axum::Json;
use axum::extract::{Path, State};
use stoa_wire::{ApiError, ErrorCode, NewVacation, OwnGame, Vacation};

use super::Error;
use super::auth::AuthPlayer;
use super::error::{Body, NoBody};
use crate::app::{App, AppState};
use crate::store::{Interval, VacationChange};
use crate::texts::{MAX_NOTE_LENGTH, proper_note};
use crate::vacation;

/// What you keep to yourself about a game of yours: a note, and whether you are notified of your turns.
#[utoipa::path(get, path = "/api/games/{id}/mine", operation_id = "own_game", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = OwnGame), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn own(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
) -> Result<Json<OwnGame>, Error> {
    app.rooms.side_of(&id, &me.id).await?;
    Ok(Json(app.store.own_game(&id, &me.id).await?))
}

/// Change your note on a game, and whether you are notified of your turns in it.
#[utoipa::path(post, path = "/api/games/{id}/mine", operation_id = "set_own_game", tag = "games",
    params(("id" = String, Path)),
    request_body = OwnGame,
    responses((status = 200, body = OwnGame), (status = 400, body = ApiError), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn set_own(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Path(id): Path<String>,
    Body(OwnGame { note, notices }): Body<OwnGame>,
) -> Result<Json<OwnGame>, Error> {
    app.rooms.side_of(&id, &me.id).await?;
    let own = OwnGame { note: proper_note(&note, MAX_NOTE_LENGTH)?, notices };
    if !app.store.set_own_game(&id, &me.id, &own).await? {
        return Err(Error::no_player());
    }
    Ok(Json(own))
}

/// Your vacation.
#[utoipa::path(get, path = "/api/me/vacation", operation_id = "my_vacation", tag = "players",
    responses((status = 200, body = Vacation), (status = 401, body = ApiError)))]
pub(crate) async fn vacation(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
) -> Result<Json<Vacation>, Error> {
    let now = app.time.now();
    let known = app.store.vacations(&me.id, vacation::counts_since(now)).await?;
    Ok(Json(shown(&known, now)))
}

/// Go on vacation: your clocks stand still in correspondence games, and your opponents see until when. You have
/// 21 days in any 365; a day that has begun counts. It is refused while you are to move in a game with less than
/// six hours left.
#[utoipa::path(post, path = "/api/me/vacation", operation_id = "begin_vacation", tag = "players",
    request_body = NewVacation,
    responses((status = 200, body = Vacation), (status = 400, body = ApiError), (status = 401, body = ApiError),
        (status = 409, body = ApiError)))]
pub(crate) async fn begin(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Body(NewVacation { days }): Body<NewVacation>,
) -> Result<Json<Vacation>, Error> {
    let now = app.time.now();
    let known = app.store.vacations(&me.id, vacation::counts_since(now)).await?;
    let on_vacation = || Error::new(ErrorCode::OnVacation, "you are on vacation already");
    if vacation::is_taken(&known, now) {
        return Err(on_vacation());
    }
    let left = vacation::days_left(&known);
    if !(1..=left).contains(&days) {
        let message = format!("a vacation lasts 1 to {left} days, of those that you have left");
        return Err(Error::new(ErrorCode::BadVacation, message));
    }
    let games = app.store.slow_games(&me.id).await?;
    let is_short = |(_, due): &(String, Option<i64>)| {
        due.is_some_and(|due| due - now < vacation::MIN_TIME_LEFT)
    };
    if games.iter().any(is_short) {
        let message = "you are to move in a game with less than six hours left: move there first";
        return Err(Error::new(ErrorCode::ShortOfTime, message));
    }
    let begun = change(&app, &me.id, known, vacation::from_now(days, now), now).await;
    if begun.as_ref().is_err_and(|error| error.body.code == ErrorCode::Unavailable) {
        // Another request of the same player may have been first.
        let now = app.time.now();
        let known = app.store.vacations(&me.id, vacation::counts_since(now)).await?;
        if vacation::is_taken(&known, now) {
            return Err(on_vacation());
        }
    }
    begun
}

/// Come back from vacation: your clocks run again.
#[utoipa::path(delete, path = "/api/me/vacation", operation_id = "end_vacation", tag = "players",
    responses((status = 200, body = Vacation), (status = 401, body = ApiError), (status = 503, body = ApiError)))]
pub(crate) async fn end(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    _: NoBody,
) -> Result<Json<Vacation>, Error> {
    let now = app.time.now();
    let known = app.store.vacations(&me.id, vacation::counts_since(now)).await?;
    match vacation::current(&known, now) {
        Some((began, _)) => change(&app, &me.id, known, (began, now), now).await,
        None => Ok(Json(shown(&known, now))),
    }
}

async fn change(
    app: &App,
    me: &str,
    mut known: Vec<Interval>,
    changed: Interval,
    now: i64,
) -> Result<Json<Vacation>, Error> {
    let after = vacation::counts_since(now);
    if app.store.set_vacation(me, after, &known, changed).await? == VacationChange::Conflict {
        return Err(Error::unavailable());
    }
    known.retain(|(began, _)| *began != changed.0);
    known.push(changed);
    app.invalidate_player(me).await;
    for (game, _) in app.store.slow_games(me).await? {
        app.rooms.reset_clocks(&game).await;
    }
    Ok(Json(shown(&known, now)))
}

fn shown(known: &[Interval], now: i64) -> Vacation {
    let until = vacation::current(known, now).map(|(_, ends)| ends);
    Vacation { until, days_left: vacation::days_left(known) }
}
