//! The description of the API. `docs/openapi.json` is what the server says of itself; after a change of the
//! API, `STOA_BLESS=1 cargo test -p stoa-server --test all documentation` writes it anew.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::talk::people::Person;
use crate::talk::{self, Server};

const EXPECTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

/// What generators of clients need, beyond what can be read.
#[test]
fn the_description_keeps_to_the_standard() {
    let server = Server::start(talk::site());
    let (_, description) = Person::stranger(server.address).get("/api/openapi.json");
    let mut ids = HashSet::new();
    let mut references = Vec::new();
    collect_references(&description, &mut references);
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(description.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
    for (path, verbs) in description["paths"].as_object().expect("paths") {
        for (verb, operation) in verbs.as_object().expect("verbs") {
            let here = format!("{verb} {path}");
            let id = operation["operationId"].as_str().expect("an id");
            assert!(ids.insert(id), "{here}: {id} is there twice");
            assert!(operation["summary"].is_string(), "{here} has no summary");
            assert!(operation["security"].is_array(), "{here} does not say who may ask");
            for (status, answer) in operation["responses"].as_object().expect("responses") {
                assert!(answer["description"].is_string(), "{here}: {status} is not described");
            }
            let in_path: HashSet<&str> = path.split(['{', '}']).skip(1).step_by(2).collect();
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let described = parameters.filter(|one| one["in"] == "path");
            let described = described.filter_map(|one| one["name"].as_str()).collect();
            assert_eq!(in_path, described, "{here}");
        }
    }
    assert!(ids.len() > 25);
}

fn collect_references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_references(value, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_str() {
                    Some(reference) if name == "$ref" => found.push(reference),
                    _ => collect_references(value, found),
                }
            }
        }
        _ => {}
    }
}

/// Tokens are refused exactly where the description does not name them.
#[test]
fn the_description_says_what_tokens_may_not_do() {
    let server = Server::start(talk::site());
    let mut zeno = Person::new(server.address, "Zeno");
    let sign_in = json!({ "name": "Zeno", "password": "correct horse" });
    assert_eq!(zeno.post("/api/account/register", &sign_in).0, 200);
    let (_, token) = zeno.post("/api/me/tokens", &json!({ "label": "program" }));
    let bearer = format!("Authorization: Bearer {}", token["token"].as_str().expect("a token"));
    let (_, description) = zeno.get("/api/openapi.json");
    let mut wrong = Vec::new();
    for (path, verbs) in description["paths"].as_object().expect("paths") {
        // Streams do not end.
        if path.ends_with("/events") || path == "/api/socket" {
            continue;
        }
        let address = path.split(['{', '}']).enumerate();
        let address: String =
            address.map(|(n, part)| if n % 2 == 1 { "x" } else { part }).collect();
        for (verb, operation) in verbs.as_object().expect("verbs") {
            let request = format!(
                "{} {address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\
                 Content-Type: application/json\r\n{bearer}\r\n\r\n{{}}",
                verb.to_uppercase()
            );
            let is_refused = server.ask(&request).json()["code"] == "not_for_tokens";
            let security = operation["security"].as_array().expect("who may ask");
            let names = |scheme: &str| security.iter().any(|one| one.get(scheme).is_some());
            let is_described = names("cookie") && !names("token");
            let id = operation["operationId"].as_str().expect("an id");
            // These are refused to the tokens of accounts, and not to those of guests.
            let depends = ["name_me", "become_bot"].contains(&id);
            if is_refused != (is_described || depends) {
                wrong.push(id);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join(", "));
}

#[test]
fn the_description_is_the_one_that_is_kept() {
    let server = Server::start(talk::site());
    let said = Person::stranger(server.address).get_text("/api/openapi.json") + "\n";
    if std::env::var_os("STOA_BLESS").is_some() {
        std::fs::write(EXPECTED, &said).expect("a file that can be written");
    }
    let kept = std::fs::read_to_string(EXPECTED).expect("docs/openapi.json");
    assert!(said == kept, "the API has changed: look at it, then run this with STOA_BLESS=1");
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
}

#[test]
fn people_can_read_it_too() {
    let server = Server::start(talk::site());
    let page = Person::stranger(server.address).get_text("/api");
    for part in [
        "<h1>Stoa: the API</h1>",
        "<h2>Authentication</h2>",
        "which <code>POST /api/me</code> sets",
        "/api/games/{id}/actions",
        "id=\"Situation\"",
        "illegal_move",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script") && !page.contains('`'));
}
