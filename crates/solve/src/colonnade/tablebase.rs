//! The tablebase of Colonnade, as it is read.

use std::path::Path;
use std::sync::OnceLock;

use stoa_rules::Position as _;
use stoa_rules::colonnade::{Move, Position};

use super::build::Content;
use super::half::MAX_CHECKERS;
use super::index::{Index, Row};
use crate::file::{Fault, Section, TablebaseError, TablebaseFile};
use crate::packed::Packed;
use crate::{Exact, Verdict};

/// The game as tablebase files name it.
pub(super) const GAME: &str = "colonnade";

/// The value of every position.
#[derive(Debug)]
pub struct Tablebase {
    file: TablebaseFile,
    content: Content,
    index: Index,
    /// How each layer is packed, found out when it is first needed.
    packed: Vec<OnceLock<Packed>>,
}

impl Tablebase {
    /// Opens a tablebase, of results with or without lengths.
    pub fn open(path: &Path) -> Result<Tablebase, TablebaseError> {
        match TablebaseFile::open(path, GAME, Content::Lengths.kind()) {
            Ok(file) => Tablebase::of(file, Content::Lengths),
            Err(error) if matches!(error.fault(), Fault::OtherTablebase { .. }) => {
                let file = TablebaseFile::open(path, GAME, Content::Results.kind())?;
                Tablebase::of(file, Content::Results)
            }
            Err(error) => Err(error),
        }
    }

    fn of(file: TablebaseFile, content: Content) -> Result<Tablebase, TablebaseError> {
        let table = Tablebase::up_to(MAX_CHECKERS, file, content);
        for checkers in 0..=MAX_CHECKERS {
            table.section(checkers)?;
        }
        Ok(table)
    }

    /// A tablebase of the positions with at most this many checkers.
    pub(super) fn up_to(most: usize, file: TablebaseFile, content: Content) -> Tablebase {
        let packed = (0..=most).map(|_| OnceLock::new()).collect();
        Tablebase { file, content, index: Index::new(), packed }
    }

    /// What it knows.
    pub fn content(&self) -> Content {
        self.content
    }

    /// The file.
    pub fn file(&self) -> &TablebaseFile {
        &self.file
    }

    fn section(&self, checkers: usize) -> Result<Section<'_>, TablebaseError> {
        self.file
            .section(checkers as u32)
            .ok_or_else(|| self.damaged(format!("there is no section {checkers}")))
    }

    fn damaged(&self, part: String) -> TablebaseError {
        self.file.error(Fault::damaged(part))
    }

    fn packed(&self, checkers: usize, section: &Section<'_>) -> Result<&Packed, TablebaseError> {
        let known = &self.packed[checkers];
        match known.get() {
            Some(packed) => Ok(packed),
            None => {
                let packed = Packed::open(section)?;
                if packed.count() != self.index.size(checkers) {
                    return Err(self.damaged(format!("section {checkers} has another size")));
                }
                Ok(known.get_or_init(|| packed))
            }
        }
    }

    /// The value of a position; nothing if it has more checkers than there are.
    pub fn value(&self, position: &Position) -> Result<Option<Exact>, TablebaseError> {
        let Some((checkers, place)) = self.index.place(&Row::of(position)) else { return Ok(None) };
        let section = self.section(checkers)?;
        let (odd, plies) = match self.content {
            Content::Results => {
                let byte = section.byte(place / 8)?;
                (byte >> (place % 8) & 1 == 1, None)
            }
            Content::Lengths => {
                let packed = self.packed(checkers, &section)?;
                let plies = packed.get(&section, place)?.ok_or_else(|| {
                    self.damaged(format!("section {checkers} makes no sense at {place}"))
                })?;
                (plies % 2 == 1, Some(u32::from(plies)))
            }
        };
        // The player who moves last wins, so the player to move wins if the number of plies is odd.
        let verdict = if odd { Verdict::Win } else { Verdict::Loss };
        Ok(Some(Exact { verdict, plies }))
    }

    /// Every legal move with its value for the player who makes it, the best first.
    pub fn moves(&self, position: &Position) -> Result<Vec<(Move, Exact)>, TablebaseError> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let mut after = *position;
            after.play_unchecked(mv);
            if let Some(value) = self.value(&after)? {
                moves.push((mv, value.before()));
            }
        }
        moves.sort_by(|(_, one), (_, other)| other.compare(one));
        Ok(moves)
    }
}
