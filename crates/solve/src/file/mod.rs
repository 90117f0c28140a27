//! Files of tablebases: written once, section by section, and read by mapping them into memory.
//!
//! A file names its format, its game and its kind of content, and has a checksum for everything. Opening one
//! checks its length, its header and the chain of its sections, which takes no time worth mentioning; each MiB
//! of data is checked when something in it is read for the first time. So a large tablebase can be used at once,
//! and no unchecked data is used.
//!
//! No other process may write into a tablebase while it is open. Stoa itself never does; it writes a new file and
//! renames it to the old one's name ([`Writer`]).

mod error;
mod layout;
#[cfg(test)]
mod tests;
mod writer;

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

pub use error::{Fault, TablebaseError};
pub use writer::{SectionInfo, SectionWriter, Writer};

use error::InFile;
use layout::{CHUNK, HEADER, Header, META, SectionExtent};

/// A tablebase file, open for reading. It can be shared between threads.
#[derive(Debug)]
pub struct TablebaseFile {
    name: String,
    bytes: Bytes,
    sections: Vec<Indexed>,
    /// A bit for each chunk of each section: whether its checksum has been found right.
    checked: Vec<AtomicU64>,
}

/// A section, and where its bits begin.
#[derive(Debug)]
struct Indexed {
    extent: SectionExtent,
    first_bit: usize,
}

impl TablebaseFile {
    /// Opens a tablebase of a game and a kind.
    pub fn open(path: &Path, game: &str, kind: &str) -> Result<TablebaseFile, TablebaseError> {
        let open = || -> io::Result<Bytes> {
            let file = File::open(path)?;
            if !file.metadata()?.is_file() {
                return Err(io::Error::other("it is not a file"));
            }
            map(&file)
        };
        let bytes = open().in_file(path)?;
        TablebaseFile::new(path.display().to_string(), bytes, game, kind)
    }

    /// A tablebase that is held in memory, as where there are no files.
    pub fn from_bytes(
        bytes: impl Into<Cow<'static, [u8]>>,
        game: &str,
        kind: &str,
    ) -> Result<TablebaseFile, TablebaseError> {
        TablebaseFile::new("table in memory".into(), Bytes::Held(bytes.into()), game, kind)
    }

    fn new(
        name: String,
        bytes: Bytes,
        game: &str,
        kind: &str,
    ) -> Result<TablebaseFile, TablebaseError> {
        match read_chain(&bytes, game, kind) {
            Err(fault) => Err(TablebaseError::new(name, fault)),
            Ok(extents) => {
                let mut sections = Vec::with_capacity(extents.len());
                let mut bits = 0;
                for extent in extents {
                    let chunks = extent.chunks();
                    sections.push(Indexed { extent, first_bit: bits });
                    bits += chunks;
                }
                sections.sort_unstable_by_key(|section| section.extent.id);
                let checked = (0..bits.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
                Ok(TablebaseFile { name, bytes, sections, checked })
            }
        }
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of bytes of the whole file.
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// The section of an id.
    pub fn section(&self, id: u32) -> Option<Section<'_>> {
        if id == META { None } else { self.any_section(id) }
    }

    /// All sections, by id.
    pub fn sections(&self) -> impl Iterator<Item = Section<'_>> {
        let all = self.sections.iter().map(|indexed| Section { table: self, indexed });
        all.filter(|section| section.id() != META)
    }

    /// What the writer said at the end.
    pub fn meta(&self) -> Result<&[u8], TablebaseError> {
        match self.any_section(META) {
            Some(meta) => meta.read(0..meta.length()),
            None => Err(self.error(Fault::damaged("its end"))),
        }
    }

    fn any_section(&self, id: u32) -> Option<Section<'_>> {
        let at = self.sections.binary_search_by_key(&id, |section| section.extent.id).ok()?;
        Some(Section { table: self, indexed: &self.sections[at] })
    }

    /// Checks every byte.
    pub fn verify_all(&self) -> Result<(), TablebaseError> {
        for Indexed { extent, .. } in &self.sections {
            for chunk in 0..extent.chunks() {
                extent.check_chunk(&self.bytes, chunk).map_err(|fault| self.error(fault))?;
            }
        }
        Ok(())
    }

    /// An error that names this file, for what a reader finds wrong with the content.
    pub(crate) fn error(&self, fault: Fault) -> TablebaseError {
        TablebaseError::new(&*self.name, fault)
    }

    #[inline]
    fn is_checked(&self, bit: usize) -> bool {
        // The bit says that bytes which never change are right, so it publishes nothing, and no
        // order is needed.
        self.checked[bit / 64].load(Ordering::Relaxed) & 1 << (bit % 64) != 0
    }

    #[cold]
    fn check(
        &self,
        extent: &SectionExtent,
        chunk: usize,
        bit: usize,
    ) -> Result<(), TablebaseError> {
        extent.check_chunk(&self.bytes, chunk).map_err(|fault| self.error(fault))?;
        self.checked[bit / 64].fetch_or(1 << (bit % 64), Ordering::Relaxed);
        Ok(())
    }
}

/// The sections of a finished file.
fn read_chain(bytes: &[u8], game: &str, kind: &str) -> Result<Vec<SectionExtent>, Fault> {
    let unnamed = || io::Error::new(io::ErrorKind::InvalidInput, "a name is not plain");
    let header = Header::read(bytes, &Header::new(game, kind).ok_or_else(unnamed)?)?;
    let found = bytes.len() as u64;
    match header.length {
        0 => return Err(Fault::Unfinished),
        expected if expected > found => return Err(Fault::Truncated { expected, found }),
        expected if expected < found => return Err(Fault::damaged("more follows after its end")),
        _ => {}
    }
    let (mut extents, mut end) = (Vec::<SectionExtent>::new(), HEADER);
    while end < bytes.len() {
        let extent = SectionExtent::read(bytes, end)?;
        end = extent.end;
        extents.push(extent);
    }
    let mut ids: Vec<u32> = extents.iter().map(|extent| extent.id).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() != header.sections as usize || extents.len() != ids.len() {
        return Err(Fault::damaged("its sections are not those that its header announces"));
    }
    Ok(extents)
}

/// One section of a tablebase.
#[derive(Debug, Clone, Copy)]
pub struct Section<'a> {
    table: &'a TablebaseFile,
    indexed: &'a Indexed,
}

impl<'a> Section<'a> {
    /// Its number.
    pub fn id(&self) -> u32 {
        self.indexed.extent.id
    }

    /// How many bytes it has.
    pub fn length(&self) -> usize {
        self.indexed.extent.data.len()
    }

    /// Some of its bytes, once they are known to be right.
    #[inline]
    pub fn read(&self, range: Range<usize>) -> Result<&'a [u8], TablebaseError> {
        let Indexed { extent, first_bit } = self.indexed;
        let table = self.table;
        let data = &table.bytes[extent.data.clone()];
        let Some(bytes) = data.get(range.clone()) else {
            return Err(self.too_short(&range));
        };
        if !bytes.is_empty() {
            for chunk in range.start / CHUNK..=(range.end - 1) / CHUNK {
                if !table.is_checked(first_bit + chunk) {
                    table.check(extent, chunk, first_bit + chunk)?;
                }
            }
        }
        Ok(bytes)
    }

    /// One of its bytes, once it is known to be right.
    #[inline]
    pub fn byte(&self, index: usize) -> Result<u8, TablebaseError> {
        self.read(index..index.saturating_add(1)).map(|bytes| bytes[0])
    }

    #[cold]
    fn too_short(&self, range: &Range<usize>) -> TablebaseError {
        let (id, length) = (self.id(), self.length());
        let part = format!("section {id} has {length} bytes, but {} are needed", range.end);
        self.table.error(Fault::damaged(part))
    }
}

/// Where the bytes of a tablebase are.
#[derive(Debug)]
enum Bytes {
    #[cfg(not(target_family = "wasm"))]
    Mapped(memmap2::Mmap),
    Held(Cow<'static, [u8]>),
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Bytes::Mapped(mapped) => mapped,
            Bytes::Held(held) => held,
        }
    }
}

/// Maps a file into memory.
#[cfg(not(target_family = "wasm"))]
fn map(file: &File) -> io::Result<Bytes> {
    #[allow(unsafe_code, reason = "only a map lets a large table be used without reading it")]
    // SAFETY: the map is only read. Rust wants its bytes never to change, and the operating system
    // wants the file never to become shorter. Stoa keeps to that: an unfinished file is locked by
    // its writer, which drops the map before it writes, and a finished one is never written to, but
    // replaced by renaming another. A program that writes into it while it is open breaks it, as
    // they would break any program that maps its files; the module's documentation says so.
    let mapped = unsafe { memmap2::Mmap::map(file) }?;
    Ok(Bytes::Mapped(mapped))
}

/// Where there are no files there is nothing to map.
#[cfg(target_family = "wasm")]
fn map(_: &File) -> io::Result<Bytes> {
    Err(io::ErrorKind::Unsupported.into())
}
