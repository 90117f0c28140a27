//! The rooms that are in memory, by game and by player.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Room;

/// The rooms that are in memory. It is known whose they are, so that a player who changes their name costs only as
/// much as their own games.
#[derive(Debug, Default)]
pub(super) struct OpenRooms {
    rooms: HashMap<String, Arc<Room>>,
    /// The games of each player.
    by_player: HashMap<String, HashSet<String>>,
    /// Games that have not been read yet, or are being read at this moment.
    unread: HashSet<String>,
}

impl OpenRooms {
    pub(super) fn get(&self, id: &str) -> Option<&Arc<Room>> {
        self.rooms.get(id)
    }

    pub(super) fn get_or_insert(&mut self, id: &str) -> Arc<Room> {
        if let Some(room) = self.rooms.get(id) {
            return Arc::clone(room);
        }
        let room = Arc::<Room>::default();
        self.unread.insert(id.to_owned());
        self.rooms.insert(id.to_owned(), Arc::clone(&room));
        room
    }

    pub(super) fn remove(&mut self, id: &str) {
        if let Some(room) = self.rooms.remove(id) {
            self.forget(id, &room);
        }
    }

    pub(super) fn retain(&mut self, mut is_kept: impl FnMut(&Arc<Room>) -> bool) {
        let dropped: Vec<_> = self.rooms.extract_if(|_, room| !is_kept(room)).collect();
        for (id, room) in dropped {
            self.forget(&id, &room);
        }
        let count = self.rooms.len();
        self.rooms.shrink_to(2 * count);
        self.by_player.shrink_to(4 * count);
    }

    fn forget(&mut self, id: &str, room: &Room) {
        self.unread.remove(id);
        for player in room.players.get().into_iter().flatten() {
            if let Some(games) = self.by_player.get_mut(player) {
                games.remove(id);
                if games.is_empty() {
                    self.by_player.remove(player);
                }
            }
        }
    }

    /// Notes who plays a game. That never changes.
    pub(super) fn set_players(&mut self, id: &str, players: [String; 2]) {
        let Some(room) = self.rooms.get(id) else { return };
        if room.players.set(players).is_err() {
            return;
        }
        self.unread.remove(id);
        for player in room.players.get().into_iter().flatten() {
            self.by_player.entry(player.clone()).or_default().insert(id.to_owned());
        }
    }

    /// The rooms of a player, and those of which it is not known yet whose they are.
    pub(super) fn maybe_of<'a>(&'a self, player: &str) -> impl Iterator<Item = &'a Arc<Room>> {
        let games = self.by_player.get(player).into_iter().flatten();
        games.chain(&self.unread).filter_map(|id| self.rooms.get(id))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &Arc<Room>)> {
        self.rooms.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.rooms.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_found_by_player_as_long_as_they_are_there() {
        let mut open = OpenRooms::default();
        let games = [("g", ["a", "b"]), ("h", ["b", "c"]), ("i", ["c", "c"])];
        for (id, players) in games {
            open.get_or_insert(id);
            open.set_players(id, players.map(str::to_owned));
        }
        open.get_or_insert("unread");
        let found = |open: &OpenRooms, player: &str| open.maybe_of(player).count();
        assert_eq!(["a", "b", "c", "d"].map(|player| found(&open, player)), [2, 3, 3, 1]);
        open.get_or_insert("g");
        open.set_players("g", ["x", "y"].map(str::to_owned));
        assert_eq!(["a", "x"].map(|player| found(&open, player)), [2, 1], "it never changes");
        open.remove("g");
        open.remove("nothing");
        assert_eq!(["a", "b", "c"].map(|player| found(&open, player)), [1, 2, 3]);
        open.retain(|room| room.players.get().is_some_and(|players| players[0] == "b"));
        assert_eq!((open.len(), open.unread.len(), open.by_player.len()), (1, 0, 2));
        open.retain(|_| false);
        assert_eq!((open.len(), open.by_player.len()), (0, 0));
    }
}
