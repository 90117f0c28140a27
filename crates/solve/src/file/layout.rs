//! Where everything is in a tablebase file.
//!
//! All numbers are little-endian. A file is a header of 64 bytes and a chain of sections:
//!
//! | header | |
//! |---|---|
//! | 0..8 | magic |
//! | 8..12 | format |
//! | 12..16 | number of sections; 0 in an unfinished file |
//! | 16..24 | length of the whole file; 0 in an unfinished file |
//! | 24..40 | the game's id, zeros after it |
//! | 40..56 | kind of content, zeros after it |
//! | 56..64 | checksum of all before |
//!
//! | section | |
//! |---|---|
//! | 0..4 | `SECT` |
//! | 4..8 | id |
//! | 8..16 | length of the data |
//! | 16..24 | checksum of the data's checksums |
//! | 24..32 | checksum of all before |
//! | 32.. | the data |
//! | | zeros up to a multiple of 32, then a checksum of 8 bytes for each MiB of the data |
//! | | zeros up to a multiple of 32, where the next section begins |
//!
//! The chain is all the directory there is. It can be followed while the file still grows, which is
//! how an interrupted build finds what it has; and nothing is said twice, so every byte of a file
//! has one checksum (or must be zero) and no two places can contradict each other.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::error::Fault;

/// How a tablebase begins: not as text, and damaged by whatever takes it for text.
const MAGIC: [u8; 8] = *b"\x89STOA\r\n\x1a";

/// The format described above.
pub(super) const FORMAT: u32 = 1;

pub(super) const HEADER: usize = 64;
pub(super) const RECORD: usize = 32;
const ALIGN: usize = 32;

/// How many bytes of data a checksum is for.
pub(super) const CHUNK: usize = 1 << 20;

/// The id of the section that holds what the writer had to say at the end.
pub(super) const META: u32 = u32::MAX;

/// The next multiple of the alignment.
pub(super) const fn aligned(offset: usize) -> usize {
    offset.next_multiple_of(ALIGN)
}

/// What a file says of itself at its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) sections: u32,
    /// The length of the whole file, or 0 while it is being written.
    pub(super) length: u64,
    pub(super) game: [u8; 16],
    pub(super) kind: [u8; 16],
}

impl Header {
    /// The header of an unfinished file; nothing if a name is empty, too long or not plain.
    pub(super) fn new(game: &str, kind: &str) -> Option<Header> {
        Some(Header { sections: 0, length: 0, game: padded(game)?, kind: padded(kind)? })
    }

    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.sections.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.length.to_le_bytes());
        bytes[24..40].copy_from_slice(&self.game);
        bytes[40..56].copy_from_slice(&self.kind);
        seal(&mut bytes);
        bytes
    }

    /// Reads the header and checks that the file is of the same game and kind as `expected`.
    pub(super) fn read(file: &[u8], expected: &Header) -> Result<Header, Fault> {
        let begun = file.len().min(MAGIC.len());
        if begun == 0 || file[..begun] != MAGIC[..begun] {
            return Err(Fault::NotATablebase);
        }
        let cut = || Fault::Truncated { expected: HEADER as u64, found: file.len() as u64 };
        // The format comes before the checksum: a header of another format may look otherwise.
        let format = number32(file.get(8..12).ok_or_else(cut)?);
        if format != FORMAT {
            return Err(Fault::Version { found: format, known: FORMAT });
        }
        let bytes = file.get(..HEADER).ok_or_else(cut)?;
        if !is_sealed(bytes) {
            return Err(Fault::damaged("its header"));
        }
        let mut header = Header {
            sections: number32(&bytes[12..16]),
            length: number64(&bytes[16..24]),
            game: [0; 16],
            kind: [0; 16],
        };
        header.game.copy_from_slice(&bytes[24..40]);
        header.kind.copy_from_slice(&bytes[40..56]);
        if (header.game, header.kind) != (expected.game, expected.kind) {
            return Err(Fault::OtherTablebase {
                found: header.names(),
                expected: expected.names(),
            });
        }
        Ok(header)
    }

    fn names(&self) -> String {
        let name = |padded: &[u8; 16]| {
            let name = padded.split(|&byte| byte == 0).next().unwrap_or_default();
            String::from_utf8_lossy(name).into_owned()
        };
        format!("{} ({})", name(&self.game), name(&self.kind))
    }
}

/// Whether bytes begin like a tablebase of any format.
pub(super) fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

fn padded(name: &str) -> Option<[u8; 16]> {
    let mut padded = [0; 16];
    let is_plain = name.bytes().all(|byte| byte.is_ascii_graphic());
    padded.get_mut(..name.len()).filter(|part| !part.is_empty() && is_plain)?;
    padded[..name.len()].copy_from_slice(name.as_bytes());
    Some(padded)
}

/// Where a section is in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SectionExtent {
    pub(super) id: u32,
    /// Where the record begins.
    pub(super) start: usize,
    pub(super) data: Range<usize>,
    /// Where the checksums of the data are.
    pub(super) checksums: Range<usize>,
    /// Where the next section begins.
    pub(super) end: usize,
}

impl SectionExtent {
    /// That of a section of a length; nothing if no file could hold it.
    pub(super) fn new(id: u32, start: usize, length: u64) -> Option<SectionExtent> {
        // No sum below can overflow if the length leaves this much room.
        let length = usize::try_from(length).ok().filter(|&length| length < usize::MAX / 4)?;
        let begin = start.checked_add(RECORD).filter(|&begin| begin < usize::MAX / 4)?;
        let data = begin..begin + length;
        let sums = aligned(data.end);
        let checksums = sums..sums + 8 * length.div_ceil(CHUNK);
        let end = aligned(checksums.end);
        Some(SectionExtent { id, start, data, checksums, end })
    }

    /// The record that stands before the data.
    pub(super) fn record(&self, checksums: &[u8]) -> [u8; RECORD] {
        let mut record = [0; RECORD];
        record[0..4].copy_from_slice(b"SECT");
        record[4..8].copy_from_slice(&self.id.to_le_bytes());
        record[8..16].copy_from_slice(&(self.data.len() as u64).to_le_bytes());
        record[16..24].copy_from_slice(&xxh3_64(checksums).to_le_bytes());
        seal(&mut record);
        record
    }

    /// The section that begins somewhere, with everything but its data checked.
    pub(super) fn read(file: &[u8], start: usize) -> Result<SectionExtent, Fault> {
        let damaged = || Fault::damaged(format!("the section at byte {start}"));
        let record = file.get(start..).and_then(|rest| rest.get(..RECORD)).ok_or_else(damaged)?;
        if !is_sealed(record) || record[0..4] != *b"SECT" {
            return Err(damaged());
        }
        let extent = SectionExtent::new(number32(&record[4..8]), start, number64(&record[8..16]))
            .filter(|extent| extent.end <= file.len())
            .ok_or_else(damaged)?;
        let gaps = [extent.data.end..extent.checksums.start, extent.checksums.end..extent.end];
        if number64(&record[16..24]) != xxh3_64(&file[extent.checksums.clone()])
            || gaps.into_iter().any(|gap| file[gap].iter().any(|&byte| byte != 0))
        {
            return Err(damaged());
        }
        Ok(extent)
    }

    pub(super) fn chunks(&self) -> usize {
        self.data.len().div_ceil(CHUNK)
    }

    /// The checksums of the data, chunk by chunk.
    pub(super) fn checksums(&self, file: &[u8]) -> Vec<u64> {
        file[self.checksums.clone()].chunks_exact(8).map(number64).collect()
    }

    /// The part of the file that a checksum is for.
    fn chunk(&self, index: usize) -> Range<usize> {
        let start = self.data.start + index * CHUNK;
        start..(start + CHUNK).min(self.data.end)
    }

    /// Compares a chunk of the data with its checksum.
    pub(super) fn check_chunk(&self, file: &[u8], index: usize) -> Result<(), Fault> {
        let sum = self.checksums.start + 8 * index;
        let chunk = self.chunk(index);
        let data = file.get(chunk.clone());
        if data.map(xxh3_64) == file.get(sum..sum + 8).map(number64) && data.is_some() {
            return Ok(());
        }
        let Range { start, end } = chunk;
        Err(Fault::damaged(format!("bytes {start} to {end}, in section {}", self.id)))
    }
}

/// Ends a block with the checksum of what is before.
fn seal(block: &mut [u8]) {
    let (content, checksum) = block.split_at_mut(block.len() - 8);
    checksum.copy_from_slice(&xxh3_64(content).to_le_bytes());
}

fn is_sealed(block: &[u8]) -> bool {
    let (content, checksum) = block.split_at(block.len() - 8);
    xxh3_64(content) == number64(checksum)
}

fn number32(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn number64(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
