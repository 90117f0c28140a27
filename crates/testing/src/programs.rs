//! Finds programs, and runs them as processes that exit with their owner.

use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Failure;

/// How long a program may take to get ready on a busy machine.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// How long it may take to exit once asked to.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// Folders to search besides the path.
const MORE_FOLDERS: [&str; 3] = ["/usr/local/bin", "/usr/sbin", "/usr/local/sbin"];

/// Finds a program in the path, in system folders or in the given ones.
pub(crate) fn find(
    program: &'static str,
    further: impl IntoIterator<Item = PathBuf>,
    install: &'static str,
) -> Result<PathBuf, Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(MORE_FOLDERS.map(PathBuf::from))
        .chain(further)
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
        .ok_or(Failure::Missing { program, install })
}

/// A free port of this machine.
///
/// # Errors
/// If the system has none.
pub fn free_port() -> Result<u16, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let address = listener.and_then(|listener| listener.local_addr());
    Ok(address.map_err(Failure::system("find a free port"))?.port())
}

/// A program that runs until this is dropped.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    program: String,
    log: PathBuf,
    /// The signal that asks it to exit.
    exit_signal: Signal,
}

impl Running {
    /// Starts a program whose messages go to a file.
    pub(crate) fn start(
        mut command: Command,
        log: &Path,
        exit_signal: Signal,
    ) -> Result<Running, Failure> {
        let program = Path::new(command.get_program()).file_name().unwrap_or_default();
        let program = program.to_string_lossy().into_owned();
        let open = || File::options().create(true).append(true).open(log);
        let file = open().and_then(|file| Ok((file.try_clone()?, file)));
        let (out, err) = file.map_err(Failure::system(format!("write {}", log.display())))?;
        let child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn();
        let child = child.map_err(Failure::system(format!("start {program}")))?;
        Ok(Running { child, program, log: log.to_owned(), exit_signal })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until `ready` returns something.
    pub(crate) fn until<T>(&mut self, mut ready: impl FnMut() -> Option<T>) -> Result<T, Failure> {
        let began = Instant::now();
        loop {
            if let Some(found) = ready() {
                return Ok(found);
            }
            if let Ok(Some(_)) = self.child.try_wait() {
                return Err(self.unready("ended at once"));
            }
            if began.elapsed() > START_TIMEOUT {
                return Err(self.unready("did not get ready"));
            }
            sleep(Duration::from_millis(5));
        }
    }

    fn unready(&self, how: &'static str) -> Failure {
        let said = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = said.lines().collect();
        let said = lines[lines.len().saturating_sub(12)..].join("\n");
        Failure::Unready { program: self.program.clone(), how, said }
    }

    /// Ends it at once: no program can do anything about it.
    pub(crate) fn kill(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Asks it to end, and waits for that.
    pub(crate) fn end(&mut self) {
        let _ = kill_process(Pid::from_child(&self.child), self.exit_signal);
        let began = Instant::now();
        while began.elapsed() < EXIT_TIMEOUT {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            sleep(Duration::from_millis(5));
        }
        self.kill();
    }

    /// Whether it still runs.
    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.is_alive() {
            self.end();
        }
    }
}
