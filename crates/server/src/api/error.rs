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

    /// The engine is busy.
    pub(crate) fn engine_busy(message: impl Into<String>) -> Error {
        Error::new(ErrorCode::EngineBusy, message).retry_after(30)
    }

    /// Somebody did not come to the games for which they were paired.
    pub(crate) fn did_not_move(seconds: u64) -> Error {
        let message = format!(
            "you were paired and did not make your first move, or left before both had moved; you can be \
             paired again in {seconds} s"
        );
        Error::new(ErrorCode::DidNotMove, message).retry_after(seconds)
    }

    /// Something that was sent cannot be read, for a reason in the words of a library.
    pub(super) fn unreadable(what: &str, why: &str) -> Error {
        let message = format!("the {what} cannot be read: {}", in_plain_words(why));
        Error::new(ErrorCode::BadRequest, message)
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
            RoomError::EngineBusy(why) => Error::engine_busy(why.to_string()),
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
        match code {
            ErrorCode::TooLarge => Error::new(code, "the body is too large"),
            ErrorCode::NotJson => {
                Error::new(code, "declare the body as JSON: Content-Type: application/json")
            }
            _ => Error::unreadable("body", &details(&rejection.body_text())),
        }
    }
}

impl From<PathRejection> for Error {
    fn from(rejection: PathRejection) -> Error {
        Error::unreadable("address", &details(&rejection.body_text()))
    }
}

impl From<QueryRejection> for Error {
    fn from(rejection: QueryRejection) -> Error {
        Error::unreadable("query", &details(&rejection.body_text()))
    }
}

/// The cause in an error message of axum, without its introduction.
fn details(text: &str) -> String {
    let failed = text.starts_with("Failed to") || text.starts_with("Invalid URL");
    text.split_once(": ").filter(|_| failed).map_or(text, |(_, details)| details).to_owned()
}

/// An error message of serde in words for people. The names of fields stay.
fn in_plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 21] = [
        ("invalid type: sequence", "this is a list"),
        ("invalid type: map", "this is an object"),
        ("invalid type: string", "this is the text"),
        ("invalid type: integer", "this is the number"),
        ("invalid type: floating point", "this is the number"),
        ("invalid type: boolean", "this is"),
        ("invalid type: ", "this is "),
        ("invalid value: string", "this is the text"),
        ("invalid value: integer", "this is the number"),
        ("invalid value: ", "this is "),
        ("invalid length ", "this is a list of length "),
        ("unknown variant", "unknown word"),
        ("missing field", "the field is missing:"),
        ("unknown field", "there is no such field:"),
        ("invalid digit found in string", "this is not a whole number"),
        ("cannot parse integer from empty string", "this is not a whole number"),
        ("invalid float literal", "this is not a number"),
        ("to fit in target type", ""),
        ("provided string was not", "this is not"),
        ("EOF while parsing", "the text ends within"),
        (", expected ", "; expected "),
    ];
    let is_out_of_bounds = message.contains("invalid value: integer");
    let mut message = message.to_owned();
    for (words, plain) in WORDS {
        message = message.replace(words, plain);
    }
    let Some((found, expected)) = message.split_once("; expected ") else {
        return message.trim_end().to_owned();
    };
    let (expected, place) = match expected.split_once(" at line ") {
        Some((expected, place)) => (expected, format!(" at line {place}")),
        None => (expected, String::new()),
    };
    let expected = match expected {
        "i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16" | "u32" | "u64" | "usize" => {
            if is_out_of_bounds {
                "one within the allowed range"
            } else {
                "a whole number"
            }
        }
        "f32" | "f64" => "a number",
        "variant identifier" | "string or map" => "one of the known words",
        "a boolean" => "true or false",
        "a string" => "a text",
        "a sequence" => "a list",
        "a map" => "an object",
        object if object.starts_with("struct ") || object.contains("enum ") => "an object",
        other => other,
    };
    format!("{found}; expected {expected}{place}")
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
        let bytes =
            bytes.map_err(|error| Error::unreadable("body", &details(&error.body_text())))?;
        if bytes.is_empty() {
            return Ok(NoBody);
        }
        let read = serde_json::from_slice::<Nothing>(&bytes);
        read.map(|Nothing {}| NoBody).map_err(|error| {
            let why = in_plain_words(&error.to_string());
            let message = format!("this request has no body, or {{}}: {why}");
            Error::new(ErrorCode::BadRequest, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_libraries_are_put_in_plain_words() {
        for (words, plain) in [
            ("limit: invalid digit found in string", "limit: this is not a whole number"),
            (
                "control: invalid type: sequence, expected variant identifier at line 1 column 9",
                "control: this is a list; expected one of the known words at line 1 column 9",
            ),
            (
                "score: invalid value: integer `70000`, expected i16",
                "score: this is the number `70000`; expected one within the allowed range",
            ),
            (
                "name: invalid type: map, expected a string",
                "name: this is an object; expected a text",
            ),
            (
                "invalid type: null, expected struct NewChallenge at line 1 column 4",
                "this is null; expected an object at line 1 column 4",
            ),
            (
                "pace: unknown variant `x`, expected one of `clock`, `days`",
                "pace: unknown word `x`; expected one of `clock`, `days`",
            ),
            ("missing field `game`", "the field is missing: `game`"),
            ("n: number too large to fit in target type", "n: number too large"),
        ] {
            assert_eq!(in_plain_words(words), plain);
        }
    }
}
