//! How often something may be asked for. Each node counts for itself.

use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::Client;
use crate::api::Error;

/// A client may make so many requests at once as it may make on average in this many seconds.
const BURST_SECONDS: u32 = 5;

/// The limits of a node.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Missing where the settings want no limits.
    usual: Option<Usual>,
    /// Guessing a password is limited in any case.
    passwords: Passwords,
}

#[derive(Debug)]
struct Usual {
    by_client: Limit<Client>,
    by_player: Limit<String>,
    new_players: Limit<Client>,
    challenges: Limit<String>,
    exports: Limit<String>,
}

/// Limits on guessing. Who knows a name must not be able to lock its owner out, so the strict limit is for
/// a name from one address; the one for a name from everywhere stops those who have many addresses.
#[derive(Debug)]
struct Passwords {
    of_login_from_client: Limit<(String, Client)>,
    of_login: Limit<String>,
    from_client: Limit<Client>,
}

impl Limits {
    /// Limits for so many requests a second.
    pub(crate) fn new(rate: Option<u32>) -> Limits {
        let usual = rate.and_then(NonZeroU32::new).map(|rate| Usual {
            by_client: Limit::a_second(rate, rate.saturating_mul(five())),
            by_player: Limit::a_second(rate, rate.saturating_mul(five())),
            new_players: Limit::every(
                Duration::from_secs(200) / rate.get(),
                rate.get().saturating_mul(2),
            ),
            challenges: Limit::every(Duration::from_secs(3), 20),
            exports: Limit::every(Duration::from_secs(60), 3),
        });
        let passwords = Passwords {
            of_login_from_client: Limit::every(Duration::from_secs(60), 10),
            of_login: Limit::every(Duration::from_secs(20), 100),
            from_client: Limit::every(Duration::from_secs(10), 50),
        };
        Limits { usual, passwords }
    }

    /// A request from somewhere.
    pub(crate) fn request(&self, client: &Client) -> Result<(), Error> {
        self.usual.as_ref().map_or(Ok(()), |usual| usual.by_client.spend(client))
    }

    /// A request by a player, from wherever.
    pub(crate) fn player(&self, player: &str) -> Result<(), Error> {
        self.usual.as_ref().map_or(Ok(()), |usual| usual.by_player.spend(&player.to_owned()))
    }

    /// Becoming a player.
    pub(crate) fn new_player(&self, client: &Client) -> Result<(), Error> {
        self.usual.as_ref().map_or(Ok(()), |usual| usual.new_players.spend(client))
    }

    /// Making a challenge.
    pub(crate) fn challenge(&self, player: &str) -> Result<(), Error> {
        self.usual.as_ref().map_or(Ok(()), |usual| usual.challenges.spend(&player.to_owned()))
    }

    /// Asking for all games at once.
    pub(crate) fn export(&self, player: &str) -> Result<(), Error> {
        self.usual.as_ref().map_or(Ok(()), |usual| usual.exports.spend(&player.to_owned()))
    }

    /// Saying a password.
    pub(crate) fn password(&self, login: &str, client: &Client) -> Result<(), Error> {
        let login = login.to_owned();
        self.passwords.of_login_from_client.spend(&(login.clone(), *client))?;
        self.passwords.from_client.spend(client)?;
        self.passwords.of_login.spend(&login)
    }

    /// Forgets those who have not asked for a while. To be called now and then.
    pub(crate) fn sweep(&self) {
        if let Some(usual) = &self.usual {
            usual.by_client.sweep();
            usual.by_player.sweep();
            usual.new_players.sweep();
            usual.challenges.sweep();
            usual.exports.sweep();
        }
        self.passwords.of_login_from_client.sweep();
        self.passwords.of_login.sweep();
        self.passwords.from_client.sweep();
    }
}

fn five() -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(BURST_SECONDS - 1)
}

/// So many at once and so many a second, for each key.
struct Limit<K: Hash + Eq + Clone>(DefaultKeyedRateLimiter<K>);

impl<K: Hash + Eq + Clone> Limit<K> {
    fn a_second(rate: NonZeroU32, burst: NonZeroU32) -> Limit<K> {
        Limit(RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst)))
    }

    /// One in each period, and so many at once.
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
    fn who_asks_too_often_is_told_when_to_come_back() {
        let limits = Limits::new(Some(2));
        let passed = (0..50).filter(|_| limits.request(&client(1)).is_ok()).count();
        assert!((10..13).contains(&passed), "{passed}");
        let error = limits.request(&client(1)).unwrap_err();
        assert_eq!((error.status, error.retry_after), (429, Some(1)));
        assert!(limits.request(&client(2)).is_ok(), "others are not concerned");
        limits.sweep();
        assert!(limits.request(&client(1)).is_err(), "and it is not forgotten");
    }

    #[test]
    fn without_a_rate_only_passwords_are_limited() {
        let limits = Limits::new(None);
        assert!((0..1000).all(|_| limits.request(&client(1)).is_ok()));
        let guessed = (0..100).filter(|_| limits.password("zeno", &client(1)).is_ok()).count();
        assert_eq!(guessed, 10);
        assert!(limits.password("zeno", &client(2)).is_ok(), "the owner is not locked out");
        let wait = limits.password("zeno", &client(1)).unwrap_err().retry_after;
        assert!(wait.is_some_and(|seconds| seconds > 30), "{wait:?}");
    }

    #[test]
    fn any_rate_can_be_set() {
        for rate in [1, 2, 1000, u32::MAX] {
            assert!(Limits::new(Some(rate)).request(&client(1)).is_ok(), "{rate}");
            assert!(Limits::new(Some(rate)).new_player(&client(1)).is_ok(), "{rate}");
        }
        assert!(Limits::new(Some(0)).usual.is_none());
    }
}
