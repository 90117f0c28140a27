//! NATS, which carries messages between nodes.

use std::net::{Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::process::Command;

use rustix::process::Signal;
use tempfile::TempDir;

use crate::Failure;
use crate::programs::{Running, find, free_port};

/// A NATS server.
#[derive(Debug)]
pub struct Nats {
    running: Option<Running>,
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
        let mut nats = Nats { running: None, program, folder, port: free_port()? };
        nats.restart()?;
        Ok(nats)
    }

    /// The address for nodes.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it at once.
    pub fn kill(&mut self) {
        if let Some(mut running) = self.running.take() {
            running.kill();
        }
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
        running.until(|| TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok())?;
        self.running = Some(running);
        Ok(())
    }
}
