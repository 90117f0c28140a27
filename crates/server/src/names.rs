//! Names: which may be chosen, and which look alike.
//!
//! Names are nicknames as RFC 8266 (PRECIS) defines them, without invisible characters. Names look alike if
//! they have the same skeleton (UTS 39).

use precis_profiles::Nickname;
use precis_profiles::precis_core::profile::PrecisFastInvocation;
use stoa_engine::Level;
use stoa_wire::ErrorCode;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use unicode_security::confusable_detection::skeleton as confusable_skeleton;

use crate::api::Error;
use crate::ids;

/// The longest name, in characters.
pub(crate) const MAX_NAME_LENGTH: usize = 30;
/// How many marks may follow one letter; more of them hide the lines above and below.
const MAX_MARKS: usize = 2;

/// Names that would be mistaken for the server's own, alone or with a number.
const RESERVED: [&str; 8] =
    ["stoa", "admin", "administrator", "moderator", "server", "system", "engine", "support"];

/// A new name, normalised, or why it cannot be chosen.
pub(crate) fn new_name(name: &str) -> Result<String, Error> {
    let name = proper_name(name)?;
    // In addresses an id stands for a player, as a name does.
    if ids::is_player_id(&login(&name)) {
        let message = "this name has the form of a player's id; choose another";
        return Err(Error::new(ErrorCode::BadName, message));
    }
    // Those who have such a name already can still sign in with it.
    if name.split([' ', '-', '\u{2010}', '\u{2011}']).any(mixes_alphabets) {
        let message = "each word of a name may use only one alphabet";
        return Err(Error::new(ErrorCode::BadName, message));
    }
    Ok(name)
}

/// Whether a word has letters of several of the alphabets whose letters look alike: what looks like one word is
/// another, even where no letter has the very same shape.
fn mixes_alphabets(word: &str) -> bool {
    let has = |alphabet: Script| word.chars().any(|c| c.script() == alphabet);
    [Script::Latin, Script::Cyrillic, Script::Greek].into_iter().filter(|one| has(*one)).count() > 1
}

/// A normalised name, or why nobody can have it.
pub(crate) fn proper_name(name: &str) -> Result<String, Error> {
    let bad = |message: &str| Err(Error::new(ErrorCode::BadName, message));
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    if name.is_empty() {
        return bad("a name has at least one letter");
    }
    // Checked before anything is normalised, which could take long.
    if name.chars().count() > MAX_NAME_LENGTH {
        return bad(&format!("a name has at most {MAX_NAME_LENGTH} letters"));
    }
    let Ok(name) = Nickname::enforce(name.as_str()) else {
        return bad("a name is made of letters that can be seen");
    };
    if name.chars().count() > MAX_NAME_LENGTH {
        return bad(&format!("a name has at most {MAX_NAME_LENGTH} letters"));
    }
    if name.contains(BRAILLE_BLANK) || name.chars().all(is_blank) {
        return bad("a name is made of letters that can be seen");
    }
    if has_heap_of_marks(&name) {
        return bad("a letter has at most two marks");
    }
    if is_reserved(&name) {
        return bad("this name would be mistaken for the server's own");
    }
    Ok(name.into_owned())
}

/// A pattern of no dots: a symbol that cannot be seen.
pub(crate) const BRAILLE_BLANK: char = '\u{2800}';

/// Whether nothing of a character can be seen, or nothing without a letter before it.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_combining_mark(c) || c == BRAILLE_BLANK
}

/// Whether a letter has so many marks that they hide the lines above and below.
pub(crate) fn has_heap_of_marks(name: &str) -> bool {
    let mut marks = 0;
    name.nfd().any(|c| {
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        marks > MAX_MARKS
    })
}

fn is_reserved(name: &str) -> bool {
    let trimmed = name.trim_matches(|c: char| !c.is_alphabetic());
    let looks = [skeleton(trimmed), skeleton(&login(trimmed))];
    if RESERVED.iter().any(|reserved| looks.contains(&skeleton(reserved))) {
        return true;
    }
    // The levels of the engine; letters may look like their numbers.
    let joined = |name: &str| skeleton(name).replace(|c: char| !c.is_alphanumeric(), "");
    let looks = [joined(name), joined(&login(name))];
    Level::all().any(|level| looks.contains(&joined(&format!("stoa {}", level.number()))))
}

/// A name in the form in which logins are stored and compared: compatible characters become one (NFKC),
/// and upper case becomes lower case. [`proper_name`] has normalised the spaces.
pub(crate) fn login(name: &str) -> String {
    name.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// What a name looks like: two that are confused with each other have the same. Names that differ only in
/// case need not; they have the same login.
pub(crate) fn skeleton(name: &str) -> String {
    let name: String = name.nfkc().collect();
    let skeleton: String = confusable_skeleton(&name).collect();
    // A capital letter may be what a digit looks like, and stands for the small one here.
    let lower: String = skeleton.chars().flat_map(char::to_lowercase).collect();
    confusable_skeleton(&lower).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_only_visible_letters() {
        for invisible in [
            '\u{61c}',
            '\u{3164}',
            '\u{ffa0}',
            '\u{2800}',
            '\u{34f}',
            '\u{ad}',
            '\u{fe0f}',
            '\u{180e}',
            '\u{e0041}',
            '\u{ffff}',
            '\u{200b}',
            '\u{202e}',
            '\u{2066}',
            '\u{feff}',
            '\u{7}',
            '\u{115f}',
            '\u{17b4}',
        ] {
            for name in
                [format!("{invisible}"), format!("Ze{invisible}no"), format!("Z{invisible}")]
            {
                assert!(proper_name(&name).is_err(), "{name:?}");
            }
        }
        assert!(proper_name("\u{301}").is_err(), "a mark without a letter");
        assert!(proper_name("Z\u{301}\u{302}\u{303}eno").is_err(), "a heap of marks");
        for name in ["Zeno", "Ζήνων", "Зенон", "芝諾", "زينون", "Zénon d'Élée", "Ze-no 2", "¡Zeno!"]
        {
            assert_eq!(proper_name(name).expect(name), name);
        }
        assert_eq!(proper_name("  Ann   of\u{a0}Green ").expect("a name"), "Ann of Green");
        assert_eq!(proper_name("Ｚｅｎｏ").expect("a name"), "Zeno");
    }

    #[test]
    fn a_word_has_letters_of_one_alphabet() {
        for name in ["Sтоа 4", "Zеno", "Zενο", "Иvan", "Анна Smiтh", "Анна-Smiтh"]
        {
            assert!(new_name(name).is_err(), "{name}");
        }
        for name in [
            "Анна Smith",
            "Анна-Smith",
            "Иван IV",
            "Ζήνων",
            "DJ Вася",
            "K芝諾",
            "Tシャツ",
            "Zeno-2",
        ] {
            assert_eq!(new_name(name).expect(name), name);
        }
    }

    #[test]
    fn names_of_the_server_are_reserved() {
        for name in
            ["Stoa", "Stoa 5", "STOA-11", "Stоa 5", "St0a 5", "Admin", "ａｄｍｉｎ", "-Server-"]
        {
            assert!(proper_name(name).is_err(), "{name}");
        }
        for name in
            ["Stoa l", "Stoa I", "Stoa lO", "Stoa 1O", "Stoa-l0", "StoaI", "St0a l", "Stоа І"]
        {
            assert!(proper_name(name).is_err(), "{name}");
        }
        for name in ["Stoa II", "Stoal of Elea"] {
            assert!(proper_name(name).is_ok(), "{name}");
        }
        for name in ["Stoic", "Stoa Poikile", "Adminton", "Serverus"] {
            assert!(proper_name(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn one_name_has_one_login() {
        assert_eq!(login("ZENO"), "zeno");
        assert_eq!(login("Ｚｅｎｏ"), "zeno");
        assert_eq!(login("É"), login("E\u{301}"));
        assert_eq!(login("É"), "é");
    }

    #[test]
    fn letters_of_different_alphabets_look_alike() {
        for other in ["zenо", "ZEN0", "Ｚｅｎｏ", "ᴢeno"] {
            assert_eq!(skeleton(other), skeleton("zeno"), "{other}");
        }
        assert_eq!(skeleton("Paul"), skeleton("pauI"));
        assert_ne!(skeleton("Zeno"), skeleton("Zena"));
    }
}
