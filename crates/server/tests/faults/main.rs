//! Random schedules of faults below the store, each determined by a seed: the disk fails, fills up, is slow,
//! or loses what was not synced; the ways of two nodes to Postgres and NATS are slow, stall or are cut, and messages
//! of NATS overtake each other. Meanwhile people play. Each ends in the same check: every move that was acknowledged is there, once and in
//! order, on every node, the server serves again soon after each fault, and a game that ends is counted once by
//! everything that counts games.
//!
//! `STOA_FAULT_SEEDS=1..2000 cargo test -p stoa-server --test faults` runs these seeds; a failing one is
//! printed, and can be run alone.

#![cfg(unix)]

mod counting;
mod deadline;
mod disk;
mod network;
mod proxy;
mod reordering;
#[path = "../all/talk/mod.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "the other tests use more of it")]
mod talk;
mod watcher;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use deadline::RecoveryDeadline;
use disk::Fault;
use serde_json::json;
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Side};
use talk::Server;
use talk::people::{Person, begin};

/// The seeds that are run where nobody asks for others.
const DISK_SEEDS: Range<u64> = 0..12;
/// How many moves a schedule has.
const MOVES: usize = 14;

/// A game, and what has been acknowledged in it.
struct Witness {
    game: String,
    players: [Person; 2],
    position: AnyPosition,
    acknowledged: Vec<String>,
}

impl Witness {
    /// Of a game of Impasse that has just begun, between people who are there for the first time.
    fn begin([mut ann, mut bob]: [Person; 2]) -> Witness {
        let days = json!({ "kind": "days", "days": 3 });
        let game = begin("impasse", days, &mut ann, &mut bob);
        let position = Game::Impasse.start();
        Witness { game, players: [ann, bob], position, acknowledged: Vec::new() }
    }

    /// Sends the next move; true if it was acknowledged.
    fn send(&mut self, mv: &str) -> bool {
        let side: Side = self.position.side_to_move();
        let ply = self.acknowledged.len();
        let (status, answer) = self.players[side.index()].play(&self.game, ply, mv);
        match status {
            200 => {
                self.position.play(mv).expect("a legal move");
                self.acknowledged.push(mv.to_owned());
                assert_eq!(answer["ply"], json!(self.acknowledged.len()));
                true
            }
            503 => false,
            _ => panic!("{mv} is answered {status}: {answer}"),
        }
    }

    fn next_move(&self, rng: &mut Rng) -> String {
        let mut moves = self.position.legal_moves();
        moves.swap_remove(rng.below(moves.len()))
    }

    /// Sends a move again and again until it is acknowledged.
    fn insist(&mut self, mv: &str, deadline: &RecoveryDeadline) {
        deadline.wait_until("the server serves again", || self.send(mv));
    }

    /// Resigns for the first player; true if that was acknowledged, now or before.
    fn resign(&mut self) -> bool {
        let (status, answer) = self.players[0].act(&self.game, json!({ "kind": "resign" }));
        match status {
            200 => true,
            409 => {
                assert_eq!(answer["code"], "game_over", "{answer}");
                true
            }
            503 => false,
            _ => panic!("resigning is answered {status}: {answer}"),
        }
    }

    /// Whether the server answers who wants to read the game.
    fn is_readable(&self) -> bool {
        self.players.iter().all(|person| person.get(&format!("/api/games/{}", self.game)).0 == 200)
    }

    fn check(&self) {
        let (status, view) = self.players[0].get(&format!("/api/games/{}", self.game));
        assert_eq!(status, 200, "{view}");
        assert_eq!(view["moves"], json!(self.acknowledged), "what was acknowledged is there, once");
        let record = self.players[1].get_text(&format!("/api/games/{}/record", self.game));
        let record = stoa_rules::Record::parse(&record).expect("a record");
        assert_eq!(record.main_line().len(), self.acknowledged.len());
    }

    fn at(&mut self, server: &Server) {
        self.players = self.players.each_ref().map(|person| person.at(server.address));
    }
}

fn address(database: &Path) -> String {
    format!("{}?vfs={}", database.display(), disk::NAME)
}

fn start(database: &Path) -> Server {
    Server::with(talk::settings(Path::new(&address(database))), talk::site())
}

fn any_fault(rng: &mut Rng) -> Fault {
    match rng.below(6) {
        0 => Fault::Full,
        1 => Fault::Writes(1 + rng.below(6)),
        2 => Fault::Syncs(1 + rng.below(3)),
        3 => Fault::Reads(1 + rng.below(20)),
        4 => Fault::Slow(5 + rng.below(60) as u64),
        _ => Fault::Dead,
    }
}

/// A server on a disk that fails.
struct Schedule {
    rng: Rng,
    database: PathBuf,
    server: Server,
}

impl Schedule {
    /// Lets a player try something while the disk has a fault, and mends the disk. Returns whether they
    /// succeeded, and the deadline from then on.
    fn suffer(
        &mut self,
        witness: &mut Witness,
        mut attempt: impl FnMut(&mut Witness) -> bool,
    ) -> (bool, RecoveryDeadline) {
        let fault = any_fault(&mut self.rng);
        disk::set(fault);
        let attempts = 1 + self.rng.below(3);
        let succeeded = (0..attempts).any(|_| attempt(witness));
        if fault == Fault::Dead {
            assert!(!succeeded, "nothing can be written without power");
            // The process ends without any chance to tidy up: what it still tries fails.
            self.server.stop();
            let shared = format!("{}-shm", self.database.display());
            let _ = std::fs::remove_file(shared);
            disk::lose_unsynced();
            self.server = start(&self.database);
            witness.at(&self.server);
        } else {
            disk::set(Fault::None);
        }
        (succeeded, RecoveryDeadline::with(&self.server))
    }
}

/// One schedule; returns how often something failed in it.
fn run(seed: u64) -> u64 {
    disk::install(seed);
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("stoa.db");
    let server = start(&database);
    let people = counting::people(&server, &server, seed);
    let is_rated = counting::is_rated(seed);
    let mut witness = Witness::begin(people);
    let mut schedule = Schedule { rng: Rng::new(seed), database, server };
    while witness.acknowledged.len() < MOVES && witness.position.outcome().is_none() {
        for _ in 0..schedule.rng.below(3) {
            let mv = witness.next_move(&mut schedule.rng);
            witness.insist(&mv, &RecoveryDeadline::with(&schedule.server));
        }
        let mv = witness.next_move(&mut schedule.rng);
        let (acknowledged, deadline) = schedule.suffer(&mut witness, |witness| witness.send(&mv));
        if !acknowledged {
            witness.insist(&mv, &deadline);
        }
        witness.check();
    }
    if witness.position.outcome().is_none() {
        let (resigned, deadline) = schedule.suffer(&mut witness, Witness::resign);
        if !resigned {
            deadline.wait_until("the server serves again", || witness.resign());
        }
    }
    // While the game is being counted.
    let pause = Duration::from_millis(schedule.rng.below(100) as u64);
    let (_, deadline) = schedule.suffer(&mut witness, |_| {
        std::thread::sleep(pause);
        false
    });
    let stranger = Person::stranger(schedule.server.address);
    deadline.wait_until("it becomes ready", || stranger.get("/readyz").0 == 200);
    counting::check(&witness, 1, is_rated, &RecoveryDeadline::with_counting(&schedule.server));
    let failures = disk::failures();
    let address = address(&schedule.database);
    drop(schedule);
    counting::check_rebuilt(&address, usize::from(is_rated));
    failures
}

/// The seeds that were asked for, or else these.
fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("STOA_FAULT_SEEDS") else { return usual };
    let (from, to) = text.split_once("..").expect("STOA_FAULT_SEEDS=FROM..TO");
    from.parse().expect("a number")..to.parse().expect("a number")
}

#[test]
fn acknowledged_moves_survive_every_schedule_of_faults() {
    let mut failures = 0;
    for seed in seeds(DISK_SEEDS) {
        println!("seed {seed}");
        failures += run(seed);
    }
    println!("{failures} operations failed");
    assert!(failures > 0, "the disk must fail, or nothing is tested");
}
