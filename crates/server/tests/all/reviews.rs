//! Computer reviews: asking, workers that do what they should, and workers that do not.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stoa_rules::Game;
use stoa_server::Time;

use crate::talk::people::{Person, begin, text, unlimited};
use crate::talk::world::{World, scenes};
use crate::talk::{self, Answer, JSON, Server, post, site};

const MOVES: [&str; 2] = ["1b<", "1g>"];

/// A game that is over after two moves.
fn finished(ann: &mut Person, bob: &mut Person) -> String {
    let game = begin("colonnade", unlimited(), ann, bob);
    assert_eq!(ann.play(&game, 0, MOVES[0]).0, 200);
    assert_eq!(bob.play(&game, 1, MOVES[1]).0, 200);
    assert_eq!(ann.act(&game, json!({ "kind": "resign" })).0, 200);
    game
}

/// What an honest worker may find about it.
fn sound() -> Value {
    let mut position = Game::Colonnade.start();
    for text in MOVES {
        position.play(text).expect("legal");
    }
    let last = position.legal_moves().swap_remove(0);
    let lines = [MOVES[0], MOVES[1], &last];
    json!({ "positions": lines.map(|mv| json!({ "score": 0, "line": [mv] })) })
}

fn work(world: &World, path: &str, body: &Value) -> Answer {
    let headers = format!("Authorization: Bearer {}\r\n{JSON}", world.worker());
    world.ask(1, &post(&format!("/api/worker/jobs{path}"), &headers, &body.to_string()))
}

/// Takes the next job; nothing if there is none.
fn lease(world: &World) -> Option<Value> {
    let answer = work(world, "", &json!({}));
    assert_eq!(answer.status, 200);
    Some(answer.json()["job"].clone()).filter(|job| !job.is_null())
}

fn hand_in(world: &World, job: &Value, result: &Value) -> Answer {
    work(world, &format!("/{}/result", text(&job["lease"])), result)
}

fn state(person: &Person, game: &str) -> Value {
    let (status, review) = person.get(&format!("/api/games/{game}/review"));
    assert_eq!(status, 200, "{review}");
    review
}

fn ask(person: &mut Person, game: &str) -> (u16, Value) {
    person.post(&format!("/api/games/{game}/review"), &json!({}))
}

/// Does everything that there is to do.
fn drain(world: &World) {
    while let Some(job) = lease(world) {
        assert_eq!(hand_in(world, &job, &sound()).status, 204);
    }
}

fn a_review_is_asked_for_made_and_seen_by_everybody(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = finished(&mut ann, &mut bob);
    drain(world);
    let none = state(&ann, &game);
    assert_eq!((&none["state"], &none["available"]), (&json!("none"), &json!(true)), "{none}");
    let (status, asked) = ask(&mut bob, &game);
    assert_eq!(status, 200, "{asked}");
    assert_eq!((&asked["state"], &asked["before"]), (&json!("waiting"), &json!(0)));
    assert_eq!(bob.get("/api/me/data").1["reviews_asked"], json!([game]));
    assert_eq!(ask(&mut ann, &game).1["state"], "waiting", "twice is once");

    let job = lease(world).expect("a job");
    assert_eq!(lease(world), None, "nobody else gets it");
    assert_eq!(job["game"], "colonnade");
    assert_eq!(job["moves"], json!(MOVES));
    assert_eq!(
        work(world, &format!("/{}", text(&job["lease"])), &json!({ "judged": 2 })).status,
        204
    );
    let running = state(&ann, &game);
    assert_eq!((&running["state"], &running["judged"]), (&json!("running"), &json!(2)));
    let much = json!({ "judged": u32::MAX });
    assert_eq!(work(world, &format!("/{}", text(&job["lease"])), &much).status, 204);
    assert_eq!(state(&ann, &game)["judged"], 3, "a game of two moves has three positions");
    assert_eq!(hand_in(world, &job, &sound()).status, 204);
    assert_eq!(hand_in(world, &job, &sound()).status, 404, "once");

    let done = state(&Person::stranger(world.address(0)), &game);
    assert_eq!((&done["state"], &done["before"]), (&json!("done"), &Value::Null));
    let review = &done["review"];
    assert_eq!((&review["plies"], &review["complete"]), (&json!(2), &json!(true)), "{review}");
    assert_eq!(review["curve"], json!([0.5, 0.5, 0.5]));
    assert_eq!(review["moves"][1]["move"], MOVES[1]);
    assert_eq!(review["moves"][1]["class"], "best");
    assert_eq!(review["players"][0]["counts"]["best"], 1);
    assert_eq!(ask(&mut ann, &game).1["state"], "done", "it is not made again");
    assert_eq!(bob.get("/api/me/data").1["reviews_asked"], json!([]), "who asked is forgotten");
}

fn nonsense_is_refused_and_after_three_times_given_up(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = finished(&mut ann, &mut bob);
    drain(world);
    assert_eq!(ask(&mut ann, &game).0, 200);
    let with = |change: fn(&mut Value)| {
        let mut result = sound();
        change(&mut result["positions"]);
        result
    };
    let nonsense = [
        with(|all| all[1]["line"] = json!(["8h>"])),
        with(|all| drop(all.as_array_mut().expect("a list").pop())),
        with(|all| all[2]["score"] = json!(17_000)),
    ];
    for (failures, result) in nonsense.iter().enumerate() {
        assert_eq!(state(&ann, &game)["state"], "waiting", "it goes back {failures} times");
        let job = lease(world).expect("a job");
        let refused = hand_in(world, &job, result);
        assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("bad_review")));
        assert_eq!(hand_in(world, &job, &sound()).status, 404, "it has lost the job");
    }
    let failed = state(&ann, &game);
    assert_eq!(failed["state"], "failed", "{failed}");
    assert!(text(&failed["failure"]).contains("there is no score 17000"), "{failed}");
    assert_eq!(lease(world), None);
    // A body that cannot be read at all is no attempt; the worker still has the job.
    assert_eq!(ask(&mut ann, &game).1["state"], "waiting", "it can be asked for again");
    let job = lease(world).expect("a job");
    for garbage in [json!([]), json!({ "positions": [{ "score": 99_999_999, "line": [] }] })] {
        assert_eq!(hand_in(world, &job, &garbage).status, 400);
    }
    let long = json!({ "positions": [{ "score": 0, "line": ["x".repeat(300_000)] }] });
    assert_eq!(hand_in(world, &job, &long).status, 413);
    let reason = json!({ "reason": format!("out\u{7} of\n{}", "m".repeat(500)) });
    let failure = format!("/{}/failure", text(&job["lease"]));
    assert_eq!(work(world, &failure, &reason).status, 204);
    let job = lease(world).expect("it waits again");
    assert_eq!(hand_in(world, &job, &sound()).status, 204);
    assert_eq!(state(&ann, &game)["state"], "done");
}

fn a_player_who_asks_for_many_reviews_keeps_nobody_waiting(world: &World) {
    let (mut greedy, mut other) = world.two();
    let mut modest = Person::new(world.address(0), "Modest");
    let games: Vec<String> = (0..7).map(|_| finished(&mut greedy, &mut other)).collect();
    drain(world);
    for (index, game) in games[..5].iter().enumerate() {
        assert_eq!(ask(&mut greedy, game).1["before"], index);
    }
    let (status, refused) = ask(&mut greedy, &games[5]);
    assert_eq!((status, &refused["code"]), (409, &json!("too_many_reviews")), "{refused}");
    assert_eq!(ask(&mut modest, &games[5]).1["before"], 1, "after the first of somebody else");
    assert_eq!(state(&greedy, &games[1])["before"], 2, "the second waits longer");
    assert_eq!(ask(&mut other, &games[6]).1["before"], 2);
    let mut order = Vec::new();
    while let Some(job) = lease(world) {
        let running = games.iter().position(|game| state(&greedy, game)["state"] == "running");
        order.push(running.expect("a game"));
        assert_eq!(hand_in(world, &job, &sound()).status, 204);
    }
    assert_eq!(order, [0, 5, 6, 1, 2, 3, 4]);
}

fn a_job_that_is_given_back_waits_at_its_old_place(world: &World) {
    let (mut ann, mut bob) = world.two();
    let games = [finished(&mut ann, &mut bob), finished(&mut ann, &mut bob)];
    drain(world);
    assert_eq!(ask(&mut ann, &games[0]).0, 200);
    assert_eq!(ask(&mut bob, &games[1]).0, 200);
    // Often enough to be given up, if that were a failure.
    for _ in 0..12 {
        let job = lease(world).expect("a job");
        assert_eq!(state(&ann, &games[0])["state"], "running");
        let request = format!(
            "DELETE /api/worker/jobs/{} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
             Authorization: Bearer {}\r\n\r\n",
            text(&job["lease"]),
            world.worker()
        );
        assert_eq!(world.ask(0, &request).status, 204);
    }
    assert_eq!(state(&ann, &games[0])["state"], "waiting");
    drain(world);
}

fn only_finished_games_are_reviewed_and_only_workers_work(world: &World) {
    let (mut ann, mut bob) = world.two();
    drain(world);
    let running = begin("colonnade", unlimited(), &mut ann, &mut bob);
    assert_eq!(ask(&mut ann, &running).1["code"], "not_over");
    assert_eq!(ann.act(&running, json!({ "kind": "abort" })).0, 200);
    assert_eq!(ask(&mut ann, &running).1["code"], "nothing_to_review");
    assert_eq!(ask(&mut ann, "nothing").0, 404);
    assert_eq!(ann.get("/api/games/nothing/review").0, 404);
    let game = finished(&mut ann, &mut bob);
    let mut stranger = Person::stranger(world.address(0));
    assert_eq!(ask(&mut stranger, &game).0, 401);
    let (_, token) = ann.post("/api/me/tokens", &json!({ "label": "mine" }));
    for token in [text(&token["token"]), "nonsense".to_owned()] {
        let headers = format!("Authorization: Bearer {token}\r\n{JSON}");
        assert_eq!(world.ask(0, &post("/api/worker/jobs", &headers, "{}")).status, 401);
        let large = json!({ "positions": [{ "score": 0, "line": ["x".repeat(20_000)] }] });
        let large = post("/api/worker/jobs/x/result", &headers, &large.to_string());
        assert_eq!(world.ask(0, &large).status, 413, "nobody else may send so much");
    }
    assert_eq!(world.ask(0, &post("/api/worker/jobs", JSON, "{}")).status, 401);
    assert_eq!(work(world, "/unknown", &json!({ "judged": 1 })).status, 404);
    // And the token of a worker is good for nothing else.
    let headers = format!("Authorization: Bearer {}\r\n", world.worker());
    assert_eq!(world.ask(0, &talk::get("/api/me/challenges", &headers)).status, 401);
}

fn a_deleted_player_is_forgotten_and_the_review_is_made(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = finished(&mut ann, &mut bob);
    drain(world);
    assert_eq!(ask(&mut ann, &game).0, 200);
    assert_eq!(ann.delete("/api/me").0, 204);
    drain(world);
    assert_eq!(state(&bob, &game)["state"], "done");
}

scenes!(
    a_review_is_asked_for_made_and_seen_by_everybody,
    nonsense_is_refused_and_after_three_times_given_up,
    a_player_who_asks_for_many_reviews_keeps_nobody_waiting,
    a_job_that_is_given_back_waits_at_its_old_place,
    only_finished_games_are_reviewed_and_only_workers_work,
    a_deleted_player_is_forgotten_and_the_review_is_made,
);

/// Waits until the review of a game is in a state.
fn until(person: &Person, game: &str, wanted: &str) -> Value {
    let begun = Instant::now();
    loop {
        let found = state(person, game);
        if found["state"] == wanted {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(15), "{found} does not become {wanted}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn expired_leases_free_the_job_and_after_ten_the_review_is_given_up() {
    let now = Arc::new(AtomicI64::new(1_790_000_000_000));
    let server = Server::set(site(), |settings| settings.time = Time::Manual(Arc::clone(&now)));
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let game = finished(&mut ann, &mut bob);
    let (status, refused) = ask(&mut ann, &game);
    assert_eq!((status, &refused["code"]), (503, &json!("no_reviews")), "nobody would do it");
    let headers = format!("Authorization: Bearer {}\r\n{JSON}", server.worker);
    let lease = || server.ask(&post("/api/worker/jobs", &headers, "{}")).json()["job"].clone();
    assert_eq!(lease(), Value::Null);
    assert_eq!(ask(&mut ann, &game).0, 200);
    let mut last = Value::Null;
    for _ in 0..10 {
        assert_eq!(state(&ann, &game)["state"], "waiting");
        last = lease();
        assert_eq!(state(&ann, &game)["state"], "running");
        now.fetch_add(21_000, Ordering::SeqCst);
        let begun = Instant::now();
        while state(&ann, &game)["state"] == "running" {
            assert!(begun.elapsed() < Duration::from_secs(15), "the lease does not expire");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    let failed = until(&ann, &game, "failed");
    assert!(text(&failed["failure"]).contains("have not come back"), "{failed}");
    let path = format!("/api/worker/jobs/{}/result", text(&last["lease"]));
    let late = server.ask(&post(&path, &headers, &sound().to_string()));
    assert_eq!(late.status, 404, "too late");
    now.fetch_add(10 * 60_000, Ordering::SeqCst);
    assert_eq!(state(&ann, &game)["available"], false, "the worker is gone");
}
