//! Whether the server says truly that it can serve, and who can read its files.

use std::time::{Duration, Instant};

use crate::talk::people::Person;
use crate::talk::{self, Server, get};

fn until_ready(server: &Server, wanted: u16) {
    let began = Instant::now();
    while server.ask(&get("/readyz", "")).status != wanted {
        assert!(began.elapsed() < Duration::from_secs(60), "/readyz does not become {wanted}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_database_that_another_process_holds_is_not_ready() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("stoa.db");
    let server = Server::with(talk::settings(&database), talk::site());
    until_ready(&server, 200);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let _entered = runtime.enter();
    sqlx::any::install_default_drivers();
    let address = format!("sqlite://{}", database.display());
    let pool = runtime.block_on(sqlx::AnyPool::connect(&address)).expect("a database");
    let mut other = runtime.block_on(pool.acquire()).expect("a connection");
    runtime
        .block_on(sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *other))
        .expect("the write lock");
    until_ready(&server, 503);
    runtime.block_on(sqlx::raw_sql("ROLLBACK").execute(&mut *other)).expect("released");
    until_ready(&server, 200);
    Person::new(server.address, "Ann");
}

#[cfg(unix)]
#[test]
fn only_its_owner_can_read_the_database() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("stoa.db");
    let mode = |suffix: &str| {
        let file = format!("{}{suffix}", database.display());
        std::fs::metadata(file).expect("a file").permissions().mode() & 0o777
    };
    let mut server = Server::with(talk::settings(&database), talk::site());
    Person::new(server.address, "Ann");
    assert_eq!(["", "-wal", "-shm"].map(mode), [0o600; 3]);
    server.stop();
    // One that an earlier version has left readable, and one that was opened to a group on purpose.
    for (before, after) in [(0o644, 0o600), (0o664, 0o600), (0o640, 0o640)] {
        std::fs::set_permissions(&database, PermissionsExt::from_mode(before)).expect("changed");
        let mut server = Server::with(talk::settings(&database), talk::site());
        assert_eq!(mode(""), after, "it was {before:o}");
        server.stop();
    }
}

#[test]
fn https_stays_https() {
    let header = |url: Option<&str>| {
        let url = url.map(str::to_owned);
        let server = Server::set(talk::site(), |settings| settings.public_url = url);
        let answer = server.ask(&get("/", ""));
        answer.header("strict-transport-security").map(str::to_owned)
    };
    assert_eq!(header(Some("https://stoa.example")).as_deref(), Some("max-age=31536000"));
    assert_eq!(header(Some("http://stoa.example")), None);
    assert_eq!(header(None), None);
}
