//! Requests of workers, which review games.

use stoa_wire::{GameReview, ReviewFailure, ReviewJob, ReviewOrder, ReviewProgress, ReviewResult};

use crate::{Client, Error};

/// An empty request.
#[derive(serde::Serialize)]
struct Nothing {}

impl Client {
    /// The review of a game, or how far it has come.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn review(&self, game: &str) -> Result<GameReview, Error> {
        self.get(&format!("/api/games/{game}/review"))
    }

    /// Asks for the review of a game.
    ///
    /// # Errors
    /// If the server refuses: it is not over, or too many are waiting.
    pub fn ask_review(&self, game: &str) -> Result<GameReview, Error> {
        self.post(&format!("/api/games/{game}/review"), &Nothing {})
    }

    /// Takes a job, if there is one. The token must be a worker's.
    ///
    /// # Errors
    /// If the server does not answer, or does not know the token.
    pub fn lease_review(&self) -> Result<Option<ReviewJob>, Error> {
        Ok(self.post::<ReviewOrder>("/api/worker/jobs", &Nothing {})?.job)
    }

    /// Renews the lease of a job, and reports the progress.
    ///
    /// # Errors
    /// If it is no longer this worker's, or the server does not answer.
    pub fn renew_review(&self, lease: &str, progress: ReviewProgress) -> Result<(), Error> {
        self.send(&format!("/api/worker/jobs/{lease}"), &progress)
    }

    /// Hands in what was found.
    ///
    /// # Errors
    /// If it cannot be true, if the job is no longer this worker's, or the server does not answer.
    pub fn finish_review(&self, lease: &str, result: &ReviewResult) -> Result<(), Error> {
        self.send(&format!("/api/worker/jobs/{lease}/result"), result)
    }

    /// Says that a review cannot be made.
    ///
    /// # Errors
    /// If the job is no longer this worker's, or the server does not answer.
    pub fn fail_review(&self, lease: &str, failure: &ReviewFailure) -> Result<(), Error> {
        self.send(&format!("/api/worker/jobs/{lease}/failure"), failure)
    }

    /// Gives a job back.
    ///
    /// # Errors
    /// If it is no longer this worker's, or the server does not answer.
    pub fn return_review(&self, lease: &str) -> Result<(), Error> {
        self.delete(&format!("/api/worker/jobs/{lease}"))
    }
}
