//! Handlers for solved puzzles.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use stoa_wire::{ApiError, ErrorCode, NewSolvedPuzzles, SolvedPuzzles};

use super::Error;
use super::auth::{AuthPlayer, CookiePlayer};
use super::error::{Body, NoBody};
use crate::app::AppState;
use crate::puzzles;
use crate::store::SolvedRow;

/// How many puzzles one request reports.
const MAX_REPORTED: usize = 50;

/// The puzzles that you have solved, on any device.
#[utoipa::path(get, path = "/api/me/puzzles", operation_id = "my_puzzles", tag = "players",
    responses((status = 200, body = SolvedPuzzles), (status = 401, body = ApiError)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
) -> Result<Json<SolvedPuzzles>, Error> {
    Ok(Json(SolvedPuzzles { solved: app.store.solved_puzzles(&me.id).await? }))
}

/// Report puzzles that you have solved in the browser, with your moves. Each counts once, and shows in your
/// profile; one that is reported again counts as solved cleanly if it ever was. You need an account. If one of
/// them is not solved by its moves, none is counted.
#[utoipa::path(post, path = "/api/me/puzzles", operation_id = "report_puzzles", tag = "players",
    request_body = NewSolvedPuzzles,
    responses((status = 200, body = SolvedPuzzles), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 404, body = ApiError), (status = 409, body = ApiError),
        (status = 429, body = ApiError)))]
pub(crate) async fn report(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Body(NewSolvedPuzzles { solved }): Body<NewSolvedPuzzles>,
) -> Result<Json<SolvedPuzzles>, Error> {
    if me.login.is_none() {
        let message = "create an account first, to which puzzles are counted";
        return Err(Error::new(ErrorCode::NoAccount, message));
    }
    if solved.is_empty() || solved.len() > MAX_REPORTED {
        let message = format!("report 1 to {MAX_REPORTED} puzzles at a time");
        return Err(Error::new(ErrorCode::BadRequest, message));
    }
    app.limits.puzzles(&me.id)?;
    let mut rows = Vec::with_capacity(solved.len());
    for one in solved {
        let puzzle = puzzles::puzzle(&one.puzzle).ok_or_else(|| Error::not_found("puzzle"))?;
        if !puzzle.is_solved_by(&one.moves) {
            let message = format!("these moves do not solve {}", one.puzzle);
            return Err(Error::new(ErrorCode::NotSolved, message));
        }
        let family = puzzle.family().to_owned();
        rows.push(SolvedRow { puzzle: one.puzzle, family, clean: one.clean });
    }
    if !app.store.add_solved_puzzles(&me.id, &rows, app.time.now()).await? {
        return Err(Error::no_player());
    }
    Ok(Json(SolvedPuzzles { solved: app.store.solved_puzzles(&me.id).await? }))
}

/// Forget which puzzles you have solved. This needs the cookie.
#[utoipa::path(delete, path = "/api/me/puzzles", operation_id = "forget_puzzles", tag = "players",
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 403, body = ApiError)))]
pub(crate) async fn forget(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
    _: NoBody,
) -> Result<StatusCode, Error> {
    app.store.delete_solved_puzzles(&me.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
