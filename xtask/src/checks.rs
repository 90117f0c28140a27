//! Every check there is.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, bail};

use crate::{cargo, pictures, run};

/// A check has a name and something to do.
type Check = (&'static str, fn() -> Result<()>);

const CHECKS: [Check; 7] = [
    ("format", format),
    ("lints", lints),
    ("tests", tests),
    ("docs", docs),
    ("wasm", wasm),
    ("pictures", pictures::check),
    ("licences", licences),
];

/// Runs every check, also after one has failed, and says which did.
pub(crate) fn run_all() -> Result<()> {
    let mut failed = Vec::new();
    for (name, check) in CHECKS {
        println!("── {name}");
        let begun = Instant::now();
        if let Err(error) = check() {
            println!("{error:#}");
            failed.push(name);
        }
        println!("── {name}: {:.0} s", begun.elapsed().as_secs_f64());
    }
    println!("checks: {} passed, {} failed", CHECKS.len() - failed.len(), failed.len());
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// Runs the tests alone.
pub(crate) fn run_fast() -> Result<()> {
    tests()
}

fn format() -> Result<()> {
    run(cargo().args(["fmt", "--all", "--check"]))
}

fn lints() -> Result<()> {
    let args = ["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"];
    run(cargo().args(args).args(["--", "-D", "warnings"]))
}

fn tests() -> Result<()> {
    run(cargo().args(["test", "--workspace", "--all-features", "--no-fail-fast"]))
}

fn docs() -> Result<()> {
    let args = ["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"];
    run(cargo().args(args).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The rules must build for the browser.
fn wasm() -> Result<()> {
    const TARGET: &str = "wasm32-unknown-unknown";
    if !succeeds(Command::new("rustup").args(["target", "add", TARGET])) {
        println!("skipped: rustup cannot install the target {TARGET} here");
        return Ok(());
    }
    run(cargo().args(["build", "--quiet", "--package", "stoa-rules", "--target", TARGET]))
}

/// Licences and sources of the dependencies, with `cargo deny`.
fn licences() -> Result<()> {
    if !succeeds(cargo().args(["deny", "--version"])) {
        if std::env::var_os("CI").is_none() {
            println!("skipped: `cargo install cargo-deny --locked` makes this check possible");
            return Ok(());
        }
        run(cargo().args(["install", "cargo-deny", "--locked", "--quiet"]))?;
    }
    // Advisories need a database from the network, so they are not part of the tests.
    run(cargo().args(["deny", "--log-level", "error", "check", "licenses", "bans", "sources"]))
}

/// Whether a command can be run and succeeds; what it prints is of no interest.
fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|done| done.success())
}
