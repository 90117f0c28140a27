//! Game records in files. `stoa match` writes several into one file, so a record may be asked for
//! by its number.

use std::path::Path;

use stoa_rules::{Record, RecordError};

use crate::{ReadError, read_text};

/// Why there is no record.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read {file}")]
    Unreadable {
        /// The file, as messages name it.
        file: String,
        /// Why not.
        source: ReadError,
    },
    /// A record does not follow the format, or a move in it is not legal.
    #[error("{which} is not a sound record")]
    Unsound {
        /// The file, or the game in it.
        which: String,
        /// What is wrong.
        source: RecordError,
    },
    /// The file has no game of this number.
    #[error("{file} has no game {number}; it has {}", games(*count))]
    NoSuchGame {
        /// The file, as messages name it.
        file: String,
        /// The number asked for.
        number: usize,
        /// How many games there are.
        count: usize,
    },
    /// The file has several games, and nobody said which.
    #[error("{file} has {count} games; stoa replay and stoa review take --game 1 to {count}")]
    Several {
        /// The file, as messages name it.
        file: String,
        /// How many games there are.
        count: usize,
    },
}

fn games(count: usize) -> String {
    if count == 1 { "1 game".to_owned() } else { format!("{count} games") }
}

/// Reads a record from a file, or from standard input if the name is `-`. Of several games one must
/// be chosen by its number, counted from 1.
pub fn read_one(path: &Path, number: Option<usize>) -> Result<Record, Error> {
    let mut records = read_all(path, number)?;
    match (records.len(), records.pop()) {
        (1, Some(record)) => Ok(record),
        (count, _) => Err(Error::Several { file: name_of(path), count }),
    }
}

/// Reads all records of a file, or only the one of this number.
pub fn read_all(path: &Path, number: Option<usize>) -> Result<Vec<Record>, Error> {
    let file = name_of(path);
    let text = match read_text(path) {
        Ok(text) => text,
        Err(source) => return Err(Error::Unreadable { file, source }),
    };
    let parts = games_of(&text);
    if let Some(number) = number {
        let count = parts.len();
        let Some(part) = number.checked_sub(1).and_then(|index| parts.get(index)) else {
            return Err(Error::NoSuchGame { file, number, count });
        };
        let which = if count == 1 { file } else { format!("game {number} of {file}") };
        return parsed(part, which).map(|record| vec![record]);
    }
    match &parts[..] {
        [_] => parsed(&text, file).map(|record| vec![record]),
        parts => (1..)
            .zip(parts)
            .map(|(number, part)| parsed(part, format!("game {number} of {file}")))
            .collect(),
    }
}

fn parsed(text: &str, which: String) -> Result<Record, Error> {
    Record::parse(text).map_err(|source| Error::Unsound { which, source })
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

#[cfg(test)]
mod tests {
    use super::games_of;

    #[test]
    fn games_one_after_the_other_are_told_apart() {
        assert_eq!(games_of("").len(), 1);
        assert_eq!(games_of("red: game: x\ngame: colonnade\n\n1. 1b<\n").len(), 1);
        let commented = "game: colonnade\n\n{a comment\n\ngame: impasse\n} 1. 1b<\n";
        assert_eq!(games_of(commented), [commented]);
        let (one, two) = ("game: colonnade\r\n\r\n1. 1b<\r\n\r\n", "game: impasse\n");
        assert_eq!(games_of(&format!("{one}{two}")), [one, two]);
    }
}
