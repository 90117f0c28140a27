//! The games of a match in a file or a folder.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use stoa_engine::matches::Played;
use stoa_files::{WriteError, write_atomically};

/// Games that cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// The file or folder cannot be made.
    #[error("cannot write {}", path.display())]
    Create {
        /// What it is called.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Writing has failed.
    #[error("cannot write the records")]
    Write(#[source] io::Error),
    /// A file in the folder cannot be written.
    #[error(transparent)]
    File(#[from] WriteError),
}

/// Where games are written to.
pub enum GameWriter {
    /// One after the other, with an empty line between them. What was there before goes when there
    /// is something new.
    File {
        /// The file.
        file: File,
        /// Whether something new has been written.
        is_new: bool,
    },
    /// A file each.
    Folder(PathBuf),
}

impl GameWriter {
    /// A folder if there is one of that name or the name ends like one; a file otherwise.
    pub fn create(path: &Path) -> Result<GameWriter, RecordsError> {
        let name = path.display().to_string();
        let made = if path.is_dir() || name.ends_with(['/', std::path::MAIN_SEPARATOR]) {
            std::fs::create_dir_all(path).map(|()| GameWriter::Folder(path.to_owned()))
        } else {
            let opened = File::options().create(true).write(true).truncate(false).open(path);
            opened.map(|file| GameWriter::File { file, is_new: false })
        };
        made.map_err(|source| RecordsError::Create { path: path.to_owned(), source })
    }

    /// Writes a pair of games.
    pub fn add(&mut self, number: u64, pair: &[Played; 2]) -> Result<(), RecordsError> {
        match self {
            GameWriter::File { file, is_new } => {
                // A pipe or a device has no length to set, and nothing old in it.
                if !std::mem::replace(is_new, true) && file.metadata().is_ok_and(|it| it.is_file())
                {
                    file.set_len(0).map_err(RecordsError::Write)?;
                }
                let text: String = pair.iter().map(|game| format!("{}\n", game.record)).collect();
                file.write_all(text.as_bytes()).map_err(RecordsError::Write)
            }
            GameWriter::Folder(folder) => {
                for (game, letter) in pair.iter().zip(["a", "b"]) {
                    let path = folder.join(format!("{:05}{letter}.stoa", number + 1));
                    write_atomically(&path, &game.record.to_string())?;
                }
                Ok(())
            }
        }
    }
}
