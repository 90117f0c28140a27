//! What every command does.

use stoa_rules::Game;

use crate::talk::Talk;

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
            "option name Evaluation type string default best",
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

/// A network that cannot be used is refused when it is chosen, and the engine plays on as it was.
#[test]
fn networks_are_refused_when_they_are_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src/games");
    let net = std::fs::read(format!("{games}/impasse/default.net")).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        format!("setoption name Evaluation value {}", path.display())
    };
    let mut talk = Talk::with(&["impasse"]);
    let mut damaged = net.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let refused = |talk: &mut Talk, line: &str, reason: &str| {
        let error = talk.error(line);
        assert!(error.contains(reason), "{error}");
    };
    refused(&mut talk, &write("damaged", &damaged), "its checksum is");
    refused(&mut talk, &write("short", &net[..net.len() - 1]), "bytes after the header, found");
    refused(&mut talk, &write("text", b"not a network"), "this is not a network file");
    let foreign = std::fs::read(format!("{games}/colossus/default.net")).unwrap();
    refused(
        &mut talk,
        &write("foreign", &foreign),
        "this network is for colossus, not for impasse",
    );
    talk.send("ugi");
    let (_, lines) = talk.until("ugiok");
    assert_eq!(lines.last().unwrap(), "option name Evaluation type string default best");
    assert_eq!(talk.ask("isready"), "readyok");
    assert_ne!(talk.best("go nodes 100"), "none");
    // A file that was written anew is read anew.
    let chosen = write("own", &net);
    talk.send(&chosen);
    assert_eq!(talk.ask("isready"), "readyok");
    std::fs::write(folder.path().join("own"), &damaged).unwrap();
    refused(&mut talk, &chosen, "its checksum is");
    assert_ne!(talk.best("go nodes 100"), "none");
    talk.quit();
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
    let mut moves = start.legal_moves();
    moves.sort();
    assert_eq!(talk.ask("query moves"), format!("response {}", moves.join(" ")));
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
    assert_eq!(talk.error("go depth 1 depth 2"), "'go' takes 'depth' only once");
    talk.quit();
}

#[test]
fn a_proven_result_is_given_in_turns() {
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
