//! All routes. Those of the API are in `api/mod.rs`.

use axum::Router;
use axum::middleware::{from_fn_with_state, map_response_with_state};
use axum::routing::get;

use crate::app::AppState;
use crate::{api, documentation, guard, monitoring, page, security_headers, static_files};

/// All routes of a server.
pub(crate) fn router(app: AppState) -> Router {
    let (api, document) = api::routes();
    let api = api.layer(from_fn_with_state(app.clone(), guard::guard));
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(monitoring::ready))
        .route("/metrics", get(monitoring::metrics))
        .merge(documentation::routes(&document))
        .merge(api)
        .route("/robots.txt", get(page::robots))
        .route("/sitemap.xml", get(page::sitemap))
        .route("/pictures/{*path}", get(page::picture))
        .route("/", get(page::page))
        .route("/{*path}", get(static_files::file_or_page))
        .with_state(app.clone())
        .layer(map_response_with_state(app, security_headers::add))
}
