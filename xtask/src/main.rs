//! `cargo xtask`: one place for what a newcomer, a maintainer and the CI do with this repository.

mod bless;
mod build;
mod checks;
mod pictures;
mod python;
mod services;
mod test_programs;
mod thin;
mod web;

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use build::Profile;

const HELP: &str = "\
cargo xtask COMMAND

  play [ARGS…]   build Stoa with its web app and serve it (arguments go to `stoa serve`)
  terminal [ARGS…]
                 build Stoa and play in this terminal (arguments go to `stoa play`)
  load ARGS…     put a server under load, or kill it again and again: `cargo xtask load --help`
  web            build the web app into web/dist
  test           run every check: format, lints, tests, docs, thin, wasm, web, browser, python,
                 pictures, licences
  test NAME…     run only the checks of these names
  test --fast    only the tests
  bless          write all expected output anew: goldens, transcripts, docs, pictures
  pictures       draw the pictures of the README and the docs anew
  help           print this

`play` and `terminal` build with the profile `quick`: the engine at full speed, all else as soon as
possible. `cargo build --release` builds what is released and measured.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["play", rest @ ..] => {
            return start(build::program_and_page(Profile::Quick), "serve", rest);
        }
        ["terminal", rest @ ..] => {
            return start(build::programs(Profile::Quick, &["stoa"]), "play", rest);
        }
        ["load", rest @ ..] => return load(rest),
        ["test"] => checks::run_all(),
        ["test", "--fast"] => checks::run_fast(),
        ["test", names @ ..] => checks::run_named(names),
        ["web"] => web::build(Profile::Release),
        ["bless"] => bless::all(),
        ["pictures"] => pictures::draw(),
        ["help" | "--help" | "-h"] | [] => {
            println!("{HELP}");
            Ok(())
        }
        [other, ..] => Err(anyhow::anyhow!("there is no command '{other}'\n\n{HELP}")),
    };
    exit_code(done)
}

fn exit_code(done: Result<()>) -> ExitCode {
    done.map_or_else(failure, |()| ExitCode::SUCCESS)
}

fn failure(error: anyhow::Error) -> ExitCode {
    eprintln!("xtask: {error:#}");
    ExitCode::FAILURE
}

/// Starts a command of the program, which reports its own errors.
fn start(program: Result<PathBuf>, command: &str, args: &[&str]) -> ExitCode {
    let started = || -> Result<bool> {
        let mut stoa = Command::new(program?);
        let status = stoa.arg(command).args(args).status().context("cannot start stoa")?;
        Ok(status.success())
    };
    match started() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(error) => failure(error),
    }
}

/// Builds the program and the tool that puts it under load, and starts the tool.
fn load(args: &[&str]) -> ExitCode {
    let started = || -> Result<Option<i32>> {
        eprintln!("Building Stoa and the load tool as for a release, which takes many minutes …");
        let tool = build::programs(Profile::Release, &["stoa-load", "stoa"])?;
        let status = Command::new(tool).args(args).status();
        Ok(status.context("cannot start the load tool")?.code())
    };
    match started() {
        Ok(code) => code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1).into(),
        Err(error) => failure(error),
    }
}

/// Builds the program as tests use it, in a fraction of the time, and returns where it is.
fn build_stoa_for_tests() -> Result<PathBuf> {
    // As a test of its package: a plain build would leave out what tests depend on, and with it some
    // features of dependencies, and compile much of it anew.
    run(cargo().args(["test", "--no-run", "--quiet"]).args(AS_TESTED).args(["--test", "cli"]))?;
    built("debug/stoa")
}

/// What the tests are compiled for. With fewer packages or features, dependencies would be compiled anew.
const AS_TESTED: [&str; 2] = ["--workspace", "--all-features"];

/// A program that cargo has built.
fn built(program: &str) -> Result<PathBuf> {
    Ok(target_folder()?.join(format!("{program}{}", std::env::consts::EXE_SUFFIX)))
}

/// Where cargo puts what it builds.
fn target_folder() -> Result<PathBuf> {
    // This program is TARGET/debug/xtask.
    let here = std::env::current_exe().context("cannot tell where this program is")?;
    let folder = here.parent().and_then(|profile| profile.parent());
    Ok(folder.context("this program is not in a target folder")?.to_owned())
}

/// The root of the repository.
fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map(PathBuf::from).unwrap_or(manifest)
}

/// The cargo that runs this program, in the root of the repository.
fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    // What is compiled once needs no notes for the next time.
    if std::env::var_os("CI").is_some() && std::env::var_os("CARGO_INCREMENTAL").is_none() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Runs a command that must succeed.
fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot start {name}"))?;
    if !status.success() {
        let args: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy()).collect();
        bail!("`{name} {}` failed", args.join(" "));
    }
    Ok(())
}

/// Installs Debian packages; only in CI, on a machine of its own.
fn install_packages(packages: &[&str]) -> Result<()> {
    // Two at once would find each other's locks.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _installing = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    run(Command::new("apt-get").args(["update", "--quiet"]))?;
    let install = ["install", "--yes", "--quiet", "--no-install-recommends"];
    run(Command::new("apt-get").args(install).args(packages))
}

/// Whether a command can be run and succeeds; its output is dropped.
fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|done| done.success())
}
