//! Requests of one person at the same time: together they get no more than one after the other.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Barrier;

use serde_json::{Value, json};
use stoa_testing::{Durability, Postgres, or_skip};
use tempfile::TempDir;

use crate::talk::people::{Person, text, unlimited};
use crate::talk::world::World;
use crate::talk::{self, JSON, Server, post};

talk::world::scenes! {
    open_challenges_are_limited_under_concurrency,
    vacations_do_not_overlap,
    a_guest_becomes_one_account,
}

/// What these people are answered if all of them ask at once, with the number of each in the list.
fn at_once(
    people: Vec<Person>,
    ask: impl Fn(usize, &mut Person) -> (u16, Value) + Sync,
) -> Vec<(u16, Value)> {
    let barrier = Barrier::new(people.len());
    let (barrier, ask) = (&barrier, &ask);
    std::thread::scope(|scope| {
        let asking = people.into_iter().enumerate().map(|(number, mut person)| {
            scope.spawn(move || {
                barrier.wait();
                ask(number, &mut person)
            })
        });
        let asking: Vec<_> = asking.collect();
        asking.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    })
}

/// A person in this many windows, at all nodes.
fn windows(person: &Person, world: &World, count: usize) -> Vec<Person> {
    (0..count).map(|number| person.at(world.address(number))).collect()
}

/// How often each was answered: the status, and the code of an error.
fn count(answers: &[(u16, Value)], status: u16, code: &str) -> usize {
    let is_so = |(given, body): &&(u16, Value)| {
        *given == status && body["code"].as_str().unwrap_or_default() == code
    };
    answers.iter().filter(is_so).count()
}

fn open_challenges_are_limited_under_concurrency(world: &World) {
    let ann = Person::new(world.address(0), "Ann");
    let wish = json!({ "game": "impasse", "control": unlimited() });
    let answers = at_once(windows(&ann, world, 30), |_, ann| ann.post("/api/challenges", &wish));
    assert_eq!(count(&answers, 201, ""), 20, "{answers:?}");
    assert_eq!(count(&answers, 409, "too_many_challenges"), 10, "{answers:?}");
}

fn vacations_do_not_overlap(world: &World) {
    for round in 0..8 {
        let ann = Person::new(world.address(0), &format!("Ann {round}"));
        let answers = at_once(windows(&ann, world, 6), |number, ann| {
            ann.post("/api/me/vacation", &json!({ "days": number % 3 + 1 }))
        });
        assert_eq!(count(&answers, 200, ""), 1, "{answers:?}");
        assert_eq!(count(&answers, 409, "on_vacation"), 5, "{answers:?}");
        let data = ann.get("/api/me/data").1;
        assert_eq!(data["vacations"].as_array().map(Vec::len), Some(1), "{data}");
    }
}

fn a_guest_becomes_one_account(world: &World) {
    let ann = Person::new(world.address(0), "Ann");
    let answers = at_once(windows(&ann, world, 4), |number, ann| {
        let name = format!("Chrysippus the {number}th");
        let account = json!({ "name": name, "password": "Achilles never arrives" });
        ann.post("/api/account/register", &account)
    });
    assert_eq!(count(&answers, 200, ""), 1, "{answers:?}");
    assert_eq!(count(&answers, 409, "has_account"), 3, "{answers:?}");
}

/// Servers with players for the engine's levels, but without an engine that plays.
struct Engine {
    nodes: Vec<Server>,
    // Ended after the nodes.
    _folder: Option<TempDir>,
    _postgres: Option<Postgres>,
}

impl Engine {
    fn on_sqlite(rate: Option<u32>) -> Engine {
        let folder = tempfile::tempdir().expect("a folder");
        let nodes = vec![Engine::node(&folder.path().join("stoa.db"), rate)];
        Engine { nodes, _folder: Some(folder), _postgres: None }
    }

    /// Two nodes; nothing if there is no Postgres here.
    fn on_postgres(rate: Option<u32>) -> Option<Engine> {
        let postgres = or_skip(Postgres::start(Durability::Forgetful))?;
        let database = postgres.database("stoa").expect("a database");
        let nodes = [0, 1].map(|_| Engine::node(database.as_ref(), rate));
        Some(Engine { nodes: nodes.into(), _folder: None, _postgres: Some(postgres) })
    }

    fn node(database: &Path, rate: Option<u32>) -> Server {
        let mut settings = talk::settings(database);
        settings.rate = rate;
        settings.behind_proxy = true;
        Server::with_engine(settings, talk::site(), 2)
    }

    fn address(&self, number: usize) -> SocketAddr {
        self.nodes[number % self.nodes.len()].address
    }

    /// A person in this many windows, at all nodes.
    fn windows(&self, person: &Person, count: usize) -> Vec<Person> {
        (0..count).map(|number| person.at(self.address(number))).collect()
    }

    /// What the engine is answered.
    fn posts(&self, path: &str, body: &Value) -> (u16, Value) {
        let headers = format!("Authorization: Bearer {}\r\n{JSON}", self.nodes[0].engine[0]);
        let answer = self.nodes[0].ask(&post(path, &headers, &body.to_string()));
        (answer.status, answer.json())
    }

    fn accepts(&self, challenge: &str) -> String {
        let path = format!("/api/challenges/{challenge}/accept");
        text(&self.posts(&path, &json!({})).1["id"])
    }
}

fn to_the_engine() -> Value {
    json!({ "game": "impasse", "control": unlimited(), "opponent": "stoa-1" })
}

fn challenge_at_once(people: Vec<Person>) -> usize {
    let answers = at_once(people, |_, person| person.post("/api/challenges", &to_the_engine()));
    let made = count(&answers, 201, "");
    assert_eq!(count(&answers, 503, "engine_busy"), answers.len() - made, "{answers:?}");
    made
}

fn limits_on_engine_games_hold_under_concurrency(engine: &Engine) {
    let person = |name| Person::from("192.0.2.9", engine.address(0), name);
    let three = ["Greedy", "Greedier", "Greediest"].map(person);
    assert_eq!(challenge_at_once(engine.windows(&three[0], 18)), 8);
    let others = three[1..].iter().flat_map(|person| engine.windows(person, 12)).collect();
    assert_eq!(challenge_at_once(others), 8, "the address has 16");
}

fn a_rematch_with_the_engine_counts_as_a_game_with_it(engine: &Engine) {
    let mut ann = Person::new(engine.address(0), "Ann");
    let challenge = |ann: &mut Person| {
        let (status, challenge) = ann.post("/api/challenges", &to_the_engine());
        assert_eq!(status, 201, "{challenge}");
        text(&challenge["id"])
    };
    let games = [0, 1, 2].map(|_| engine.accepts(&challenge(&mut ann)));
    for game in &games {
        assert_eq!(ann.act(game, json!({ "kind": "resign" })).0, 200);
    }
    let open: Vec<String> = (0..8).map(|_| challenge(&mut ann)).collect();
    let rematch = json!({ "kind": "rematch" });
    let refused = ann.act(&games[0], rematch.clone());
    assert_eq!((refused.0, &refused.1["code"]), (503, &json!("engine_busy")), "{refused:?}");

    // There is a place for one of those who were offered in time.
    let cancel = |challenge: &str| ann.delete(&format!("/api/challenges/{challenge}")).0;
    assert_eq!(cancel(&open[0]), 200);
    for game in &games {
        assert_eq!(ann.at(ann.address).act(game, rematch.clone()).0, 200);
    }
    let answers = at_once(engine.windows(&ann, 3), |number, _| {
        engine.posts(&format!("/api/games/{}/actions", games[number]), &rematch)
    });
    assert_eq!(count(&answers, 200, ""), 1, "{answers:?}");
    assert_eq!(count(&answers, 503, "engine_busy"), 2, "{answers:?}");
    let began = games.iter().filter(|game| !ann.look(game)["next"].is_null());
    assert_eq!(began.count(), 1);

    // The others are still there when there is a place.
    assert_eq!(cancel(&open[1]), 200);
    let waiting = games.iter().find(|game| ann.look(game)["next"].is_null());
    let path = format!("/api/games/{}/actions", waiting.expect("a game"));
    assert_eq!(engine.posts(&path, &rematch).0, 200);
}

#[test]
fn the_engine_on_sqlite() {
    limits_on_engine_games_hold_under_concurrency(&Engine::on_sqlite(Some(1000)));
    a_rematch_with_the_engine_counts_as_a_game_with_it(&Engine::on_sqlite(None));
}

#[test]
fn the_engine_on_two_nodes_with_postgres() {
    if let Some(engine) = Engine::on_postgres(Some(1000)) {
        limits_on_engine_games_hold_under_concurrency(&engine);
    }
    if let Some(engine) = Engine::on_postgres(None) {
        a_rematch_with_the_engine_counts_as_a_game_with_it(&engine);
    }
}
