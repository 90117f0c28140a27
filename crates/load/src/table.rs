//! Two people who play against each other over two sockets, each perhaps at another node.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use stoa_client::{Client, Control, Wish};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game};
use tokio::time::timeout;

use crate::socket::{Heard, Socket};

/// Games that take a while even if nobody thinks.
pub(crate) const GAMES: [&str; 4] = ["impasse", "palisade:9", "columna", "colonnade"];
/// A move that takes longer is an error, not a figure.
const PATIENCE: Duration = Duration::from_secs(30);

/// Two people and their game.
#[derive(Debug)]
pub(crate) struct Table {
    people: [Client; 2],
    sockets: [Socket; 2],
    kind: Game,
    game: String,
    position: AnyPosition,
    ply: usize,
    rng: Rng,
    /// The sockets by their seats: who created the challenge may have either.
    first: usize,
}

/// When a move was sent, when it was acknowledged, and when the opponent had it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Played {
    pub(crate) sent: Instant,
    pub(crate) acknowledged: Instant,
    pub(crate) reached: Instant,
}

impl Table {
    /// Two new people sit down, each at one of the nodes, and begin a game.
    pub(crate) async fn new(urls: &[String], number: usize) -> Result<Table> {
        let place = |index: usize| urls[(number + index) % urls.len()].clone();
        let places = [place(0), place(1)];
        let people = tokio::task::spawn_blocking(move || {
            let person = |index: usize| Client::guest(&places[index], &format!("{number}-{index}"));
            Ok::<_, stoa_client::Error>([person(0)?, person(1)?])
        });
        let people = people.await?.context("cannot make players")?;
        let kind: Game = GAMES[number % GAMES.len()].parse().context("no such game")?;
        let sockets = [Socket::connect(&people[0]).await?, Socket::connect(&people[1]).await?];
        let rng = Rng::for_game(6, number as u64);
        let position = kind.start();
        let game = String::new();
        let mut table = Table { people, sockets, kind, game, position, ply: 0, rng, first: 0 };
        table.begin().await?;
        Ok(table)
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
            let control = Control::Clock { initial: 3600, increment: 10 };
            let wish = Wish { game: &kind, control, ..Wish::default() };
            let challenge = creator.challenge(&wish)?;
            let game = acceptor.accept(&challenge.id)?;
            let first = usize::from(game.players[0] != challenge.creator);
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
                if let Heard::Done { id: answered, ply } = mover.hear().await?
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
                if opponent.hear().await? == (Heard::Update { ply: after }) {
                    return Ok(Instant::now());
                }
            }
        };
        let both = async { tokio::try_join!(acknowledged, reached) };
        let (acknowledged, reached) =
            timeout(PATIENCE, both).await.context("a move was not answered")??;
        self.position.play(text).context("a legal move is not legal")?;
        self.ply = after;
        Ok(Played { sent, acknowledged, reached })
    }

    /// Waits, and reads what arrives meanwhile.
    pub(crate) async fn rest_until(&mut self, when: Instant) -> Result<()> {
        let [one, two] = &mut self.sockets;
        let end = tokio::time::sleep_until(when.into());
        tokio::pin!(end);
        loop {
            tokio::select! {
                biased;
                () = &mut end => return Ok(()),
                heard = one.hear() => heard?,
                heard = two.hear() => heard?,
            };
        }
    }
}
