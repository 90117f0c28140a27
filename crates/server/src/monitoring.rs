//! Monitoring: the readiness check, and metrics for Prometheus.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::app::AppState;

/// Histogram buckets for durations, in seconds.
const DURATION_BUCKETS: [f64; 12] =
    [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0];
/// Histogram buckets for games in one commit.
const BATCH_BUCKETS: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// How often what histograms have recorded is summed up.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// How often the metrics are rendered at most.
const RENDER_INTERVAL: Duration = Duration::from_secs(1);

/// A failure that repeats is logged this often, with the number of times that it was not.
const FOLD_INTERVAL: Duration = Duration::from_secs(10);

/// Folds a message that repeats into one now and then.
#[derive(Debug)]
pub(crate) struct Fold(Mutex<Folded>);

#[derive(Debug)]
struct Folded {
    logged: Option<Instant>,
    unlogged: u64,
}

impl Fold {
    pub(crate) const fn new() -> Fold {
        Fold(Mutex::new(Folded { logged: None, unlogged: 0 }))
    }

    /// Whether to log the message now, and how often it was not logged since the last time.
    pub(crate) fn due(&self, now: Instant) -> Option<u64> {
        let mut folded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if folded.logged.is_some_and(|logged| now.duration_since(logged) < FOLD_INTERVAL) {
            folded.unlogged += 1;
            return None;
        }
        folded.logged = Some(now);
        Some(std::mem::take(&mut folded.unlogged))
    }
}

macro_rules! folded {
    ($event:ident, $($fields:tt)+) => {{
        static FOLD: $crate::monitoring::Fold = $crate::monitoring::Fold::new();
        if let Some(unlogged) = FOLD.due(std::time::Instant::now()) {
            let unlogged = (unlogged > 0).then_some(unlogged);
            tracing::$event!(unlogged, $($fields)+);
        }
    }};
}

/// Logs an error, unless the same line of code has logged one a moment ago.
macro_rules! error_folded {
    ($($fields:tt)+) => { $crate::monitoring::folded!(error, $($fields)+) };
}

/// Logs a warning, unless the same line of code has logged one a moment ago.
macro_rules! warn_folded {
    ($($fields:tt)+) => { $crate::monitoring::folded!(warn, $($fields)+) };
}

/// Logs for debugging, unless the same line of code has done so a moment ago.
macro_rules! debug_folded {
    ($($fields:tt)+) => { $crate::monitoring::folded!(debug, $($fields)+) };
}

pub(crate) use {debug_folded, error_folded, folded, warn_folded};

/// The metrics of this process; there is one set of them, however many servers it runs.
static METRICS: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Installs the metrics recorder.
pub(crate) fn install_recorder() {
    METRICS.get_or_init(|| {
        let built = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &DURATION_BUCKETS)
            .and_then(|builder| {
                builder.set_buckets_for_metric(Matcher::Suffix("_games".to_owned()), &BATCH_BUCKETS)
            })
            .map_err(|error| error.to_string())
            .and_then(|builder| builder.install_recorder().map_err(|error| error.to_string()));
        describe();
        built
            .inspect_err(|error| tracing::warn!(%error, "cannot install the metrics recorder"))
            .ok()
    });
}

/// Sums up what histograms have recorded, until the task is aborted. The recorder keeps every single value until
/// the metrics are scraped, and perhaps they never are.
pub(crate) async fn sum_up() {
    loop {
        tokio::time::sleep(UPKEEP_INTERVAL).await;
        if let Some(Some(handle)) = METRICS.get() {
            handle.run_upkeep();
        }
    }
}

fn describe() {
    use metrics::{describe_counter, describe_gauge, describe_histogram};
    describe_counter!("stoa_moves_total", "Moves acknowledged by this node");
    describe_counter!("stoa_games_started_total", "Games begun on this node");
    describe_counter!("stoa_paired_games_total", "Games begun by quick pairing on this node");
    describe_histogram!("stoa_move_seconds", "From a move's arrival to its acknowledgement");
    describe_histogram!("stoa_commit_seconds", "Duration of a commit");
    describe_histogram!("stoa_commit_games", "Number of games changed by a commit");
    describe_counter!("stoa_commit_failures_total", "Commits that failed");
    describe_counter!(
        "stoa_writers_replaced_total",
        "Connections closed because a transaction on them was neither committed nor rolled back"
    );
    describe_counter!(
        "stoa_commit_conflicts_total",
        "Decisions retried because another node was first"
    );
    describe_gauge!("stoa_writer_queue", "Game events waiting to be committed");
    describe_gauge!("stoa_sockets", "Open WebSockets");
    describe_gauge!("stoa_event_streams", "Open event streams");
    describe_gauge!("stoa_rooms", "Games in memory");
    describe_gauge!("stoa_games_playing", "Games being played, on all nodes");
    describe_gauge!("stoa_nats_connected", "Whether NATS is connected: 0 or 1");
    describe_counter!("stoa_nats_dropped_total", "Messages to other nodes dropped");
    describe_counter!(
        "stoa_slow_subscribers_total",
        "Connections closed because they read too slowly"
    );
    describe_counter!("stoa_requests_refused_total", "Requests refused, by error code");
    describe_counter!("stoa_pushes_total", "Web Push messages, by result");
    describe_counter!("stoa_mails_total", "Mail, by result");
    describe_counter!("stoa_errors_total", "Failures, by kind");
    describe_gauge!("stoa_reviews_waiting", "Computer reviews waiting for a worker, on all nodes");
    describe_gauge!("stoa_reviews_running", "Computer reviews being made, on all nodes");
    describe_gauge!("stoa_reviews_oldest_seconds", "How long the oldest review has been waiting");
    describe_counter!("stoa_reviews_total", "Computer reviews, by outcome");
    describe_histogram!("stoa_picture_seconds", "Time to draw a link preview picture");
}

/// The metrics as they were a moment ago, so that asking again and again costs nothing.
#[derive(Debug, Default)]
pub(crate) struct RenderedMetrics(tokio::sync::Mutex<Option<(Instant, Bytes)>>);

/// Serves the metrics.
pub(crate) async fn metrics(State(app): State<AppState>) -> Response {
    let Some(Some(handle)) = METRICS.get() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "there are no metrics\n").into_response();
    };
    let mut rendered = app.metrics.0.lock().await;
    let recent = rendered.as_ref().filter(|(at, _)| at.elapsed() < RENDER_INTERVAL);
    let text = match recent {
        Some((_, text)) => text.clone(),
        None => {
            measure(&app).await;
            let text = Bytes::from(handle.render());
            *rendered = Some((Instant::now(), text.clone()));
            text
        }
    };
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (StatusCode::OK, kind, text).into_response()
}

/// Sets what has to be asked of the database.
async fn measure(app: &AppState) {
    if let Ok(playing) = app.store.playing().await {
        metrics::gauge!("stoa_games_playing").set(playing as f64);
    }
    if let Ok(queue) = app.store.review_queue().await {
        let oldest = queue.oldest.map_or(0, |asked| app.time.now() - asked);
        metrics::gauge!("stoa_reviews_waiting").set(queue.waiting as f64);
        metrics::gauge!("stoa_reviews_running").set(queue.running as f64);
        metrics::gauge!("stoa_reviews_oldest_seconds").set(oldest as f64 / 1000.0);
    }
}

/// Whether this node can serve requests: its database can be written, and it is not shutting down. A node
/// that is disconnected from NATS still serves, with a little delay. Heartbeats try the database every
/// second, so asking costs nothing.
pub(crate) async fn ready(State(app): State<AppState>) -> (StatusCode, &'static str) {
    if *app.stopping.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    match (app.heartbeat.is_alive(), app.bus.is_connected()) {
        (true, true) => (StatusCode::OK, "ready\n"),
        (true, false) => (StatusCode::OK, "ready, but NATS is disconnected\n"),
        (false, _) => {
            let why = "the database cannot be written, or the clock is wrong: see the log\n";
            (StatusCode::SERVICE_UNAVAILABLE, why)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The names of metrics in a text.
    fn metrics_in(text: &str) -> BTreeSet<&str> {
        let is_part = |c: char| c.is_ascii_lowercase() || c == '_';
        text.split(|c| !is_part(c))
            .filter(|word| word.strip_prefix("stoa_").is_some_and(|name| !name.is_empty()))
            .map(|word| word.strip_suffix("_bucket").unwrap_or(word))
            .collect()
    }

    #[test]
    fn documentation_dashboard_and_alerts_name_the_metrics_there_are() {
        let source = include_str!("monitoring.rs");
        let described =
            source.split("fn describe() {").nth(1).and_then(|rest| rest.split("\n}").next());
        let described = metrics_in(described.expect("the descriptions"));
        assert!(described.len() > 15);
        let documented = metrics_in(include_str!("../../../docs/operations.md"));
        assert_eq!(documented, described, "docs/operations.md");
        let dashboard = metrics_in(include_str!("../../../deploy/monitoring/dashboard.json"));
        assert_eq!(dashboard, described, "the dashboard");
        let alerts = metrics_in(include_str!("../../../deploy/monitoring/alerts.yml"));
        assert!(!alerts.is_empty() && alerts.is_subset(&described), "{alerts:?}");
    }

    #[test]
    fn the_proxy_that_we_describe_does_not_show_the_metrics() {
        let compose = include_str!("../../../deploy/compose.yaml");
        assert!(compose.contains("./Caddyfile:/etc/caddy/Caddyfile"));
        let proxy = include_str!("../../../deploy/Caddyfile");
        let line = |text: &str| proxy.lines().position(|line| line.trim() == text);
        assert!(line("respond /metrics* 404").is_some());
        assert!(line("reverse_proxy one:8473 two:8473").is_some());
    }

    #[test]
    fn a_failure_that_repeats_is_logged_now_and_then_with_its_number() {
        let fold = Fold::new();
        let began = Instant::now();
        assert_eq!(fold.due(began), Some(0), "the first time at once");
        let within = (1..1000).filter_map(|n| fold.due(began + FOLD_INTERVAL * n / 1000));
        assert_eq!(within.count(), 0);
        assert_eq!(fold.due(began + FOLD_INTERVAL), Some(999));
        assert_eq!(fold.due(began + 3 * FOLD_INTERVAL), Some(0));
    }
}
