//! Two people who play one game after the other, and are asked after each kill whether everything is there.

use anyhow::{Context, Result, ensure};
use stoa_client::{Client, Error, NewChallenge, TimeControl};
use stoa_rules::Game;
use stoa_rules::playout::Rng;

use crate::live_game::GAMES;
use crate::witnessed_game::{WitnessedGame, replay, retry};

/// Two people and their game.
#[derive(Debug)]
pub(super) struct Witness {
    url: String,
    name: String,
    kind: Game,
    rng: Rng,
    game: Option<WitnessedGame>,
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
            game: None,
        }
    }

    pub(super) fn game(&self) -> &str {
        self.game.as_ref().map_or("(none)", |game| &game.id)
    }

    /// Sends a move, or begins a game if there is none.
    pub(super) fn step(&mut self) -> Result<Step> {
        let mut game = match self.game.take() {
            None => match self.begin() {
                Ok(game) => game,
                Err(error) if error.is_transient() => return Ok(Step::NoResponse),
                Err(error) => return Err(error).context("a new game was refused"),
            },
            Some(WitnessedGame { id, position, acknowledged, .. })
                if position.outcome().is_some() =>
            {
                return Ok(Step::Ended(Seen { game: id, moves: acknowledged }));
            }
            Some(game) => game,
        };
        let sent = game.play(&mut self.rng)?;
        let (id, ply) = (game.id.clone(), game.acknowledged.len());
        self.game = Some(game);
        match sent {
            Ok(_) => Ok(Step::Moved),
            Err(error) if error.is_transient() => Ok(Step::NoResponse),
            Err(error) => Err(error).with_context(|| format!("game {id}: move {ply} was refused")),
        }
    }

    /// New guests each time, so that nothing a lost response left behind matters later.
    fn begin(&self) -> Result<WitnessedGame, Error> {
        let creator = Client::guest(&self.url, &self.name)?;
        let acceptor = creator.become_guest(&self.name)?;
        let control = TimeControl::Clock { initial: 3600, increment: 0 };
        let kind = self.kind.to_string();
        let challenge = creator.challenge(&NewChallenge::new(kind, control))?;
        let game = acceptor.accept(&challenge.id)?;
        let creator_is_first = game.players[0] == challenge.creator;
        let people = if creator_is_first { [creator, acceptor] } else { [acceptor, creator] };
        Ok(WitnessedGame::new(game.id, self.kind, people))
    }

    /// Checks that everything is there. Returns whether a move without a response was committed, if there
    /// was one.
    pub(super) fn check_after_restart(&self) -> Result<Option<bool>> {
        let Some(game) = &self.game else { return Ok(None) };
        let played = game.check()?.moves.len();
        game.repeat_last(played)?;
        Ok(game.unanswered.as_ref().map(|_| played > game.acknowledged.len()))
    }

    /// The game and the time left on both clocks together, once both sides have moved.
    pub(super) fn time_left(&self) -> Result<Option<(String, i64)>> {
        let Some(game) = self.game.as_ref().filter(|game| game.acknowledged.len() >= 2) else {
            return Ok(None);
        };
        let view = retry(|| game.people[0].game(&game.id)).context("no clocks")?;
        ensure!(
            view.situation.result.is_none() || game.position.outcome().is_some(),
            "game {} has ended by {:?}",
            game.id,
            view.situation.result
        );
        let left = view.situation.left.context("a game with clocks has none")?;
        Ok(Some((game.id.clone(), left[0] + left[1])))
    }
}

impl Seen {
    /// Checks that a game that has ended is unchanged.
    pub(super) fn check(&self, url: &str) -> Result<()> {
        let client = Client::anonymous(url);
        let view = retry(|| client.game(&self.game)).context("a game that has ended is gone")?;
        ensure!(view.moves == self.moves, "game {} has changed after its end", self.game);
        ensure!(view.situation.result.is_some(), "game {} has lost its result", self.game);
        let record = retry(|| client.record(&self.game)).context("no record")?;
        replay(&view, &record)
    }
}
