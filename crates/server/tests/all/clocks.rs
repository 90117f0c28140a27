//! Clocks, with a time that the tests turn. Nobody's computer but the server's is asked what time it is.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stoa_server::Time;

use crate::talk::people::{Person, begin, clock, unlimited};
use crate::talk::{self, Server};

const DAY: i64 = 24 * 3600 * 1000;

/// A server whose time stands still until it is turned.
struct Timed {
    server: Server,
    now: Arc<AtomicI64>,
    ann: Person,
    bob: Person,
}

impl Timed {
    /// Without downtimes: however far the time is turned, it has passed for the clocks.
    fn start(database: &Path) -> Timed {
        Timed::with_max_heartbeat_gap(database, None, 1_800_000_000_000)
    }

    fn with_max_heartbeat_gap(
        database: &Path,
        max_heartbeat_gap: Option<Duration>,
        now: i64,
    ) -> Timed {
        let now = Arc::new(AtomicI64::new(now));
        let mut settings = talk::settings(database);
        settings.time = Time::Manual(Arc::clone(&now));
        settings.max_heartbeat_gap = max_heartbeat_gap;
        let server = Server::with(settings, talk::site());
        let ann = Person::new(server.address, "Ann");
        let bob = Person::new(server.address, "Bob");
        Timed { server, now, ann, bob }
    }

    fn turn(&self, ms: i64) {
        self.now.fetch_add(ms, Ordering::SeqCst);
    }

    fn begin(&mut self, control: Value) -> String {
        begin("colonnade", control, &mut self.ann, &mut self.bob)
    }

    /// Both sides' first moves, after which clocks run.
    fn get_under_way(&mut self, game: &str) {
        assert_eq!(self.ann.play(game, 0, "1b<").0, 200);
        assert_eq!(self.bob.play(game, 1, "1g>").0, 200);
    }

    fn any_move(&self, game: &str) -> String {
        let view = self.ann.look(game);
        let position =
            stoa_rules::Game::Colonnade.position(view["position"].as_str().unwrap_or(""));
        position.expect("a position").legal_moves().swap_remove(0)
    }

    /// Waits until the server has found out on its own.
    fn result(&self, game: &str) -> Value {
        let begun = Instant::now();
        loop {
            let result = self.ann.look(game)["result"].clone();
            if !result.is_null() || begun.elapsed() > Duration::from_secs(10) {
                return result;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn clocks_run_from_the_third_move_and_gain_the_increment() {
    let folder = folder();
    let mut timed = Timed::start(&folder.path().join("db"));
    let game = timed.begin(clock(60, 2));
    timed.turn(20_000);
    assert_eq!(timed.ann.look(&game)["left"], json!([60_000, 60_000]), "not yet");
    timed.get_under_way(&game);
    timed.turn(10_000);
    let view = timed.bob.look(&game);
    assert_eq!((&view["left"], &view["running"]), (&json!([50_000, 60_000]), &json!("first")));
    let mv = timed.any_move(&game);
    let (_, after) = timed.ann.play(&game, 2, &mv);
    assert_eq!((&after["left"], &after["running"]), (&json!([52_000, 60_000]), &json!("second")));
    timed.turn(1_500);
    let (_, after) = timed.bob.act(&game, json!({ "kind": "add_time" }));
    assert_eq!(after["left"], json!([67_000, 58_500]), "fifteen seconds for the other side");
}

#[test]
fn the_server_ends_a_game_when_nobody_says_anything() {
    let folder = folder();
    let mut timed = Timed::start(&folder.path().join("db"));
    let game = timed.begin(clock(60, 0));
    timed.get_under_way(&game);
    let mut watcher = Person::stranger(timed.server.address).socket();
    watcher.watch(&game);
    timed.turn(59_999);
    assert_eq!(timed.ann.look(&game)["result"], Value::Null);
    timed.turn(1);
    let ended = watcher.expect("update");
    assert_eq!(ended["event"]["reason"], "time");
    let result = timed.result(&game);
    assert_eq!(result, json!({ "winner": "second", "reason": "time" }));
    assert_eq!(timed.ann.look(&game)["left"], json!([0, 60_000]));
}

#[test]
fn a_move_that_comes_too_late_loses_whatever_the_player_says() {
    let folder = folder();
    let mut timed = Timed::start(&folder.path().join("db"));
    let game = timed.begin(clock(5, 0));
    timed.get_under_way(&game);
    let mv = timed.any_move(&game);
    timed.turn(5_000);
    let (status, refused) = timed.ann.play(&game, 2, &mv);
    // Either the move found out, or the server was faster.
    assert_eq!(status, 409, "{refused}");
    assert!(
        ["time_up", "game_over"].contains(&refused["code"].as_str().unwrap_or("")),
        "{refused}"
    );
    assert_eq!(timed.result(&game), json!({ "winner": "second", "reason": "time" }));
    let (status, already) = timed.bob.play(&game, 1, "1g>");
    assert_eq!(status, 200, "an old move sent again is still acknowledged: {already}");
}

#[test]
fn a_game_that_nobody_begins_is_aborted() {
    let folder = folder();
    let mut timed = Timed::start(&folder.path().join("db"));
    let game = timed.begin(clock(600, 0));
    assert_eq!(timed.ann.play(&game, 0, "1b<").0, 200);
    timed.turn(60_000);
    assert_eq!(timed.result(&game), json!({ "winner": null, "reason": "aborted" }));
}

#[test]
fn days_per_move_begin_anew_with_each_move() {
    let folder = folder();
    let mut timed = Timed::start(&folder.path().join("db"));
    let game = timed.begin(json!({ "kind": "days", "days": 2 }));
    timed.turn(DAY);
    timed.get_under_way(&game);
    timed.turn(DAY + DAY / 2);
    assert_eq!(timed.ann.look(&game)["left"], json!([DAY / 2, 2 * DAY]));
    let (_, after) = timed.bob.act(&game, json!({ "kind": "add_time" }));
    assert_eq!(after["left"], json!([DAY + DAY / 2, 2 * DAY]));
    let mv = timed.any_move(&game);
    assert_eq!(timed.ann.play(&game, 2, &mv).1["left"], json!([2 * DAY, 2 * DAY]));
    timed.turn(2 * DAY);
    assert_eq!(timed.result(&game), json!({ "winner": "first", "reason": "time" }));

    let patient = timed.begin(unlimited());
    timed.turn(400 * DAY);
    assert_eq!(timed.ann.look(&patient)["left"], Value::Null);
    assert_eq!(timed.ann.act(&patient, json!({ "kind": "add_time" })).1["code"], "no_clock");
    assert_eq!(timed.ann.play(&patient, 0, "1b<").0, 200);
}

#[test]
fn time_while_the_server_was_down_is_nobodys_loss() {
    let folder = folder();
    let database = folder.path().join("db");
    let began = 1_800_000_000_000;
    let mut timed = Timed::with_max_heartbeat_gap(&database, Some(Duration::from_secs(3)), began);
    let game = timed.begin(clock(60, 0));
    timed.get_under_way(&game);
    timed.turn(2_000);
    // There is a beat at this moment, after which the server is away for an hour.
    std::thread::sleep(Duration::from_millis(1500));
    timed.server.stop();
    let (ann, bob) = (timed.ann, timed.bob);
    let timed = Timed::with_max_heartbeat_gap(
        &database,
        Some(Duration::from_secs(3)),
        began + 2_000 + 3_600_000,
    );
    let (mut ann, bob) = (ann.at(timed.server.address), bob.at(timed.server.address));
    let view = bob.look(&game);
    assert_eq!((&view["left"], &view["result"]), (&json!([58_000, 60_000]), &Value::Null));
    timed.turn(1_000);
    let mv = timed.any_move(&game);
    let (status, after) = ann.play(&game, 2, &mv);
    assert_eq!((status, &after["left"]), (200, &json!([57_000, 60_000])), "{after}");
}

#[test]
fn games_that_ran_out_of_time_unnoticed_end_after_a_restart() {
    let folder = folder();
    let database = folder.path().join("db");
    let mut timed = Timed::start(&database);
    let game = timed.begin(json!({ "kind": "days", "days": 1 }));
    timed.get_under_way(&game);
    let now = timed.now.load(Ordering::SeqCst);
    timed.server.stop();
    let timed = Timed::with_max_heartbeat_gap(&database, None, now + DAY);
    assert_eq!(timed.result(&game), json!({ "winner": "second", "reason": "time" }));
}
