//! The report of an evening.

use std::fmt;

use super::kills::Killed;
use super::ledger::Counts;
use super::recount::Line;
use crate::crash::Victim;

/// What happened, and the recount.
#[derive(Debug)]
pub struct Report {
    pub(super) words: String,
    pub(super) load_average: String,
    pub(super) games: usize,
    pub(super) moves: usize,
    pub(super) counts: Counts,
    pub(super) killed: KillCounts,
    pub(super) lines: Vec<Line>,
    /// Where the data are, if something differs.
    pub(super) kept: Option<String>,
}

/// Kills of each kind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KillCounts {
    servers: usize,
    databases: usize,
    workers: usize,
}

impl KillCounts {
    pub(super) fn count(&mut self, what: Killed) {
        match what {
            Killed::Worker(_) => self.workers += 1,
            Killed::Server { victim, .. } => {
                self.servers += usize::from(victim != Victim::Postgres);
                self.databases += usize::from(victim != Victim::Server);
            }
        }
    }

    pub(super) fn sum(self) -> usize {
        self.servers + self.databases + self.workers
    }
}

impl Report {
    /// Whether nothing differs.
    pub fn is_sound(&self) -> bool {
        self.kept.is_none()
    }

    /// How many games were begun.
    pub fn games(&self) -> usize {
        self.games
    }

    /// How many moves were acknowledged.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// How many times the server, the database and workers were killed.
    pub fn kills(&self) -> [usize; 3] {
        let KillCounts { servers, databases, workers } = self.killed;
        [servers, databases, workers]
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KillCounts { servers, databases, workers } = self.killed;
        writeln!(f, "an evening of {}", self.words)?;
        writeln!(f, "  load average before  {}", self.load_average)?;
        writeln!(f, "  games begun          {}", self.games)?;
        writeln!(f, "  moves acknowledged   {}", self.moves)?;
        writeln!(f, "  without a response   {}, sent again", self.counts.unanswered)?;
        writeln!(
            f,
            "  kills                {servers} of the server, {databases} of Postgres, {workers} of workers"
        )?;
        write!(f, "recounted")?;
        for line in &self.lines {
            write!(f, "\n{line}")?;
        }
        match &self.kept {
            None => write!(f, "\nnothing differs"),
            Some(kept) => write!(f, "\nSOMETHING DIFFERS; {kept}"),
        }
    }
}
