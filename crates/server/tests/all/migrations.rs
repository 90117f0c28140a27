//! Databases of every released schema are brought up to date without losing anything.
//!
//! `released/N.sql` is what a server of schema N may have kept. When a new file comes into `migrations/`, a
//! new one comes into `released/`; neither is changed after its release.

use std::path::Path;

use serde_json::json;
use sqlx::migrate::Migrator;
use stoa_testing::{Durability, Postgres, or_skip};

use crate::talk::people::Person;
use crate::talk::{self, Server};

const MIGRATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
const RELEASED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/released");

/// The schemas that there have been, and what was kept by them.
fn released() -> Vec<(i64, String)> {
    let files = std::fs::read_dir(RELEASED).expect("a folder");
    let mut released: Vec<_> = files
        .map(|file| {
            let path = file.expect("a file").path();
            let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
            (number.expect("a number"), std::fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    released.sort();
    released
}

/// Makes a database as a server of that schema has left it.
fn leave_behind(address: &str, schema: i64, content: &str) {
    sqlx::any::install_default_drivers();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let pool = sqlx::AnyPool::connect(address).await.expect("a database");
        let mut migrator = Migrator::new(Path::new(MIGRATIONS)).await.expect("migrations");
        migrator.migrations.to_mut().retain(|migration| migration.version <= schema);
        migrator.run(&pool).await.expect("tables");
        for statement in content.lines().filter(|line| line.starts_with("INSERT")) {
            let statement = sqlx::AssertSqlSafe(statement.to_owned());
            sqlx::query(statement).execute(&pool).await.expect("a row");
        }
        pool.close().await;
    });
}

/// A server of today finds everything.
fn find_everything(address: &str) {
    let server = Server::with(talk::settings(Path::new(address)), talk::site());
    let mut eve = Person::new(server.address, "Eve");
    let running = eve.look("running");
    assert_eq!(running["moves"], json!(["1b<", "1g>"]));
    assert_eq!(running["players"][1], json!({ "id": "bob", "name": "Bob", "kind": "account" }));
    assert_eq!(eve.look("ended")["result"], json!({ "winner": "second", "reason": "resigned" }));
    assert_eq!(eve.get("/api/games").1["games"][0]["id"], "running");
    let (status, game) = eve.post("/api/challenges/wish/accept", &json!({}));
    assert_eq!((status, &game["game"]), (200, &json!("palisade:9")), "{game}");
}

#[test]
fn there_is_an_example_of_every_schema() {
    let migrations = std::fs::read_dir(MIGRATIONS).expect("a folder").count();
    assert_eq!(released().len(), migrations);
}

#[test]
fn sqlite_of_every_schema() {
    for (schema, content) in released() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db");
        leave_behind(&format!("sqlite://{}?mode=rwc", file.display()), schema, &content);
        find_everything(&file.to_string_lossy());
    }
}

#[test]
fn postgres_of_every_schema() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    for (schema, content) in released() {
        let address = postgres.database(&format!("schema{schema}")).expect("a database");
        leave_behind(&address, schema, &content);
        find_everything(&address);
    }
}

/// Games that were counted before positions were kept are counted again, and found by their positions.
#[test]
fn games_of_before_are_found_by_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stoa.db");
    let (_, next) = released().into_iter().find(|(schema, _)| *schema == 12).expect("a schema");
    let is_of_before = |line: &&str| !line.contains("archive_positions");
    let content: Vec<&str> = next.lines().filter(is_of_before).collect();
    leave_behind(&format!("sqlite://{}?mode=rwc", file.display()), 11, &content.join("\n"));
    let server = Server::with(talk::settings(&file), talk::site());
    let eve = Person::stranger(server.address);
    // Another corner than the one that was played.
    let path = "/api/archive?game=palisade:9&position=b8/9/9/9/9/9/9/9/9%20w";
    let began = std::time::Instant::now();
    while eve.get(path).1["games"][0]["id"] != "archived" {
        assert!(began.elapsed().as_secs() < 20, "{}", eve.get(path).1);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let (_, explored) = eve.get("/api/explorer?game=palisade:9");
    assert_eq!(explored["moves"].as_array().map(Vec::len), Some(1), "{explored}");
    assert_eq!(
        (&explored["moves"][0]["won"], &explored["moves"][0]["lost"]),
        (&json!(1), &json!(0))
    );
}

/// A row that this program does not understand is an error of its own request and of no other.
#[test]
fn unknown_words_in_the_database_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stoa.db");
    let (schema, content) = released().pop().expect("a schema");
    let content = content.replace("'second', 'resigned'", "'second', 'boredom'");
    leave_behind(&format!("sqlite://{}?mode=rwc", file.display()), schema, &content);
    let server = Server::with(talk::settings(&file), talk::site());
    let eve = Person::new(server.address, "Eve");
    let (status, error) = eve.get("/api/games/ended");
    assert_eq!((status, &error["code"]), (503, &json!("unavailable")), "{error}");
    assert_eq!(eve.look("running")["moves"], json!(["1b<", "1g>"]));
}

/// An older program does not touch what a newer one has made.
#[test]
fn a_database_from_the_future_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stoa.db");
    let address = format!("sqlite://{}?mode=rwc", file.display());
    leave_behind(&address, i64::MAX, "");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let pool = sqlx::AnyPool::connect(&address).await.expect("a database");
        sqlx::query(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (9999, 'of tomorrow', true, x'00', 1)",
        )
        .execute(&pool)
        .await
        .expect("a row");
        pool.close().await;
        let started = stoa_server::Server::start(talk::settings(&file), talk::site()).await;
        let error = started.expect_err("refused").to_string();
        assert!(error.contains("schema 9999") && error.contains("a newer version of Stoa"), "{error}");
    });
}
