//! An upgrade of a running server: another process takes over, and no game notices.

use std::fs;
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use stoa_client::{Client, TimeControl};
use stoa_rules::playout::Rng;
use stoa_testing::Stoa;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

use super::{begin, play, program, until};

const ARGUMENTS: [&str; 6] = ["--rate", "0", "--engine", "false", "--log-form", "json"];

fn start(data: &Path) -> Stoa {
    Stoa::start(program(), data, &ARGUMENTS).unwrap()
}

pub(super) fn signal(process: u32, signal: Signal) {
    let process = Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
    kill_process(process, signal).unwrap();
}

/// A process that is ended with the test.
pub(super) struct Successor(pub(super) u32);

impl Drop for Successor {
    fn drop(&mut self) {
        signal(self.0, Signal::TERM);
    }
}

/// What the log says before the number of a process.
pub(super) const STARTED: &str = r#""a successor starts","process":"#;
pub(super) const TOOK_OVER: &str = r#""took over","from":"#;

/// The number after a word in the log, such as the one of a process.
pub(super) fn logged(stoa: &Stoa, word: &str) -> Option<u32> {
    let log = fs::read_to_string(stoa.log()).ok()?;
    let rest = log.rsplit_once(word)?.1;
    rest.split(|sign: char| !sign.is_ascii_digit()).find(|part| !part.is_empty())?.parse().ok()
}

/// A socket that watches a game.
struct Watcher {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
}

impl Watcher {
    fn new(client: &Client, game: &str) -> Watcher {
        let address = client.url().replace("http://", "ws://") + "/api/socket";
        let mut request = address.into_client_request().unwrap();
        let (name, value) = client.credentials().unwrap();
        let value = HeaderValue::from_str(&value).unwrap();
        request.headers_mut().insert(HeaderName::from_static(name), value);
        let (mut socket, _) = connect(request).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        }
        let watch = json!({ "t": "watch", "id": 1, "game": game });
        socket.send(Message::text(watch.to_string())).unwrap();
        Watcher { socket }
    }

    /// The next message of one of these kinds.
    fn next(&mut self, kinds: &[&str]) -> Value {
        loop {
            match self.socket.read().unwrap() {
                Message::Text(text) => {
                    let message: Value = serde_json::from_str(&text).unwrap();
                    if kinds.iter().any(|kind| message["t"] == *kind) {
                        return message;
                    }
                }
                Message::Close(frame) => panic!("closed before {kinds:?}: {frame:?}"),
                _ => {}
            }
        }
    }
}

/// Knocks again and again, and counts how often nobody opened.
fn knock(address: String, stop: &Arc<AtomicBool>) -> std::thread::JoinHandle<[usize; 2]> {
    let stop = Arc::clone(stop);
    std::thread::spawn(move || {
        let (tried, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
        while !stop.load(Ordering::Relaxed) {
            tried.fetch_add(1, Ordering::Relaxed);
            let alive = Client::anonymous(&format!("http://{address}")).text("/healthz");
            if alive.is_err() {
                failed.fetch_add(1, Ordering::Relaxed);
            }
        }
        [tried.into_inner(), failed.into_inner()]
    })
}

#[test]
fn a_game_goes_on_while_another_process_takes_over() {
    let data = tempfile::tempdir().unwrap();
    let mut stoa = start(data.path());
    let old = stoa.process().unwrap();
    let [ann, bob] = ["Ann", "Bob"].map(|name| Client::guest(&stoa.url(), name).unwrap());
    let control = TimeControl::Clock { initial: 300, increment: 0 };
    let game = begin(&ann, &bob, "impasse", control).id;
    let mut rng = Rng::new(7);
    let mut watchers = [&ann, &bob].map(|client| Watcher::new(client, &game));
    for watcher in &mut watchers {
        watcher.next(&["game"]);
    }
    for _ in 0..4 {
        let ply = play([&ann, &bob], &game, &mut rng).ply;
        for watcher in &mut watchers {
            assert_eq!(watcher.next(&["update"])["situation"]["ply"], ply);
        }
    }
    let stop = Arc::new(AtomicBool::new(false));
    let knocking = knock(stoa.address(), &stop);

    signal(old, Signal::USR2);
    let new = Successor(until("a successor", || logged(&stoa, STARTED)));
    // The sockets are told to come back, and the first to do so meets the new process; whatever the
    // old one still commits arrives there, too.
    let told: Vec<Value> = watchers.iter_mut().map(|watcher| watcher.next(&["restart"])).collect();
    assert_eq!(told.len(), 2);
    let mut watchers = [&ann, &bob].map(|client| Watcher::new(client, &game));
    for watcher in &mut watchers {
        assert_eq!(watcher.next(&["game"])["game"]["moves"].as_array().unwrap().len(), 4);
    }
    for _ in 0..6 {
        let ply = play([&ann, &bob], &game, &mut rng).ply;
        for watcher in &mut watchers {
            assert_eq!(watcher.next(&["game", "update"])["t"], "update");
        }
        assert!(ply > 4);
    }
    until("the old process ends", || (!stoa.is_alive()).then_some(()));
    stop.store(true, Ordering::Relaxed);
    let [tried, failed] = knocking.join().unwrap();
    assert!(tried > 10, "{tried}");
    assert_eq!(failed, 0, "of {tried} requests during the handover");
    assert_eq!(logged(&stoa, TOOK_OVER), Some(old));
    let log = fs::read_to_string(stoa.log()).unwrap();
    assert!(!log.contains("the service was down"), "{log}");
    // And once more, from the second process to a third.
    signal(new.0, Signal::USR2);
    let third =
        until("a third process", || logged(&stoa, STARTED).filter(|process| *process != new.0));
    let third = Successor(third);
    until("the third takes over", || (logged(&stoa, TOOK_OVER) == Some(new.0)).then_some(()));
    std::mem::forget(new);
    assert_eq!(ann.game(&game).unwrap().moves.len(), 10);
    drop(third);
}

/// A program that cannot start does not end the one that runs.
#[test]
fn a_successor_that_fails_changes_nothing() {
    let data = tempfile::tempdir().unwrap();
    let copy = data.path().join("stoa-copy");
    fs::copy(program(), &copy).unwrap();
    let stoa = Stoa::start(&copy, data.path(), &ARGUMENTS).unwrap();
    let replacement = data.path().join("stoa-broken");
    fs::copy("/bin/false", &replacement).unwrap();
    fs::rename(&replacement, &copy).unwrap();
    signal(stoa.process().unwrap(), Signal::USR2);
    until("the failure is logged", || {
        fs::read_to_string(stoa.log()).ok().filter(|log| log.contains("the successor has failed"))
    });
    assert!(Client::guest(&stoa.url(), "Ann").is_ok());
}

/// Where systemd listens on the server's behalf, it is told who serves, and when.
#[test]
fn systemd_passes_the_socket_and_is_notified_when_ready() {
    use command_fds::{CommandFdExt, FdMapping};
    let data = tempfile::tempdir().unwrap();
    let notified = UnixDatagram::bind(data.path().join("notify")).unwrap();
    notified.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut command = std::process::Command::new(program());
    command
        .args(["serve", "--engine", "false", "--data"])
        .arg(data.path())
        .env("LISTEN_FDS", "1")
        .env_remove("LISTEN_PID")
        .env("NOTIFY_SOCKET", data.path().join("notify"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .fd_mappings(vec![FdMapping { parent_fd: listener.into(), child_fd: 3 }])
        .unwrap();
    // A connection that is made before the server runs waits for it.
    let early = TcpStream::connect(address).unwrap();
    let mut child = command.spawn().unwrap();
    let mut text = [0; 200];
    let length = notified.recv(&mut text).unwrap();
    let said = String::from_utf8_lossy(&text[..length]).into_owned();
    assert!(said.contains("READY=1"), "{said}");
    assert!(said.contains(&format!("MAINPID={}", child.id())), "{said}");
    drop(early);
    assert!(Client::guest(&format!("http://{address}"), "Ann").is_ok());
    child.kill().unwrap();
    child.wait().unwrap();
}
