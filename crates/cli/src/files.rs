//! Reading and writing files: bounded when read, whole or not at all when written.

use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use stoa_rules::Record;

/// The largest file that is read.
const MOST_BYTES: u64 = 16 << 20;

/// Reads a record from a file, or from standard input if the name is `-`. Of several games one must
/// be chosen by its number, counted from 1.
pub(crate) fn read_record(path: &Path, number: Option<usize>) -> Result<Record> {
    let name = name_of(path);
    let mut records = read_records(path, number)?;
    match (records.len(), records.pop()) {
        (1, Some(record)) => Ok(record),
        (count, _) => {
            bail!("{name} has {count} games; stoa replay and stoa review take --game 1 to {count}")
        }
    }
}

/// Reads all records of a file, or the one of a number.
pub(crate) fn read_records(path: &Path, number: Option<usize>) -> Result<Vec<Record>> {
    let name = name_of(path);
    let text = read_text(path).with_context(|| format!("cannot read {name}"))?;
    let parts = games_of(&text);
    if let Some(number) = number {
        let count = parts.len();
        let Some(part) = number.checked_sub(1).and_then(|index| parts.get(index)) else {
            let games = if count == 1 { "1 game".to_owned() } else { format!("{count} games") };
            bail!("{name} has no game {number}; it has {games}");
        };
        let whose = if count == 1 { name } else { format!("game {number} of {name}") };
        return parsed(part, &whose).map(|record| vec![record]);
    }
    match &parts[..] {
        [_] => parsed(&text, &name).map(|record| vec![record]),
        parts => (1..)
            .zip(parts)
            .map(|(number, part)| parsed(part, &format!("game {number} of {name}")))
            .collect(),
    }
}

fn parsed(text: &str, whose: &str) -> Result<Record> {
    Record::parse(text).with_context(|| format!("{whose} is not a sound record"))
}

/// What a file is called in messages.
fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

/// The records of a text, as `stoa match` writes them one after the other: after the first, each
/// begins with a line `game:` that follows an empty line and is not part of a comment.
fn games_of(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let (mut at, mut after_empty, mut in_comment, mut has_game) = (0, false, false, false);
    for line in text.split_inclusive('\n') {
        if line.starts_with("game:") && !in_comment {
            if has_game && after_empty {
                starts.push(at);
            }
            has_game = true;
        }
        after_empty = line.trim().is_empty();
        in_comment = match line.rfind(['{', '}']) {
            Some(brace) => line.as_bytes()[brace] == b'{',
            None => in_comment,
        };
        at += line.len();
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect()
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
    fn games_one_after_the_other_are_told_apart() {
        assert_eq!(games_of("").len(), 1);
        assert_eq!(games_of("red: game: x\ngame: colonnade\n\n1. 1b<\n").len(), 1);
        let commented = "game: colonnade\n\n{a comment\n\ngame: impasse\n} 1. 1b<\n";
        assert_eq!(games_of(commented), [commented]);
        let (one, two) = ("game: colonnade\r\n\r\n1. 1b<\r\n\r\n", "game: impasse\n");
        assert_eq!(games_of(&format!("{one}{two}")), [one, two]);
    }

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
