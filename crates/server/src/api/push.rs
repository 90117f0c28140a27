//! Handlers for Web Push subscriptions.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use stoa_wire::{ApiError, ErrorCode, PushEndpoint, PushKeys, PushSubscription, VapidKey};

use super::Error;
use super::auth::AuthPlayer;
use super::error::Body;
use crate::app::AppState;
use crate::push::{Recipient, endpoint};
use crate::settings::PushPolicy;
use crate::store::PushRow;

/// How many subscriptions a player may have.
const MAX_SUBSCRIPTIONS: i64 = 10;
/// The maximum length of a language tag.
const MAX_LANGUAGE_LENGTH: usize = 35;

/// Whether a text could be the tag of a language.
pub(super) fn is_language(text: &str) -> bool {
    let is_tag = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_tag && text.len() <= MAX_LANGUAGE_LENGTH
}

/// The public key by which push services know this server (VAPID). Messages are JSON, see
/// `PushNotification`.
#[utoipa::path(get, path = "/api/push", operation_id = "push_key", tag = "players",
    responses((status = 200, body = VapidKey), (status = 404, body = ApiError)))]
pub(crate) async fn key(State(app): State<AppState>) -> Result<Json<VapidKey>, Error> {
    if app.settings.push == PushPolicy::Disabled {
        return Err(Error::not_found("service: this server does not use Web Push"));
    }
    Ok(Json(VapidKey { key: app.push_key.public.clone() }))
}

/// Subscribe this browser to Web Push notifications: it is your turn, or you are challenged.
#[utoipa::path(post, path = "/api/push", operation_id = "subscribe_push", tag = "players",
    request_body = PushSubscription,
    responses((status = 204, description = "Done; there is no body"), (status = 400, body = ApiError),
        (status = 401, body = ApiError)))]
pub(crate) async fn subscribe(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Body(subscription): Body<PushSubscription>,
) -> Result<StatusCode, Error> {
    let PushSubscription { endpoint: address, keys, language, .. } = subscription;
    if endpoint(&address, app.settings.push).is_none() {
        let message = "the endpoint is not the https address of a push service";
        return Err(Error::new(ErrorCode::BadEndpoint, message));
    }
    if Recipient::new(&keys.p256dh, &keys.auth).is_none() {
        return Err(Error::new(ErrorCode::BadKeys, "the keys are not those of a browser"));
    }
    if !is_language(&language) {
        return Err(Error::new(ErrorCode::BadLanguage, "a language is a tag such as en or pt-BR"));
    }
    let PushKeys { p256dh, auth } = keys;
    let row = PushRow { endpoint: address, p256dh, auth, language };
    match app.store.add_push(&me.id, &row, app.time.now(), MAX_SUBSCRIPTIONS).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Error::no_player()),
    }
}

/// Unsubscribe this browser.
#[utoipa::path(delete, path = "/api/push", operation_id = "unsubscribe_push", tag = "players",
    request_body = PushEndpoint,
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError)))]
pub(crate) async fn unsubscribe(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
    Body(PushEndpoint { endpoint }): Body<PushEndpoint>,
) -> Result<StatusCode, Error> {
    // Deleting an unknown subscription is no error; Postgres takes no text with a NUL.
    if endpoint.contains('\0') {
        return Ok(StatusCode::NO_CONTENT);
    }
    app.store.delete_push(&me.id, &endpoint).await?;
    Ok(StatusCode::NO_CONTENT)
}
