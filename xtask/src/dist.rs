//! `cargo xtask dist`: builds what is released, and packs it (`xtask/dist`).
//!
//! Programs are linked statically with the GNU C library, so that one file runs on every Linux and in an
//! empty container. SQLite and ring are C, so each processor needs a C compiler: that of this machine, and
//! `gcc-aarch64-linux-gnu` with `libc6-dev-arm64-cross` of Debian for the other.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::build::{Profile, timed};
use crate::{built, cargo, root, run, succeeds, target_folder, web};

/// Something that programs are released for.
struct Target {
    architecture: &'static str,
    /// Rust's name.
    name: &'static str,
    /// The C compiler for it elsewhere.
    cross_compiler: &'static str,
    /// The package of Debian with that.
    package: &'static str,
    flags: &'static str,
}

const TARGETS: [Target; 2] = [
    Target {
        architecture: "x86_64",
        name: "x86_64-unknown-linux-gnu",
        cross_compiler: "x86_64-linux-gnu-gcc",
        package: "gcc-x86-64-linux-gnu libc6-dev-amd64-cross",
        // The processor is that of `.cargo/config.toml`, which these flags replace.
        flags: "-C target-feature=+crt-static -C target-cpu=x86-64-v2",
    },
    Target {
        architecture: "aarch64",
        name: "aarch64-unknown-linux-gnu",
        cross_compiler: "aarch64-linux-gnu-gcc",
        package: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
        flags: "-C target-feature=+crt-static",
    },
];

/// Builds the page and the programs, and packs them into `target/dist`. With `--test` everything is then
/// installed and run; with `--only ARCHITECTURE` only that one is built.
pub(crate) fn dist(args: &[&str]) -> Result<()> {
    let (mut test, mut only) = (false, None);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match *arg {
            "--test" => test = true,
            "--only" => only = args.next(),
            other => bail!("`cargo xtask dist` has no option '{other}'; it has --test and --only"),
        }
    }
    let targets: Vec<&Target> = TARGETS
        .iter()
        .filter(|target| only.is_none_or(|only| *only == target.architecture))
        .collect();
    ensure!(!targets.is_empty(), "--only needs x86_64 or aarch64");
    // What is missing is said before anything is built.
    let linkers = targets.iter().map(|target| target.compiler()).collect::<Result<Vec<_>>>()?;
    web::build(Profile::Release)?;
    let mut pack = cargo();
    // Compressing takes minutes if the program that does it is not optimised.
    pack.args(["run", "--quiet", "--release", "--package", "xtask-dist", "--"]);
    for (target, linker) in targets.iter().zip(linkers) {
        let program = timed(target.name, || target.build(linker))?;
        pack.arg("--program").arg(format!("{}={}", target.architecture, program.display()));
    }
    pack.arg("--out").arg(target_folder()?.join("dist"));
    if test {
        pack.arg("--test");
    }
    run(&mut pack)
}

impl Target {
    /// The C compiler that is needed besides this machine's own.
    fn compiler(&self) -> Result<Option<&'static str>> {
        if self.architecture == std::env::consts::ARCH {
            return Ok(None);
        }
        let Target { cross_compiler, package, name, .. } = self;
        ensure!(
            succeeds(Command::new(cross_compiler).arg("--version")),
            "{name} needs the C compiler {cross_compiler}: apt-get install {package}"
        );
        Ok(Some(cross_compiler))
    }

    fn build(&self, compiler: Option<&str>) -> Result<PathBuf> {
        let name = self.name;
        run(Command::new("rustup").args(["target", "add", name]))
            .with_context(|| format!("rustup cannot install the target {name}"))?;
        let mut command = cargo();
        command.args(["build", "--release", "--locked", "--package", "stoa", "--target", name]);
        command.current_dir(root()).env("RUSTFLAGS", self.flags);
        if let Some(compiler) = compiler {
            let variable = name.replace('-', "_");
            command.env(format!("CC_{variable}"), compiler);
            command.env(format!("CARGO_TARGET_{}_LINKER", variable.to_uppercase()), compiler);
        }
        run(&mut command)?;
        built(&format!("{name}/release/stoa"))
    }
}
