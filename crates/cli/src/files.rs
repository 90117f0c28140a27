//! Reading and writing files: bounded when read, whole or not at all when written.

use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use stoa_rules::Record;

/// The largest file that is read.
const MOST_BYTES: u64 = 16 << 20;

/// Reads a record from a file, or from standard input if the name is `-`.
pub(crate) fn read_record(path: &Path) -> Result<Record> {
    let is_input = path.as_os_str() == "-";
    let name = if is_input { "standard input".into() } else { path.display().to_string() };
    let text = read_text(path).with_context(|| format!("cannot read {name}"))?;
    Record::parse(&text).with_context(|| format!("{name} is not a sound record"))
}

/// Reads a whole file, or standard input if the name is `-`.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let mut read = |reader: &mut dyn Read| reader.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    if path.as_os_str() == "-" {
        read(&mut io::stdin().lock())?;
    } else {
        read(&mut std::fs::File::open(path)?)?;
    }
    if bytes.len() as u64 > MOST_BYTES {
        bail!("it is larger than {} MiB", MOST_BYTES >> 20);
    }
    String::from_utf8(bytes).map_err(|error| {
        anyhow::anyhow!("it is not UTF-8 text (byte {})", error.utf8_error().valid_up_to())
    })
}

/// Writes a file so that it is there whole or not at all: into a new file beside it, which then
/// takes its name. A link is followed, so that it stays one.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<()> {
    let write = || -> Result<()> {
        let target = match std::fs::canonicalize(path) {
            Ok(target) => target,
            Err(_) if path.is_symlink() => bail!("it is a link to something that is not there"),
            Err(_) => path.to_owned(),
        };
        if target.is_dir() {
            bail!("it is a folder");
        }
        let folder = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            bail!("there is no folder {}", folder.display());
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
        file.persist(&target)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
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
        write_whole(&path, "one").unwrap();
        write_whole(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        write_whole(folder.path(), "three").unwrap_err();
        write_whole(&folder.path().join("no/such/folder"), "three").unwrap_err();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
