//! Security headers of every response, such as the content security policy.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;

use crate::app::AppState;

/// Nothing from other origins, no frames, no forms. WebAssembly counts as evaluated code; boards place
/// their pieces with style attributes.
const POLICY: &str = "default-src 'none'; \
    script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; \
    connect-src 'self'; \
    worker-src 'self'; \
    manifest-src 'self'; \
    base-uri 'none'; \
    form-action 'none'; \
    frame-ancestors 'none'";

/// Browsers that have been here use nothing but https for a year (HSTS).
const TRANSPORT_SECURITY: &str = "max-age=31536000";

/// Adds the security headers to a response.
pub(crate) async fn add(State(app): State<AppState>, mut response: Response) -> Response {
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY.as_str(), POLICY),
        // These two make the page cross-origin isolated, so that it can share memory with its workers:
        // that is how a search is stopped at once.
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("cross-origin-resource-policy", "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS.as_str(), "nosniff"),
        (header::REFERRER_POLICY.as_str(), "no-referrer"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if app.settings.is_https() {
        let value = HeaderValue::from_static(TRANSPORT_SECURITY);
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    response
}
