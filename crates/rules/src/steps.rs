//! A move as a short sequence of clicks.
//!
//! A game says which clicks stand for a move ([`Steps`]). A [`Selection`] walks the legal moves'
//! clicks, so that no interface has code for a single game: after each click it knows which clicks
//! make sense next and whether a move is complete.
//!
//! ```
//! use stoa_rules::{Notation, Position, Selection, Step, impasse};
//!
//! let start = impasse::Position::start(());
//! let mut selection = Selection::new(&start);
//! let square = |name| Step::cell(impasse::Square::from_name(name).unwrap().index().into());
//!
//! selection.click(square("e1")).unwrap_err(); // e1 is hemmed in
//! selection.click(square("h2"))?;
//! assert_eq!(selection.next(), ["g3", "f4", "e5", "d6"].map(square));
//! selection.click(square("g3"))?;
//! assert_eq!(start.move_text(selection.complete().unwrap()), "h2-g3");
//! # Ok::<(), stoa_rules::NotAChoice>(())
//! ```

use crate::Position;

/// One click: on a cell, or on one checker of the stack that stands on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Step {
    /// The number of the cell, as in [`Spot::cell`](crate::view::Spot::cell).
    pub cell: u16,
    /// Which checker of the stack, from the bottom, counted from one; 0 is the cell as a whole.
    #[cfg_attr(feature = "serde", serde(default))]
    pub level: u8,
}

impl Step {
    /// A click on a cell.
    pub const fn cell(cell: u16) -> Step {
        Step { cell, level: 0 }
    }
}

/// What a click is for, so that an interface can ask for it in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Role {
    /// A piece to move.
    Piece,
    /// Where the piece goes.
    Target,
    /// An empty place for a new stone.
    Place,
    /// A checker to remove, because there is no basic move.
    Remove,
    /// The single to crown with.
    CrownWith,
    /// The single to be crowned.
    Crowned,
    /// Where the pawn goes.
    Pawn,
    /// Where a piece is dropped.
    Drop,
    /// A stack to move.
    Stack,
    /// One's own pawn, to pass because there is no valid turn.
    Pass,
    /// An empty tower to claim.
    Tower,
    /// The tower at the other end of the line.
    LineEnd,
    /// A place for a tower from the supply.
    NewTower,
}

/// Moves as clicks.
pub trait Steps: Position {
    /// What the clicks of a legal move are for, in their order; there may be more roles than
    /// clicks.
    fn roles(&self, mv: Self::Move) -> &'static [Role];

    /// Appends the clicks that stand for a legal move. No two legal moves of a position have the
    /// same clicks; the clicks of one may be the beginning of another's.
    fn steps(&self, mv: Self::Move, steps: &mut Vec<Step>);
}

/// A click that leads to no legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no legal move goes on like this")]
pub struct NotAChoice;

/// The clicks made so far, and the moves they may lead to.
#[derive(Debug, Clone)]
pub struct Selection<M> {
    /// Every legal move with its clicks.
    moves: Vec<(Vec<Step>, M)>,
    /// What the clicks of each move are for.
    roles: Vec<&'static [Role]>,
    clicks: Vec<Step>,
}

impl<M: Copy> Selection<M> {
    /// No click yet.
    pub fn new<P: Steps<Move = M>>(position: &P) -> Selection<M> {
        let moves = position.legal_moves();
        let roles = moves.iter().map(|&mv| position.roles(mv)).collect();
        let with_steps = |mv| {
            let mut steps = Vec::new();
            position.steps(mv, &mut steps);
            (steps, mv)
        };
        Selection { moves: moves.into_iter().map(with_steps).collect(), roles, clicks: Vec::new() }
    }

    /// The clicks so far.
    pub fn clicks(&self) -> &[Step] {
        &self.clicks
    }

    /// What may be clicked next, sorted, each once.
    pub fn next(&self) -> Vec<Step> {
        let mut next: Vec<Step> = self
            .candidates()
            .filter_map(|(steps, _)| steps.get(self.clicks.len()).copied())
            .collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// What the next click may be for, sorted, each once.
    pub fn next_roles(&self) -> Vec<Role> {
        let at = self.clicks.len();
        let pairs = self.moves.iter().zip(&self.roles);
        let mut roles: Vec<Role> = pairs
            .filter(|((steps, _), _)| steps.len() > at && steps.starts_with(&self.clicks))
            .filter_map(|(_, roles)| roles.get(at).copied())
            .collect();
        roles.sort_unstable();
        roles.dedup();
        roles
    }

    /// The move that the clicks so far stand for, if they are enough. [`next`](Self::next) may
    /// still offer more: an interface then lets the user choose to stop here.
    pub fn complete(&self) -> Option<M> {
        self.candidates().find(|(steps, _)| steps.len() == self.clicks.len()).map(|&(_, mv)| mv)
    }

    /// Adds a click.
    pub fn click(&mut self, step: Step) -> Result<(), NotAChoice> {
        let at = self.clicks.len();
        if !self.candidates().any(|(steps, _)| steps.get(at) == Some(&step)) {
            return Err(NotAChoice);
        }
        self.clicks.push(step);
        Ok(())
    }

    /// Takes the last click back.
    pub fn back(&mut self) -> Option<Step> {
        self.clicks.pop()
    }

    /// Starts again.
    pub fn clear(&mut self) {
        self.clicks.clear();
    }

    /// The moves that begin with the clicks so far.
    pub fn moves(&self) -> impl Iterator<Item = M> + '_ {
        self.candidates().map(|&(_, mv)| mv)
    }

    fn candidates(&self) -> impl Iterator<Item = &(Vec<Step>, M)> {
        self.moves.iter().filter(|(steps, _)| steps.starts_with(&self.clicks))
    }
}
