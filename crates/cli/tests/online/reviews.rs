//! Computer reviews with real workers, which are killed.

use std::path::Path;

use stoa_client::{Action, Client, GameReview, ReviewState, TimeControl};
use stoa_rules::playout::Rng;
use stoa_testing::{Stoa, Worker};

use super::administration::said;
use super::{begin, play, program, serve, until};

/// A running `stoa worker`.
fn start_worker(stoa: &Stoa, token: &str) -> Worker {
    let log = stoa.log().with_extension("worker");
    Worker::start(program(), &stoa.url(), token, &log).unwrap()
}

/// A finished game of some random moves.
pub(super) fn finished(ann: &Client, bob: &Client, game: &str, moves: usize) -> String {
    let game = begin(ann, bob, game, TimeControl::Unlimited).id;
    let mut rng = Rng::new(11);
    for _ in 0..moves {
        if play([ann, bob], &game, &mut rng).result.is_some() {
            return game;
        }
    }
    ann.act(&game, &Action::Resign).unwrap();
    game
}

pub(super) fn done(client: &Client, game: &str) -> GameReview {
    until("the review", || {
        let review = client.review(game).unwrap();
        assert_ne!(review.state, ReviewState::Failed, "{:?}", review.failure);
        Some(review).filter(|review| review.state == ReviewState::Done)
    })
}

/// The token of a new worker.
fn worker_token(data: &Path) -> (String, String) {
    let said = said(data, &["workers", "create", "attic"]);
    let word = |name: &str| {
        let line = said.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().to_owned()
    };
    (word("worker "), word("token "))
}

#[test]
fn a_server_reviews_games_itself() {
    let data = tempfile::tempdir().unwrap();
    let stoa = Stoa::start(
        program(),
        data.path(),
        &["--rate", "0", "--log", "warn", "--review-time", "20ms"],
    );
    let stoa = stoa.unwrap();
    let ann = Client::guest(&stoa.url(), "Ann").unwrap();
    let bob = Client::guest(&stoa.url(), "Bob").unwrap();
    for game in ["impasse", "palisade:5"] {
        let game = finished(&ann, &bob, game, 12);
        until("a worker", || ann.review(&game).unwrap().available.then_some(()));
        ann.ask_review(&game).unwrap();
        let review = done(&bob, &game).review.unwrap();
        assert!(review.complete && review.plies == review.moves.len());
    }
}

#[test]
fn a_killed_worker_loses_nothing_and_a_revoked_one_gets_nothing() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let mut stoa = serve(data, &["--reviews", "false", "--review-time", "400ms"]);
    let ann = Client::guest(&stoa.url(), "Ann").unwrap();
    let bob = Client::guest(&stoa.url(), "Bob").unwrap();
    let game = finished(&ann, &bob, "impasse", 20);
    assert!(!ann.review(&game).unwrap().available, "there is nobody who would do it");
    let (id, token) = worker_token(data);
    let mut worker = start_worker(&stoa, &token);
    until("the worker", || ann.review(&game).unwrap().available.then_some(()));
    ann.ask_review(&game).unwrap();
    let running = |game: &str| {
        until("the work", || {
            Some(ann.review(game).unwrap()).filter(|review| review.state == ReviewState::Running)
        })
    };
    running(&game);
    assert!(said(data, &["workers"]).lines().any(|line| line.contains("      1  attic")));
    worker.kill();
    // The server dies, too, and what was asked for is still there.
    stoa.kill();
    stoa.restart().unwrap();
    let mut worker = start_worker(&stoa, &token);
    let review = done(&ann, &game).review.unwrap();
    assert_eq!(review.plies, ann.game(&game).unwrap().moves.len());

    let second = finished(&ann, &bob, "impasse", 20);
    bob.ask_review(&second).unwrap();
    running(&second);
    assert!(said(data, &["workers", "revoke", &id]).contains("is revoked"));
    let waiting = ann.review(&second).unwrap();
    assert_eq!(waiting.state, ReviewState::Waiting, "what it was doing waits at once");
    until("the end of the worker", || (!worker.is_alive()).then_some(()));
    let (_, token) = worker_token(data);
    let _worker = start_worker(&stoa, &token);
    done(&ann, &second);
}
