//! The pictures of the README and the docs, drawn by `stoa show --svg`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{build_stoa_for_tests, root};

/// What a picture shows.
struct Picture {
    file: &'static str,
    game: &'static str,
    position: &'static str,
    /// Moves played before the picture is taken; the last one is marked.
    moves: &'static [&'static str],
}

const PICTURES: &[Picture] = &[
    Picture {
        file: "colonnade.svg",
        game: "colonnade",
        position: "r/brb/rbrb/brbr/rbrb/brbr/rbr/b r",
        moves: &["3f>"],
    },
    Picture {
        file: "colonnade-start.svg",
        game: "colonnade",
        position: "-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- r",
        moves: &[],
    },
    Picture {
        file: "colonnade-longest.svg",
        game: "colonnade",
        position: "-/brbrbrbrb/-/-/-/rbrbrbr/rbrbrb/r r",
        moves: &[],
    },
    Picture {
        file: "impasse.svg",
        game: "impasse",
        position: "1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 w",
        moves: &["d2-b4", "e7-h4"],
    },
    Picture {
        file: "impasse-longest.svg",
        game: "impasse",
        position: "1W3W2/b7/1b5b/8/8/8/8/8 b",
        moves: &[],
    },
    Picture {
        file: "palisade.svg",
        game: "palisade:7",
        position: "2b4/1bwbw2/3wbw1/wb1b1bw/1wb1b2/2wbw1w/b2w3 b",
        moves: &["a5"],
    },
    Picture {
        file: "columna.svg",
        game: "columna",
        position: "x7/x2,b1,w2,x3/x5,w1,x/b2,x,b4,x,w1,x2/x7/x2,w3,b1,x3/x4,b2,x2 a3 f1 b 0",
        moves: &["a5@b5"],
    },
    Picture {
        file: "colossus.svg",
        game: "colossus",
        position: "t1wW/3ww/4w1/Bbbbbbt/6/1b3/B2t b 3 0 16",
        moves: &["d7=d2.d3.d4.d5.d6+d4"],
    },
];

/// Draws all pictures anew.
pub(crate) fn draw() -> Result<()> {
    let stoa = build_stoa_for_tests()?;
    for picture in PICTURES {
        let file = root().join("docs/pictures").join(picture.file);
        std::fs::write(&file, picture.svg(&stoa)?)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Whether the pictures in the repository are those that the program draws.
pub(crate) fn check() -> Result<()> {
    let stoa = build_stoa_for_tests()?;
    for picture in PICTURES {
        let kept = std::fs::read_to_string(root().join("docs/pictures").join(picture.file));
        if kept.ok() != Some(picture.svg(&stoa)?) {
            bail!("docs/pictures/{} is out of date; run `cargo xtask pictures`", picture.file);
        }
    }
    Ok(())
}

impl Picture {
    fn svg(&self, stoa: &Path) -> Result<String> {
        let mut command = Command::new(stoa);
        command.args(["show", self.game, "--svg", "-", "--position", self.position]);
        let output = command.args(self.moves).output().context("cannot start stoa")?;
        if !output.status.success() {
            bail!("{}: {}", self.file, String::from_utf8_lossy(&output.stderr));
        }
        String::from_utf8(output.stdout).context("the picture is not text")
    }
}
