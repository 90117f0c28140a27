//! Two nodes of one service with Postgres and NATS, for tests in browsers and to try things out by hand:
//!
//! ```sh
//! cargo build && cargo run -p stoa-testing --example two_nodes target/debug/stoa
//! ```
//!
//! It prints the addresses of the nodes, a line each, and ends everything when its input ends (Ctrl-D).

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use stoa_testing::{Durability, Failure, Nats, Postgres, Stoa};

fn main() -> ExitCode {
    let Some(program) = std::env::args_os().nth(1) else {
        eprintln!("Name the program to serve with, such as target/debug/stoa.");
        return ExitCode::from(2);
    };
    match run(&PathBuf::from(program)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(program: &Path) -> Result<(), Failure> {
    let system = |what: &str| {
        let what = what.to_owned();
        move |why| Failure::System { what, why }
    };
    let postgres = Postgres::start(Durability::Forgetful)?;
    let nats = Nats::start()?;
    // One folder for both: what cookies are signed with is in it.
    let data = tempfile::tempdir().map_err(system("make a folder"))?;
    let (database, bus) = (postgres.address(), nats.address());
    let arguments = ["--database", &database, "--nats", &bus, "--rate", "0"];
    let node = || Stoa::start(program, data.path(), &arguments);
    let nodes = [node()?, node()?];
    let addresses: String = nodes.iter().map(|node| format!("{}/\n", node.url())).collect();
    let mut out = std::io::stdout();
    let told = out.write_all(addresses.as_bytes()).and_then(|()| out.flush());
    told.map_err(system("tell where they are"))?;
    std::io::stdin().read_to_end(&mut Vec::new()).map_err(system("wait"))?;
    Ok(())
}
