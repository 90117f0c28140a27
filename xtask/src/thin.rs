//! The program without the server: nothing of the server is in it, and it says so when it is asked to
//! serve.

use std::process::{Command, Output};

use anyhow::{Context, Result, bail, ensure};

use crate::{built, cargo, run};

/// What the program needs only to serve or to play online.
const HEAVY: [&str; 5] = ["axum", "sqlx", "async-nats", "tokio", "ureq"];

/// What it says when it is asked for what it was built without.
const REFUSED: [(&[&str], &str); 6] = [
    (&["serve"], "stoa: this program was built without the server; "),
    (&["serve", "--listen", "9000"], "stoa: this program was built without the server; "),
    (&["serve", "backup", "x.db"], "stoa: this program was built without the server; "),
    (&["admin", "accounts"], "stoa: this program was built without the server; "),
    (
        &["bot", "--server", "http://localhost", "--level", "3"],
        "stoa: this program was built without bots; ",
    ),
    (&["worker", "--server", "http://localhost"], "stoa: this program was built without bots; "),
];

/// Builds the program and tries it out. Not as a test of the package: what tests depend on would be
/// compiled anew with it, the server included.
pub(crate) fn check() -> Result<()> {
    let thin = ["--package", "stoa", "--no-default-features"];
    let tree =
        cargo().arg("tree").args(thin).args(["--edges", "normal", "--prefix", "none"]).output();
    let tree = tree.context("cannot start cargo")?.stdout;
    let tree = String::from_utf8_lossy(&tree);
    let packages: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    if !packages.contains(&"stoa-rules") {
        bail!("`cargo tree` does not say what the program depends on");
    }
    for heavy in HEAVY {
        ensure!(!packages.contains(&heavy), "the program without the server depends on {heavy}");
    }
    run(cargo().args(["build", "--quiet", "--profile", "tool"]).args(thin))?;
    for (args, beginning) in REFUSED {
        let output = stoa(args)?;
        let error = String::from_utf8_lossy(&output.stderr);
        let is_refused = output.status.code() == Some(2) && output.stdout.is_empty();
        let says_how =
            error.starts_with(beginning) && error.contains("cargo install --path crates/cli");
        ensure!(is_refused && says_how, "`stoa {}` says: {output:?}", args.join(" "));
    }
    let output = stoa(&["moves", "colonnade"])?;
    ensure!(output.status.success(), "`stoa moves colonnade` says: {output:?}");
    Ok(())
}

fn stoa(args: &[&str]) -> Result<Output> {
    let program = built("tool/stoa")?;
    Command::new(&program)
        .args(args)
        .output()
        .with_context(|| format!("cannot start {}", program.display()))
}
