//! Solving a board: the value of the empty one and of every first move, in as many sittings as it
//! takes.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use stoa_engine::{Stop, Timer};
use stoa_rules::Side;
use stoa_rules::palisade::Point;

use super::search::bits;
use super::{Board, Field, Stones};
use crate::file::{Fault, TablebaseError, TablebaseFile, Writer};
use crate::proof::search::{Ends, Search, Space as _};
use crate::proof::{Entry, Numbers, ProofTable};

/// A file keeps only results that took at least this many positions to find, as a power of two. The
/// rest are by far the greater part, and quickly found again.
const WORTH_KEEPING: u32 = 5;

/// The kind of content of a file, and the section that holds it.
const KIND: &str = "proof";
const ENTRIES: u32 = 0;
const ENTRY_BYTES: usize = 17;

/// A first move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// Where Black puts the first stone.
    pub point: Point,
    /// Which first moves are the same but for a turn or reflection of the board: they have the same
    /// number.
    pub class: usize,
    /// What is known of it, from the point of view of White, who is to move after it.
    pub numbers: Numbers,
}

impl Opening {
    /// Who wins after it, if that is proven.
    pub fn winner(&self) -> Option<Side> {
        winner(self.numbers, Side::Second)
    }
}

fn winner(numbers: Numbers, mover: Side) -> Option<Side> {
    if numbers.is_proven() { Some(mover) } else { numbers.is_disproven().then_some(mover.other()) }
}

/// A board that is being solved.
#[derive(Debug)]
pub struct Solver {
    field: Field,
    table: ProofTable<u64>,
    start: Numbers,
    openings: Vec<Opening>,
    nodes: u64,
    time: Duration,
}

impl Solver {
    /// Begins with a board, and a table of at most this many bytes.
    pub fn new(board: Board, memory: usize) -> Solver {
        Solver::with(Field::new(board), memory)
    }

    /// Begins with a board, to be searched in some way.
    pub fn with(field: Field, memory: usize) -> Solver {
        let start = field.board.start();
        let mut classes = BTreeMap::new();
        let openings = bits(field.board.open(&start)).filter_map(|number| {
            let after = field.board.after(&start, number);
            let next = classes.len();
            let class = *classes.entry(field.board.least_word(&after)).or_insert(next);
            let point = field.board.point(number)?;
            Some(Opening { point, class, numbers: field.guess(&after) })
        });
        Solver {
            openings: openings.collect(),
            start: field.guess(&start),
            field,
            table: ProofTable::new(memory),
            nodes: 0,
            time: Duration::ZERO,
        }
    }

    /// Goes on with what a file holds.
    pub fn resume(board: Board, memory: usize, path: &Path) -> Result<Solver, TablebaseError> {
        let file = TablebaseFile::open(path, &game_of(board), KIND)?;
        let mut solver = Solver::new(board, memory);
        let damaged = |part: &str| TablebaseError::new(file.name(), Fault::damaged(part));
        let word = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).ok();
        let meta = file.meta()?;
        let (nodes, millis) = match meta.split_at_checked(8) {
            Some((nodes, millis)) => word(nodes).zip(word(millis)),
            None => None,
        }
        .ok_or_else(|| damaged("its account of the work so far"))?;
        let section = file.section(ENTRIES).ok_or_else(|| damaged("its positions"))?;
        let length = section.length();
        if !length.is_multiple_of(ENTRY_BYTES) {
            return Err(damaged("its positions"));
        }
        for start in (0..length).step_by(ENTRY_BYTES) {
            let bytes = section.read(start..start + ENTRY_BYTES)?;
            let entry = read_entry(bytes).ok_or_else(|| damaged("its positions"))?;
            solver.table.insert(entry);
        }
        (solver.nodes, solver.time) = (nodes, Duration::from_millis(millis));
        solver.look_up();
        Ok(solver)
    }

    /// Keeps what was found, so that it is in the file whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), TablebaseError> {
        let mut writer = Writer::create(path, &game_of(self.field.board), KIND)?;
        let mut section = writer.begin_section(ENTRIES)?;
        for entry in self.table.entries().filter(|entry| entry.work >= WORTH_KEEPING) {
            section.write(&entry_bytes(&entry))?;
        }
        section.finish()?;
        let millis = self.time.as_millis() as u64;
        writer.finish(&[self.nodes.to_le_bytes(), millis.to_le_bytes()].concat())
    }

    /// Works until this many more positions have been looked at, it is stopped, or all is known.
    pub fn work(&mut self, nodes: u64, stop: &Stop) {
        let timer = Timer::start();
        let most = self.nodes.saturating_add(nodes);
        while !self.is_solved() && self.nodes < most && !stop.is_stopped() {
            let position = self.next();
            let mut search = Search::new(&self.field, &mut self.table);
            search.nodes = self.nodes;
            search.run(&position, &Ends { nodes: most, time: None, timer, stop });
            self.nodes = search.nodes;
            self.look_up();
        }
        self.time += timer.elapsed();
    }

    /// What to search next: the empty board, and when that is known, the first moves one by one.
    fn next(&self) -> Stones {
        let start = self.field.board.start();
        let undecided = self.openings.iter().position(|opening| opening.winner().is_none());
        match undecided {
            Some(index) if self.winner().is_some() => self.after(index),
            _ => start,
        }
    }

    fn after(&self, opening: usize) -> Stones {
        let start = self.field.board.start();
        let number = bits(self.field.board.open(&start)).nth(opening).unwrap_or(0);
        self.field.board.after(&start, number)
    }

    /// Takes over what the table knows.
    fn look_up(&mut self) {
        let start = self.field.board.start();
        if let Some(numbers) = self.table.get(self.field.key(&start)) {
            self.start = numbers;
        }
        for index in 0..self.openings.len() {
            if self.openings[index].winner().is_none()
                && let Some(numbers) = self.table.get(self.field.key(&self.after(index)))
            {
                self.openings[index].numbers = numbers;
            }
        }
    }

    /// Whether the empty board and all first moves are decided.
    pub fn is_solved(&self) -> bool {
        self.winner().is_some() && self.openings.iter().all(|opening| opening.winner().is_some())
    }

    /// Who wins from the empty board, if that is proven.
    pub fn winner(&self) -> Option<Side> {
        winner(self.start, Side::First)
    }

    /// What is known of the empty board, from Black's point of view.
    pub fn start(&self) -> Numbers {
        self.start
    }

    /// Every first move, rank by rank from `a1`.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.field.board
    }

    /// How many positions were looked at, in all sittings.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How long it took, in all sittings.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// How many positions of the table are decided, by the number of stones on the board. Images of
    /// a position count once.
    pub fn decided(&self) -> BTreeMap<u32, u64> {
        let mut decided = BTreeMap::new();
        for entry in self.table.entries().filter(|entry| entry.numbers.is_settled()) {
            *decided.entry((entry.key << 1).count_ones()).or_default() += 1;
        }
        decided
    }

    /// How many positions the table holds, and how many it has room for.
    pub fn table(&self) -> (u64, u64) {
        (self.table.len(), self.table.capacity())
    }
}

fn game_of(board: Board) -> String {
    format!("palisade:{}", board.size())
}

/// Key, numbers, work; little-endian.
fn entry_bytes(entry: &Entry<u64>) -> [u8; ENTRY_BYTES] {
    let mut bytes = [0; ENTRY_BYTES];
    let Numbers { proof, disproof } = entry.numbers;
    bytes[0..8].copy_from_slice(&entry.key.to_le_bytes());
    bytes[8..12].copy_from_slice(&proof.to_le_bytes());
    bytes[12..16].copy_from_slice(&disproof.to_le_bytes());
    bytes[16] = entry.work as u8;
    bytes
}

fn read_entry(bytes: &[u8]) -> Option<Entry<u64>> {
    let (key, rest) = bytes.split_first_chunk::<8>()?;
    let (proof, rest) = rest.split_first_chunk::<4>()?;
    let (disproof, rest) = rest.split_first_chunk::<4>()?;
    let [proof, disproof] = [proof, disproof].map(|number| u32::from_le_bytes(*number));
    let numbers = Numbers::checked(proof, disproof)?;
    Some(Entry { key: u64::from_le_bytes(*key), numbers, work: rest.first().copied()?.into() })
}
