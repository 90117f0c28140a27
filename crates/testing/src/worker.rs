//! `stoa worker` as a process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;

use crate::Failure;
use crate::programs::{Restartable, Running};

/// A worker that reviews games for a server, one at a time. It can be killed and restarted with the same token.
#[derive(Debug)]
pub struct Worker {
    process: Restartable,
    program: PathBuf,
    server: String,
    token: String,
    log: PathBuf,
}

impl Worker {
    /// Starts the program for the server at a URL; its output goes to a file.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(program: &Path, server: &str, token: &str, log: &Path) -> Result<Worker, Failure> {
        let mut worker = Worker {
            process: Restartable::default(),
            program: program.to_owned(),
            server: server.to_owned(),
            token: token.to_owned(),
            log: log.to_owned(),
        };
        worker.restart()?;
        Ok(worker)
    }

    /// Whether the process that was started last still runs.
    pub fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// Everything that it has written since it was started first.
    pub fn output(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Kills it at once (`kill -9`).
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Asks it to exit with SIGTERM, and waits until it has: it gives its job back.
    pub fn end(&mut self) {
        self.process.end();
    }

    /// Restarts it; kills it first if it runs.
    ///
    /// # Errors
    /// If it does not start.
    pub fn restart(&mut self) -> Result<(), Failure> {
        self.kill();
        let mut command = Command::new(&self.program);
        command.args(["worker", "--server", &self.server, "--jobs", "1"]);
        command.env("STOA_TOKEN", &self.token);
        self.process.set(Running::start(command, &self.log, Signal::TERM)?);
        Ok(())
    }
}
