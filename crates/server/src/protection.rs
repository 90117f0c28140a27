//! What browsers are told to allow the page, on every answer.

use axum::http::{HeaderValue, header};
use axum::response::Response;

/// Nothing from elsewhere, no frames, no forms. The module is WebAssembly, which counts as evaluated
/// code; boards place their pieces with style attributes.
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

/// Adds the headers that every answer has.
pub(crate) async fn protect(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY.as_str(), POLICY),
        // Both together isolate the page, which lets it share memory with its workers: that is how a
        // search is stopped at once.
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("cross-origin-resource-policy", "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS.as_str(), "nosniff"),
        (header::REFERRER_POLICY.as_str(), "no-referrer"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
