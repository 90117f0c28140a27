//! The tests of all packages, two programs at a time.
//!
//! `cargo test` runs one program of tests after the other, and the long ones mostly wait: for a server,
//! a clock, a database. Side by side they take half the time.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::{AS_TESTED, cargo, root, run};

/// How many programs run at the same time. Each of them runs as many tests at once as there are cores, unless it
/// is one of those below.
const PROGRAMS_AT_ONCE: usize = 2;

/// Programs whose tests mostly wait for servers, clocks and terminals, and how many of these run at once for each
/// core.
const WAITING: [&str; 3] = ["server/all", "cli/online", "terminal/stoa_terminal"];
const WAITING_TESTS_PER_CORE: usize = 3;

/// Runs every test, also after one has failed, and the examples in the documentation.
pub(crate) fn run_all(mut programs: Vec<TestProgram>) -> Result<()> {
    // The largest come last and are taken first: they tend to take longest.
    programs.sort_by_key(|program| program.file.metadata().map_or(0, |file| file.len()));
    let queue = Mutex::new(programs);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..PROGRAMS_AT_ONCE {
            scope.spawn(|| {
                while let Some(program) = take(&queue) {
                    if !program.run() {
                        failed.lock().unwrap_or_else(PoisonError::into_inner).push(program.name());
                    }
                }
            });
        }
    });
    let documented =
        run(cargo().args(["test", "--quiet", "--doc", "--no-fail-fast"]).args(AS_TESTED));
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !failed.is_empty() {
        bail!("tests failed in {}", failed.join(", "));
    }
    documented
}

fn take(queue: &Mutex<Vec<TestProgram>>) -> Option<TestProgram> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

/// A program of tests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestProgram {
    file: PathBuf,
    /// Where its package is, which is where cargo would start it.
    package: PathBuf,
}

impl TestProgram {
    /// The program that cargo reports in a line of its messages, if it is one of tests.
    fn reported(line: &str) -> Option<TestProgram> {
        // A target may have tests; the profile says whether it was built as a program of them.
        let (_, profile) = line.split_once(r#""profile":{"#)?;
        let is_test = profile.split('}').next()?.contains(r#""test":true"#);
        let file = PathBuf::from(text_of(line, "executable").filter(|_| is_test)?);
        let package = Path::new(text_of(line, "manifest_path")?).parent()?.to_owned();
        Some(TestProgram { file, package })
    }

    /// `server/all`, or `server/stoa_server` for the tests of the library itself.
    fn name(&self) -> String {
        let file = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let target = file.rsplit_once('-').map_or(&*file, |(target, _hash)| target);
        let package = self.package.file_name().unwrap_or_default().to_string_lossy();
        format!("{package}/{target}")
    }

    /// Runs it and returns whether all its tests passed; prints a line if they did, and everything if not.
    fn run(&self) -> bool {
        let begun = Instant::now();
        let name = self.name();
        let mut command = Command::new(&self.file);
        command.current_dir(&self.package).env("CARGO_MANIFEST_DIR", &self.package);
        if WAITING.contains(&name.as_str()) {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            command.env("RUST_TEST_THREADS", (WAITING_TESTS_PER_CORE * cores).to_string());
        }
        let output = command.stdin(Stdio::null()).output();
        let seconds = begun.elapsed().as_secs_f64();
        match output {
            Ok(output) if output.status.success() => {
                println!(
                    "{name}: {} in {seconds:.1} s",
                    passed(&String::from_utf8_lossy(&output.stdout))
                );
                true
            }
            Ok(output) => {
                let [out, err] =
                    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
                println!("{name}: FAILED ({}) in {seconds:.1} s\n{out}{err}", output.status);
                false
            }
            Err(error) => {
                println!("{name}: FAILED: {error}");
                false
            }
        }
    }
}

/// Compiles the tests and returns their programs.
pub(crate) fn compile() -> Result<Vec<TestProgram>> {
    let mut cargo = cargo();
    cargo.args(["test", "--no-run", "--message-format", "json-render-diagnostics"]).args(AS_TESTED);
    let mut child = cargo.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let messages = BufReader::new(child.stdout.take().context("cargo says nothing")?);
    let mut programs = Vec::new();
    for line in messages.lines() {
        programs.extend(TestProgram::reported(&line.context("cannot read what cargo says")?));
    }
    if !child.wait().context("cannot wait for cargo")?.success() {
        bail!("the tests cannot be compiled");
    }
    if programs.is_empty() {
        bail!("cargo names no program of tests in {}", root().display());
    }
    Ok(programs)
}

/// The text of a field in a line of JSON. (A library for JSON would have to be built before anything else.)
/// Paths with quotes or backslashes are not understood.
fn text_of<'a>(line: &'a str, field: &str) -> Option<&'a str> {
    let (_, after) = line.split_once(&format!("\"{field}\":\""))?;
    after.split_once('"').map(|(text, _)| text)
}

/// How many tests passed, from what a program of tests prints.
fn passed(output: &str) -> String {
    let mut results = output.lines().filter_map(|line| line.strip_prefix("test result: ok. "));
    results.next_back().and_then(|line| line.split(';').next()).unwrap_or("passed").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_in_the_messages_of_cargo() {
        let line = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"x","manifest_path":"/stoa/crates/server/Cargo.toml","target":{{"kind":["test"],"test":true}},"profile":{{"opt_level":"0","test":{test}}},"features":[],"executable":{executable},"fresh":true}}"#
            )
        };
        let program =
            TestProgram::reported(&line(true, r#""/target/debug/deps/all-0123abcd""#)).unwrap();
        assert_eq!(program.package, Path::new("/stoa/crates/server"));
        assert_eq!(program.name(), "server/all");
        assert_eq!(TestProgram::reported(&line(false, r#""/target/debug/stoa""#)), None);
        assert_eq!(TestProgram::reported(&line(true, "null")), None);
        assert_eq!(TestProgram::reported(r#"{"reason":"build-finished","success":true}"#), None);
    }

    #[test]
    fn the_number_of_tests_is_read_from_their_output() {
        let output = "\nrunning 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 0 ignored\n\n";
        assert_eq!(passed(output), "2 passed");
        assert_eq!(passed("a program without the usual frame"), "passed");
    }
}
