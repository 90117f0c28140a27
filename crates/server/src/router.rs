//! Every address there is. Those of the API are in `api/mod.rs`.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::{from_fn_with_state, map_response};
use axum::routing::get;

use crate::app::Handle;
use crate::{api, guard, page, protection};

/// The addresses of a server.
pub(crate) fn router(app: Handle) -> Router {
    let (api, _description) = api::routes();
    let api = api.layer(from_fn_with_state(app.clone(), guard::guard));
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .merge(api)
        .route("/", get(page::front))
        .route("/{*path}", get(page::file))
        .with_state(app)
        .layer(map_response(protection::protect))
}

/// Whether this node should be sent requests: its database answers, and it is not about to stop.
async fn ready(State(app): State<Handle>) -> (StatusCode, &'static str) {
    if *app.stopping.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    match app.store.is_well().await {
        true => (StatusCode::OK, "ready\n"),
        false => (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n"),
    }
}
