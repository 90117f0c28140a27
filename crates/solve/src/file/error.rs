//! What can be wrong with a tablebase file.

use std::fmt;
use std::io;
use std::path::Path;

/// A tablebase that cannot be read or written: which file, and why.
#[derive(Debug)]
// Boxed, because results with this error are returned for every value that is looked up.
pub struct TablebaseError(Box<Failure>);

#[derive(Debug)]
struct Failure {
    file: String,
    fault: Fault,
}

impl TablebaseError {
    pub(crate) fn new(file: impl Into<String>, fault: Fault) -> TablebaseError {
        TablebaseError(Box::new(Failure { file: file.into(), fault }))
    }

    /// The file as it was named, or what stands for its name.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// What is wrong with it.
    pub fn fault(&self) -> &Fault {
        &self.0.fault
    }

    /// Whether there is simply no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self.fault(), Fault::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.file, self.0.fault)
    }
}

// The message includes the cause, so there is no source besides.
impl std::error::Error for TablebaseError {}

/// Names the file that a fault was found in.
pub(super) trait InFile<T> {
    fn in_file(self, path: &Path) -> Result<T, TablebaseError>;
}

impl<T, F: Into<Fault>> InFile<T> for Result<T, F> {
    fn in_file(self, path: &Path) -> Result<T, TablebaseError> {
        self.map_err(|fault| TablebaseError::new(path.display().to_string(), fault.into()))
    }
}

/// What is wrong with a tablebase file.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Something else altogether.
    #[error("it is not a Stoa table")]
    NotATablebase,
    /// A format that this program does not know.
    #[error(
        "it has format {found}, but this version of Stoa reads format {known}; {}",
        if found > known { "a newer Stoa reads it" } else { "solve the game again" }
    )]
    Version {
        /// The format of the file.
        found: u32,
        /// The format that is known.
        known: u32,
    },
    /// A sound tablebase, but not the one that was asked for.
    #[error("it is a table of {found}, not of {expected}")]
    OtherTablebase {
        /// The game and kind of the file.
        found: String,
        /// The game and kind that were asked for.
        expected: String,
    },
    /// The tablebase was never finished.
    #[error("it is not finished; solve the game again")]
    Unfinished,
    /// The end is missing.
    #[error("it is cut off: {found} bytes of {expected} are there; solve the game again")]
    Truncated {
        /// The length it should have.
        expected: u64,
        /// The length it has.
        found: u64,
    },
    /// A checksum does not agree, or something is where it cannot be.
    #[error("it is damaged ({part}); solve the game again")]
    Damaged {
        /// Where.
        part: String,
    },
    /// The file system said no.
    #[error("{}", in_words(.0))]
    Io(#[from] io::Error),
}

impl Fault {
    pub(crate) fn damaged(part: impl Into<String>) -> Fault {
        Fault::Damaged { part: part.into() }
    }
}

/// The system's reason, with the common one said plainly.
fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull => "the disk is full".into(),
        io::ErrorKind::NotFound => "there is no such file or folder".into(),
        _ => error.to_string(),
    }
}
