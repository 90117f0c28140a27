//! Evaluations in words: `best`, `terms`, `net`, or the file of a network.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use stoa_engine::EvaluationChoice;
use stoa_engine::net::MAX_NET_BYTES;
use stoa_files::{ReadError, read_text};

/// How the engine judges positions, as written on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EvaluationSpec {
    /// The network that comes with the engine where there is one, otherwise the hand-made terms.
    #[default]
    Best,
    /// The hand-made terms.
    Terms,
    /// The hand-made terms with the weights of a file.
    Weights(PathBuf),
    /// The network that comes with the engine.
    Net,
    /// The network of a file.
    NetFile(PathBuf),
}

/// A file that an evaluation needs cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}", path.display())]
pub struct EvaluationFileError {
    path: PathBuf,
    source: ReadError,
}

impl EvaluationSpec {
    /// The evaluation of a word: `best`, `terms`, `net` or the name of a network file.
    pub fn from_word(word: &str) -> EvaluationSpec {
        match word {
            "best" => EvaluationSpec::Best,
            "terms" => EvaluationSpec::Terms,
            "net" => EvaluationSpec::Net,
            file => EvaluationSpec::NetFile(file.into()),
        }
    }

    /// The engine's setting, with the contents of the named file.
    pub fn read(&self) -> Result<EvaluationChoice, EvaluationFileError> {
        let failed = |path: &Path, source| EvaluationFileError { path: path.to_owned(), source };
        match self {
            EvaluationSpec::Best => Ok(EvaluationChoice::Best),
            EvaluationSpec::Terms => Ok(EvaluationChoice::Terms),
            EvaluationSpec::Net => Ok(EvaluationChoice::Net),
            EvaluationSpec::Weights(path) => {
                read_text(path).map(EvaluationChoice::Weights).map_err(|e| failed(path, e))
            }
            EvaluationSpec::NetFile(path) => {
                let bytes = read_net(path).map_err(|e| failed(path, e.into()))?;
                let name = path.display().to_string();
                Ok(EvaluationChoice::NetFile { name, bytes: bytes.into() })
            }
        }
    }
}

/// Reads a file, but no more of it than shows that it is no network.
fn read_net(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_NET_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_in_words() {
        let parse = EvaluationSpec::from_word;
        assert_eq!(parse("best"), EvaluationSpec::Best);
        assert_eq!(parse("terms"), EvaluationSpec::Terms);
        assert_eq!(parse("net"), EvaluationSpec::Net);
        assert_eq!(parse("my.net"), EvaluationSpec::NetFile("my.net".into()));
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = EvaluationSpec::NetFile("no/such.net".into()).read().unwrap_err();
        assert!(error.to_string().starts_with("cannot read no/such.net"), "{error}");
    }
}
