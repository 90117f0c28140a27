//! `robots.txt` and `sitemap.xml`.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use super::Origin;
use super::head::escaped;
use crate::app::AppState;

const DAY: &str = "public, max-age=86400";

/// Which addresses are not for crawlers, and where the others are listed.
pub(crate) async fn robots(State(app): State<AppState>, headers: HeaderMap) -> Response {
    let origin = Origin::of(&app, &headers);
    let base = &origin.base;
    let mut text = format!("User-agent: *\nAllow: {base}\nDisallow: {base}api/\n");
    if !origin.host.is_empty() {
        text.push_str(&format!("Sitemap: {}\n", origin.address("sitemap.xml")));
    }
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, DAY)];
    (kind, text).into_response()
}

/// All addresses with words of their own.
pub(crate) async fn sitemap(State(app): State<AppState>, headers: HeaderMap) -> Response {
    let origin = Origin::of(&app, &headers);
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
        .to_owned();
    for path in app.pages.site.public_paths() {
        xml.push_str(&format!("<url><loc>{}</loc></url>\n", escaped(&origin.address(path))));
    }
    xml.push_str("</urlset>\n");
    let kind = [(header::CONTENT_TYPE, "application/xml"), (header::CACHE_CONTROL, DAY)];
    (kind, xml).into_response()
}
