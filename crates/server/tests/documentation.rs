//! The description of the API. `docs/openapi.json` is what the server says of itself; after a change of the
//! API, `UPDATE=1 cargo test -p stoa-server --test documentation` writes it anew.

mod talk;

use serde_json::Value;
use talk::Server;
use talk::people::Person;

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

#[test]
fn the_description_is_the_one_that_is_kept() {
    let server = Server::start(talk::site());
    let said = Person::stranger(server.address).get_text("/api/openapi.json") + "\n";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(KEPT, &said).expect("a file that can be written");
    }
    let kept = std::fs::read_to_string(KEPT).expect("docs/openapi.json");
    assert!(said == kept, "the API has changed: look at it, then run this with UPDATE=1");
}

/// Everything that can be asked for without a body is there, and everything that needs one says so.
#[test]
fn every_address_that_is_described_answers() {
    let server = Server::start(talk::site());
    let someone = Person::new(server.address, "Zeno");
    let (_, description) = someone.get("/api/openapi.json");
    let paths = description["paths"].as_object().expect("paths");
    assert!(paths.len() >= 12, "{}", paths.len());
    for (path, verbs) in paths {
        if verbs["get"].is_null() || path.ends_with("events") || path.ends_with("socket") {
            continue;
        }
        let (status, answer) = someone.get(&path.replace("{id}", "nothing"));
        let described = &verbs["get"]["responses"][status.to_string()];
        assert!(!described.is_null(), "{path} answers {status}: {answer}");
    }
    // Every shape that is referred to is there.
    let text = description.to_string();
    for reference in text.split("#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap_or_default();
        assert_ne!(description["components"]["schemas"][name], Value::Null, "{name}");
    }
}

#[test]
fn people_can_read_it_too() {
    let server = Server::start(talk::site());
    let page = Person::stranger(server.address).get_text("/api");
    for part in
        ["<h1>Stoa: the API</h1>", "/api/games/{id}/actions", "id=\"Situation\"", "illegal_move"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script"));
}
