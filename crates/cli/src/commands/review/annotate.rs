//! A review as signs and comments of a record.

use stoa_rules::{Record, Side};

use super::Reviewing;
use super::text::{better, chances};

/// The record with what the review says about its mistakes. What was said before stays, and comes
/// first; a sign of the review takes the place of one that was there.
pub(super) fn annotated(game: &Reviewing<'_>) -> Record {
    let mut record = game.record.clone();
    for mv in &game.review.moves {
        let Some(reason) = &mv.reason else { continue };
        let Some(node) = game.record.main_line().nth(mv.ply) else { continue };
        let glyph = if mv.class.is_error() { mv.class.glyph() } else { node.glyph() };
        let sentences = [Some(reason.clone()), better(game, mv), Some(chances(game, mv))];
        let said: Vec<String> = sentences.into_iter().flatten().collect();
        let said = said.join(" ");
        record.annotate(mv.ply, glyph, &joined(node.comment(), &said));
    }
    let accuracy = Side::BOTH.map(|side| {
        let accuracy = game.review.players[side.index()].accuracy;
        let words = accuracy.map_or("no choice".to_owned(), |percent| format!("{percent:.0} %"));
        format!("{} {words}", game.name(side))
    });
    let said = format!("Reviewed by Stoa. Accuracy: {}.", accuracy.join(", "));
    record.set_comment(&joined(game.record.comment(), &said));
    record
}

/// Two comments as one; what is said already is not said again.
fn joined(before: &str, said: &str) -> String {
    let before = before.trim_end();
    if before.contains(said) {
        return before.to_owned();
    }
    let stop = match before.chars().next_back() {
        None => "",
        Some('.' | '!' | '?' | ';' | ':' | '…') => " ",
        Some(_) => ". ",
    };
    format!("{before}{stop}{said}")
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn comments_are_joined_as_sentences() {
        assert_eq!(joined("", "Loses a tower."), "Loses a tower.");
        assert_eq!(joined("-204, depth 3", "Loses."), "-204, depth 3. Loses.");
        assert_eq!(joined("Why? ", "Loses."), "Why? Loses.");
        assert_eq!(joined("Here: Loses. So.", "Loses."), "Here: Loses. So.");
    }
}
