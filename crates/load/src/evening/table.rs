//! Two people at a table: they play one game after the other as planned, through all interruptions, and note what
//! they were told.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use stoa_client::{
    Action, ChallengeSide, Client, EndReason, Error, ErrorCode, GameView, NewChallenge, PlayerKind,
    Side, Situation, TimeControl,
};
use stoa_rules::playout::Rng;
use stoa_wire::Pace;

use super::ledger::{Ledger, SeenGame, SeenReview};
use super::people::Person;
use super::plan::{Ending, Plan};
use crate::witnessed_game::{PROGRESS_TIMEOUT, WitnessedGame, retry};

/// How long a player thinks about a move, and stays away, in milliseconds.
const THINKING: std::ops::Range<usize> = 40..260;
const ABSENCE: std::ops::Range<usize> = 500..5000;
/// How long a game that nobody begins takes to end, and how long it may take on a busy machine.
const NEVER_BEGUN: Duration = Duration::from_secs(60);
const MAX_RUN_OUT: Duration = Duration::from_secs(150);
const RUN_OUT_INTERVAL: Duration = Duration::from_millis(250);

/// What everyone shares.
#[derive(Debug)]
pub(super) struct Room {
    /// Where the nodes are.
    pub(super) urls: Vec<String>,
    pub(super) people: Vec<Person>,
    pub(super) ledger: Mutex<Ledger>,
    pub(super) seed: u64,
    pub(super) end: Instant,
    /// Whether the evening is long enough for games that nobody begins.
    pub(super) is_long: bool,
    /// The number of the next game.
    pub(super) next: AtomicUsize,
    pub(super) moves: AtomicUsize,
}

/// A game that is being played.
struct Playing<'a> {
    room: &'a Room,
    plan: &'a Plan,
    rng: Rng,
    game: WitnessedGame,
    seen: SeenGame,
}

impl Room {
    /// Plays games until the evening is over.
    pub(super) fn take_a_table(&self) -> Result<()> {
        while Instant::now() < self.end {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let plan = Plan::new(self.seed, number, self.people.len(), self.is_long);
            let mut playing = self.begin(&plan).with_context(|| format!("game {number}"))?;
            playing.play().with_context(|| format!("game {number}, {}", playing.game.id))?;
            playing.ask_for_a_review()?;
            let Playing { game, seen, .. } = playing;
            self.ledger().games.insert(game.id, seen);
        }
        Ok(())
    }

    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn complain(&self, complaint: String) {
        self.ledger().complaints.push(complaint);
    }

    /// Sends a request again and again while the server is away.
    fn ask<T>(&self, mut request: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        retry(|| {
            let answer = request();
            if matches!(answer, Err(Error::NoResponse(_))) {
                self.ledger().counts.unanswered += 1;
            }
            answer
        })
    }

    /// Begins a game.
    fn begin<'a>(&'a self, plan: &'a Plan) -> Result<Playing<'a>> {
        let (creator, acceptor) = (&self.people[plan.creator], &self.people[plan.acceptor]);
        let is_bot = acceptor.player.kind == PlayerKind::Bot;
        let new = NewChallenge {
            side: plan.side,
            rated: Some(plan.rated),
            opponent: is_bot.then(|| acceptor.player.id.clone()),
            ..NewChallenge::new(plan.kind.to_string(), plan.control)
        };
        let challenge = self.ask(|| creator.client.challenge(&new)).context("a challenge")?;
        let view = match self.ask(|| acceptor.client.accept(&challenge.id)) {
            // It was accepted, and the response was lost.
            Err(error) if error.code() == Some(ErrorCode::Gone) => {
                let challenge = self.ask(|| creator.client.challenge_of(&challenge.id))?;
                let game = challenge.game_id.context("a challenge is gone without a game")?;
                self.ask(|| creator.client.game(&game))
            }
            accepted => accepted,
        };
        let view = view.context("a challenge cannot be accepted")?;
        self.check_beginning(plan, &view);
        let is_first = view.players[0].id == creator.player.id;
        let [one, two] = if is_first { [creator, acceptor] } else { [acceptor, creator] };
        let people = [one.client.clone(), two.client.clone()];
        let seen = SeenGame {
            kind: plan.kind,
            control: plan.control,
            players: [one.player.id.clone(), two.player.id.clone()],
            rated: self.is_rated(plan),
            moves: Vec::new(),
            unanswered: None,
            deeds: Vec::new(),
            draw_offered: false,
            results: Vec::new(),
        };
        let game = WitnessedGame::new(view.id, plan.kind, people);
        Ok(Playing { room: self, plan, rng: plan.rng.clone(), game, seen })
    }

    fn is_rated(&self, plan: &Plan) -> bool {
        let players = [plan.creator, plan.acceptor].map(|number| &self.people[number].player);
        let guests = players.iter().any(|player| player.kind == PlayerKind::Guest);
        plan.rated && !guests && Pace::of(plan.control).is_some()
    }

    /// The game is the one that was agreed.
    fn check_beginning(&self, plan: &Plan, view: &GameView) {
        let players = [plan.creator, plan.acceptor].map(|number| &self.people[number].player.id);
        let sides = view.players.each_ref().map(|player| &player.id);
        let is_seated = match plan.side {
            ChallengeSide::First => sides == players,
            ChallengeSide::Second => sides == [players[1], players[0]],
            ChallengeSide::Random => sides == players || sides == [players[1], players[0]],
        };
        let is_same = view.game == plan.kind.to_string() && view.control == plan.control;
        if !is_seated || !is_same || view.rated != self.is_rated(plan) || !view.moves.is_empty() {
            self.complain(format!("game {} is not the one that was agreed: {view:?}", view.id));
        }
    }
}

impl Playing<'_> {
    /// Plays the whole game.
    fn play(&mut self) -> Result<()> {
        loop {
            let played = self.game.acknowledged.len();
            if self.game.position.outcome().is_some() {
                break;
            }
            if played >= self.plan.moves {
                self.end()?;
                break;
            }
            if Instant::now() >= self.room.end {
                self.close()?;
                break;
            }
            if self.plan.leave_after == Some(played) {
                self.leave_for_a_while()?;
            }
            let thinking = THINKING.start + self.rng.below(THINKING.len());
            sleep(Duration::from_millis(thinking as u64));
            if !self.make_a_move()? {
                break;
            }
        }
        self.seen.moves.clone_from(&self.game.acknowledged);
        self.seen.unanswered.clone_from(&self.game.unanswered);
        Ok(())
    }

    /// Makes a move; false if the game is over already.
    fn make_a_move(&mut self) -> Result<bool> {
        let began = Instant::now();
        loop {
            match self.game.play(&mut self.rng)? {
                Ok(situation) => {
                    self.room.moves.fetch_add(1, Ordering::Relaxed);
                    self.told(&situation);
                    return Ok(true);
                }
                Err(error) if error.is_transient() && began.elapsed() < PROGRESS_TIMEOUT => {
                    self.room.ledger().counts.unanswered += 1;
                    self.try_another_node();
                    sleep(Duration::from_millis(20));
                }
                Err(error) if is_over(&error) => return self.read_result().map(|()| false),
                Err(error) => return Err(error).context("a move was refused"),
            }
        }
    }

    /// The player to move connects to the next node: any of them can serve any request.
    fn try_another_node(&mut self) {
        let client = &mut self.game.people[self.game.position.side_to_move().index()];
        let urls = &self.room.urls;
        let here = urls.iter().position(|url| url == client.url()).unwrap_or_default();
        *client = client.at(&urls[(here + 1) % urls.len()]);
    }

    fn told(&mut self, situation: &Situation) {
        self.seen.results.extend(situation.result);
    }

    /// Reads how the game has ended.
    fn read_result(&mut self) -> Result<()> {
        let view = self.room.ask(|| self.game.people[0].game(&self.game.id))?;
        self.told(&view.situation);
        if view.situation.result.is_none() {
            self.room.complain(format!("game {} was over, and is no longer", self.game.id));
        }
        Ok(())
    }

    /// Does something that ends the game, or fails because it has ended.
    fn act(&mut self, side: Side, action: Action) -> Result<()> {
        self.seen.deeds.push((side, action.clone()));
        let client = &self.game.people[side.index()];
        match self.room.ask(|| client.act(&self.game.id, &action)) {
            Ok(situation) => {
                self.seen.draw_offered |= situation.offers.draw.is_some();
                self.told(&situation);
            }
            // It was offered, and the response was lost.
            Err(error) if error.code() == Some(ErrorCode::AlreadyAsked) => {
                self.seen.draw_offered = true;
            }
            Err(error) if is_over(&error) => self.read_result()?,
            Err(error) => return Err(error).with_context(|| format!("{action:?} was refused")),
        }
        Ok(())
    }

    /// Ends the game as planned.
    fn end(&mut self) -> Result<()> {
        let side = self.game.position.side_to_move();
        match self.plan.ending {
            Ending::Resign => self.act(side, Action::Resign),
            Ending::Abort => self.act(side, Action::Abort),
            Ending::BothResign => self.both_resign(),
            Ending::Draw => {
                self.act(side, Action::Draw)?;
                self.act(side.other(), Action::Draw)
            }
            Ending::NeverBegun if Instant::now() + NEVER_BEGUN > self.room.end => self.close(),
            Ending::RunOut | Ending::NeverBegun => self.wait_for_the_end(),
            Ending::Open => Ok(()),
        }
    }

    /// The evening is over: games with clocks end now, others are left as they are.
    fn close(&mut self) -> Result<()> {
        let side = self.game.position.side_to_move();
        match self.plan.control {
            TimeControl::Clock { .. } if self.game.acknowledged.len() < 2 => {
                self.act(side, Action::Abort)
            }
            TimeControl::Clock { .. } => self.act(side, Action::Resign),
            TimeControl::Days { .. } | TimeControl::Unlimited => Ok(()),
        }
    }

    fn both_resign(&mut self) -> Result<()> {
        self.seen.deeds.extend(Side::BOTH.map(|side| (side, Action::Resign)));
        let (room, game) = (self.room, &self.game);
        let answers = std::thread::scope(|scope| {
            let resign = |client| room.ask(|| Client::act(client, &game.id, &Action::Resign));
            let [one, two] =
                game.people.each_ref().map(|client| scope.spawn(move || resign(client)));
            [one, two].map(|thread| thread.join().expect("nobody panics"))
        });
        if answers.iter().all(Result::is_ok) {
            self.room.complain(format!("game {}: both sides have lost it", self.game.id));
        }
        for answer in answers {
            match answer {
                Ok(situation) => self.told(&situation),
                Err(error) if is_over(&error) => self.read_result()?,
                Err(error) => return Err(error).context("a resignation was refused"),
            }
        }
        Ok(())
    }

    /// Waits until the server ends the game.
    fn wait_for_the_end(&mut self) -> Result<()> {
        let began = Instant::now();
        loop {
            let view = self.room.ask(|| self.game.people[1].game(&self.game.id))?;
            if view.situation.result.is_some() {
                self.told(&view.situation);
                return Ok(());
            }
            if began.elapsed() > MAX_RUN_OUT {
                bail!("time has run out, and the game does not end");
            }
            sleep(RUN_OUT_INTERVAL);
        }
    }

    /// Both are away for a while. When they come back the game is in their lists, as they left it.
    fn leave_for_a_while(&mut self) -> Result<()> {
        let absence = ABSENCE.start + self.rng.below(ABSENCE.len());
        let left = self.room.end.saturating_duration_since(Instant::now());
        sleep(left.min(Duration::from_millis(absence as u64)));
        self.room.ledger().counts.absences += 1;
        for client in &self.game.people {
            let games = self.room.ask(|| client.games()).context("a list of games")?;
            let is_there = games.iter().any(|game| game.id == self.game.id);
            let view = self.room.ask(|| client.game(&self.game.id))?;
            if !is_there && view.situation.result.is_none() {
                self.room.complain(format!("game {} is in no list of its players", self.game.id));
            }
        }
        if let Err(error) = self.game.check() {
            self.room.complain(format!("after an absence: {error:#}"));
        }
        Ok(())
    }

    /// Asks for a review, if that is planned and there is something to review.
    fn ask_for_a_review(&mut self) -> Result<()> {
        let is_over = self.seen.results.iter().any(|result| result.reason != EndReason::Aborted);
        if !self.plan.review || !is_over || self.seen.moves.is_empty() {
            return Ok(());
        }
        let client = &self.game.people[self.rng.below(2)];
        let asked = self.room.ask(|| match client.ask_review(&self.game.id) {
            Ok(_) => Ok(true),
            Err(error) if is_declined(&error) => Ok(false),
            Err(error) => Err(error),
        });
        match asked.context("a review was refused")? {
            true => {
                let mut ledger = self.room.ledger();
                ledger.reviews.insert(self.game.id.clone(), SeenReview::default());
            }
            false => self.room.ledger().counts.reviews_declined += 1,
        }
        Ok(())
    }
}

/// Whether an action was refused because the game is over.
fn is_over(error: &Error) -> bool {
    matches!(error.code(), Some(ErrorCode::GameOver | ErrorCode::TimeUp))
}

/// Whether the server has too much to do for another review.
fn is_declined(error: &Error) -> bool {
    let busy = [ErrorCode::TooManyReviews, ErrorCode::NoReviews, ErrorCode::EngineBusy];
    error.code().is_some_and(|code| busy.contains(&code))
}
