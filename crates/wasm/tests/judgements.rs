//! What the engine says of positions of every game that has a network is in `judgements.json`, and is the same on every
//! machine: the page's tests (`web/src/lib/engine/judgements.test.ts`) ask the modules of the browser for it, with and
//! without vector instructions. `STOA_BLESS=1 cargo test -p stoa-wasm --test judgements` writes it anew.

use serde_json::{Value, json};
use stoa_engine::{Stop, system_now};
use stoa_wasm::thinking::Engines;
use stoa_wasm::{ask_engine, ask_rules};

/// The games, and how many positions are looked at: a whole search in small, and the network alone.
const GAMES: [(&str, u64); 9] = [
    ("impasse", 3_000),
    ("columna", 1_000),
    ("colossus", 3_000),
    ("palisade:5", 150),
    ("palisade:7", 100),
    ("palisade:9", 150),
    ("palisade:11", 60),
    ("palisade:13", 60),
    ("palisade:19", 30),
];

/// After how many moves of each game.
const PLIES: [usize; 3] = [0, 9, 24];

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judgements.json");

fn parsed(answer: &str) -> Value {
    let mut answer: Value = serde_json::from_str(answer).expect("every answer is JSON");
    assert_eq!(answer.get("error"), None);
    answer["ok"].take()
}

fn rules(question: Value) -> Value {
    parsed(&ask_rules(&question.to_string()))
}

/// The position after so many moves, chosen without knowledge; or one before the game is over.
fn position(game: &str, plies: usize) -> Value {
    let mut state = rules(json!({ "ask": "state", "game": game }));
    let mut position = state["position"].clone();
    for ply in 0..plies {
        let legal = rules(json!({ "ask": "moves", "game": game, "position": position }));
        let legal = legal.as_array().expect("a list of moves");
        let mv = legal[(ply * 31 + 17) % legal.len()].clone();
        state = rules(json!({ "ask": "play", "game": game, "position": position, "move": mv }));
        if !state["state"]["outcome"].is_null() {
            break;
        }
        position = state["state"]["position"].clone();
    }
    position
}

#[test]
fn judgements_are_those_of_every_machine() {
    let mut judgements = Vec::new();
    for (game, nodes) in GAMES {
        for (plies, nodes) in PLIES.into_iter().flat_map(|plies| [(plies, 1), (plies, nodes)]) {
            let question = json!({
                "ask": "think", "game": game, "position": position(game, plies),
                "limits": { "nodes": nodes },
            });
            let mut engines = Engines::new(system_now, Stop::new(), None);
            let answer = ask_engine(&mut engines, &question.to_string(), &mut |_| ());
            let mut lines = parsed(&answer)["lines"].take();
            // Follows from the points, by a logarithm whose last digit is each machine's own.
            for line in lines.as_array_mut().expect("a list of lines") {
                line["score"].as_object_mut().expect("a score").remove("win_probability");
            }
            judgements.push(json!({ "question": question, "lines": lines }).to_string());
        }
    }
    let said = format!("[\n{}\n]\n", judgements.join(",\n"));
    if std::env::var_os("STOA_BLESS").is_some() {
        std::fs::write(FILE, &said).expect("the file can be written");
    }
    let kept = std::fs::read_to_string(FILE).expect("the file is there");
    assert!(said == kept, "the engine judges otherwise: run this with STOA_BLESS=1 and look at it");
}
