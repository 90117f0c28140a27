//! NATS, which carries messages between nodes.

use std::path::PathBuf;
use std::process::Command;

use rustix::process::Signal;
use tempfile::TempDir;

use crate::Failure;
use crate::programs::{Restartable, Running, find, on_free_port};

/// A NATS server.
#[derive(Debug)]
pub struct Nats {
    process: Restartable,
    program: PathBuf,
    folder: TempDir,
    port: u16,
}

impl Nats {
    /// Starts one on a free port.
    ///
    /// # Errors
    /// If it is not installed or does not start.
    pub fn start() -> Result<Nats, Failure> {
        let install = "apt-get install nats-server";
        let program = find("nats-server", [], install)?;
        let folder = tempfile::tempdir().map_err(Failure::system("make a folder"))?;
        let mut nats = Nats { process: Restartable::default(), program, folder, port: 0 };
        on_free_port(|port| {
            nats.port = port;
            nats.restart()
        })?;
        Ok(nats)
    }

    /// The address for nodes.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it at once.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Restarts it on the same port.
    ///
    /// # Errors
    /// If it does not get ready.
    pub fn restart(&mut self) -> Result<(), Failure> {
        self.kill();
        let mut command = Command::new(&self.program);
        command.args(["--addr", "127.0.0.1", "--port", &self.port.to_string()]);
        let log = self.folder.path().join("log");
        let mut running = Running::start(command, &log, Signal::TERM)?;
        // Whoever else had the port would accept connections, too.
        running.until(|said| said.contains("Server is ready").then_some(()))?;
        self.process.set(running);
        Ok(())
    }
}
