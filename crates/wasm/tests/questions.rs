//! Questions as the page asks them, answered without a browser.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use stoa_engine::crew::{Crew, Role, SharedWords, words_for};
use stoa_engine::{Stop, system_now};
use stoa_rules::Game;
use stoa_wasm::exact::Solver;
use stoa_wasm::thinking::Engines;
use stoa_wasm::{ask_engine, ask_exact, ask_rules};

fn ask(question: Value) -> Result<Value, Value> {
    outcome(&ask_rules(&question.to_string()))
}

fn think(question: Value) -> (Result<Value, Value>, Vec<Value>) {
    let mut engines = Engines::new(system_now, Stop::new(), None);
    let mut progress = Vec::new();
    let mut report = |text: String| progress.push(serde_json::from_str(&text).expect("JSON"));
    let answer = outcome(&ask_engine(&mut engines, &question.to_string(), &mut report));
    (answer, progress)
}

fn outcome(answer: &str) -> Result<Value, Value> {
    let mut answer: Value = serde_json::from_str(answer).expect("every answer is JSON");
    match answer["ok"].take() {
        Value::Null if answer.get("error").is_some() => Err(answer["error"].take()),
        value => Ok(value),
    }
}

#[test]
fn games_come_with_designers_options_and_levels() {
    let answer = ask(json!({ "ask": "games" })).unwrap();
    assert_eq!(answer["games"].as_array().map(Vec::len), Some(Game::ALL.len()));
    assert_eq!(answer["games"][3]["info"]["designer"], "Rey Alicea");
    assert_eq!(answer["games"][2]["variants"].as_array().map(Vec::len), Some(9));
    assert_eq!(answer["levels"][9]["name"], "Architect");
}

#[test]
fn every_game_can_be_played_to_its_end_by_clicks_alone() {
    let is_quick = |game: &Game| !matches!(game, Game::Palisade(size) if size.get() != 5);
    for game in Game::variants().filter(is_quick).map(|game| game.to_string()) {
        let mut state = ask(json!({ "ask": "state", "game": game })).unwrap();
        let mut turns = 0;
        while state["outcome"].is_null() {
            let position = state["position"].clone();
            let mut clicks: Vec<Value> = Vec::new();
            let mut choices = state["choices"].clone();
            let text = loop {
                if let Some(text) = choices["complete"].as_str() {
                    break text.to_owned();
                }
                let next = choices["next"].as_array().expect("a list");
                // The first choice of Colossus would give up the only tower and lose (R6).
                clicks.push(next[(turns * 7 + clicks.len() * 3 + 1) % next.len()].clone());
                let question = json!({ "ask": "choices", "game": game, "position": position, "clicks": clicks });
                choices = ask(question).unwrap();
            };
            let preview =
                json!({ "ask": "preview", "game": game, "position": position, "clicks": clicks });
            let preview = ask(preview).unwrap();
            let play = json!({ "ask": "play", "game": game, "position": position, "move": text });
            let played = ask(play).unwrap();
            assert_eq!(preview["view"], played["state"]["view"], "{game} {position} {text}");
            assert!(!played["steps"].as_array().expect("a list").is_empty());
            state = played["state"].clone();
            turns += 1;
        }
        assert!(turns > 5, "{game} ended after {turns} turns");
    }
}

#[test]
fn failures_say_what_is_wrong() {
    let error = ask(json!({ "ask": "state", "game": "chess" })).unwrap_err();
    assert_eq!(error["kind"], "unknown-game");
    let position = "-/-/-/-/-/-/-/rr r";
    let error = ask(json!({ "ask": "state", "game": "colonnade", "position": position }));
    let error = error.unwrap_err();
    assert_eq!(error["objections"][0]["kind"], "colonnade-setup-same-colours");
    assert_eq!(error["objections"][0]["facts"]["square"], "h");
    let start = "-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- r";
    let play = json!({ "ask": "play", "game": "colonnade", "position": start, "move": "1b>" });
    let error = ask(play).unwrap_err();
    assert_eq!((&error["kind"], &error["facts"]["move"]), (&json!("illegal"), &json!("1b>")));
    assert_eq!(error["objections"][0]["rule"], "colonnade clause 3");
    let record = "game: colonnade\n\n1b< 1x>";
    let error = ask(json!({ "ask": "read", "record": record })).unwrap_err();
    assert_eq!((&error["kind"], &error["facts"]["line"]), (&json!("unreadable"), &json!("3")));
    assert_eq!(error["facts"]["excerpt"], "1b< 1x>");
    assert_eq!(error["facts"]["caret"], "     ^");
    for nonsense in ["", "null", "{}", "[1]", "{\"ask\":\"dance\"}", "{\"ask\":\"state\"}"] {
        assert_eq!(outcome(&ask_rules(nonsense)).unwrap_err()["kind"], "question", "{nonsense}");
    }
}

#[test]
fn the_engine_thinks_and_reports() {
    for game in ["colonnade", "palisade:7"] {
        let state = ask(json!({ "ask": "state", "game": game })).unwrap();
        let (answer, progress) = think(json!({
            "ask": "think", "game": game, "position": state["position"],
            "limits": { "nodes": 2000 }, "lines": 3,
        }));
        let answer = answer.unwrap();
        assert_eq!(answer["lines"].as_array().map(Vec::len), Some(3), "{game}");
        assert!(!progress.is_empty());
        let best = &answer["lines"][0]["moves"][0];
        let play =
            json!({ "ask": "play", "game": game, "position": state["position"], "move": best });
        ask(play).unwrap();
    }
    let (answer, _) = think(json!({
        "ask": "think", "game": "colonnade", "position": "-/-/-/-/-/-/-/r r", "level": 11,
    }));
    assert_eq!(answer.unwrap_err()["kind"], "unknown-level");
}

#[test]
fn a_game_is_reviewed() {
    let (answer, progress) = think(json!({
        "ask": "review", "game": "colonnade", "moves": ["1b<", "1g>"], "limits": { "nodes": 500 },
    }));
    let answer = answer.unwrap();
    assert_eq!(answer["complete"], true);
    assert_eq!(answer["curve"].as_array().map(Vec::len), Some(3));
    assert_eq!(progress.last().map(|progress| &progress["positions"]), Some(&json!(3)));
}

#[test]
fn colonnade_is_known_exactly_and_other_games_are_not() {
    let mut solver = Solver::new(system_now, Stop::new());
    let mut exact = |question: Value| {
        let mut progress: Vec<Value> = Vec::new();
        let mut report = |text: String| progress.push(serde_json::from_str(&text).expect("JSON"));
        let answer = outcome(&ask_exact(&mut solver, &question.to_string(), &mut report));
        (answer, progress)
    };
    let start = "-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- r";
    let question = json!({ "ask": "exact", "game": "colonnade", "position": start });
    let (answer, progress) = exact(question.clone());
    let answer = answer.unwrap();
    let legal = ask(json!({ "ask": "moves", "game": "colonnade", "position": start })).unwrap();
    let legal = legal.as_array().map(Vec::len);
    assert_eq!(
        (answer["moves"].as_array().map(Vec::len), answer["legal"].as_u64()),
        (legal, legal.map(|n| n as u64))
    );
    assert_eq!(progress.len(), legal.unwrap());
    assert!(
        progress
            .iter()
            .enumerate()
            .all(|(i, told)| told["moves"].as_array().map(Vec::len) == Some(i))
    );
    let (again, progress) = exact(question);
    assert_eq!((again.unwrap(), progress.len()), (answer, 0), "kept");

    let won = json!({ "ask": "exact", "game": "colonnade", "position": "r/r/-/-/-/-/-/- r" });
    let best = exact(won).0.unwrap()["moves"][0].clone();
    assert_eq!(best, json!({ "move": "1b<", "verdict": "win", "plies": 1 }));
    let over = json!({ "ask": "exact", "game": "colonnade", "position": "r/-/-/-/-/-/-/- r" });
    assert_eq!(exact(over).0.unwrap()["legal"], 0);

    let state = ask(json!({ "ask": "state", "game": "impasse" })).unwrap();
    let other = json!({ "ask": "exact", "game": "impasse", "position": state["position"] });
    assert_eq!(exact(other).0.unwrap(), Value::Null);
    let broken = json!({ "ask": "exact", "game": "colonnade", "position": "rr" });
    assert_eq!(exact(broken).0.unwrap_err()["kind"], "unreadable");
}

#[test]
fn a_stopped_question_has_no_answer() {
    let stop = Stop::new();
    stop.stop();
    let mut solver = Solver::new(system_now, stop.clone());
    let start = "-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- r";
    let question = json!({ "ask": "exact", "game": "colonnade", "position": start }).to_string();
    assert_eq!(outcome(&ask_exact(&mut solver, &question, &mut |_| ())).unwrap(), Value::Null);
    stop.reset();
    assert_ne!(outcome(&ask_exact(&mut solver, &question, &mut |_| ())).unwrap(), Value::Null);
}

/// A network changes what the engine says; one that is damaged or of another game is left aside.
#[test]
fn the_engine_judges_with_the_network_of_the_page() {
    let net = include_bytes!("../../engine/src/games/impasse/default.net").as_slice();
    let score = |game: &str, net: Option<&[u8]>| {
        let mut engines = Engines::new(system_now, Stop::new(), None);
        let state = ask(json!({ "ask": "state", "game": game })).unwrap();
        let question = json!({
            "ask": "think", "game": game, "position": state["position"], "limits": { "nodes": 2000 },
        });
        if let Some(net) = net {
            engines.use_net(net);
        }
        let answer = ask_engine(&mut engines, &question.to_string(), &mut |_| ());
        outcome(&answer).unwrap()["lines"][0]["score"].clone()
    };
    // Natively the engine has its own network, which must be the same as the page's.
    let own = score("impasse", None);
    assert_eq!(score("impasse", Some(net)), own);
    assert_eq!(score("impasse", Some(&net[..net.len() - 1])), own);
    assert_eq!(score("colossus", Some(net)), score("colossus", None));
}

/// The words that workers share, in one process.
#[derive(Debug)]
struct Words(Vec<AtomicU32>);

impl SharedWords for Words {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn load(&self, place: usize) -> u32 {
        self.0[place].load(Ordering::Relaxed)
    }

    fn store(&self, place: usize, word: u32) {
        self.0[place].store(word, Ordering::Relaxed);
    }
}

/// Also what an engine has told its crew is forgotten.
#[test]
fn searches_repeat_after_forgetting() {
    let count = words_for(1 << 14);
    let words = std::iter::repeat_with(AtomicU32::default).take(count).collect();
    let crew = Crew::new(Arc::new(Words(words)), Role::Leader);
    let mut engines = Engines::new(system_now, Stop::new(), crew);
    let mut answered =
        |question: Value| outcome(&ask_engine(&mut engines, &question.to_string(), &mut |_| ()));
    let state = ask(json!({ "ask": "state", "game": "impasse" })).unwrap();
    let think = json!({
        "ask": "think", "game": "impasse", "position": state["position"], "limits": { "depth": 7 },
    });
    let first = answered(think.clone()).unwrap();
    answered(json!({ "ask": "forget" })).unwrap();
    let second = answered(think).unwrap();
    assert_eq!((&first["nodes"], &first["lines"]), (&second["nodes"], &second["lines"]));
}

/// As workers of a page do: one leads, the others help it until they are stopped, and the same workers go on to other
/// games. Levels below the highest work alone.
#[test]
fn workers_search_together() {
    let count = words_for(1 << 10);
    let words = std::iter::repeat_with(AtomicU32::default).take(count).collect();
    let words: Arc<dyn SharedWords> = Arc::new(Words(words));
    let engines = |role, stop: &Stop| {
        Engines::new(system_now, stop.clone(), Crew::new(Arc::clone(&words), role))
    };
    let answered = |engines: &mut Engines, question: &Value| {
        outcome(&ask_engine(engines, &question.to_string(), &mut |_| ())).unwrap()
    };
    let never = Stop::new();
    let mut leader = engines(Role::Leader, &never);
    for game in ["impasse", "palisade:7", "columna", "impasse"] {
        let state = ask(json!({ "ask": "state", "game": game })).unwrap();
        let question = |level: Option<u8>, limits| {
            let mut question = json!({
                "ask": "think", "game": game, "position": state["position"], "limits": limits,
            });
            if let Some(level) = level {
                question["level"] = level.into();
            }
            question
        };
        let stop = Stop::new();
        std::thread::scope(|scope| {
            let mut helper = engines(Role::Helper(0), &stop);
            let helped = scope.spawn(move || answered(&mut helper, &question(None, json!({}))));
            let thought = answered(&mut leader, &question(None, json!({ "time": 300 })));
            stop.stop();
            assert_eq!(thought["lines"].as_array().map(Vec::len), Some(1), "{game}");
            let helped = helped.join().unwrap();
            assert_eq!(helped["lines"].as_array().map(Vec::len), Some(0), "{game}");
            assert!(helped["nodes"].as_u64() > Some(0), "{game}: {helped}");
        });
        let low = question(Some(5), json!({}));
        let alone = answered(&mut Engines::new(system_now, never.clone(), None), &low);
        assert_eq!(answered(&mut leader, &low)["nodes"], alone["nodes"], "{game}");
    }
}
