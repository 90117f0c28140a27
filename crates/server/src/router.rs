//! Every address there is.

use std::sync::Arc;

use axum::Router;
use axum::middleware::map_response;
use axum::routing::get;

use crate::site::Site;
use crate::{page, protection};

/// The addresses of a server of this site.
pub fn router(site: Site) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/", get(page::front))
        .route("/{*path}", get(page::file))
        .with_state(Arc::new(site))
        .layer(map_response(protection::protect))
}
