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
    _data: tempfile::TempDir,
}

impl Served {
    fn start() -> Served {
        let data = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_stoa"))
            .args(["serve", "--listen", "127.0.0.1:0", "--engine", "false", "--data"])
            .arg(data.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned();
        Served { child, address, _data: data }
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
fn the_server_prints_its_address_and_answers_there() {
    let served = Served::start();
    assert!(served.get("/healthz").ends_with("\r\n\r\nok\n"));
    // With or without a built web app, something is said.
    let front = served.get("/");
    assert!(front.starts_with("HTTP/1.1 200") || front.contains("cargo xtask web"), "{front}");
    assert!(served.get("/nowhere").starts_with("HTTP/1.1 404"));
}

#[test]
fn the_server_stops_cleanly_on_a_signal() {
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
        .args(["serve", "--listen", &served.address, "--data"])
        .arg(served._data.path())
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

/// What `stoa serve` says when it does not start.
fn refused(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_stoa"))
        .arg("serve")
        .args(arguments)
        .env_remove("STOA_SECRET")
        .output()
        .unwrap();
    assert_ne!(output.status.code(), Some(0));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn unusable_options_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let config = folder.path().join("stoa.toml");
    let config = config.to_str().unwrap();
    let told = |text: &str| {
        std::fs::write(config, text).unwrap();
        refused(&["--config", config, "--data", data])
    };
    assert!(told("lisen = \"9000\"").contains("unknown field `lisen`"));
    assert!(told("listen = \"everywhere\"").contains("write an address such as"));
    assert!(told("public-url = \"stoa.example\"").contains("neither https:// nor http://"));
    assert!(told("log = \"loud?\"").contains("write error, warn, info"));
    assert!(
        told("database = \"mysql://me:word@host/stoa\"").contains("not the address of a database")
    );
    assert!(!told("database = \"mysql://me:word@host/stoa\"").contains("word"), "no passwords");
    let missing = folder.path().join("missing");
    let said = refused(&["--data", data, "--secret-file", missing.to_str().unwrap()]);
    assert!(said.contains("cannot read the secret"), "{said}");
    std::fs::write(folder.path().join("secret"), "short").unwrap();
    assert!(refused(&["--data", data, "--listen", "0"]).contains("at least 32"));
    assert!(refused(&["--config", "no-such-file"]).contains("cannot read the configuration"));
}

#[test]
fn the_secret_is_made_once_and_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let served = Served::start();
    let secret = served._data.path().join("secret");
    assert!(std::fs::read(&secret).unwrap().len() >= 32);
    assert_eq!(secret.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn the_database_is_copied_while_it_is_in_use() {
    let served = Served::start();
    let copy = served._data.path().join("copy.db");
    let back_up = || {
        Command::new(env!("CARGO_BIN_EXE_stoa"))
            .args(["serve", "backup"])
            .arg(&copy)
            .arg("--data")
            .arg(served._data.path())
            .output()
            .unwrap()
    };
    let output = back_up();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read(&copy).unwrap().starts_with(b"SQLite format 3"));
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(copy.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let again = back_up();
    assert!(String::from_utf8_lossy(&again.stderr).contains("already exists"));
    assert!(served.get("/readyz").ends_with("ready\n"));
}

/// Runs `stoa serve` with a subcommand; returns its exit code, and what it says.
fn serve(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_stoa")).arg("serve").args(arguments).output();
    let output = output.unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_backup_of_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let copy = path("copy.db");
    // A folder that is not there, one that is empty, a file that is no database, an empty database.
    std::fs::create_dir(path("empty")).unwrap();
    std::fs::write(path("text"), "Dear diary").unwrap();
    std::fs::write(path("none.db"), "").unwrap();
    for (place, said) in [
        (["--data", &path("missing")], "there is no database"),
        (["--data", &path("empty")], "there is no database"),
        (["--database", &path("text")], "not a usable database"),
        (["--database", &path("none.db")], "no games of Stoa"),
        (["--database", "postgres://host/stoa"], "pg_dump"),
    ] {
        let (code, told) = serve(&[&["backup", &copy][..], &place[..]].concat());
        assert_ne!(code, Some(0), "{place:?}: {told}");
        assert!(told.contains(said), "{place:?}: {told}");
    }
    let mut left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["empty", "none.db", "text"], "and nothing is written");
    assert_eq!(std::fs::read_dir(path("empty")).unwrap().count(), 0);
}

#[test]
fn a_backup_is_checked_and_restored() {
    let mut served = Served::start();
    let data = served._data.path().to_owned();
    let data = data.to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    let copy = copy.to_str().unwrap();
    let (code, said) = serve(&["backup", copy, "--data", data]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("0 games, 0 events, schema 15"), "{said}");
    let (code, said) = serve(&["check-backup", copy]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = serve(&["restore", copy, "--data", data]);
    assert_ne!(code, Some(0), "a server is running: {said}");
    assert!(said.contains("is in use"), "{said}");
    served.signal(Signal::TERM);
    let (code, said) = serve(&["restore", copy, "--data", data]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("the old one is"), "{said}");
    // A copy that is damaged is refused, and replaces nothing.
    let bytes = std::fs::read(copy).unwrap();
    let bad = folder.path().join("bad.db");
    std::fs::write(&bad, &bytes[..bytes.len() - 4096]).unwrap();
    for command in [
        &["check-backup", bad.to_str().unwrap()][..],
        &["restore", bad.to_str().unwrap(), "--data", data],
    ] {
        let (code, said) = serve(command);
        assert_ne!(code, Some(0), "{command:?}: {said}");
    }
    assert_eq!(std::fs::read(format!("{data}/stoa.db")).unwrap(), bytes);
}

#[test]
fn a_set_up_is_checked_without_touching_it() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (code, said) = serve(&["--check", "--listen", "0", "--data", data.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("will be created") && !data.exists(), "{said}");
    let served = Served::start();
    let used = served._data.path().to_str().unwrap();
    let (code, said) = serve(&["--check", "--listen", &served.address, "--data", used]);
    assert_ne!(code, Some(0));
    assert!(said.contains("another program uses this port"), "{said}");
    assert!(said.contains("has schema 15") && said.contains("can be written"), "{said}");
    let nats = ["--nats", "nats://127.0.0.1:9", "--behind-proxy", "--public-url", "https://x"];
    let (code, said) = serve(&[&["--check", "--listen", "0", "--data", used][..], &nats].concat());
    assert_ne!(code, Some(0));
    assert!(said.contains("cannot reach nats://127.0.0.1:9"), "{said}");
}
