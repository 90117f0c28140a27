//! The web app: the rules and the engine as WebAssembly, the page around them, and its checks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::{
    build_stoa_for_tests, built, cargo, install_packages, root, run, services, succeeds,
    target_folder,
};

/// What the browser runs.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// What the tools of the page need.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// The first visit may load so much, compressed, in bytes.
const FIRST_LOAD: u64 = 400 * 1000;

/// Builds the page into `web/dist`.
pub(crate) fn build() -> Result<()> {
    build_module()?;
    eprintln!("Building the page …");
    npm_run("build")
}

/// Builds the module and makes it ready for the page; what is up to date is left alone.
pub(crate) fn build_module() -> Result<()> {
    find_node()?;
    if !add_target() {
        bail!("rustup cannot install the target {TARGET}; try `rustup target add {TARGET}`");
    }
    install()?;
    eprintln!("Building the rules and the engine for the browser …");
    let args = ["build", "--quiet", "--package", "stoa-wasm", "--profile", "wasm"];
    run(cargo().args(args).args(["--target", TARGET]))?;
    let module = target_folder()?.join(TARGET).join("wasm/stoa_wasm.wasm");
    let glue = folder().join("src/wasm");
    let made = glue.join("stoa_wasm_bg.wasm");
    if is_newer(&made, &module) {
        return Ok(());
    }
    let result = Bindgen::new()
        .input_path(&module)
        .web(true)
        .and_then(|bindgen| bindgen.typescript(true).generate(&glue));
    result.context("wasm-bindgen cannot make the glue code")?;
    let optimised = glue.join("optimised.wasm");
    // Plain, without `--all-features`: its output would not run in every browser.
    run(Command::new(folder().join("node_modules/.bin/wasm-opt"))
        .args(["-O3", "--enable-simd", "--enable-bulk-memory", "--enable-nontrapping-float-to-int"])
        .args(["--enable-sign-ext", "--enable-mutable-globals", "--enable-reference-types"])
        .args(["--enable-multivalue", "-o"])
        .args([&optimised, &made]))?;
    fs::rename(&optimised, &made).context("cannot put the module in its place")
}

/// The checks that need no browser.
pub(crate) fn check() -> Result<()> {
    build_module()?;
    for script in ["messages", "check", "lint", "format:check", "test", "build"] {
        npm_run(script)?;
    }
    check_size()
}

/// The checks in a real browser; tells why if they cannot be made here.
pub(crate) fn check_in_browser() -> Result<Option<String>> {
    if !find_browser()? {
        let why = "no chromium here; install it, or name one in CHROMIUM, to make this check";
        return Ok(Some(why.to_owned()));
    }
    build()?;
    // The page is also tested as the program serves it.
    let mut tests = npm();
    tests.args(["run", "--silent", "test:browser"]).env("STOA", build_stoa_for_tests()?);
    if services::find()? {
        let example = ["--package", "stoa-testing", "--example", "two_nodes"];
        run(cargo().args(["build", "--quiet"]).args(example))?;
        tests.env("TWO_NODES", built("debug/examples/two_nodes")?);
    }
    run(&mut tests).map(|()| None)
}

/// Whether there is a browser; in CI one is installed.
fn find_browser() -> Result<bool> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = named.unwrap_or_else(|| PathBuf::from("/usr/bin/chromium"));
    if path.exists() {
        return Ok(true);
    }
    if std::env::var_os("CI").is_none() {
        return Ok(false);
    }
    install_packages(&["chromium"])?;
    Ok(path.exists())
}

/// Whether the browser's target is installed now.
pub(crate) fn add_target() -> bool {
    succeeds(Command::new("rustup").args(["target", "add", TARGET]))
}

/// Says so if there is no Node, or too old a one.
fn find_node() -> Result<()> {
    let (major, minor) = OLDEST_NODE;
    let needed = format!("the web app needs Node {major}.{minor} or newer with npm");
    let how = "get it from https://nodejs.org or from your system's packages";
    let output = Command::new("node").arg("--version").output();
    let Ok(output) = output else { bail!("{needed}, and there is no `node` here; {how}") };
    let found = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut numbers = found.trim_start_matches('v').split('.').map(|part| part.parse().ok());
    let version: (Option<u32>, Option<u32>) = (numbers.next().flatten(), numbers.next().flatten());
    if version < (Some(major), Some(minor)) {
        bail!("{needed}, and the one here is {found}; {how}");
    }
    if !succeeds(Command::new("npm").arg("--version")) {
        bail!("{needed}, and there is no `npm` here; {how}");
    }
    Ok(())
}

/// Installs the packages that the lock file names, unless they are there.
fn install() -> Result<()> {
    let lock = folder().join("package-lock.json");
    if is_newer(&folder().join("node_modules/.package-lock.json"), &lock) {
        return Ok(());
    }
    eprintln!("Installing the web app's packages …");
    // `npm ci` wants the optional packages of all systems in the lock file, and not every registry
    // has them; this installs what the lock file has and leaves it alone.
    let quietly = ["--no-save", "--no-audit", "--no-fund", "--loglevel", "error"];
    run(npm().arg("install").args(quietly))
}

fn npm_run(script: &str) -> Result<()> {
    run(npm().args(["run", "--silent", script]))
}

fn npm() -> Command {
    let mut command = Command::new("npm");
    command.current_dir(folder());
    command
}

fn folder() -> PathBuf {
    root().join("web")
}

/// Whether a file exists and is not older than another.
fn is_newer(file: &Path, than: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    matches!((time(file), time(than)), (Some(file), Some(than)) if file >= than)
}

/// Adds up what a first visit loads, as the build wrote it down.
fn check_size() -> Result<()> {
    let file = folder().join("dist/first-load.txt");
    let text = fs::read_to_string(&file).context("the build has not told what it loads")?;
    print!("{text}");
    let total = text.lines().last().and_then(|line| line.split_whitespace().next());
    let total: u64 = total.and_then(|bytes| bytes.parse().ok()).context("no total size")?;
    if total > FIRST_LOAD {
        bail!("the first load takes {total} bytes compressed; {FIRST_LOAD} are allowed");
    }
    Ok(())
}
