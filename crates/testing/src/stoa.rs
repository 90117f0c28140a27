//! `stoa serve` as a process.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;

use crate::Failure;
use crate::programs::{Restartable, Running, on_free_port};

/// A server that can be killed and restarted with the same data, at the same address.
#[derive(Debug)]
pub struct Stoa {
    process: Restartable,
    program: PathBuf,
    data: PathBuf,
    arguments: Vec<String>,
    /// What is done to the command before it starts.
    prepare: fn(&mut Command),
    port: u16,
}

impl Stoa {
    /// Starts the program with its data in an existing folder, and with more arguments of
    /// `stoa serve`, such as `--database` and an address.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(program: &Path, data: &Path, arguments: &[&str]) -> Result<Stoa, Failure> {
        Stoa::start_prepared(program, data, arguments, |_| {})
    }

    /// The same with something done to the command before it starts.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start_prepared(
        program: &Path,
        data: &Path,
        arguments: &[&str],
        prepare: fn(&mut Command),
    ) -> Result<Stoa, Failure> {
        let mut stoa = Stoa {
            process: Restartable::default(),
            program: program.to_owned(),
            data: data.to_owned(),
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            prepare,
            port: 0,
        };
        on_free_port(|port| {
            stoa.port = port;
            stoa.restart()
        })?;
        Ok(stoa)
    }

    /// The URL, such as `http://127.0.0.1:40123`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// The same without `http://`.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Another command of the program on the same database, such as `admin ratings rebuild`.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).arg("--data").arg(&self.data);
        let mut arguments = self.arguments.iter();
        if arguments.any(|argument| argument == "--database") {
            command.arg("--database").args(arguments.next());
        }
        command
    }

    /// The process, while it runs.
    pub fn process(&self) -> Option<u32> {
        self.process.id()
    }

    /// Whether the process that was started here still runs.
    pub fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// The file that its output goes to.
    pub fn log(&self) -> PathBuf {
        self.data.join(format!("log-{}", self.port))
    }

    /// Kills it at once (`kill -9`).
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Asks it to exit with SIGTERM, and waits until it has.
    pub fn end(&mut self) {
        self.process.end();
    }

    /// Restarts it; kills it first if it runs.
    ///
    /// # Errors
    /// If it does not get ready.
    pub fn restart(&mut self) -> Result<(), Failure> {
        self.kill();
        let mut command = Command::new(&self.program);
        command.args(["serve", "--listen", &self.address(), "--data"]).arg(&self.data);
        command.args(&self.arguments);
        // The environment of the person who runs the tests is not meant for this server.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("STOA_") {
                command.env_remove(name);
            }
        }
        (self.prepare)(&mut command);
        let log = self.log();
        let mut running = Running::start(command, &log, Signal::TERM)?;
        let address = self.address();
        running.until(|said| {
            let greeted = said.contains("Stoa is at http://");
            (greeted && TcpStream::connect(&address).is_ok()).then_some(())
        })?;
        self.process.set(running);
        Ok(())
    }
}
