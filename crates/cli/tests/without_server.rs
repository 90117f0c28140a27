//! The program without its server: `cargo test -p stoa --no-default-features --test without_server`.

#![cfg(not(feature = "server"))]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

fn stoa(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stoa")).args(args).output().unwrap()
}

fn refused(args: &[&str]) -> String {
    let output = stoa(args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn serve_says_how_to_get_the_server() {
    for args in [&["serve"][..], &["serve", "--listen", "9000"], &["serve", "backup", "x.db"]] {
        let error = refused(args);
        assert!(error.starts_with("stoa: this program was built without the server; "), "{error}");
        assert!(error.contains("cargo install --path crates/cli"), "{error}");
    }
}

#[cfg(not(feature = "bot"))]
#[test]
fn bot_says_how_to_get_bots() {
    let error = refused(&["bot", "--server", "http://localhost", "--level", "3"]);
    assert!(error.starts_with("stoa: this program was built without bots; "), "{error}");
    assert!(error.contains("--no-default-features --features bot"), "{error}");
}

#[test]
fn everything_else_works() {
    let output = stoa(&["moves", "colonnade"]);
    assert!(output.status.success(), "{output:?}");
}
