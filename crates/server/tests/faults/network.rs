//! Two nodes whose ways to Postgres and to NATS fail at random, by seed.

use std::net::SocketAddr;
use std::ops::Range;
use std::time::{Duration, Instant};

use serde_json::json;
use stoa_rules::playout::Rng;
use stoa_testing::{Durability, Nats, Postgres, or_skip};

use crate::deadline::RecoveryDeadline;
use crate::proxy::{Protocol, Proxy, Weather};
use crate::talk::people::Person;
use crate::talk::{self, Server};
use crate::watcher::Watcher;
use crate::{Witness, counting, seeds};

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
        let ways = [(database, Protocol::Any), (nats, Protocol::Nats)];
        let ways = ways.map(|(url, protocol)| Proxy::start(place(url), protocol));
        let through =
            |url: &str, way: &Proxy| url.replace(&place(url).to_string(), &way.address.to_string());
        let mut settings = talk::settings(through(database, &ways[0]).as_ref());
        settings.nats = Some(through(nats, &ways[1]));
        Node { server: Server::with(settings, talk::site()), ways }
    }
}

fn any_weather(rng: &mut Rng, protocol: Protocol) -> Weather {
    let kinds = match protocol {
        Protocol::Any => 4,
        Protocol::Nats => 5,
    };
    match rng.below(kinds) {
        0 => Weather::Slow(10 + rng.below(150) as u64),
        1 => Weather::Stalled,
        2 => Weather::Vanished,
        3 => Weather::Cut,
        _ => Weather::Reordered,
    }
}

/// Lets a player try something while the way from a node to a service has bad weather. Returns whether they
/// succeeded, and the deadline since the weather is fair.
fn suffer(
    nodes: &[Node; 2],
    rng: &mut Rng,
    attempt: impl FnOnce() -> bool,
) -> (bool, RecoveryDeadline) {
    let node = &nodes[rng.below(2)];
    let way = &node.ways[rng.below(2)];
    way.set(any_weather(rng, way.protocol));
    let fault = Duration::from_millis(rng.below(400) as u64);
    // A stalled network answers nothing, so somebody must change the weather meanwhile.
    let (succeeded, deadline) = std::thread::scope(|scope| {
        let deadline = scope.spawn(move || {
            std::thread::sleep(fault);
            way.set(Weather::Fair);
            RecoveryDeadline::with(&node.server)
        });
        let succeeded = attempt();
        (succeeded, deadline.join().expect("fair weather"))
    });
    deadline.check("the answer to what was asked during the fault");
    (succeeded, deadline)
}

/// One schedule, the n-th of all.
fn run(nodes: &[Node; 2], seed: u64, number: i64) {
    let mut rng = Rng::new(seed);
    let people = counting::people(&nodes[0].server, &nodes[1].server, seed);
    let mut witness = Witness::begin(people);
    let watchers = nodes.each_ref().map(|node| Watcher::new(node.server.address, &witness.game));
    while witness.acknowledged.len() < MOVES && witness.position.outcome().is_none() {
        let mv = witness.next_move(&mut rng);
        let (acknowledged, deadline) = suffer(nodes, &mut rng, || witness.send(&mv));
        if !acknowledged {
            witness.insist(&mv, &deadline);
        }
        for node in nodes {
            witness.at(&node.server);
            deadline.wait_until("the game can be read", || witness.is_readable());
            witness.check();
        }
        witness.players[0] = witness.players[0].at(nodes[rng.below(2)].server.address);
        witness.players[1] = witness.players[1].at(nodes[rng.below(2)].server.address);
    }
    // What one node does, the other tells those who begin to watch.
    let mut socket = Person::stranger(nodes[1].server.address).socket();
    let ply = witness.acknowledged.len();
    assert_eq!(socket.watch(&witness.game)["ply"], json!(ply));
    if witness.position.outcome().is_none() {
        let (resigned, deadline) = suffer(nodes, &mut rng, || witness.resign());
        if !resigned {
            deadline.wait_until("the server serves again", || witness.resign());
        }
    }
    // While the game is being counted.
    suffer(nodes, &mut rng, || false);
    let deadline = RecoveryDeadline::with_counting(&nodes[0].server);
    for node in nodes {
        witness.at(&node.server);
        counting::check(&witness, number, counting::is_rated(seed), &deadline);
    }
    // So it tells those who have watched all the time.
    for watcher in &watchers {
        watcher.check(ply, &deadline);
    }
}

/// A server that is asked to stop while statements wait for connections that have gone silent.
#[test]
fn a_server_stops_whatever_the_network_does() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    let Some(nats) = or_skip(Nats::start()) else { return };
    let database = postgres.database("stoa").expect("a database");
    let node = Node::start(&database, &nats.address());
    let people: Vec<Person> =
        (0..12).map(|n| Person::new(node.server.address, &format!("Ann {n}"))).collect();
    let until = Instant::now() + Duration::from_secs(3);
    std::thread::scope(|scope| {
        for mut person in people {
            scope.spawn(move || {
                while Instant::now() < until {
                    person.post("/api/me", &json!({ "name": "Bob" }));
                    person.get("/api/me/acquaintances");
                }
            });
        }
        std::thread::sleep(Duration::from_secs(1));
        node.ways[0].set(Weather::Vanished);
    });
    let Node { mut server, ways } = node;
    let (stopped, is_stopped) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        server.stop();
        stopped.send(()).expect("somebody who waits");
    });
    is_stopped.recv_timeout(Duration::from_secs(40)).expect("a server that stops");
    drop(ways);
}

/// The seeds that are run where nobody asks for others. A schedule takes ten seconds: most of it is waiting for
/// connections that have gone silent.
const NETWORK_SEEDS: Range<u64> = 0..6;

#[test]
fn two_nodes_agree_after_every_schedule_of_networks() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    let Some(nats) = or_skip(Nats::start()) else { return };
    let database = postgres.database("stoa").expect("a database");
    let nodes = [0, 1].map(|_| Node::start(&database, &nats.address()));
    for (number, seed) in (1..).zip(seeds(NETWORK_SEEDS)) {
        println!("seed {seed}");
        run(&nodes, seed, number);
    }
    let rated = seeds(NETWORK_SEEDS).filter(|seed| counting::is_rated(*seed)).count();
    drop(nodes);
    counting::check_rebuilt(&database, rated);
}
