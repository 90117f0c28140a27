//! What those who run a server need to know: whether it is ready, and figures for Prometheus.

use std::sync::OnceLock;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::app::Handle;

/// Where times are counted, in seconds.
const TIMES: [f64; 12] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0];
/// Where games written together are counted.
const TOGETHER: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// The figures of this process; there is one set of them, however many servers it runs.
static FIGURES: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Begins to count.
pub(crate) fn start_counting() {
    FIGURES.get_or_init(|| {
        let built = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &TIMES)
            .and_then(|builder| {
                builder.set_buckets_for_metric(Matcher::Suffix("_games".to_owned()), &TOGETHER)
            })
            .map_err(|error| error.to_string())
            .and_then(|builder| builder.install_recorder().map_err(|error| error.to_string()));
        describe();
        built.inspect_err(|error| tracing::warn!(%error, "there will be no metrics")).ok()
    });
}

fn describe() {
    use metrics::{describe_counter, describe_gauge, describe_histogram};
    describe_counter!("stoa_moves_total", "Moves acknowledged by this node");
    describe_counter!("stoa_games_started_total", "Games begun on this node");
    describe_histogram!("stoa_move_seconds", "From a move's arrival to its acknowledgement");
    describe_histogram!("stoa_commit_seconds", "How long a commit took");
    describe_histogram!("stoa_commit_games", "How many games' changes a commit held");
    describe_counter!("stoa_commit_failures_total", "Commits that failed");
    describe_counter!("stoa_commit_conflicts_total", "Decisions made again: another was first");
    describe_gauge!("stoa_writer_queue", "Changes waiting to be written");
    describe_gauge!("stoa_sockets", "Open WebSockets");
    describe_gauge!("stoa_streams", "Open event streams");
    describe_gauge!("stoa_rooms", "Games in memory");
    describe_gauge!("stoa_games_playing", "Games being played, on all nodes");
    describe_gauge!("stoa_nats_connected", "Whether NATS is connected: 0 or 1");
    describe_counter!("stoa_nats_dropped_total", "Messages to other nodes that were dropped");
    describe_counter!("stoa_listeners_cut_off_total", "Connections closed for reading too slowly");
    describe_counter!("stoa_errors_total", "Failures, by kind");
}

/// Figures for Prometheus.
pub(crate) async fn metrics(State(app): State<Handle>) -> impl IntoResponse {
    if let Ok(playing) = app.store.playing().await {
        metrics::gauge!("stoa_games_playing").set(playing as f64);
    }
    match FIGURES.get() {
        Some(Some(figures)) => {
            let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
            (StatusCode::OK, kind, figures.render()).into_response()
        }
        _ => (StatusCode::SERVICE_UNAVAILABLE, "there are no metrics\n").into_response(),
    }
}

/// Whether this node should be sent requests: its database answers, and it is not about to stop. A node
/// that is cut off from the others still serves, a little later than usual.
pub(crate) async fn ready(State(app): State<Handle>) -> (StatusCode, &'static str) {
    if *app.stopping.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    match (app.store.is_well().await, app.bus.is_connected()) {
        (true, true) => (StatusCode::OK, "ready\n"),
        (true, false) => (StatusCode::OK, "ready, but NATS is away\n"),
        (false, _) => (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n"),
    }
}
