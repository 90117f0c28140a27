//! Quick pairing: players who want the same game at the same pace are paired, the nearest by rating first, and
//! the longer they wait, the farther.
//!
//! A place belongs to a socket, and ends with it. The node keeps the places of its sockets here, and in
//! rounds brings them into the database, where those of all nodes meet (`store/waiting.rs`). A round waits
//! for the disk once, however many people have come since the last.
//!
//! | file | what |
//! |---|---|
//! | `choice.rs` | who plays whom |
//! | `absence.rs` | people who were paired and did not move wait before they are paired again |

mod absence;
mod choice;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use stoa_rules::Game;
use stoa_wire::{ErrorCode, GameStatus, Player, PlayerKind, ServerMessage, TimeControl};
use tokio::sync::Notify;

use crate::api::{Error, parse_game};
use crate::app::App;
use crate::guard::Client;
use crate::hub::Subscriber;
use crate::ids;
use crate::monitoring::warn_folded;
use crate::ratings::{Category, Standing, can_be_rated};
use crate::rooms::new_game;
use crate::store::{Match, Queue, Round, Seek, StoreError};
use crate::time::millis;
use absence::{Absences, Fate, PairedGame};
use choice::choose;

/// How long to wait for others to come before a round, and between rounds.
const ROUND_INTERVAL: Duration = Duration::from_millis(200);
/// How often a node renews its places, and how long they last if it does not.
const RENEW_INTERVAL: Duration = Duration::from_secs(3);
const PLACE_TTL: Duration = Duration::from_secs(15);
/// How many people may wait at one node.
const MAX_WAITING: usize = 4000;
/// How many games begin in one round: moves wait meanwhile.
const MAX_MATCHES: usize = 50;

/// The places of this node.
#[derive(Debug)]
pub(crate) struct Pairing {
    node: String,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// By ticket.
    places: HashMap<String, Local>,
    /// Tickets of places that the database may still have.
    left: Vec<String>,
    renewed: i64,
    absences: Absences,
}

#[derive(Debug)]
struct Local {
    place: Seek,
    /// Whose guests share a cooldown.
    network: Option<Client>,
    subscriber: Arc<Subscriber>,
    is_stored: bool,
}

/// What a player wants to play.
#[derive(Debug)]
pub(crate) struct Wish<'a> {
    player: &'a Player,
    game: Game,
    control: TimeControl,
    rating: Option<f64>,
    network: Option<Client>,
}

impl<'a> Wish<'a> {
    /// A wish that can be granted: a person's, for a game with clocks.
    pub(crate) fn new(
        player: &'a Player,
        game: &str,
        control: TimeControl,
    ) -> Result<Wish<'a>, Error> {
        if player.kind == PlayerKind::Bot {
            return Err(Error::new(ErrorCode::NotForBots, "quick pairing is for people"));
        }
        let game = parse_game(game)?;
        if let Some(flaw) = control.flaw() {
            return Err(Error::new(ErrorCode::BadControl, flaw));
        }
        if !matches!(control, TimeControl::Clock { .. }) {
            return Err(Error::new(
                ErrorCode::BadControl,
                "quick pairing is for games with clocks",
            ));
        }
        Ok(Wish { player, game, control, rating: None, network: None })
    }

    /// The same from a network. It matters for guests only: another name costs them nothing.
    pub(crate) fn from(self, network: Client) -> Wish<'a> {
        Wish { network: (self.player.kind == PlayerKind::Guest).then_some(network), ..self }
    }

    /// The same by a player with these ratings.
    pub(crate) fn rated_by(self, ratings: &[(Category, Standing)]) -> Wish<'a> {
        let category = Category::of(self.game, self.control);
        let found = ratings.iter().find(|(rated, _)| Some(*rated) == category);
        Wish { rating: found.map(|(_, standing)| standing.strength.rating), ..self }
    }
}

impl Pairing {
    pub(crate) fn new() -> Pairing {
        Pairing { node: ids::long(), state: Mutex::default(), changed: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses people who were paired here and did not stay, for a while.
    pub(crate) async fn check_absence(&self, app: &App, wish: &Wish<'_>) -> Result<(), Error> {
        let (player, network, now) = (&wish.player.id, wish.network, app.time.now());
        let games = self.state().absences.undecided(player, network, now);
        let mut awaited = Vec::new();
        for paired in games {
            let Some(game) = app.store.game(&paired.game).await? else { continue };
            // There may have been offers after it.
            let events = match game.snapshot.status {
                GameStatus::Aborted => app.store.events(&game.id, 0).await?,
                GameStatus::Playing | GameStatus::Over => Vec::new(),
            };
            let fate = Fate::of(&game, &paired.player, events.iter().map(|(_, event)| event));
            self.state().absences.decide(&paired, fate, now);
            if fate == Fate::Awaited && paired.player == *player {
                awaited.push(paired);
            }
        }
        match self.state().absences.wait(player, network, &awaited, now) {
            None => Ok(()),
            Some(wait) => Err(Error::did_not_move(wait.as_secs().max(1))),
        }
    }

    /// Gives a connection a place, and returns its ticket.
    pub(crate) fn join(
        &self,
        wish: Wish<'_>,
        now: i64,
        subscriber: &Arc<Subscriber>,
    ) -> Result<String, Error> {
        let Wish { player, game, control, rating, network } = wish;
        let mut state = self.state();
        // While the database cannot be reached, those who come and go leave tickets behind.
        if state.places.len() + state.left.len() >= MAX_WAITING {
            return Err(Error::unavailable());
        }
        let ticket = ids::long();
        let place = Seek {
            player: player.id.clone(),
            kind: player.kind,
            ticket: ticket.clone(),
            node: self.node.clone(),
            game: game.to_string(),
            control: serde_json::to_string(&control).map_err(StoreError::from)?,
            rating,
            since: now,
            paired: None,
        };
        let subscriber = Arc::clone(subscriber);
        state.places.insert(ticket.clone(), Local { place, network, subscriber, is_stored: false });
        self.changed.notify_one();
        Ok(ticket)
    }

    /// Gives up a place.
    pub(crate) fn leave(&self, ticket: &str) {
        let mut state = self.state();
        if state.places.remove(ticket).is_some() {
            state.left.push(ticket.to_owned());
            self.changed.notify_one();
        }
    }

    fn is_idle(&self) -> bool {
        let state = self.state();
        state.places.is_empty() && state.left.is_empty()
    }

    /// Runs rounds as long as anyone waits, until the task is aborted.
    pub(crate) async fn run(&self, app: &App) {
        loop {
            if self.is_idle() {
                self.changed.notified().await;
            }
            tokio::time::sleep(ROUND_INTERVAL).await;
            loop {
                match self.round(app).await {
                    Ok(begun) if begun == MAX_MATCHES => {}
                    Ok(_) => break,
                    Err(error) => {
                        warn_folded!(%error, "cannot pair those who wait");
                        break;
                    }
                }
            }
        }
    }

    /// Runs one round, and returns how many games have begun.
    async fn round(&self, app: &App) -> Result<usize, StoreError> {
        let now = app.time.now();
        let (new, left, is_due) = {
            let state = self.state();
            let mut new: Vec<Seek> = state
                .places
                .values()
                .filter(|local| !local.is_stored)
                .map(|local| local.place.clone())
                .collect();
            // Of two places of one person the later is kept.
            new.sort_by_key(|place| place.since);
            (new, state.left.clone(), now - state.renewed >= millis(RENEW_INTERVAL))
        };
        if new.is_empty() && left.is_empty() && !is_due {
            let queue = app.store.answered(app.store.waiting(now)).await?;
            let is_mine_paired =
                queue.places.iter().any(|place| place.node == self.node && place.paired.is_some());
            if !is_mine_paired && choose(&queue, now).is_empty() {
                return Ok(0);
            }
        }
        let round = Round {
            node: &self.node,
            new: &new,
            left: &left,
            now,
            expires: now + millis(PLACE_TTL),
        };
        let pairing = app.store.pair(&round, |queue| matches(queue, now));
        let result = app.store.in_time(pairing).await?;
        let told = self.settle(&new, &left, &result.places, now);
        for (subscriber, message) in told {
            if let Ok(text) = serde_json::to_string(&message) {
                subscriber.send(text.into());
            }
        }
        join_all(result.games.iter().map(|game| app.rooms.started(game))).await;
        metrics::counter!("stoa_paired_games_total").increment(result.games.len() as u64);
        Ok(result.games.len())
    }

    /// Adopts the state of the database after a round, and returns the messages to send.
    fn settle(
        &self,
        new: &[Seek],
        left: &[String],
        places: &[Seek],
        now: i64,
    ) -> Vec<(Arc<Subscriber>, ServerMessage)> {
        let mut state = self.state();
        state.renewed = now;
        state.left.retain(|ticket| !left.contains(ticket));
        for place in new {
            if let Some(local) = state.places.get_mut(&place.ticket) {
                local.is_stored = true;
            }
        }
        let known: HashMap<&str, &Seek> =
            places.iter().map(|place| (place.ticket.as_str(), place)).collect();
        let mut told = Vec::new();
        let mut done = Vec::new();
        let State { places, absences, .. } = &mut *state;
        absences.sweep(now);
        places.retain(|ticket, local| {
            let message = match known.get(ticket.as_str()) {
                _ if !local.is_stored => return true,
                Some(Seek { paired: None, .. }) => return true,
                Some(Seek { paired: Some(game), .. }) => {
                    done.push(ticket.clone());
                    let (player, network) = (local.place.player.clone(), local.network);
                    absences.paired(PairedGame { game: game.clone(), player, network, at: now });
                    ServerMessage::Paired { game: game.clone() }
                }
                None => ServerMessage::Unpaired,
            };
            told.push((Arc::clone(&local.subscriber), message));
            false
        });
        // Deleted in the next round: only now is it certain that the game has begun.
        state.left.extend(done);
        told
    }
}

/// The games of those who are paired, sides drawn by lot; rated if both have accounts.
fn matches(queue: &Queue, now: i64) -> Vec<Match> {
    let begin = |[one, other]: [usize; 2]| {
        let (one, other) = (&queue.places[one], &queue.places[other]);
        let game: Game = one.game.parse().ok()?;
        let control: TimeControl = serde_json::from_str(&one.control).ok()?;
        let (first, second) = if ids::coin() { (one, other) } else { (other, one) };
        let players = [first.player.clone(), second.player.clone()];
        let tickets = [one.ticket.clone(), other.ticket.clone()];
        let mut game = new_game(game, control, players, None, now);
        game.rated = can_be_rated([one.kind, other.kind]);
        Some(Match { tickets, game })
    };
    choose(queue, now).into_iter().filter_map(begin).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::choice::tests::{place, queue};
    use super::*;
    use crate::store::{PlayerRow, Store};

    #[tokio::test]
    async fn the_database_knows_who_has_just_met() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        for id in ["a", "b"] {
            assert!(store.add_player(&PlayerRow::for_test(id)).await.expect("a database"));
        }
        let have_met = async |now: i64| {
            let seek = |player: &str| Seek {
                ticket: format!("{player} at {now}"),
                ..place(player, "impasse", None, now)
            };
            let new = ["a", "b"].map(seek);
            let round = Round { node: "node", new: &new, left: &[], now, expires: now + 1000 };
            let met = AtomicBool::new(false);
            let begin = |queue: &Queue| {
                met.store(!queue.met.is_empty(), Ordering::Relaxed);
                matches(queue, now)
            };
            let result = store.pair(&round, begin).await.expect("a database");
            assert_eq!(result.games.len(), 1, "there is nobody else");
            met.into_inner()
        };
        assert!(!have_met(0).await);
        assert!(have_met(60_000).await);
        assert!(!have_met(600_000).await, "that was long ago");
        store.close().await;
    }

    #[test]
    fn games_between_accounts_are_rated() {
        let mut places = ["a", "b"].map(|player| place(player, "impasse", None, 0));
        let games = matches(&queue(&places), 0);
        assert!(games[0].game.rated);
        assert_eq!(games[0].game.players.len(), 2);
        places[1].kind = PlayerKind::Guest;
        assert!(!matches(&queue(&places), 0)[0].game.rated);
    }
}
