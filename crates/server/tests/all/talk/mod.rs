//! A server on a free port with a database of its own, and ways to talk to it: HTTP written by hand, where
//! what is on the wire is what is tested, and people who use the API.

pub(crate) mod described;
pub(crate) mod people;
pub(crate) mod world;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use stoa_server::{Assets, Settings};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A server that runs until it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// The token of its own worker, of which there is none.
    pub(crate) worker: String,
    /// The tokens of the engine's levels.
    #[allow(dead_code, reason = "the tests of faults have no engine")]
    pub(crate) engine: Vec<String>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    /// Gone with the server.
    _folder: Option<TempDir>,
}

/// Waits until something is so.
#[allow(dead_code, reason = "the tests of faults have deadlines of their own")]
pub(crate) fn until(what: &str, mut so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !so() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// A little site.
pub(crate) fn site() -> Assets {
    let files = [
        ("index.html", "<html>"),
        ("assets/app-1a2b.js", "script"),
        ("assets/app-1a2b.js.br", "smallest"),
        ("assets/app-1a2b.js.gz", "smaller"),
        ("assets/app-1a2b.css", "style"),
        ("assets/stoa-3c4d.wasm", "module"),
        ("app.webmanifest", "{}"),
        ("icon.svg", "<svg>"),
        ("icon.png", "png"),
        ("data.json", "[]"),
        ("strange", "?"),
        ("orphan.js.br", "compressed, of nothing"),
    ];
    Assets::new(files.map(|(path, text)| (path.to_owned(), Bytes::from_static(text.as_bytes()))))
}

/// Settings for tests: no limits on how many requests there may be.
pub(crate) fn settings(database: &std::path::Path) -> Settings {
    let secret = b"a secret of the tests, long enough".to_vec();
    let mut settings = Settings::new(database.to_string_lossy(), secret);
    settings.rate = None;
    settings
}

/// Runs a statement on the database of a server that is running.
pub(crate) fn run(file: &std::path::Path, statement: &'static str) {
    sqlx::any::install_default_drivers();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let address = format!("sqlite://{}", file.display());
        let pool = sqlx::AnyPool::connect(&address).await.expect("a database");
        sqlx::raw_sql(statement).execute(&pool).await.expect("done");
        pool.close().await;
    });
}

/// A request for a path, with further header lines.
pub(crate) fn get(path: &str, headers: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n")
}

/// A request with a body, and further header lines.
pub(crate) fn post(path: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\
         {headers}\r\n{body}"
    )
}

/// The header line that goes with JSON.
pub(crate) const JSON: &str = "Content-Type: application/json\r\n";

impl Server {
    /// With an empty database.
    pub(crate) fn start(site: Assets) -> Server {
        Server::set(site, |_| {})
    }

    /// With an empty database and settings that are changed.
    pub(crate) fn set(site: Assets, change: impl FnOnce(&mut Settings)) -> Server {
        let folder = tempfile::tempdir().expect("a folder");
        let mut settings = settings(&folder.path().join("stoa.db"));
        change(&mut settings);
        let mut server = Server::with(settings, site);
        server._folder = Some(folder);
        server
    }

    pub(crate) fn with(settings: Settings, site: Assets) -> Server {
        Server::with_engine(settings, site, 0)
    }

    /// With players for this many of the engine's levels, but without an engine that plays.
    pub(crate) fn with_engine(settings: Settings, site: Assets, engine_levels: u8) -> Server {
        let (stop, stopped) = oneshot::channel();
        let (ready, is_ready) = std::sync::mpsc::channel();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a listener");
        let address = listener.local_addr().expect("an address");
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
                let stop = async { stopped.await.unwrap_or_default() };
                let server = stoa_server::Server::start(settings, site).await.expect("a server");
                let engine = server.engine_players(engine_levels).await.expect("players");
                let worker = server.own_worker().await.expect("a token");
                ready.send((worker, engine)).expect("somebody who waits");
                server.serve(listener, stop).await.expect("a server");
            });
        });
        let (worker, engine) = is_ready.recv().expect("a server that starts");
        Server { address, worker, engine, stop: Some(stop), thread: Some(thread), _folder: None }
    }

    /// Sends a text over a connection of its own and reads all that comes back.
    pub(crate) fn ask(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        // The server may have closed before all of a bad request was sent.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Answer::parse(&answer)
    }

    /// Asks it to stop and waits until it has.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().expect("a server that ends well");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Answer {
    fn parse(bytes: &[u8]) -> Answer {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&bytes[..end]);
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
        let header = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            Some((name.to_ascii_lowercase(), value.to_owned()))
        };
        Answer {
            status: status.expect("a status"),
            headers: lines.filter_map(header).collect(),
            body: bytes[end + 4..].to_vec(),
        }
    }

    /// The body, which is JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{text} is no JSON"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}
