//! `cargo xtask bless`: writes all expected output anew, to be read as a difference before it is kept.

use anyhow::Result;

use crate::{cargo, pictures, run, web};

/// The variable with which a test writes what it expects instead of comparing it.
const BLESS: &str = "STOA_BLESS";

/// The tests that keep expected output in files: package and arguments of `cargo test`.
const TESTS: [(&str, &[&str]); 7] = [
    ("stoa-rules", &["--test", "goldens"]),
    ("stoa-engine", &["--test", "docs"]),
    ("stoa-draw", &["--lib", "graph"]),
    ("stoa-server", &["--test", "all", "documentation"]),
    ("stoa-wasm", &["--test", "types"]),
    ("stoa-wasm", &["--test", "judgements"]),
    ("stoa", &["--test", "cli", "transcripts"]),
];

/// Writes everything anew, and says where to look.
pub(crate) fn all() -> Result<()> {
    for (package, args) in TESTS {
        println!("── {package} {}", args.join(" "));
        let mut command = cargo();
        command.args(["test", "--quiet", "--all-features", "--package", package]).args(args);
        run(command.env(BLESS, "1"))?;
    }
    println!("── pictures");
    pictures::draw()?;
    println!("── types of the API for the page");
    web::write_api_types()?;
    println!("── screenshots");
    if !web::bless_screenshots()? {
        println!("skipped: no chromium here");
    }
    println!("Read the diff before you commit it: git diff");
    Ok(())
}
