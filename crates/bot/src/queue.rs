//! The queue of the searches of all games, which share the machine.
//!
//! A search waits for a slot. Those who have used the engine least go first: networks are compared, the widest first,
//! then people, then how long the thought will take. So a customer with thousands of networks of IPv6 has the share of
//! one address. One slot is for short thoughts only, so that a weak level answers at
//! once while strong ones think. A search that cannot wait any longer because of the clock does not wait for these:
//! then the thought is hurried, and counts on top. There are few slots for such, too, the most urgent first.
//!
//! Searches in the background, such as reviews, get a slot only while nobody waits for one, and one of them at a
//! time. When another search finds no slot free, the search in the background is stopped.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use stoa_engine::Stop;

/// A thought that takes no longer than this is short.
const SHORT_THOUGHT: Duration = Duration::from_millis(300);
/// How many hurried thoughts there may be at a time. They take a twentieth of a second each, so this is enough for 80
/// moves a second; without a bound, a hundred people short of time would get a hundred engines at once.
const MAX_HURRIED: usize = 4;
/// The time after which usage counts half.
const HALF_LIFE: Duration = Duration::from_secs(60);
/// What is left of a use when it is forgotten, in seconds.
const MIN_USE: f64 = 0.001;

/// A queue of searches. Clones are the same queue.
#[derive(Debug, Clone)]
pub struct SearchQueue(Arc<(Mutex<State>, Condvar)>);

/// A search that wants to begin.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// The network of the opponent, or the opponent if it is not known. In IPv6 the names of the wider networks come
    /// first, each before a dot.
    pub(crate) network: String,
    /// The opponent.
    pub(crate) person: String,
    /// How long the thought will probably take.
    pub(crate) cost: Duration,
    /// When it must begin.
    pub(crate) latest: Option<Instant>,
}

impl Request {
    /// Whose use counts for the network: the widest first, each by all names down to its own.
    fn networks(&self) -> impl Iterator<Item = &str> {
        let wider = self.network.match_indices('.').map(|(end, _)| &self.network[..end]);
        wider.chain([self.network.as_str()])
    }
}

/// The slot of a search; it is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    queue: SearchQueue,
    slot: Slot,
    request: Request,
    began: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Any,
    Short,
    /// On top of all slots.
    Hurried,
}

/// The slot of a search in the background; it is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct BackgroundPermit {
    queue: SearchQueue,
    stop: Stop,
}

#[derive(Debug)]
struct State {
    free: usize,
    free_short: usize,
    free_hurried: usize,
    /// What stops the search in the background, if there is one.
    background: Option<Stop>,
    next_ticket: u64,
    waiting: Vec<(u64, Request)>,
    used: HashMap<String, Use>,
}

/// How long a player or a network has searched, in seconds, at a moment.
#[derive(Debug, Clone, Copy)]
struct Use {
    seconds: f64,
    at: Instant,
}

impl Use {
    fn at(self, now: Instant) -> f64 {
        let elapsed = now.saturating_duration_since(self.at).as_secs_f64();
        self.seconds * 0.5_f64.powf(elapsed / HALF_LIFE.as_secs_f64())
    }
}

impl SearchQueue {
    /// A queue with this many slots, at least one, and one more for short searches.
    pub fn new(slots: usize) -> SearchQueue {
        let state = State {
            free: slots.max(1),
            free_short: 1,
            free_hurried: MAX_HURRIED,
            background: None,
            next_ticket: 0,
            waiting: Vec::new(),
            used: HashMap::new(),
        };
        SearchQueue(Arc::new((Mutex::new(state), Condvar::new())))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a slot; nothing if whoever asks leaves before, which they are asked when something has changed.
    pub(crate) fn acquire(
        &self,
        request: Request,
        mut leaves: impl FnMut() -> bool,
    ) -> Option<Permit> {
        let mut state = self.state();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.waiting.push((ticket, request.clone()));
        let slot = loop {
            let now = Instant::now();
            if let Some(slot) = state.slot_for(ticket, now) {
                break slot;
            }
            if leaves() {
                state.waiting.retain(|(other, _)| *other != ticket);
                return None;
            }
            if let Some(background) = &state.background {
                background.stop();
            }
            let left = request.latest.map(|latest| latest.saturating_duration_since(now));
            let freed = &self.0.1;
            state = match left {
                Some(left) if !left.is_zero() => {
                    freed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
                _ => freed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        };
        state.waiting.retain(|(other, _)| *other != ticket);
        match slot {
            Slot::Any => state.free -= 1,
            Slot::Short => state.free_short -= 1,
            Slot::Hurried => state.free_hurried -= 1,
        }
        drop(state);
        // Another slot may be free for the next.
        self.0.1.notify_all();
        Some(Permit { queue: self.clone(), slot, request, began: Instant::now() })
    }

    /// How many searches wait for a slot.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.state().waiting.len()
    }

    /// Asks those who wait whether they still do.
    pub(crate) fn reconsider(&self) {
        // Whoever has been asked already waits before the lock is free.
        drop(self.state());
        self.0.1.notify_all();
    }

    /// A slot for a search in the background, if nobody else wants it now. The search has to end when
    /// the permit's stop says so, and may begin again later.
    pub(crate) fn try_background(&self) -> Option<BackgroundPermit> {
        let mut state = self.state();
        if state.free == 0 || !state.waiting.is_empty() || state.background.is_some() {
            return None;
        }
        state.free -= 1;
        let stop = Stop::new();
        state.background = Some(stop.clone());
        Some(BackgroundPermit { queue: self.clone(), stop })
    }
}

impl BackgroundPermit {
    /// What ends the search when the slot is wanted.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }
}

impl Drop for BackgroundPermit {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.free += 1;
        state.background = None;
        drop(state);
        self.queue.0.1.notify_all();
    }
}

impl State {
    /// The slot that a waiting search can have now.
    fn slot_for(&self, ticket: u64, now: Instant) -> Option<Slot> {
        let is_next = |short_only| self.next(short_only, now) == Some(ticket);
        if self.free > 0 && is_next(false) {
            return Some(Slot::Any);
        }
        if self.free_short > 0 && is_next(true) {
            return Some(Slot::Short);
        }
        let is_urgent = || self.most_urgent(now) == Some(ticket);
        (self.free_hurried > 0 && is_urgent()).then_some(Slot::Hurried)
    }

    /// Of those who cannot wait any longer, the one whose time came first.
    fn most_urgent(&self, now: Instant) -> Option<u64> {
        let latest = |request: &Request| request.latest.filter(|latest| *latest <= now);
        let urgent =
            self.waiting.iter().filter_map(|(one, request)| Some((latest(request)?, *one)));
        urgent.min().map(|(_, ticket)| ticket)
    }

    /// Whose turn it is.
    fn next(&self, short_only: bool, now: Instant) -> Option<u64> {
        let fits = |request: &Request| !short_only || request.cost <= SHORT_THOUGHT;
        let waiting = self.waiting.iter().filter(|(_, request)| fits(request));
        let first = waiting.min_by(|(one, a), (other, b)| {
            self.by_use(a, b, now).then(a.cost.cmp(&b.cost)).then(one.cmp(other))
        });
        first.map(|(ticket, _)| *ticket)
    }

    /// Who has used the engine less.
    fn by_use(&self, a: &Request, b: &Request, now: Instant) -> Ordering {
        let compare = |a: &str, b: &str| self.used(a, now).total_cmp(&self.used(b, now));
        // Whoever has used as much is in the same network, or has used nothing there either.
        let networks = a.networks().zip(b.networks()).map(|(a, b)| compare(a, b));
        networks.fold(Ordering::Equal, Ordering::then).then_with(|| compare(&a.person, &b.person))
    }

    fn used(&self, who: &str, now: Instant) -> f64 {
        self.used.get(who).map_or(0.0, |used| used.at(now))
    }

    fn charge(&mut self, who: &str, time: Duration, now: Instant) {
        let seconds = self.used(who, now) + time.as_secs_f64();
        self.used.insert(who.to_owned(), Use { seconds, at: now });
    }
}

impl Permit {
    /// Whether there is no time to think.
    pub(crate) fn is_hurried(&self) -> bool {
        self.slot == Slot::Hurried
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let now = Instant::now();
        let time = now.saturating_duration_since(self.began);
        let mut state = self.queue.state();
        match self.slot {
            Slot::Any => state.free += 1,
            Slot::Short => state.free_short += 1,
            Slot::Hurried => state.free_hurried += 1,
        }
        for network in self.request.networks() {
            state.charge(network, time, now);
        }
        if self.request.person != self.request.network {
            state.charge(&self.request.person, time, now);
        }
        state.used.retain(|_, used| used.at(now) > MIN_USE);
        drop(state);
        self.queue.0.1.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(5);
    const SHORT: Duration = Duration::from_millis(10);

    fn request(network: &str, person: &str, cost: Duration) -> Request {
        let (network, person) = (network.to_owned(), person.to_owned());
        Request { network, person, cost, latest: None }
    }

    fn acquire(queue: &SearchQueue, request: Request) -> Permit {
        queue.acquire(request, || false).expect("nobody leaves")
    }

    /// Starts searches that wait, and returns in which order they begin once the slot is free.
    fn order(queue: &SearchQueue, held: Permit, requests: &[Request]) -> Vec<String> {
        let (begins, begun) = channel();
        thread::scope(|scope| {
            for request in requests {
                let (begins, queue) = (begins.clone(), queue.clone());
                scope.spawn(move || {
                    let name = request.person.clone();
                    let _permit = acquire(&queue, request.clone());
                    begins.send(name).expect("somebody who listens");
                });
            }
            while queue.state().waiting.len() < requests.len() {
                thread::yield_now();
            }
            drop(held);
        });
        begun.try_iter().collect()
    }

    #[test]
    fn no_more_search_than_there_are_slots() {
        let queue = SearchQueue::new(2);
        let (inside, max) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _permit = acquire(&queue, request("n", "p", LONG));
                    let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
                    max.fetch_max(now, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(5));
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!(max.load(Ordering::SeqCst) <= 2);
    }

    #[test]
    fn a_short_thought_does_not_wait_for_long_ones() {
        let queue = SearchQueue::new(1);
        let thinking = acquire(&queue, request("greedy", "greedy", LONG));
        thread::scope(|scope| {
            let waits =
                scope.spawn(|| acquire(&queue, request("greedy", "another", LONG)).is_hurried());
            while queue.state().waiting.is_empty() {
                thread::yield_now();
            }
            let permit = acquire(&queue, request("n", "p", SHORT));
            assert_eq!(permit.slot, Slot::Short);
            assert!(!waits.is_finished());
            drop(permit);
            drop(thinking);
        });
    }

    #[test]
    fn least_usage_goes_first_by_network_and_by_person() {
        let queue = SearchQueue::new(1);
        let now = Instant::now();
        for (who, seconds) in [("attic", 50), ("a", 40), ("b", 10), ("club", 20), ("c", 20)] {
            queue.state().charge(who, Duration::from_secs(seconds), now);
        }
        let held = acquire(&queue, request("x", "x", LONG));
        let waiting = [
            request("attic", "a", LONG),
            request("attic", "b", LONG),
            request("club", "c", LONG),
            request("new", "d", LONG),
        ];
        assert_eq!(order(&queue, held, &waiting), ["d", "c", "b", "a"]);
    }

    #[test]
    fn a_customer_with_many_networks_has_the_share_of_one_address() {
        let queue = SearchQueue::new(1);
        let searched = |network: &str, person: &str, seconds: u64| {
            let mut permit = acquire(&queue, request(network, person, LONG));
            permit.began = Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        };
        for number in 0..8 {
            searched(&format!("48.{number}.64"), &format!("guest {number}"), 10);
        }
        searched("club", "member", 20);
        searched("club", "another member", 20);
        let held = acquire(&queue, request("x", "x", LONG));
        let waiting = [
            request("48.0.64", "guest 0", LONG),
            request("48.0.65", "guest 9", LONG),
            request("48.9.64", "guest 10", LONG),
            request("club", "member", LONG),
            request("49.9.64", "neighbour", LONG),
        ];
        let order = order(&queue, held, &waiting);
        assert_eq!(order, ["neighbour", "member", "guest 10", "guest 9", "guest 0"]);
    }

    #[test]
    fn of_equals_the_shortest_thought_goes_first() {
        let queue = SearchQueue::new(1);
        let held = acquire(&queue, request("x", "x", LONG));
        let waiting = [
            request("m", "long", LONG),
            request("n", "middle", LONG / 2),
            request("o", "quick", SHORT_THOUGHT * 2),
        ];
        assert_eq!(order(&queue, held, &waiting), ["quick", "middle", "long"]);
    }

    #[test]
    fn searches_that_cannot_wait_do_not() {
        let queue = SearchQueue::new(1);
        let held = acquire(&queue, request("x", "x", LONG));
        let latest = Some(Instant::now());
        let permit = acquire(&queue, Request { latest, ..request("n", "p", LONG) });
        assert!(permit.is_hurried());
        drop(held);
        drop(permit);
        let state = queue.state();
        assert_eq!((state.free, state.free_short), (1, 1));
    }

    #[test]
    fn only_a_few_hurry_at_the_same_time() {
        let queue = SearchQueue::new(1);
        let held = acquire(&queue, request("x", "x", LONG));
        let (inside, max) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..5 * MAX_HURRIED {
                scope.spawn(|| {
                    let latest = Some(Instant::now());
                    let permit = acquire(&queue, Request { latest, ..request("n", "p", LONG) });
                    assert!(permit.is_hurried());
                    let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
                    max.fetch_max(now, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(20));
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!(max.load(Ordering::SeqCst) <= MAX_HURRIED);
        assert_eq!(queue.state().free_hurried, MAX_HURRIED);
        drop(held);
    }

    #[test]
    fn the_most_urgent_hurries_first() {
        let queue = SearchQueue::new(1);
        let now = Instant::now();
        let latest = |seconds| Some(now + Duration::from_secs(seconds));
        let mut state = queue.state();
        for (ticket, latest) in [(0, None), (1, latest(9)), (2, latest(2)), (3, latest(1))] {
            state.waiting.push((ticket, Request { latest, ..request("n", "p", LONG) }));
        }
        assert_eq!(state.most_urgent(now), None);
        assert_eq!(state.most_urgent(now + Duration::from_secs(5)), Some(3));
    }

    #[test]
    fn a_search_that_is_not_waited_for_any_longer_is_in_nobodys_way() {
        let queue = SearchQueue::new(1);
        let held = acquire(&queue, request("x", "x", LONG));
        thread::scope(|scope| {
            let (asks, asked) = channel();
            let mut answers = [false, true].into_iter();
            let leaves = move || {
                asks.send(()).expect("somebody who listens");
                answers.next().expect("no more questions")
            };
            let waits = scope.spawn(|| queue.acquire(request("n", "p", LONG), leaves));
            asked.recv().expect("a question");
            queue.reconsider();
            assert!(waits.join().expect("an answer").is_none());
        });
        assert!(queue.state().waiting.is_empty());
        drop(held);
        drop(acquire(&queue, request("n", "p", LONG)));
    }

    #[test]
    fn searches_in_the_background_make_room_at_once() {
        let queue = SearchQueue::new(1);
        let background = queue.try_background().expect("a free slot");
        assert!(queue.try_background().is_none(), "one at a time");
        thread::scope(|scope| {
            let waits = scope.spawn(|| drop(acquire(&queue, request("n", "p", LONG))));
            while !background.stop().is_stopped() {
                thread::yield_now();
            }
            assert!(!waits.is_finished() && queue.try_background().is_none());
            drop(background);
            waits.join().expect("it got the slot");
        });
        let busy = acquire(&queue, request("n", "p", LONG));
        assert!(queue.try_background().is_none(), "there is no slot");
        drop(busy);
        assert!(queue.try_background().is_some());
    }

    #[test]
    fn a_free_slot_disturbs_nobody() {
        let queue = SearchQueue::new(2);
        let background = queue.try_background().expect("a free slot");
        let _permit = acquire(&queue, request("n", "p", LONG));
        assert!(!background.stop().is_stopped());
    }

    #[test]
    fn usage_is_forgotten_over_time() {
        let used = Use { seconds: 8.0, at: Instant::now() };
        assert_eq!(used.at(used.at), 8.0);
        assert_eq!(used.at(used.at + HALF_LIFE), 4.0);
        assert_eq!(used.at(used.at + 3 * HALF_LIFE), 1.0);
    }
}
