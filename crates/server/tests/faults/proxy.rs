//! A network that fails on demand: a TCP proxy in the test's process, in the style of toxiproxy.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::reordering::Reordering;

/// How often a connection that carries nothing looks at what is wrong with the network.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// What is wrong with the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weather {
    /// Nothing.
    Fair,
    /// Everything takes this many milliseconds longer, in each direction.
    Slow(u64),
    /// Nothing arrives, until the weather changes; then everything does.
    Stalled,
    /// Some messages arrive after later ones; only on the way to NATS.
    Reordered,
    /// All connections are cut, and no new ones are made.
    Cut,
    /// Nothing arrives any more on any connection, and nobody is told, not even when the weather is fair
    /// again: then only new connections work.
    Vanished,
}

/// A proxy, until it is dropped.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    pub(crate) protocol: Protocol,
    state: Arc<Mutex<State>>,
}

/// What a proxy understands of what it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    Any,
    Nats,
}

struct State {
    weather: Weather,
    /// How often connections have vanished; those from before are dead.
    vanished: u64,
    connections: Vec<TcpStream>,
    is_over: bool,
}

impl Proxy {
    /// A proxy for a service on this machine.
    pub(crate) fn start(target: SocketAddr, protocol: Protocol) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state =
            State { weather: Weather::Fair, vanished: 0, connections: Vec::new(), is_over: false };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if lock(&shared).is_over {
                    return;
                }
                accept(client, target, protocol, &shared);
            }
        });
        Proxy { address, protocol, state }
    }

    pub(crate) fn set(&self, weather: Weather) {
        let mut state = lock(&self.state);
        // Those that were made while everything vanished are as dead as the others.
        state.vanished += u64::from([weather, state.weather].contains(&Weather::Vanished));
        state.weather = weather;
        if weather == Weather::Cut {
            for connection in state.connections.drain(..) {
                let _ = connection.shutdown(Shutdown::Both);
            }
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.set(Weather::Cut);
        lock(&self.state).is_over = true;
        // The listener notices by one more connection.
        let _ = TcpStream::connect(self.address);
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(client: TcpStream, target: SocketAddr, protocol: Protocol, state: &Arc<Mutex<State>>) {
    if lock(state).weather == Weather::Cut {
        return;
    }
    let Ok(server) = TcpStream::connect(target) else { return };
    let born = lock(state).vanished;
    for stream in [&client, &server] {
        let _ = stream.set_nodelay(true);
    }
    for (from, to, is_answer) in [(&client, &server, false), (&server, &client, true)] {
        let (Ok(from), Ok(to), Ok(kept)) = (from.try_clone(), to.try_clone(), from.try_clone())
        else {
            return;
        };
        lock(state).connections.push(kept);
        let state = Arc::clone(state);
        let reordering = (is_answer && protocol == Protocol::Nats).then(Reordering::default);
        thread::spawn(move || carry(from, to, born, reordering, &state));
    }
}

/// Carries what comes, as the weather allows.
fn carry(
    mut from: TcpStream,
    mut to: TcpStream,
    born: u64,
    mut reordering: Option<Reordering>,
    state: &Mutex<State>,
) {
    let mut buffer = [0; 16 * 1024];
    if reordering.is_some() {
        // What is held back is passed on even if nothing comes.
        let _ = from.set_read_timeout(Some(LOOK_INTERVAL));
    }
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => 0,
            Err(_) => break,
        };
        let weather = loop {
            let (weather, vanished) = {
                let state = lock(state);
                (state.weather, state.vanished)
            };
            if vanished > born {
                // What is sent is swallowed, and the other end still believes that somebody is there.
                let _ = from.set_read_timeout(None);
                while matches!(from.read(&mut buffer), Ok(1..)) {}
                return;
            }
            match weather {
                Weather::Stalled => thread::sleep(LOOK_INTERVAL),
                Weather::Slow(millis) if count > 0 => {
                    thread::sleep(Duration::from_millis(millis));
                    break weather;
                }
                Weather::Slow(_)
                | Weather::Fair
                | Weather::Reordered
                | Weather::Cut
                | Weather::Vanished => break weather,
            }
        };
        let sent = match &mut reordering {
            Some(reordering) => {
                to.write_all(&reordering.pass(&buffer[..count], weather == Weather::Reordered))
            }
            None => to.write_all(&buffer[..count]),
        };
        if sent.is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
