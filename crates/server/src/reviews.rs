//! Computer reviews of finished games. Workers make them, here or on other machines; this module hands out jobs
//! and decides whether the results can be true.
//!
//! A job is leased: a worker that does not renew its lease loses it, and it waits again. So a job may be done
//! twice, and is never lost; the commit that keeps a review finds the lease or not. A worker's result is the
//! value of each position and a line from it. Everything that people see is derived from that here, so nothing
//! but scores and legal moves has to be believed.

use std::time::Duration;

use axum::http::{HeaderMap, header};
use stoa_engine::review::{CompleteReview, Judgement, Nonsense, rebuild};
use stoa_engine::{Engine, EvaluationChoice, Score, Settings};
use stoa_rules::{Game, Session};
use stoa_wire::{ErrorCode, GameReview, ReviewResult, ReviewState};

use crate::api::Error;
use crate::app::App;
use crate::ids;
use crate::limits::LimitName;
use crate::monitoring::warn_folded;
use crate::store::{QueueLimits, StoreError, WorkerRow};
use crate::time::millis;

/// How long a lease lasts unless the worker renews it.
pub(crate) const LEASE_TIME: Duration = Duration::from_secs(20);
/// How long the searches of one review take together, about.
const MAX_REVIEW_TIME: Duration = Duration::from_secs(60);
/// How often leases that have expired are looked for.
const EXPIRY_INTERVAL: Duration = Duration::from_secs(1);
/// A worker that was not seen for this long is gone.
const WORKER_GONE_AFTER: Duration = Duration::from_secs(180);
/// The largest body of a worker's request, in bytes.
pub(crate) const MAX_WORKER_BODY: usize = 256 * 1024;
/// What the paths of workers' requests begin with.
const WORKER_PATHS: &str = "/api/worker/";

/// The limits on what waits. Without rate limits, people who share a network are not limited together.
pub(crate) fn queue_limits(app: &App) -> QueueLimits {
    let limit = |name| app.current_limits.get(name);
    let is_limited = app.settings.rate.is_some();
    QueueLimits {
        of_player: limit(LimitName::ReviewsOfPlayer),
        from_network: if is_limited { limit(LimitName::ReviewsFromNetwork) } else { i64::MAX },
        all: limit(LimitName::ReviewsWaiting),
    }
}

/// How long to search each of this many positions.
pub(crate) fn position_time(app: &App, positions: usize) -> Duration {
    let positions = u32::try_from(positions).unwrap_or(u32::MAX).max(1);
    app.settings.review_time.min(MAX_REVIEW_TIME / positions)
}

/// Whether a worker has been seen lately.
pub(crate) async fn has_workers(app: &App) -> Result<bool, StoreError> {
    app.store.has_workers(app.time.now() - millis(WORKER_GONE_AFTER)).await
}

/// The worker that sends a request, if its token is known.
pub(crate) async fn worker(
    app: &App,
    headers: &HeaderMap,
) -> Result<Option<WorkerRow>, StoreError> {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    match given.and_then(|given| given.strip_prefix("Bearer ")) {
        Some(token) => app.store.worker(&ids::hash(token.trim())).await,
        None => Ok(None),
    }
}

/// How large the body of a request may be: what workers send is longer than anything that people do.
pub(crate) async fn max_body(app: &App, path: &str, headers: &HeaderMap, usual: usize) -> usize {
    let is_worker =
        path.starts_with(WORKER_PATHS) && matches!(worker(app, headers).await, Ok(Some(_)));
    if is_worker { MAX_WORKER_BODY } else { usual }
}

/// How the review of a game stands; nothing if there is no such game.
pub(crate) async fn state(app: &App, game: &str) -> Result<Option<GameReview>, StoreError> {
    let available = has_workers(app).await?;
    let mut state = GameReview {
        game: game.to_owned(),
        state: ReviewState::None,
        available,
        before: None,
        judged: None,
        failure: None,
        finished: None,
        review: None,
    };
    let Some(row) = app.store.review(game).await? else {
        return Ok(app.store.version(game).await?.map(|_| state));
    };
    state.state = row.state;
    match row.state {
        ReviewState::Waiting => state.before = Some(app.store.reviews_before(&row).await?),
        ReviewState::Running => state.judged = Some(row.judged),
        ReviewState::Failed => state.failure = row.failure,
        ReviewState::Done => {
            let body = row.body.unwrap_or_default();
            let corrupt =
                |error| StoreError::Corrupt(format!("the review of game {game}: {error}"));
            state.review = Some(serde_json::from_str(&body).map_err(corrupt)?);
        }
        ReviewState::None => {}
    }
    state.finished = row.finished;
    Ok(Some(state))
}

/// The review that follows from what a worker has found about a game, as JSON.
pub(crate) fn checked(
    game: Game,
    moves: &[String],
    result: &ReviewResult,
) -> Result<String, Error> {
    let internal = |error: &dyn std::fmt::Display| {
        Error::new(ErrorCode::Internal, format!("the game cannot be reviewed: {error}"))
    };
    let mut session = Session::new(game.start());
    for text in moves {
        session.play(text).map_err(|error| internal(&error))?;
    }
    let settings =
        Settings { table: 1, evaluation: EvaluationChoice::Terms, ..Settings::default() };
    let engine = Engine::new(game, settings).map_err(|error| internal(&error))?;
    let judgements: Vec<Judgement> = result
        .positions
        .iter()
        .map(|judged| Judgement { score: Score::from_raw(judged.score), line: judged.line.clone() })
        .collect();
    let review = rebuild(&engine, &session, &judgements)
        .map_err(|error: Nonsense| Error::new(ErrorCode::BadReview, error.to_string()))?;
    serde_json::to_string(&CompleteReview::from(review)).map_err(|error| internal(&error))
}

/// Takes jobs back from workers that are gone, until the task is aborted.
pub(crate) async fn run(app: &App) {
    loop {
        match app.store.in_time(app.store.expire_reviews(app.time.now())).await {
            Ok((returned, given_up)) => {
                count("expired", returned);
                count("given_up", given_up);
            }
            Err(error) => warn_folded!(%error, "cannot take reviews back"),
        }
        tokio::time::sleep(EXPIRY_INTERVAL).await;
    }
}

/// Counts what became of jobs.
pub(crate) fn count(result: &'static str, number: u64) {
    metrics::counter!("stoa_reviews_total", "result" => result).increment(number);
}

#[cfg(test)]
mod tests {
    use stoa_engine::review::review;
    use stoa_engine::{Limits, Stop};
    use stoa_rules::playout::Rng;
    use stoa_wire::{JudgedPosition, Review};

    use super::*;

    /// A random game, and what a worker finds about it.
    fn reviewed(game: Game) -> (Vec<String>, ReviewResult, CompleteReview) {
        let mut session = Session::new(game.start());
        let mut rng = Rng::new(7);
        for _ in 0..14 {
            let moves = session.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            session.play(&moves[rng.below(moves.len())]).expect("legal");
        }
        let mut engine = Engine::new(game, Settings::default()).expect("an engine");
        let limits = Limits::nodes(300);
        let found = review(&mut engine, &session, &limits, &Stop::new(), &mut |_| {});
        let positions = found.judgements().expect("complete").into_iter();
        let positions = positions.map(|Judgement { score, line }| JudgedPosition {
            score: score.raw().try_into().expect("a score"),
            line,
        });
        let moves = session.moves().into_iter().map(str::to_owned).collect();
        (moves, ReviewResult { positions: positions.collect() }, found.into())
    }

    #[test]
    fn stored_reviews_are_what_the_worker_saw_and_have_the_types_of_the_api() {
        for game in Game::ALL {
            let (moves, result, found) = reviewed(game);
            let text = checked(game, &moves, &result).expect("sound");
            let kept: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            // Read from a text like the other: the last digit of a number may differ from what was written.
            let found = serde_json::to_string(&found).expect("JSON");
            let mut original: serde_json::Value = serde_json::from_str(&found).expect("JSON");
            // Lines are cut on the way.
            for mv in original["moves"].as_array_mut().expect("moves") {
                for line in ["best", "expected"] {
                    mv[line].as_array_mut().expect("a line").truncate(12);
                }
            }
            assert_eq!(kept, original, "{game}");
            let typed: Review = serde_json::from_str(&text).expect("the type of the API");
            assert_eq!(serde_json::to_value(&typed).expect("JSON"), kept, "{game}");
        }
    }

    #[test]
    fn a_review_of_another_game_is_refused() {
        let (moves, result, _) = reviewed(Game::ALL[0]);
        let (other_moves, other_result, _) = reviewed(Game::ALL[1]);
        assert!(checked(Game::ALL[0], &moves, &result).is_ok());
        let refused = checked(Game::ALL[0], &moves, &other_result).expect_err("nonsense");
        assert_eq!(refused.body.code, ErrorCode::BadReview);
        assert!(checked(Game::ALL[1], &other_moves, &result).is_err());
        let shorter = &moves[..moves.len() - 1];
        assert!(checked(Game::ALL[0], shorter, &result).is_err(), "of another length");
    }
}
