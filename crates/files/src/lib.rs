//! Stoa's files: text is read with a limit on its size and written whole or not at all.
//!
//! [`records`] reads game records, several of which may share a file; [`tablebases`] knows where the
//! tablebases of solved positions are kept and opens them.
//!
//! ```
//! use stoa_files::{read_text, write_atomically};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("game.stoa");
//! write_atomically(&path, "game: impasse\n")?;
//! assert_eq!(read_text(&path)?, "game: impasse\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod records;
pub mod tablebases;

use std::env;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Why a file cannot be read as text.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is too large to be read whole.
    #[error("it is larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// It is not UTF-8.
    #[error("it is not UTF-8 text (byte {valid_up_to})")]
    NotUtf8 {
        /// How many bytes from the beginning are UTF-8.
        valid_up_to: usize,
    },
}

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}", path.display())]
pub struct WriteError {
    path: PathBuf,
    source: WriteFault,
}

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
enum WriteFault {
    #[error("it is a link to something that is not there")]
    DanglingLink,
    #[error("it is a folder")]
    IsFolder,
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads a whole file, or standard input if the name is `-`.
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    let mut read = |reader: &mut dyn Read| reader.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    if path.as_os_str() == "-" {
        read(&mut io::stdin().lock())?;
    } else {
        read(&mut std::fs::File::open(path)?)?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ReadError::TooLarge);
    }
    String::from_utf8(bytes)
        .map_err(|error| ReadError::NotUtf8 { valid_up_to: error.utf8_error().valid_up_to() })
}

/// Writes a file atomically: into a new file beside it, which then takes its name. A link is followed, so that
/// it stays one.
pub fn write_atomically(path: &Path, text: &str) -> Result<(), WriteError> {
    write(path, text).map_err(|source| WriteError { path: path.to_owned(), source })
}

fn write(path: &Path, text: &str) -> Result<(), WriteFault> {
    let target = match std::fs::canonicalize(path) {
        Ok(target) => target,
        Err(_) if path.is_symlink() => return Err(WriteFault::DanglingLink),
        Err(_) => path.to_owned(),
    };
    if target.is_dir() {
        return Err(WriteFault::IsFolder);
    }
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(WriteFault::NoFolder(folder.to_owned()));
    }
    if target.exists() && !target.is_file() {
        // A device or a pipe has nothing that could be half-written.
        return Ok(std::fs::write(&target, text)?);
    }
    let mut file = new_file_in(folder)?;
    file.write_all(text.as_bytes())?;
    if let Ok(existing) = std::fs::metadata(&target) {
        file.as_file().set_permissions(existing.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// The folder for this user's data, if the environment names one.
pub fn data_folder() -> Option<PathBuf> {
    let data = if cfg!(windows) {
        PathBuf::from(variable("LOCALAPPDATA")?)
    } else if let Some(data) = variable("XDG_DATA_HOME") {
        PathBuf::from(data)
    } else {
        PathBuf::from(variable("HOME")?).join(".local/share")
    };
    Some(data.join("stoa"))
}

/// An environment variable that is set to something.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// A temporary file that is as open as a new file usually is, which is the umask's to say.
fn new_file_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".stoa-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole_and_failures_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.stoa");
        write_atomically(&path, "one").unwrap();
        write_atomically(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        write_atomically(folder.path(), "three").unwrap_err();
        write_atomically(&folder.path().join("no/such/folder"), "three").unwrap_err();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
