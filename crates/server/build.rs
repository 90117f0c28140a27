//! Embeds the web app again when it was built again. Only release builds embed it; debug builds and
//! those of the profile `quick` read its files when they start.

use std::env;
use std::path::Path;

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
}
