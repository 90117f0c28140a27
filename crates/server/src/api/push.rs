//! Where a closed browser can be reached (Web Push).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Error;
use super::error::Body;
use super::identity::Me;
use crate::app::Handle;
use crate::push::{Recipient, endpoint};
use crate::settings::PushTo;
use crate::store::PushRow;

/// How many browsers of one player are told.
const MOST: i64 = 10;
/// Tags of languages are no longer than this.
const LONGEST_LANGUAGE: usize = 35;

/// What a browser needs to subscribe.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PushKey {
    /// The `applicationServerKey`, as base64url.
    key: String,
}

/// A subscription as `PushSubscription.toJSON()` gives it, and a language.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subscription {
    endpoint: String,
    keys: SubscriptionKeys,
    /// Browsers say when it ends; the push service will say so again.
    #[serde(default, rename = "expirationTime")]
    #[allow(dead_code, reason = "so that what browsers give can be sent as it is")]
    expiration_time: Option<f64>,
    /// The language of the page, such as `en`; it comes back in each message.
    #[serde(default)]
    #[schema(max_length = 35, example = "en")]
    language: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubscriptionKeys {
    p256dh: String,
    auth: String,
}

/// A browser that should no longer be told.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Endpoint {
    endpoint: String,
}

/// The key by which this server is known to push services. Messages are JSON, described by `Notice`.
#[utoipa::path(get, path = "/api/push", operation_id = "push_key", tag = "players",
    responses((status = 200, body = PushKey), (status = 404, body = Error)))]
pub(crate) async fn key(State(app): State<Handle>) -> Result<Json<PushKey>, Error> {
    if app.settings.push == PushTo::Nowhere {
        return Err(Error::not_found("service: this server sends no messages to closed browsers"));
    }
    Ok(Json(PushKey { key: app.push_key.public.clone() }))
}

/// Tell this browser when it is my move or I am challenged, also when the page is closed.
#[utoipa::path(post, path = "/api/push", operation_id = "subscribe_push", tag = "players",
    request_body = Subscription,
    responses((status = 204, description = "done"), (status = 400, body = Error),
        (status = 401, body = Error)))]
pub(crate) async fn subscribe(
    State(app): State<Handle>,
    Me(me): Me,
    Body(subscription): Body<Subscription>,
) -> Result<StatusCode, Error> {
    let Subscription { endpoint: address, keys, language, .. } = subscription;
    if endpoint(&address, app.settings.push).is_none() {
        let message = "the endpoint is not the https address of a push service";
        return Err(Error::bad("bad_endpoint", message));
    }
    if Recipient::new(&keys.p256dh, &keys.auth).is_none() {
        return Err(Error::bad("bad_keys", "the keys are not those of a browser"));
    }
    let is_tag = language.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_tag || language.len() > LONGEST_LANGUAGE {
        return Err(Error::bad("bad_language", "a language is a tag such as en or pt-BR"));
    }
    let SubscriptionKeys { p256dh, auth } = keys;
    let row = PushRow { endpoint: address, p256dh, auth, language };
    app.store.add_push(&me.id, &row, app.time.now(), MOST).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Do not tell this browser any more.
#[utoipa::path(delete, path = "/api/push", operation_id = "unsubscribe_push", tag = "players",
    request_body = Endpoint,
    responses((status = 204, description = "done"), (status = 401, body = Error)))]
pub(crate) async fn unsubscribe(
    State(app): State<Handle>,
    Me(me): Me,
    Body(Endpoint { endpoint }): Body<Endpoint>,
) -> Result<StatusCode, Error> {
    // One that is not known is not told either.
    app.store.delete_push(&me.id, &endpoint).await?;
    Ok(StatusCode::NO_CONTENT)
}
