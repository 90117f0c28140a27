//! Quick pairing: players who want the same game at the same pace are paired, the nearest by rating first, and
//! the longer they wait, the farther.
//!
//! A place belongs to a socket, and ends with it. The node keeps the places of its sockets here, and in
//! rounds brings them into the database, where those of all nodes meet (`store/waiting.rs`). A round waits
//! for the disk twice at most, however many people have come since the last.
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
use crate::guard::{Client, ConnectionLimit, ConnectionPermit};
use crate::hub::Subscriber;
use crate::ids;
use crate::monitoring::warn_folded;
use crate::ratings::{Category, Standing, can_be_rated};
use crate::rooms::new_game;
use crate::store::{Match, PlaceChanges, Queue, Seek, StoreError};
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
/// How many places are stored and how many are deleted in one round.
const MAX_CHANGES: usize = 200;

/// The places of this node.
#[derive(Debug)]
pub(crate) struct Pairing {
    node: String,
    state: Mutex<State>,
    /// What the networks of those who wait, and of those who have just left, have of the places.
    shares: ConnectionLimit,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// By ticket.
    places: HashMap<String, Local>,
    /// Places that the database may still have.
    left: Vec<Left>,
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
    permit: ConnectionPermit,
}

/// A place that is to be deleted. It counts for its network until then.
#[derive(Debug)]
struct Left {
    ticket: String,
    _permit: ConnectionPermit,
}

/// What has changed about the places of this node since they were stored.
#[derive(Debug)]
struct Changes {
    new: Vec<Seek>,
    left: Vec<String>,
    /// Whether the places are to be renewed.
    is_due: bool,
    /// Whether there are more changes than fit in a round.
    has_more: bool,
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
        Pairing {
            node: ids::long(),
            state: Mutex::default(),
            shares: ConnectionLimit::default(),
            changed: Notify::new(),
        }
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

    /// Gives a connection a place, and returns its ticket. Where addresses are limited, `max` may wait at one.
    pub(crate) fn join(
        &self,
        wish: Wish<'_>,
        client: Client,
        max: Option<usize>,
        now: i64,
        subscriber: &Arc<Subscriber>,
    ) -> Result<String, Error> {
        let Wish { player, game, control, rating, network } = wish;
        let mut state = self.state();
        // While the database cannot be reached, those who come and go leave tickets behind.
        if state.places.len() + state.left.len() >= MAX_WAITING {
            return Err(Error::unavailable());
        }
        let Some(permit) = self.shares.acquire(client, max) else {
            let max = max.unwrap_or_default();
            let message = format!("{max} people at your address wait to be paired already");
            return Err(Error::new(ErrorCode::TooMany, message));
        };
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
        let local = Local { place, network, subscriber, is_stored: false, permit };
        state.places.insert(ticket.clone(), local);
        self.changed.notify_one();
        Ok(ticket)
    }

    /// Gives up a place.
    pub(crate) fn leave(&self, ticket: &str) {
        let mut state = self.state();
        if let Some(Local { permit, .. }) = state.places.remove(ticket) {
            state.left.push(Left { ticket: ticket.to_owned(), _permit: permit });
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
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) => {
                        warn_folded!(%error, "cannot pair those who wait");
                        break;
                    }
                }
            }
        }
    }

    /// What has changed; as much of it as fits in a round, those who have waited longest first.
    fn changes(&self, now: i64) -> Changes {
        let state = self.state();
        let unstored = state.places.values().filter(|local| !local.is_stored);
        let mut new: Vec<&Seek> = unstored.map(|local| &local.place).collect();
        // Of two places of one person the later is kept.
        new.sort_by_key(|place| place.since);
        let has_more = new.len().max(state.left.len()) > MAX_CHANGES;
        Changes {
            new: new.into_iter().take(MAX_CHANGES).cloned().collect(),
            left: state.left.iter().take(MAX_CHANGES).map(|left| left.ticket.clone()).collect(),
            is_due: now - state.renewed >= millis(RENEW_INTERVAL),
            has_more,
        }
    }

    /// Runs one round, and returns whether there is enough for another at once.
    async fn round(&self, app: &App) -> Result<bool, StoreError> {
        let now = app.time.now();
        let Changes { new, left, is_due, has_more } = self.changes(now);
        let is_changed = is_due || !new.is_empty() || !left.is_empty();
        if is_changed {
            let changes = PlaceChanges {
                node: &self.node,
                new: &new,
                left: &left,
                now,
                expires: now + millis(PLACE_TTL),
                renews: is_due,
            };
            app.store.in_time(app.store.change_places(&changes)).await?;
        }
        let queue = app.store.answered(app.store.waiting(now)).await?;
        let matches = matches(&queue, now);
        let chosen = matches.len();
        let games = match matches.is_empty() {
            true => Vec::new(),
            false => app.store.in_time(app.store.begin_matches(matches, now)).await?,
        };
        let is_mine_paired =
            queue.places.iter().any(|place| place.node == self.node && place.paired.is_some());
        if !is_changed && !is_mine_paired && games.is_empty() {
            return Ok(chosen == MAX_MATCHES);
        }
        let places = app.store.answered(app.store.places_of(&self.node)).await?;
        let told = self.settle(&new, left.len(), &places, is_due.then_some(now), now);
        for (subscriber, message) in told {
            if let Ok(text) = serde_json::to_string(&message) {
                subscriber.send(text.into());
            }
        }
        join_all(games.iter().map(|game| app.rooms.started(game))).await;
        metrics::counter!("stoa_paired_games_total").increment(games.len() as u64);
        Ok(chosen == MAX_MATCHES || has_more)
    }

    /// Adopts the state of the database after a round, in which these new places and so many of those that were left have
    /// reached it; returns the messages to send.
    fn settle(
        &self,
        new: &[Seek],
        left: usize,
        places: &[Seek],
        renewed: Option<i64>,
        now: i64,
    ) -> Vec<(Arc<Subscriber>, ServerMessage)> {
        let mut state = self.state();
        state.renewed = renewed.unwrap_or(state.renewed);
        // Those who have left meanwhile come after them.
        state.left.drain(..left);
        for place in new {
            if let Some(local) = state.places.get_mut(&place.ticket) {
                local.is_stored = true;
            }
        }
        let known: HashMap<&str, &Seek> =
            places.iter().map(|place| (place.ticket.as_str(), place)).collect();
        let State { places, left, absences, .. } = &mut *state;
        absences.sweep(now);
        let is_settled = |ticket: &String, local: &mut Local| {
            let waits = matches!(known.get(ticket.as_str()), Some(Seek { paired: None, .. }));
            local.is_stored && !waits
        };
        let settled: Vec<(String, Local)> = places.extract_if(is_settled).collect();
        let mut told = Vec::new();
        for (ticket, Local { place, network, subscriber, permit, .. }) in settled {
            let game = known.get(ticket.as_str()).and_then(|known| known.paired.clone());
            let message = match game {
                Some(game) => {
                    let player = place.player;
                    absences.paired(PairedGame { game: game.clone(), player, network, at: now });
                    // Deleted in the next round: only now is it certain that the game has begun.
                    left.push(Left { ticket, _permit: permit });
                    ServerMessage::Paired { game }
                }
                None => ServerMessage::Unpaired,
            };
            told.push((subscriber, message));
        }
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
    use super::choice::tests::{place, queue};
    use super::*;
    use crate::hub::Hub;
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
            let new = ["a", "b"].map(|player| Seek {
                ticket: format!("{player} at {now}"),
                ..place(player, "impasse", None, now)
            });
            let changes = PlaceChanges {
                node: "node",
                new: &new,
                left: &[],
                now,
                expires: now + 1000,
                renews: true,
            };
            store.change_places(&changes).await.expect("a database");
            let queue = store.waiting(now).await.expect("a database");
            let games = store.begin_matches(matches(&queue, now), now).await.expect("a database");
            assert_eq!(games.len(), 1, "there is nobody else");
            !queue.met.is_empty()
        };
        assert!(!have_met(0).await);
        assert!(have_met(60_000).await);
        assert!(!have_met(600_000).await, "that was long ago");
        store.close().await;
    }

    fn client(last: u8) -> Client {
        Client::from(std::net::IpAddr::from([192, 0, 2, last]))
    }

    /// Takes a place for a person; nothing if it is refused.
    fn join(pairing: &Pairing, hub: &Hub, number: i64, client: Client) -> Option<String> {
        let id = number.to_string();
        let player = Player { name: id.clone(), id, kind: PlayerKind::Account, rating: None };
        let control = TimeControl::Clock { initial: 300, increment: 5 };
        let wish = Wish::new(&player, "impasse", control).expect("a wish");
        let (subscriber, _) = hub.subscriber(None);
        pairing.join(wish, client, Some(50), number, &subscriber).ok()
    }

    #[test]
    fn an_address_has_a_share_of_the_places_until_they_are_deleted() {
        let (pairing, hub) = (Pairing::new(), Hub::new());
        let tickets: Vec<String> =
            (0..200).filter_map(|number| join(&pairing, &hub, number, client(1))).collect();
        assert_eq!(tickets.len(), 50);
        assert!(join(&pairing, &hub, 200, client(2)).is_some(), "others have theirs");
        tickets[..20].iter().for_each(|ticket| pairing.leave(ticket));
        assert!(join(&pairing, &hub, 201, client(1)).is_none(), "they may still be stored");
        let Changes { new, left, .. } = pairing.changes(0);
        assert_eq!((new.len(), left.len()), (31, 20));
        pairing.settle(&[], left.len(), &[], None, 0);
        let again = (300..400).filter(|number| join(&pairing, &hub, *number, client(1)).is_some());
        assert_eq!(again.count(), 20);
    }

    #[test]
    fn a_round_takes_a_bounded_number_of_changes_the_oldest_first() {
        let (pairing, hub) = (Pairing::new(), Hub::new());
        for number in (0..1000).rev() {
            let client = client(u8::try_from(number % 250).expect("a byte"));
            assert!(join(&pairing, &hub, number, client).is_some());
        }
        let changes = pairing.changes(0);
        assert!(changes.has_more);
        assert_eq!(changes.new.len(), MAX_CHANGES);
        assert!(changes.new.iter().zip(0..).all(|(place, number)| place.since == number));
    }

    #[tokio::test]
    async fn nobody_is_paired_who_has_left_or_plays_already() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let places = ["a", "b", "c", "d"].map(|player| place(player, "impasse", None, 0));
        for place in &places {
            assert!(store.add_player(&PlayerRow::for_test(&place.player)).await.expect("added"));
        }
        let changes = async |new: &[Seek], left: &[String]| {
            let changes =
                PlaceChanges { node: "node", new, left, now: 0, expires: 1000, renews: false };
            store.change_places(&changes).await.expect("a database");
        };
        let decided =
            |players: [usize; 2]| matches(&queue(&players.map(|index| places[index].clone())), 0);
        let begin =
            async |matches| store.begin_matches(matches, 0).await.expect("a database").len();
        let waiting = async || {
            let all = store.places_of("node").await.expect("a database").into_iter();
            let mut waiting: Vec<String> =
                all.filter(|place| place.paired.is_none()).map(|place| place.player).collect();
            waiting.sort();
            waiting
        };
        changes(&places, &[]).await;
        let with_a = decided([0, 1]);
        changes(&[], &[places[0].ticket.clone()]).await;
        assert_eq!(begin(with_a).await, 0, "she has left");
        assert_eq!(waiting().await, ["b", "c", "d"]);
        let (first, second) = (decided([1, 2]), decided([2, 3]));
        assert_eq!((begin(first).await, begin(second).await), (1, 0), "another node was faster");
        assert_eq!(waiting().await, ["d"]);
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
