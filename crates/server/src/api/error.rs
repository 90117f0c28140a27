//! How a request is refused: a status, a code that programs can rely on, and a sentence.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rooms::RoomError;
use crate::store::StoreError;

/// Why a request is not done.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Error {
    #[serde(skip)]
    pub(crate) status: u16,
    /// A word that programs can rely on.
    #[schema(example = "not_your_turn")]
    pub(crate) code: String,
    /// A sentence for people.
    #[schema(example = "it is the other side's turn")]
    pub(crate) message: String,
    /// After how many seconds it may be tried again; also in the header `Retry-After`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<u64>,
}

impl Error {
    pub(crate) fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Error {
        Error {
            status: status.as_u16(),
            code: code.to_owned(),
            message: message.into(),
            retry_after: None,
        }
    }

    pub(crate) fn bad(code: &str, message: impl Into<String>) -> Error {
        Error::new(StatusCode::BAD_REQUEST, code, message)
    }

    pub(crate) fn conflict(code: &str, message: impl Into<String>) -> Error {
        Error::new(StatusCode::CONFLICT, code, message)
    }

    pub(crate) fn forbidden(code: &str, message: impl Into<String>) -> Error {
        Error::new(StatusCode::FORBIDDEN, code, message)
    }

    pub(crate) fn not_found(what: &str) -> Error {
        Error::new(StatusCode::NOT_FOUND, "not_found", format!("there is no such {what}"))
    }

    pub(crate) fn no_player() -> Error {
        Error::new(StatusCode::UNAUTHORIZED, "no_player", "say who you are first: POST /api/me")
    }

    /// The request may be repeated: nothing is known to have been done.
    pub(crate) fn unavailable() -> Error {
        let message = "the server cannot keep this right now; try again in a moment";
        let mut error = Error::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message);
        error.retry_after = Some(1);
        error
    }

    pub(crate) fn too_many_connections(most: usize) -> Error {
        let message = format!("your address has {most} connections open; close some first");
        let status = StatusCode::TOO_MANY_REQUESTS;
        let mut error = Error::new(status, "too_many_connections", message);
        error.retry_after = Some(30);
        error
    }

    pub(crate) fn too_many(seconds: u64) -> Error {
        let message = format!("too many requests; try again in {seconds} s");
        let mut error = Error::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message);
        error.retry_after = Some(seconds);
        error
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let retry_after = self.retry_after;
        let mut response = (status, Json(self)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        metrics::counter!("stoa_errors_total", "kind" => "store").increment(1);
        tracing::error!(%error, "the storage failed");
        Error::unavailable()
    }
}

impl From<RoomError> for Error {
    fn from(error: RoomError) -> Error {
        match error {
            RoomError::NotFound => Error::not_found("game"),
            RoomError::NotYours => Error::forbidden("not_yours", error.to_string()),
            RoomError::Refused(refusal) => Error::conflict(refusal.code(), refusal.to_string()),
            RoomError::Store(error) => error.into(),
            RoomError::Crowded => Error::unavailable(),
        }
    }
}

impl From<JsonRejection> for Error {
    fn from(rejection: JsonRejection) -> Error {
        let code = match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => "too_large",
            StatusCode::UNSUPPORTED_MEDIA_TYPE => "not_json",
            _ => "bad_request",
        };
        Error::new(rejection.status(), code, rejection.body_text())
    }
}

impl From<PathRejection> for Error {
    fn from(rejection: PathRejection) -> Error {
        Error::bad("bad_request", rejection.body_text())
    }
}

impl From<QueryRejection> for Error {
    fn from(rejection: QueryRejection) -> Error {
        Error::bad("bad_request", rejection.body_text())
    }
}

/// A body of JSON whose flaws are answered as all errors are.
#[derive(Debug, axum::extract::FromRequest)]
#[from_request(via(Json), rejection(Error))]
pub(super) struct Body<T>(pub(super) T);
