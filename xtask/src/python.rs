//! The Python package: built, installed into an environment of its own, and tested there, with what of training needs
//! no PyTorch.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{install_packages, root, run, succeeds, target_folder};

/// The oldest Python that the package supports.
const MIN_VERSION: &str = "3.10";

/// OpenSpiel has wheels for some systems only; elsewhere its tests are skipped.
const OPEN_SPIEL: &str = "open_spiel==2.0.2";

/// Installs what the checks need, where that is possible.
pub(crate) fn install() -> Result<()> {
    if let Some(python) = find(std::env::var_os("CI").is_some())? {
        Environment::make(python)?;
    }
    Ok(())
}

/// Runs every check of the package. Returns why not, if it cannot be done here.
pub(crate) fn check() -> Result<Option<String>> {
    let is_ci = std::env::var_os("CI").is_some();
    let Some(python) = find(is_ci)? else {
        return Ok(Some(format!("there is no Python {MIN_VERSION} or newer with venv and pip")));
    };
    let Some(environment) = Environment::make(python)? else {
        // Python's packages cannot be downloaded everywhere, and everything else can be checked without them.
        let why = "pip cannot install what the tests need (crates/python/tests/requirements.txt)";
        return Ok(Some(why.to_owned()));
    };
    environment.install_package()?;
    environment.run(&["pytest", "--quiet", "--numprocesses", "2"])?;
    let training = root().join("training").display().to_string();
    environment.run(&["pytest", "--quiet", "-p", "no:cacheprovider", &training])?;
    environment.run(&["mypy", "--strict", "python/stoa", "examples"])?;
    environment.run(&["mypy.stubtest", "stoa._stoa"])?;
    let python = environment.program("python").display().to_string();
    environment.run(&["pyright", "--pythonpath", &python])?;
    Ok(None)
}

/// A Python that is new enough; in CI it is installed if it is missing.
fn find(is_ci: bool) -> Result<Option<&'static str>> {
    let is_usable = |name: &&str| {
        let question = format!(
            "import ensurepip, sys, venv; sys.exit(sys.version_info < ({}))",
            MIN_VERSION.replace('.', ", ")
        );
        succeeds(Command::new(name).args(["-c", &question]))
    };
    let names = ["python3", "python"];
    if !names.iter().any(is_usable) && is_ci {
        install_packages(&["python3", "python3-venv"])?;
    }
    Ok(names.into_iter().find(is_usable))
}

/// A virtual environment with everything that the tests need.
struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment of the last time if it still fits, else a new one; `None` if pip cannot
    /// install what is needed.
    fn make(python: &str) -> Result<Option<Environment>> {
        let environment = Environment { folder: target_folder()?.join("python") };
        let requirements = package().join("tests/requirements.txt");
        let wanted = std::fs::read_to_string(&requirements)
            .with_context(|| format!("cannot read {}", requirements.display()))?;
        let stamp = environment.folder.join("installed.txt");
        let wanted = format!("{wanted}{OPEN_SPIEL}\n");
        if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(Some(environment));
        }
        run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&environment.folder))?;
        let file = requirements.display().to_string();
        if environment.pip(&["--requirement", &file]).is_err() {
            return Ok(None);
        }
        if environment.pip(&["--only-binary", ":all:", OPEN_SPIEL]).is_err() {
            println!("OpenSpiel has no wheel for this system; its tests are skipped");
        }
        std::fs::write(&stamp, wanted).context("cannot note what was installed")?;
        Ok(Some(environment))
    }

    /// Builds the wheel as tests need it, soon and not fast, and installs it.
    fn install_package(&self) -> Result<()> {
        let wheels = self.folder.join("wheels");
        let _ = std::fs::remove_dir_all(&wheels);
        let build = ["build", "--quiet", "--profile", "dev", "--out"];
        run(Command::new(self.program("maturin")).args(build).arg(&wheels).current_dir(package()))?;
        let built = std::fs::read_dir(&wheels).context("there is no wheel")?;
        let built: Vec<PathBuf> = built.filter_map(|entry| Some(entry.ok()?.path())).collect();
        let [wheel] = built.as_slice() else { bail!("there is not one wheel but {}", built.len()) };
        self.pip(&["--force-reinstall", "--no-deps", &wheel.display().to_string()])
    }

    fn pip(&self, args: &[&str]) -> Result<()> {
        let install = ["pip", "install", "--quiet", "--disable-pip-version-check"];
        self.run(&[&install, args].concat())
    }

    /// Runs a module of Python's with arguments, in the folder of the package.
    fn run(&self, module: &[&str]) -> Result<()> {
        run(Command::new(self.program("python")).arg("-m").args(module).current_dir(package()))
    }

    /// A program of the environment.
    fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.folder.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }
}

/// The folder of the package.
fn package() -> PathBuf {
    root().join("crates/python")
}
