//! Writing a tablebase: section by section into a file beside it, which takes its name when finished.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::error::{Fault, InFile, TablebaseError};
use super::layout::{CHUNK, HEADER, Header, META, RECORD, SectionExtent, has_magic};
use super::map;

/// Writes a tablebase file.
///
/// Everything goes to `FILE.part`. Only [`finish`](Writer::finish) makes `FILE` of it, so a tablebase
/// is there whole or not at all; what an interruption leaves behind can be taken up again with
/// [`resume_or_create`](Writer::resume_or_create).
///
/// ```
/// use stoa_solve::file::{TablebaseFile, Writer};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("example.tablebase");
/// let mut writer = Writer::create(&path, "colonnade", "example")?;
/// writer.section(7, b"some data")?;
/// writer.finish(b"what the reader should know")?;
///
/// let tablebase = TablebaseFile::open(&path, "colonnade", "example")?;
/// let section = tablebase.section(7).expect("it was written");
/// assert_eq!(section.read(5..9)?, b"data");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
    header: Header,
    sections: Vec<SectionInfo>,
    /// Where the next section begins.
    end: usize,
}

/// A section that is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionInfo {
    /// Its number.
    pub id: u32,
    /// How many bytes it has.
    pub length: u64,
    start: usize,
    checksums: Vec<u64>,
}

impl Writer {
    /// Begins a tablebase, and forgets what an interrupted one left behind. The names are at most 16
    /// plain characters long.
    pub fn create(path: &Path, game: &str, kind: &str) -> Result<Writer, TablebaseError> {
        Writer::open(path, game, kind, false)
    }

    /// Goes on with what an interrupted build of the same game and kind left behind, as far as it is whole:
    /// [`sections`](Writer::sections) says how far. Starts a new file if there is nothing.
    pub fn resume_or_create(path: &Path, game: &str, kind: &str) -> Result<Writer, TablebaseError> {
        Writer::open(path, game, kind, true)
    }

    fn open(path: &Path, game: &str, kind: &str, resume: bool) -> Result<Writer, TablebaseError> {
        let misnamed = || io::Error::new(io::ErrorKind::InvalidInput, "a name is not plain");
        let header = Header::new(game, kind).ok_or_else(misnamed).in_file(path)?;
        // A link stays one: what it leads to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if path.is_dir() || path.file_name().is_none() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory)).in_file(&path);
        }
        let part = part_of(&path);
        let open = || -> Result<(File, Vec<SectionInfo>, usize), Fault> {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&part)?;
            file.try_lock().map_err(|error| match error {
                TryLockError::Error(error) => error,
                TryLockError::WouldBlock => {
                    io::Error::new(io::ErrorKind::ResourceBusy, "another program is writing it")
                }
            })?;
            let metadata = file.metadata()?;
            if metadata.is_file() && metadata.len() > 0 {
                refuse_if_foreign(&file)?;
                if resume && let Some((sections, end)) = found_whole(&file, &header)? {
                    file.set_len(end as u64)?;
                    return Ok((file, sections, end));
                }
                file.set_len(0)?;
            }
            Ok((file, Vec::new(), 0))
        };
        let (file, sections, end) = open().in_file(&part)?;
        let mut writer = Writer {
            path,
            part,
            file: BufWriter::new(file),
            header,
            sections,
            end: end.max(HEADER),
        };
        let begin = |writer: &mut Writer| -> io::Result<()> {
            writer.file.seek(SeekFrom::Start(0))?;
            writer.file.write_all(&header.to_bytes())?;
            writer.file.flush()
        };
        begin(&mut writer).in_file(&writer.part)?;
        Ok(writer)
    }

    /// The sections that are whole, in the order in which they were written.
    pub fn sections(&self) -> &[SectionInfo] {
        &self.sections
    }

    /// Whether a section has been written.
    pub fn has_section(&self, id: u32) -> bool {
        self.sections.iter().any(|section| section.id == id)
    }

    /// Reads a section back, and checks it again.
    pub fn read_section(&mut self, id: u32) -> Result<Option<Vec<u8>>, TablebaseError> {
        let Some(section) = self.sections.iter().find(|section| section.id == id) else {
            return Ok(None);
        };
        let mut read = || -> Result<Vec<u8>, Fault> {
            let mut data = vec![0; section.length as usize];
            self.file.seek(SeekFrom::Start((section.start + RECORD) as u64))?;
            self.file.get_mut().read_exact(&mut data)?;
            if data.chunks(CHUNK).map(xxh3_64).ne(section.checksums.iter().copied()) {
                return Err(Fault::damaged(format!("section {id}")));
            }
            Ok(data)
        };
        read().map(Some).in_file(&self.part)
    }

    /// Writes a section. Ids are the writer's to choose; the highest number is taken.
    pub fn section(&mut self, id: u32, data: &[u8]) -> Result<(), TablebaseError> {
        let mut section = self.begin_section(id)?;
        section.write(data)?;
        section.finish()
    }

    /// Begins a section that is written piece by piece.
    pub fn begin_section(&mut self, id: u32) -> Result<SectionWriter<'_>, TablebaseError> {
        if id == META || self.has_section(id) {
            let taken = format!("section {id} is there already");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, taken)).in_file(&self.part);
        }
        self.begin_any_section(id)
    }

    fn begin_any_section(&mut self, id: u32) -> Result<SectionWriter<'_>, TablebaseError> {
        let start = self.end;
        let begin = |file: &mut BufWriter<File>| -> io::Result<()> {
            // What a section that was given up has left is overwritten, and cut off here, so that
            // a shorter one cannot be followed by its remains.
            file.seek(SeekFrom::Start(start as u64))?;
            if file.get_ref().metadata()?.is_file() {
                file.get_ref().set_len(start as u64)?;
            }
            file.write_all(&[0; RECORD])
        };
        begin(&mut self.file).in_file(&self.part)?;
        Ok(SectionWriter { writer: self, id, length: 0, chunk: Xxh3::new(), checksums: Vec::new() })
    }

    /// Lets everything that follows be written elsewhere.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn divert(&mut self, path: &str) {
        let elsewhere = OpenOptions::new().write(true).open(path);
        self.file = BufWriter::new(elsewhere.expect("the test brings a file"));
    }

    /// Ends the tablebase with what a reader should know of it, makes sure that it is on the disk, and
    /// gives it its name.
    pub fn finish(mut self, meta: &[u8]) -> Result<(), TablebaseError> {
        let mut section = self.begin_any_section(META)?;
        section.write(meta)?;
        section.finish()?;
        self.header.sections = self.sections.len() as u32;
        self.header.length = self.end as u64;
        let mut seal = || -> io::Result<()> {
            // The data first: a header that announces more than there is must not be believed.
            self.file.get_ref().sync_all()?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(&self.header.to_bytes())?;
            self.file.flush()?;
            self.file.get_ref().sync_all()
        };
        seal().in_file(&self.part)?;
        fs::rename(&self.part, &self.path).in_file(&self.path)?;
        // The new name is on the disk only when the folder is; not every system can be asked for it.
        if let Some(folder) = self.path.parent().and_then(|folder| File::open(folder).ok()) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// Writes one section of a tablebase. If it is dropped unfinished, the section does not exist.
#[must_use = "a section that is not finished does not exist"]
pub struct SectionWriter<'a> {
    writer: &'a mut Writer,
    id: u32,
    length: usize,
    chunk: Xxh3,
    checksums: Vec<u64>,
}

impl SectionWriter<'_> {
    /// Writes the next piece.
    pub fn write(&mut self, mut data: &[u8]) -> Result<(), TablebaseError> {
        while !data.is_empty() {
            let room = CHUNK - self.length % CHUNK;
            let (piece, rest) = data.split_at(room.min(data.len()));
            self.writer.file.write_all(piece).in_file(&self.writer.part)?;
            self.chunk.update(piece);
            self.length += piece.len();
            if self.length.is_multiple_of(CHUNK) {
                self.end_chunk();
            }
            data = rest;
        }
        Ok(())
    }

    fn end_chunk(&mut self) {
        self.checksums.push(self.chunk.digest());
        self.chunk.reset();
    }

    /// Ends the section. It is whole only now.
    pub fn finish(mut self) -> Result<(), TablebaseError> {
        if !self.length.is_multiple_of(CHUNK) {
            self.end_chunk();
        }
        let writer = self.writer;
        let extent = SectionExtent::new(self.id, writer.end, self.length as u64)
            .ok_or_else(|| io::Error::from(io::ErrorKind::FileTooLarge))
            .in_file(&writer.part)?;
        let sums: Vec<u8> = self.checksums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        let write = |file: &mut BufWriter<File>| -> io::Result<()> {
            file.write_all(&vec![0; extent.checksums.start - extent.data.end])?;
            file.write_all(&sums)?;
            file.write_all(&vec![0; extent.end - extent.checksums.end])?;
            // The record comes last: without it there is no section.
            file.seek(SeekFrom::Start(extent.start as u64))?;
            file.write_all(&extent.record(&sums))?;
            file.flush()
        };
        write(&mut writer.file).in_file(&writer.part)?;
        writer.end = extent.end;
        writer.sections.push(SectionInfo {
            id: self.id,
            length: self.length as u64,
            start: extent.start,
            checksums: self.checksums,
        });
        Ok(())
    }
}

/// The name of a file that is not finished.
fn part_of(path: &Path) -> PathBuf {
    path.with_added_extension("part")
}

/// A file that is not a tablebase may be something that the user needs.
fn refuse_if_foreign(mut file: &File) -> Result<(), Fault> {
    let mut begin = Vec::new();
    file.take(HEADER as u64).read_to_end(&mut begin)?;
    file.rewind()?;
    // A build that was interrupted at once leaves less than a header.
    if has_magic(&begin) || begin.len() < 8 { Ok(()) } else { Err(Fault::NotATablebase) }
}

/// The whole sections at the beginning of an unfinished file, and where they end; nothing if the
/// file is of no use.
fn found_whole(file: &File, header: &Header) -> Result<Option<(Vec<SectionInfo>, usize)>, Fault> {
    let mapped = map(file)?;
    let bytes: &[u8] = &mapped;
    match Header::read(bytes, header) {
        Ok(_) => {}
        Err(other @ Fault::OtherTablebase { .. }) => return Err(other),
        Err(_) => return Ok(None),
    }
    let (mut sections, mut end) = (Vec::new(), HEADER);
    while let Ok(extent) = SectionExtent::read(bytes, end) {
        // The last section of a tablebase that was all but finished is written again.
        let is_whole = (0..extent.chunks()).all(|chunk| extent.check_chunk(bytes, chunk).is_ok());
        if extent.id == META || !is_whole {
            break;
        }
        sections.push(SectionInfo {
            id: extent.id,
            length: extent.data.len() as u64,
            start: extent.start,
            checksums: extent.checksums(bytes),
        });
        end = extent.end;
    }
    Ok(Some((sections, end)))
}
