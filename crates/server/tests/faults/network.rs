//! Two nodes whose ways to Postgres and to NATS fail at random, by seed.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::json;
use stoa_rules::playout::Rng;
use stoa_testing::{Durability, Nats, Postgres, or_skip};

use crate::proxy::{Proxy, Weather};
use crate::talk::people::{Person, begin, unlimited};
use crate::talk::{self, Server};
use crate::{RECOVERY_TIMEOUT, Witness, seeds};

/// How many moves a schedule has.
const MOVES: usize = 12;

/// The address of a service in its URL.
fn place(url: &str) -> SocketAddr {
    let rest = url.split("://").nth(1).unwrap_or(url);
    let rest = rest.rsplit('@').next().unwrap_or(rest);
    rest.split('/').next().unwrap_or(rest).parse().expect("an address and a port")
}

/// A node, and its own ways to both services.
struct Node {
    server: Server,
    ways: [Proxy; 2],
}

impl Node {
    fn start(database: &str, nats: &str) -> Node {
        let ways = [database, nats].map(|url| Proxy::start(place(url)));
        let through =
            |url: &str, way: &Proxy| url.replace(&place(url).to_string(), &way.address.to_string());
        let mut settings = talk::settings(through(database, &ways[0]).as_ref());
        settings.nats = Some(through(nats, &ways[1]));
        Node { server: Server::with(settings, talk::site()), ways }
    }
}

fn any_weather(rng: &mut Rng) -> Weather {
    match rng.below(3) {
        0 => Weather::Slow(10 + rng.below(150) as u64),
        1 => Weather::Stalled,
        _ => Weather::Cut,
    }
}

fn run(nodes: &[Node; 2], seed: u64) {
    let mut rng = Rng::new(seed);
    let mut ann = Person::new(nodes[0].server.address, "Ann");
    let mut bob = Person::new(nodes[1].server.address, "Bob");
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut witness = Witness::of(game, [ann, bob]);
    while witness.acknowledged.len() < MOVES && witness.position.outcome().is_none() {
        let way = &nodes[rng.below(2)].ways[rng.below(2)];
        way.set(any_weather(&mut rng));
        let mv = witness.next_move(&mut rng);
        let began = Instant::now();
        // A stalled network answers nothing, so somebody must change the weather while a move is on its way.
        let acknowledged = std::thread::scope(|scope| {
            let fault = Duration::from_millis(rng.below(400) as u64);
            scope.spawn(move || {
                std::thread::sleep(fault);
                way.set(Weather::Fair);
            });
            witness.send(&mv)
        });
        if !acknowledged {
            witness.insist(&mv);
        }
        assert!(began.elapsed() < RECOVERY_TIMEOUT);
        for node in nodes {
            witness.at(&node.server);
            witness.check();
        }
        witness.players[0] = witness.players[0].at(nodes[rng.below(2)].server.address);
        witness.players[1] = witness.players[1].at(nodes[rng.below(2)].server.address);
    }
    // What one node does, the other tells those who watch.
    let mut socket = Person::stranger(nodes[1].server.address).socket();
    let ply = witness.acknowledged.len();
    assert_eq!(socket.watch(&witness.game)["ply"], json!(ply));
}

#[test]
fn two_nodes_agree_after_every_schedule_of_networks() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    let Some(nats) = or_skip(Nats::start()) else { return };
    let database = postgres.database("stoa").expect("a database");
    let nodes = [0, 1].map(|_| Node::start(&database, &nats.address()));
    for seed in seeds() {
        println!("seed {seed}");
        run(&nodes, seed);
    }
}
