//! `xtask-bindgen MODULE FOLDER`: writes the module with its JavaScript and types into the folder.
//!
//! It is a program of its own because its dependencies take longer to build than all of `xtask`, and
//! most commands of `xtask` do not need them.

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = args.as_slice() else { bail!("usage: xtask-bindgen MODULE FOLDER") };
    Bindgen::new()
        .input_path(module)
        .web(true)
        .and_then(|bindgen| bindgen.typescript(true).remove_name_section(true).generate(folder))
        .context("wasm-bindgen cannot make the glue code")
}
