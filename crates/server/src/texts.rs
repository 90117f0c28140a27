//! Texts that people write to others: plain text in one line, of characters that can be seen.

use precis_profiles::precis_core::{DerivedPropertyValue, FreeformClass, StringClass};
use stoa_wire::ErrorCode;
use unicode_normalization::UnicodeNormalization;

use crate::api::Error;
use crate::names::{BRAILLE_BLANK, has_heap_of_marks, is_blank};

/// The longest text that is said in a game, in characters.
pub(crate) const MAX_TALK_LENGTH: usize = 200;
/// The longest note on a game, in characters.
pub(crate) const MAX_NOTE_LENGTH: usize = 2000;
/// The longest reason of a report, in characters.
pub(crate) const MAX_REASON_LENGTH: usize = 300;

/// A text in one line: spaces and line breaks become single spaces, what cannot be seen is removed (all
/// that PRECIS, RFC 8264, does not count as free text), and the rest is normalised (NFC).
fn clean(text: &str) -> String {
    let class = FreeformClass::default();
    let is_seen = |c: char| {
        use DerivedPropertyValue::{ContextO, PValid, SpecClassPval};
        c != BRAILLE_BLANK
            && matches!(class.get_value_from_char(c), PValid | SpecClassPval | ContextO)
    };
    let words = text.split_whitespace();
    let words = words.map(|word| word.chars().filter(|c| is_seen(*c)).nfc().collect::<String>());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A text, cleaned, that is not empty, or why it cannot be sent.
pub(crate) fn proper_text(text: &str, max: usize) -> Result<String, Error> {
    let text = optional_text(text, max)?;
    if text.chars().all(is_blank) {
        return Err(Error::new(ErrorCode::BadText, "a text has at least one letter"));
    }
    Ok(text)
}

/// The same for a text that may be empty.
pub(crate) fn optional_text(text: &str, max: usize) -> Result<String, Error> {
    let bad = |message: String| Err(Error::new(ErrorCode::BadText, message));
    // Checked before anything is normalised, which could take long.
    if text.chars().count() > max {
        return bad(format!("the text has at most {max} characters"));
    }
    let text = clean(text);
    if text.chars().count() > max {
        return bad(format!("the text has at most {max} characters"));
    }
    if has_heap_of_marks(&text) {
        return bad("a letter has at most two marks".to_owned());
    }
    Ok(text)
}

/// A note of several lines, cleaned; it may be empty.
pub(crate) fn proper_note(text: &str, max: usize) -> Result<String, Error> {
    if text.chars().count() > max {
        let message = format!("the note has at most {max} characters");
        return Err(Error::new(ErrorCode::BadText, message));
    }
    let lines = text.lines().map(|line| optional_text(line, max));
    let lines = lines.collect::<Result<Vec<_>, _>>()?;
    Ok(lines.join("\n").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_removed() {
        let all: String = (0..=0x10_ffff_u32).filter_map(char::from_u32).collect();
        for c in all.chars() {
            let text = format!("a{c}b");
            let Ok(cleaned) = proper_text(&text, MAX_TALK_LENGTH) else { continue };
            let is_hidden = |c: char| {
                c.is_control()
                    || matches!(u32::from(c), 0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x3164 | 0xffa0
                        | 0x180b..=0x180f | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f
                        | 0x2800 | 0xfe00..=0xfe0f | 0xfeff | 0xfff0..=0xfffb | 0xe0000..=0xe0fff)
            };
            assert!(!cleaned.chars().any(is_hidden), "{:x}: {cleaned:?}", u32::from(c));
            // A mark becomes part of the letter before it.
            assert!(cleaned.nfd().next() == Some('a') && cleaned.ends_with('b'), "{cleaned:?}");
            assert_eq!(proper_text(&cleaned, MAX_TALK_LENGTH).ok(), Some(cleaned), "stays so");
        }
    }

    #[test]
    fn texts_of_all_languages_are_kept() {
        for text in [
            "Good game, thanks!",
            "¿Otra? ¡Sí!",
            "Καλή παρτίδα",
            "いい勝負でした。",
            "مباراة جيدة",
            "<b>&amp;</b>",
            "👍 1–0",
        ] {
            assert_eq!(proper_text(text, MAX_TALK_LENGTH).expect(text), text);
        }
        assert_eq!(proper_text("  two\r\n\tlines\u{a0}", 50).expect("a text"), "two lines");
        assert_eq!(proper_text("a\u{202e}b\u{200b}c\u{7}", 50).expect("a text"), "abc");
    }

    #[test]
    fn notes_have_lines() {
        let note = proper_note("first \u{202e}\r\n\nthird\n\n", 50).expect("a note");
        assert_eq!(note, "first\n\nthird");
        assert!(proper_note(&"x\n".repeat(30), 50).is_err());
    }

    #[test]
    fn empty_long_and_heaped_texts_are_refused() {
        for text in ["", " ", "\n", "\u{200b}", "\u{2800}", "\u{301}"] {
            assert!(proper_text(text, 50).is_err(), "{text:?}");
        }
        assert!(proper_text(&"x".repeat(51), 50).is_err());
        assert!(proper_text(&"x".repeat(50), 50).is_ok());
        assert!(proper_text("e\u{301}\u{302}\u{303}", 50).is_err());
        assert_eq!(optional_text(" ", 50).expect("may be empty"), "");
    }
}
