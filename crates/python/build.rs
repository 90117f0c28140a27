//! Tells the linker of macOS that Python itself has what is missing.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
