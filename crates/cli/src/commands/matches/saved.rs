//! The games of a match in a file or a folder.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use stoa_engine::matches::Played;

use crate::files;

/// Where games are written to.
pub(super) enum Saved {
    /// One after the other, with an empty line between them. What was there before goes when there
    /// is something new.
    File { file: File, is_new: bool },
    /// A file each.
    Folder(PathBuf),
}

impl Saved {
    /// A folder if there is one of that name or the name ends like one; a file otherwise.
    pub(super) fn create(path: &Path) -> Result<Saved> {
        let name = path.display().to_string();
        let made = if path.is_dir() || name.ends_with(['/', std::path::MAIN_SEPARATOR]) {
            std::fs::create_dir_all(path).map(|()| Saved::Folder(path.to_owned()))
        } else {
            let opened = File::options().create(true).write(true).truncate(false).open(path);
            opened.map(|file| Saved::File { file, is_new: false })
        };
        made.with_context(|| format!("cannot write {name}"))
    }

    /// Writes a pair of games.
    pub(super) fn add(&mut self, number: u64, pair: &[Played; 2]) -> Result<()> {
        match self {
            Saved::File { file, is_new } => {
                // A pipe or a device has no length to set, and nothing old in it.
                if !std::mem::replace(is_new, true) && file.metadata().is_ok_and(|it| it.is_file())
                {
                    file.set_len(0).context("cannot write the records")?;
                }
                let text: String = pair.iter().map(|game| format!("{}\n", game.record)).collect();
                file.write_all(text.as_bytes()).context("cannot write the records")
            }
            Saved::Folder(folder) => {
                for (game, letter) in pair.iter().zip(["a", "b"]) {
                    let path = folder.join(format!("{:05}{letter}.stoa", number + 1));
                    files::write_whole(&path, &game.record.to_string())?;
                }
                Ok(())
            }
        }
    }
}
