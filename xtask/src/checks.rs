//! Every check there is.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, bail};

use crate::{cargo, pictures, run};

/// A check has a name and something to do.
type Check = (&'static str, fn() -> Result<Done>);

/// How a check that did not fail went.
enum Done {
    Passed,
    /// It could not be made here, for this reason.
    Skipped(String),
}

const CHECKS: [Check; 7] = [
    ("format", format),
    ("lints", lints),
    ("tests", tests),
    ("docs", docs),
    ("wasm", wasm),
    ("pictures", || pictures::check().map(|()| Done::Passed)),
    ("licences", licences),
];

/// Runs every check, also after one has failed, and says which did.
pub(crate) fn run_all() -> Result<()> {
    let (mut passed, mut failed, mut skipped) = (0, Vec::new(), 0);
    for (name, check) in CHECKS {
        println!("── {name}");
        let begun = Instant::now();
        match check() {
            Ok(Done::Passed) => passed += 1,
            Ok(Done::Skipped(why)) => {
                println!("skipped: {why}");
                skipped += 1;
            }
            Err(error) => {
                println!("{error:#}");
                failed.push(name);
            }
        }
        println!("── {name}: {:.0} s", begun.elapsed().as_secs_f64());
    }
    println!("checks: {passed} passed, {} failed, {skipped} skipped", failed.len());
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// Runs the tests alone.
pub(crate) fn run_fast() -> Result<()> {
    tests().map(|_| ())
}

fn format() -> Result<Done> {
    pass(cargo().args(["fmt", "--all", "--check"]))
}

fn lints() -> Result<Done> {
    let args = ["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"];
    pass(cargo().args(args).args(["--", "-D", "warnings"]))
}

fn tests() -> Result<Done> {
    pass(cargo().args(["test", "--workspace", "--all-features", "--no-fail-fast"]))
}

fn docs() -> Result<Done> {
    let args = ["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"];
    pass(cargo().args(args).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The rules and the engine must build for the browser.
fn wasm() -> Result<Done> {
    const TARGET: &str = "wasm32-unknown-unknown";
    if !succeeds(Command::new("rustup").args(["target", "add", TARGET])) {
        return Ok(Done::Skipped(format!("rustup cannot install the target {TARGET} here")));
    }
    let packages = ["--package", "stoa-rules", "--package", "stoa-engine"];
    pass(cargo().args(["build", "--quiet", "--target", TARGET]).args(packages))
}

/// Licences and sources of the dependencies, with `cargo deny`.
fn licences() -> Result<Done> {
    if !succeeds(cargo().args(["deny", "--version"])) {
        if std::env::var_os("CI").is_none() {
            let why = "`cargo install cargo-deny --locked` makes this check possible";
            return Ok(Done::Skipped(why.to_owned()));
        }
        run(cargo().args(["install", "cargo-deny", "--locked", "--quiet"]))?;
    }
    // Advisories need a database from the network, so they are not part of the tests.
    pass(cargo().args(["deny", "--log-level", "error", "check", "licenses", "bans", "sources"]))
}

/// Runs a command that must succeed.
fn pass(command: &mut Command) -> Result<Done> {
    run(command).map(|()| Done::Passed)
}

/// Whether a command can be run and succeeds; what it prints is of no interest.
fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|done| done.success())
}
