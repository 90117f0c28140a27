//! A game as a room holds it: read from the database, changed by events, shown to clients.

use stoa_wire::{Audience, GameEvent, GameStatus, GameView, TimeControl};

use super::{RoomError, Rooms};
use crate::ids;
use crate::play::{Conditional, Downtimes, Play};
use crate::store::{GameRow, StoreError};

/// A game as this node knows it.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) row: GameRow,
    pub(super) play: Play,
    /// The answers that the side that waits has prepared.
    pub(super) conditional: Option<Conditional>,
    /// The time of the last event; time never goes backwards in a game.
    pub(super) last: i64,
}

impl Rooms {
    /// Reads a game from the database.
    pub(super) async fn load(&self, id: &str) -> Result<Content, RoomError> {
        let store = &self.store;
        let found = if ids::is_id(id) { store.answered(store.game(id)).await? } else { None };
        let row = match found {
            Some(row) => row,
            None => {
                self.open().remove(id);
                return Err(RoomError::NotFound);
            }
        };
        let mut play = Play::new(row.rules()?, row.control, row.created).rated(row.rated);
        if matches!(row.control, TimeControl::Days { .. }) {
            let [first, second] = &row.players;
            let first = store.answered(store.vacations(&first.id, row.created)).await?;
            let second = store.answered(store.vacations(&second.id, row.created)).await?;
            play = play.with_vacations([first, second]);
        }
        let mut content = Content { last: row.created, row, play, conditional: None };
        for (at, event) in store.answered(store.events(id, 0)).await? {
            content.apply(&event, at)?;
        }
        let may_be_prepared = !matches!(content.row.control, TimeControl::Clock { .. });
        if may_be_prepared
            && let Some((player, lines)) = store.answered(store.waiting_conditional(id)).await?
        {
            let side = content.row.side_of(&player);
            content.conditional = side.map(|side| Conditional { side, lines });
        }
        Ok(content)
    }
}

impl Content {
    pub(super) fn apply(&mut self, event: &GameEvent, at: i64) -> Result<(), StoreError> {
        self.play
            .apply(event, at)
            .map_err(|misfit| StoreError::Corrupt(format!("game {}: {misfit}", self.row.id)))?;
        self.last = at;
        self.row.version = self.play.version;
        self.row.updated = at;
        Ok(())
    }

    pub(super) fn player_ids(&self) -> [String; 2] {
        self.row.players.each_ref().map(|player| player.id.clone())
    }

    /// Whether it has ended and counts for ratings, and is not known to have counted.
    pub(super) fn is_to_be_counted(&self) -> bool {
        let is_over = self.row.snapshot.status == GameStatus::Over;
        is_over && self.row.rated && self.play.ply() >= 2 && self.row.rating_changes.is_none()
    }

    pub(super) fn view(&self, now: i64, downtimes: &Downtimes) -> GameView {
        GameView {
            id: self.row.id.clone(),
            game: self.row.game.clone(),
            control: self.row.control,
            players: self.row.players.clone(),
            rated: self.row.rated,
            rating_changes: self.row.rating_changes,
            created: self.row.created,
            previous: self.row.previous.clone(),
            moves: self.play.moves.clone(),
            situation: self.play.situation(now.max(self.last), downtimes),
            vacations: self.play.on_vacation(now),
            audience: Audience::default(),
        }
    }

    pub(super) fn record(&self) -> String {
        let names = [0, 1].map(|index| self.row.players[index].name.as_str());
        self.play.record(names).to_string()
    }
}
