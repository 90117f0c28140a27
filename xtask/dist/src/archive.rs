//! Tar files whose bytes depend on their contents alone.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

use crate::release::Release;

/// A file or a folder in a tar file.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    path: String,
    mode: u32,
    /// The user and the group; 0 is root.
    owner: u64,
    /// Nothing for folders.
    content: Option<Vec<u8>>,
}

impl Entry {
    /// A folder of root's.
    pub(crate) fn folder(path: &str) -> Entry {
        Entry { path: path.to_owned(), mode: 0o755, owner: 0, content: None }
    }

    /// A file of root's.
    pub(crate) fn file(path: &str, mode: u32, content: impl Into<Vec<u8>>) -> Entry {
        Entry { path: path.to_owned(), mode, owner: 0, content: Some(content.into()) }
    }

    pub(crate) fn owned_by(mut self, owner: u64, mode: u32) -> Entry {
        (self.owner, self.mode) = (owner, mode);
        self
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn content(&self) -> Option<&[u8]> {
        self.content.as_deref()
    }
}

/// A tar file with these entries in this order, all of the same time, in seconds since 1970.
pub(crate) fn tar(entries: &[Entry], time: u64) -> Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    for Entry { path, mode, owner, content } in entries {
        let mut header = Header::new_gnu();
        header.set_mode(*mode);
        header.set_uid(*owner);
        header.set_gid(*owner);
        header.set_mtime(time);
        let bytes = content.as_deref().unwrap_or_default();
        header.set_entry_type(match content {
            Some(_) => EntryType::Regular,
            None => EntryType::Directory,
        });
        header.set_size(bytes.len() as u64);
        builder
            .append_data(&mut header, path, bytes)
            .with_context(|| format!("cannot pack {path}"))?;
    }
    builder.into_inner().context("cannot pack")
}

/// Compresses bytes, without a name or a time.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).context("cannot compress")
}

/// The archive for people who have no package manager: the program, its units, and what to read.
pub(crate) fn of_program(
    name: &str,
    root: &Path,
    release: &Release,
    program: &[u8],
    licences: &str,
) -> Result<Vec<u8>> {
    let read =
        |path: &str| fs::read(root.join(path)).with_context(|| format!("cannot read {path}"));
    let mut entries = vec![
        Entry::folder(&format!("{name}/")),
        Entry::file(&format!("{name}/stoa"), 0o755, program),
        Entry::file(&format!("{name}/RELEASE-NOTES.md"), 0o644, release.notes.as_bytes()),
        Entry::file(&format!("{name}/LICENCES.txt"), 0o644, licences.as_bytes()),
        Entry::file(&format!("{name}/operations.md"), 0o644, read("docs/operations.md")?),
    ];
    for unit in UNITS {
        let content = read(&format!("deploy/{unit}"))?;
        entries.push(Entry::file(&format!("{name}/{unit}"), 0o644, content));
    }
    gzip(&tar(&entries, release.time)?)
}

/// The units of systemd in `deploy/`.
pub(crate) const UNITS: [&str; 4] =
    ["stoa.service", "stoa.socket", "stoa-backup.service", "stoa-backup.timer"];

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn the_same_entries_give_the_same_bytes_and_can_be_read() {
        let entries = [
            Entry::folder("a/").owned_by(65532, 0o700),
            Entry::file("a/b", 0o755, "text"),
            Entry::file(&format!("a/{}", "long/".repeat(40)), 0o644, "deep"),
        ];
        let made = || gzip(&tar(&entries, 7).expect("a tar file")).expect("bytes");
        assert_eq!(made(), made());
        let bytes = made();
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let mut found = Vec::new();
        for entry in archive.entries().expect("entries") {
            let mut entry = entry.expect("an entry");
            let mut text = String::new();
            entry.read_to_string(&mut text).expect("a text");
            let header = entry.header();
            let (mode, owner, time) = (header.mode(), header.uid(), header.mtime());
            let numbers = (mode.expect("a mode"), owner.expect("an owner"), time.expect("a time"));
            found.push((text, numbers));
        }
        assert_eq!(found[0], (String::new(), (0o700, 65532, 7)));
        assert_eq!(found[1], ("text".to_owned(), (0o755, 0, 7)));
        assert_eq!(found[2], ("deep".to_owned(), (0o644, 0, 7)));
    }
}
