//! Rate limits. Each node counts for itself.

use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::Client;
use super::client::WIDER_NETWORKS;
use crate::api::Error;

/// A client may make as many requests at once as it may make on average in this many seconds.
pub(crate) const BURST_SECONDS: NonZeroU32 = NonZeroU32::new(5).expect("not zero");

/// From how many addresses it is remembered that passwords were right.
const MAX_KNOWN_CLIENTS: usize = 50_000;

/// The rate limits of a node.
#[derive(Debug)]
pub(crate) struct Limits {
    /// `None` if the settings disable rate limits. Replaced when the rate is changed.
    requests: RwLock<Option<Arc<RequestLimits>>>,
    /// Checking passwords is limited in any case.
    passwords: PasswordLimits,
    /// So is mail to addresses that anyone can enter.
    mails: MailLimits,
}

#[derive(Debug)]
struct RequestLimits {
    /// Requests a second, on which the other limits depend.
    rate: NonZeroU32,
    by_client: Limit<Client>,
    /// Apart from requests to the API: a page that makes too many of these can still be loaded again.
    pages: Limit<Client>,
    by_player: Limit<String>,
    new_players: NetworkLimit,
    names: Limit<String>,
    names_from: NetworkLimit,
    challenges: Limit<String>,
    challenges_from: NetworkLimit,
    exports: Limit<String>,
    puzzles: Limit<String>,
    downloads: NetworkLimit,
    talk: Limit<String>,
    talk_from: NetworkLimit,
    reports: Limit<String>,
    reports_from: NetworkLimit,
}

/// Limits on guessing passwords. Nobody who knows a name may lock its owner out, so the strict limit is
/// for one name from one address; the limit for one name from all addresses stops attackers who have many.
#[derive(Debug)]
struct PasswordLimits {
    of_login_from_client: Limit<(String, Client)>,
    of_login: Limit<String>,
    /// From where passwords were right.
    known_clients: Mutex<HashSet<(String, Client)>>,
    from_client: NetworkLimit,
}

/// Limits on mail that clients cause: for one player, to one address, from one client.
#[derive(Debug)]
struct MailLimits {
    by_player: Limit<String>,
    to_address: Limit<String>,
    from_client: NetworkLimit,
}

impl RequestLimits {
    fn new(rate: NonZeroU32) -> RequestLimits {
        RequestLimits {
            rate,
            by_client: Limit::per_second(rate, rate.saturating_mul(BURST_SECONDS)),
            pages: Limit::per_second(rate, rate.saturating_mul(BURST_SECONDS)),
            by_player: Limit::per_second(rate, rate.saturating_mul(BURST_SECONDS)),
            new_players: NetworkLimit::every(
                Duration::from_secs(200) / rate.get(),
                rate.get().saturating_mul(2),
            ),
            names: Limit::every(Duration::from_secs(6), 10),
            names_from: NetworkLimit::every(Duration::from_secs(1), 60),
            challenges: Limit::every(Duration::from_secs(3), 20),
            // A club shares an address.
            challenges_from: NetworkLimit::every(Duration::from_secs(1), 60),
            exports: Limit::every(Duration::from_secs(60), 3),
            puzzles: Limit::every(Duration::from_secs(5), 20),
            downloads: NetworkLimit::every(Duration::from_secs(30), 5),
            talk: Limit::every(Duration::from_secs(3), 6),
            talk_from: NetworkLimit::every(Duration::from_millis(500), 60),
            reports: Limit::every(Duration::from_secs(60), 5),
            reports_from: NetworkLimit::every(Duration::from_secs(20), 20),
        }
    }
}

impl Limits {
    /// Limits for a number of requests a second.
    pub(crate) fn new(rate: Option<u32>) -> Limits {
        let requests =
            rate.and_then(NonZeroU32::new).map(|rate| Arc::new(RequestLimits::new(rate)));
        let passwords = PasswordLimits {
            of_login_from_client: Limit::every(Duration::from_secs(60), 10),
            of_login: Limit::every(Duration::from_secs(20), 100),
            known_clients: Mutex::default(),
            from_client: NetworkLimit::every(Duration::from_secs(10), 50),
        };
        let mails = MailLimits {
            by_player: Limit::every(Duration::from_secs(600), 5),
            to_address: Limit::every(Duration::from_secs(600), 3),
            from_client: NetworkLimit::every(Duration::from_secs(60), 20),
        };
        Limits { requests: RwLock::new(requests), passwords, mails }
    }

    fn requests(&self) -> Option<Arc<RequestLimits>> {
        self.requests.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the rate. If it differs, requests counted so far are forgotten.
    pub(crate) fn set_rate(&self, rate: u32) {
        let Some(rate) = NonZeroU32::new(rate) else { return };
        if self.requests().is_some_and(|limits| limits.rate == rate) {
            return;
        }
        let new = Some(Arc::new(RequestLimits::new(rate)));
        *self.requests.write().unwrap_or_else(PoisonError::into_inner) = new;
    }

    /// Counts a request of a client.
    pub(crate) fn request(&self, client: &Client) -> Result<(), Error> {
        self.requests().map_or(Ok(()), |limits| limits.by_client.spend(client))
    }

    /// Counts a page that a client asks for.
    pub(crate) fn page(&self, client: &Client) -> Result<(), Error> {
        self.requests().map_or(Ok(()), |limits| limits.pages.spend(client))
    }

    /// Counts a request of a player, from any address.
    pub(crate) fn player(&self, player: &str) -> Result<(), Error> {
        self.requests().map_or(Ok(()), |limits| limits.by_player.spend(&player.to_owned()))
    }

    /// Counts a new player.
    pub(crate) fn new_player(&self, client: &Client) -> Result<(), Error> {
        self.requests().map_or(Ok(()), |limits| limits.new_players.spend(client))
    }

    /// Counts a name that a player chooses instead of another.
    pub(crate) fn name(&self, player: &str, client: &Client) -> Result<(), Error> {
        let Some(limits) = self.requests() else { return Ok(()) };
        limits.names.spend(&player.to_owned())?;
        limits.names_from.spend(client)
    }

    /// Counts a new challenge, or the rematch that saves one.
    pub(crate) fn challenge(&self, player: &str, client: &Client) -> Result<(), Error> {
        let Some(limits) = self.requests() else { return Ok(()) };
        limits.challenges.spend(&player.to_owned())?;
        limits.challenges_from.spend(client)
    }

    /// Counts an export of all games.
    pub(crate) fn export(&self, player: &str) -> Result<(), Error> {
        self.requests().map_or(Ok(()), |limits| limits.exports.spend(&player.to_owned()))
    }

    /// Counts a report of solved puzzles.
    pub(crate) fn puzzles(&self, player: &str) -> Result<(), Error> {
        self.requests().map_or(Ok(()), |limits| limits.puzzles.spend(&player.to_owned()))
    }

    /// Counts a download of games from the archive.
    pub(crate) fn download(&self, client: &Client) -> Result<(), Error> {
        self.requests().map_or(Ok(()), |limits| limits.downloads.spend(client))
    }

    /// Counts something that is said in a game.
    pub(crate) fn talk(&self, player: &str, client: &Client) -> Result<(), Error> {
        let Some(limits) = self.requests() else { return Ok(()) };
        limits.talk.spend(&player.to_owned())?;
        limits.talk_from.spend(client)
    }

    /// Counts a report.
    pub(crate) fn report(&self, player: &str, client: &Client) -> Result<(), Error> {
        let Some(limits) = self.requests() else { return Ok(()) };
        limits.reports.spend(&player.to_owned())?;
        limits.reports_from.spend(client)
    }

    /// Counts the check of a password.
    pub(crate) fn password(&self, login: &str, client: &Client) -> Result<(), Error> {
        self.own_password(login, client)?;
        let login = login.to_owned();
        // Strangers who guess from many addresses do not lock out the owner, who comes from a known one.
        match self.known_clients().contains(&(login.clone(), *client)) {
            true => Ok(()),
            false => self.passwords.of_login.spend(&login),
        }
    }

    /// The same where the player is signed in already, whom no stranger can lock out.
    pub(crate) fn own_password(&self, login: &str, client: &Client) -> Result<(), Error> {
        self.passwords.of_login_from_client.spend(&(login.to_owned(), *client))?;
        self.passwords.from_client.spend(client)
    }

    /// Remembers that a password was right from there.
    pub(crate) fn password_was_right(&self, login: &str, client: &Client) {
        let mut known = self.known_clients();
        if known.len() >= MAX_KNOWN_CLIENTS {
            known.clear();
        }
        known.insert((login.to_owned(), *client));
    }

    fn known_clients(&self) -> MutexGuard<'_, HashSet<(String, Client)>> {
        self.passwords.known_clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a mail sent to an address on behalf of a player; an empty id stands for no player.
    pub(crate) fn mail(&self, player: &str, address: &str, client: &Client) -> Result<(), Error> {
        if !player.is_empty() {
            self.mails.by_player.spend(&player.to_owned())?;
        }
        self.mails.from_client.spend(client)?;
        self.mails.to_address.spend(&address.to_lowercase())
    }

    /// Drops clients that have not made requests for a while. To be called now and then.
    pub(crate) fn sweep(&self) {
        if let Some(limits) = self.requests() {
            limits.by_client.sweep();
            limits.pages.sweep();
            limits.by_player.sweep();
            limits.new_players.sweep();
            limits.names.sweep();
            limits.names_from.sweep();
            limits.challenges.sweep();
            limits.challenges_from.sweep();
            limits.exports.sweep();
            limits.puzzles.sweep();
            limits.downloads.sweep();
            limits.talk.sweep();
            limits.talk_from.sweep();
            limits.reports.sweep();
            limits.reports_from.sweep();
        }
        self.passwords.of_login_from_client.sweep();
        self.passwords.of_login.sweep();
        self.passwords.from_client.sweep();
        self.mails.by_player.sweep();
        self.mails.to_address.sweep();
        self.mails.from_client.sweep();
    }
}

/// A rate limit with a burst, for each key.
struct Limit<K: Hash + Eq + Clone>(DefaultKeyedRateLimiter<K>);

impl<K: Hash + Eq + Clone> Limit<K> {
    fn per_second(rate: NonZeroU32, burst: NonZeroU32) -> Limit<K> {
        Limit(RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst)))
    }

    /// One in each period, with a burst.
    fn every(period: Duration, burst: u32) -> Limit<K> {
        let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::with_period(period).unwrap_or(Quota::per_second(burst));
        Limit(RateLimiter::keyed(quota.allow_burst(burst)))
    }

    fn spend(&self, key: &K) -> Result<(), Error> {
        self.0.check_key(key).map_err(|not_until| {
            let wait = not_until.wait_time_from(DefaultClock::default().now());
            Error::too_many(wait.as_secs_f64().ceil().max(1.0) as u64)
        })
    }

    fn sweep(&self) {
        self.0.retain_recent();
        self.0.shrink_to_fit();
    }
}

/// A rate limit for each client, and larger ones for the networks of IPv6 that may all be one customer's.
#[derive(Debug)]
struct NetworkLimit {
    client: Limit<Client>,
    wider: [(u32, Limit<Client>); WIDER_NETWORKS.len()],
}

impl NetworkLimit {
    /// One in each period from a client, with a burst.
    fn every(period: Duration, burst: u32) -> NetworkLimit {
        let wider = WIDER_NETWORKS.map(|(prefix, times)| {
            (prefix, Limit::every(period / times, burst.saturating_mul(times)))
        });
        NetworkLimit { client: Limit::every(period, burst), wider }
    }

    fn spend(&self, client: &Client) -> Result<(), Error> {
        self.client.spend(client)?;
        for (prefix, limit) in &self.wider {
            if let Some(network) = client.wider(*prefix) {
                limit.spend(&network)?;
            }
        }
        Ok(())
    }

    fn sweep(&self) {
        self.client.sweep();
        self.wider.iter().for_each(|(_, limit)| limit.sweep());
    }
}

impl<K: Hash + Eq + Clone> fmt::Debug for Limit<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Limit({} keys)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> Client {
        Client::from(std::net::IpAddr::from([192, 0, 2, last]))
    }

    #[test]
    fn a_client_over_the_limit_gets_retry_after() {
        let limits = Limits::new(Some(2));
        let burst = 2 * BURST_SECONDS.get() as usize;
        let passed = (0..5 * burst).filter(|_| limits.request(&client(1)).is_ok()).count();
        assert!((burst..burst + 3).contains(&passed), "{passed}");
        let error = limits.request(&client(1)).unwrap_err();
        assert_eq!((error.status.as_u16(), error.body.retry_after), (429, Some(1)));
        assert!(limits.request(&client(2)).is_ok(), "others are not affected");
        limits.sweep();
        assert!(limits.request(&client(1)).is_err(), "and it is not forgotten");
    }

    #[test]
    fn clients_that_have_left_are_forgotten() {
        let limits = Limits::new(Some(1000));
        for last in 0..200 {
            assert!(limits.request(&client(last)).is_ok() && limits.page(&client(last)).is_ok());
        }
        std::thread::sleep(Duration::from_millis(10));
        limits.sweep();
        let requests = limits.requests().expect("limits");
        assert_eq!((requests.by_client.0.len(), requests.pages.0.len()), (0, 0));
    }

    #[test]
    fn many_guests_from_one_address_share_a_limit_on_challenges() {
        let limits = Limits::new(Some(20));
        let made = |from| {
            let guests = (0..40).flat_map(|guest| (0..20).map(move |_| format!("guest {guest}")));
            guests.filter(|guest| limits.challenge(guest, &client(from)).is_ok()).count()
        };
        let flood = made(1);
        assert!((60..70).contains(&flood), "{flood}");
        assert!(limits.challenge("somebody else", &client(2)).is_ok());
    }

    #[test]
    fn talk_is_limited_by_person_and_by_address() {
        let limits = Limits::new(Some(20));
        let said = (0..50).filter(|_| limits.talk("zeno", &client(1)).is_ok()).count();
        assert!((6..8).contains(&said), "{said}");
        let guests =
            (0..200).filter(|guest| limits.talk(&format!("guest {guest}"), &client(1)).is_ok());
        assert!(guests.count() < 70);
        assert!(limits.talk("xeno", &client(2)).is_ok(), "others are not affected");
        let reported = (0..50).filter(|_| limits.report("zeno", &client(1)).is_ok()).count();
        assert_eq!(reported, 5);
    }

    #[test]
    fn names_are_limited_by_person_and_by_address() {
        let limits = Limits::new(Some(20));
        let chosen = (0..100).filter(|_| limits.name("zeno", &client(1)).is_ok()).count();
        assert!((10..12).contains(&chosen), "{chosen}");
        let guests = (0..200).filter(|n| limits.name(&format!("guest {n}"), &client(1)).is_ok());
        assert!(guests.count() < 60);
        assert!(limits.name("xeno", &client(2)).is_ok(), "others are not affected");
    }

    #[test]
    fn without_a_rate_only_passwords_are_limited() {
        let limits = Limits::new(None);
        assert!((0..1000).all(|_| limits.request(&client(1)).is_ok()));
        let guessed = (0..100).filter(|_| limits.password("zeno", &client(1)).is_ok()).count();
        assert_eq!(guessed, 10);
        assert!(limits.password("zeno", &client(2)).is_ok(), "the owner is not locked out");
        let wait = limits.password("zeno", &client(1)).unwrap_err().body.retry_after;
        assert!(wait.is_some_and(|seconds| seconds > 30), "{wait:?}");
    }

    #[test]
    fn strangers_at_many_addresses_do_not_lock_out_the_owner() {
        let limits = Limits::new(None);
        let (home, hotel) = (client(250), client(251));
        limits.password_was_right("zeno", &home);
        let guessed =
            (0..2000u16).filter(|n| limits.password("zeno", &client((n % 200) as u8)).is_ok());
        assert!((100..105).contains(&guessed.count()));
        assert!(limits.password("zeno", &hotel).is_err(), "guesses from all addresses are limited");
        assert!(limits.password("zeno", &home).is_ok(), "the owner signs in from home");
        assert!(limits.own_password("zeno", &hotel).is_ok(), "a signed-in player is the owner");
        limits.password_was_right("zeno", &client(7));
        assert!(limits.password("xeno", &client(7)).is_ok());
    }

    #[test]
    fn mail_is_limited_by_person_address_and_client_in_any_case() {
        let limits = Limits::new(None);
        let to_one = (0..50).filter(|n| limits.mail("", "Z@elea.example", &client(*n)).is_ok());
        assert_eq!(to_one.count(), 3);
        assert!(limits.mail("", "z@ELEA.example", &client(99)).is_err(), "it is the same address");
        let to = |n: u8| format!("{n}@elea.example");
        let of_one = (0..50).filter(|n| limits.mail("zeno", &to(*n), &client(*n)).is_ok()).count();
        assert_eq!(of_one, 5);
        let from_one = (100..200).filter(|n| limits.mail("", &to(*n), &client(1)).is_ok()).count();
        assert!((15..21).contains(&from_one), "{from_one}");
    }

    #[test]
    fn the_rate_can_be_changed() {
        let limits = Limits::new(Some(1));
        let passed = || (0..1000).filter(|_| limits.request(&client(1)).is_ok()).count();
        assert!(passed() < 20);
        limits.set_rate(1);
        assert!(limits.request(&client(1)).is_err(), "the same rate changes nothing");
        limits.set_rate(20);
        assert!((100..150).contains(&passed()));
    }

    #[test]
    fn a_customer_of_ipv6_has_no_limit_for_each_of_many_networks() {
        let limits = Limits::new(Some(20));
        let network = |upper: u16, lower: u16| {
            Client::from(std::net::IpAddr::from([0x2001, 0xdb8, upper, lower, 0, 0, 0, 1]))
        };
        let within = |made: usize, burst: usize| (burst..burst + 5).contains(&made);
        let household = (0..500).filter(|n| limits.new_player(&network(1, n % 256)).is_ok());
        assert!(within(household.count(), 80), "a /56");
        let all = || (0..500).map(|n| network(2, n * 128));
        assert!(within(all().filter(|one| limits.new_player(one).is_ok()).count(), 160), "a /48");
        let guesses =
            all().zip(0..).filter(|(one, n)| limits.password(&n.to_string(), one).is_ok());
        assert!(within(guesses.count(), 200));
        let challenges =
            all().zip(0..).filter(|(one, n)| limits.challenge(&n.to_string(), one).is_ok());
        assert!(within(challenges.count(), 240));
        let names = all().zip(0..).filter(|(one, n)| limits.name(&n.to_string(), one).is_ok());
        assert!(within(names.count(), 240));
        let downloads = all().filter(|one| limits.download(one).is_ok());
        assert!(within(downloads.count(), 20));
        let said = all().zip(0..).filter(|(one, n)| limits.talk(&n.to_string(), one).is_ok());
        assert!(within(said.count(), 240));
        let reports = all().zip(0..).filter(|(one, n)| limits.report(&n.to_string(), one).is_ok());
        assert!(within(reports.count(), 80));
        let mails = all().zip(0..).filter(|(one, n)| limits.mail("", &n.to_string(), one).is_ok());
        assert!(within(mails.count(), 80));
        assert!(limits.new_player(&network(3, 0)).is_ok(), "others are not affected");
        let many = (0..250).filter(|last| limits.new_player(&client(*last)).is_ok());
        assert_eq!(many.count(), 250, "addresses of IPv4 are customers of their own");
    }

    #[test]
    fn any_rate_can_be_set() {
        for rate in [1, 2, 1000, u32::MAX] {
            assert!(Limits::new(Some(rate)).request(&client(1)).is_ok(), "{rate}");
            assert!(Limits::new(Some(rate)).new_player(&client(1)).is_ok(), "{rate}");
        }
        assert!(Limits::new(Some(0)).requests().is_none());
    }
}
