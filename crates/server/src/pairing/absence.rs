//! People who were paired and did not move: their opponents have waited for a minute in vain. They wait, too, before
//! they are paired again, and longer each time.
//!
//! Each node counts for the people that it has paired, as it does for rate limits. What became of a game is read when
//! somebody asks to be paired again, so games that are played cost nothing.

use std::collections::HashMap;
use std::time::Duration;

use stoa_wire::{GameEvent, GameStatus, Side};

use crate::guard::Client;
use crate::store::GameRow;
use crate::time::millis;

/// How long the first cooldown lasts; each further one lasts twice as long as the one before.
const FIRST_COOLDOWN: Duration = Duration::from_secs(60);
const MAX_COOLDOWN: Duration = Duration::from_secs(600);
/// After so long without another, absences are forgotten.
const FORGET_AFTER: Duration = Duration::from_secs(3600);
/// How many moves the two sides must have played for both to be there.
const OPENING_MOVES: usize = 2;

/// A game that somebody has been given.
#[derive(Debug, Clone)]
pub(super) struct PairedGame {
    pub(super) game: String,
    pub(super) player: String,
    /// Of guests only, who can take another name.
    pub(super) network: Option<Client>,
    pub(super) at: i64,
}

/// Whether the player of a game that was paired came to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// The other side is to move first, or has not come either.
    Open,
    /// It waits for the player's first move.
    Awaited,
    Played,
    Absent,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Whose {
    Player(String),
    Network(Client),
}

#[derive(Debug, Default)]
struct Cooldown {
    /// How many absences there were.
    count: u32,
    last: i64,
    until: i64,
}

/// Who has been absent from games for which this node has paired them.
#[derive(Debug, Default)]
pub(super) struct Absences {
    games: Vec<PairedGame>,
    cooldowns: HashMap<Whose, Cooldown>,
}

impl Fate {
    /// `events` are those of a game that was aborted.
    pub(super) fn of<'a>(
        game: &GameRow,
        player: &str,
        mut events: impl Iterator<Item = &'a GameEvent>,
    ) -> Fate {
        let ply = game.snapshot.ply;
        let to_move = if ply.is_multiple_of(2) { Side::First } else { Side::Second };
        let is_to_move = game.side_of(player) == Some(to_move);
        match game.snapshot.status {
            GameStatus::Playing if ply < OPENING_MOVES && is_to_move => Fate::Awaited,
            GameStatus::Playing if ply < OPENING_MOVES => Fate::Open,
            // An opponent who does not wait says nothing about the player.
            GameStatus::Aborted if is_to_move => {
                let by_opponent = GameEvent::Aborted { by: Some(to_move.other()) };
                if events.any(|event| *event == by_opponent) { Fate::Played } else { Fate::Absent }
            }
            _ => Fate::Played,
        }
    }
}

impl Absences {
    /// Somebody has been given a game.
    pub(super) fn paired(&mut self, game: PairedGame) {
        self.games.push(game);
    }

    /// The games of a player, or of guests in a network, of which it is not known whether they came.
    pub(super) fn undecided(&self, player: &str, network: Option<Client>) -> Vec<PairedGame> {
        let is_theirs = |game: &&PairedGame| {
            game.player == player || (network.is_some() && game.network == network)
        };
        self.games.iter().filter(is_theirs).cloned().collect()
    }

    /// What became of a game.
    pub(super) fn decide(&mut self, paired: &PairedGame, fate: Fate, now: i64) {
        let whose =
            [Some(Whose::Player(paired.player.clone())), paired.network.map(Whose::Network)];
        let whose = whose.into_iter().flatten();
        if fate == Fate::Open {
            return;
        }
        if fate == Fate::Awaited {
            // Whoever asks for another game instead leaves the opponent waiting, at least for so long.
            for whose in whose {
                let cooldown = self.cooldowns.entry(whose).or_default();
                cooldown.until = cooldown.until.max(paired.at + millis(FIRST_COOLDOWN));
                cooldown.last = now;
            }
            return;
        }
        let before = self.games.len();
        self.games.retain(|game| (&game.game, &game.player) != (&paired.game, &paired.player));
        // Another request may have been faster.
        if fate == Fate::Absent && self.games.len() < before {
            for whose in whose {
                let cooldown = self.cooldowns.entry(whose).or_default();
                let length = FIRST_COOLDOWN * (1 << cooldown.count.min(4));
                cooldown.count += 1;
                cooldown.until = cooldown.until.max(now + millis(length.min(MAX_COOLDOWN)));
                cooldown.last = now;
            }
        }
    }

    /// How long a player must wait to be paired; nothing if they need not.
    pub(super) fn wait(&self, player: &str, network: Option<Client>, now: i64) -> Option<Duration> {
        let whose = [Some(Whose::Player(player.to_owned())), network.map(Whose::Network)];
        let until = |whose| self.cooldowns.get(&whose).map(|cooldown| cooldown.until);
        let until = whose.into_iter().flatten().filter_map(until).max()?;
        u64::try_from(until - now).ok().filter(|left| *left > 0).map(Duration::from_millis)
    }

    /// Forgets what was long ago.
    pub(super) fn sweep(&mut self, now: i64) {
        self.games.retain(|game| now - game.at < millis(FORGET_AFTER));
        self.cooldowns.retain(|_, cooldown| now - cooldown.last < millis(FORGET_AFTER));
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn network(last: u8) -> Option<Client> {
        Some(Client::from(IpAddr::from([192, 0, 2, last])))
    }

    fn paired(
        absences: &mut Absences,
        number: i64,
        player: &str,
        from: Option<Client>,
    ) -> PairedGame {
        let game = PairedGame {
            game: format!("game {number}"),
            player: player.to_owned(),
            network: from,
            at: number,
        };
        absences.paired(game.clone());
        game
    }

    fn seconds(wait: Option<Duration>) -> Option<u64> {
        wait.map(|wait| wait.as_secs())
    }

    #[test]
    fn every_absence_doubles_the_wait_up_to_ten_minutes() {
        let mut absences = Absences::default();
        let mut waits = Vec::new();
        for number in 0..6 {
            let game = paired(&mut absences, number, "guest", None);
            absences.decide(&game, Fate::Absent, 0);
            absences.decide(&game, Fate::Absent, 0);
            waits.extend(seconds(absences.wait("guest", None, 0)));
        }
        assert_eq!(waits, [60, 120, 240, 480, 600, 600], "and each game counts once");
        assert_eq!(absences.wait("somebody else", None, 0), None);
        assert_eq!(absences.wait("guest", None, millis(MAX_COOLDOWN)), None);
        absences.sweep(millis(FORGET_AFTER));
        assert!(absences.games.is_empty() && absences.cooldowns.is_empty());
    }

    #[test]
    fn guests_of_a_network_wait_together() {
        let mut absences = Absences::default();
        let game = paired(&mut absences, 0, "guest", network(1));
        assert_eq!(absences.undecided("another guest", network(1)).len(), 1);
        assert!(absences.undecided("another guest", network(2)).is_empty());
        assert!(absences.undecided("somebody with an account", None).is_empty());
        absences.decide(&game, Fate::Absent, 0);
        assert_eq!(seconds(absences.wait("another guest", network(1), 0)), Some(60));
        assert_eq!(absences.wait("another guest", network(2), 0), None);
        assert_eq!(absences.wait("somebody with an account", None, 0), None);
    }

    #[test]
    fn a_first_move_comes_before_another_game() {
        let mut absences = Absences::default();
        let game = paired(&mut absences, 0, "guest", None);
        absences.decide(&game, Fate::Open, 10);
        assert_eq!(absences.wait("guest", None, 10), None, "the other side is to move");
        absences.decide(&game, Fate::Awaited, 20_000);
        assert_eq!(seconds(absences.wait("guest", None, 20_000)), Some(40));
        absences.decide(&game, Fate::Played, 20_000);
        assert!(absences.undecided("guest", None).is_empty());
    }
}
