//! All routes. Those of the API are in `api/mod.rs`.

use axum::Router;
use axum::middleware::{from_fn_with_state, map_response_with_state};
use axum::routing::get;

use crate::app::AppState;
use crate::{api, documentation, guard, monitoring, security_headers, static_files};

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
        .route("/", get(static_files::index))
        .route("/{*path}", get(static_files::file))
        .with_state(app.clone())
        .layer(map_response_with_state(app, security_headers::add))
}
