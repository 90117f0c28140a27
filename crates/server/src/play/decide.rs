//! From actions to events.

use stoa_rules::{Reason, Side};
use stoa_wire::{Action, GameEvent};

use super::clock::OPENING_MOVES;
use super::{Downtimes, Play, Refusal};

/// How often moves can be taken back in a game.
const MAX_TAKEBACKS: usize = 50;
/// How many draws a side can offer between two moves, how often it can ask to take one back, and how many
/// rematches it can offer.
const MAX_OFFERS: usize = 3;

/// What an action leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    /// This event.
    Happens(GameEvent),
    /// A rematch: a new game with sides swapped must be created.
    Rematch,
    /// Nothing: the same move was sent twice.
    Already,
    /// Instead of the action: the side has run out of time, and the game ends.
    TooLate(GameEvent),
}

impl Play {
    /// Decides an action of one of the players.
    pub(crate) fn decide(
        &self,
        side: Side,
        action: &Action,
        now: i64,
        downtimes: &Downtimes,
    ) -> Result<Decision, Refusal> {
        if let Action::Move { ply, text } = action
            && *ply < self.ply()
        {
            return self.again(side, *ply, text);
        }
        if let Some(event) = self.overdue(now, downtimes) {
            return Ok(Decision::TooLate(event));
        }
        match (action, self.end) {
            (Action::Rematch | Action::DeclineRematch, Some(_)) => self.after_the_end(side, action),
            (Action::Rematch | Action::DeclineRematch, None) => Err(Refusal::NotOver),
            (_, Some(_)) => Err(Refusal::GameOver),
            (_, None) => self.during(side, action, now, downtimes).map(Decision::Happens),
        }
    }

    /// The end of the game by the clock, if a side has run out of time.
    pub(crate) fn overdue(&self, now: i64, downtimes: &Downtimes) -> Option<GameEvent> {
        let turn = self.turn()?;
        let deadline = self.deadline(downtimes)?;
        if now < deadline {
            return None;
        }
        if self.ply() < OPENING_MOVES {
            return Some(GameEvent::Aborted { by: None });
        }
        let left = self.left(now, downtimes);
        Some(GameEvent::Ended { winner: Some(turn.other()), reason: Reason::Time, left })
    }

    fn during(
        &self,
        side: Side,
        action: &Action,
        now: i64,
        downtimes: &Downtimes,
    ) -> Result<GameEvent, Refusal> {
        let left = || self.left(now, downtimes);
        match action {
            Action::Move { ply, text } => {
                if *ply != self.ply() {
                    return Err(Refusal::WrongPly { given: *ply, played: self.ply() });
                }
                if self.turn() != Some(side) {
                    return Err(Refusal::NotYourTurn);
                }
                let text = self
                    .position
                    .clone()
                    .play(text)
                    .map_err(|error| Refusal::IllegalMove(error.to_string()))?;
                let pauses = self.pauses(Some(side), downtimes);
                let left = self.clock.after_move(side, *ply, now, &pauses);
                Ok(GameEvent::Moved { ply: *ply, text, left })
            }
            Action::Resign => Ok(GameEvent::Ended {
                winner: Some(side.other()),
                reason: Reason::Resigned,
                left: left(),
            }),
            Action::Abort if self.ply() >= OPENING_MOVES => Err(Refusal::TooLateToAbort),
            Action::Abort => Ok(GameEvent::Aborted { by: Some(side) }),
            Action::Draw if !self.game().info().draws => Err(Refusal::NoDraws),
            Action::Draw => match self.offers.draw {
                None if self.asked[side.index()].draws >= MAX_OFFERS => Err(Refusal::AskedEnough),
                None => Ok(GameEvent::DrawOffered { by: side }),
                Some(by) if by == side => Err(Refusal::AlreadyAsked),
                Some(_) => {
                    Ok(GameEvent::Ended { winner: None, reason: Reason::Agreed, left: left() })
                }
            },
            Action::DeclineDraw => self
                .offers
                .draw
                .map(|_| GameEvent::DrawDeclined { by: side })
                .ok_or(Refusal::NothingAsked),
            Action::Takeback if self.is_rated => Err(Refusal::Rated),
            Action::Takeback => match self.offers.takeback {
                None if self.asked[side.index()].takebacks >= MAX_OFFERS
                    || self.takebacks >= MAX_TAKEBACKS =>
                {
                    Err(Refusal::AskedEnough)
                }
                None => {
                    self.takeback_to(side).ok_or(Refusal::NothingToTakeBack)?;
                    Ok(GameEvent::TakebackOffered { by: side })
                }
                Some(by) if by == side => Err(Refusal::AlreadyAsked),
                Some(by) => {
                    let ply = self.takeback_to(by).ok_or(Refusal::NothingToTakeBack)?;
                    Ok(GameEvent::TakenBack { ply, left: left() })
                }
            },
            Action::DeclineTakeback => self
                .offers
                .takeback
                .map(|_| GameEvent::TakebackDeclined { by: side })
                .ok_or(Refusal::NothingAsked),
            Action::AddTime => {
                let ms = self.clock.gift().ok_or(Refusal::NoClock)?;
                if self.clock.is_full(side.other()) {
                    return Err(Refusal::EnoughTime);
                }
                Ok(GameEvent::TimeAdded { by: side, ms })
            }
            Action::Rematch | Action::DeclineRematch => Err(Refusal::NotOver),
        }
    }

    fn after_the_end(&self, side: Side, action: &Action) -> Result<Decision, Refusal> {
        if self.next.is_some() {
            return Err(Refusal::HasRematch);
        }
        match (action, self.offers.rematch) {
            (Action::Rematch, None) if self.asked[side.index()].rematches >= MAX_OFFERS => {
                Err(Refusal::AskedEnough)
            }
            (Action::Rematch, None) => {
                Ok(Decision::Happens(GameEvent::RematchOffered { by: side }))
            }
            (Action::Rematch, Some(by)) if by == side => Err(Refusal::AlreadyAsked),
            (Action::Rematch, Some(_)) => Ok(Decision::Rematch),
            (_, None) => Err(Refusal::NothingAsked),
            (_, Some(_)) => Ok(Decision::Happens(GameEvent::RematchDeclined { by: side })),
        }
    }

    /// A move for an earlier turn: the one that was played, sent again, or another.
    fn again(&self, side: Side, ply: usize, text: &str) -> Result<Decision, Refusal> {
        let mut position = self.start.clone();
        for played in &self.moves[..ply] {
            if position.play(played).is_err() {
                break;
            }
        }
        let mover = position.side_to_move();
        let same = position.play(text).is_ok_and(|text| text == self.moves[ply]);
        if same && mover == side {
            return Ok(Decision::Already);
        }
        if self.end.is_some() {
            return Err(Refusal::GameOver);
        }
        Err(Refusal::WrongPly { given: ply, played: self.ply() })
    }

    /// The number of moves that remain when this side's last one is taken back.
    fn takeback_to(&self, side: Side) -> Option<usize> {
        let mut position = self.start.clone();
        let mut last = None;
        for (ply, text) in self.moves.iter().enumerate() {
            if position.side_to_move() == side {
                last = Some(ply);
            }
            position.play(text).ok()?;
        }
        last
    }
}
