//! Errors as responses.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use stoa_wire::{ApiError, ErrorCode};

use crate::monitoring::error_folded;
use crate::rooms::RoomError;
use crate::store::StoreError;

/// A refusal: the body of the response, and its status.
#[derive(Debug, Clone)]
pub(crate) struct Error {
    pub(crate) status: StatusCode,
    pub(crate) body: ApiError,
}

impl Error {
    /// An error; its code determines the status.
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Error {
        let status = StatusCode::from_u16(code.status()).unwrap_or(StatusCode::BAD_REQUEST);
        Error { status, body: ApiError { code, message: message.into(), retry_after: None } }
    }

    pub(super) fn retry_after(mut self, seconds: u64) -> Error {
        self.body.retry_after = Some(seconds);
        self
    }

    pub(crate) fn not_found(what: &str) -> Error {
        Error::new(ErrorCode::NotFound, format!("there is no such {what}"))
    }

    pub(crate) fn no_player() -> Error {
        Error::new(ErrorCode::NoPlayer, "say who you are first: POST /api/me")
    }

    /// One of two players has blocked the other.
    pub(crate) fn blocked() -> Error {
        Error::new(ErrorCode::Blocked, "one of you has blocked the other")
    }

    /// The request may be repeated: nothing is known to have been done.
    pub(crate) fn unavailable() -> Error {
        let message = "the server cannot store this right now; try again in a moment";
        Error::new(ErrorCode::Unavailable, message).retry_after(1)
    }

    pub(crate) fn too_many_connections(max: usize) -> Error {
        let message = format!("your address has {max} connections open; close some first");
        Error::new(ErrorCode::TooManyConnections, message).retry_after(30)
    }

    /// The engine has enough to do.
    pub(crate) fn engine_busy(message: impl Into<String>) -> Error {
        Error::new(ErrorCode::EngineBusy, message).retry_after(30)
    }

    pub(crate) fn too_many(seconds: u64) -> Error {
        let message = format!("too many requests; try again in {seconds} s");
        Error::new(ErrorCode::TooMany, message).retry_after(seconds)
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let retry_after = self.body.retry_after;
        let mut response = (self.status, Json(self.body)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        metrics::counter!("stoa_errors_total", "kind" => "store").increment(1);
        error_folded!(%error, "the database failed");
        Error::unavailable()
    }
}

impl From<RoomError> for Error {
    fn from(error: RoomError) -> Error {
        match error {
            RoomError::NotFound => Error::not_found("game"),
            RoomError::NotYours => Error::new(ErrorCode::NotYours, error.to_string()),
            RoomError::Refused(refusal) => Error::new(refusal.code(), refusal.to_string()),
            RoomError::Store(error) => error.into(),
            RoomError::Contended => Error::unavailable(),
        }
    }
}

impl From<JsonRejection> for Error {
    fn from(rejection: JsonRejection) -> Error {
        let code = match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ErrorCode::TooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => ErrorCode::NotJson,
            _ => ErrorCode::BadRequest,
        };
        Error::new(code, rejection.body_text())
    }
}

impl From<PathRejection> for Error {
    fn from(rejection: PathRejection) -> Error {
        Error::new(ErrorCode::BadRequest, rejection.body_text())
    }
}

impl From<QueryRejection> for Error {
    fn from(rejection: QueryRejection) -> Error {
        Error::new(ErrorCode::BadRequest, rejection.body_text())
    }
}

/// Extracts a JSON body; a malformed one is an [`Error`].
#[derive(Debug, axum::extract::FromRequest)]
#[from_request(via(Json), rejection(Error))]
pub(super) struct Body<T>(pub(super) T);

/// Extracts nothing: the body must be empty, or `{}`.
#[derive(Debug)]
pub(super) struct NoBody;

impl<S: Send + Sync> FromRequest<S> for NoBody {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<NoBody, Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Nothing {}
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(|error| Error::new(ErrorCode::BadRequest, error.body_text()))?;
        if bytes.is_empty() {
            return Ok(NoBody);
        }
        let read = serde_json::from_slice::<Nothing>(&bytes);
        read.map(|Nothing {}| NoBody).map_err(|error| {
            let message = format!("this request has no body, or {{}}: {error}");
            Error::new(ErrorCode::BadRequest, message)
        })
    }
}
