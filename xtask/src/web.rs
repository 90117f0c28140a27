//! The web app: the rules and the engine as WebAssembly, the page around them, and its checks.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::build::{Profile, timed};
use crate::{
    AS_TESTED, build_stoa_for_tests, built, cargo, install_packages, root, run, services, succeeds,
    target_folder,
};

/// What the browser runs.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// What the tools of the page need.
const MIN_NODE: (u32, u32) = (20, 19);

/// How many bytes the first visit may load, compressed.
const MAX_FIRST_LOAD: u64 = 400 * 1000;

/// Builds the page into `web/dist`. What has not changed since the last time is left alone.
pub(crate) fn build(profile: Profile) -> Result<()> {
    build_module(profile)?;
    let stamp = Stamp::of_page(profile)?;
    if stamp.is_current() && folder().join("dist/index.html").exists() {
        return Ok(());
    }
    timed("the page", || run(npm().args(["run", "--silent", "build", profile.page()])))?;
    stamp.write()
}

/// Builds the module and makes it ready for the page; what is up to date is left alone.
pub(crate) fn build_module(profile: Profile) -> Result<()> {
    find_node()?;
    if !add_target() {
        bail!("rustup cannot install the target {TARGET}; try `rustup target add {TARGET}`");
    }
    // Npm mostly waits for the network, so the compiler need not wait for npm.
    std::thread::scope(|scope| {
        let packages = scope.spawn(|| install(profile));
        let compiled = compile(profile);
        packages.join().unwrap_or_else(|_| bail!("npm was not waited for"))?;
        compiled
    })?;
    let module = compiled(profile.wasm())?;
    let mut sources = vec![module.clone()];
    if profile == Profile::Release {
        compile_plain()?;
        sources.push(compiled(PLAIN)?);
    }
    let stamp = Stamp::of_module(profile, &sources)?;
    let glue = folder().join("src/wasm");
    let made = glue.join(MODULE);
    let plain = glue.join("stoa_wasm_plain_bg.wasm");
    if stamp.is_current() && made.exists() && plain.exists() == (profile == Profile::Release) {
        return Ok(());
    }
    timed("the module's JavaScript", || {
        let args = ["build", "--quiet", "--profile", "tool", "--package", "xtask-bindgen"];
        run(cargo().args(args))?;
        bind(&module, &glue)?;
        if profile == Profile::Release { bind_plain(&glue, &plain) } else { remove(&plain) }
    })?;
    if let Some(level) = profile.wasm_opt() {
        timed("the module's last optimisation", || {
            optimise(level, &["--enable-simd"], &made)?;
            optimise(level, &[], &plain)
        })?;
    }
    stamp.write()
}

/// The module for browsers, with their vector instructions.
const MODULE: &str = "stoa_wasm_bg.wasm";

/// The profile of the same module for old browsers, which refuse a module with vector instructions.
const PLAIN: &str = "wasm-plain";

fn compile(profile: Profile) -> Result<()> {
    timed("the rules and the engine for the browser", || run(&mut compiler(profile.wasm())))
}

fn compile_plain() -> Result<()> {
    // Without the flags of `.cargo/config.toml`.
    let without_vectors = || run(compiler(PLAIN).env("CARGO_ENCODED_RUSTFLAGS", ""));
    timed("the same for old browsers", without_vectors)
}

fn compiler(profile: &str) -> Command {
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--package", "stoa-wasm", "--profile", profile]);
    cargo.args(["--target", TARGET]);
    cargo
}

/// The module that was compiled with a profile.
fn compiled(profile: &str) -> Result<PathBuf> {
    Ok(target_folder()?.join(TARGET).join(profile).join("stoa_wasm.wasm"))
}

/// Writes a module with its JavaScript into a folder.
fn bind(module: &Path, glue: &Path) -> Result<()> {
    run(Command::new(built("tool/xtask-bindgen")?).args([module, glue]))
}

/// Puts the module for old browsers beside the other one, whose JavaScript must fit both.
fn bind_plain(glue: &Path, plain: &Path) -> Result<()> {
    let own_glue = target_folder()?.join(PLAIN);
    bind(&compiled(PLAIN)?, &own_glue)?;
    let script = |folder: &Path| fs::read(folder.join("stoa_wasm.js"));
    if script(glue)? != script(&own_glue)? {
        bail!("the module for old browsers needs JavaScript of its own");
    }
    fs::copy(own_glue.join(MODULE), plain).context("cannot copy the module for old browsers")?;
    Ok(())
}

/// Removes a file, if it is there.
fn remove(file: &Path) -> Result<()> {
    if file.exists() {
        fs::remove_file(file).with_context(|| format!("cannot remove {}", file.display()))?;
    }
    Ok(())
}

fn optimise(level: &str, features: &[&str], module: &Path) -> Result<()> {
    let optimised = module.with_file_name("optimised.wasm");
    // Plain, without `--all-features`: its output would not run in every browser.
    run(Command::new(folder().join("node_modules/.bin/wasm-opt"))
        .args([level, "--enable-bulk-memory"])
        .args(features)
        .args(["--enable-nontrapping-float-to-int", "--enable-sign-ext"])
        .args(["--enable-mutable-globals", "--enable-reference-types", "--enable-multivalue"])
        // What has a single caller was left alone by the compiler for a reason; inlined, it packs worse by 12 KB.
        .arg("--one-caller-inline-max-function-size=20")
        .args(["--strip-debug", "--strip-producers", "--strip-target-features", "-o"])
        .args([optimised.as_path(), module]))?;
    fs::rename(&optimised, module).context("cannot put the module in its place")
}

/// What something was made from, kept in the target folder until it is made again.
struct Stamp {
    file: PathBuf,
    made_from: String,
}

impl Stamp {
    fn of_module(profile: Profile, modules: &[PathBuf]) -> Result<Stamp> {
        let read =
            |module: &PathBuf| fs::read(module).with_context(|| format!("no {}", module.display()));
        let bytes = modules.iter().map(read).collect::<Result<Vec<_>>>()?;
        Stamp::new("module", profile, &bytes)
    }

    /// Everything in `web` that goes into the page, by name and content: the tools write some of it
    /// anew with every build.
    fn of_page(profile: Profile) -> Result<Stamp> {
        let mut files = Vec::new();
        let generated = ["node_modules", "dist", "tests", "test-results", "playwright-report"];
        collect(
            &folder(),
            &|path| {
                let name = path.strip_prefix(folder()).unwrap_or(path);
                let settings = Path::new("project.inlang/settings.json");
                generated.iter().any(|skip| name == Path::new(skip))
                    || name == Path::new("src/paraglide")
                    || name.starts_with("project.inlang") && !settings.starts_with(name)
            },
            &mut files,
        )?;
        files.sort();
        Stamp::new("page", profile, &files)
    }

    fn new(what: &str, profile: Profile, made_from: &impl Hash) -> Result<Stamp> {
        let mut hasher = DefaultHasher::new();
        made_from.hash(&mut hasher);
        let made_from = format!("{} {:016x}\n", profile.wasm(), hasher.finish());
        Ok(Stamp { file: target_folder()?.join(format!("{what}.stamp")), made_from })
    }

    fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|kept| kept == self.made_from)
    }

    fn write(&self) -> Result<()> {
        fs::write(&self.file, &self.made_from)
            .with_context(|| format!("cannot write {}", self.file.display()))
    }
}

/// Adds all files below a folder with what is in them.
fn collect(
    folder: &Path,
    skip: &dyn Fn(&Path) -> bool,
    files: &mut Vec<(PathBuf, Vec<u8>)>,
) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if skip(&path) {
            continue;
        }
        if path.is_dir() {
            collect(&path, skip, files)?;
        } else {
            let content =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            files.push((path, content));
        }
    }
    Ok(())
}

/// The checks that need no browser.
pub(crate) fn check() -> Result<()> {
    build_module(Profile::Release)?;
    // Both read what this writes.
    npm_run("messages")?;
    // Each of the others keeps one core busy.
    std::thread::scope(|scope| {
        let others = scope.spawn(|| ["lint", "format:check"].into_iter().try_for_each(npm_run));
        let first = ["check", "test"].into_iter().try_for_each(npm_run);
        first.and(others.join().unwrap_or_else(|_| bail!("the page was not linted")))
    })?;
    build(Profile::Release)?;
    check_size()
}

/// The checks in a real browser, with the page and the programs that have been built; says why if they
/// cannot be made here.
pub(crate) fn check_in_browser() -> Result<Option<String>> {
    if !find_browser()? {
        let why = "no chromium here; install it, or name one in CHROMIUM, to make this check";
        return Ok(Some(why.to_owned()));
    }
    browser_tests(&[]).map(|()| None)
}

/// Makes the page's types of the HTTP API again, from its description.
pub(crate) fn write_api_types() -> Result<()> {
    install(Profile::Release)?;
    npm_run("api")
}

/// Takes new screenshots of the boards, to be compared with in later tests. Returns whether there is a
/// browser to take them with.
pub(crate) fn bless_screenshots() -> Result<bool> {
    if !find_browser()? {
        return Ok(false);
    }
    build(Profile::Release)?;
    build_programs_for_browser()?;
    browser_tests(&["--", "boards", "--update-snapshots"]).map(|()| true)
}

/// Builds the programs with which the page is tested as they are compiled for tests: they serve it.
pub(crate) fn build_programs_for_browser() -> Result<()> {
    build_stoa_for_tests()?;
    let example = ["--example", "two_nodes"];
    run(cargo().args(["test", "--no-run", "--quiet"]).args(AS_TESTED).args(example))
}

fn browser_tests(args: &[&str]) -> Result<()> {
    let mut tests = npm();
    tests.args(["run", "--silent", "test:browser"]).args(args).env("STOA", built("debug/stoa")?);
    if services::find()? {
        tests.env("TWO_NODES", built("debug/examples/two_nodes")?);
    }
    run(&mut tests)
}

/// Whether there is a browser; in CI it is installed, with the quicker one that most tests use where it is
/// (`tests/browsers.ts`).
fn find_browser() -> Result<bool> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Ok(Path::new(&named).exists());
    }
    let packages = ["chromium", "chromium-headless-shell"];
    let [is_there, is_quick] = packages.map(|name| Path::new("/usr/bin").join(name).exists());
    if std::env::var_os("CI").is_some() && !(is_there && is_quick) {
        // Some distributions have only the first.
        install_packages(&packages).or_else(|_| install_packages(&packages[..1]))?;
    }
    Ok(Path::new("/usr/bin/chromium").exists())
}

/// Whether the browser's target is installed now.
pub(crate) fn add_target() -> bool {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()).output();
    let is_there = sysroot.is_ok_and(|output| {
        let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        sysroot.join("lib/rustlib").join(TARGET).join("lib").is_dir()
    });
    is_there || succeeds(Command::new("rustup").args(["target", "add", TARGET]))
}

/// Says so if there is no Node, or too old a one.
fn find_node() -> Result<()> {
    let (major, minor) = MIN_NODE;
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
    Ok(())
}

/// Installs the packages that the lock file names, unless they are there.
pub(crate) fn install(profile: Profile) -> Result<()> {
    let lock = folder().join("package-lock.json");
    let installed = folder().join("node_modules");
    // Playing needs what builds the page; `wasm-opt`, and what checks the page, come with the rest.
    let (missing, quick): (_, &[&str]) = match profile {
        Profile::Quick => (false, &["--omit=dev"]),
        Profile::Release => (!installed.join(".bin/wasm-opt").exists(), &[]),
    };
    if !missing && is_newer(&installed.join(".package-lock.json"), &lock) {
        return Ok(());
    }
    // `npm ci` wants the optional packages of all systems in the lock file, and not every registry
    // has them; this installs what the lock file has and leaves it alone.
    let quietly = ["--no-save", "--no-audit", "--no-fund", "--loglevel", "error"];
    timed("the page's packages", || {
        run(npm().arg("install").args(quietly).args(quick))
            .context("get npm with Node from https://nodejs.org")
    })
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

/// Checks the size of a first visit, which the build has written to a file.
fn check_size() -> Result<()> {
    let file = folder().join("dist/first-load.txt");
    let text = fs::read_to_string(&file).context("the build has not written what it loads")?;
    print!("{text}");
    let total = text.lines().last().and_then(|line| line.split_whitespace().next());
    let total: u64 = total.and_then(|bytes| bytes.parse().ok()).context("no total size")?;
    if total > MAX_FIRST_LOAD {
        bail!("the first load takes {total} bytes compressed; {MAX_FIRST_LOAD} are allowed");
    }
    Ok(())
}
