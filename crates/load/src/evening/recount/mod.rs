//! The recount: what was found after an evening, compared with what the players saw. Everything is pure, so that
//! tests can plant faults.

mod archive;
mod games;
mod ratings;
mod reviews;
#[cfg(test)]
mod tests;

use std::fmt;

use stoa_wire::GameStatus;

use super::found::{Found, FoundGame};
use super::ledger::Ledger;

/// How many faults of one kind are printed.
const MAX_PRINTED: usize = 5;

/// One subject of the recount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) subject: &'static str,
    pub(super) figures: String,
    /// Everything that differs.
    pub(super) faults: Vec<String>,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { subject, figures, faults } = self;
        if faults.is_empty() {
            return write!(f, "  {subject:<11}ok       {figures}");
        }
        write!(f, "  {subject:<11}DIFFERS  {figures}")?;
        for fault in faults.iter().take(MAX_PRINTED) {
            write!(f, "\n             {fault}")?;
        }
        match faults.len().saturating_sub(MAX_PRINTED) {
            0 => Ok(()),
            more => write!(f, "\n             and {more} more"),
        }
    }
}

/// Compares everything.
pub(super) fn recount(ledger: &Ledger, found: &Found, kills: usize) -> Vec<Line> {
    vec![
        games::players(ledger),
        games::games(ledger, found),
        games::moves(ledger, found),
        games::results(ledger, found),
        archive::archive(ledger, found),
        archive::records(ledger, found),
        ratings::ratings(ledger, found),
        ratings::rebuild(found),
        archive::explorer(found),
        reviews::reviews(ledger, found, kills),
        reviews::leases(ledger, found),
        archive::backup(found),
    ]
}

fn of_status(found: &Found, status: GameStatus) -> impl Iterator<Item = &FoundGame> {
    found.games.values().filter(move |game| game.view.situation.status() == status)
}
