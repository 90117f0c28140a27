//! `stoa serve` as it is started, asked and stopped.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

/// A server on a free port, ended when the test ends.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start() -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stoa"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned();
        Served { child, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn signal(&mut self, signal: Signal) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn it_says_where_it_is_and_answers_there() {
    let served = Served::start();
    assert!(served.get("/healthz").ends_with("\r\n\r\nok\n"));
    // With or without a built web app, something is said.
    let front = served.get("/");
    assert!(front.starts_with("HTTP/1.1 200") || front.contains("cargo xtask web"), "{front}");
    assert!(served.get("/nowhere").starts_with("HTTP/1.1 404"));
}

#[test]
fn it_ends_well_when_asked_to() {
    for signal in [Signal::INT, Signal::TERM] {
        let mut served = Served::start();
        served.get("/healthz");
        assert_eq!(served.signal(signal), Some(0), "{signal:?}");
    }
}

#[test]
fn a_port_in_use_is_named_with_another_to_try() {
    let served = Served::start();
    let output = Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(["serve", "--listen", &served.address])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said.contains(&format!("cannot listen on {}: another program", served.address)),
        "{said}"
    );
    assert!(said.contains("try --listen 127.0.0.1:"), "{said}");
    assert!(output.stdout.is_empty());
}
