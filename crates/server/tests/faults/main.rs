//! Random schedules of faults below the store, each determined by a seed: the disk fails, fills up, is slow,
//! or loses what was not synced; the ways of two nodes to Postgres and NATS are slow, stall or are cut.
//! Meanwhile people play. Each ends in the same check: every move that was acknowledged is there, once and in
//! order, on every node, and the server serves again.
//!
//! `STOA_FAULT_SEEDS=1..2000 cargo test -p stoa-server --test faults` runs these seeds; a failing one is
//! printed, and can be run alone.

#![cfg(unix)]

mod disk;
mod network;
mod proxy;
#[path = "../all/talk/mod.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "the other tests use more of it")]
mod talk;

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use disk::Fault;
use serde_json::json;
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Side};
use talk::Server;
use talk::people::{Person, begin, unlimited};

/// The seeds that are run where nobody asks for others.
const SEEDS: Range<u64> = 0..12;
/// How long the server may take to serve again after a fault; much longer than on a quiet machine.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(60);
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
    fn begin(server: &Server) -> Witness {
        let mut ann = Person::new(server.address, "Ann");
        let mut bob = Person::new(server.address, "Bob");
        let game = begin("impasse", unlimited(), &mut ann, &mut bob);
        Witness::of(game, [ann, bob])
    }

    /// Of a game of Impasse that has just begun.
    fn of(game: String, players: [Person; 2]) -> Witness {
        let position = Game::Impasse.start();
        Witness { game, players, position, acknowledged: Vec::new() }
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
    fn insist(&mut self, mv: &str) {
        let began = Instant::now();
        while !self.send(mv) {
            assert!(began.elapsed() < RECOVERY_TIMEOUT, "the server does not serve again");
            std::thread::sleep(Duration::from_millis(20));
        }
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

fn start(database: &Path) -> Server {
    let address = format!("{}?vfs={}", database.display(), disk::NAME);
    Server::with(talk::settings(Path::new(&address)), talk::site())
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

/// One schedule; returns how often something failed in it.
fn run(seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    disk::install(seed);
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("stoa.db");
    let mut server = start(&database);
    let mut witness = Witness::begin(&server);
    while witness.acknowledged.len() < MOVES && witness.position.outcome().is_none() {
        for _ in 0..rng.below(3) {
            let mv = witness.next_move(&mut rng);
            witness.insist(&mv);
        }
        let fault = any_fault(&mut rng);
        disk::set(fault);
        let mv = witness.next_move(&mut rng);
        let attempts = 1 + rng.below(3);
        let acknowledged = (0..attempts).any(|_| witness.send(&mv));
        if fault == Fault::Dead {
            assert!(!acknowledged, "nothing can be written without power");
            // The process ends without any chance to tidy up: what it still tries fails.
            server.stop();
            let shared = format!("{}-shm", database.display());
            let _ = std::fs::remove_file(shared);
            disk::lose_unsynced();
            server = start(&database);
            witness.at(&server);
        } else {
            disk::set(Fault::None);
        }
        if !acknowledged {
            witness.insist(&mv);
        }
        witness.check();
    }
    let ready = Instant::now();
    while Person::stranger(server.address).get("/readyz").0 != 200 {
        assert!(ready.elapsed() < RECOVERY_TIMEOUT, "it does not become ready");
        std::thread::sleep(Duration::from_millis(20));
    }
    let failures = disk::failures();
    drop(server);
    failures
}

fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("STOA_FAULT_SEEDS") else { return SEEDS };
    let (from, to) = text.split_once("..").expect("STOA_FAULT_SEEDS=FROM..TO");
    from.parse().expect("a number")..to.parse().expect("a number")
}

#[test]
fn what_was_acknowledged_survives_every_schedule_of_faults() {
    let mut failures = 0;
    for seed in seeds() {
        println!("seed {seed}");
        failures += run(seed);
    }
    println!("{failures} operations failed");
    assert!(failures > 0, "the disk must fail, or nothing is tested");
}
