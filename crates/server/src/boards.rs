//! Games being played as small boards that many people look at.
//!
//! A node keeps one list for everyone, read again every few seconds while anyone is looking, and sends the
//! changes once a second, serialized once. However many moves are played, a viewer gets a bounded number of
//! bytes a second: the rest waits, and of several moves only the last is sent.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use stoa_wire::{BoardUpdate, LiveGame, LiveGames, ServerMessage, Situation};

use crate::app::App;
use crate::hub::Topic;
use crate::monitoring::warn_folded;
use crate::store::StoreError;
use crate::time::millis;

/// How many games are shown.
pub(crate) const MAX_BOARDS: usize = 200;
/// How often changes are sent.
pub(crate) const SEND_INTERVAL: Duration = Duration::from_secs(1);
/// How old the list may be.
const LIST_TTL: Duration = Duration::from_secs(5);
/// How many bytes of changes are sent at a time.
const MAX_BYTES: usize = 24 * 1024;

/// The games that are shown.
#[derive(Debug, Default)]
pub(crate) struct Boards {
    state: Mutex<State>,
    /// Held while the list is read, so that it is read once.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    known: HashMap<String, Board>,
    /// Games that have changed since they were last sent, in the order of their first change.
    changed: VecDeque<String>,
    /// The list as JSON, and when it was read.
    list: Option<(Bytes, i64)>,
    has_viewers: bool,
}

#[derive(Debug)]
struct Board {
    update: BoardUpdate,
    is_changed: bool,
}

fn board(game: &str, situation: &Situation) -> BoardUpdate {
    BoardUpdate {
        game: game.to_owned(),
        version: situation.version,
        ply: situation.ply,
        position: situation.position.clone(),
        turn: situation.turn,
        result: situation.result,
    }
}

impl Boards {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something has happened in a game.
    pub(crate) fn follow(&self, game: &str, situation: &Situation) {
        let mut state = self.state();
        if state.has_viewers && state.known.contains_key(game) {
            state.change(board(game, situation));
        }
    }

    /// The list of games as JSON, not older than a few seconds.
    pub(crate) async fn list(&self, app: &App) -> Result<Bytes, StoreError> {
        let _reading = self.reading.lock().await;
        let now = app.time.now();
        if let Some((list, read)) = &self.state().list
            && (0..millis(LIST_TTL)).contains(&(now - read))
        {
            return Ok(list.clone());
        }
        let rows = app.store.games_to_watch(MAX_BOARDS as i64).await?;
        let mut games: Vec<LiveGame> = rows
            .into_iter()
            .map(|row| LiveGame { viewers: app.viewers(&row), game: row.into() })
            .collect();
        games.sort_by_key(|one| {
            (std::cmp::Reverse(one.viewers), std::cmp::Reverse(one.game.updated))
        });
        let list = Bytes::from(serde_json::to_vec(&LiveGames { games: games.clone() })?);
        self.state().take_over(games, list.clone(), now);
        Ok(list)
    }

    /// Sends what has changed to those who look. To be called once a second.
    pub(crate) async fn send(&self, app: &App) {
        let has_viewers = app.bus.hub().count(&Topic::Boards) > 0;
        self.state().has_viewers = has_viewers;
        if !has_viewers {
            return self.state().forget_changes();
        }
        if let Err(error) = app.store.in_time(self.list(app)).await {
            warn_folded!(%error, "cannot read the games being played");
        }
        let boards = self.state().take_changes();
        if !boards.is_empty() {
            app.bus.publish_here(&Topic::Boards, &ServerMessage::Boards { boards });
        }
    }
}

impl State {
    fn change(&mut self, update: BoardUpdate) {
        let Some(board) = self.known.get_mut(&update.game) else { return };
        if update.version <= board.update.version {
            return;
        }
        if !board.is_changed {
            self.changed.push_back(update.game.clone());
        }
        *board = Board { update, is_changed: true };
    }

    /// Takes over a list that was just read. Newer states in it are sent: messages of other nodes may be lost.
    fn take_over(&mut self, games: Vec<LiveGame>, list: Bytes, now: i64) {
        self.list = Some((list, now));
        let mut old = std::mem::take(&mut self.known);
        let mut updates = Vec::new();
        for LiveGame { game, .. } in games {
            let update = BoardUpdate {
                game: game.id.clone(),
                version: game.version,
                ply: game.ply,
                position: game.position,
                turn: game.turn,
                result: game.result,
            };
            let known = old.remove(&game.id);
            if known.is_some() {
                updates.push(update.clone());
            }
            // A game that has just begun is sent, too: its viewers then ask for the list.
            let is_new = known.is_none() && self.has_viewers;
            if is_new {
                self.changed.push_back(game.id.clone());
            }
            let known = known.unwrap_or(Board { update, is_changed: is_new });
            self.known.insert(game.id, known);
        }
        // The end of a game is still to be sent.
        self.known.extend(old.into_iter().filter(|(_, board)| board.is_changed));
        updates.into_iter().for_each(|update| self.change(update));
    }

    /// As much of what has changed as may be sent at once.
    fn take_changes(&mut self) -> Vec<BoardUpdate> {
        let mut bytes = 0;
        let mut taken = Vec::new();
        while let Some(game) = self.changed.pop_front() {
            let Some(board) = self.known.get_mut(&game) else { continue };
            let size = serde_json::to_vec(&board.update).map_or(0, |text| text.len()) + 1;
            if bytes + size > MAX_BYTES {
                self.changed.push_front(game);
                break;
            }
            bytes += size;
            board.is_changed = false;
            taken.push(board.update.clone());
        }
        taken
    }

    fn forget_changes(&mut self) {
        self.changed.clear();
        self.known.values_mut().for_each(|board| board.is_changed = false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(game: usize, version: i64) -> BoardUpdate {
        BoardUpdate {
            game: format!("game{game:06}"),
            version,
            ply: 1,
            position: "1W1b1W1b/b1W1b1W1/8/8/1w6/8/1B3B1w/w1B1w1B1 b".repeat(4),
            turn: None,
            result: None,
        }
    }

    /// 200 boards that all change several times a second.
    #[test]
    fn a_viewer_gets_no_more_bytes_than_allowed_and_every_board_in_turn() {
        let mut state = State::default();
        for game in 0..MAX_BOARDS {
            let board = Board { update: update(game, 0), is_changed: false };
            state.known.insert(board.update.game.clone(), board);
        }
        let mut seen = std::collections::HashSet::new();
        for second in 1..=4 {
            for _ in 0..3 {
                (0..MAX_BOARDS).for_each(|game| state.change(update(game, second)));
            }
            let boards = state.take_changes();
            seen.extend(boards.iter().map(|board| board.game.clone()));
            let text = serde_json::to_string(&ServerMessage::Boards { boards }).expect("JSON");
            assert!(text.len() <= MAX_BYTES + 100, "{}", text.len());
        }
        assert_eq!(seen.len(), MAX_BOARDS);
        state.forget_changes();
        assert!(state.take_changes().is_empty());
    }

    #[test]
    fn late_updates_and_unknown_games_are_left_out() {
        let mut state = State::default();
        state.change(update(1, 5));
        assert!(state.take_changes().is_empty());
        let known = Board { update: update(1, 5), is_changed: false };
        state.known.insert(known.update.game.clone(), known);
        state.change(update(1, 4));
        assert!(state.take_changes().is_empty());
        state.change(update(1, 6));
        state.change(update(1, 7));
        assert_eq!(state.take_changes(), [update(1, 7)]);
    }
}
