//! The licences of all dependencies in one text. Texts that several share are in it once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::dependencies::Dependency;

/// What the names of files with licences begin with.
const NAMES: [&str; 6] = ["license", "licence", "copying", "notice", "copyright", "unlicense"];

const C_LIBRARY: &str = "\
The programs for Linux are linked statically with the GNU C library, which is under the GNU Lesser
General Public License, version 2.1 or later (https://www.gnu.org/licenses/lgpl-2.1.html). Its source is
that of the package glibc in Debian 12. You may link the program with another version of that library:
`cargo xtask dist` builds it from source, with any that is installed.

The program contains SQLite, which is in the public domain.";

/// Everything as one text.
pub(crate) fn text(root: &Path, dependencies: &[Dependency]) -> Result<String> {
    let mut text =
        String::from("Stoa is under the MIT licence or the Apache License 2.0, as you like.\n\n");
    for own in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let licence = fs::read_to_string(root.join(own));
        text += &section(own, &licence.with_context(|| format!("cannot read {own}"))?);
    }
    text += &section("C libraries", C_LIBRARY);
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for dependency in dependencies {
        let name = format!("{} {}", dependency.name, dependency.version);
        let found = texts(&dependency.folder);
        if found.is_empty() {
            without.push(format!("{name}: {}", dependency.licence));
        }
        for licence in found {
            by_text.entry(licence).or_default().push(name.clone());
        }
    }
    let mut sections: Vec<(String, String)> = by_text
        .into_iter()
        .map(|(licence, mut names)| {
            names.dedup();
            (names.join(", "), licence)
        })
        .collect();
    sections.sort();
    for (names, licence) in sections {
        text += &section(&names, &licence);
    }
    if !without.is_empty() {
        text +=
            &section("Without a text of their own, under the licence named", &without.join("\n"));
    }
    Ok(text)
}

fn section(heading: &str, text: &str) -> String {
    format!("{}\n{heading}\n\n{}\n\n", "=".repeat(72), text.trim())
}

/// The texts of the licences in a folder.
fn texts(folder: &Path) -> Vec<String> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            path.is_file() && NAMES.iter().any(|known| name.starts_with(known))
        })
        .collect();
    files.sort();
    // Line ends and spaces at them differ between copies of the same text.
    let clean = |text: String| {
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()
    };
    files.iter().filter_map(|path| fs::read_to_string(path).ok()).map(clean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_texts_are_there_once_and_nobody_is_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let dependency = |name: &str, files: &[(&str, &str)]| {
            let folder = folder.path().join(name);
            fs::create_dir(&folder).expect("a folder");
            for (file, text) in files {
                fs::write(folder.join(file), text).expect("a file");
            }
            Dependency {
                name: name.to_owned(),
                version: "1.0.0".to_owned(),
                url: String::new(),
                licence: "Zlib".to_owned(),
                checksum: None,
                needs: Default::default(),
                folder,
            }
        };
        let all = [
            dependency("one", &[("LICENSE", "Do as you like.\n"), ("main.rs", "fn main")]),
            dependency("two", &[("license.md", "Do as you like.  \r\n")]),
            dependency("three", &[]),
        ];
        let text = text(&crate::root(), &all).expect("a text");
        assert_eq!(text.matches("Do as you like.").count(), 1);
        assert!(text.contains("one 1.0.0, two 1.0.0\n\nDo as you like."), "{text}");
        assert!(text.contains("three 1.0.0: Zlib"));
        assert!(!text.contains("fn main"));
        assert!(text.contains("Apache License") && text.contains("GNU Lesser"));
    }
}
