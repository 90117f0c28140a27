//! Records to canonical text.

use std::fmt;

use super::{Node, Record};
use crate::{Game, Outcome, Side};

/// How a result is written: `white wins (no-checkers)`, `draw (stall)`, `unfinished`.
pub fn result_text(game: Game, result: Option<Outcome>) -> String {
    match result {
        None => "unfinished".to_owned(),
        Some(Outcome { winner: None, reason }) => format!("draw ({reason})"),
        Some(Outcome { winner: Some(side), reason }) => {
            format!("{} wins ({reason})", game.side_word(side))
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.game();
        writeln!(f, "game: {game}")?;
        for (key, value) in &self.tags {
            writeln!(f, "{key}: {value}")?;
        }
        if self.start != game.start() {
            writeln!(f, "start: {}", self.start)?;
        }
        writeln!(f, "result: {}", result_text(game, self.result))?;
        let mut body = Body { text: String::new(), fresh: true };
        if !self.comment.is_empty() {
            body.comment(&self.comment);
            body.new_line(0);
        }
        let offset = usize::from(self.start.side_to_move() == Side::Second);
        body.line(&self.line, offset, 0);
        let moves = body.text.trim_end_matches([' ', '\n']);
        if moves.is_empty() { Ok(()) } else { write!(f, "\n{moves}\n") }
    }
}

/// The moves being written.
struct Body {
    text: String,
    /// Whether the next word is the first of its line.
    fresh: bool,
}

impl Body {
    /// A line of play whose first move is number `ply`, counted in half moves from zero, with
    /// the first player's moves even.
    fn line(&mut self, nodes: &[Node], first_ply: usize, depth: usize) {
        let mut numbered = false;
        for (ply, node) in (first_ply..).zip(nodes) {
            if ply % 2 == 0 {
                // Each round of the main line stands on a line of its own.
                if depth == 0 && !self.fresh {
                    self.new_line(0);
                }
                self.word(&format!("{}.", ply / 2 + 1));
            } else if !numbered {
                self.word(&format!("{}...", ply / 2 + 1));
            }
            numbered = true;
            self.word(&format!("{}{}", node.text, node.glyph));
            if !node.comment.is_empty() {
                self.comment(&node.comment);
            }
            for variation in &node.variations {
                self.new_line(depth + 1);
                self.word("(");
                self.fresh = true;
                self.line(variation, ply, depth + 1);
                self.text.push(')');
                self.fresh = false;
            }
            if !node.variations.is_empty() {
                self.new_line(depth);
                numbered = false;
            }
        }
        if self.fresh {
            // Nothing followed the last variation.
            let end = self.text.trim_end_matches([' ', '\n']).len();
            self.text.truncate(end);
            self.fresh = false;
        }
    }

    fn word(&mut self, word: &str) {
        if !self.fresh {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.fresh = false;
    }

    fn comment(&mut self, comment: &str) {
        let escaped = comment.replace('\\', "\\\\").replace('}', "\\}");
        self.word(&format!("{{{escaped}}}"));
    }

    fn new_line(&mut self, depth: usize) {
        self.text.push('\n');
        self.text.push_str(&"   ".repeat(depth));
        self.fresh = true;
    }
}
