//! A review as signs and comments of a record.

use stoa_draw::reviewed::ReviewedGame;
use stoa_rules::{Record, Side};

/// What the review says about the game begins with this, and what it says about a move with the
/// second: by these a later review finds what it takes the place of.
const OF_THE_GAME: &str = "Reviewed by Stoa.";
const OF_A_MOVE: &str = "Review:";

/// The record with what the review says about its mistakes. What was said before stays, and comes
/// first, except that of an earlier review; a sign of the review takes the place of one that was
/// there.
pub(super) fn annotated(game: &ReviewedGame<'_>) -> Record {
    let mut record = game.record.clone();
    for mv in &game.review.moves {
        let Some(node) = game.record.main_line().nth(mv.ply) else { continue };
        let before = without_review(node.comment(), OF_A_MOVE);
        let was_reviewed = before.len() < node.comment().len();
        let is_ours = was_reviewed || mv.class.is_error();
        let glyph = if is_ours { mv.class.glyph() } else { node.glyph() };
        let said = mv.reason.as_ref().map(|reason| {
            let better = game.better(mv).map_or(String::new(), |better| format!(" {better}"));
            format!("{OF_A_MOVE} {reason}{better} {}", game.chances(mv))
        });
        record.annotate(mv.ply, glyph, &joined(before, said.as_deref().unwrap_or("")));
    }
    let known = Side::BOTH.into_iter().filter_map(|side| {
        let accuracy = game.review.players[side.index()].accuracy?;
        Some(format!("{} {accuracy:.0}", game.name(side)))
    });
    let accuracies: Vec<String> = known.collect();
    let said = match accuracies.is_empty() {
        true => OF_THE_GAME.to_owned(),
        false => format!("{OF_THE_GAME} Accuracy: {}.", accuracies.join(", ")),
    };
    record.set_comment(&joined(without_review(game.record.comment(), OF_THE_GAME), &said));
    record
}

/// A comment up to where an earlier review begins.
fn without_review<'a>(comment: &'a str, opening: &str) -> &'a str {
    comment.find(opening).map_or(comment, |begin| &comment[..begin])
}

/// Two comments as one.
fn joined(before: &str, said: &str) -> String {
    let before = before.trim_end();
    if said.is_empty() {
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
        assert_eq!(joined("Why? ", ""), "Why?");
    }
}
