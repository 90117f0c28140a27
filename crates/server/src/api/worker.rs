//! Handlers for workers, which review games. `stoa admin workers` makes their tokens.

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use stoa_wire::{
    ApiError, ErrorCode, ReviewFailure, ReviewJob, ReviewOrder, ReviewProgress, ReviewResult,
};

use super::Error;
use super::error::{Body, NoBody};
use crate::app::AppState;
use crate::ids;
use crate::reviews::{self, LEASE_TIME};
use crate::rooms::RoomError;
use crate::store::{StoreError, WorkerRow};
use crate::time::millis;

/// The longest reason of a failure, in characters.
const MAX_REASON: usize = 200;
/// How many games that cannot be read are passed over for one order.
const MAX_UNREADABLE: usize = 5;

/// Extracts the worker that sends a request.
pub(crate) struct AuthWorker(WorkerRow);

impl FromRequestParts<AppState> for AuthWorker {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<AuthWorker, Error> {
        let unknown = || Error::new(ErrorCode::BadToken, "this is not the token of a worker");
        let worker = reviews::worker(app, &parts.headers).await?.ok_or_else(unknown)?;
        app.store.worker_seen(&worker, app.time.now()).await?;
        Ok(AuthWorker(worker))
    }
}

/// Lease a game to review. The job is the worker's as long as it renews the lease.
#[utoipa::path(post, path = "/api/worker/jobs", operation_id = "lease_review", tag = "workers",
    security(("token" = [])),
    responses((status = 200, body = ReviewOrder), (status = 401, body = ApiError)))]
pub(crate) async fn lease(
    State(app): State<AppState>,
    AuthWorker(worker): AuthWorker,
    _: NoBody,
) -> Result<Json<ReviewOrder>, Error> {
    for _ in 0..MAX_UNREADABLE {
        let lease = ids::long();
        let expires = app.time.now() + millis(LEASE_TIME);
        let Some(game) = app.store.lease_review(&lease, &worker.id, expires).await? else {
            return Ok(Json(ReviewOrder { job: None }));
        };
        let play = match app.rooms.read_game(&game).await {
            Ok((_, play)) => play,
            // A game that cannot be read must not stop the others.
            Err(RoomError::Store(StoreError::Corrupt(error))) => {
                tracing::warn!(error, game, "a game cannot be reviewed");
                fail(&app, &worker, &lease, "the game cannot be read").await?;
                continue;
            }
            Err(error) => {
                app.store.return_review(&lease, &worker.id).await?;
                return Err(error.into());
            }
        };
        let time = reviews::position_time(&app, play.moves.len() + 1);
        let in_millis = |time| millis(time).unsigned_abs();
        let job = ReviewJob {
            lease,
            expires_in: in_millis(LEASE_TIME),
            game: play.game().to_string(),
            time: in_millis(time).max(1),
            moves: play.moves,
        };
        return Ok(Json(ReviewOrder { job: Some(job) }));
    }
    Ok(Json(ReviewOrder { job: None }))
}

/// Renew the lease: the job stays the worker's. Status 404 means that it is no longer.
#[utoipa::path(post, path = "/api/worker/jobs/{lease}", operation_id = "renew_review", tag = "workers",
    params(("lease" = String, Path)), request_body = ReviewProgress, security(("token" = [])),
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 404, body = ApiError)))]
pub(crate) async fn renew(
    State(app): State<AppState>,
    AuthWorker(worker): AuthWorker,
    Path(lease): Path<String>,
    Body(ReviewProgress { judged }): Body<ReviewProgress>,
) -> Result<StatusCode, Error> {
    let expires = app.time.now() + millis(LEASE_TIME);
    let is_renewed = app.store.renew_review(&lease, &worker.id, judged.into(), expires).await?;
    found(is_renewed)
}

/// Submit the result. It is checked against the rules: if it cannot be true, it is refused, and the job waits
/// for another worker; after three failures it is given up.
#[utoipa::path(post, path = "/api/worker/jobs/{lease}/result", operation_id = "finish_review", tag = "workers",
    params(("lease" = String, Path)), request_body = ReviewResult, security(("token" = [])),
    responses((status = 204, description = "Done; there is no body"), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn finish(
    State(app): State<AppState>,
    AuthWorker(worker): AuthWorker,
    Path(lease): Path<String>,
    Body(result): Body<ReviewResult>,
) -> Result<StatusCode, Error> {
    let Some(game) = app.store.leased_game(&lease, &worker.id).await? else {
        return found(false);
    };
    let (_, play) = app.rooms.read_game(&game).await?;
    let checking =
        tokio::task::spawn_blocking(move || reviews::checked(play.game(), &play.moves, &result));
    let checked = checking.await.unwrap_or_else(|failure| {
        tracing::error!(%failure, game, "checking a review panicked");
        Err(Error::new(ErrorCode::Internal, "the review cannot be checked"))
    });
    match checked {
        Ok(body) => {
            let is_kept = app.store.keep_review(&lease, &worker.id, &body, app.time.now()).await?;
            if is_kept {
                reviews::count("done", 1);
            }
            found(is_kept)
        }
        Err(error) => {
            tracing::warn!(
                worker = worker.id,
                game,
                why = error.body.message,
                "a review is refused"
            );
            reviews::count("refused", 1);
            let reason = format!("what the worker found cannot be true: {}", error.body.message);
            fail(&app, &worker, &lease, &reason).await?;
            Err(error)
        }
    }
}

/// Report that the review cannot be made. The job waits for another worker; after three failures it is given up.
#[utoipa::path(post, path = "/api/worker/jobs/{lease}/failure", operation_id = "fail_review", tag = "workers",
    params(("lease" = String, Path)), request_body = ReviewFailure, security(("token" = [])),
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 404, body = ApiError)))]
pub(crate) async fn failure(
    State(app): State<AppState>,
    AuthWorker(worker): AuthWorker,
    Path(lease): Path<String>,
    Body(ReviewFailure { reason }): Body<ReviewFailure>,
) -> Result<StatusCode, Error> {
    reviews::count("failed", 1);
    found(fail(&app, &worker, &lease, &reason).await?)
}

/// Give a job back, because the worker stops; it waits for another, and nothing counts as a failure.
#[utoipa::path(delete, path = "/api/worker/jobs/{lease}", operation_id = "return_review", tag = "workers",
    params(("lease" = String, Path)), security(("token" = [])),
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 404, body = ApiError)))]
pub(crate) async fn give_back(
    State(app): State<AppState>,
    AuthWorker(worker): AuthWorker,
    Path(lease): Path<String>,
    _: NoBody,
) -> Result<StatusCode, Error> {
    found(app.store.return_review(&lease, &worker.id).await?)
}

/// Takes a job back with which a worker has failed. Reasons are shown to people, so they are one line.
async fn fail(
    app: &AppState,
    worker: &WorkerRow,
    lease: &str,
    reason: &str,
) -> Result<bool, StoreError> {
    let reason: String =
        reason.chars().filter(|letter| !letter.is_control()).take(MAX_REASON).collect();
    app.store.fail_review(lease, &worker.id, &reason, app.time.now()).await
}

fn found(is_there: bool) -> Result<StatusCode, Error> {
    match is_there {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Error::not_found("job")),
    }
}
