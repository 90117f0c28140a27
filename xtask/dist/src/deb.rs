//! Debian packages: an `ar` archive of three members, two of them tar files.
//!
//! The package has the program, the units of `deploy/`, a file with options that its owner may change, and
//! a user of its own who owns the data. An upgrade hands over from the old program to the new one, so that
//! no game is closed. Removing the package leaves the data; so does purging it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::architecture::Architecture;
use crate::archive::{Entry, UNITS, gzip, tar};
use crate::release::Release;

/// The options of the server, which administrators change.
const OPTIONS: &str = "\
# Options of the server, one variable a line; `stoa serve --help` lists them all. After a change:
#   systemctl restart stoa
# `sudo -u stoa stoa serve --check --data /var/lib/stoa` says what is wrong with them.

#STOA_LISTEN=127.0.0.1:8473
#STOA_PUBLIC_URL=https://stoa.example
#STOA_BEHIND_PROXY=true
#STOA_DATABASE=postgres://stoa:password@db/stoa
#STOA_NATS=nats://bus:4222
";

const POSTINST: &str = r#"#!/bin/sh
set -e
if [ "$1" = configure ]; then
    if ! getent passwd stoa >/dev/null; then
        useradd --system --user-group --home-dir /var/lib/stoa --no-create-home \
            --shell /usr/sbin/nologin --comment "Stoa" stoa
    fi
    for folder in /var/lib/stoa /var/lib/stoa-backup; do
        mkdir -p "$folder"
        chown stoa:stoa "$folder"
        chmod 700 "$folder"
    done
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        if [ -n "$2" ]; then
            # An upgrade: the new program takes over while the old one finishes. No game is closed.
            systemctl reload stoa.service 2>/dev/null || systemctl try-restart stoa.service
        else
            systemctl enable --now stoa.service stoa-backup.timer
        fi
    fi
fi
"#;

const PRERM: &str = r#"#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl disable --now stoa.service stoa.socket stoa-backup.timer
fi
"#;

const POSTRM: &str = r#"#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
fi
if [ "$1" = purge ]; then
    echo "The games stay in /var/lib/stoa and /var/lib/stoa-backup; delete them if nobody wants them."
fi
"#;

/// A unit as the package has it: the program is where Debian's are, and the user is a real one, so that
/// `sudo -u stoa` works and the data are where they seem to be.
fn unit(root: &Path, name: &str) -> Result<String> {
    let text = fs::read_to_string(root.join("deploy").join(name))
        .with_context(|| format!("cannot read deploy/{name}"))?;
    // What is said about installing it by hand is not for those who have the package.
    let text = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    let text =
        text.replace("/usr/local/bin/stoa", "/usr/bin/stoa").replace("DynamicUser=yes\n", "");
    ensure!(
        !text.contains("/usr/local"),
        "deploy/{name} names a place that the package does not have"
    );
    Ok(text + "\n")
}

/// A package.
pub(crate) fn package(
    root: &Path,
    release: &Release,
    architecture: Architecture,
    program: &[u8],
    licences: &str,
) -> Result<Vec<u8>> {
    let mut files = vec![Entry::file("usr/bin/stoa", 0o755, program)];
    for name in UNITS {
        let path = format!("usr/lib/systemd/system/{name}");
        files.push(Entry::file(&path, 0o644, unit(root, name)?));
    }
    files.push(Entry::file("etc/default/stoa", 0o644, OPTIONS));
    let documentation =
        fs::read(root.join("docs/operations.md")).context("cannot read the docs")?;
    files.push(Entry::file("usr/share/doc/stoa/operations.md", 0o644, documentation));
    files.push(Entry::file("usr/share/doc/stoa/copyright", 0o644, licences));
    let notes = gzip(release.notes.as_bytes())?;
    files.push(Entry::file("usr/share/doc/stoa/NEWS.gz", 0o644, notes));

    let installed: usize = files.iter().filter_map(Entry::content).map(<[u8]>::len).sum();
    let control = format!(
        "Package: stoa\nVersion: {}\nArchitecture: {}\nMaintainer: The Stoa developers <stoa@localhost>\n\
         Installed-Size: {}\nDepends: passwd\nSection: games\nPriority: optional\n\
         Description: abstract board games, in the browser and in the terminal\n \
         A server for abstract board games between people and against an engine, with its\n \
         web app, and the same games in the terminal. One static program; its data are in\n \
         /var/lib/stoa.\n",
        release.version,
        architecture.debian(),
        installed.div_ceil(1024),
    );
    let scripts = [
        Entry::folder("./"),
        Entry::file("control", 0o644, control),
        Entry::file("conffiles", 0o644, "/etc/default/stoa\n"),
        Entry::file("postinst", 0o755, POSTINST),
        Entry::file("prerm", 0o755, PRERM),
        Entry::file("postrm", 0o755, POSTRM),
    ];
    let control = gzip(&tar(&scripts, release.time)?)?;
    let data = gzip(&tar(&with_folders(files), release.time)?)?;
    let members: [(&str, &[u8]); 3] =
        [("debian-binary", b"2.0\n"), ("control.tar.gz", &control), ("data.tar.gz", &data)];
    Ok(ar(&members, release.time))
}

/// Every folder before what is in it.
fn with_folders(files: Vec<Entry>) -> Vec<Entry> {
    let mut all = vec![Entry::folder("./")];
    for file in files {
        for (end, _) in file.path().to_owned().match_indices('/') {
            let folder = &file.path()[..=end];
            if !all.iter().any(|known| known.path() == folder) {
                all.push(Entry::folder(folder));
            }
        }
        all.push(file);
    }
    all
}

/// An archive of `ar`.
fn ar(members: &[(&str, &[u8])], time: u64) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, content) in members {
        let size = content.len();
        let head = format!("{name:<16}{time:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, "100644");
        bytes.extend(head.as_bytes());
        bytes.extend(*content);
        if size % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_begin_at_even_places() {
        let bytes = ar(&[("odd", b"abc"), ("even", b"defg")], 7);
        let text = String::from_utf8(bytes).expect("a text");
        let expected = "!<arch>\n\
            odd             7           0     0     100644  3         `\nabc\n\
            even            7           0     0     100644  4         `\ndefg";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_package_has_everything_and_folders_come_first() {
        let release = Release { version: "1.2.3".to_owned(), notes: "new".to_owned(), time: 7 };
        let made =
            || package(&crate::root(), &release, Architecture::Aarch64, b"program", "licences");
        let bytes = made().expect("a package");
        assert_eq!(bytes, made().expect("a package"), "the same bytes each time");
        let member = |number: usize| {
            // Members are found by their heads; the first is four bytes long.
            let mut at = 8;
            for _ in 0..number {
                let size = std::str::from_utf8(&bytes[at + 48..at + 58]).expect("a size");
                let size: usize = size.trim().parse().expect("a size");
                at += 60 + size + size % 2;
            }
            let size = std::str::from_utf8(&bytes[at + 48..at + 58]).expect("a size");
            bytes[at + 60..at + 60 + size.trim().parse::<usize>().expect("a size")].to_vec()
        };
        let files = |packed: Vec<u8>| {
            let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
            let entries = archive.entries().expect("entries");
            let read = |entry: std::io::Result<tar::Entry<'_, _>>| {
                let mut entry = entry.expect("an entry");
                let mut text = Vec::new();
                std::io::Read::read_to_end(&mut entry, &mut text).expect("a content");
                let path = String::from_utf8(entry.path_bytes().into_owned()).expect("a path");
                (path, String::from_utf8_lossy(&text).into_owned())
            };
            entries.map(read).collect::<Vec<_>>()
        };
        assert_eq!(member(0), b"2.0\n");
        let control = files(member(1));
        let text = &control.iter().find(|(path, _)| path.ends_with("control")).expect("control").1;
        assert!(text.contains("Version: 1.2.3\nArchitecture: arm64\n"), "{text}");
        let data = files(member(2));
        let place = |path: &str| data.iter().position(|(known, _)| known == path);
        for path in ["./", "usr/", "usr/bin/", "usr/bin/stoa", "etc/default/stoa"] {
            assert!(place(path).is_some(), "{path}");
        }
        assert!(place("usr/bin/") < place("usr/bin/stoa"));
        let service = &data[place("usr/lib/systemd/system/stoa.service").expect("a unit")].1;
        assert!(
            service.contains("ExecStart=/usr/bin/stoa serve --data /var/lib/stoa"),
            "{service}"
        );
        assert!(service.contains("User=stoa\n") && !service.contains("DynamicUser"), "{service}");
    }
}
