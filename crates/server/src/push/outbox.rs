//! Notifications that wait to be sent, and which of them is sent next.
//!
//! Browsers choose their push service, and anyone can name one that never answers. Whoever does keeps nobody else
//! waiting: a player has one send at a time, a service a few, and one that did not answer has one until it does. So it
//! is with how many may wait. The same holds if a large service is down for a while.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Instant;

use super::PushReason;
use crate::store::PushRow;

/// How many notifications are sent at the same time; and to one service.
const MAX_SENDING: usize = 256;
const MAX_SENDING_TO_SERVICE: usize = 32;
/// How many notifications may wait, retries included; for one service, for one that does not answer, for one player.
const MAX_WAITING: usize = 4096;
const MAX_WAITING_FOR_SERVICE: usize = 1024;
const MAX_WAITING_FOR_SILENT_SERVICE: usize = 32;
const MAX_WAITING_FOR_PLAYER: usize = 100;
/// How many services are remembered; of more only those are for which something waits.
const MAX_SERVICES: usize = 4096;

/// A notification for one browser.
#[derive(Debug, Clone)]
pub(super) struct Delivery {
    pub(super) player: String,
    /// Whose answer it waits for.
    pub(super) service: String,
    pub(super) browser: PushRow,
    pub(super) reason: PushReason,
    /// The number of moves of the game when it was queued.
    pub(super) ply: usize,
    pub(super) attempts: usize,
    /// When it may be sent.
    pub(super) due: Instant,
}

/// The notifications that wait, and which services and players have one on the way.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    services: HashMap<String, Service>,
    /// How many wait for each player.
    waiting: HashMap<String, usize>,
    /// The players to whom one is being sent.
    busy: HashSet<String>,
}

#[derive(Debug, Default)]
struct Service {
    waiting: VecDeque<Delivery>,
    sending: usize,
    /// It took too long for the last answer.
    is_silent: bool,
}

impl Service {
    fn max_sending(&self) -> usize {
        if self.is_silent { 1 } else { MAX_SENDING_TO_SERVICE }
    }

    fn max_waiting(&self) -> usize {
        if self.is_silent { MAX_WAITING_FOR_SILENT_SERVICE } else { MAX_WAITING_FOR_SERVICE }
    }

    /// The first of those that may be sent now.
    fn next(&self, busy: &HashSet<String>, now: Instant) -> Option<usize> {
        let is_free = |delivery: &Delivery| delivery.due <= now && !busy.contains(&delivery.player);
        let has_room = self.sending < self.max_sending();
        has_room.then(|| self.waiting.iter().position(is_free)).flatten()
    }
}

impl Delivery {
    /// Whether two say the same thing to the same browser, so that the newer one is enough.
    fn replaces(&self, other: &Delivery) -> bool {
        self.browser.endpoint == other.browser.endpoint
            && self.reason.topic() == other.reason.topic()
    }
}

impl Outbox {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Adds a notification; false if too many wait.
    pub(super) fn add(&mut self, delivery: Delivery) -> bool {
        let all: usize = self.waiting.values().sum();
        let of_player = self.waiting.entry(delivery.player.clone()).or_default();
        let service = self.services.entry(delivery.service.clone()).or_default();
        if let Some(known) = service.waiting.iter_mut().find(|known| delivery.replaces(known)) {
            // A retry is older than whatever waits.
            if delivery.attempts == 0 {
                *known = delivery;
            }
            return true;
        }
        let is_full = all >= MAX_WAITING
            || *of_player >= MAX_WAITING_FOR_PLAYER
            || service.waiting.len() >= service.max_waiting();
        if !is_full {
            *of_player += 1;
            service.waiting.push_back(delivery);
        } else if *of_player == 0 {
            self.waiting.remove(&delivery.player);
        }
        !is_full
    }

    /// The next notification to send, if there is one. [`Outbox::finished`] must follow.
    pub(super) fn next(&mut self, now: Instant) -> Option<Delivery> {
        if self.busy.len() >= MAX_SENDING {
            return None;
        }
        let Outbox { services, waiting, busy } = self;
        let ready = services
            .values_mut()
            .filter_map(|service| Some((service.next(busy, now)?, service)))
            .min_by_key(|(_, service)| service.sending);
        let (index, service) = ready?;
        let delivery = service.waiting.remove(index)?;
        service.sending += 1;
        busy.insert(delivery.player.clone());
        if let Some(left) = waiting.get_mut(&delivery.player) {
            *left -= 1;
            if *left == 0 {
                waiting.remove(&delivery.player);
            }
        }
        Some(delivery)
    }

    /// A notification to a player has been sent, or could not be; `is_answered` says whether the service answered in
    /// time.
    pub(super) fn finished(&mut self, player: &str, service: &str, is_answered: bool) {
        self.busy.remove(player);
        if let Some(service) = self.services.get_mut(service) {
            service.sending = service.sending.saturating_sub(1);
            service.is_silent = !is_answered;
        }
        let remembers_silent = self.services.len() <= MAX_SERVICES;
        self.services.retain(|_, service| {
            let is_idle = service.sending == 0 && service.waiting.is_empty();
            !is_idle || (service.is_silent && remembers_silent)
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn delivery(player: &str, service: &str, game: usize) -> Delivery {
        let (player, service) = (player.to_owned(), service.to_owned());
        let browser = PushRow {
            endpoint: format!("https://{service}/{player}"),
            p256dh: String::new(),
            auth: String::new(),
            language: String::new(),
        };
        let reason = PushReason::Turn {
            game: game.to_string(),
            rules: "impasse".to_owned(),
            opponent: String::new(),
        };
        Delivery { player, service, browser, reason, ply: 0, attempts: 0, due: Instant::now() }
    }

    /// Fills an outbox with notifications of as many players.
    fn add(outbox: &mut Outbox, service: &str, players: usize) -> usize {
        (0..players)
            .filter(|n| outbox.add(delivery(&format!("{n} of {service}"), service, 0)))
            .count()
    }

    fn send_all(outbox: &mut Outbox) -> Vec<Delivery> {
        let later = Instant::now() + Duration::from_secs(1);
        std::iter::from_fn(|| outbox.next(later)).collect()
    }

    #[test]
    fn a_player_has_one_at_a_time_and_others_do_not_wait_for_it() {
        let mut outbox = Outbox::default();
        for game in 0..3 {
            assert!(outbox.add(delivery("greedy", "slow", game)));
        }
        assert!(outbox.add(delivery("greedy", "quick", 3)));
        assert!(outbox.add(delivery("ann", "slow", 4)));
        let mut sent = send_all(&mut outbox);
        sent.sort_by(|one, other| one.player.cmp(&other.player));
        assert_eq!(sent.iter().map(|one| &one.player).collect::<Vec<_>>(), ["ann", "greedy"]);
        outbox.finished("ann", "slow", true);
        for _ in 0..3 {
            assert!(send_all(&mut outbox).is_empty(), "one at a time");
            let last = sent.pop().expect("one was sent");
            outbox.finished("greedy", &last.service, true);
            sent = send_all(&mut outbox);
            assert_eq!(sent.len(), 1);
        }
        assert!(outbox.is_empty());
    }

    #[test]
    fn a_service_that_does_not_answer_holds_up_nobody_else() {
        let mut outbox = Outbox::default();
        add(&mut outbox, "silent", 2000);
        let sent = send_all(&mut outbox);
        assert_eq!(sent.len(), MAX_SENDING_TO_SERVICE);
        assert!(outbox.add(delivery("ann", "quick", 0)));
        assert_eq!(send_all(&mut outbox).len(), 1);
        for delivery in &sent {
            outbox.finished(&delivery.player, "silent", false);
        }
        assert_eq!(send_all(&mut outbox).len(), 1, "one more attempt");
        assert!(!outbox.add(delivery("late", "silent", 0)));
        outbox.finished(&sent[0].player, "silent", true);
        assert_eq!(send_all(&mut outbox).len(), MAX_SENDING_TO_SERVICE, "it answers again");
    }

    #[test]
    fn a_service_that_was_silent_is_remembered_and_others_are_not() {
        let mut outbox = Outbox::default();
        for (service, is_answered) in [("silent", false), ("quick", true)] {
            assert!(outbox.add(delivery("ann", service, 0)));
            assert_eq!(send_all(&mut outbox).len(), 1);
            outbox.finished("ann", service, is_answered);
        }
        assert_eq!(outbox.services.keys().collect::<Vec<_>>(), ["silent"]);
        assert_eq!(add(&mut outbox, "silent", 100), MAX_WAITING_FOR_SILENT_SERVICE);
        assert_eq!(send_all(&mut outbox).len(), 1);
    }

    #[test]
    fn there_is_a_limit_for_each_and_for_all() {
        let mut outbox = Outbox::default();
        let of_one = (0..1000).filter(|game| outbox.add(delivery("greedy", "a", *game))).count();
        assert_eq!(of_one, MAX_WAITING_FOR_PLAYER);
        assert_eq!(add(&mut outbox, "a", 2000), MAX_WAITING_FOR_SERVICE - of_one);
        assert!(outbox.add(delivery("ann", "b", 0)));
        let more: usize =
            ["c", "d", "e"].map(|service| add(&mut outbox, service, 2000)).iter().sum();
        assert_eq!(MAX_WAITING_FOR_SERVICE + 1 + more, MAX_WAITING);
        assert!(!outbox.waiting.contains_key("1999 of e"), "nothing is left of what was refused");
        assert!(send_all(&mut outbox).len() <= MAX_SENDING);
    }

    #[test]
    fn news_replaces_what_still_waits() {
        let mut outbox = Outbox::default();
        let old = delivery("ann", "a", 1);
        assert!(outbox.add(old.clone()));
        assert!(outbox.add(Delivery { ply: 2, ..old.clone() }));
        let retry = Delivery { attempts: 1, ..old.clone() };
        assert!(outbox.add(retry.clone()));
        assert_eq!(send_all(&mut outbox).iter().map(|one| one.ply).collect::<Vec<_>>(), [2]);
        outbox.finished("ann", "a", true);
        let now = Instant::now();
        assert!(outbox.add(Delivery { due: now + Duration::from_secs(2), ..retry }));
        assert!(outbox.next(now).is_none(), "it is not due yet");
        assert!(outbox.next(now + Duration::from_secs(2)).is_some());
        assert!(outbox.is_empty());
    }
}
