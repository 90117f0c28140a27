//! What every request to the API passes first: where it comes from, whether a page of ours sent it, how
//! much it may ask for, and how long it may take.
//!
//! | file | what |
//! |---|---|
//! | `client.rs` | the address a request comes from |
//! | `origin.rs` | whether a browser sent it from our own page |
//! | `limits.rs` | how often something may be asked for |
//! | `presence.rs` | how many live connections an address may have |

mod client;
mod limits;
mod origin;
mod presence;

use std::time::Duration;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::LengthLimitError;
use tokio::time::timeout;
use tracing::Instrument;

use crate::api::{Error, LONGEST_BODY};
use crate::app::Handle;

pub(crate) use client::Client;
pub(crate) use limits::Limits;
pub(crate) use presence::{Presence, Present};

/// An answer takes no longer, or its head at least: streams go on.
const LONGEST_WORK: Duration = Duration::from_secs(20);

/// Lets a request through to the API, or refuses it.
pub(crate) async fn guard(State(app): State<Handle>, request: Request, next: Next) -> Response {
    let mut response = match pass(&app, request, next).await {
        Ok(response) => in_json(response).await,
        Err(error) => {
            metrics::counter!("stoa_refused_total", "code" => error.code.clone()).increment(1);
            error.into_response()
        }
    };
    // Answers are for whoever asked and true for a moment: nobody on the way keeps them.
    let caching = response.headers_mut().entry(header::CACHE_CONTROL);
    caching.or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn pass(app: &Handle, mut request: Request, next: Next) -> Result<Response, Error> {
    let client = Client::of(&request, app.settings.behind_proxy);
    if !app.bots.is_engine(request.headers()) {
        app.limits.request(&client)?;
    }
    request.extensions_mut().insert(client);
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if changes || is_upgrade(request.headers()) {
        origin::check(request.headers(), app.settings.public_url.as_deref())?;
    }
    if !changes {
        let answered = timeout(LONGEST_WORK, next.run(request)).await;
        return answered.map_err(|_| Error::unavailable());
    }
    check_kind(request.headers())?;
    let request = read_whole(request, app.settings.patience).await?;
    // In a task of its own: what has begun is finished and told to everyone, even if the one who asked
    // for it hangs up.
    let work = tokio::spawn(next.run(request).in_current_span());
    match timeout(LONGEST_WORK, work).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(failure)) => {
            tracing::error!(%failure, "a request failed");
            let message = "something went wrong here; it was written down";
            Err(Error::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message))
        }
        Err(_) => Err(Error::unavailable()),
    }
}

/// An error as all errors are, also where it was not one of ours: a path that cannot be read, a method
/// that an address does not have.
async fn in_json(response: Response) -> Response {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !is_error || kind.is_some_and(|kind| kind == "application/json") {
        return response;
    }
    let allow = response.headers().get(header::ALLOW).cloned();
    let text = to_bytes(response.into_body(), LONGEST_BODY).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let (code, message) = match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            ("wrong_method", "this address does not have this method".to_owned())
        }
        _ if text.is_empty() => ("bad_request", status.to_string()),
        _ => ("bad_request", text),
    };
    let mut response = Error::new(status, code, message).into_response();
    if let Some(allow) = allow {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response
}

fn is_upgrade(headers: &HeaderMap) -> bool {
    headers.contains_key(header::UPGRADE)
}

/// A form on somebody else's page can send text, but not JSON. Forms always say what they send; what says
/// nothing must have nothing in it.
fn check_kind(headers: &HeaderMap) -> Result<(), Error> {
    let Some(kind) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let essence = kind.to_str().ok().and_then(|kind| kind.split(';').next()).map(str::trim);
    match essence {
        Some(essence) if essence.eq_ignore_ascii_case("application/json") => Ok(()),
        _ => Err(not_json()),
    }
}

fn not_json() -> Error {
    let message = "send JSON, with the header Content-Type: application/json";
    Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", message)
}

/// Reads the body before anything is done with it, so that nobody waits for a slow client.
async fn read_whole(request: Request, patience: Duration) -> Result<Request, Error> {
    let too_large = || {
        let message = format!("a request has at most {LONGEST_BODY} bytes");
        Error::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    };
    let (parts, body) = request.into_parts();
    if body.size_hint().lower() > LONGEST_BODY as u64 {
        return Err(too_large());
    }
    match timeout(patience, to_bytes(body, LONGEST_BODY)).await {
        Ok(Ok(bytes)) if !bytes.is_empty() && !parts.headers.contains_key(header::CONTENT_TYPE) => {
            Err(not_json())
        }
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(error)) => match error.into_inner().is::<LengthLimitError>() {
            true => Err(too_large()),
            false => Err(Error::bad("bad_request", "the request ended early")),
        },
        Err(_) => {
            let message = "the request took too long to arrive";
            Err(Error::new(StatusCode::REQUEST_TIMEOUT, "too_slow", message))
        }
    }
}
