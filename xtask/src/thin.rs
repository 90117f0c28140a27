//! The program without the server: nothing of the server is in it.

use anyhow::{Context, Result, bail, ensure};

use crate::{cargo, run};

/// What the program needs only to serve or to play online.
const HEAVY: [&str; 5] = ["axum", "sqlx", "async-nats", "tokio", "ureq"];

/// Looks at what the program depends on, and compiles it as far as is needed to know that it can be built.
/// (A whole build would take minutes. What the program says for want of a server is tested in
/// `crates/cli/src/commands/missing.rs`.)
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
    run(cargo().args(["check", "--quiet"]).args(thin))
}
