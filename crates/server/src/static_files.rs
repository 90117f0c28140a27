//! Handlers that serve the static files of the web app.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use crate::api::Error;
use crate::app::AppState;
use crate::assets::{Assets, File};
use crate::page;
use crate::security_headers::Sharing;

/// Vite puts a hash of the content into file names in this folder, so these files never change.
const HASHED_FOLDER: &str = "assets/";
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// May be cached, but must be revalidated each time.
pub(crate) const REVALIDATE: &str = "no-cache";

/// The script that other people's pages load to show a board.
const ELEMENT: &str = "stoa-board.js";

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <title>Stoa</title><h1>This program has no web app</h1>\
    <p>It was built without it. In the folder of Stoa, <code>cargo xtask play</code> builds both; \
    <code>cargo xtask web</code> builds the web app, and then the program must be built again.</p>";

const NOT_FOUND: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <title>Stoa</title><h1>There is no such page</h1><p><a href=\"/\">Play</a></p>";

const TOO_MANY: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <title>Stoa</title><h1>Too many requests</h1>\
    <p>They came from your network within a few seconds. Wait a moment, then load the page again.</p>";

/// Serves `index.html` as it is.
pub(crate) fn index(app: &AppState, headers: &HeaderMap) -> Response {
    let assets = &app.assets;
    if assets.is_empty() {
        return (StatusCode::SERVICE_UNAVAILABLE, Html(NOT_BUILT)).into_response();
    }
    respond(assets, "index.html", headers).unwrap_or_else(not_found)
}

/// Serves a file, or else the page. The path is not decoded: no file of ours needs escapes.
pub(crate) async fn file_or_page(state: State<AppState>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    match respond(&state.assets, path, request.headers()) {
        Some(mut response) => {
            if path == ELEMENT {
                response.extensions_mut().insert(Sharing::Everywhere);
            }
            response
        }
        None => page::page(state, request).await,
    }
}

/// There is no such file.
pub(crate) fn not_found() -> Response {
    (StatusCode::NOT_FOUND, Html(NOT_FOUND)).into_response()
}

/// A client over the rate limit asked for a page.
pub(crate) fn too_many(error: &Error) -> Response {
    let wait = [(header::RETRY_AFTER, error.body.retry_after.unwrap_or(1).to_string())];
    (error.status, wait, Html(TOO_MANY)).into_response()
}

fn respond(assets: &Assets, path: &str, request: &HeaderMap) -> Option<Response> {
    let file = assets.get(path)?;
    let encoding = best_encoding(file, request);
    let tag = format!("\"{:016x}{}\"", file.fingerprint, encoding.suffix());
    let cache = if path.starts_with(HASHED_FOLDER) { IMMUTABLE } else { REVALIDATE };
    let caching = [
        (header::ETAG, tag.as_str()),
        (header::CACHE_CONTROL, cache),
        (header::VARY, "accept-encoding"),
    ];
    if matches_etag(request, &tag) {
        return Some((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let kind = [(header::CONTENT_TYPE, content_type(path))];
    Some(match (encoding, &file.brotli, &file.gzip) {
        (Encoding::Brotli, Some(body), _) => {
            (caching, kind, [(header::CONTENT_ENCODING, "br")], body.clone()).into_response()
        }
        (Encoding::Gzip, _, Some(body)) => {
            (caching, kind, [(header::CONTENT_ENCODING, "gzip")], body.clone()).into_response()
        }
        _ => (caching, kind, file.plain.clone()).into_response(),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Plain,
    Brotli,
    Gzip,
}

impl Encoding {
    /// Different bytes need different entity tags.
    fn suffix(self) -> &'static str {
        match self {
            Encoding::Plain => "",
            Encoding::Brotli => "-br",
            Encoding::Gzip => "-gz",
        }
    }
}

/// The smallest encoding that we have and the browser accepts.
fn best_encoding(file: &File, request: &HeaderMap) -> Encoding {
    if file.brotli.is_some() && accepts(request, "br") {
        Encoding::Brotli
    } else if file.gzip.is_some() && accepts(request, "gzip") {
        Encoding::Gzip
    } else {
        Encoding::Plain
    }
}

/// Whether the browser understands an encoding.
pub(crate) fn accepts(request: &HeaderMap, encoding: &str) -> bool {
    items(request, &header::ACCEPT_ENCODING).any(|item| {
        let (name, weight) = item.split_once(';').unwrap_or((item, ""));
        let weight = weight.trim().strip_prefix("q=").map(str::parse::<f32>);
        name.trim().eq_ignore_ascii_case(encoding) && weight != Some(Ok(0.0))
    })
}

/// Whether the browser has this version in its cache.
pub(crate) fn matches_etag(request: &HeaderMap, tag: &str) -> bool {
    items(request, &header::IF_NONE_MATCH)
        .any(|item| item == "*" || item.strip_prefix("W/").unwrap_or(item) == tag)
}

/// The items of a header whose value is a list.
pub(crate) fn items<'a>(
    request: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a str> {
    let values = request.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
