//! Every check there is.

use std::process::Command;
use std::sync::mpsc;
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
    (BROWSER, browser),
    ("python", package),
    ("pictures", || pictures::check().map(|()| Done::Passed)),
    ("licences", licences),
];

/// The checks that mostly wait once everything is compiled: for servers, clocks, and pages.
const TESTS: &str = "tests";
const BROWSER: &str = "browser";

/// The checks that are made before these.
const FIRST: [&str; 2] = ["format", "lints"];

/// The one that builds the page, which the browser needs.
const PAGE: &str = "web";

/// Runs every check, also after one has failed, and says which did.
pub(crate) fn run_all() -> Result<()> {
    // The network is slow and the compiler is not interested in it, and much of building the module is
    // work for one core. What fails here is tried again, and then reported, by the check that needs it.
    let preparing = std::thread::spawn(|| {
        let _ = web::install(Profile::Release);
        let _ = python::install();
        let _ = web::build_module(Profile::Release);
    });
    let begun = Instant::now();
    let (first, rest): (Vec<Check>, Vec<Check>) =
        CHECKS.into_iter().partition(|(name, _)| FIRST.contains(name));
    let mut rows: Vec<Row> = first.iter().map(run_one).collect();
    println!("── {TESTS}");
    let testing = Instant::now();
    let compiled = compile_tests();
    // What waits runs beside what computes.
    let (page_is_built, page) = mpsc::channel();
    let waiting = std::thread::spawn(move || {
        let tests = row(TESTS, testing, compiled.and_then(run_tests));
        // An error says that the page will not be built, which the check itself finds out.
        let _ = page.recv();
        [tests, run_one(&(BROWSER, browser_with_compiled_programs))]
    });
    let mut preparing = Some(preparing);
    for check in rest.iter().filter(|(name, _)| ![TESTS, BROWSER].contains(name)) {
        if check.0 == PAGE {
            preparing.take().map(JoinHandle::join);
        }
        rows.push(run_one(check));
        if check.0 == PAGE {
            let _ = page_is_built.send(());
        }
    }
    let failed = [TESTS, BROWSER].map(|name| (name, "FAILED", Duration::ZERO));
    rows.extend(waiting.join().unwrap_or(failed));
    report(&mut rows, begun.elapsed())
}

/// Runs the checks of these names.
pub(crate) fn run_named(names: &[&str]) -> Result<()> {
    let known = CHECKS.map(|(name, _)| name);
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no check '{unknown}'; the checks are {}", known.join(", "));
    }
    let begun = Instant::now();
    let chosen = CHECKS.iter().filter(|(name, _)| names.contains(name));
    report(&mut chosen.map(run_one).collect::<Vec<Row>>(), begun.elapsed())
}

/// Says how the checks went, in the order of their list.
fn report(rows: &mut [Row], all: Duration) -> Result<()> {
    let place = |row: &Row| CHECKS.iter().position(|(name, _)| *name == row.0);
    rows.sort_by_key(place);
    print!("{}", table(rows, all));
    let failed: Vec<&str> = rows.iter().filter(|row| row.1 == "FAILED").map(|row| row.0).collect();
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// A check, how it ended, and what it took.
type Row = (&'static str, &'static str, Duration);

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
    services::find_systemd()?;
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
    web::build(Profile::Release)?;
    web::build_programs_for_browser()?;
    browser_with_compiled_programs()
}

/// The same, when the tests have been compiled: cargo may be busy with something else then.
fn browser_with_compiled_programs() -> Result<Done> {
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
        // Unoptimised it is built in half the time, and takes only seconds longer to run.
        run(cargo().args(["install", "cargo-deny", "--locked", "--quiet", "--debug"]))?;
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
