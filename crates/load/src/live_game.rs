//! Two people who play against each other over two sockets, each perhaps at another node.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use stoa_client::{Client, NewChallenge, TimeControl};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game};
use tokio::time::timeout;

use crate::socket::{Received, Socket};

/// The password of every account that the load tool makes.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// Games that last a while even with random moves.
pub(crate) const GAMES: [&str; 4] = ["impasse", "palisade:9", "columna", "colonnade"];
/// A move that takes longer is an error, not a measurement.
const MOVE_TIMEOUT: Duration = Duration::from_secs(30);

/// A game between two people, each connected by a socket.
#[derive(Debug)]
pub(crate) struct LiveGame {
    people: [Client; 2],
    sockets: [Socket; 2],
    kind: Game,
    game: String,
    position: AnyPosition,
    ply: usize,
    rng: Rng,
    /// The index of the socket whose player moves first: the creator of the challenge may have either side.
    first: usize,
}

/// When a move was sent, when it was acknowledged, and when the opponent had it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Played {
    pub(crate) sent: Instant,
    pub(crate) acknowledged: Instant,
    pub(crate) reached: Instant,
}

/// The address of a person, for servers behind a proxy: everyone has their own network.
pub(crate) fn address(person: usize) -> String {
    format!("10.{}.{}.{}", person >> 16 & 255, person >> 8 & 255, person & 255)
}

impl LiveGame {
    /// Creates two guests, each at one of the nodes, and begins a game.
    pub(crate) async fn new(urls: &[String], number: usize) -> Result<LiveGame> {
        let node = |index: usize| urls[(number + index) % urls.len()].clone();
        let nodes = [node(0), node(1)];
        let people = tokio::task::spawn_blocking(move || {
            let person = |index: usize| {
                let client = Client::anonymous(&nodes[index]);
                client
                    .forwarded_for(&address(2 * number + index))
                    .become_guest(&format!("{number}-{index}"))
            };
            Ok::<_, stoa_client::Error>([person(0)?, person(1)?])
        });
        let people = people.await?.context("cannot make players")?;
        let kind: Game = GAMES[number % GAMES.len()].parse().context("no such game")?;
        let sockets = [Socket::connect(&people[0]).await?, Socket::connect(&people[1]).await?];
        let rng = Rng::for_game(6, number as u64);
        let position = kind.start();
        let game = String::new();
        let mut live_game =
            LiveGame { people, sockets, kind, game, position, ply: 0, rng, first: 0 };
        live_game.begin().await?;
        Ok(live_game)
    }

    pub(crate) fn game(&self) -> &str {
        &self.game
    }

    pub(crate) fn is_over(&self) -> bool {
        self.position.outcome().is_some()
    }

    /// Begins a game: one challenges, the other accepts.
    pub(crate) async fn begin(&mut self) -> Result<()> {
        if !self.game.is_empty() {
            for socket in &mut self.sockets {
                socket.unwatch(&self.game).await?;
            }
        }
        let [creator, acceptor] = self.people.clone();
        let kind = self.kind.to_string();
        let (game, first) = tokio::task::spawn_blocking(move || {
            let control = TimeControl::Clock { initial: 3600, increment: 10 };
            let challenge = creator.challenge(&NewChallenge::new(kind, control))?;
            let game = acceptor.accept(&challenge.id)?;
            let first = usize::from(game.players[0].id != challenge.creator.id);
            Ok::<_, stoa_client::Error>((game.id, first))
        })
        .await?
        .context("cannot begin a game")?;
        for socket in &mut self.sockets {
            socket.watch(&game).await?;
        }
        self.game = game;
        self.first = first;
        self.position = self.kind.start();
        self.ply = 0;
        Ok(())
    }

    /// Plays a random move and waits until it is acknowledged and the opponent has it.
    pub(crate) async fn play(&mut self) -> Result<Played> {
        let moves = self.position.legal_moves();
        let text = &moves[self.rng.below(moves.len())];
        let mover = (self.position.side_to_move().index() + self.first) % 2;
        let [one, two] = &mut self.sockets;
        let (mover, opponent) = if mover == 0 { (one, two) } else { (two, one) };
        let sent = Instant::now();
        let id = mover.play(&self.game, self.ply, text).await?;
        let after = self.ply + 1;
        let acknowledged = async {
            loop {
                if let Received::Done { id: answered, ply } = mover.receive().await?
                    && answered == id
                {
                    if ply != Some(after) {
                        bail!("after move {after} the server has {ply:?} moves");
                    }
                    return Ok(Instant::now());
                }
            }
        };
        let reached = async {
            loop {
                if opponent.receive().await? == (Received::Update { ply: after }) {
                    return Ok(Instant::now());
                }
            }
        };
        let both = async { tokio::try_join!(acknowledged, reached) };
        let (acknowledged, reached) =
            timeout(MOVE_TIMEOUT, both).await.context("a move was not answered")??;
        self.position.play(text).context("a legal move is not legal")?;
        self.ply = after;
        Ok(Played { sent, acknowledged, reached })
    }

    /// Waits until a moment, and reads the messages that arrive meanwhile.
    pub(crate) async fn rest_until(&mut self, when: Instant) -> Result<()> {
        let [one, two] = &mut self.sockets;
        let end = tokio::time::sleep_until(when.into());
        tokio::pin!(end);
        loop {
            tokio::select! {
                biased;
                () = &mut end => return Ok(()),
                received = one.receive() => received?,
                received = two.receive() => received?,
            };
        }
    }
}
