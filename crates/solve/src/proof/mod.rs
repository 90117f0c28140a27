//! A proof search for any position of any game: is it won, lost or drawn?
//!
//! ```
//! use stoa_rules::{Notation, Setup, impasse};
//! use stoa_engine::Stop;
//! use stoa_solve::Verdict;
//! use stoa_solve::proof::{Budget, prove};
//!
//! let setup = impasse::Setup::parse("1w6/8/8/4W3/8/8/8/6b1 w", ()).unwrap();
//! let position = setup.validate().unwrap();
//! let answer = prove(&position, &Budget::default(), &Stop::new(), &mut |_| {});
//! assert_eq!(answer.value(), Some(Verdict::Loss));
//! assert_eq!(position.move_text(answer.line[0]), "e5-a1*+a1>b8");
//! ```
//!
//! The [`search`] is depth-first proof-number search. It asks whether the player to move
//! wins; in a game that can be drawn it also asks whether they get a draw at least, and goes back
//! and forth between the two until both are answered or one answer makes the other superfluous.
//!
//! # How far a proof can be trusted
//! Every position in a proof is played by the rules crate, and the count of a stall rule is part of
//! the position. A result is used for another stall count only if its proof is so short that the
//! stall rule cannot end the game within it. Positions are compared by two independent hashes, 128
//! bits in all. A search that looks up 10¹¹ positions in a table of 10⁹
//! therefore mistakes one position for another with a chance of 10²⁰ / 2¹²⁸, less than 10⁻¹⁸.

mod game;
mod line;
pub mod search;
mod table;
#[cfg(test)]
mod tests;

use std::time::Duration;

use stoa_engine::{Knowledge, Stop, Timer};

use crate::Verdict;
use game::{GameSpace, Need};
use search::{Ends, Search};
pub use table::{Key, Numbers, ProofTable};

pub(crate) use table::Entry;

/// What a proof may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// How many positions may be looked at.
    pub nodes: Option<u64>,
    /// How long it may take.
    pub time: Option<Duration>,
    /// How much memory the table may take, in bytes.
    pub memory: usize,
}

impl Default for Budget {
    /// As much as it takes, with a table of 64 MiB.
    fn default() -> Budget {
        Budget { nodes: None, time: None, memory: 64 << 20 }
    }
}

/// What has been found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<M> {
    /// The player to move gets this at least.
    pub least: Verdict,
    /// The player to move gets this at most.
    pub most: Verdict,
    /// How a proven game goes on: the winner as in the proof, the loser so that it takes long. It
    /// may be cut short by a stop, or be empty if nothing is proven.
    pub line: Vec<M>,
    /// Whether the line goes to the end of the game.
    pub is_line_whole: bool,
    /// The proof and disproof number of a win, where it is not settled.
    pub numbers: Numbers,
    /// How many positions were looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl<M> Answer<M> {
    /// The value, if it is proven.
    pub fn value(&self) -> Option<Verdict> {
        (self.least == self.most).then_some(self.least)
    }
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// How many positions have been looked at.
    pub nodes: u64,
    /// How long it has taken.
    pub time: Duration,
    /// The proof and disproof number of a win, as they were last.
    pub numbers: Numbers,
    /// How full the table is, in hundredths.
    pub fullness: u32,
}

/// The first look at a question; later ones are longer.
const FIRST_SLICE: u64 = 4_096;

/// No look is longer than this many positions, so that progress is reported now and then.
const MAX_SLICE: u64 = 1 << 18;

/// Proves what a position is worth, within a budget.
///
/// The time or the nodes of the budget end the proof; finding the line after it may add a quarter
/// to them, because parts of the proof can have been replaced in the table.
pub fn prove<P: Knowledge>(
    position: &P,
    budget: &Budget,
    stop: &Stop,
    report: &mut dyn FnMut(Progress),
) -> Answer<P::Move> {
    let timer = Timer::start();
    let mut prover = Prover::new(position, budget.memory);
    let ends = Ends { nodes: budget.nodes.unwrap_or(u64::MAX), time: budget.time, timer, stop };
    prover.settle(&ends, report);
    let (line, is_line_whole) = prover.line(stop);
    Answer {
        least: prover.least,
        most: prover.most,
        line,
        is_line_whole,
        numbers: prover.numbers,
        nodes: prover.nodes,
        time: timer.elapsed(),
    }
}

/// A proof in the making.
struct Prover<'a, P: Knowledge> {
    position: &'a P,
    table: ProofTable<[u64; 2]>,
    least: Verdict,
    most: Verdict,
    numbers: Numbers,
    nodes: u64,
}

impl<'a, P: Knowledge> Prover<'a, P> {
    fn new(position: &'a P, memory: usize) -> Prover<'a, P> {
        let (least, most) = match position.outcome() {
            None => (Verdict::Loss, Verdict::Win),
            Some(outcome) => match outcome.winner {
                None => (Verdict::Draw, Verdict::Draw),
                Some(winner) if winner == position.side_to_move() => (Verdict::Win, Verdict::Win),
                Some(_) => (Verdict::Loss, Verdict::Loss),
            },
        };
        let numbers = Numbers::guess(1, 1);
        Prover { position, table: ProofTable::new(memory), least, most, numbers, nodes: 0 }
    }

    /// Searches until the value is known or the budget spent.
    fn settle(&mut self, ends: &Ends<'_>, report: &mut dyn FnMut(Progress)) {
        let mut slice = FIRST_SLICE;
        while self.least < self.most && !is_spent(ends, self.nodes) {
            if self.most == Verdict::Win {
                let found = self.ask(Need::Win, slice, ends);
                self.numbers = found;
                if found.is_proven() {
                    self.least = Verdict::Win;
                } else if found.is_disproven() {
                    self.most = if P::INFO.draws { Verdict::Draw } else { Verdict::Loss };
                }
            }
            let may_draw =
                P::INFO.draws && self.least == Verdict::Loss && self.most > Verdict::Loss;
            if may_draw && !is_spent(ends, self.nodes) {
                let found = self.ask(Need::Draw, slice, ends);
                if found.is_proven() {
                    self.least = Verdict::Draw;
                } else if found.is_disproven() {
                    self.most = Verdict::Loss;
                }
            }
            slice = (slice + slice / 2).min(MAX_SLICE);
            report(Progress {
                nodes: self.nodes,
                time: ends.timer.elapsed(),
                numbers: self.numbers,
                fullness: (self.table.len() * 100 / self.table.capacity()) as u32,
            });
        }
    }

    /// Looks at one question for a while.
    fn ask(&mut self, need: Need, slice: u64, ends: &Ends<'_>) -> Numbers {
        let space = GameSpace::new(self.position, need);
        let mut search = Search::new(&space, &mut self.table);
        search.nodes = self.nodes;
        let nodes = ends.nodes.min(self.nodes.saturating_add(slice));
        let (found, _) = search.run(self.position, &Ends { nodes, ..ends.clone() });
        self.nodes = search.nodes;
        found
    }
}

fn is_spent(ends: &Ends<'_>, nodes: u64) -> bool {
    nodes >= ends.nodes
        || ends.stop.is_stopped()
        || ends.time.is_some_and(|most| ends.timer.elapsed() >= most)
}
