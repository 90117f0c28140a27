//! A reviewed game in words: moves with their numbers and signs, and what would have been better.

use stoa_engine::review::{Review, Reviewed};
use stoa_rules::{Record, Side};

use crate::{graph, score};

/// The most moves of a line that are shown.
const MAX_LINE: usize = 8;

/// A record and what a review says about it.
pub struct ReviewedGame<'a> {
    /// The game.
    pub record: &'a Record,
    /// What was found out about it.
    pub review: &'a Review,
}

impl ReviewedGame<'_> {
    /// The name of a side.
    pub fn name(&self, side: Side) -> &'static str {
        self.record.game().side_name(side)
    }

    /// Who played a side, if the record says so.
    pub fn player(&self, side: Side) -> Option<&str> {
        self.record.tag(&self.record.game().side_word(side))
    }

    /// A move with its number and sign: `5... e7-g5??`.
    pub fn numbered(&self, mv: &Reviewed) -> String {
        format!("{} {}{}", self.number(mv.ply), mv.played, mv.class.glyph())
    }

    /// The number of a move with its dots, as records write it: `5.` or `5...`.
    fn number(&self, ply: usize) -> String {
        let ply = ply + self.offset();
        format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
    }

    /// 1 if the second player begins.
    fn offset(&self) -> usize {
        usize::from(self.record.start().side_to_move() == Side::Second)
    }

    /// What should have been played, in a sentence, if something should. The reason of a missed win
    /// says so itself.
    pub fn better(&self, mv: &Reviewed) -> Option<String> {
        if mv.missed_win.is_some() {
            return None;
        }
        let shown = mv.best.len().min(MAX_LINE);
        let more = if shown < mv.best.len() { " …" } else { "" };
        let value = match mv.before.mover.turns() {
            Some(_) => score::sentence(self.record.game(), mv.side, mv.before.mover),
            None => {
                let chances = score::percent(mv.before.mover.win_probability());
                format!("{} wins {chances}", self.name(mv.side))
            }
        };
        Some(format!("Better: {}{more} ({value}).", mv.best[..shown].join(" ")))
    }

    /// What a move did to its player's chances, in a sentence.
    pub fn chances(&self, mv: &Reviewed) -> String {
        let name = self.name(mv.side);
        let before = score::percent(mv.before.mover.win_probability());
        let after = score::percent(mv.after.mover.win_probability());
        format!("{name}'s chances went from {before} to {after}.")
    }

    /// The graph of the game, with its mistakes pointed out.
    pub fn graph(&self) -> graph::Graph {
        let marks = self.review.moves.iter().enumerate().filter(|(_, mv)| mv.class.is_error());
        let marks = marks.map(|(index, mv)| graph::Mark {
            index: index + 1,
            class: mv.class,
            text: format!("{}: {}", self.numbered(mv), mv.reason.as_deref().unwrap_or_default()),
        });
        graph::Graph {
            game: self.record.game(),
            players: Side::BOTH.map(|side| self.player(side).map(str::to_owned)),
            curve: self.review.curve(),
            first_ply: self.review.moves.first().map_or(0, |mv| mv.ply) + self.offset(),
            marks: marks.collect(),
        }
    }
}
