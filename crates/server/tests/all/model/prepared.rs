//! The model's conditional moves.

use serde_json::{Value, json};
use stoa_rules::{AnyPosition, Side};

use super::life::Refused;

/// What a side has prepared, and why it is no longer there.
#[derive(Debug, Clone, Default)]
pub(super) struct Prepared {
    pub(super) lines: Vec<Vec<String>>,
    pub(super) dropped: Option<&'static str>,
}

impl Prepared {
    pub(super) fn drop_because(&mut self, reason: &'static str) {
        if !self.lines.is_empty() {
            *self = Prepared { lines: Vec::new(), dropped: Some(reason) };
        }
    }

    /// The other side has moved: the answer, if there is one. What is left waits for the next move.
    pub(super) fn answer(&mut self, played: &str, draw_is_offered: bool) -> Option<String> {
        let fitting: Vec<Vec<String>> =
            self.lines.iter().filter(|line| line[0] == played).cloned().collect();
        let Some(answer) = fitting.first().map(|line| line[1].clone()) else {
            self.drop_because("other_move");
            return None;
        };
        if draw_is_offered {
            self.drop_because("draw_offered");
            return None;
        }
        let rest = fitting.into_iter().map(|line| line[2..].to_vec());
        self.lines = rest.filter(|line| !line.is_empty()).collect();
        Some(answer)
    }

    /// Whether the server says the same.
    pub(super) fn is(&self, answer: &Value) -> bool {
        *answer == json!({ "lines": self.lines, "dropped": self.dropped })
    }
}

/// Lines that begin in a position with a move of the side to move, if they can be prepared by the other.
pub(super) fn checked(
    position: &AnyPosition,
    lines: &[Vec<String>],
) -> Result<Vec<Vec<String>>, Refused> {
    let mut kept: Vec<Vec<String>> = Vec::new();
    for line in lines {
        if line.is_empty() || line.len() % 2 == 1 {
            return Err("bad_conditional");
        }
        let mut after = position.clone();
        let mut turn: Side = after.side_to_move();
        for text in line {
            // Moves come from the list of legal ones or from nowhere.
            if after.outcome().is_some() || after.side_to_move() != turn {
                return Err("illegal_move");
            }
            after.play(text).map_err(|_| "illegal_move")?;
            turn = turn.other();
        }
        for other in &kept {
            let shared = line.iter().zip(other).take_while(|(a, b)| a == b).count();
            // The first difference is between two answers.
            if shared % 2 == 1 && shared < line.len() && shared < other.len() {
                return Err("bad_conditional");
            }
        }
        if kept.iter().any(|other| other.starts_with(line)) {
            continue;
        }
        kept.retain(|other| !line.starts_with(other));
        kept.push(line.clone());
    }
    Ok(kept)
}
