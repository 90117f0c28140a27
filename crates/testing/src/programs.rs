//! Finds programs, and runs them on free ports, as processes that exit with their owner.

use std::collections::hash_map::RandomState;
use std::fs::{self, File};
use std::hash::{BuildHasher as _, Hasher as _};
use std::net::{Ipv4Addr, TcpListener};
use std::ops::Range;
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

/// The ports to choose from. Systems give higher ones to outgoing connections: one of those could be gone before
/// the program has it, or while the program is restarted.
const PORTS: Range<u16> = 10_000..32_000;
/// How many of them are tried.
const MAX_PORTS_TRIED: u32 = 20;

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

/// Starts something on a free port, and on another one if somebody else was quicker to take that.
pub(crate) fn on_free_port<T>(
    mut start: impl FnMut(u16) -> Result<T, Failure>,
) -> Result<T, Failure> {
    for _ in 1..MAX_PORTS_TRIED {
        match start(free_port()?) {
            Err(failure) if failure.is_port_taken() => {}
            started => return started,
        }
    }
    start(free_port()?)
}

/// A port that is free now.
fn free_port() -> Result<u16, Failure> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    // Each hasher of the standard library has keys of its own.
    let random = || RandomState::new().build_hasher().finish();
    let count = u64::from(PORTS.end - PORTS.start);
    let mut ports = (0..MAX_PORTS_TRIED).filter_map(|_| u16::try_from(random() % count).ok());
    if let Some(port) = ports.find_map(|port| bind(PORTS.start + port).ok()?.local_addr().ok()) {
        return Ok(port.port());
    }
    let address = bind(0).and_then(|listener| listener.local_addr());
    Ok(address.map_err(Failure::system("find a free port"))?.port())
}

/// A program that runs until this is dropped.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    program: String,
    log: PathBuf,
    /// How long the log was before.
    log_start: u64,
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
        let file = open().and_then(|file| Ok((file.metadata()?.len(), file.try_clone()?, file)));
        let (log_start, out, err) =
            file.map_err(Failure::system(format!("write {}", log.display())))?;
        let child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn();
        let child = child.map_err(Failure::system(format!("start {program}")))?;
        Ok(Running { child, program, log: log.to_owned(), log_start, exit_signal })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until `ready` returns something, given what the program has written.
    pub(crate) fn until<T>(
        &mut self,
        mut ready: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        let began = Instant::now();
        loop {
            if let Some(found) = ready(&self.said()) {
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

    /// What it has written since it was started.
    fn said(&self) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        let start = usize::try_from(self.log_start).unwrap_or(usize::MAX);
        String::from_utf8_lossy(log.get(start..).unwrap_or_default()).into_owned()
    }

    fn unready(&self, how: &'static str) -> Failure {
        let said = self.said();
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

/// A program that can be killed and restarted.
#[derive(Debug, Default)]
pub(crate) struct Restartable {
    running: Option<Running>,
}

impl Restartable {
    /// This is what runs now.
    pub(crate) fn set(&mut self, running: Running) {
        self.running = Some(running);
    }

    /// The process, while it runs.
    pub(crate) fn id(&self) -> Option<u32> {
        self.running.as_ref().map(Running::id)
    }

    /// Whether the process that was started last still runs.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.running.as_mut().is_some_and(Running::is_alive)
    }

    /// Kills it at once (`kill -9`).
    pub(crate) fn kill(&mut self) {
        if let Some(mut running) = self.running.take() {
            running.kill();
        }
    }

    /// Asks it to exit, and waits until it has.
    pub(crate) fn end(&mut self) {
        if let Some(mut running) = self.running.take() {
            running.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_is_taken_is_given_up() {
        let taken = |said: &str| Failure::Unready {
            program: "postgres".to_owned(),
            how: "ended at once",
            said: said.to_owned(),
        };
        let mut ports = Vec::new();
        let started = on_free_port(|port| {
            assert!(PORTS.contains(&port));
            ports.push(port);
            match ports.len() {
                1 => Err(taken("could not bind: Address already in use")),
                2 => Err(taken(
                    "cannot listen on 127.0.0.1:8473: another program uses this port; try --listen \
                     127.0.0.1:8474",
                )),
                _ => Ok(port),
            }
        });
        assert_eq!(started.expect("a port"), ports[2]);
        assert_eq!(ports.len(), 3);
        let mut count = 0;
        let failed = on_free_port::<()>(|_| {
            count += 1;
            Err(taken("no such user"))
        });
        assert!(failed.is_err());
        assert_eq!(count, 1, "another port would not help");
    }
}
