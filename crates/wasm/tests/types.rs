//! The page's types of questions and answers are those of Rust.

use std::path::PathBuf;
use std::{env, fs};

/// With `STOA_BLESS` in the environment the file is written instead of compared.
#[test]
fn the_page_has_the_types_of_rust() {
    let file = "../../web/src/lib/worker/questions.generated.ts";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    let wanted = stoa_wasm::typescript::file();
    if env::var_os("STOA_BLESS").is_some() {
        fs::write(&path, &wanted).expect("the page is beside the crate");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "the page's types are not up to date; `STOA_BLESS=1 cargo test -p stoa-wasm --features ts \
         --test types` writes them"
    );
}
