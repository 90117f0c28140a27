//! Records in and out.

use serde::Deserialize;
use stoa_rules::record::Node;
use stoa_rules::{Game, Outcome, Reason, Record, Side, result_text};

use crate::Failure;
use crate::failure::Kind;
use crate::rules::{GameRecord, Line};

/// A record with the positions after the moves of its main line.
pub fn read(text: &str) -> Result<GameRecord, Failure> {
    let record = Record::parse(text)?;
    let line = Line::played(record.start().clone(), record.main_line().map(Node::text))?;
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    Ok(GameRecord {
        line,
        tags: record.tags().map(owned).collect(),
        comment: record.comment().to_owned(),
        result: record.result(),
        result_text: result_text(record.game(), record.result()),
        nodes: record.main_line().cloned().collect(),
    })
}

/// What is to become a record.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RecordDraft"))]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The game with its options.
    game: String,
    /// Where it began; the game's start if left out.
    #[cfg_attr(feature = "ts", ts(optional))]
    start: Option<String>,
    /// Header lines, such as the names of the players under the words for their sides.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<(String, String)>>", optional))]
    tags: Vec<(String, String)>,
    /// What is said before the first move.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<String>", optional))]
    comment: String,
    /// The moves.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<DraftNode>>", optional))]
    nodes: Vec<DraftNode>,
    /// An end that people decided: who won, or nobody, and why.
    #[cfg_attr(feature = "ts", ts(optional))]
    end: Option<End>,
}

/// A move of a draft with what belongs to it.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
struct DraftNode {
    #[serde(rename = "move")]
    text: String,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<String>", optional))]
    glyph: String,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<String>", optional))]
    comment: String,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<Vec<DraftNode>>>", optional))]
    variations: Vec<Vec<DraftNode>>,
}

/// An end that people decided.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "DraftEnd"))]
#[serde(deny_unknown_fields)]
struct End {
    /// Who won; nobody in a draw.
    winner: Option<Side>,
    /// Why; only people's decisions are taken.
    #[cfg_attr(feature = "ts", ts(type = "'resigned' | 'time' | 'agreed' | 'abandoned'"))]
    reason: String,
}

impl Draft {
    /// The canonical text.
    pub fn write(self) -> Result<String, Failure> {
        let game: Game = self.game.parse()?;
        let mut text = format!("game: {game}\n");
        if let Some(start) = &self.start {
            text.push_str(&format!("start: {}\n", game.position(start)?));
        }
        text.push('\n');
        push_comment(&mut text, &self.comment);
        push_line(&mut text, &self.nodes);
        // Reading it checks every move, so that no record is written that cannot be read.
        let mut record = Record::parse(&text)?;
        for (key, value) in &self.tags {
            record.set_tag(key, value);
        }
        if let Some(end) = self.end {
            let outcome = end.outcome()?;
            if record.result().is_none() && !record.end(outcome) {
                let message = "this end does not fit a game that is decided by its players";
                return Err(Failure::new(Kind::NoSuchEnd, message));
            }
        }
        Ok(record.to_string())
    }
}

impl End {
    fn outcome(&self) -> Result<Outcome, Failure> {
        let reason = Reason::from_word(&self.reason).ok_or_else(|| {
            Failure::new(Kind::NoSuchEnd, format!("no game ends by {:?}", self.reason))
        })?;
        Ok(Outcome { winner: self.winner, reason })
    }
}

fn push_line(text: &mut String, nodes: &[DraftNode]) {
    for node in nodes {
        text.push_str(&format!(" {}{}", one_word(&node.text), one_word(&node.glyph)));
        push_comment(text, &node.comment);
        for variation in node.variations.iter().filter(|line| !line.is_empty()) {
            text.push_str(" (");
            push_line(text, variation);
            text.push(')');
        }
    }
}

/// A move as the page has it; anything that could be taken for something else is left out, and
/// what remains is refused as a move.
fn one_word(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !"(){}".contains(*c)).collect()
}

fn push_comment(text: &mut String, comment: &str) {
    let kept: String =
        comment.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    if !kept.trim().is_empty() {
        let escaped = kept.trim().replace('\\', "\\\\").replace('}', "\\}");
        text.push_str(&format!(" {{{escaped}}}"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn written(draft: Value) -> Result<String, Failure> {
        serde_json::from_value::<Draft>(draft).unwrap().write()
    }

    #[test]
    fn a_draft_with_comments_and_variations_reads_back() {
        let text = written(json!({
            "game": "colonnade",
            "tags": [["red", "Ada"], ["blue", "Passer-by"]],
            "comment": "A test {of} braces",
            "nodes": [
                { "move": "1b<" },
                { "move": "1g>", "glyph": "?!", "comment": "hm",
                  "variations": [[{ "move": "2f<" }]] },
            ],
            "end": { "winner": "first", "reason": "resigned" },
        }))
        .unwrap();
        assert!(text.contains("red: Ada\n"), "{text}");
        assert!(text.contains("result: red wins (resigned)"), "{text}");
        assert!(text.contains("1g>?! {hm}"), "{text}");
        let read = json!(read(&text).unwrap());
        assert_eq!(read["line"].as_array().map(Vec::len), Some(2));
        assert_eq!(read["nodes"][1]["variations"][0][0]["move"], "2f<");
        assert_eq!(read["comment"], "A test {of} braces");
    }

    #[test]
    fn text_that_is_no_move_cannot_be_smuggled_in() {
        let error = written(json!({ "game": "colonnade", "nodes": [{ "move": "1b< 1g> (" }] }));
        assert_eq!(error.unwrap_err().kind, Kind::Unreadable);
        let error = written(json!({ "game": "colonnade", "nodes": [{ "move": "1a<" }] }));
        assert_eq!(error.unwrap_err().kind, Kind::Illegal);
    }
}
