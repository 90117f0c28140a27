//! Security headers of every response, such as the content security policy.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;

use crate::app::AppState;

/// Which other sites may show a response; handlers put it into the response's extensions. Without it, none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// Pages of other origins may show it in a frame.
    Framed,
    /// Pages of other origins may load it: a picture, a script.
    Everywhere,
}

/// Nothing from other origins, no forms, and what the last directive says about frames. WebAssembly counts
/// as evaluated code; boards place their pieces with style attributes. The page has a `<base>` of its own.
macro_rules! policy {
    ($frames:literal) => {
        concat!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; ",
            "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; ",
            "manifest-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors ",
            $frames
        )
    };
}
const POLICY: &str = policy!("'none'");
const FRAMED_POLICY: &str = policy!("*");

/// Browsers that have been here use nothing but https for a year (HSTS).
const TRANSPORT_SECURITY: &str = "max-age=31536000";

/// Adds the security headers to a response.
pub(crate) async fn add(State(app): State<AppState>, mut response: Response) -> Response {
    let sharing = response.extensions().get::<Sharing>().copied();
    let policy = if sharing == Some(Sharing::Framed) { FRAMED_POLICY } else { POLICY };
    let resource_policy = if sharing.is_some() { "cross-origin" } else { "same-origin" };
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY.as_str(), policy),
        // These two make the page cross-origin isolated, so that it can share memory with its workers:
        // that is how a search is stopped at once.
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("cross-origin-resource-policy", resource_policy),
        (header::X_CONTENT_TYPE_OPTIONS.as_str(), "nosniff"),
        (header::REFERRER_POLICY.as_str(), "no-referrer"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if sharing == Some(Sharing::Everywhere) {
        // Scripts of the kind `module` are loaded with CORS alone.
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    if app.settings.is_https() {
        let value = HeaderValue::from_static(TRANSPORT_SECURITY);
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    response
}
