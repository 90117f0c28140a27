//! One game of a bot, from the first move to the last.

use std::sync::PoisonError;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use stoa_client::{Action, Error, GameView, Side, TimeControl};
use stoa_engine::matches::{Player, Thinking};
use stoa_engine::{Clock, Limits};
use stoa_rules::{AnyPosition, Game};

use super::Bot;
use crate::players;

/// A game is looked at after so long even if nothing was heard, in case the news were lost; the longer
/// nothing happens, the more rarely, by up to so many doublings.
const LOOK: Duration = Duration::from_secs(30);
const LONGEST_QUIET: u32 = 5;
/// After so many looks without news the engine is let go: some games go on for weeks.
const LET_GO: u32 = 2;
/// What is kept on a clock for the way to the server and back.
const WAY: Duration = Duration::from_millis(200);
/// After waiting so long for others to think the clocks are looked at again.
const STALE: Duration = Duration::from_millis(100);
/// How often something is tried that fails for no good reason.
const ATTEMPTS: u32 = 5;

/// One game of a bot.
pub(super) struct Sitting {
    bot: Bot,
    game: String,
    /// Whether this program began it or has moved in it; then nobody else plays it.
    own: bool,
    woken: Receiver<()>,
    player: Option<Box<dyn Player>>,
}

/// What is to be done after a look at the game.
enum Next {
    Wait,
    /// It is over, and there is nothing more to do.
    Leave,
}

impl Sitting {
    pub(super) fn new(bot: Bot, game: String, own: bool, woken: Receiver<()>) -> Sitting {
        Sitting { bot, game, own, woken, player: None }
    }

    /// Plays until the game is over or the bot is stopped.
    pub(super) fn run(mut self) {
        let mut quiet = 0;
        let mut failures = 0;
        loop {
            match self.woken.recv_timeout(LOOK * (1 << quiet.min(LONGEST_QUIET))) {
                Ok(()) => {
                    // One look is enough for all that has happened meanwhile.
                    while self.woken.try_recv().is_ok() {}
                    quiet = 0;
                }
                Err(RecvTimeoutError::Timeout) => quiet += 1,
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.bot.stop.is_stopped() {
                break;
            }
            if quiet == LET_GO {
                self.player = None;
            }
            match self.look() {
                Ok(Next::Wait) => failures = 0,
                Ok(Next::Leave) => {
                    let sittings = &self.bot.sittings;
                    let mut sittings = sittings.lock().unwrap_or_else(PoisonError::into_inner);
                    // Nobody can wake this thread now; has somebody done so since the look?
                    if self.woken.try_recv().is_err() {
                        sittings.remove(&self.game);
                        return;
                    }
                    drop(sittings);
                    self.bot.sit_down(&self.game, self.own);
                }
                Err(error) => {
                    failures += 1;
                    self.bot.tell(&format!("game {}: {error:#}", self.game));
                    self.player = None;
                    if failures == ATTEMPTS {
                        self.give_up();
                        break;
                    }
                    self.bot.rest(Duration::from_secs(1 << failures));
                    self.bot.sit_down(&self.game, self.own);
                }
            }
        }
        let mut sittings = self.bot.sittings.lock().unwrap_or_else(PoisonError::into_inner);
        sittings.remove(&self.game);
    }

    /// Looks at the game and does what there is to do.
    fn look(&mut self) -> Result<Next> {
        let view = self.patient(|bot, game| bot.client.game(game))?;
        let Some(seat) = view.side_of(&self.bot.me.id) else { return Ok(Next::Leave) };
        if view.situation.result.is_some() {
            return self.after_the_end(&view, seat);
        }
        let offers = &view.situation.offers;
        if offers.takeback.is_some_and(|by| by != seat) {
            self.act(&Action::Takeback)?;
            return Ok(Next::Wait);
        }
        if view.situation.turn != Some(seat) {
            if offers.draw.is_some_and(|by| by != seat) {
                self.act(&Action::DeclineDraw)?;
            }
            return Ok(Next::Wait);
        }
        if !self.own && self.somebody_else_moves(view.situation.version)? {
            return Ok(Next::Wait);
        }
        self.play_move(view, seat)?;
        Ok(Next::Wait)
    }

    /// Waits for a while; true if the game has gone on without this program.
    fn somebody_else_moves(&self, version: i64) -> Result<bool> {
        let hesitation = self.bot.habits.hesitation;
        if hesitation.is_zero() {
            return Ok(false);
        }
        self.bot.rest(hesitation);
        let view = self.patient(|bot, game| bot.client.game(game))?;
        Ok(view.situation.version != version)
    }

    fn play_move(&mut self, mut view: GameView, seat: Side) -> Result<()> {
        let asked = Instant::now();
        let through = self.bot.habits.gate.clone().pass();
        if asked.elapsed() > STALE {
            view = self.patient(|bot, game| bot.client.game(game))?;
            if view.situation.turn != Some(seat) {
                return Ok(());
            }
        }
        let (start, position) = replayed(&view)?;
        let thinking = thinking(&view, seat, self.bot.habits.move_time);
        let player = match &mut self.player {
            Some(player) => player,
            None => {
                let game: Game = start.game();
                let spec = self.bot.habits.mind.spec(game)?;
                let mut player = players::start(&spec, game, &self.bot.stop)?;
                let seed = u64::try_from(view.situation.now).unwrap_or_default();
                player.new_game(seed).map_err(anyhow::Error::from)?;
                self.player.insert(player)
            }
        };
        let began = Instant::now();
        let choice = player.choose(&start, &view.moves, &position, &thinking)?;
        let seconds = began.elapsed().as_secs_f64();
        drop(through);
        let (ply, text) = (view.situation.ply, choice.text);
        self.bot.tell(&format!("game {}: move {}, {text} ({seconds:.1} s)", self.game, ply + 1));
        self.act(&Action::Move { ply, text })?;
        self.own = true;
        Ok(())
    }

    /// Plays again if it is asked to.
    fn after_the_end(&self, view: &GameView, seat: Side) -> Result<Next> {
        let asked = view.situation.offers.rematch.is_some_and(|by| by != seat);
        if asked && view.situation.next.is_none() {
            // This game is still counted, but it is over.
            let busy = self.bot.count() > self.bot.habits.most_games;
            self.act(if busy { &Action::DeclineRematch } else { &Action::Rematch })?;
        } else if self.player.is_some() {
            let reason = view.situation.result.as_ref().map_or("", |result| result.reason.word());
            self.bot.tell(&format!("game {} is over ({reason})", self.game));
        }
        Ok(Next::Leave)
    }

    /// Does something. That it is no longer possible is nothing to worry about: the next look will tell.
    fn act(&self, action: &Action) -> Result<()> {
        match self.patient(|bot, game| bot.client.act(game, action)) {
            Err(Error::Refused { status: 409, code, .. })
                if code != Some(stoa_client::ErrorCode::IllegalMove) =>
            {
                Ok(())
            }
            done => done.map(|_| ()).with_context(|| format!("{action:?} failed")),
        }
    }

    /// The engine cannot go on: the opponent is not left waiting.
    fn give_up(&self) {
        self.bot.tell(&format!("game {}: gives up", self.game));
        for action in [Action::Abort, Action::Resign] {
            if self.patient(|bot, game| bot.client.act(game, &action)).is_ok() {
                return;
            }
        }
    }

    /// Asks until there is an answer, as long as that may come.
    fn patient<T>(&self, ask: impl Fn(&Bot, &str) -> Result<T, Error>) -> Result<T, Error> {
        let mut pause = Duration::from_millis(200);
        loop {
            match ask(&self.bot, &self.game) {
                Err(error) if error.is_transient() && !self.bot.stop.is_stopped() => {
                    self.bot.rest(error.retry_after().unwrap_or(pause));
                    pause = (pause * 2).min(super::LONGEST_PAUSE);
                }
                answered => return answered,
            }
        }
    }
}

/// The first and the present position of a game.
fn replayed(view: &GameView) -> Result<(AnyPosition, AnyPosition)> {
    let game: Game = view.game.parse().with_context(|| format!("no game {}", view.game))?;
    let start = game.start();
    let mut position = start.clone();
    for text in &view.moves {
        position.play(text).with_context(|| format!("{text} is not legal here"))?;
    }
    Ok((start, position))
}

/// What the engine may use for a move.
fn thinking(view: &GameView, seat: Side, most: Duration) -> Thinking {
    let TimeControl::Clock { increment, .. } = view.control else {
        return Thinking { limits: Limits::time(most), opponent: None };
    };
    let increment = Duration::from_secs(increment.into());
    let clock = |index: usize| {
        let left = view.situation.left.map_or(0, |left| left[index]);
        let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        Clock { left: left.saturating_sub(WAY).max(left / 4), increment }
    };
    let own = clock(seat.index());
    Thinking {
        limits: Limits { clock: Some(own), ..Limits::time(most) },
        opponent: Some(clock(1 - seat.index())),
    }
}
