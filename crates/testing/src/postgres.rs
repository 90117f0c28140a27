//! Postgres with an empty database.

use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Signal, geteuid};
use tempfile::TempDir;

use crate::Failure;
use crate::programs::{Restartable, Running, find, on_free_port};

const INSTALL: &str = "apt-get install postgresql";

/// Whether commits reach the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// They do, as in production: for measurements.
    Durable,
    /// They need not: for tests, which are faster then. Data survives a crash of Postgres, but not of the
    /// machine.
    Forgetful,
}

/// A Postgres server.
#[derive(Debug)]
pub struct Postgres {
    process: Restartable,
    programs: PathBuf,
    folder: TempDir,
    user: Option<(u32, u32)>,
    port: u16,
    durability: Durability,
}

impl Postgres {
    /// Starts one on a free port, with an empty database. Takes a second or two.
    ///
    /// # Errors
    /// If it is not installed or does not start.
    pub fn start(durability: Durability) -> Result<Postgres, Failure> {
        let initdb = find("initdb", versions(), INSTALL)?;
        let programs = initdb.parent().unwrap_or(Path::new("/")).to_owned();
        let folder = tempfile::tempdir().map_err(Failure::system("make a folder"))?;
        let user = user()?;
        if let Some((user, group)) = user {
            let chowned = chown(folder.path(), Some(user), Some(group));
            chowned.map_err(Failure::system("give a folder to the user postgres"))?;
        }
        let process = Restartable::default();
        let mut postgres = Postgres { process, programs, folder, user, port: 0, durability };
        postgres.make()?;
        on_free_port(|port| {
            postgres.port = port;
            postgres.restart()
        })?;
        Ok(postgres)
    }

    /// The database that is there from the start.
    pub fn address(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Creates another, empty database, and returns its address.
    ///
    /// # Errors
    /// If there is one of this name already.
    pub fn database(&self, name: &str) -> Result<String, Failure> {
        let mut command = self.command("createdb")?;
        command.args(["--host", "127.0.0.1", "--username", "postgres", "--port"]);
        finish(command.arg(self.port.to_string()).arg(name), "createdb")?;
        Ok(format!("postgres://postgres@127.0.0.1:{}/{name}", self.port))
    }

    /// Stops it at once, as if it had crashed: like `pg_ctl stop -m immediate`.
    pub fn crash(&mut self) {
        // Its exit signal does just that.
        self.process.end();
    }

    /// Restarts it with the same data; it recovers what was committed.
    ///
    /// # Errors
    /// If it does not get ready.
    pub fn restart(&mut self) -> Result<(), Failure> {
        self.crash();
        let data = self.data();
        let fsync = match self.durability {
            Durability::Durable => "fsync=on",
            Durability::Forgetful => "fsync=off",
        };
        let mut command = self.command("postgres")?;
        command.arg("-D").arg(&data).args(["-p", &self.port.to_string()]);
        for setting in ["listen_addresses=127.0.0.1", "unix_socket_directories=", fsync] {
            command.args(["-c", setting]);
        }
        let log = self.folder.path().join("log");
        let mut running = Running::start(command, &log, Signal::QUIT)?;
        let process = running.id().to_string();
        running.until(|_| is_ready(&data, &process).then_some(()))?;
        self.process.set(running);
        Ok(())
    }

    fn make(&self) -> Result<(), Failure> {
        let mut command = self.command("initdb")?;
        command.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"]);
        command.arg("--no-sync").arg("-D").arg(self.data());
        finish(&mut command, "initdb")
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// One of the programs of Postgres, run as a user that it accepts.
    fn command(&self, program: &'static str) -> Result<Command, Failure> {
        let mut command = Command::new(find(program, [self.programs.clone()], INSTALL)?);
        command.current_dir(self.folder.path());
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        Ok(command)
    }
}

/// Whether this very process accepts connections, according to its status file.
fn is_ready(data: &Path, process: &str) -> bool {
    let Ok(status) = fs::read_to_string(data.join("postmaster.pid")) else { return false };
    let mut lines = status.lines();
    lines.next() == Some(process) && lines.nth(6).is_some_and(|state| state.trim() == "ready")
}

/// Where Debian installs the programs of each version.
fn versions() -> Vec<PathBuf> {
    let Ok(folders) = fs::read_dir("/usr/lib/postgresql") else { return Vec::new() };
    let mut folders: Vec<PathBuf> = folders.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders.into_iter().rev().map(|folder| folder.join("bin")).collect()
}

/// The user to run it as, if this process runs as root.
fn user() -> Result<Option<(u32, u32)>, Failure> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd").map_err(Failure::system("read the users"))?;
    let line = users.lines().find(|line| line.starts_with("postgres:")).ok_or(Failure::NoUser)?;
    let mut fields = line.split(':').skip(2).map(|field| field.parse().ok());
    match (fields.next().flatten(), fields.next().flatten()) {
        (Some(user), Some(group)) => Ok(Some((user, group))),
        _ => Err(Failure::NoUser),
    }
}

fn finish(command: &mut Command, program: &str) -> Result<(), Failure> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(Failure::system(format!("start {program}")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(Failure::Unready { program: program.to_owned(), how: "failed", said })
}
