//! A file of the web app as an answer.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::app::Handle;
use crate::site::{File, Site};

/// Vite puts the hash of the content into the names in this folder, so these never change.
const HASHED: &str = "assets/";
const FOREVER: &str = "public, max-age=31536000, immutable";
/// May be kept, but is asked for each time whether it has changed.
const ASK_AGAIN: &str = "no-cache";

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <title>Stoa</title><h1>There is no web app in this program yet</h1>\
    <p>It was built without it. In the folder of Stoa, <code>cargo xtask play</code> builds both; \
    <code>cargo xtask web</code> builds the web app, and then the program must be built again.</p>";

const NOT_FOUND: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <title>Stoa</title><h1>There is no such page</h1><p><a href=\"/\">To the games</a></p>";

/// The page itself.
pub(crate) async fn front(State(app): State<Handle>, headers: HeaderMap) -> Response {
    let site = &app.site;
    if site.is_empty() {
        return (StatusCode::SERVICE_UNAVAILABLE, Html(NOT_BUILT)).into_response();
    }
    answer(site, "index.html", &headers)
}

/// Anything the page is made of. The path is taken as it was written: no file of ours needs escapes.
pub(crate) async fn file(State(app): State<Handle>, uri: Uri, headers: HeaderMap) -> Response {
    answer(&app.site, uri.path().trim_start_matches('/'), &headers)
}

fn answer(site: &Site, path: &str, request: &HeaderMap) -> Response {
    let Some(file) = site.get(path) else {
        return (StatusCode::NOT_FOUND, Html(NOT_FOUND)).into_response();
    };
    let encoding = best_encoding(file, request);
    let tag = format!("\"{:016x}{}\"", file.fingerprint, encoding.suffix());
    let cache = if path.starts_with(HASHED) { FOREVER } else { ASK_AGAIN };
    let caching = [
        (header::ETAG, tag.as_str()),
        (header::CACHE_CONTROL, cache),
        (header::VARY, "accept-encoding"),
    ];
    if names_tag(request, &tag) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let kind = [(header::CONTENT_TYPE, content_type(path))];
    match (encoding, &file.brotli, &file.gzip) {
        (Encoding::Brotli, Some(body), _) => {
            (caching, kind, [(header::CONTENT_ENCODING, "br")], body.clone()).into_response()
        }
        (Encoding::Gzip, _, Some(body)) => {
            (caching, kind, [(header::CONTENT_ENCODING, "gzip")], body.clone()).into_response()
        }
        _ => (caching, kind, file.plain.clone()).into_response(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Plain,
    Brotli,
    Gzip,
}

impl Encoding {
    /// Different bytes need different tags.
    fn suffix(self) -> &'static str {
        match self {
            Encoding::Plain => "",
            Encoding::Brotli => "-br",
            Encoding::Gzip => "-gz",
        }
    }
}

/// The smallest that the browser takes and we have.
fn best_encoding(file: &File, request: &HeaderMap) -> Encoding {
    if file.brotli.is_some() && accepts(request, "br") {
        Encoding::Brotli
    } else if file.gzip.is_some() && accepts(request, "gzip") {
        Encoding::Gzip
    } else {
        Encoding::Plain
    }
}

fn accepts(request: &HeaderMap, encoding: &str) -> bool {
    items(request, &header::ACCEPT_ENCODING).any(|item| {
        let (name, weight) = item.split_once(';').unwrap_or((item, ""));
        let weight = weight.trim().strip_prefix("q=").map(str::parse::<f32>);
        name.trim().eq_ignore_ascii_case(encoding) && weight != Some(Ok(0.0))
    })
}

/// Whether the browser has just this already.
fn names_tag(request: &HeaderMap, tag: &str) -> bool {
    items(request, &header::IF_NONE_MATCH)
        .any(|item| item == "*" || item.strip_prefix("W/").unwrap_or(item) == tag)
}

/// The items of a header that is a list.
fn items<'a>(request: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
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
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
