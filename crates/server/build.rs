//! Embeds the web app again when it was built again, and the puzzles of the page. Only release builds embed the
//! app; debug builds and those of the profile `quick` read its files when they start.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The page's puzzles, a file for each game or for each of its boards.
const PUZZLES: &str = "../../web/src/pages/puzzles/data";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    // Cargo tells a build script only which of its own two profiles another one inherits.
    let is_quick = env::var_os("OUT_DIR").is_some_and(|folder| {
        Path::new(&folder).components().any(|part| part.as_os_str() == "quick")
    });
    if is_release && !is_quick {
        println!("cargo::rerun-if-changed=../../web/dist");
    }
    println!("cargo::rerun-if-changed={PUZZLES}");
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).expect("Cargo names a folder");
    fs::write(folder.join("puzzles.rs"), puzzle_files()).expect("the folder can be written");
}

/// A list of the files, which the compiler includes.
fn puzzle_files() -> String {
    let folder =
        env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).expect("Cargo names a folder");
    let found = fs::read_dir(folder.join(PUZZLES)).expect("the page has puzzles");
    let mut files: Vec<PathBuf> = found.flatten().map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let lines: Vec<String> = files.iter().map(|file| format!("include_str!({file:?})")).collect();
    format!("&[{}]", lines.join(", "))
}
