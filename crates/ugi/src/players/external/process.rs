//! Another program: its lines come in and go out, and it never outlives us.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::lines::{Line, read_line};

/// How many lines may wait to be read; then the program waits with the next one.
const QUEUE_SIZE: usize = 1024;
/// How many of the last bytes it writes to standard error are kept.
const MAX_STDERR: usize = 2_000;
/// How long a program may take to end after `quit`.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);
/// How often a wait looks whether it has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A program that was started.
pub(super) struct Process {
    child: Child,
    /// Nothing after `quit`. A thread writes, so that a program that reads nothing
    /// cannot stop us.
    input: Option<Sender<String>>,
    /// Nothing once nobody listens any more.
    lines: Option<Receiver<Line>>,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    stderr_reader: JoinHandle<()>,
}

/// Why there is no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoLine {
    /// There was none in time.
    TimedOut,
    /// There will be none.
    Ended,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(program: &str, args: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Its own group: what it starts in turn can be ended with it, and Ctrl-C in the terminal
        // reaches us alone, so that a match can end in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("it has no pipes"));
        };
        let (input, to_write) = channel();
        let (received, lines) = sync_channel(QUEUE_SIZE);
        let last_bytes = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&last_bytes);
        std::thread::spawn(move || write_all(stdin, &to_write));
        std::thread::spawn(move || read_all(stdout, &received));
        let stderr_reader = std::thread::spawn(move || keep_last(stderr, &kept));
        Ok(Process {
            child,
            input: Some(input),
            lines: Some(lines),
            stderr: last_bytes,
            stderr_reader,
        })
    }

    /// Sends a line. That nobody reads it shows when an answer is waited for.
    pub(super) fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line that it writes until some moment.
    pub(super) fn next_line(&self, until: Instant) -> Result<Line, NoLine> {
        let Some(lines) = &self.lines else { return Err(NoLine::Ended) };
        let left = until.saturating_duration_since(Instant::now());
        lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::TimedOut,
            RecvTimeoutError::Disconnected => NoLine::Ended,
        })
    }

    /// How it ended, and its last words on standard error.
    pub(super) fn exit_description(&mut self) -> String {
        let end = match self.wait_until(Instant::now() + EXIT_TIMEOUT) {
            Some(status) => format!("{status}"),
            None => "it closed its output".to_owned(),
        };
        // Something that it started may still hold its standard error.
        let deadline = Instant::now() + Duration::from_millis(100);
        while !self.stderr_reader.is_finished() && Instant::now() < deadline {
            std::thread::sleep(POLL_INTERVAL);
        }
        match self.last_stderr_line() {
            None => end,
            Some(words) => format!("{end}; its last words: {words}"),
        }
    }

    /// The last line on standard error that says something.
    fn last_stderr_line(&self) -> Option<String> {
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = stderr.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
        Some(last.trim().to_owned())
    }

    fn wait_until(&mut self, moment: Instant) -> Option<std::process::ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= moment {
                return None;
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Ends it now, and all that it started.
    pub(super) fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id().cast_signed()) {
            // As long as it has not been waited for, the process id cannot belong to another process.
            if matches!(self.child.try_wait(), Ok(None)) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        self.lines = None;
        if self.wait_until(Instant::now() + EXIT_TIMEOUT).is_none() {
            self.kill();
        }
    }
}

fn write_all(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(stdout: ChildStdout, received: &SyncSender<Line>) {
    let mut input = BufReader::new(stdout);
    while let Ok(Some(line)) = read_line(&mut input) {
        if received.send(line).is_err() {
            return;
        }
    }
}

fn keep_last(mut stderr: ChildStderr, kept: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&buffer[..read]);
        let surplus = kept.len().saturating_sub(MAX_STDERR);
        kept.drain(..surplus);
    }
}
