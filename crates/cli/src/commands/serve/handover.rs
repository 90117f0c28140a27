//! Handover: during an upgrade the new program takes the listening socket over from the old one, so that
//! no connection is refused and no clock notices.
//!
//! On SIGUSR2 a server starts the program again, which may have been replaced, with the same arguments and
//! its own listening socket. When the new process is ready, it ends the old one by SIGTERM: that one tells
//! its sockets to reconnect, which leads them to the new process, and finishes its requests. If the new
//! process fails, the old one goes on. The socket is passed as systemd does it (`LISTEN_FDS`), so that
//! systemd can hold it, too (`deploy/stoa.socket`).

use std::ffi::OsString;
use std::net::TcpListener as StdListener;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use command_fds::{CommandFdExt, FdMapping};
use listenfd::ListenFd;
use rustix::process::{Pid, Signal, getppid, kill_process};
use sd_notify::NotifyState;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

/// The variable with the process that is to be relieved.
const PREDECESSOR: &str = "STOA_PREDECESSOR";
/// The variables of systemd's protocol, and the descriptor that it begins with.
const LISTEN_FDS: &str = "LISTEN_FDS";
const LISTEN_PID: &str = "LISTEN_PID";
const LISTEN_FDNAMES: &str = "LISTEN_FDNAMES";
const FIRST_FD: i32 = 3;
/// How often it is looked whether a new process has failed.
const WATCH_INTERVAL: Duration = Duration::from_millis(100);

/// The socket that systemd or a predecessor has passed, if one has.
pub(super) fn inherited_listener() -> Result<Option<StdListener>> {
    let mut passed = ListenFd::from_env();
    match passed.len() {
        0 => Ok(None),
        1 => {
            let listener =
                passed.take_tcp_listener(0).context("the socket passed is not for TCP")?;
            if let Some(listener) = &listener {
                listener.set_nonblocking(true).context("cannot use the socket")?;
            }
            Ok(listener)
        }
        count => bail!("{count} sockets were passed; stoa listens on one"),
    }
}

/// The process that started this one to be relieved by it.
#[derive(Debug)]
pub(super) struct Predecessor(Pid);

impl Predecessor {
    /// The predecessor, if there is one and it is still the parent of this process.
    pub(super) fn find() -> Option<Predecessor> {
        let named: i32 = std::env::var(PREDECESSOR).ok()?.parse().ok()?;
        let parent = getppid()?;
        (parent.as_raw_nonzero().get() == named).then_some(Predecessor(parent))
    }
}

/// This process serves: systemd is notified, and the predecessor is stopped.
pub(super) fn say_ready(predecessor: Option<Predecessor>) {
    let own = std::process::id();
    let states = [NotifyState::Ready, NotifyState::MainPid(own)];
    if let Err(error) = sd_notify::notify(&states) {
        tracing::warn!(%error, "cannot tell systemd that the server is ready");
    }
    if let Some(Predecessor(old)) = predecessor {
        match kill_process(old, Signal::TERM) {
            Ok(()) => tracing::info!(from = old.as_raw_nonzero().get(), "took over"),
            Err(error) => tracing::error!(%error, "cannot end the process before this one"),
        }
    }
}

/// From now on SIGUSR2 starts a successor that gets the listener.
pub(super) fn prepare(listener: &TcpListener) -> Result<()> {
    let listener = listener.as_fd().try_clone_to_owned().context("cannot keep the socket")?;
    // Its path, not the file itself: that one may have been replaced when the time comes.
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            tracing::warn!(%error, "no handover: cannot tell where this program is");
            return Ok(());
        }
    };
    let arguments = std::env::args_os().skip(1).collect();
    let mut asked = signal(SignalKind::user_defined2())?;
    let handover = Handover { listener, program, arguments };
    tokio::spawn(async move {
        while asked.recv().await.is_some() {
            match handover.start() {
                Ok(successor) => watch(successor).await,
                Err(error) => tracing::error!(error = format!("{error:#}"), "no handover"),
            }
        }
    });
    Ok(())
}

/// What a successor is started with.
#[derive(Debug)]
struct Handover {
    listener: OwnedFd,
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl Handover {
    fn start(&self) -> Result<Child> {
        if std::process::id() == 1 {
            bail!(
                "this is the first process of a container, which ends with it: restart the container"
            );
        }
        let parent_fd = self.listener.try_clone().context("cannot pass the socket on")?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env(PREDECESSOR, std::process::id().to_string())
            .env(LISTEN_FDS, "1")
            .env_remove(LISTEN_PID)
            .env_remove(LISTEN_FDNAMES)
            .fd_mappings(vec![FdMapping { parent_fd, child_fd: FIRST_FD }])
            .context("cannot pass the socket on")?;
        let successor =
            command.spawn().with_context(|| format!("cannot start {}", self.program.display()))?;
        tracing::info!(process = successor.id(), "a successor starts");
        Ok(successor)
    }
}

/// Waits for a successor that fails. One that succeeds ends this process.
async fn watch(mut successor: Child) {
    loop {
        match successor.try_wait() {
            Ok(None) => tokio::time::sleep(WATCH_INTERVAL).await,
            Ok(Some(status)) => {
                return tracing::error!(%status, "the successor has failed; this process continues");
            }
            Err(error) => return tracing::error!(%error, "cannot watch the successor"),
        }
    }
}
