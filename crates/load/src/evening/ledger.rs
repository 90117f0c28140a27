//! What the players of an evening have seen and done: everything that the recount is compared with.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use stoa_client::{Action, GameResult, Side, TimeControl};
use stoa_rules::Game;

/// Everything that was seen.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    pub(super) players: Vec<SeenPlayer>,
    /// By id.
    pub(super) games: BTreeMap<String, SeenGame>,
    /// The reviews that were asked for and acknowledged, by game.
    pub(super) reviews: BTreeMap<String, SeenReview>,
    /// What the players found wrong while they played.
    pub(super) complaints: Vec<String>,
    pub(super) counts: Counts,
}

/// What happened how often.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Moves and other requests without a response, which were sent again.
    pub(super) unanswered: usize,
    /// How often players left a game for a while, and came back.
    pub(super) absences: usize,
    /// Reviews that the server declined to make, because too many were waiting.
    pub(super) reviews_declined: usize,
}

/// A player.
#[derive(Debug, Clone)]
pub(super) struct SeenPlayer {
    pub(super) id: String,
    pub(super) is_guest: bool,
}

/// A game as its players know it.
#[derive(Debug, Clone)]
pub(super) struct SeenGame {
    pub(super) kind: Game,
    pub(super) control: TimeControl,
    /// The ids of the players, by side.
    pub(super) players: [String; 2],
    /// Whether it is to be rated.
    pub(super) rated: bool,
    /// The moves that were acknowledged.
    pub(super) moves: Vec<String>,
    /// A move that has had no response.
    pub(super) unanswered: Option<String>,
    /// What the players did besides moving, whether they got a response or not.
    pub(super) deeds: Vec<(Side, Action)>,
    /// Whether an offer of a draw was acknowledged.
    pub(super) draw_offered: bool,
    /// Every result that a player was told, at any time.
    pub(super) results: Vec<GameResult>,
}

impl SeenGame {
    /// Whether a side did something.
    pub(super) fn has_done(&self, side: Side, action: &Action) -> bool {
        self.deeds.iter().any(|(by, done)| *by == side && done == action)
    }

    /// How many offers of a draw there were, at least and at most.
    pub(super) fn draw_offers(&self) -> RangeInclusive<usize> {
        let sent = Side::BOTH.into_iter().any(|side| self.has_done(side, &Action::Draw));
        usize::from(self.draw_offered)..=usize::from(sent)
    }
}

/// A review that was asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenReview {
    /// When it was finished and what was in it, as somebody first saw it.
    pub(super) done: Option<(i64, String)>,
    /// The leases of workers that were killed while they had it.
    pub(super) abandoned: Vec<AbandonedLease>,
}

/// A lease of a worker that was killed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AbandonedLease {
    /// How often the job had been taken until then.
    pub(super) attempts: i64,
    /// When the worker was killed, by the server's clock.
    pub(super) killed: i64,
}
