//! A conversation with a real process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Long enough for a machine with much else to do; nothing here comes near it.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A conversation with an engine.
pub(crate) struct Talk {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) lines: Receiver<String>,
}

impl Talk {
    pub(crate) fn with(args: &[&str]) -> Talk {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stoa"))
            .arg("ugi")
            .args(args)
            .env("STOA_TABLES", "no-such-tables")
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Talk { input: child.stdin.take(), child, lines }
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(TIMEOUT).expect("the engine says nothing")
    }

    /// Reads on until a line begins with a word, and returns it with all lines before it.
    pub(crate) fn until(&self, word: &str) -> (String, Vec<String>) {
        let mut before = Vec::new();
        loop {
            let line = self.line();
            if line.split_whitespace().next() == Some(word) {
                return (line, before);
            }
            before.push(line);
        }
    }

    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.line()
    }

    /// Searches to the end, and returns the move.
    pub(crate) fn best(&mut self, go: &str) -> String {
        self.send(go);
        let (line, before) = self.until("bestmove");
        let last = before.last().unwrap();
        for word in ["info", "nodes", "time", "nps"] {
            assert!(last.split(' ').any(|part| part == word), "the last word is {last}");
        }
        line["bestmove ".len()..].to_owned()
    }

    /// What an error is answered with; nothing else may be said before it.
    pub(crate) fn error(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        let error = answer.strip_prefix("info string error: ");
        error.unwrap_or_else(|| panic!("{line}: {answer}")).to_owned()
    }

    /// Waits for the process to end, and returns what it said last.
    pub(crate) fn end(mut self) -> (ExitStatus, Vec<String>) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, self.lines.iter().collect());
            }
            assert!(begun.elapsed() < TIMEOUT, "it does not end");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub(crate) fn quit(mut self) {
        self.send("quit");
        let (status, rest) = self.end();
        assert!(status.success());
        assert_eq!(rest, [""; 0], "said after everything was answered");
    }
}

/// Nothing is left running when a test fails.
impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
