//! A game between two players as the server keeps it: a list of events, folded into a [`Play`].
//!
//! Everything here is pure. The hour is given, nothing is read or written, and the rules of the games
//! come from `stoa-rules`. What a player wants is an [`Action`]; [`Play::decide`] turns it into events
//! or a [`Refusal`]; the storage decides whether these events are the next ones; then [`Play::apply`]
//! makes them part of the game.
//!
//! | file | what |
//! |---|---|
//! | `control.rs` | how much time players have |
//! | `clock.rs` | how much of it is left, and what interruptions of the service do to it |
//! | `event.rs` | what can happen in a game |
//! | `action.rs` | what a player can want, and why it may be refused |
//! | `decide.rs` | from what is wanted to what happens |

mod action;
mod clock;
mod control;
mod decide;
mod event;
#[cfg(test)]
mod tests;

pub(crate) use action::{Action, Refusal};
pub(crate) use clock::{Clock, Downtimes};
pub(crate) use control::Control;
pub(crate) use decide::Decision;
pub(crate) use event::{Event, Seat};

use stoa_rules::{AnyPosition, Game, Outcome, Reason, Record};

/// A game in the state that its events have led to.
#[derive(Debug, Clone)]
pub(crate) struct Play {
    pub(crate) moves: Vec<String>,
    pub(crate) offers: Offers,
    pub(crate) end: Option<End>,
    /// The rematch, once there is one.
    pub(crate) next: Option<String>,
    /// How many events there have been.
    pub(crate) version: i64,
    clock: Clock,
    start: AnyPosition,
    position: AnyPosition,
}

/// What each side has asked the other for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Offers {
    pub(crate) draw: Option<Seat>,
    pub(crate) takeback: Option<Seat>,
    pub(crate) rematch: Option<Seat>,
}

/// How a game came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// With a result.
    Over(Outcome),
    /// Before it had properly begun; it counts for nobody.
    Aborted,
}

/// Events that do not fit the game they are said to belong to: the storage was changed by other hands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} does not fit: {why}")]
pub(crate) struct Misfit {
    seq: i64,
    why: String,
}

impl Play {
    /// A game in which nothing has happened yet.
    pub(crate) fn new(game: Game, control: Control, began: i64) -> Play {
        let start = game.start();
        Play {
            moves: Vec::new(),
            offers: Offers::default(),
            end: None,
            next: None,
            version: 0,
            clock: Clock::new(control, began),
            position: start.clone(),
            start,
        }
    }

    pub(crate) fn game(&self) -> Game {
        self.start.game()
    }

    pub(crate) fn position(&self) -> &AnyPosition {
        &self.position
    }

    pub(crate) fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Whose turn it is, while the game goes on.
    pub(crate) fn turn(&self) -> Option<Seat> {
        self.end.is_none().then(|| self.position.side_to_move().into())
    }

    /// How long the side to move still has, and the other; nothing where there is no clock.
    pub(crate) fn left(&self, now: i64, downtimes: &Downtimes) -> Option<[i64; 2]> {
        self.clock.left(self.running(), now, downtimes)
    }

    /// When the side to move will have run out of time if it does nothing.
    pub(crate) fn deadline(&self, downtimes: &Downtimes) -> Option<i64> {
        self.turn().and_then(|turn| self.clock.deadline(turn, self.ply(), downtimes))
    }

    /// Whose clock is running.
    pub(crate) fn running(&self) -> Option<Seat> {
        self.turn().filter(|_| self.clock.is_running(self.ply()))
    }

    /// Makes an event part of the game.
    pub(crate) fn apply(&mut self, event: &Event, at: i64) -> Result<(), Misfit> {
        let seq = self.version + 1;
        let misfit = |why: String| Misfit { seq, why };
        match event {
            Event::Moved { text, left, .. } => {
                let mover = self.position.side_to_move().into();
                let text = self.position.play(text).map_err(|error| misfit(error.to_string()))?;
                self.moves.push(text);
                self.clock.turn(at, *left);
                // Whoever moves on has declined what the other asked for.
                self.offers.takeback = None;
                self.offers.draw = self.offers.draw.filter(|by| *by == mover);
                self.end = self.position.outcome().map(End::Over);
            }
            Event::DrawOffered { by } => self.offers.draw = Some(*by),
            Event::DrawDeclined { .. } => self.offers.draw = None,
            Event::TakebackOffered { by } => self.offers.takeback = Some(*by),
            Event::TakebackDeclined { .. } => self.offers.takeback = None,
            Event::TakenBack { ply, left } => {
                let mut position = self.start.clone();
                for text in self.moves.iter().take(*ply) {
                    position.play(text).map_err(|error| misfit(error.to_string()))?;
                }
                self.moves.truncate(*ply);
                self.position = position;
                self.clock.turn(at, *left);
                self.offers = Offers::default();
            }
            Event::TimeAdded { by, ms } => self.clock.add(by.other(), *ms),
            Event::RematchOffered { by } => self.offers.rematch = Some(*by),
            Event::RematchDeclined { .. } => self.offers.rematch = None,
            Event::Rematched { game } => {
                self.offers.rematch = None;
                self.next = Some(game.clone());
            }
            Event::Ended { winner, reason, left } => {
                let reason = Reason::from_word(reason)
                    .ok_or_else(|| misfit(format!("a game does not end by {reason}")))?;
                self.clock.turn(at, *left);
                self.offers = Offers::default();
                self.end = Some(End::Over(Outcome { winner: winner.map(Seat::side), reason }));
            }
            Event::Aborted { .. } => {
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
        for seat in Seat::BOTH {
            record.set_tag(&self.game().side_word(seat.side()), names[seat.index()]);
        }
        if let Some(End::Over(outcome)) = self.end {
            record.end(outcome);
        }
        record
    }
}
