//! Every address there is. Those of the API are in `api/mod.rs`.

use axum::Router;
use axum::middleware::{from_fn_with_state, map_response};
use axum::routing::get;

use crate::app::Handle;
use crate::{api, documentation, guard, operations, page, protection};

/// The addresses of a server.
pub(crate) fn router(app: Handle) -> Router {
    let (api, description) = api::routes();
    let api = api.layer(from_fn_with_state(app.clone(), guard::guard));
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(operations::ready))
        .route("/metrics", get(operations::metrics))
        .merge(documentation::routes(&description))
        .merge(api)
        .route("/", get(page::front))
        .route("/{*path}", get(page::file))
        .with_state(app)
        .layer(map_response(protection::protect))
}
