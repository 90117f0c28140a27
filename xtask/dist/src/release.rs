//! The version that is released, and its notes.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// A release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Release {
    pub(crate) version: String,
    /// What is new, for users; Markdown.
    pub(crate) notes: String,
    /// The day in the heading of the notes, in seconds since 1970: the time of all files that are packed.
    pub(crate) time: u64,
}

impl Release {
    /// The version of this program is that of the workspace; its notes are in `CHANGELOG.md`.
    pub(crate) fn read(root: &Path) -> Result<Release> {
        let file = root.join("CHANGELOG.md");
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Release::parse(&text, env!("CARGO_PKG_VERSION"))
    }

    /// Each release has a heading `## 1.2.3 (2026-11-16)`, the newest first.
    fn parse(changes: &str, version: &str) -> Result<Release> {
        let mut sections = changes.split("\n## ").skip(1);
        let section = sections.find(|section| section.split(' ').next() == Some(version));
        let section = section
            .with_context(|| format!("CHANGELOG.md has no heading '## {version} (YEAR-MM-DD)'"))?;
        let (heading, notes) = section.split_once('\n').unwrap_or((section, ""));
        let date = heading.split(['(', ')']).nth(1);
        let time = date.and_then(seconds).with_context(|| format!("no date in '## {heading}'"))?;
        ensure!(!notes.trim().is_empty(), "CHANGELOG.md says nothing about {version}");
        Ok(Release {
            version: version.to_owned(),
            notes: format!("# Stoa {heading}\n\n{}\n", notes.trim()),
            time,
        })
    }
}

/// The seconds from 1970 to a day such as `2026-11-16`.
fn seconds(date: &str) -> Option<u64> {
    let [year, month, day]: [u64; 3] = date
        .split('-')
        .map(|part| part.parse().ok())
        .collect::<Option<Vec<_>>>()?
        .try_into()
        .ok()?;
    if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years that begin in March have their leap day at the end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    Some((days - 719_468) * 24 * 3600)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notes_of_a_version_are_found_with_their_day() {
        let text = "# Changes\n\n## 0.2.0 (2026-11-16)\n\nNew.\n\n## 0.1.0 (1970-01-02)\n\nOld.\n";
        let release = Release::parse(text, "0.1.0").expect("notes");
        assert_eq!(release.notes, "# Stoa 0.1.0 (1970-01-02)\n\nOld.\n");
        assert_eq!(release.time, 24 * 3600);
        assert_eq!(Release::parse(text, "0.2.0").expect("notes").time, 1_794_787_200);
        assert_eq!(seconds("2024-02-29"), Some(1_709_164_800));
        for missing in ["0.3.0", "0.1", "0.1.0.1"] {
            assert!(Release::parse(text, missing).is_err(), "{missing}");
        }
        assert!(Release::parse("\n## 1.0.0 (2026-13-01)\n\nx", "1.0.0").is_err());
    }

    /// A new version needs its notes.
    #[test]
    fn this_version_has_notes() {
        let release = Release::read(&crate::root()).expect("notes");
        assert!(release.notes.len() > 200, "{}", release.notes);
    }
}
