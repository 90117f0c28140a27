//! Boards as pictures: on a grid of characters ([`board`]) and as SVG ([`svg`]).
//!
//! Both draw a [`View`], so a game looks the same wherever it is shown. [`graph`] draws how a whole
//! game went.

pub(crate) mod board;
pub(crate) mod canvas;
pub(crate) mod graph;
mod pieces;
pub(crate) mod svg;

use std::collections::BTreeSet;

use stoa_rules::view::View;
use stoa_rules::{Session, Step};

/// What is pointed out on a board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    /// The cells that the last move changed.
    pub(crate) last: BTreeSet<u16>,
    /// The clicks made so far.
    pub(crate) selected: Vec<Step>,
    /// What may be clicked next.
    pub(crate) targets: Vec<Step>,
    /// The clicks of a move that is recommended.
    pub(crate) advised: Vec<Step>,
    /// Where the keyboard is.
    pub(crate) cursor: Option<Step>,
}

impl Marks {
    /// Points out what the last move of a session changed.
    pub(crate) fn last_move(session: &Session) -> Marks {
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
