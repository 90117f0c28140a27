//! Impasse endgames: the exact value of every position with few stacks on the board.
//!
//! A stack is a single or a double. Play never makes new ones, and every turn brings a game closer
//! to its end, so values can be computed from the end in one sweep, class by class of material
//! ([`build()`]), without ever coming back to a position. Of up to [`STACKS_WITH_PLIES`] stacks the
//! number of turns to the end is known too; with [`MAX_STACKS`] there are so many positions that
//! one bit must do for each.
//!
//! A tablebase answers for every position of at most its number of stacks that play can lead to. Some
//! that can only be set up by hand are left out, and get no answer instead of a wrong one: those
//! with a double in its owner's nearest row, and those with a single in its owner's furthest row
//! beside another single of theirs.

mod build;
mod class;
mod index;
#[cfg(test)]
mod tests;

use std::path::Path;

use stoa_rules::impasse::Position;
use stoa_rules::{Position as _, Side};

use crate::file::{Fault, TablebaseError, TablebaseFile};
use crate::{Exact, Verdict};
use class::Class;
use index::Numbering;

pub use build::{Plan, Report, Share, build, positions};

/// The largest number of stacks there can be a tablebase of.
pub const MAX_STACKS: usize = 6;

/// Up to this many stacks the number of turns to the end is usually kept.
pub const STACKS_WITH_PLIES: usize = 5;

const GAME: &str = "impasse";
const KIND: &str = "endgames";

/// How the values of a class are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    /// A byte for each: the number of turns to the end.
    Plies,
    /// A bit for each: whether it is a win.
    Wins,
}

impl Packing {
    /// How the values of a class are kept if turns are counted up to a number of stacks.
    fn new(class: Class, stacks_with_plies: usize) -> Packing {
        if class.stacks() as usize > stacks_with_plies { Packing::Wins } else { Packing::Plies }
    }

    /// How many values share a byte.
    const fn values_a_byte(self) -> u64 {
        match self {
            Packing::Plies => 1,
            Packing::Wins => 8,
        }
    }

    /// The byte that holds the value of a number.
    #[inline]
    const fn byte_of(self, number: u64) -> usize {
        // Known at compile time, the divisor costs nothing.
        (match self {
            Packing::Plies => number,
            Packing::Wins => number / 8,
        }) as usize
    }

    /// The value of a number, given its byte.
    #[inline]
    const fn value(self, byte: u8, number: u64) -> Value {
        match self {
            Packing::Plies => Value::Plies(byte),
            Packing::Wins => Value::Win(byte >> (number % 8) & 1 != 0),
        }
    }
}

/// A value as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    /// The number of turns to the end. Only a player's own turns take their checkers away, so the
    /// winner makes the last one, and an odd number is a win.
    Plies(u8),
    /// Whether it is a win.
    Win(bool),
}

impl Value {
    #[inline]
    fn is_win(self) -> bool {
        match self {
            Value::Plies(plies) => plies % 2 == 1,
            Value::Win(win) => win,
        }
    }
}

impl From<Value> for Exact {
    fn from(value: Value) -> Exact {
        let plies = match value {
            Value::Plies(plies) => Some(plies.into()),
            Value::Win(_) => None,
        };
        Exact { verdict: verdict(value.is_win()), plies }
    }
}

fn verdict(is_win: bool) -> Verdict {
    if is_win { Verdict::Win } else { Verdict::Loss }
}

/// A tablebase of endgames, open for reading. It can be shared between threads.
#[derive(Debug)]
pub struct Tablebase {
    file: TablebaseFile,
    stacks: u32,
    /// By the code of the class.
    numberings: Vec<Option<Numbering>>,
}

impl Tablebase {
    /// Opens a tablebase that [`build()`] wrote.
    pub fn open(path: &Path) -> Result<Tablebase, TablebaseError> {
        Tablebase::new(TablebaseFile::open(path, GAME, KIND)?)
    }

    /// A tablebase that is held in memory.
    pub fn from_bytes(
        bytes: impl Into<std::borrow::Cow<'static, [u8]>>,
    ) -> Result<Tablebase, TablebaseError> {
        Tablebase::new(TablebaseFile::from_bytes(bytes, GAME, KIND)?)
    }

    fn new(file: TablebaseFile) -> Result<Tablebase, TablebaseError> {
        let (stacks, stacks_with_plies) = match *file.meta()? {
            [stacks, with_plies] if (2..=MAX_STACKS).contains(&usize::from(stacks)) => {
                (u32::from(stacks), usize::from(with_plies))
            }
            _ => return Err(file.error(Fault::damaged("the number of stacks"))),
        };
        let mut numberings = vec![None; Class::CODES];
        for class in Class::all(stacks) {
            let numbering = Numbering::new(class, Packing::new(class, stacks_with_plies));
            for side in Side::BOTH.into_iter().filter(|&side| class.is_stored(side)) {
                let id = numbering.section(side);
                let length = file.section(id).map(|section| section.length());
                if length != Some(numbering.bytes()) {
                    return Err(file.error(Fault::damaged(format!("the length of section {id}"))));
                }
            }
            numberings[class.code() as usize] = Some(numbering);
        }
        Ok(Tablebase { file, stacks, numberings })
    }

    /// Up to how many stacks it answers for.
    pub fn stacks(&self) -> u32 {
        self.stacks
    }

    /// How many bytes it has.
    pub fn length(&self) -> usize {
        self.file.length()
    }

    /// Checks every byte against its checksum.
    pub fn verify_all(&self) -> Result<(), TablebaseError> {
        self.file.verify_all()
    }

    /// Whether the position may be in the tablebase: a quick look before asking for its
    /// [`value`](Tablebase::value).
    #[inline]
    pub fn may_have(&self, position: &Position) -> bool {
        stacks_of(position) <= self.stacks
    }

    /// The value of a position for the player to move, if the tablebase has it.
    pub fn value(&self, position: &Position) -> Result<Option<Exact>, TablebaseError> {
        if let Some(outcome) = position.outcome() {
            let verdict = verdict(outcome.winner == Some(position.side_to_move()));
            return Ok(Some(Exact { verdict, plies: Some(0) }));
        }
        if !self.may_have(position) {
            return Ok(None);
        }
        let Some(class) = Class::of(position) else { return Ok(None) };
        let (class, oriented) = Class::oriented(class, position);
        let side = oriented.side_to_move();
        let Some(numbering) = &self.numberings[class.code() as usize] else { return Ok(None) };
        if class.is_stored(side) {
            let id = numbering.section(side);
            let Some(section) = self.file.section(id) else {
                return Err(self.file.error(Fault::damaged(format!("section {id} is missing"))));
            };
            let number = numbering.number(&oriented);
            let byte = section.byte(numbering.packing().byte_of(number))?;
            return Ok(Some(numbering.packing().value(byte, number).into()));
        }
        // The values of all moves are in the file: see `Class::is_stored`.
        let mut best: Option<Exact> = None;
        for mv in position.legal_moves() {
            let mut next = *position;
            next.play_unchecked(mv);
            let Some(value) = self.value(&next)? else { return Ok(None) };
            let mut value = value.before();
            if numbering.packing() == Packing::Wins {
                // The length of one way to win is known if it leads to fewer stacks, but not
                // whether it is the shortest.
                value.plies = None;
                if value.verdict == Verdict::Win {
                    return Ok(Some(value));
                }
            }
            if best.is_none_or(|best| value.compare(&best).is_gt()) {
                best = Some(value);
            }
        }
        Ok(best)
    }
}

/// How many stacks are on the board.
#[inline]
fn stacks_of(position: &Position) -> u32 {
    let count = |side| (position.singles(side) | position.doubles(side)).count_ones();
    count(Side::First) + count(Side::Second)
}
