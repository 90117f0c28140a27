//! A game over HTTP whose players remember every acknowledged move.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use stoa_client::{Action, Client, Error, GameView, Situation};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Record};

/// How long a game may take to continue after a restart: longer than a server may take to start.
pub(crate) const PROGRESS_TIMEOUT: Duration = Duration::from_secs(60);
/// How often a server that is away is asked again.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// A game, its two players, and what was acknowledged.
#[derive(Debug)]
pub(crate) struct WitnessedGame {
    /// In the order of their sides.
    pub(crate) people: [Client; 2],
    pub(crate) id: String,
    pub(crate) position: AnyPosition,
    pub(crate) acknowledged: Vec<String>,
    /// A move that was sent without a response: it may have been played or not.
    pub(crate) unanswered: Option<String>,
}

impl WitnessedGame {
    /// A game at its start.
    pub(crate) fn new(id: String, kind: Game, people: [Client; 2]) -> WitnessedGame {
        WitnessedGame {
            people,
            id,
            position: kind.start(),
            acknowledged: Vec::new(),
            unanswered: None,
        }
    }

    /// Sends a random move, or again the one that has had no response. The outer error is that of a server which
    /// has acknowledged something else.
    pub(crate) fn play(&mut self, rng: &mut Rng) -> Result<Result<Situation, Error>> {
        let text = match &self.unanswered {
            Some(text) => text.clone(),
            None => {
                let moves = self.position.legal_moves();
                moves[rng.below(moves.len())].clone()
            }
        };
        let mover = &self.people[self.position.side_to_move().index()];
        let action = Action::Move { ply: self.acknowledged.len(), text: text.clone() };
        self.unanswered = Some(text.clone());
        let situation = match mover.act(&self.id, &action) {
            Ok(situation) => situation,
            Err(error) => return Ok(Err(error)),
        };
        self.position.play(&text).context("a legal move is not legal")?;
        self.acknowledged.push(text);
        self.unanswered = None;
        let (ply, position) = (situation.ply, &situation.position);
        if ply != self.acknowledged.len() || *position != self.position.text() {
            bail!(
                "game {}: after {:?} the server says {ply} moves and {position}",
                self.id,
                self.acknowledged
            );
        }
        Ok(Ok(situation))
    }

    /// Checks that everything is there, and returns the game. Nothing may be in flight.
    pub(crate) fn check(&self) -> Result<GameView> {
        let client = &self.people[0];
        let view = retry(|| client.game(&self.id)).context("a game is gone")?;
        was_committed(&self.acknowledged, self.unanswered.as_deref(), &view.moves)
            .with_context(|| format!("game {}", self.id))?;
        let record = retry(|| client.record(&self.id)).context("no record")?;
        replay(&view, &record)?;
        Ok(view)
    }

    /// Checks that the last acknowledged move, sent again, is played once.
    pub(crate) fn repeat_last(&self, played: usize) -> Result<()> {
        let Some((last, before)) = self.acknowledged.split_last() else { return Ok(()) };
        let mut position = self.position.game().start();
        for text in before {
            position.play(text).context("a move is not legal any more")?;
        }
        let mover = &self.people[position.side_to_move().index()];
        let action = Action::Move { ply: before.len(), text: last.clone() };
        let situation = retry(|| mover.act(&self.id, &action)).context("repeating a move")?;
        ensure!(situation.ply == played, "game {}: a repeated move has counted twice", self.id);
        Ok(())
    }
}

/// Checks that a game has the moves that were acknowledged, followed at most by the one that was sent without a
/// response; returns whether that one was committed.
pub(crate) fn was_committed(
    acknowledged: &[String],
    unanswered: Option<&str>,
    found: &[String],
) -> Result<bool> {
    let more = found.strip_prefix(acknowledged);
    match (more, unanswered) {
        (Some([]), _) => Ok(false),
        (Some([one]), Some(sent)) if one == sent => Ok(true),
        _ => bail!(
            "{acknowledged:?} were acknowledged and {unanswered:?} was under way, but the server has {found:?}"
        ),
    }
}

/// Checks that the record is legal, and leads to the position that the server reports.
pub(crate) fn replay(view: &GameView, text: &str) -> Result<()> {
    let record = Record::parse(text)
        .with_context(|| format!("the record of game {} cannot be read:\n{text}", view.id))?;
    let moves: Vec<&str> = record.main_line().map(|node| node.text()).collect();
    ensure!(moves == view.moves, "game {}: the record has other moves:\n{text}", view.id);
    let mut replayed = record.start().clone();
    for text in &view.moves {
        replayed.play(text).with_context(|| format!("game {} is not legal", view.id))?;
    }
    ensure!(
        replayed.text() == view.situation.position,
        "game {}: its moves lead to {}, but the server says {}",
        view.id,
        replayed.text(),
        view.situation.position
    );
    Ok(())
}

/// Retries while the server or its database is away.
pub(crate) fn retry<T>(mut ask: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
    let began = Instant::now();
    loop {
        match ask() {
            Err(error) if error.is_transient() && began.elapsed() < PROGRESS_TIMEOUT => {
                sleep(RETRY_INTERVAL);
            }
            answered => return answered,
        }
    }
}
