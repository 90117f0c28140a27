//! Every check there is.

use std::process::Command;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::build::{Profile, minutes};
use crate::test_programs::TestProgram;
use crate::{
    AS_TESTED, cargo, pictures, python, run, services, succeeds, test_programs, thin, web,
};

/// A check has a name and something to do.
type Check = (&'static str, fn() -> Result<Done>);

/// How a check that did not fail went.
enum Done {
    Passed,
    /// It could not be made here, for this reason.
    Skipped(String),
}

const CHECKS: [Check; 11] = [
    ("format", format),
    ("lints", lints),
    (TESTS, all_tests),
    ("docs", docs),
    ("thin", || thin::check().map(|()| Done::Passed)),
    ("wasm", wasm),
    ("web", page),
    ("browser", browser),
    ("python", package),
    ("pictures", || pictures::check().map(|()| Done::Passed)),
    ("licences", licences),
];

/// The checks that need packages of Node or Python, or the module of the page.
const NEEDING_PREPARATION: [&str; 3] = ["web", "browser", "python"];

/// The check that mostly waits when everything is compiled, and the ones after it that are made meanwhile.
const TESTS: &str = "tests";
const BESIDE_TESTS: [&str; 3] = ["docs", "thin", "wasm"];

/// Runs every check, also after one has failed, and says which did.
pub(crate) fn run_all() -> Result<()> {
    // The network is slow and the compiler is not interested in it, and much of building the module is
    // work for one core. What fails here is tried again, and then reported, by the check that needs it.
    let preparing = std::thread::spawn(|| {
        let _ = web::install(Profile::Release);
        let _ = python::install();
        let _ = web::build_module(Profile::Release);
    });
    run_these(&CHECKS, Some(preparing))
}

/// Runs the checks of these names.
pub(crate) fn run_named(names: &[&str]) -> Result<()> {
    let known = CHECKS.map(|(name, _)| name);
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no check '{unknown}'; the checks are {}", known.join(", "));
    }
    let chosen: Vec<Check> = CHECKS.into_iter().filter(|(name, _)| names.contains(name)).collect();
    run_these(&chosen, None)
}

/// Runs checks. The first that needs what is prepared beside the others waits for it.
fn run_these(checks: &[Check], mut preparing: Option<JoinHandle<()>>) -> Result<()> {
    let begun = Instant::now();
    let mut rows = Vec::new();
    let mut testing: Option<JoinHandle<Row>> = None;
    for check in checks {
        let (name, _) = check;
        if NEEDING_PREPARATION.contains(name) {
            preparing.take().map(JoinHandle::join);
        }
        if !BESIDE_TESTS.contains(name) {
            rows.extend(testing.take().map(ended));
        }
        if *name == TESTS {
            println!("── {TESTS}");
            let begun = Instant::now();
            let compiled = compile_tests();
            testing =
                Some(std::thread::spawn(move || row(TESTS, begun, compiled.and_then(run_tests))));
        } else {
            rows.push(run_one(check));
        }
    }
    rows.extend(testing.map(ended));
    print!("{}", table(&rows, begun.elapsed()));
    let failed: Vec<&str> = rows.iter().filter(|row| row.1 == "FAILED").map(|row| row.0).collect();
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// A check, how it ended, and what it took.
type Row = (&'static str, &'static str, Duration);

/// The row of a check that ran beside others.
fn ended(check: JoinHandle<Row>) -> Row {
    check.join().unwrap_or((TESTS, "FAILED", Duration::ZERO))
}

fn run_one((name, check): &Check) -> Row {
    println!("── {name}");
    row(name, Instant::now(), check())
}

/// The row of a check that has ended now.
fn row(name: &'static str, begun: Instant, done: Result<Done>) -> Row {
    let word = match done {
        Ok(Done::Passed) => "passed",
        Ok(Done::Skipped(why)) => {
            println!("skipped: {why}");
            "skipped"
        }
        Err(error) => {
            println!("{name}: {error:#}");
            "FAILED"
        }
    };
    (name, word, begun.elapsed())
}

/// What each check took, and all of them together: some are made at the same time.
fn table(rows: &[Row], all: Duration) -> String {
    let mut text = String::from("\ncheck      result   time\n");
    for (name, word, time) in rows {
        text.push_str(&format!("{name:<10} {word:<8} {}\n", minutes(*time)));
    }
    let count = |word| rows.iter().filter(|row| row.1 == word).count();
    let [passed, failed, skipped] = ["passed", "FAILED", "skipped"].map(count);
    let time = minutes(all);
    text + &format!("checks: {passed} passed, {failed} failed, {skipped} skipped, in {time}\n")
}

/// Runs the tests alone.
pub(crate) fn run_fast() -> Result<()> {
    all_tests().map(|_| ())
}

fn format() -> Result<Done> {
    pass(cargo().args(["fmt", "--all", "--check"]))
}

fn lints() -> Result<Done> {
    let args = ["--all-targets", "--quiet", "--", "-D", "warnings"];
    pass(cargo().arg("clippy").args(AS_TESTED).args(args))
}

fn all_tests() -> Result<Done> {
    compile_tests().and_then(run_tests)
}

/// Tests that need Postgres or NATS say that they are skipped where these are missing.
fn compile_tests() -> Result<Vec<TestProgram>> {
    services::find()?;
    test_programs::compile()
}

fn run_tests(programs: Vec<TestProgram>) -> Result<Done> {
    test_programs::run_all(programs).map(|()| Done::Passed)
}

fn docs() -> Result<Done> {
    let args = ["--no-deps", "--document-private-items", "--quiet"];
    pass(cargo().arg("doc").args(AS_TESTED).args(args).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The rules, the engine and the exact answers must build for the browser.
fn wasm() -> Result<Done> {
    if !web::add_target() {
        let target = web::TARGET;
        return Ok(Done::Skipped(format!("rustup cannot install the target {target} here")));
    }
    let packages = ["stoa-rules", "stoa-engine", "stoa-solve"].map(|name| ["--package", name]);
    pass(cargo().args(["check", "--quiet", "--target", web::TARGET]).args(packages.as_flattened()))
}

/// The web app: types, lints, unit tests, and how much a first visit loads.
fn page() -> Result<Done> {
    web::check().map(|()| Done::Passed)
}

/// The web app in a real browser.
fn browser() -> Result<Done> {
    Ok(web::check_in_browser()?.map_or(Done::Passed, Done::Skipped))
}

/// The Python package in an environment of its own.
fn package() -> Result<Done> {
    Ok(python::check()?.map_or(Done::Passed, Done::Skipped))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_each_check_took() {
        let rows = [
            ("format", "passed", Duration::from_secs(2)),
            ("tests", "FAILED", Duration::from_secs(125)),
            ("licences", "skipped", Duration::ZERO),
        ];
        let expected = "
check      result   time
format     passed   2 s
tests      FAILED   2 min 5 s
licences   skipped  0 s
checks: 1 passed, 1 failed, 1 skipped, in 2 min 6 s
";
        assert_eq!(table(&rows, Duration::from_secs(126)), expected);
    }
}
