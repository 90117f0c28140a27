//! The three ways in which a server can be run.

use std::net::SocketAddr;

use stoa_server::Settings;
use stoa_testing::{Durability, Nats, Postgres, or_skip};

use super::people::Person;
use super::{Answer, Server};

/// One or two nodes and what they need.
pub(crate) struct World {
    nodes: Vec<Server>,
    // Ended after the nodes.
    nats: Option<Nats>,
    _postgres: Option<Postgres>,
}

impl World {
    pub(crate) fn sqlite() -> World {
        World::sqlite_with(|_| {})
    }

    /// With settings that are changed.
    pub(crate) fn sqlite_with(change: impl FnOnce(&mut Settings)) -> World {
        let nodes = vec![Server::set(super::site(), change)];
        World { nodes, nats: None, _postgres: None }
    }

    /// Nothing if there is no Postgres here.
    pub(crate) fn postgres() -> Option<World> {
        let postgres = or_skip(Postgres::start(Durability::Forgetful))?;
        let database = postgres.database("stoa").expect("a database");
        let nodes = vec![Server::with(super::settings(database.as_ref()), super::site())];
        Some(World { nodes, nats: None, _postgres: Some(postgres) })
    }

    /// Nothing if there is no Postgres or no NATS here.
    pub(crate) fn two_nodes() -> Option<World> {
        World::two_nodes_with(|_| {})
    }

    /// With settings that are changed; nothing if there is no Postgres or no NATS here.
    pub(crate) fn two_nodes_with(change: impl FnOnce(&mut Settings)) -> Option<World> {
        let postgres = or_skip(Postgres::start(Durability::Forgetful))?;
        let nats = or_skip(Nats::start())?;
        let database = postgres.database("stoa").expect("a database");
        let mut settings = super::settings(database.as_ref());
        settings.nats = Some(nats.address());
        change(&mut settings);
        let node = || Server::with(settings.clone(), super::site());
        let nodes = vec![node(), node()];
        Some(World { nodes, nats: Some(nats), _postgres: Some(postgres) })
    }

    /// Ann and Bob, each at a node of their own if there are two.
    pub(crate) fn two(&self) -> (Person, Person) {
        (Person::new(self.address(0), "Ann"), Person::new(self.address(1), "Bob"))
    }

    /// Sends a text to a node and reads all that comes back.
    pub(crate) fn ask(&self, node: usize, request: &str) -> Answer {
        self.nodes[node % self.nodes.len()].ask(request)
    }

    /// From now on nodes learn from the database alone what others do.
    pub(crate) fn kill_nats(&mut self) {
        self.nats.as_mut().expect("a world of two nodes").kill();
    }

    /// The token of the server's own worker, the same on all nodes.
    pub(crate) fn worker(&self) -> &str {
        &self.nodes[0].worker
    }

    pub(crate) fn address(&self, node: usize) -> SocketAddr {
        self.nodes[node % self.nodes.len()].address
    }
}

/// A test of its own for each scene on SQLite, and one test each for all of them elsewhere: starting
/// Postgres takes longer than the scenes.
macro_rules! scenes {
    ($($scene:ident),+ $(,)?) => {
        mod on_sqlite {
            $(#[test] fn $scene() { super::$scene(&super::World::sqlite()); })+
        }

        fn play_all(world: Option<World>) {
            let scenes: &[(&str, fn(&World))] = &[$((stringify!($scene), $scene)),+];
            let Some(world) = world else { return };
            for (name, scene) in scenes {
                println!("{name}");
                scene(&world);
            }
        }

        #[test]
        fn on_postgres() {
            play_all(World::postgres());
        }

        #[test]
        fn on_two_nodes() {
            play_all(World::two_nodes());
        }
    };
}

pub(crate) use scenes;
