//! A game between two players as the server keeps it: a list of events, folded into a [`Play`].
//!
//! Everything here is pure: the time is a parameter, nothing is read or written, and the rules of the games
//! come from `stoa-rules`. [`Play::decide`] turns an action of a player into an event or a [`Refusal`]; the
//! database decides whether the event is the next one; then [`Play::apply`] makes it part of the game.
//!
//! | file | what |
//! |---|---|
//! | `clock.rs` | how much time is left, and what interruptions of the service do to it |
//! | `conditional.rs` | answers that a player has prepared |
//! | `decide.rs` | from actions to events |
//! | `refusal.rs` | why an action is refused |

mod clock;
mod conditional;
mod decide;
mod refusal;
#[cfg(test)]
mod tests;

pub(crate) use clock::{Clock, Downtimes};
pub(crate) use conditional::{Conditional, Fate};
pub(crate) use decide::Decision;
pub(crate) use refusal::Refusal;

use std::borrow::Cow;

use stoa_rules::{AnyPosition, Game, Outcome, Record, Side};
use stoa_wire::{EndReason, GameEvent, GameResult, Offers, Situation, TimeControl};

use crate::vacation;

/// A game in the state that its events have led to.
#[derive(Debug, Clone)]
pub(crate) struct Play {
    pub(crate) moves: Vec<String>,
    pub(crate) offers: Offers,
    pub(crate) end: Option<End>,
    /// The rematch, once there is one.
    pub(crate) next: Option<String>,
    /// The number of events.
    pub(crate) version: i64,
    /// What each side has asked for.
    asked: [Asked; 2],
    /// How often moves were taken back.
    takebacks: usize,
    /// Whether it is rated: then no move is taken back.
    is_rated: bool,
    clock: Clock,
    /// When the clock of each side stands still because its player is on vacation.
    vacations: [Vec<(i64, i64)>; 2],
    start: AnyPosition,
    position: AnyPosition,
}

/// What a side has asked for, so that it does not ask for ever.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Asked {
    /// How often for a draw, since the last move.
    draws: usize,
    /// How often to take back a move, since the last move.
    takebacks: usize,
    /// How often for a rematch.
    rematches: usize,
}

/// How a game came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// With a result.
    Over(Outcome),
    /// Aborted before both sides had moved; it does not count.
    Aborted,
}

impl End {
    fn result(self) -> GameResult {
        match self {
            End::Over(Outcome { winner, reason }) => {
                GameResult { winner, reason: EndReason::Over(reason) }
            }
            End::Aborted => GameResult { winner: None, reason: EndReason::Aborted },
        }
    }
}

/// An event that does not fit its game: the database was changed from outside.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} does not fit: {why}")]
pub(crate) struct Misfit {
    seq: i64,
    why: String,
}

impl Play {
    /// A game in which nothing has happened yet.
    pub(crate) fn new(game: Game, control: TimeControl, began: i64) -> Play {
        let start = game.start();
        Play {
            moves: Vec::new(),
            offers: Offers::default(),
            end: None,
            next: None,
            version: 0,
            asked: Default::default(),
            takebacks: 0,
            is_rated: false,
            clock: Clock::new(control, began),
            vacations: Default::default(),
            position: start.clone(),
            start,
        }
    }

    /// The same, rated or not.
    pub(crate) fn rated(self, is_rated: bool) -> Play {
        Play { is_rated, ..self }
    }

    /// The same game with the vacations of both players, which count in correspondence games.
    pub(crate) fn with_vacations(self, vacations: [Vec<(i64, i64)>; 2]) -> Play {
        Play { vacations, ..self }
    }

    /// When the clock of a side stands still.
    fn pauses<'a>(&self, side: Option<Side>, downtimes: &'a Downtimes) -> Cow<'a, Downtimes> {
        match side.map(|side| &self.vacations[side.index()]) {
            Some(vacations) if !vacations.is_empty() => Cow::Owned(downtimes.and(vacations)),
            _ => Cow::Borrowed(downtimes),
        }
    }

    /// Until when each player is on vacation.
    pub(crate) fn on_vacation(&self, now: i64) -> [Option<i64>; 2] {
        let current = |all: &Vec<(i64, i64)>| vacation::current(all, now).map(|(_, ends)| ends);
        self.vacations.each_ref().map(current)
    }

    pub(crate) fn game(&self) -> Game {
        self.start.game()
    }

    pub(crate) fn ply(&self) -> usize {
        self.moves.len()
    }

    /// The side to move, while the game is being played.
    pub(crate) fn turn(&self) -> Option<Side> {
        self.end.is_none().then(|| self.position.side_to_move())
    }

    /// The time left for both sides; nothing without a time limit.
    pub(crate) fn left(&self, now: i64, downtimes: &Downtimes) -> Option<[i64; 2]> {
        let running = self.running();
        self.clock.left(running, now, &self.pauses(running, downtimes))
    }

    /// When the side to move runs out of time.
    pub(crate) fn deadline(&self, downtimes: &Downtimes) -> Option<i64> {
        let turn = self.turn()?;
        self.clock.deadline(turn, self.ply(), &self.pauses(Some(turn), downtimes))
    }

    /// The side whose clock is running.
    pub(crate) fn running(&self) -> Option<Side> {
        self.turn().filter(|_| self.clock.is_running(self.ply()))
    }

    /// How the game stands at a moment.
    pub(crate) fn situation(&self, now: i64, downtimes: &Downtimes) -> Situation {
        Situation {
            version: self.version,
            ply: self.ply(),
            position: self.position.text(),
            turn: self.turn(),
            left: self.left(now, downtimes),
            running: self.running().filter(|side| self.on_vacation(now)[side.index()].is_none()),
            deadline: self.deadline(downtimes),
            offers: self.offers,
            result: self.end.map(End::result),
            next: self.next.clone(),
            now,
        }
    }

    /// Makes an event part of the game.
    pub(crate) fn apply(&mut self, event: &GameEvent, at: i64) -> Result<(), Misfit> {
        let seq = self.version + 1;
        let misfit = |why: String| Misfit { seq, why };
        match event {
            GameEvent::Moved { text, left, .. } => {
                let mover = self.position.side_to_move();
                let text = self.position.play(text).map_err(|error| misfit(error.to_string()))?;
                self.moves.push(text);
                self.clock.turn(at, *left);
                // A move declines the offers of the other side.
                self.offers.takeback = None;
                self.offers.draw = self.offers.draw.filter(|by| *by == mover);
                self.end = self.position.outcome().map(End::Over);
                self.asked = Default::default();
            }
            GameEvent::DrawOffered { by } => {
                self.offers.draw = Some(*by);
                self.asked[by.index()].draws += 1;
            }
            GameEvent::DrawDeclined { .. } => self.offers.draw = None,
            GameEvent::TakebackOffered { by } => {
                self.offers.takeback = Some(*by);
                self.asked[by.index()].takebacks += 1;
            }
            GameEvent::TakebackDeclined { .. } => self.offers.takeback = None,
            GameEvent::TakenBack { ply, left } => {
                let mut position = self.start.clone();
                for text in self.moves.iter().take(*ply) {
                    position.play(text).map_err(|error| misfit(error.to_string()))?;
                }
                self.moves.truncate(*ply);
                self.position = position;
                self.clock.turn(at, *left);
                self.offers = Offers::default();
                self.asked = Default::default();
                self.takebacks += 1;
            }
            GameEvent::TimeAdded { by, ms } => self.clock.add(by.other(), *ms),
            GameEvent::RematchOffered { by } => {
                self.offers.rematch = Some(*by);
                self.asked[by.index()].rematches += 1;
            }
            GameEvent::RematchDeclined { .. } => self.offers.rematch = None,
            GameEvent::Rematched { game } => {
                self.offers.rematch = None;
                self.next = Some(game.clone());
            }
            GameEvent::Ended { winner, reason, left } => {
                self.clock.turn(at, *left);
                self.offers = Offers::default();
                self.end = Some(End::Over(Outcome { winner: *winner, reason: *reason }));
            }
            GameEvent::Aborted { .. } => {
                self.offers = Offers::default();
                self.end = Some(End::Aborted);
            }
        }
        self.version = seq;
        Ok(())
    }

    /// The game as a record, with the names of the players.
    pub(crate) fn record(&self, names: [&str; 2]) -> Record {
        let mut record = Record::new(self.start.clone());
        let mut session = record.session();
        for text in &self.moves {
            // They were legal when they were played, so they are legal again.
            if session.play(text).is_err() {
                break;
            }
        }
        record.follow(&session);
        for side in Side::BOTH {
            record.set_tag(&self.game().side_word(side), names[side.index()]);
        }
        if let Some(End::Over(outcome)) = self.end {
            record.end(outcome);
        }
        record
    }
}
