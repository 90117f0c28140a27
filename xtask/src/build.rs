//! Building what `play`, `terminal` and `load` start.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::{built, cargo, run, web};

/// How much is optimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// For playing soon: little but the rules and the engine is optimised.
    Quick,
    /// For releases and measurements: everything is optimised as far as possible.
    Release,
}

impl Profile {
    /// The name for programs.
    fn native(self) -> &'static str {
        match self {
            Profile::Quick => "quick",
            Profile::Release => "release",
        }
    }

    /// The name for the module of the page.
    pub(crate) fn wasm(self) -> &'static str {
        match self {
            Profile::Quick => "wasm-quick",
            Profile::Release => "wasm",
        }
    }

    /// The mode in which the page is built.
    pub(crate) fn page(self) -> &'static str {
        match self {
            Profile::Quick => "quick",
            Profile::Release => "production",
        }
    }

    /// How hard `wasm-opt` tries, if it is worth its time.
    pub(crate) fn wasm_opt(self) -> Option<&'static str> {
        match self {
            Profile::Quick => None,
            Profile::Release => Some("-O3"),
        }
    }
}

/// Builds the program and the page side by side, and returns where the program is.
pub(crate) fn program_and_page(profile: Profile) -> Result<PathBuf> {
    eprintln!(
        "Building Stoa's program and its page. On two cores the first time takes about five minutes; \
         later only what has changed is built."
    );
    let begun = Instant::now();
    let program = std::thread::scope(|scope| {
        let page = scope.spawn(|| web::build(profile));
        let program = programs(profile, &["stoa"]);
        page.join().unwrap_or_else(|_| bail!("the page was not built"))?;
        program
    })?;
    say_if_long("everything", begun.elapsed());
    Ok(program)
}

/// Builds some programs with cargo's own progress, and returns where the first one is.
pub(crate) fn programs(profile: Profile, packages: &[&str]) -> Result<PathBuf> {
    timed("the program", || {
        let mut command = cargo();
        command.args(["build", "--profile", profile.native()]);
        // Cargo shows a bar where it can; elsewhere its lines would only be noise.
        if !std::io::stderr().is_terminal() {
            command.arg("--quiet");
        }
        packages.iter().for_each(|package| {
            command.args(["--package", package]);
        });
        run(&mut command)
    })?;
    built(&format!("{}/{}", profile.native(), packages[0]))
}

/// Does something and says how long it took, unless it took no time.
pub(crate) fn timed<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let begun = Instant::now();
    let done = work()?;
    say_if_long(what, begun.elapsed());
    Ok(done)
}

fn say_if_long(what: &str, took: Duration) {
    if took >= Duration::from_secs(2) {
        eprintln!("built {what} in {}", minutes(took));
    }
}

/// `4 min 10 s`, or `10 s`.
pub(crate) fn minutes(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}
