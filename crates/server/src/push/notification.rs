//! The texts of notifications in the language of the browser: the web app is not running to translate
//! them.

use stoa_rules::Game;
use stoa_wire::PushNotification;

/// Why a player gets a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PushReason {
    /// It is their turn in this game.
    Turn { game: String, rules: String, opponent: String },
    /// They are challenged.
    Challenged { challenge: String, rules: String, from: String },
}

impl PushReason {
    /// What it is about: newer notifications about the same replace older ones.
    pub(super) fn topic(&self) -> &str {
        match self {
            PushReason::Turn { game: topic, .. }
            | PushReason::Challenged { challenge: topic, .. } => topic,
        }
    }

    /// The notification in a language, given by its tag; in English if there is no translation.
    pub(super) fn notification(&self, language: &str) -> PushNotification {
        let spanish = language.split('-').next().is_some_and(|tag| tag.eq_ignore_ascii_case("es"));
        match self {
            PushReason::Turn { game, rules, opponent } => PushNotification {
                title: if spanish { "Te toca" } else { "Your move" }.to_owned(),
                body: match (opponent.as_str(), spanish) {
                    ("", _) => name(rules),
                    (opponent, false) => format!("{} against {opponent}", name(rules)),
                    (opponent, true) => format!("{} contra {opponent}", name(rules)),
                },
                address: format!("#/game/{game}"),
            },
            PushReason::Challenged { challenge, rules, from } => PushNotification {
                title: if spanish { "Un reto" } else { "A challenge" }.to_owned(),
                body: match spanish {
                    false => format!("{from} would like to play {} with you", name(rules)),
                    true => format!("{from} te reta a una partida de {}", name(rules)),
                },
                address: format!("#/challenge/{challenge}"),
            },
        }
    }
}

/// The display name of a game.
fn name(rules: &str) -> String {
    rules.parse().map_or_else(|_| rules.to_owned(), |game: Game| game.info().name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notifications_are_in_the_language_of_the_browser() {
        let turn = PushReason::Turn {
            game: "abc".to_owned(),
            rules: "palisade:9".to_owned(),
            opponent: "Zeno".to_owned(),
        };
        let english = turn.notification("en");
        assert_eq!(english.body, "Palisade against Zeno");
        assert_eq!(english.address, "#/game/abc");
        assert_eq!(turn.notification("es-MX").body, "Palisade contra Zeno");
        assert_eq!(turn.notification("eo"), english);
        assert_eq!(turn.notification(""), english);
        let challenged = PushReason::Challenged {
            challenge: "abc".to_owned(),
            rules: "impasse".to_owned(),
            from: "Zeno".to_owned(),
        };
        assert_eq!(challenged.notification("en").body, "Zeno would like to play Impasse with you");
        assert_eq!(challenged.notification("en").address, "#/challenge/abc");
    }
}
