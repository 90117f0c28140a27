//! A network that fails on demand: a TCP proxy in the test's process, in the style of toxiproxy.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

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
    /// All connections are cut, and no new ones are made.
    Cut,
    /// Nothing arrives any more on any connection, and nobody is told, not even when the weather is fair
    /// again: then only new connections work.
    Vanished,
}

/// A proxy, until it is dropped.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    state: Arc<Mutex<State>>,
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
    pub(crate) fn start(target: SocketAddr) -> Proxy {
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
                accept(client, target, &shared);
            }
        });
        Proxy { address, state }
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

fn accept(client: TcpStream, target: SocketAddr, state: &Arc<Mutex<State>>) {
    if lock(state).weather == Weather::Cut {
        return;
    }
    let Ok(server) = TcpStream::connect(target) else { return };
    let born = lock(state).vanished;
    for stream in [&client, &server] {
        let _ = stream.set_nodelay(true);
    }
    for (from, to) in [(&client, &server), (&server, &client)] {
        let (Ok(from), Ok(to), Ok(kept)) = (from.try_clone(), to.try_clone(), from.try_clone())
        else {
            return;
        };
        lock(state).connections.push(kept);
        let state = Arc::clone(state);
        thread::spawn(move || carry(from, to, born, &state));
    }
}

/// Carries what comes, as the weather allows.
fn carry(mut from: TcpStream, mut to: TcpStream, born: u64, state: &Mutex<State>) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        loop {
            let (weather, vanished) = {
                let state = lock(state);
                (state.weather, state.vanished)
            };
            if vanished > born {
                // What is sent is swallowed, and the other end still believes that somebody is there.
                while matches!(from.read(&mut buffer), Ok(1..)) {}
                return;
            }
            match weather {
                Weather::Stalled => thread::sleep(LOOK_INTERVAL),
                Weather::Slow(millis) => {
                    thread::sleep(Duration::from_millis(millis));
                    break;
                }
                Weather::Fair | Weather::Cut | Weather::Vanished => break,
            }
        }
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
