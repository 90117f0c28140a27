//! Solving all positions of few stacks, class by class.

use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use stoa_engine::Stop;
use stoa_rules::impasse::{Move, Position};
use stoa_rules::{Position as _, Side};

use super::class::Class;
use super::index::{Numbering, Row};
use super::{GAME, KIND, MAX_STACKS, Packing, Value};
use crate::file::{SectionInfo, TablebaseError, Writer};
use crate::threads;

/// What to build, and how.
pub struct Plan<'a> {
    /// Up to how many stacks, 2 to [`MAX_STACKS`].
    pub stacks: usize,
    /// Up to how many stacks the number of turns to the end is kept, and not only who wins:
    /// usually [`STACKS_WITH_PLIES`](super::STACKS_WITH_PLIES).
    pub stacks_with_plies: usize,
    /// How many threads work.
    pub threads: usize,
    /// Ends the work early; what is finished is kept, and the next build goes on from there.
    pub stop: &'a Stop,
    /// Called from time to time with how many of all [`positions`] are done.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// What a tablebase has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// For each number of stacks, from two on.
    pub shares: Vec<Share>,
    /// How many positions were solved now, and not found from an earlier attempt.
    pub solved: u64,
}

/// How positions with some number of stacks are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The number of stacks.
    pub stacks: u32,
    /// How many positions there are. One with exchanged colours is the same.
    pub positions: u64,
    /// In how many of them the player to move wins.
    pub wins: u64,
    /// The longest win, and one of the positions with it, where lengths are known.
    pub longest: Option<(u32, Position)>,
}

/// How many positions there are up to a number of stacks, as [`Plan::progress`] counts them. Those in
/// which both players have the same are solved for either to move.
///
/// # Panics
/// If there can be no tablebase of that many stacks.
pub fn positions(stacks: usize) -> u64 {
    classes(stacks)
        .into_iter()
        .map(|class| 2 * Numbering::new(class, Packing::Plies).positions())
        .sum()
}

fn classes(stacks: usize) -> Vec<Class> {
    assert!((2..=MAX_STACKS).contains(&stacks), "2 to {MAX_STACKS} stacks, not {stacks}");
    Class::all(stacks as u32)
}

/// Solves all positions up to a number of stacks, and writes them to a file. Nothing comes back if it
/// was stopped.
///
/// # Panics
/// If there can be no tablebase of that many stacks.
pub fn build(path: &Path, plan: &Plan<'_>) -> Result<Option<Report>, TablebaseError> {
    let classes = classes(plan.stacks);
    let numbering = |class| Numbering::new(class, Packing::new(class, plan.stacks_with_plies));
    let mut writer = Writer::resume_or_create(path, GAME, KIND)?;
    let is_wanted = |found: &SectionInfo| {
        let mut numberings = classes.iter().map(|&class| numbering(class));
        numberings.any(|numbering| {
            Side::BOTH.into_iter().any(|side| numbering.section(side) == found.id)
                && numbering.bytes() as u64 == found.length
        })
    };
    if !writer.sections().iter().all(is_wanted) {
        // Left from a tablebase of more stacks, or from another version of this program.
        drop(writer);
        writer = Writer::create(path, GAME, KIND)?;
    }
    let mut solved = Solved { tables: (0..Class::CODES).map(|_| None).collect() };
    let done = AtomicU64::new(0);
    let mut report = Report { shares: Vec::new(), solved: 0 };
    for class in classes {
        let mut work =
            Work { class, numbering: numbering(class), solved: &solved, sides: Default::default() };
        let mut kept = [false; 2];
        for side in Side::BOTH.into_iter().filter(|&side| class.is_stored(side)) {
            if let Some(bytes) = writer.read_section(work.numbering.section(side))? {
                work.sides[side.index()] = bytes.into_iter().map(AtomicU8::new).collect();
                kept[side.index()] = true;
            }
        }
        // In a symmetric class Black's turns are only needed to solve White's.
        kept[1] |= class.is_symmetric() && kept[0];
        if !work.solve(kept, plan, &done) {
            return Ok(None);
        }
        for side in Side::BOTH {
            if class.is_stored(side) && !writer.has_section(work.numbering.section(side)) {
                let cells = work.sides[side.index()].iter();
                let bytes: Vec<u8> = cells.map(|cell| cell.load(Ordering::Relaxed)).collect();
                writer.section(work.numbering.section(side), &bytes)?;
            }
        }
        let both = if class.is_symmetric() { 1 } else { 2 };
        let new = kept.iter().take(both).filter(|&&kept| !kept).count() as u64;
        report.solved += new * work.numbering.positions();
        report.add(&work);
        let Work { numbering, mut sides, .. } = work;
        if class.is_symmetric() {
            sides[1] = Vec::new();
        }
        solved.tables[class.code() as usize] = Some(Box::new(Solution { numbering, sides }));
    }
    writer.finish(&[plan.stacks as u8, plan.stacks_with_plies.min(plan.stacks) as u8])?;
    Ok(Some(report))
}

impl Report {
    /// Counts a class that is solved.
    fn add(&mut self, work: &Work<'_>) {
        let stacks = work.class.stacks();
        if self.shares.last().is_none_or(|share| share.stacks != stacks) {
            self.shares.push(Share { stacks, positions: 0, wins: 0, longest: None });
        }
        let Some(share) = self.shares.last_mut() else { return };
        for side in Side::BOTH {
            if work.class.is_symmetric() && side == Side::Second {
                continue;
            }
            share.positions += work.numbering.positions();
            let cells = work.sides[side.index()].iter().map(|cell| cell.load(Ordering::Relaxed));
            if work.numbering.packing() == Packing::Wins {
                // Bits that stand for no position are zero.
                share.wins += cells.map(|byte| u64::from(byte.count_ones())).sum::<u64>();
                continue;
            }
            let mut best = (share.longest.map_or(0, |(plies, _)| plies), None);
            for (number, plies) in cells.enumerate().filter(|(_, plies)| plies % 2 == 1) {
                share.wins += 1;
                if u32::from(plies) > best.0 {
                    best = (plies.into(), Some(number as u64));
                }
            }
            if let (plies, Some(number)) = best {
                share.longest = work.numbering.position(number, side).map(|found| (plies, found));
            }
        }
    }
}

/// The values of one class, for White and for Black to move.
struct Solution {
    numbering: Numbering,
    sides: [Vec<AtomicU8>; 2],
}

/// All that is solved so far.
struct Solved {
    /// By the code of the class.
    tables: Vec<Option<Box<Solution>>>,
}

impl Solved {
    /// The value of a position of a class that is solved.
    #[inline]
    fn value(&self, class: Class, position: &Position) -> Value {
        let (class, oriented) = Class::oriented(class, position);
        let Some(solution) = &self.tables[class.code() as usize] else {
            unreachable!("{class:?} comes later than the class that leads to it")
        };
        let number = solution.numbering.number(&oriented);
        let packing = solution.numbering.packing();
        let cells = &solution.sides[oriented.side_to_move().index()];
        packing.value(cells[packing.byte_of(number)].load(Ordering::Relaxed), number)
    }
}

/// A class that is being solved.
struct Work<'a> {
    class: Class,
    numbering: Numbering,
    solved: &'a Solved,
    /// The values for White and for Black to move. Each row has its own bytes and is solved by one
    /// thread; others read it in later layers only, when all threads have come together in between.
    sides: [Vec<AtomicU8>; 2],
}

impl Work<'_> {
    /// Solves the class for the sides that are not kept from before. Returns whether it was not
    /// stopped.
    fn solve(&mut self, kept: [bool; 2], plan: &Plan<'_>, done: &AtomicU64) -> bool {
        let count = |more: u64| (plan.progress)(done.fetch_add(more, Ordering::Relaxed) + more);
        count(self.numbering.positions() * kept.iter().filter(|&&kept| kept).count() as u64);
        let wanted: Vec<Side> = Side::BOTH.into_iter().filter(|side| !kept[side.index()]).collect();
        if wanted.is_empty() {
            return true;
        }
        for side in &wanted {
            let bytes = self.numbering.bytes();
            self.sides[side.index()] = (0..bytes).map(|_| AtomicU8::new(0)).collect();
        }
        for layer in self.numbering.layers() {
            threads::share(plan.threads, layer.iter(), |row| {
                if !plan.stop.is_stopped() {
                    count(self.solve_row(row, &wanted));
                }
            });
        }
        !plan.stop.is_stopped()
    }

    /// Solves a row, and returns how many positions there were.
    fn solve_row(&self, row: &Row, wanted: &[Side]) -> u64 {
        let mut moves = Vec::new();
        let mut count = 0;
        self.numbering.visit_row(row, |number, singles, doubles| {
            for &side in wanted {
                let Some(position) = Position::from_squares(singles, doubles, side) else {
                    unreachable!("a class has no impossible positions")
                };
                moves.clear();
                position.generate(&mut moves);
                let cells = &self.sides[side.index()];
                let cell = &cells[self.numbering.packing().byte_of(number)];
                match self.numbering.packing() {
                    Packing::Plies => {
                        cell.store(self.plies(&position, &moves), Ordering::Relaxed);
                    }
                    Packing::Wins if self.is_win(&position, &moves) => {
                        let others = cell.load(Ordering::Relaxed);
                        cell.store(others | 1 << (number % 8), Ordering::Relaxed);
                    }
                    Packing::Wins => {}
                }
                count += 1;
            }
        });
        count
    }

    /// Whether some move leads to a loss of the opponent.
    #[inline]
    fn is_win(&self, position: &Position, moves: &[Move]) -> bool {
        moves.iter().any(|&mv| !self.value_after(position, mv).is_win())
    }

    /// The number of turns to the end.
    #[inline]
    fn plies(&self, position: &Position, moves: &[Move]) -> u8 {
        let (mut shortest_win, mut longest_loss) = (u8::MAX, 0);
        for &mv in moves {
            match self.value_after(position, mv) {
                Value::Plies(plies) if plies % 2 == 1 => longest_loss = longest_loss.max(plies + 1),
                Value::Plies(plies) => shortest_win = shortest_win.min(plies + 1),
                Value::Win(_) => unreachable!("play leads to no more stacks"),
            }
        }
        if shortest_win < u8::MAX { shortest_win } else { longest_loss }
    }

    /// The value of what a move leads to, for the opponent.
    #[inline]
    fn value_after(&self, position: &Position, mv: Move) -> Value {
        let mut next = *position;
        next.play_unchecked(mv);
        // Only the mover can have come to have none (clause 6).
        let mover = position.side_to_move();
        if next.singles(mover) | next.doubles(mover) == 0 {
            return Value::Plies(0);
        }
        match Class::of(&next) {
            // Not turned round: in a symmetric class the turned position may not be solved yet.
            Some(class) if class == self.class => {
                let number = self.numbering.number(&next);
                let cells = &self.sides[next.side_to_move().index()];
                let byte = cells[self.numbering.packing().byte_of(number)].load(Ordering::Relaxed);
                self.numbering.packing().value(byte, number)
            }
            Some(class) => self.solved.value(class, &next),
            None => unreachable!("play does not lead to positions that are left out"),
        }
    }
}
