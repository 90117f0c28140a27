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
    /// The password was changed.
    PasswordChanged { name: &'a str, link: String },
    /// The account has another address now.
    AddressReplaced { name: &'a str },
}

/// A name as it is written in mail. Mail programs turn text into links, and strangers choose their names.
fn plain(name: &str) -> String {
    let is_in_link = |c: char| matches!(c, '.' | ':' | '/' | '@');
    let mut rest = name.chars().peekable();
    let mut text = String::with_capacity(name.len());
    while let Some(c) = rest.next() {
        let joins = is_in_link(c) && rest.peek().is_some_and(|next| !next.is_whitespace());
        text.push(if joins { ' ' } else { c });
    }
    text
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
                    opponent => format!("{game} against {}", plain(opponent)),
                };
                (
                    format!("Your move: {against}"),
                    format!("It is your turn in {against}.\n\n{link}"),
                )
            }
            Text::Challenged { rules, from, link } => {
                let from = plain(from);
                let says = format!("{from} would like to play {} with you", game_name(rules));
                ("A challenge".to_owned(), format!("{says}.\n\n{link}"))
            }
            Text::Confirm { name, link } => (
                "Confirm your address".to_owned(),
                format!(
                    "Someone, most likely you, has given this address to the account {}. To confirm \
                     it, open this page within a day:\n\n{link}\n\nIf it was not you, do nothing: you \
                     will get no other mail.",
                    plain(name)
                ),
            ),
            Text::Reset { name, link } => (
                "Choose a new password".to_owned(),
                format!(
                    "Someone, most likely you, has forgotten the password of the account {}. To \
                     choose a new one, open this page within an hour:\n\n{link}\n\nIf it was not you, do \
                     nothing: the password stays as it is.",
                    plain(name)
                ),
            ),
            Text::PasswordChanged { name, link } => (
                "Your password was changed".to_owned(),
                format!(
                    "The password of the account {} was changed, and all other devices were signed out. If \
                     it was not you, choose another password at once:\n\n{link}",
                    plain(name)
                ),
            ),
            Text::AddressReplaced { name } => (
                "Your account has another address".to_owned(),
                format!(
                    "The account {} has another mail address now, and nothing more will be sent to this one. \
                     If it was not you, someone else knows your password: sign in, change it, and give your \
                     address again.",
                    plain(name)
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
                    opponent => format!("{game} contra {}", plain(opponent)),
                };
                (format!("Te toca: {against}"), format!("Te toca jugar en {against}.\n\n{link}"))
            }
            Text::Challenged { rules, from, link } => {
                let from = plain(from);
                let says = format!("{from} te reta a una partida de {}", game_name(rules));
                ("Un reto".to_owned(), format!("{says}.\n\n{link}"))
            }
            Text::Confirm { name, link } => (
                "Confirma tu dirección".to_owned(),
                format!(
                    "Alguien, seguramente tú, ha dado esta dirección a la cuenta {}. Para confirmarla, \
                     abre esta página antes de un día:\n\n{link}\n\nSi no fuiste tú, no hagas nada: no \
                     recibirás más correo.",
                    plain(name)
                ),
            ),
            Text::Reset { name, link } => (
                "Elige una contraseña nueva".to_owned(),
                format!(
                    "Alguien, seguramente tú, ha olvidado la contraseña de la cuenta {}. Para elegir \
                     una nueva, abre esta página antes de una hora:\n\n{link}\n\nSi no fuiste tú, no \
                     hagas nada: la contraseña sigue siendo la misma.",
                    plain(name)
                ),
            ),
            Text::PasswordChanged { name, link } => (
                "Tu contraseña ha cambiado".to_owned(),
                format!(
                    "La contraseña de la cuenta {} ha cambiado, y se ha cerrado la sesión en los demás \
                     dispositivos. Si no fuiste tú, elige otra cuanto antes:\n\n{link}",
                    plain(name)
                ),
            ),
            Text::AddressReplaced { name } => (
                "Tu cuenta tiene otra dirección".to_owned(),
                format!(
                    "La cuenta {} tiene ahora otra dirección de correo, y ya no se enviará nada a esta. Si \
                     no fuiste tú, alguien conoce tu contraseña: inicia sesión, cámbiala y vuelve a dar tu \
                     dirección.",
                    plain(name)
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

    #[test]
    fn names_are_no_links() {
        assert_eq!(plain("https://evil.example/x"), "https   evil example x");
        assert_eq!(plain("zeno@elea.example"), "zeno elea example");
        assert_eq!(plain("Dr. Zeno, Jr."), "Dr. Zeno, Jr.");
    }
}
