//! Starts what tests of the server need: Postgres, NATS, the server itself and its workers, each as a real process on
//! a free port of this machine, which exits when the value is dropped.
//!
//! ```no_run
//! # fn example() -> Result<(), stoa_testing::Failure> {
//! use stoa_testing::{Durability, Postgres, or_skip};
//!
//! let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return Ok(()) };
//! let address = postgres.database("club")?;
//! assert!(address.starts_with("postgres://"));
//! # Ok(())
//! # }
//! ```
//!
//! | module | what |
//! |---|---|
//! | `programs` | finding programs, free ports, processes that exit with their owner |
//! | `postgres`, `nats` | the two services of a server with many nodes |
//! | `stoa`, `worker` | `stoa serve` and `stoa worker`, killed and started again |

#![cfg(unix)]

mod nats;
mod postgres;
mod programs;
mod stoa;
mod worker;

use std::path::PathBuf;

pub use nats::Nats;
pub use postgres::{Durability, Postgres};
pub use stoa::Stoa;
pub use worker::Worker;

/// Something could not be started.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It is not installed.
    #[error("there is no program {program} here; `{install}` installs it")]
    Missing {
        /// What was looked for.
        program: &'static str,
        /// A command that installs it.
        install: &'static str,
    },
    /// The system failed.
    #[error("cannot {what}: {why}")]
    System {
        /// What was attempted.
        what: String,
        /// What the system says.
        why: std::io::Error,
    },
    /// It exited, or did not get ready in time.
    #[error("{program} {how}; its last output:\n{said}")]
    Unready {
        /// Which program.
        program: String,
        /// How it went.
        how: &'static str,
        /// The last lines that it has written.
        said: String,
    },
    /// Postgres does not run as root, and there is no other user to run it as.
    #[error("Postgres does not run as root, and there is no user called postgres")]
    NoUser,
}

impl Failure {
    /// Whether something else has its port.
    fn is_port_taken(&self) -> bool {
        const IN_OTHER_WORDS: [&str; 2] =
            ["address already in use", "another program uses this port"];
        let Failure::Unready { said, .. } = self else { return false };
        let said = said.to_ascii_lowercase();
        IN_OTHER_WORDS.iter().any(|words| said.contains(words))
    }

    pub(crate) fn system(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Failure {
        let what = what.into();
        move |why| Failure::System { what, why }
    }
}

/// What was started, or nothing if it is not installed: then the test prints that and passes. Where tests
/// must not be skipped (the variable `CI` is set), and for any other failure, this panics.
///
/// # Panics
/// See above.
pub fn or_skip<T>(started: Result<T, Failure>) -> Option<T> {
    match started {
        Ok(started) => Some(started),
        Err(failure @ Failure::Missing { .. }) if std::env::var_os("CI").is_none() => {
            eprintln!("skipped: {failure}");
            None
        }
        Err(failure) => panic!("{failure}"),
    }
}

/// The program `stoa` beside the tests that are running, for tests of other packages.
pub fn built_stoa() -> Option<PathBuf> {
    // A test is TARGET/PROFILE/deps/NAME, a program TARGET/PROFILE/NAME.
    let here = std::env::current_exe().ok()?;
    here.ancestors().skip(1).take(2).map(|folder| folder.join("stoa")).find(|path| path.is_file())
}
