//! What mail says, in the language of its reader: a subject, and plain text.

use stoa_rules::Game;

/// What a mail is about, with everything that it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Text<'a> {
    /// It is the reader's turn.
    Turn { rules: &'a str, opponent: &'a str, link: String },
    /// The reader is challenged.
    Challenged { rules: &'a str, from: &'a str, link: String },
    /// An address is to be confirmed.
    Confirm { name: &'a str, link: String },
    /// A new password can be chosen.
    Reset { name: &'a str, link: String },
}

/// Whether a language, given by its tag, is Spanish; everything else is English.
fn is_spanish(language: &str) -> bool {
    language.split('-').next().is_some_and(|tag| tag.eq_ignore_ascii_case("es"))
}

impl Text<'_> {
    /// The subject and the text. `unsubscribe` is the page that ends such mail.
    pub(super) fn written(&self, language: &str, unsubscribe: Option<&str>) -> (String, String) {
        let spanish = is_spanish(language);
        let (subject, mut text) = if spanish { self.spanish() } else { self.english() };
        if let Some(page) = unsubscribe {
            let words = match spanish {
                false => "You get this mail because you asked for it. To unsubscribe:",
                true => "Recibes este correo porque lo pediste. Para dejar de recibirlo:",
            };
            text.push_str(&format!("\n\n--\n{words}\n{page}"));
        }
        text.push('\n');
        (subject, text)
    }

    fn english(&self) -> (String, String) {
        match self {
            Text::Turn { rules, opponent, link } => {
                let game = game_name(rules);
                let against = match *opponent {
                    "" => game.clone(),
                    opponent => format!("{game} against {opponent}"),
                };
                (
                    format!("Your move: {against}"),
                    format!("It is your turn in {against}.\n\n{link}"),
                )
            }
            Text::Challenged { rules, from, link } => {
                let says = format!("{from} would like to play {} with you", game_name(rules));
                ("A challenge".to_owned(), format!("{says}.\n\n{link}"))
            }
            Text::Confirm { name, link } => (
                "Confirm your address".to_owned(),
                format!(
                    "Someone, most likely you, has given this address to the account {name}. To confirm \
                     it, open this page within a day:\n\n{link}\n\nIf it was not you, do nothing: you \
                     will get no other mail."
                ),
            ),
            Text::Reset { name, link } => (
                "Choose a new password".to_owned(),
                format!(
                    "Someone, most likely you, has forgotten the password of the account {name}. To \
                     choose a new one, open this page within an hour:\n\n{link}\n\nIf it was not you, do \
                     nothing: the password stays as it is."
                ),
            ),
        }
    }

    fn spanish(&self) -> (String, String) {
        match self {
            Text::Turn { rules, opponent, link } => {
                let game = game_name(rules);
                let against = match *opponent {
                    "" => game.clone(),
                    opponent => format!("{game} contra {opponent}"),
                };
                (format!("Te toca: {against}"), format!("Te toca jugar en {against}.\n\n{link}"))
            }
            Text::Challenged { rules, from, link } => {
                let says = format!("{from} te reta a una partida de {}", game_name(rules));
                ("Un reto".to_owned(), format!("{says}.\n\n{link}"))
            }
            Text::Confirm { name, link } => (
                "Confirma tu dirección".to_owned(),
                format!(
                    "Alguien, seguramente tú, ha dado esta dirección a la cuenta {name}. Para confirmarla, \
                     abre esta página antes de un día:\n\n{link}\n\nSi no fuiste tú, no hagas nada: no \
                     recibirás más correo."
                ),
            ),
            Text::Reset { name, link } => (
                "Elige una contraseña nueva".to_owned(),
                format!(
                    "Alguien, seguramente tú, ha olvidado la contraseña de la cuenta {name}. Para elegir \
                     una nueva, abre esta página antes de una hora:\n\n{link}\n\nSi no fuiste tú, no \
                     hagas nada: la contraseña sigue siendo la misma."
                ),
            ),
        }
    }
}

/// The display name of a game.
fn game_name(rules: &str) -> String {
    rules.parse().map_or_else(|_| rules.to_owned(), |game: Game| game.info().name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_is_in_the_language_of_its_reader() {
        let link = "https://club.example/#/game/abc".to_owned();
        let turn = Text::Turn { rules: "palisade:9", opponent: "Zeno", link };
        let (subject, text) = turn.written("en", Some("https://club.example/end"));
        assert_eq!(subject, "Your move: Palisade against Zeno");
        assert_eq!(
            text,
            "It is your turn in Palisade against Zeno.\n\nhttps://club.example/#/game/abc\n\n--\nYou get \
             this mail because you asked for it. To unsubscribe:\nhttps://club.example/end\n"
        );
        assert_eq!(turn.written("es-MX", None).0, "Te toca: Palisade contra Zeno");
        assert_eq!(turn.written("eo", None), turn.written("en", None));
    }
}
