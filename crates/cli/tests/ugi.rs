//! `stoa ugi` as other programs meet it: over pipes, with everything that may come through them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Session, Side};

/// Long enough for a machine with much else to do; nothing here comes near it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A conversation with an engine.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Talk {
    fn with(args: &[&str]) -> Talk {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stoa"))
            .arg("ugi")
            .args(args)
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Talk { input: child.stdin.take(), child, lines }
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine says nothing")
    }

    /// Reads on until a line begins with a word, and returns it with all lines before it.
    fn until(&self, word: &str) -> (String, Vec<String>) {
        let mut before = Vec::new();
        loop {
            let line = self.line();
            if line.split_whitespace().next() == Some(word) {
                return (line, before);
            }
            before.push(line);
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.line()
    }

    /// Searches to the end, and returns the move.
    fn best(&mut self, go: &str) -> String {
        self.send(go);
        let (line, before) = self.until("bestmove");
        let last = before.last().unwrap();
        for word in ["info", "nodes", "time", "nps"] {
            assert!(last.split(' ').any(|part| part == word), "the last word is {last}");
        }
        line["bestmove ".len()..].to_owned()
    }

    /// What an error is answered with; nothing else may be said before it.
    fn error(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        let error = answer.strip_prefix("info string error: ");
        error.unwrap_or_else(|| panic!("{line}: {answer}")).to_owned()
    }

    /// Waits for the process to end, and returns what it said last.
    fn end(mut self) -> (ExitStatus, Vec<String>) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, self.lines.iter().collect());
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn quit(mut self) {
        self.send("quit");
        let (status, rest) = self.end();
        assert!(status.success());
        assert_eq!(rest, [""; 0], "said after everything was answered");
    }
}

/// Nothing is left running when a test fails.
impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_handshake_names_the_engine_and_its_options() {
    let mut talk = Talk::with(&["impasse", "--level", "3", "--hash", "2"]);
    talk.send("ugi");
    let (_, lines) = talk.until("ugiok");
    assert!(lines[0].starts_with("id name Stoa "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    assert_eq!(
        lines[2..],
        [
            "option name Hash type spin default 2 min 1 max 32768",
            "option name Threads type spin default 1 min 1 max 256",
            "option name MultiPV type spin default 1 min 1 max 500",
            "option name Level type spin default 3 min 0 max 10",
            "option name Seed type spin default 0 min 0 max 9223372036854775807",
            "option name Strategy type combo default auto var auto var alphabeta var mcts \
                 var uct var random",
        ]
    );
    assert_eq!(talk.ask("isready"), "readyok");
    talk.quit();
}

#[test]
fn options_do_what_they_say() {
    let mut talk = Talk::with(&["impasse"]);
    talk.send("setoption name MultiPV value 3");
    talk.send("go depth 2");
    let (_, lines) = talk.until("bestmove");
    for number in 1..=3 {
        let part = format!(" multipv {number} score cp ");
        assert!(lines.iter().any(|line| line.contains(&part)), "{lines:?}");
    }
    talk.send("setoption name MultiPV value 1");
    // Chance depends on the seed alone.
    talk.send("setoption name Strategy value random");
    let mut games = Vec::new();
    for seed in [1, 2, 1] {
        talk.send(&format!("setoption name Seed value {seed}"));
        talk.send("uginewgame");
        games.push([0; 6].map(|_| talk.best("go nodes 1")));
    }
    assert_eq!(games[0], games[2]);
    assert_ne!(games[0], games[1]);
    talk.send("setoption name Strategy value mcts");
    talk.send("setoption name Threads value 2");
    talk.send("go playouts 300");
    let (_, lines) = talk.until("bestmove");
    assert!(lines.last().unwrap().contains(" nodes 3"), "{lines:?}");
    // A low level looks at few positions, whatever it is allowed.
    talk.send("setoption name Strategy value alphabeta");
    talk.send("setoption name Level value 2");
    talk.send("go infinite");
    talk.until("bestmove");
    assert_eq!(
        talk.error("setoption name Hash value 0"),
        "Hash is a number from 1 to 32768, not '0'"
    );
    assert!(talk.error("setoption name Contempt value 1").starts_with("there is no option"));
    assert_eq!(
        talk.error("go playouts 10"),
        "strategy alphabeta plays no playouts; limit its nodes instead"
    );
    talk.quit();
}

/// The answer to `query result`.
fn result_word(position: &AnyPosition) -> &'static str {
    match position.outcome().map(|outcome| outcome.winner) {
        None => "none",
        Some(None) => "draw",
        Some(Some(Side::First)) => "p1win",
        Some(Some(Side::Second)) => "p2win",
    }
}

/// Plays a whole game: the engine has one side, and the other plays random moves.
fn whole_game(talk: &mut Talk, game: Game, engine: Side, rng: &mut Rng) {
    let mut session = Session::new(game.start());
    talk.send("uginewgame");
    loop {
        let position = session.position();
        let moves = session.moves().join(" ");
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        talk.send(&format!("position startpos{moves}"));
        assert_eq!(talk.ask("isready"), "readyok", "{position:?}");
        let is_first = position.side_to_move() == Side::First;
        assert_eq!(talk.ask("query p1turn"), format!("response {is_first}"));
        assert_eq!(talk.ask("query result"), format!("response {}", result_word(position)));
        let is_over = position.outcome().is_some();
        assert_eq!(talk.ask("query gameover"), format!("response {is_over}"));
        if is_over {
            assert_eq!(talk.ask("go movetime 10"), "bestmove none");
            assert_eq!(talk.ask("query moves"), "response");
            return;
        }
        let legal = position.legal_moves();
        let played = if position.side_to_move() == engine {
            let go = ["go nodes 60", "go depth 1", "go p1time 40 p2time 40 p1inc 0 p2inc 0"];
            talk.best(go[rng.below(go.len())])
        } else {
            legal[rng.below(legal.len())].clone()
        };
        assert!(legal.contains(&played), "{played} in {position:?}");
        session.play(&played).unwrap();
    }
}

#[test]
fn whole_games_of_every_game_have_legal_moves_only() {
    let mut rng = Rng::new(5);
    for id in ["colonnade", "impasse", "palisade:7", "columna", "columna:points", "colossus"] {
        let mut talk = Talk::with(&[id, "--hash", "4"]);
        for engine in Side::BOTH {
            whole_game(&mut talk, id.parse().unwrap(), engine, &mut rng);
        }
        talk.quit();
    }
}

#[test]
fn positions_are_set_whole_or_not_at_all() {
    let mut talk = Talk::with(&["impasse"]);
    talk.send("position fen 1w6/8/8/4W3/8/8/8/6b1 w moves e5-a1+a1>b8");
    let text = "response 1W6/8/8/8/8/8/8/6b1 b";
    assert_eq!(talk.ask("query position"), text);
    for (line, flaw) in [
        ("position startpos moves d2-b4 d2-b4", "move 2: d2-b4 is not legal: "),
        ("position startpos moves d2-z4", "move 1, d2-z4: expected "),
        ("position fen 8/8 w", "the position: expected "),
        (
            "position fen w7/8/8/8/8/8/8/8 w",
            "this position is impossible: a8 is a light square and must be empty",
        ),
        ("position fen 8/8/8/8/8/8/8/6b1 b moves g1-f2", "move 1: g1-f2 is not legal: the game"),
        ("position", "write 'position startpos'"),
        ("position here", "write 'position startpos'"),
    ] {
        let error = talk.error(line);
        assert!(error.starts_with(flaw), "{line}: {error}");
        assert_eq!(talk.ask("query position"), text, "after {line}");
    }
    talk.send("uginewgame");
    let start = Game::Impasse.start();
    assert_eq!(talk.ask("query position"), format!("response {start}"));
    let moves = start.legal_moves().join(" ");
    assert_eq!(talk.ask("query moves"), format!("response {moves}"));
    talk.quit();
}

#[test]
fn every_limit_ends_a_search() {
    let mut talk = Talk::with(&["columna", "--hash", "8"]);
    let legal = "columna".parse::<Game>().unwrap().start().legal_moves();
    for go in [
        "go movetime 30",
        "go movetime 0",
        "go nodes 2000",
        "go nodes 0",
        "go depth 2",
        "go depth 0",
        "go p1time 300 p2time 1 p1inc 0 p2inc 0",
        "go p1time -20",
        "go depth 50 movetime 30",
    ] {
        let best = talk.best(go);
        assert!(legal.contains(&best), "{go}: {best}");
    }
    assert_eq!(talk.error("go p2time 300"), "it is player 1's turn, so 'go' needs p1time");
    for go in ["go ponder", "go movtime 100", "go movetime", "go nodes x", "go infinite depth 1"] {
        talk.error(go);
    }
    talk.quit();
}

#[test]
fn a_proven_result_is_told_in_turns() {
    let mut talk = Talk::with(&["colonnade"]);
    for (position, score) in
        [("r/r/-/-/-/-/-/- r", " score mate 1 "), ("r/r/-/-/b/b/-/- r", " score mate ")]
    {
        talk.send(&format!("position fen {position}"));
        talk.send("go infinite");
        let (_, lines) = talk.until("bestmove");
        assert!(lines.iter().any(|line| line.contains(score)), "{lines:?}");
    }
    talk.quit();
}

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

#[test]
fn a_closed_output_ends_everything() {
    for commands in ["ugi\n", "go infinite\n", "go movetime 100000\nisready\n"] {
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
        input.write_all(commands.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

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

#[test]
fn people_can_look_and_get_help() {
    let mut talk = Talk::with(&["impasse"]);
    talk.send("position startpos moves d2-b4");
    talk.send("d");
    let (_, board) = talk.until("Black");
    assert!(board.iter().any(|line| line.trim() == "a   b   c   d   e   f   g   h"), "{board:?}");
    talk.send("help");
    let (_, help) = talk.until("quit");
    assert!(help.iter().any(|line| line.starts_with("setoption name NAME")), "{help:?}");
    talk.until("docs/protocol.md");
    talk.quit();
}

/// Whether a line is as the page says; `…` stands for anything.
fn is_like(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let found = if parts.peek().is_none() {
            rest.ends_with(part).then(|| rest.len() - part.len())
        } else {
            rest.find(part)
        };
        let Some(at) = found else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

/// The conversations in `docs/protocol.md` are real: blocks that begin with `$ stoa ugi`, with `> `
/// before what is sent. A line `…` stands for any number of lines.
#[test]
fn the_transcripts_of_the_docs_are_real() {
    let page = std::fs::read_to_string("../../docs/protocol.md").unwrap();
    let mut conversations = 0;
    for block in page.split("```").skip(1).step_by(2) {
        let mut lines = block.lines().skip(1);
        let Some(args) = lines.next().and_then(|line| line.strip_prefix("$ stoa ugi ")) else {
            continue;
        };
        conversations += 1;
        let args: Vec<&str> = args.split(' ').collect();
        let mut talk = Talk::with(&args);
        let mut any_number = false;
        for line in lines {
            if let Some(command) = line.strip_prefix("> ") {
                talk.send(command);
            } else if line == "…" {
                any_number = true;
            } else {
                let mut answer = talk.line();
                while any_number && !is_like(line, &answer) {
                    answer = talk.line();
                }
                any_number = false;
                assert!(is_like(line, &answer), "the page has: {line}\n but it is: {answer}");
            }
        }
        let (status, rest) = talk.end();
        assert!(status.success());
        assert_eq!(rest, [""; 0], "not on the page");
    }
    assert!(conversations >= 3, "{conversations}");
}
