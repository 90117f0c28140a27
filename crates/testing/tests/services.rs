//! The services start, end and start again.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::TcpStream;

use stoa_testing::{Durability, Nats, Postgres, or_skip};

fn place(address: &str) -> String {
    let place = address.split("://").nth(1).unwrap();
    let place = place.rsplit('@').next().unwrap();
    place.split('/').next().unwrap().to_owned()
}

#[test]
fn postgres_can_be_crashed_and_started_again() {
    let Some(mut postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    let club = postgres.database("club").unwrap();
    assert!(TcpStream::connect(place(&club)).is_ok());
    postgres.crash();
    assert!(TcpStream::connect(place(&club)).is_err());
    postgres.restart().unwrap();
    let again = postgres.database("club").unwrap_err().to_string();
    assert!(again.contains("already exists"), "{again}");
}

#[test]
fn nats_can_be_killed_and_started_again() {
    let Some(mut nats) = or_skip(Nats::start()) else { return };
    let address = place(&nats.address());
    assert!(TcpStream::connect(&address).is_ok());
    nats.kill();
    assert!(TcpStream::connect(&address).is_err());
    nats.restart().unwrap();
    assert!(TcpStream::connect(&address).is_ok());
    drop(nats);
    assert!(TcpStream::connect(&address).is_err());
}
