//! Handlers for the devices that are signed in to an account.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum_extra::extract::SignedCookieJar;
use stoa_wire::{ApiError, ErrorCode, SessionList};

use super::Error;
use super::auth::{CookiePlayer, current_session, signed_in, signed_out};
use super::error::NoBody;
use crate::app::AppState;

/// The devices that are signed in to your account.
#[utoipa::path(get, path = "/api/me/sessions", operation_id = "list_sessions", tag = "account",
    responses((status = 200, body = SessionList), (status = 401, body = ApiError),
        (status = 403, body = ApiError)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
    jar: SignedCookieJar,
) -> Result<Json<SessionList>, Error> {
    let sessions = app.store.sessions(&me.id, current_session(&jar).as_deref()).await?;
    Ok(Json(SessionList { sessions }))
}

/// Sign out all other devices: their cookies are no longer valid, and their sockets are closed. Tokens and
/// passkeys stay.
#[utoipa::path(delete, path = "/api/me/sessions", operation_id = "end_other_sessions", tag = "account",
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn end_others(
    State(app): State<AppState>,
    CookiePlayer(mut me): CookiePlayer,
    jar: SignedCookieJar,
    _: NoBody,
) -> Result<(StatusCode, SignedCookieJar), Error> {
    let session = current_session(&jar);
    if !app.store.end_other_sessions(&me.id, session.as_deref(), me.epoch).await? {
        return Err(Error::new(ErrorCode::Changed, "this was done elsewhere a moment ago"));
    }
    app.invalidate_player(&me.id).await;
    me.epoch += 1;
    Ok((StatusCode::NO_CONTENT, signed_in(jar, &app, &me, session.as_deref())))
}

/// Sign out a device: its cookie is no longer valid, and its sockets are closed.
#[utoipa::path(delete, path = "/api/me/sessions/{id}", operation_id = "end_session", tag = "account",
    params(("id" = String, Path)),
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn end(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
    jar: SignedCookieJar,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<(StatusCode, SignedCookieJar), Error> {
    if !app.store.delete_session(&me.id, &id).await? {
        return Err(Error::not_found("session"));
    }
    app.invalidate_player(&me.id).await;
    let is_own = current_session(&jar).is_some_and(|own| own == id);
    Ok((StatusCode::NO_CONTENT, if is_own { signed_out(jar, &app) } else { jar }))
}
