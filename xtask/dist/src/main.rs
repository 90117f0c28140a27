//! Packages releases, and tries every artefact as its users would.
//!
//! `cargo xtask dist` builds the programs and calls this. Everything is written here, without tools that
//! may be missing: an archive and a Debian package for each architecture, one image in the layout of the
//! Open Container Initiative for all of them, the bill of materials, the licences, and the checksums. The
//! same programs give the same bytes.
//!
//! | module | what |
//! |---|---|
//! | `architecture` | what each architecture is called, by whom |
//! | `release` | the version and its notes |
//! | `dependencies` | what is in the program besides our own code |
//! | `sbom` | the bill of materials (CycloneDX) |
//! | `licences` | the licences of all dependencies in one text |
//! | `archive` | tar files whose bytes depend on their contents alone |
//! | `deb` | Debian packages |
//! | `image` | the container image |
//! | `checksums` | SHA-256 |
//! | `trial` | every artefact installed and run |

mod architecture;
mod archive;
mod checksums;
mod deb;
mod dependencies;
mod image;
mod licences;
mod release;
mod sbom;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;

use architecture::Architecture;
use release::Release;

#[derive(Debug, Parser)]
#[command(name = "xtask-dist", about = "Packages releases")]
struct Arguments {
    /// A static program, as ARCHITECTURE=FILE with x86_64 or aarch64; may be given several times.
    /// Without any, nothing is packed
    #[arg(long = "program", value_name = "ARCHITECTURE=FILE", value_parser = program)]
    programs: Vec<(Architecture, PathBuf)>,

    /// The folder to write; what is in it goes
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Install and run everything that was packed
    #[arg(long)]
    test: bool,
}

fn program(text: &str) -> Result<(Architecture, PathBuf), String> {
    let (architecture, file) = text.split_once('=').ok_or("write ARCHITECTURE=FILE")?;
    let architecture = Architecture::ALL.into_iter().find(|known| known.rust() == architecture);
    Ok((architecture.ok_or("the architecture is x86_64 or aarch64")?, PathBuf::from(file)))
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = || {
        if !arguments.programs.is_empty() {
            pack(&arguments.programs, &arguments.out)?;
        }
        if arguments.test { trial::try_everything(&arguments.out) } else { Ok(()) }
    };
    match done() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask-dist: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes everything that is released.
fn pack(programs: &[(Architecture, PathBuf)], out: &Path) -> Result<()> {
    let root = root();
    let release = Release::read(&root)?;
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let dependencies = dependencies::all(&root)?;
    let licences = licences::text(&root, &dependencies)?;
    let version = &release.version;
    write(out, "LICENCES.txt", licences.as_bytes())?;
    write(
        out,
        &format!("stoa-{version}.cdx.json"),
        sbom::json(&release, &dependencies)?.as_bytes(),
    )?;
    write(out, "RELEASE-NOTES.md", release.notes.as_bytes())?;
    let mut images = Vec::new();
    for (architecture, file) in programs {
        let program = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        ensure!(is_static(&program), "{} is not a static program", file.display());
        let name = format!("stoa-{version}-{}-linux", architecture.rust());
        let files = archive::of_program(&name, &root, &release, &program, &licences)?;
        write(out, &format!("{name}.tar.gz"), &files)?;
        let package = deb::package(&root, &release, *architecture, &program, &licences)?;
        write(out, &format!("stoa_{version}_{}.deb", architecture.debian()), &package)?;
        images.push((*architecture, program));
    }
    write(out, &format!("stoa-{version}-oci.tar"), &image::layout(&release, &images)?)?;
    let sums = checksums::of_folder(out)?;
    write(out, "SHA256SUMS", sums.as_bytes())
}

fn write(out: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = out.join(name);
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{:>12}  {name}", bytes.len());
    Ok(())
}

/// Whether a program of Linux asks for no dynamic linker: it has no segment of type `PT_INTERP`.
fn is_static(program: &[u8]) -> bool {
    let number = |at: usize, bytes: usize| {
        let field = program.get(at..at + bytes)?;
        Some(field.iter().rev().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte)))
    };
    let is_elf_64 = program.starts_with(b"\x7fELF\x02\x01");
    let headers = || {
        let (start, size, count) = (number(0x20, 8)?, number(0x36, 2)?, number(0x38, 2)?);
        (0..count).map(|index| number(start + index * size, 4)).collect::<Option<Vec<_>>>()
    };
    const INTERPRETER: usize = 3;
    is_elf_64 && headers().is_some_and(|types| !types.contains(&INTERPRETER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_is_not_a_static_program() {
        let own = fs::read(std::env::current_exe().expect("a path")).expect("a program");
        assert!(!is_static(&own));
        assert!(!is_static(b"#!/bin/sh"));
        // A head without segments asks for nothing.
        let mut bare = own[..64].to_vec();
        bare[0x38..0x3a].fill(0);
        assert!(is_static(&bare));
    }
}
