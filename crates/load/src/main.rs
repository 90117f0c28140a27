//! `stoa-load`: a server under load. `cargo xtask load` builds and runs it.

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    command::main()
}

#[cfg(not(unix))]
fn main() {
    eprintln!("stoa-load needs a Unix system: it kills and measures processes");
}

#[cfg(unix)]
mod command;
