//! Whole conversations, in memory.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{self, BufReader};
use std::time::Duration;

use super::*;

/// What is answered to some lines.
fn answers(game: Game, input: &'static str) -> Vec<String> {
    let mut output = Vec::new();
    let connection = Connection::new(input.as_bytes(), &mut output, Charset::Ascii);
    serve(game, Settings::default(), connection).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_refused_command_changes_nothing() {
    let input = "position startpos moves 1b<\n\
                 position startpos moves 1b< 9z>\n\
                 go depth 1 depth 2\n\
                 fly\n\
                 query p1turn\n";
    let said = answers(Game::Colonnade, input);
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(said[0].starts_with("info string error: move 2, 9z>: expected "), "{said:?}");
    assert_eq!(said[1], "info string error: 'go' takes 'depth' only once");
    assert_eq!(said[2], "info string error: there is no command 'fly'; 'help' lists them");
    assert_eq!(said[3], "response false");
}

#[test]
fn the_end_of_the_input_waits_for_the_answer() {
    let said = answers(Game::Colonnade, "go depth 2");
    assert!(said.last().unwrap().starts_with("bestmove "), "{said:?}");
}

/// The input stays open and the engine is idle, so that nothing else could end it.
#[test]
fn the_conversation_ends_with_its_output() {
    let (input, _open) = io::pipe().unwrap();
    let connection = Connection::new(BufReader::new(input), io::sink(), Charset::Ascii);
    serve(Game::Colonnade, Settings::default(), connection.until(|| {})).unwrap();
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_noticed_without_writing() {
    let (reader, writer) = io::pipe().unwrap();
    let waiting = std::thread::spawn(move || wait_until_closed(writer));
    std::thread::sleep(Duration::from_millis(50));
    assert!(!waiting.is_finished(), "the output is still read");
    drop(reader);
    waiting.join().unwrap();
}
