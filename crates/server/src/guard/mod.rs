//! Middleware for every API request: the client's address, the origin, rate limits, sizes and timeouts.
//!
//! | file | what |
//! |---|---|
//! | `client.rs` | the address of the client |
//! | `origin.rs` | protection against cross-site requests |
//! | `limits.rs` | rate limits |
//! | `connections.rs` | the limit on connections of one address |

mod client;
mod connections;
mod limits;
mod origin;

use std::time::Duration;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError};
use stoa_wire::ErrorCode;
use tokio::time::timeout;
use tracing::Instrument;

use crate::api::{Error, MAX_BODY, UNSUBSCRIBE_PATH};
use crate::app::AppState;
use crate::monitoring::error_folded;
use crate::reviews;

pub(crate) use client::Client;
pub(crate) use connections::{ConnectionLimit, ConnectionPermit};
pub(crate) use limits::{BURST_SECONDS, Limits};
pub(crate) use origin::Site;

/// How long a handler may take to respond. The body of a response may take longer: event streams do.
const HANDLER_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a change may take that nobody waits for any more. A connection to the database may be silently dead.
const CHANGE_TIMEOUT: Duration = Duration::from_secs(60);

/// A body that is too large is read to its end all the same if it declares no more than this, so that the client
/// reads why it is refused.
const MAX_DISCARDED: u64 = 256 * 1024;

/// The middleware: passes a request on to its handler, or refuses it.
pub(crate) async fn guard(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let mut response = match pass(&app, request, next).await {
        Ok(response) => errors_as_json(response).await,
        Err(error) => {
            metrics::counter!("stoa_requests_refused_total", "code" => error.body.code.to_string())
                .increment(1);
            error.into_response()
        }
    };
    // Responses are personal and true for a moment only: no proxy may cache them.
    let cache_control = response.headers_mut().entry(header::CACHE_CONTROL);
    cache_control.or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn pass(app: &AppState, mut request: Request, next: Next) -> Result<Response, Error> {
    let client = Client::of(&request, app.settings.behind_proxy);
    if !app.bots.is_engine(request.headers()) {
        app.limits.request(&client)?;
    }
    request.extensions_mut().insert(client);
    check_address(request.uri())?;
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if changes || is_upgrade(request.headers()) {
        origin::check(request.headers(), app.settings.public_url.as_deref())?;
    }
    if !changes {
        let response = timeout(HANDLER_TIMEOUT, next.run(request)).await;
        return response.map_err(|_| Error::unavailable());
    }
    let (path, headers) = (request.uri().path(), request.headers());
    let max_body = reviews::max_body(app, path, headers, MAX_BODY).await;
    // Mail programs send a form there. It needs no cookie, so no page of another site gains by it.
    let is_form = path.starts_with(UNSUBSCRIBE_PATH);
    let request = read_body(request, max_body, app.settings.client_timeout, is_form).await?;
    // In a task of its own, so that a change is completed and published even if the client disconnects.
    let task = tokio::spawn(timeout(CHANGE_TIMEOUT, next.run(request)).in_current_span());
    match timeout(HANDLER_TIMEOUT, task).await {
        Ok(Ok(Ok(response))) => Ok(response),
        Ok(Err(failure)) => {
            error_folded!(%failure, "a handler panicked");
            let message = "the server failed; the failure was logged";
            Err(Error::new(ErrorCode::Internal, message))
        }
        Ok(Ok(Err(_))) | Err(_) => Err(Error::unavailable()),
    }
}

/// Turns an error that is not one of ours into JSON: a malformed path, an unsupported method.
async fn errors_as_json(response: Response) -> Response {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !is_error || kind.is_some_and(|kind| kind == "application/json") {
        return response;
    }
    let allow = response.headers().get(header::ALLOW).cloned();
    let text = to_bytes(response.into_body(), MAX_BODY).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let (code, message) = match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            (ErrorCode::WrongMethod, "this resource does not support this method".to_owned())
        }
        StatusCode::UPGRADE_REQUIRED => (ErrorCode::NotWebSocket, text),
        _ if text.is_empty() => (ErrorCode::BadRequest, status.to_string()),
        _ => (ErrorCode::BadRequest, text),
    };
    let mut response = Error::new(code, message).into_response();
    if let Some(allow) = allow {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response
}

/// Nothing here has a NUL in it, and Postgres takes none in a text.
fn check_address(uri: &Uri) -> Result<(), Error> {
    const NUL: &str = "%00";
    if uri.path().contains(NUL) {
        return Err(Error::not_found("resource"));
    }
    if uri.query().is_some_and(|query| query.contains(NUL)) {
        return Err(Error::new(ErrorCode::BadRequest, "the query cannot be read: it has a NUL"));
    }
    Ok(())
}

fn is_upgrade(headers: &HeaderMap) -> bool {
    headers.contains_key(header::UPGRADE)
}

/// Whether a body is declared as JSON. A form on another site can send text, but not JSON.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let essence = kind.and_then(|kind| kind.split(';').next()).map(str::trim);
    essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"))
}

fn not_json() -> Error {
    let message = "send JSON, with the header Content-Type: application/json";
    Error::new(ErrorCode::NotJson, message)
}

/// Reads a body and forgets it. A connection that is closed while the client still sends is reset, and the
/// client may never see the response.
async fn discard(mut body: Body) {
    while let Some(Ok(_)) = body.frame().await {}
}

/// Reads the whole body before the handler runs, so that no handler waits for a slow client.
async fn read_body(
    request: Request,
    max_body: usize,
    client_timeout: Duration,
    may_be_form: bool,
) -> Result<Request, Error> {
    let too_large = || {
        let message = format!("the body of a request has at most {max_body} bytes");
        Error::new(ErrorCode::TooLarge, message)
    };
    let (parts, body) = request.into_parts();
    let declared = body.size_hint().lower();
    if declared > max_body as u64 {
        if declared <= MAX_DISCARDED {
            let _ = timeout(client_timeout, discard(body)).await;
        }
        return Err(too_large());
    }
    match timeout(client_timeout, to_bytes(body, max_body)).await {
        // Many clients declare an empty body as that of a form; there is nothing in it to misunderstand.
        Ok(Ok(bytes)) if !(bytes.is_empty() || may_be_form || is_json(&parts.headers)) => {
            Err(not_json())
        }
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(error)) => match error.into_inner().is::<LengthLimitError>() {
            true => Err(too_large()),
            false => Err(Error::new(ErrorCode::BadRequest, "the request ended early")),
        },
        Err(_) => {
            let message = "the request took too long to arrive";
            Err(Error::new(ErrorCode::TooSlow, message))
        }
    }
}
