//! A game being played: a position with the way that led to it, and the way back.
//!
//! ```
//! use stoa_rules::{Game, Session};
//!
//! let mut session = Session::new(Game::Colonnade.start());
//! session.play("1b<")?;
//! session.play("1g>")?;
//! assert!(session.undo());
//! assert_eq!(session.moves(), ["1b<"]);
//! assert!(session.redo());
//! assert_eq!(session.moves(), ["1b<", "1g>"]);
//! # Ok::<(), stoa_rules::MoveError>(())
//! ```

use crate::{AnyPosition, MoveError};

/// A line of play with a place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    start: AnyPosition,
    /// Every move of the line and the position after it.
    line: Vec<(String, AnyPosition)>,
    /// How many moves of the line are played now; the rest can be played again.
    played: usize,
}

impl Session {
    /// A session without moves.
    pub fn new(start: AnyPosition) -> Session {
        Session { start, line: Vec::new(), played: 0 }
    }

    /// Where it began.
    pub fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// The position now.
    pub fn position(&self) -> &AnyPosition {
        match self.played {
            0 => &self.start,
            n => &self.line[n - 1].1,
        }
    }

    /// The position before the last move.
    pub fn position_before(&self) -> Option<&AnyPosition> {
        match self.played {
            0 => None,
            1 => Some(&self.start),
            n => Some(&self.line[n - 2].1),
        }
    }

    /// The moves played so far.
    pub fn moves(&self) -> Vec<&str> {
        self.line[..self.played].iter().map(|(text, _)| text.as_str()).collect()
    }

    /// Plays a move. Moves that were taken back can no longer be played again, unless this is the
    /// first of them.
    pub fn play(&mut self, text: &str) -> Result<&str, MoveError> {
        let mut next = self.position().clone();
        let text = next.play(text)?;
        if self.line.get(self.played).is_none_or(|(known, _)| *known != text) {
            self.line.truncate(self.played);
            self.line.push((text, next));
        }
        self.played += 1;
        Ok(&self.line[self.played - 1].0)
    }

    /// Takes the last move back. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let possible = self.can_undo();
        self.played -= usize::from(possible);
        possible
    }

    /// Plays the move again that was taken back last. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        let possible = self.can_redo();
        self.played += usize::from(possible);
        possible
    }

    /// Whether a move can be taken back.
    pub fn can_undo(&self) -> bool {
        self.played > 0
    }

    /// Whether a move that was taken back can be played again.
    pub fn can_redo(&self) -> bool {
        self.played < self.line.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    #[test]
    fn back_and_forth_leads_over_the_same_positions() {
        let mut session = Session::new(Game::Colonnade.start());
        let mut passed = vec![session.start().clone()];
        assert_eq!(session.position_before(), None);
        for mv in ["1b<", "1g>", "1f>"] {
            session.play(mv).unwrap();
            assert_eq!(session.position_before(), passed.last());
            passed.push(session.position().clone());
        }
        for position in passed[..3].iter().rev() {
            assert!(session.undo());
            assert_eq!(session.position(), position);
        }
        assert!(!session.can_undo());
        for position in &passed[1..] {
            assert!(session.redo());
            assert_eq!(session.position(), position);
        }
        assert!(!session.can_redo());
    }

    #[test]
    fn another_move_forgets_what_was_taken_back() {
        let mut session = Session::new(Game::Colonnade.start());
        assert!(!session.undo());
        for mv in ["1b<", "1g>", "1f>"] {
            session.play(mv).unwrap();
        }
        session.undo();
        session.undo();
        assert_eq!(session.position_before(), Some(session.start()));
        // The same move again keeps the way forward.
        session.play("1g>").unwrap();
        assert!(session.can_redo());
        session.undo();
        session.play("2f<").unwrap();
        assert!(!session.redo());
        assert_eq!(session.moves(), ["1b<", "2f<"]);
        // What is not legal changes nothing.
        let before = session.clone();
        session.play("1b<").unwrap_err();
        session.play("rubbish").unwrap_err();
        assert_eq!(session, before);
    }
}
