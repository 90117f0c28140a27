//! What a closed browser is told, in the language of its page: the page is not there to find the words.

use serde::Serialize;
use stoa_rules::Game;
use utoipa::ToSchema;

/// Why a player is told something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Occasion {
    /// It is their move in this game.
    Turn { game: String, rules: String, opponent: String },
    /// Somebody challenges them.
    Challenged { challenge: String, rules: String, from: String },
}

/// What a browser gets from a push service, as JSON.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Notice {
    #[schema(example = "Your move")]
    pub(super) title: String,
    #[schema(example = "Impasse against Zeno")]
    pub(super) body: String,
    /// Where in the page it leads.
    #[schema(example = "#/game/q7tw3mz5kd")]
    pub(super) address: String,
}

impl Occasion {
    /// In words of a language, given by its tag; in English if we do not speak it.
    pub(super) fn in_words(&self, language: &str) -> Notice {
        let spanish = language.split('-').next().is_some_and(|tag| tag.eq_ignore_ascii_case("es"));
        match self {
            Occasion::Turn { game, rules, opponent } => Notice {
                title: if spanish { "Te toca" } else { "Your move" }.to_owned(),
                body: match (opponent.as_str(), spanish) {
                    ("", _) => name(rules),
                    (opponent, false) => format!("{} against {opponent}", name(rules)),
                    (opponent, true) => format!("{} contra {opponent}", name(rules)),
                },
                address: format!("#/game/{game}"),
            },
            Occasion::Challenged { challenge, rules, from } => Notice {
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

/// What people call a game.
fn name(rules: &str) -> String {
    rules.parse().map_or_else(|_| rules.to_owned(), |game: Game| game.info().name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_is_told_in_their_language() {
        let turn = Occasion::Turn {
            game: "abc".to_owned(),
            rules: "palisade:9".to_owned(),
            opponent: "Zeno".to_owned(),
        };
        let english = turn.in_words("en");
        assert_eq!(english.body, "Palisade against Zeno");
        assert_eq!(english.address, "#/game/abc");
        assert_eq!(turn.in_words("es-MX").body, "Palisade contra Zeno");
        assert_eq!(turn.in_words("eo"), english);
        assert_eq!(turn.in_words(""), english);
        let challenged = Occasion::Challenged {
            challenge: "abc".to_owned(),
            rules: "impasse".to_owned(),
            from: "Zeno".to_owned(),
        };
        assert_eq!(challenged.in_words("en").body, "Zeno would like to play Impasse with you");
        assert_eq!(challenged.in_words("en").address, "#/challenge/abc");
    }
}
