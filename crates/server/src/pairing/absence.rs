//! People who were paired and did not move: their opponents have waited for a minute in vain. They wait, too, before
//! they are paired again, and longer each time. So do those who end a game before both sides have moved.
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
/// Those of a network sooner, because many people may share it.
const FORGET_NETWORK_AFTER: Duration = Duration::from_secs(1200);
/// How many guests of a network may be absent meanwhile before all of its guests wait.
const MAX_ABSENT_GUESTS: u32 = 2;
/// How many games of other guests are looked up when somebody asks.
const MAX_OTHER_GAMES: usize = 5;
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
        let side = game.side_of(player);
        let is_absent =
            |absent: Side| if side == Some(absent) { Fate::Absent } else { Fate::Played };
        match game.snapshot.status {
            GameStatus::Playing if ply < OPENING_MOVES && side == Some(to_move) => Fate::Awaited,
            GameStatus::Playing if ply < OPENING_MOVES => Fate::Open,
            // Whoever ends it says nothing about the other; if time did, somebody has not moved.
            GameStatus::Aborted => {
                let by = events.find_map(|event| match event {
                    GameEvent::Aborted { by } => *by,
                    _ => None,
                });
                is_absent(by.unwrap_or(to_move))
            }
            GameStatus::Over if ply < OPENING_MOVES => {
                let winner = game.snapshot.result.and_then(|result| result.winner);
                winner.map_or(Fate::Played, |winner| is_absent(winner.other()))
            }
            GameStatus::Playing | GameStatus::Over => Fate::Played,
        }
    }
}

impl Absences {
    /// Somebody has been given a game.
    pub(super) fn paired(&mut self, game: PairedGame) {
        self.games.push(game);
    }

    /// The games of a player of which it is not known whether they came, and some of other guests in a network: those
    /// that a minute has decided.
    pub(super) fn undecided(
        &self,
        player: &str,
        network: Option<Client>,
        now: i64,
    ) -> Vec<PairedGame> {
        let own = self.games.iter().filter(|game| game.player == player);
        let decided = millis(FIRST_COOLDOWN)..millis(FORGET_NETWORK_AFTER);
        let is_near = |game: &&PairedGame| {
            network.is_some()
                && game.network == network
                && game.player != player
                && decided.contains(&(now - game.at))
        };
        let others = self.games.iter().filter(is_near).take(MAX_OTHER_GAMES);
        own.chain(others).cloned().collect()
    }

    /// What became of a game.
    pub(super) fn decide(&mut self, paired: &PairedGame, fate: Fate, now: i64) {
        if matches!(fate, Fate::Open | Fate::Awaited) {
            return;
        }
        let before = self.games.len();
        self.games.retain(|game| (&game.game, &game.player) != (&paired.game, &paired.player));
        // Another request may have been faster.
        if fate == Fate::Absent && self.games.len() < before {
            let times = self.count(Whose::Player(paired.player.clone()), now);
            // One guest who does not come again and again keeps nobody else waiting.
            let is_recent = now - paired.at < millis(FORGET_NETWORK_AFTER);
            if let Some(network) = paired.network.filter(|_| times == 1 && is_recent) {
                self.count(Whose::Network(network), now);
            }
        }
    }

    /// Counts an absence, and returns how many there were.
    fn count(&mut self, whose: Whose, now: i64) -> u32 {
        let (free, forget_after) = match whose {
            Whose::Player(_) => (0, FORGET_AFTER),
            Whose::Network(_) => (MAX_ABSENT_GUESTS, FORGET_NETWORK_AFTER),
        };
        let cooldown = self.cooldowns.entry(whose).or_default();
        if now - cooldown.last >= millis(forget_after) {
            *cooldown = Cooldown::default();
        }
        if let Some(before) = cooldown.count.checked_sub(free) {
            let length = FIRST_COOLDOWN * (1 << before.min(4));
            cooldown.until = cooldown.until.max(now + millis(length.min(MAX_COOLDOWN)));
        }
        cooldown.count += 1;
        cooldown.last = now;
        cooldown.count
    }

    /// How long a player must wait to be paired; nothing if they need not. `awaited` are their games that wait for
    /// their first move: whoever asks for another instead leaves the opponent waiting, at least for so long.
    pub(super) fn wait(
        &self,
        player: &str,
        network: Option<Client>,
        awaited: &[PairedGame],
        now: i64,
    ) -> Option<Duration> {
        let whose = [Some(Whose::Player(player.to_owned())), network.map(Whose::Network)];
        let until = |whose| self.cooldowns.get(&whose).map(|cooldown| cooldown.until);
        let awaited = awaited.iter().map(|game| game.at + millis(FIRST_COOLDOWN));
        let until = whose.into_iter().flatten().filter_map(until).chain(awaited).max()?;
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
            waits.extend(seconds(absences.wait("guest", None, &[], 0)));
        }
        assert_eq!(waits, [60, 120, 240, 480, 600, 600], "and each game counts once");
        assert_eq!(absences.wait("somebody else", None, &[], 0), None);
        assert_eq!(absences.wait("guest", None, &[], millis(MAX_COOLDOWN)), None);
        absences.sweep(millis(FORGET_AFTER));
        assert!(absences.games.is_empty() && absences.cooldowns.is_empty());
    }

    #[test]
    fn guests_of_a_network_wait_together_after_several_were_absent() {
        let mut absences = Absences::default();
        let wait = |absences: &Absences, from| {
            seconds(absences.wait("another guest", network(from), &[], 0))
        };
        for number in 0..9 {
            let game = paired(&mut absences, number, "guest", network(1));
            absences.decide(&game, Fate::Absent, 0);
        }
        assert_eq!(wait(&absences, 1), None, "one guest keeps nobody else waiting");
        for (number, expected) in [(10, None), (11, Some(60)), (12, Some(120))] {
            let game = paired(&mut absences, number, &format!("guest {number}"), network(1));
            absences.decide(&game, Fate::Absent, 0);
            assert_eq!(wait(&absences, 1), expected);
        }
        assert_eq!(wait(&absences, 2), None);
        assert_eq!(absences.wait("somebody with an account", None, &[], 0), None);
        // A large network has somebody who does not come now and then.
        for number in 1..9 {
            let at = number * millis(FORGET_NETWORK_AFTER);
            let mut game =
                paired(&mut absences, 20 + number, &format!("late {number}"), network(3));
            game.at = at;
            absences.decide(&game, Fate::Absent, at);
            assert_eq!(absences.wait("another guest", network(3), &[], at), None);
        }
    }

    #[test]
    fn few_games_of_a_crowd_are_looked_up() {
        let mut absences = Absences::default();
        for number in 0..500 {
            paired(&mut absences, number, &format!("guest {number}"), network(1));
        }
        let undecided = |player: &str, from, now| absences.undecided(player, from, now).len();
        assert_eq!(undecided("another guest", network(1), 1000), 0, "nothing is known yet");
        assert_eq!(undecided("guest 7", network(1), 1000), 1, "but their own");
        let later = 1000 + millis(FIRST_COOLDOWN);
        assert_eq!(undecided("another guest", network(1), later), MAX_OTHER_GAMES);
        assert_eq!(undecided("another guest", network(2), later), 0);
        assert_eq!(undecided("somebody with an account", None, later), 0);
    }

    #[test]
    fn a_first_move_comes_before_another_game() {
        let mut absences = Absences::default();
        let game = paired(&mut absences, 0, "guest", network(1));
        absences.decide(&game, Fate::Open, 10);
        let wait = |absences: &Absences, awaited: &[PairedGame]| {
            seconds(absences.wait("guest", network(1), awaited, 20_000))
        };
        assert_eq!(wait(&absences, &[]), None, "the other side is to move");
        absences.decide(&game, Fate::Awaited, 20_000);
        assert_eq!(wait(&absences, std::slice::from_ref(&game)), Some(40));
        assert_eq!(absences.wait("another guest", network(1), &[], 20_000), None);
        absences.decide(&game, Fate::Played, 20_000);
        assert_eq!(wait(&absences, &[]), None, "the move ends the wait");
        assert!(absences.undecided("guest", network(1), 20_000).is_empty());
    }
}
