//! The page says in its own words what rules and engine say as data. Here both are compared: there
//! is a message for everything that can be said, and none besides.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::{Map, Value};
use stoa_engine::review::named_terms;
use stoa_rules::Game;

/// The English messages of a game whose keys begin with something. The page's own tests check that
/// other languages have the same keys.
fn messages(game: Game, prefix: &str) -> Map<String, Value> {
    let id = game.info().id;
    let file = format!("../../web/src/games/{id}/messages/en.json");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(path).expect("the messages are beside the crate");
    let all: Map<String, Value> = serde_json::from_str(&text).expect("messages are JSON");
    all.into_iter().filter(|(key, _)| key.starts_with(prefix)).collect()
}

/// What stands between braces, in any wording.
fn placeholders(message: &Value) -> BTreeSet<String> {
    let text = message.to_string();
    let words = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    words.map(|(name, _)| name).filter(is_name).map(str::to_owned).collect()
}

#[test]
fn every_objection_has_words() {
    for game in Game::ALL {
        let mut messages = messages(game, "objection_");
        for (kind, facts) in game.objections() {
            let key = format!("objection_{}", kind.replace('-', "_"));
            let message = messages.remove(&key).unwrap_or_else(|| panic!("no message {key}"));
            let facts = facts.iter().map(|&fact| fact.to_owned()).collect::<BTreeSet<_>>();
            let used = placeholders(&message);
            assert!(used.is_subset(&facts), "{key} says {used:?}, but there are only {facts:?}");
        }
        assert!(messages.is_empty(), "messages for nothing: {:?}", messages.keys());
    }
}

#[test]
fn every_term_has_words() {
    for game in Game::ALL {
        let mut messages = messages(game, "term_");
        for term in named_terms(game) {
            let key = format!("term_{}_{}", game.info().id, term.name.replace('-', "_"));
            let message = messages.remove(&key).unwrap_or_else(|| panic!("no message {key}"));
            let words = message.as_str().expect("a plain message").replace('’', "'");
            assert_eq!(words, term.words, "{key}");
        }
        assert!(messages.is_empty(), "messages for nothing: {:?}", messages.keys());
    }
}
