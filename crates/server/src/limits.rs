//! All limits that people may run into, in one list, for `stoa admin limits`; and those of them that
//! administrators change while servers run.
//!
//! Changed limits are in the database. Every node reads it every two seconds; a value that is out of bounds is
//! ignored.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use crate::api::{
    LOBBY_SIZE, MAX_BODY, MAX_PASSKEYS, MAX_TALK, MAX_TOKENS, MAX_WATCHED_GAMES, MESSAGE_RATE,
};
use crate::app::App;
use crate::guard::BURST_SECONDS;
use crate::http_server::{MAX_CONNECTIONS, MAX_PER_ADDRESS};
use crate::monitoring::debug_folded;
use crate::settings::Settings;
use crate::store::{ChallengeLimits, EngineLimits};
use crate::texts::MAX_TALK_LENGTH;

/// How often changed limits are read.
const READ_INTERVAL: Duration = Duration::from_secs(2);

/// A limit that can be changed while servers run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitName {
    Rate,
    LiveConnections,
    OpenChallenges,
    OpenChallengesFromNetwork,
    EngineGames,
    EngineGamesOfPlayer,
    EngineGamesFromNetwork,
    EngineGamesOfLevel,
    ReviewsWaiting,
    ReviewsOfPlayer,
    ReviewsFromNetwork,
    WaitingFromNetwork,
}

/// What is known of one.
struct Adjustable {
    limit: LimitName,
    /// As administrators write it.
    name: &'static str,
    min: i64,
    max: i64,
    /// Without a change.
    default: fn(&Settings) -> i64,
}

/// How many there are. Not the length of the list: that is evaluated with the closures in it, which optimising
/// builds follow back to [`CurrentLimits`].
const COUNT: usize = 12;

const ADJUSTABLE: [Adjustable; COUNT] = {
    const fn limit(
        limit: LimitName,
        name: &'static str,
        (min, max): (i64, i64),
        default: fn(&Settings) -> i64,
    ) -> Adjustable {
        Adjustable { limit, name, min, max, default }
    }
    [
        limit(LimitName::Rate, "rate", (1, 100_000), |settings| settings.rate.map_or(0, i64::from)),
        limit(LimitName::LiveConnections, "live-connections", (1, 100_000), |_| 200),
        limit(LimitName::OpenChallenges, "open-challenges", (1, 1000), |_| 20),
        limit(LimitName::OpenChallengesFromNetwork, "network-challenges", (1, 10_000), |_| 60),
        limit(LimitName::EngineGames, "engine-games", (0, 100_000), |settings| {
            i64::from(settings.max_engine_games)
        }),
        limit(LimitName::EngineGamesOfPlayer, "player-engine-games", (0, 1000), |_| 8),
        limit(LimitName::EngineGamesFromNetwork, "network-engine-games", (0, 10_000), |_| 16),
        limit(LimitName::EngineGamesOfLevel, "level-engine-games", (0, 100_000), |_| 50),
        limit(LimitName::ReviewsWaiting, "reviews", (0, 100_000), |_| 1000),
        limit(LimitName::ReviewsOfPlayer, "player-reviews", (0, 1000), |_| 5),
        limit(LimitName::ReviewsFromNetwork, "network-reviews", (0, 10_000), |_| 30),
        limit(LimitName::WaitingFromNetwork, "network-waiting", (1, 10_000), |_| 50),
    ]
};

/// They are found by their place.
const _: () = {
    let mut place = 0;
    while place < ADJUSTABLE.len() {
        assert!(ADJUSTABLE[place].limit as usize == place);
        place += 1;
    }
};

/// What a limit is called, and between which values it may be; nothing if none that can be changed is called so.
pub(crate) fn bounds(name: &str) -> Option<(&'static str, i64, i64)> {
    let found = ADJUSTABLE.iter().find(|limit| limit.name == name)?;
    Some((found.name, found.min, found.max))
}

/// The names of all limits that can be changed.
pub(crate) fn adjustable_names() -> Vec<&'static str> {
    ADJUSTABLE.iter().map(|limit| limit.name).collect()
}

/// The limits as they are now.
#[derive(Debug)]
pub(crate) struct CurrentLimits {
    values: [AtomicI64; COUNT],
    defaults: [i64; COUNT],
    /// Whether there is a rate; without one, addresses are not limited.
    has_rate: bool,
}

impl CurrentLimits {
    pub(crate) fn new(settings: &Settings) -> CurrentLimits {
        let defaults = ADJUSTABLE.map(|limit| (limit.default)(settings));
        let has_rate = settings.rate.is_some();
        CurrentLimits { values: defaults.map(AtomicI64::new), defaults, has_rate }
    }

    pub(crate) fn get(&self, limit: LimitName) -> i64 {
        self.values[limit as usize].load(Ordering::Relaxed)
    }

    fn of_network(&self, limit: LimitName) -> Option<i64> {
        (self.has_rate && self.get(LimitName::Rate) > 0).then(|| self.get(limit))
    }

    /// How many games against the engine there may be.
    pub(crate) fn engine_games(&self) -> EngineLimits {
        EngineLimits {
            of_player: self.get(LimitName::EngineGamesOfPlayer),
            from_network: self.of_network(LimitName::EngineGamesFromNetwork),
            of_level: self.get(LimitName::EngineGamesOfLevel),
            all: self.get(LimitName::EngineGames),
        }
    }

    /// How many people of a network may wait to be paired; nothing where addresses are not limited.
    pub(crate) fn waiting_from_network(&self) -> Option<usize> {
        self.of_network(LimitName::WaitingFromNetwork).and_then(|max| usize::try_from(max).ok())
    }

    /// How many challenges there may be.
    pub(crate) fn challenges(&self) -> ChallengeLimits {
        ChallengeLimits {
            of_player: self.get(LimitName::OpenChallenges),
            from_network: self.of_network(LimitName::OpenChallengesFromNetwork),
            engine: self.engine_games(),
        }
    }

    /// Takes over what was changed; everything else is as the settings say.
    fn set(&self, changed: &[(String, i64)]) {
        let all = self.values.iter().zip(self.defaults).zip(&ADJUSTABLE);
        for ((value, default), Adjustable { name, min, max, .. }) in all {
            let changed = changed.iter().find(|(changed, _)| changed == name);
            let changed = changed.map(|(_, value)| *value).filter(|new| (min..=max).contains(&new));
            value.store(changed.unwrap_or(default), Ordering::Relaxed);
        }
    }
}

/// Reads the limits again and again until the task is aborted.
pub(crate) async fn follow(app: &App) {
    loop {
        match app.store.answered(app.store.changed_limits()).await {
            Ok(changed) => {
                app.current_limits.set(&changed);
                // A server that was started without rate limits stays without them.
                if app.settings.rate.is_some() {
                    let rate = u32::try_from(app.current_limits.get(LimitName::Rate));
                    app.limits.set_rate(rate.unwrap_or(u32::MAX));
                }
            }
            Err(error) => debug_folded!(%error, "cannot read the limits"),
        }
        tokio::time::sleep(READ_INTERVAL).await;
    }
}

/// A limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// What is limited.
    pub what: &'static str,
    /// How far.
    pub value: String,
    /// The option of `stoa serve` that changes it, if there is one.
    pub option: Option<&'static str>,
    /// By what name `stoa admin limits` changes it while servers run, if it does.
    pub name: Option<&'static str>,
}

fn fixed(what: &'static str, value: impl ToString) -> Limit {
    Limit { what, value: value.to_string(), option: None, name: None }
}

/// The limits of a server with these settings and what was changed, by name.
pub fn limits(settings: &Settings, changed: &[(String, i64)]) -> Vec<Limit> {
    let current = CurrentLimits::new(settings);
    current.set(changed);
    let rate = settings.rate;
    // Without a rate, what would be limited by address is not.
    let by_address =
        |what, value: String| fixed(what, if rate.is_some() { value } else { "none".to_owned() });
    let adjustable = |what, limit: LimitName| {
        let name = Some(ADJUSTABLE[limit as usize].name);
        Limit { name, ..fixed(what, current.get(limit)) }
    };
    let adjustable_by_address = |what, limit: LimitName| {
        let Limit { value, name, .. } = adjustable(what, limit);
        Limit { name, ..by_address(what, value) }
    };
    let now = u32::try_from(current.get(LimitName::Rate)).unwrap_or(u32::MAX);
    let burst = now.saturating_mul(BURST_SECONDS.get());
    let requests = match rate {
        None => "none".to_owned(),
        Some(_) => format!("{now} a second, {burst} at once"),
    };
    let connections = match settings.behind_proxy {
        true => "none, behind a proxy".to_owned(),
        false => MAX_PER_ADDRESS.to_string(),
    };
    vec![
        Limit {
            what: "requests or pages of an address, requests of a player",
            value: requests,
            option: Some("--rate"),
            name: Some("rate"),
        },
        fixed("connections", MAX_CONNECTIONS),
        by_address("connections of an address", connections),
        adjustable_by_address(
            "sockets and event streams of an address",
            LimitName::LiveConnections,
        ),
        fixed("messages on a socket", format!("{MESSAGE_RATE} a second")),
        fixed("games that a socket watches", MAX_WATCHED_GAMES),
        fixed("size of a request", format!("{MAX_BODY} bytes")),
        adjustable("open challenges of a player", LimitName::OpenChallenges),
        adjustable_by_address(
            "open challenges from a network",
            LimitName::OpenChallengesFromNetwork,
        ),
        fixed("challenges that the lobby shows", LOBBY_SIZE),
        adjustable("games against the engine", LimitName::EngineGames),
        adjustable("games against one level of the engine", LimitName::EngineGamesOfLevel),
        adjustable("games of a player against the engine", LimitName::EngineGamesOfPlayer),
        adjustable_by_address(
            "games from a network against the engine",
            LimitName::EngineGamesFromNetwork,
        ),
        fixed("messages in a game", MAX_TALK),
        fixed("length of a message", format!("{MAX_TALK_LENGTH} characters")),
        fixed("API tokens of a player", MAX_TOKENS),
        fixed("passkeys of a player", MAX_PASSKEYS),
        adjustable("computer reviews waiting", LimitName::ReviewsWaiting),
        adjustable("computer reviews of a player waiting", LimitName::ReviewsOfPlayer),
        adjustable_by_address(
            "computer reviews from a network waiting",
            LimitName::ReviewsFromNetwork,
        ),
        adjustable_by_address(
            "people from a network who wait to be paired",
            LimitName::WaitingFromNetwork,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(settings: &Settings, changed: &[(String, i64)], what: &str) -> String {
        let all = limits(settings, changed);
        all.into_iter().find(|limit| limit.what == what).expect("a limit").value
    }

    const REQUESTS: &str = "requests or pages of an address, requests of a player";

    #[test]
    fn the_rate_is_shown_as_it_is_set() {
        let mut settings = Settings::new("stoa.db", vec![0; 32]);
        settings.rate = Some(7);
        assert_eq!(value(&settings, &[], REQUESTS), "7 a second, 35 at once");
        settings.rate = None;
        assert_eq!(value(&settings, &[], REQUESTS), "none");
        assert_eq!(value(&settings, &[], "sockets and event streams of an address"), "none");
        assert_eq!(value(&settings, &[], "games against the engine"), "200");
    }

    #[test]
    fn changed_limits_count_unless_they_are_out_of_bounds() {
        let settings = Settings::new("stoa.db", vec![0; 32]);
        let changed = |name: &str, value| [(name.to_owned(), value)];
        let challenges = "open challenges of a player";
        assert_eq!(value(&settings, &changed("open-challenges", 7), challenges), "7");
        for bad in [-1, 0, 1001, i64::MIN, i64::MAX] {
            assert_eq!(value(&settings, &changed("open-challenges", bad), challenges), "20");
        }
        assert_eq!(value(&settings, &changed("rate", 3), REQUESTS), "3 a second, 15 at once");
        assert_eq!(value(&settings, &changed("unknown", 3), challenges), "20");
    }

    #[test]
    fn every_limit_that_can_be_changed_is_listed_once_and_by_its_name() {
        let settings = Settings::new("stoa.db", vec![0; 32]);
        let mut listed: Vec<_> =
            limits(&settings, &[]).iter().filter_map(|limit| limit.name).collect();
        let mut names = adjustable_names();
        listed.sort_unstable();
        names.sort_unstable();
        assert_eq!(listed, names);
        for limit in &ADJUSTABLE {
            let default = (limit.default)(&settings);
            assert!((limit.min..=limit.max).contains(&default), "{}", limit.name);
        }
    }
}
