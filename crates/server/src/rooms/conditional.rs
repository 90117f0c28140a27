//! Conditional moves: stored here, played by [`Rooms::commit`].

use stoa_wire::{ConditionalMoves, GameEvent, ServerMessage};

use super::{Content, MAX_ATTEMPTS, RoomError, Rooms};
use crate::hub::Topic;
use crate::play::{Conditional, Downtimes, Fate};
use crate::store::{Committed, ConditionalChange, StoreError};

impl Rooms {
    /// Stores the conditional moves of a player, if the rules allow them.
    pub(crate) async fn set_conditional(
        &self,
        id: &str,
        player: &str,
        lines: &[Vec<String>],
    ) -> Result<ConditionalMoves, RoomError> {
        let room = self.room(id);
        let mut content = room.lock().await;
        for _ in 0..MAX_ATTEMPTS {
            let known = self.loaded(id, &mut content).await?;
            let side = known.row.side_of(player).ok_or(RoomError::NotYours)?;
            let checked = known.play.conditional(side, lines);
            // It may be refused only because this node does not know the latest move yet.
            if checked.is_err() && self.catch_up(id, &mut content).await? {
                continue;
            }
            let conditional = checked?;
            let Some(mut next) = content.take() else { continue };
            let moves = ConditionalMoves { lines: conditional.lines.clone(), dropped: None };
            let change = ConditionalChange { player: player.to_owned(), moves: moves.clone() };
            let expected = [next.play.version, next.row.revision];
            let stored = self.store.set_conditional_moves(id, expected, &change);
            if self.store.in_time(stored).await? == Committed::Conflict {
                continue;
            }
            next.row.revision += 1;
            let is_own = next.conditional.as_ref().is_some_and(|known| known.side == side);
            if !conditional.lines.is_empty() {
                next.conditional = Some(conditional);
            } else if is_own {
                next.conditional = None;
            }
            *content = Some(next);
            self.publish_conditional(id, &change);
            return Ok(moves);
        }
        Err(RoomError::Contended)
    }

    /// Notifies a player of a change to their conditional moves.
    pub(super) fn publish_conditional(&self, id: &str, change: &ConditionalChange) {
        let ConditionalChange { player, moves } = change.clone();
        let message = ServerMessage::Conditional { game: id.to_owned(), moves };
        self.bus.publish(Topic::Player(player), &message);
    }
}

impl Content {
    /// Lets conditional moves follow the last event: plays the answer that fits, or drops them. Returns the
    /// answer and what has changed.
    pub(super) fn follow_conditional(
        &mut self,
        event: &GameEvent,
        at: i64,
        downtimes: &Downtimes,
    ) -> Result<(Option<GameEvent>, Option<ConditionalChange>), StoreError> {
        let Some(known) = self.conditional.clone() else { return Ok((None, None)) };
        let side = known.side;
        let mut answer = None;
        let moves = match known.after(event, &self.play, at, downtimes) {
            Fate::Kept => return Ok((None, None)),
            Fate::Dropped(reason) => ConditionalMoves { lines: Vec::new(), dropped: Some(reason) },
            Fate::Answered(event, rest) => {
                self.apply(&event, at)?;
                answer = Some(event);
                // Nothing comes after the end.
                let lines = if self.play.end.is_none() { rest } else { Vec::new() };
                ConditionalMoves { lines, dropped: None }
            }
        };
        let is_left = !moves.lines.is_empty();
        self.conditional = is_left.then(|| Conditional { side, lines: moves.lines.clone() });
        self.row.revision += 1;
        let player = self.row.players[side.index()].id.clone();
        Ok((answer, Some(ConditionalChange { player, moves })))
    }
}
