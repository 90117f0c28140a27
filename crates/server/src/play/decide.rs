//! From what is wanted to what happens.

use super::clock::UNDER_WAY;
use super::{Action, Downtimes, Event, Play, Refusal, Seat};

/// What comes of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    /// This happens next.
    Happens(Event),
    /// Both want to play again: a new game with sides swapped is to be made.
    Rematch,
    /// It has happened before: the same move came twice.
    Already,
    /// It does not happen, but the game has come to its end by the clock.
    TooLate(Event),
}

impl Play {
    /// What comes of an action by one of the players.
    pub(crate) fn decide(
        &self,
        seat: Seat,
        action: &Action,
        now: i64,
        downtimes: &Downtimes,
    ) -> Result<Decision, Refusal> {
        if let Action::Move { ply, text } = action
            && *ply < self.ply()
        {
            return self.again(seat, *ply, text);
        }
        if let Some(event) = self.overdue(now, downtimes) {
            return Ok(Decision::TooLate(event));
        }
        match (action, self.end) {
            (Action::Rematch | Action::DeclineRematch, Some(_)) => self.after_the_end(seat, action),
            (Action::Rematch | Action::DeclineRematch, None) => Err(Refusal::NotOver),
            (_, Some(_)) => Err(Refusal::GameOver),
            (_, None) => self.during(seat, action, now, downtimes).map(Decision::Happens),
        }
    }

    /// The end of the game by the clock, if it has come.
    pub(crate) fn overdue(&self, now: i64, downtimes: &Downtimes) -> Option<Event> {
        let turn = self.turn()?;
        let deadline = self.deadline(downtimes)?;
        if now < deadline {
            return None;
        }
        if self.ply() < UNDER_WAY {
            return Some(Event::Aborted { by: None });
        }
        let left = self.left(now, downtimes);
        Some(Event::Ended { winner: Some(turn.other()), reason: "time".to_owned(), left })
    }

    fn during(
        &self,
        seat: Seat,
        action: &Action,
        now: i64,
        downtimes: &Downtimes,
    ) -> Result<Event, Refusal> {
        let left = || self.left(now, downtimes);
        match action {
            Action::Move { ply, text } => {
                if *ply != self.ply() {
                    return Err(Refusal::WrongPly { given: *ply, played: self.ply() });
                }
                if self.turn() != Some(seat) {
                    return Err(Refusal::NotYourTurn);
                }
                let text = self
                    .position
                    .clone()
                    .play(text)
                    .map_err(|error| Refusal::IllegalMove(error.to_string()))?;
                let left = self.clock.after_move(seat, *ply, now, downtimes);
                Ok(Event::Moved { ply: *ply, text, left })
            }
            Action::Resign => Ok(Event::Ended {
                winner: Some(seat.other()),
                reason: "resigned".to_owned(),
                left: left(),
            }),
            Action::Abort if self.ply() >= UNDER_WAY => Err(Refusal::TooLateToAbort),
            Action::Abort => Ok(Event::Aborted { by: Some(seat) }),
            Action::Draw if !self.game().info().draws => Err(Refusal::NoDraws),
            Action::Draw => match self.offers.draw {
                None => Ok(Event::DrawOffered { by: seat }),
                Some(by) if by == seat => Err(Refusal::AlreadyAsked),
                Some(_) => {
                    Ok(Event::Ended { winner: None, reason: "agreed".to_owned(), left: left() })
                }
            },
            Action::DeclineDraw => self
                .offers
                .draw
                .map(|_| Event::DrawDeclined { by: seat })
                .ok_or(Refusal::NothingAsked),
            Action::Takeback => match self.offers.takeback {
                None => {
                    self.takeback_to(seat).ok_or(Refusal::NothingToTakeBack)?;
                    Ok(Event::TakebackOffered { by: seat })
                }
                Some(by) if by == seat => Err(Refusal::AlreadyAsked),
                Some(by) => {
                    let ply = self.takeback_to(by).ok_or(Refusal::NothingToTakeBack)?;
                    Ok(Event::TakenBack { ply, left: left() })
                }
            },
            Action::DeclineTakeback => self
                .offers
                .takeback
                .map(|_| Event::TakebackDeclined { by: seat })
                .ok_or(Refusal::NothingAsked),
            Action::AddTime => {
                let ms = self.clock.gift().ok_or(Refusal::NoClock)?;
                if self.clock.is_full(seat.other()) {
                    return Err(Refusal::EnoughTime);
                }
                Ok(Event::TimeAdded { by: seat, ms })
            }
            Action::Rematch | Action::DeclineRematch => Err(Refusal::NotOver),
        }
    }

    fn after_the_end(&self, seat: Seat, action: &Action) -> Result<Decision, Refusal> {
        if self.next.is_some() {
            return Err(Refusal::HasRematch);
        }
        match (action, self.offers.rematch) {
            (Action::Rematch, None) => Ok(Decision::Happens(Event::RematchOffered { by: seat })),
            (Action::Rematch, Some(by)) if by == seat => Err(Refusal::AlreadyAsked),
            (Action::Rematch, Some(_)) => Ok(Decision::Rematch),
            (_, None) => Err(Refusal::NothingAsked),
            (_, Some(_)) => Ok(Decision::Happens(Event::RematchDeclined { by: seat })),
        }
    }

    /// A move that comes when its turn is past: the one that was played, sent again, or another.
    fn again(&self, seat: Seat, ply: usize, text: &str) -> Result<Decision, Refusal> {
        let mut position = self.start.clone();
        for played in &self.moves[..ply] {
            if position.play(played).is_err() {
                break;
            }
        }
        let mover: Seat = position.side_to_move().into();
        let same = position.play(text).is_ok_and(|text| text == self.moves[ply]);
        if same && mover == seat {
            return Ok(Decision::Already);
        }
        if self.end.is_some() {
            return Err(Refusal::GameOver);
        }
        Err(Refusal::WrongPly { given: ply, played: self.ply() })
    }

    /// How many moves are left when this side's last one is taken back.
    fn takeback_to(&self, seat: Seat) -> Option<usize> {
        let mut position = self.start.clone();
        let mut last = None;
        for (ply, text) in self.moves.iter().enumerate() {
            if Seat::from(position.side_to_move()) == seat {
                last = Some(ply);
            }
            position.play(text).ok()?;
        }
        last
    }
}
