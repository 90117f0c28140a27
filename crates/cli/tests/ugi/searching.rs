//! What happens while the engine thinks: it listens, it stops, it ends.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use stoa_rules::Game;

use crate::talk::Talk;

#[test]
fn stop_is_answered_at_once() {
    let mut slowest = Duration::ZERO;
    for args in [
        ["palisade", "--strategy=mcts", "--threads=1"],
        ["palisade", "--strategy=alphabeta", "--threads=1"],
        ["impasse", "--strategy=alphabeta", "--threads=2"],
    ] {
        let mut talk = Talk::with(&args);
        assert_eq!(talk.ask("isready"), "readyok");
        for pause in [0, 5, 60] {
            talk.send("go infinite");
            std::thread::sleep(Duration::from_millis(pause));
            let begun = Instant::now();
            talk.send("stop");
            talk.until("bestmove");
            slowest = slowest.max(begun.elapsed());
        }
        // Nothing to stop, nothing to say.
        talk.send("stop");
        assert_eq!(talk.ask("isready"), "readyok");
        talk.quit();
    }
    println!("the slowest answer to 'stop' took {slowest:?}");
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
}

#[test]
fn commands_during_a_search() {
    let mut talk = Talk::with(&["impasse"]);
    let start = Game::Impasse.start();
    talk.send("go infinite");
    talk.send("isready");
    talk.until("readyok");
    talk.send("query p1turn");
    assert_eq!(talk.until("response").0, "response true");
    for line in
        ["position startpos moves d2-b4", "go depth 1", "setoption name Hash value 1", "uginewgame"]
    {
        talk.send(line);
        loop {
            let (answer, _) = talk.until("info");
            if let Some(error) = answer.strip_prefix("info string error: ") {
                assert!(error.starts_with("a search is under way"), "{error}");
                break;
            }
        }
    }
    talk.send("query position");
    assert_eq!(talk.until("response").0, format!("response {start}"));
    // What follows right after a stop finds no search any more.
    talk.send("stop\nposition startpos moves d2-b4\nquery p1turn\ngo depth 2\nquery gameover");
    talk.until("bestmove");
    assert_eq!(talk.line(), "response false");
    talk.until("bestmove");
    talk.quit();
}

#[test]
fn quit_during_a_search_ends_it_with_an_answer() {
    let mut talk = Talk::with(&["palisade"]);
    talk.send("go infinite");
    talk.send("isready");
    talk.until("readyok");
    talk.send("quit");
    let (status, rest) = talk.end();
    assert!(status.success());
    assert!(rest.last().unwrap().starts_with("bestmove "), "{rest:?}");
}

#[test]
fn the_end_of_the_input_ends_everything() {
    for commands in ["", "isready\n", "go infinite\n", "go infinite", "position startpos moves"] {
        let mut talk = Talk::with(&["impasse"]);
        talk.send_bytes(commands.as_bytes());
        let begun = Instant::now();
        talk.input = None;
        let (status, rest) = talk.end();
        assert!(status.success());
        assert!(begun.elapsed() < Duration::from_secs(5));
        if commands.starts_with("go") {
            assert!(rest.last().unwrap().starts_with("bestmove "), "{rest:?}");
        }
    }
}

/// Long enough for a busy machine; a program that does not notice waits forever.
const EXIT_TIMEOUT: Duration = Duration::from_secs(20);

#[test]
fn a_closed_output_ends_everything() {
    // The first two are idle: nothing is ever written that could fail. Only Unix can tell.
    let idle = if cfg!(unix) { &["", "position startpos\n"][..] } else { &[] };
    let busy = ["ugi\n", "go infinite\n", "go movetime 100000\nisready\n"];
    for commands in idle.iter().copied().chain(busy) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stoa"))
            .args(["ugi", "impasse"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        // Held open: only the output is closed.
        let mut input = child.stdin.take().unwrap();
        // It may have ended already.
        let _ = input.write_all(commands.as_bytes());
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > EXIT_TIMEOUT {
                child.kill().unwrap();
                panic!("still there after {commands:?}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
