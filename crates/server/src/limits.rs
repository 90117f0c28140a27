//! All limits that people may run into, in one list, for `stoa admin limits`.

use crate::api::{
    LOBBY_SIZE, MAX_BODY, MAX_ENGINE_GAMES, MAX_ENGINE_GAMES_FROM_NETWORK, MAX_OPEN_CHALLENGES,
    MAX_OPEN_FROM_NETWORK, MAX_PASSKEYS, MAX_TALK, MAX_TOKENS, MAX_WATCHED_GAMES, MESSAGE_RATE,
};
use crate::app::MAX_LIVE_CONNECTIONS;
use crate::guard::BURST_SECONDS;
use crate::http_server::{MAX_CONNECTIONS, MAX_PER_ADDRESS};
use crate::reviews::{MAX_REVIEWS, MAX_REVIEWS_FROM_NETWORK, MAX_WAITING_REVIEWS};
use crate::settings::Settings;
use crate::texts::MAX_TALK_LENGTH;

/// A limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// What is limited.
    pub what: &'static str,
    /// How far.
    pub value: String,
    /// The option of `stoa serve` that changes it, if there is one.
    pub option: Option<&'static str>,
}

fn fixed(what: &'static str, value: impl ToString) -> Limit {
    Limit { what, value: value.to_string(), option: None }
}

/// The limits of a server with these settings.
pub fn limits(settings: &Settings) -> Vec<Limit> {
    let rate = settings.rate;
    // Without a rate, what would be limited by address is not.
    let by_address =
        |what, value: String| fixed(what, if rate.is_some() { value } else { "none".to_owned() });
    let burst = rate.map_or(0, |rate| rate.saturating_mul(BURST_SECONDS.get()));
    let requests =
        rate.map_or("none".to_owned(), |rate| format!("{rate} a second, {burst} at once"));
    let connections = match settings.behind_proxy {
        true => "none, behind a proxy".to_owned(),
        false => MAX_PER_ADDRESS.to_string(),
    };
    vec![
        Limit {
            what: "requests of an address, or of a player",
            value: requests,
            option: Some("--rate"),
        },
        fixed("connections", MAX_CONNECTIONS),
        by_address("connections of an address", connections),
        by_address("sockets and event streams of an address", MAX_LIVE_CONNECTIONS.to_string()),
        fixed("messages on a socket", format!("{MESSAGE_RATE} a second")),
        fixed("games that a socket watches", MAX_WATCHED_GAMES),
        fixed("size of a request", format!("{MAX_BODY} bytes")),
        fixed("open challenges of a player", MAX_OPEN_CHALLENGES),
        by_address("open challenges from a network", MAX_OPEN_FROM_NETWORK.to_string()),
        fixed("challenges that the lobby shows", LOBBY_SIZE),
        fixed("games against the engine", settings.max_engine_games),
        fixed("games of a player against the engine", MAX_ENGINE_GAMES),
        by_address(
            "games from a network against the engine",
            MAX_ENGINE_GAMES_FROM_NETWORK.to_string(),
        ),
        fixed("things said in a game", MAX_TALK),
        fixed("length of what is said", format!("{MAX_TALK_LENGTH} characters")),
        fixed("API tokens of a player", MAX_TOKENS),
        fixed("passkeys of a player", MAX_PASSKEYS),
        fixed("computer reviews waiting", MAX_WAITING_REVIEWS),
        fixed("computer reviews of a player waiting", MAX_REVIEWS),
        by_address("computer reviews from a network waiting", MAX_REVIEWS_FROM_NETWORK.to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_shown_as_it_is_set() {
        let mut settings = Settings::new("stoa.db", vec![0; 32]);
        let value = |settings: &Settings, what: &str| {
            let all = limits(settings);
            all.into_iter().find(|limit| limit.what == what).expect("a limit").value
        };
        let requests = "requests of an address, or of a player";
        settings.rate = Some(7);
        assert_eq!(value(&settings, requests), "7 a second, 35 at once");
        settings.rate = None;
        assert_eq!(value(&settings, requests), "none");
        assert_eq!(value(&settings, "sockets and event streams of an address"), "none");
        assert_eq!(value(&settings, "games against the engine"), "200");
    }
}
