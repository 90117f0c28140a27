//! Two people who play over HTTP and remember every acknowledged move.

use anyhow::{Context, Result, bail, ensure};
use stoa_client::{Action, Client, Error, GameView, NewChallenge, TimeControl};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Record};

use crate::live_game::GAMES;

/// Two people, their game, and what was acknowledged.
#[derive(Debug)]
pub(super) struct Witness {
    url: String,
    name: String,
    kind: Game,
    rng: Rng,
    at_play: Option<AtPlay>,
}

/// A game that is being played.
#[derive(Debug)]
struct AtPlay {
    people: [Client; 2],
    game: String,
    position: AnyPosition,
    acknowledged: Vec<String>,
    /// A move that was sent without a response: it may have been played or not.
    unanswered: Option<String>,
}

/// The result of a step.
#[derive(Debug)]
pub(super) enum Step {
    /// A move was acknowledged.
    Moved,
    /// The game is over.
    Ended(Seen),
    /// The server did not answer, or was unavailable.
    NoResponse,
}

/// A game and all the moves in it that were acknowledged.
#[derive(Debug)]
pub(super) struct Seen {
    game: String,
    moves: Vec<String>,
}

impl Witness {
    pub(super) fn new(url: &str, number: usize, seed: u64) -> Witness {
        let kinds: Vec<Game> = GAMES.iter().filter_map(|name| name.parse().ok()).collect();
        Witness {
            url: url.to_owned(),
            name: format!("game {number}"),
            kind: kinds[number % kinds.len()],
            rng: Rng::for_game(seed ^ 0xc7a5, number as u64),
            at_play: None,
        }
    }

    pub(super) fn game(&self) -> &str {
        self.at_play.as_ref().map_or("(none)", |at_play| &at_play.game)
    }

    /// Sends a move, or begins a game if there is none.
    pub(super) fn step(&mut self) -> Result<Step> {
        match self.at_play.take() {
            None => match self.begin() {
                Ok(at_play) => self.at_play = Some(at_play),
                Err(error) if error.is_transient() => return Ok(Step::NoResponse),
                Err(error) => return Err(error).context("a new game was refused"),
            },
            Some(at_play) if at_play.position.outcome().is_some() => {
                let AtPlay { game, acknowledged, .. } = at_play;
                return Ok(Step::Ended(Seen { game, moves: acknowledged }));
            }
            Some(at_play) => self.at_play = Some(at_play),
        }
        match &mut self.at_play {
            Some(at_play) => at_play.step(&mut self.rng),
            None => Ok(Step::NoResponse),
        }
    }

    /// New guests each time, so that nothing a lost response left behind matters later.
    fn begin(&self) -> Result<AtPlay, Error> {
        let creator = Client::guest(&self.url, &self.name)?;
        let acceptor = creator.become_guest(&self.name)?;
        let control = TimeControl::Clock { initial: 3600, increment: 0 };
        let kind = self.kind.to_string();
        let challenge = creator.challenge(&NewChallenge::new(kind, control))?;
        let game = acceptor.accept(&challenge.id)?;
        let creator_is_first = game.players[0] == challenge.creator;
        Ok(AtPlay {
            people: if creator_is_first { [creator, acceptor] } else { [acceptor, creator] },
            game: game.id,
            position: self.kind.start(),
            acknowledged: Vec::new(),
            unanswered: None,
        })
    }

    /// Checks that everything is there. Returns whether a move without a response was committed, if there
    /// was one.
    pub(super) fn check_after_restart(&self) -> Result<Option<bool>> {
        let Some(at_play) = &self.at_play else { return Ok(None) };
        let AtPlay { people, game, acknowledged, unanswered, .. } = at_play;
        let view = retry(|| people[0].game(game)).context("a game is gone")?;
        let more = view.moves.get(acknowledged.len());
        let expected = match (more, unanswered) {
            (None, _) => view.moves == *acknowledged,
            (Some(more), Some(sent)) => {
                more == sent && view.moves[..view.moves.len() - 1] == acknowledged[..]
            }
            (Some(_), None) => false,
        };
        if !expected {
            bail!(
                "game {game}: {acknowledged:?} were acknowledged and {unanswered:?} was under way, \
                 but the server has {:?}",
                view.moves
            );
        }
        replay(&people[0], &view)?;
        at_play.repeat_last(view.moves.len())?;
        Ok(unanswered.as_ref().map(|_| more.is_some()))
    }

    /// The game and the time left on both clocks together, once both sides have moved.
    pub(super) fn time_left(&self) -> Result<Option<(String, i64)>> {
        let Some(at_play) = &self.at_play else { return Ok(None) };
        if at_play.acknowledged.len() < 2 {
            return Ok(None);
        }
        let view = retry(|| at_play.people[0].game(&at_play.game)).context("no clocks")?;
        ensure!(
            view.situation.result.is_none() || at_play.position.outcome().is_some(),
            "game {} has ended by {:?}",
            at_play.game,
            view.situation.result
        );
        let left = view.situation.left.context("a game with clocks has none")?;
        Ok(Some((at_play.game.clone(), left[0] + left[1])))
    }
}

impl AtPlay {
    fn step(&mut self, rng: &mut Rng) -> Result<Step> {
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
        match mover.act(&self.game, &action) {
            Ok(situation) => {
                self.position.play(&text).context("a legal move is not legal")?;
                self.acknowledged.push(text);
                self.unanswered = None;
                let (ply, position) = (situation.ply, situation.position);
                if ply != self.acknowledged.len() || position != self.position.text() {
                    bail!(
                        "game {}: after {:?} the server says {ply} moves and {position}",
                        self.game,
                        self.acknowledged
                    );
                }
                Ok(Step::Moved)
            }
            Err(error) if error.is_transient() => Ok(Step::NoResponse),
            Err(error) => {
                let (game, ply) = (&self.game, self.acknowledged.len());
                Err(error).with_context(|| format!("game {game}: move {ply}, {text}, was refused"))
            }
        }
    }

    /// Checks that the last acknowledged move, sent again, is played once.
    fn repeat_last(&self, played: usize) -> Result<()> {
        let Some((last, before)) = self.acknowledged.split_last() else { return Ok(()) };
        let mut position = self.position.game().start();
        for text in before {
            position.play(text).context("a move is not legal any more")?;
        }
        let mover = &self.people[position.side_to_move().index()];
        let action = Action::Move { ply: before.len(), text: last.clone() };
        let situation = retry(|| mover.act(&self.game, &action)).context("repeating a move")?;
        ensure!(situation.ply == played, "game {}: a repeated move has counted twice", self.game);
        Ok(())
    }
}

impl Seen {
    /// Checks that a game that has ended is unchanged.
    pub(super) fn check(&self, url: &str) -> Result<()> {
        let client = Client::anonymous(url);
        let view = retry(|| client.game(&self.game)).context("a game that has ended is gone")?;
        ensure!(view.moves == self.moves, "game {} has changed after its end", self.game);
        ensure!(view.situation.result.is_some(), "game {} has lost its result", self.game);
        replay(&client, &view)
    }
}

/// Checks that the record is legal, and leads to the position that the server reports.
fn replay(client: &Client, view: &GameView) -> Result<()> {
    let text = retry(|| client.record(&view.id)).context("no record")?;
    let record = Record::parse(&text)
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

/// Retries while the database recovers.
fn retry<T>(mut ask: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
    let began = std::time::Instant::now();
    loop {
        match ask() {
            Err(error) if error.is_transient() && began.elapsed() < super::PROGRESS_TIMEOUT => {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            answered => return answered,
        }
    }
}
