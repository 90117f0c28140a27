//! Every check there is.

use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::{cargo, pictures, run, services, succeeds, web};

/// A check has a name and something to do.
type Check = (&'static str, fn() -> Result<Done>);

/// How a check that did not fail went.
enum Done {
    Passed,
    /// It could not be made here, for this reason.
    Skipped(String),
}

const CHECKS: [Check; 9] = [
    ("format", format),
    ("lints", lints),
    ("tests", tests),
    ("docs", docs),
    ("wasm", wasm),
    ("web", page),
    ("browser", browser),
    ("pictures", || pictures::check().map(|()| Done::Passed)),
    ("licences", licences),
];

/// Runs every check, also after one has failed, and says which did.
pub(crate) fn run_all() -> Result<()> {
    run_these(&CHECKS)
}

/// Runs the checks of these names.
pub(crate) fn run_named(names: &[&str]) -> Result<()> {
    let known = CHECKS.map(|(name, _)| name);
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no check '{unknown}'; the checks are {}", known.join(", "));
    }
    let chosen: Vec<Check> = CHECKS.into_iter().filter(|(name, _)| names.contains(name)).collect();
    run_these(&chosen)
}

fn run_these(checks: &[Check]) -> Result<()> {
    let (mut passed, mut failed, mut skipped) = (0, Vec::new(), 0);
    for (name, check) in checks {
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
                failed.push(*name);
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

/// Tests that need Postgres or NATS say that they are skipped where these are missing.
fn tests() -> Result<Done> {
    services::find()?;
    pass(cargo().args(["test", "--workspace", "--all-features", "--no-fail-fast"]))
}

fn docs() -> Result<Done> {
    let args = ["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"];
    pass(cargo().args(args).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The rules, the engine and the exact answers must build for the browser.
fn wasm() -> Result<Done> {
    if !web::add_target() {
        let target = web::TARGET;
        return Ok(Done::Skipped(format!("rustup cannot install the target {target} here")));
    }
    let packages = ["stoa-rules", "stoa-engine", "stoa-solve"].map(|name| ["--package", name]);
    pass(cargo().args(["build", "--quiet", "--target", web::TARGET]).args(packages.as_flattened()))
}

/// The web app: types, lints, unit tests, and how much a first visit loads.
fn page() -> Result<Done> {
    web::check().map(|()| Done::Passed)
}

/// The web app in a real browser.
fn browser() -> Result<Done> {
    Ok(web::check_in_browser()?.map_or(Done::Passed, Done::Skipped))
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
