//! What no program should send, and some do.

use std::io::Write;

use stoa_rules::Game;
use stoa_rules::playout::Rng;

use crate::talk::Talk;

#[test]
fn garbage_is_answered_and_survived() {
    let mut talk = Talk::with(&["colossus"]);
    let mut count = 0;
    let mut refused = |talk: &mut Talk, bytes: &[u8]| {
        talk.send_bytes(bytes);
        talk.send_bytes(b"\n");
        let answer = talk.line();
        assert!(answer.starts_with("info string error: "), "{bytes:?}: {answer}");
        assert!(answer.len() < 2000 && !answer.contains(char::is_control), "{answer:?}");
        count += 1;
    };
    for text in [
        "hello",
        "UGI",
        "ugi ugi",
        "uci",
        "isready?",
        "go go",
        "go depth",
        "go depth depth",
        "go depth -1",
        "go depth 1e9",
        "go nodes 18446744073709551616",
        "go p1time",
        "go p1time 99999999999999999999",
        "setoption",
        "setoption name",
        "setoption value 1",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value x",
        "position",
        "position fen",
        "position startpos startpos",
        "position moves",
        "position fen moves moves moves",
        "position startpos moves 💥",
        "query",
        "query query",
        "query p1turn p1turn",
        "quit now",
        "stop stop",
        "\u{7f}\u{1b}[2J",
        "\0",
        "ugi\0",
        "…",
        "bestmove a1",
        "info string",
        "ponderhit",
    ] {
        refused(&mut talk, text.as_bytes());
    }
    for bytes in [b"\xff".as_slice(), b"\xc3\x28", b"ugi\xfe", b"position fen \xed\xa0\x80"] {
        refused(&mut talk, bytes);
    }
    refused(&mut talk, "x".repeat(5_000_000).as_bytes());
    refused(&mut talk, "go ".repeat(300_000).as_bytes());
    refused(&mut talk, format!("position startpos moves{}", " b2".repeat(300_000)).as_bytes());
    refused(&mut talk, &[0xff; 2_000_000]);
    // Bytes of every kind, on as many lines as it happens.
    let mut rng = Rng::new(11);
    let noise: Vec<u8> = (0..200_000).map(|_| rng.below(256) as u8).collect();
    let noise: Vec<u8> = noise
        .split(|&byte| byte == b'\n')
        .flat_map(|line| [b"\xff", line, b"\n"].concat())
        .collect();
    let lines = noise.iter().filter(|&&byte| byte == b'\n').count();
    // Written while the answers are read, for a pipe holds only so much.
    let mut input = talk.input.take().unwrap();
    let writer = std::thread::spawn(move || {
        input.write_all(&noise).unwrap();
        input
    });
    for _ in 0..lines {
        assert!(talk.line().starts_with("info string error: "));
    }
    talk.input = Some(writer.join().unwrap());
    // Empty lines are nothing at all.
    talk.send_bytes(b"\n  \n\t\r\n");
    assert_eq!(talk.ask("isready\r"), "readyok");
    assert!(count > 40);
    assert_eq!(talk.ask("query position"), format!("response {}", Game::Colossus.start()));
    talk.quit();
}
