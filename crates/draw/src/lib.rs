//! Draws Stoa's games: a [`View`] goes in, text or SVG comes out.
//!
//! | module | what it draws |
//! |---|---|
//! | [`board`] | a board on a [`canvas`] of characters: in colour, without colour, in ASCII |
//! | [`svg`] | a board as a picture |
//! | `card` | a board with words beside it, in pixels (feature `card`) |
//! | [`graph`], [`reviewed`] | how a reviewed game went |
//! | [`rules_text`] | the rules of a game in words, with diagrams |
//! | [`caption`], [`score`] | the sentences that go with a board |
//!
//! Boards and pictures draw the same view, so a game looks the same wherever it is shown. They know
//! kinds of cells and pieces, not games; the few things that differ from game to game are in one table
//! (`looks.rs`).
//!
//! ```
//! use stoa_draw::{Marks, board::Charset, picture};
//! use stoa_rules::{Game, Session};
//!
//! let mut session = Session::new(Game::Colonnade.start());
//! session.play("1b<")?;
//! let board = picture(session.position(), &Marks::last_move(&session), Charset::Ascii);
//! assert!(board.ends_with("  a     b     c     d     e     f     g     h\n"), "{board}");
//! # Ok::<(), stoa_rules::MoveError>(())
//! ```

pub mod board;
pub mod canvas;
pub mod caption;
#[cfg(feature = "pixels")]
pub mod card;
mod diagram;
pub mod graph;
mod looks;
mod pieces;
#[cfg(feature = "pixels")]
pub mod pixels;
#[cfg(feature = "pixels")]
mod raster;
pub mod reviewed;
pub mod rules_text;
pub mod score;
mod shapes;
pub mod svg;

use std::collections::BTreeSet;

use stoa_rules::view::View;
use stoa_rules::{AnyPosition, Session, Step};

use board::Charset;

#[cfg(feature = "pixels")]
pub use raster::PictureError;

/// What is pointed out on a board.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// The cells that the last move changed.
    pub last: BTreeSet<u16>,
    /// The clicks made so far.
    pub selected: Vec<Step>,
    /// What may be clicked next.
    pub targets: Vec<Step>,
    /// The clicks of a move that is recommended.
    pub advised: Vec<Step>,
    /// Where the keyboard is.
    pub cursor: Option<Step>,
}

impl Marks {
    /// Points out what the last move of a session changed.
    pub fn last_move(session: &Session) -> Marks {
        let last = session
            .position_before()
            .map(|before| changed(&before.view(), &session.position().view()))
            .unwrap_or_default();
        Marks { last, ..Marks::default() }
    }
}

/// The cells on which something else stands than before.
fn changed(before: &View, after: &View) -> BTreeSet<u16> {
    let pairs = before.spots.iter().zip(&after.spots);
    pairs.filter(|(a, b)| a.piece != b.piece).map(|(_, b)| b.cell).collect()
}

/// A board of at most 80 by 20 characters, for printing.
pub fn picture(position: &AnyPosition, marks: &Marks, charset: Charset) -> String {
    let view = position.view();
    let scale = board::fitting_scale(position.game(), &view, 80, 20);
    board::draw(position.game(), &view, marks, scale, charset).render(charset)
}

/// The longest line of a message that is printed whole.
const MAX_LINE: usize = 300;

/// Text that may hold user input, made safe for a terminal: without control characters other than line breaks,
/// and with very long lines cut.
///
/// ```
/// assert_eq!(stoa_draw::printable("a\u{1b}[31m\tb\nc"), "a·[31m·b\nc");
/// ```
pub fn printable(text: &str) -> String {
    let line = |line: &str| {
        let shown = line.chars().take(MAX_LINE).map(|c| if c.is_control() { '·' } else { c });
        let cut = if line.chars().nth(MAX_LINE).is_some() { "…" } else { "" };
        shown.collect::<String>() + cut
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn long_lines_are_cut() {
        assert_eq!(printable(&"x".repeat(1000)).chars().count(), 301);
    }
}
