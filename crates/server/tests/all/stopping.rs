//! How the server ends.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::talk::{self, Server, get};

#[test]
fn the_server_is_healthy_until_it_is_stopped() {
    let mut server = Server::start(talk::site());
    let answer = server.ask(&get("/healthz", ""));
    assert_eq!((answer.status, answer.body.as_slice()), (200, &b"ok\n"[..]));
    server.stop();
    assert!(std::net::TcpStream::connect(server.address).is_err());
}

#[test]
fn a_connection_that_waits_does_not_hold_it_up() {
    let mut server = Server::start(talk::site());
    let mut idle = std::net::TcpStream::connect(server.address).expect("a connection");
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").expect("a request");
    let mut first = [0; 15];
    idle.read_exact(&mut first).expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    let begun = Instant::now();
    server.stop();
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[test]
fn a_request_that_never_ends_does_not_hold_it_up_for_long() {
    let mut server = Server::start(talk::site());
    let mut slow = std::net::TcpStream::connect(server.address).expect("a connection");
    slow.write_all(b"GET / HTTP/1.1\r\nHo").expect("half a request");
    let begun = Instant::now();
    server.stop();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

/// A connection that was made a moment before the server is stopped has a request on its way.
#[test]
fn a_connection_without_a_request_yet_is_answered_first() {
    let mut server = Server::start(talk::site());
    let mut young = std::net::TcpStream::connect(server.address).expect("a connection");
    // Accepted, but nothing is sent yet.
    server.ask(&get("/healthz", ""));
    let asking = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        young.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").expect("a request");
        let mut answer = String::new();
        young.read_to_string(&mut answer).expect("an answer");
        answer
    });
    server.stop();
    let answer = asking.join().expect("a thread");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer:?}");
}
