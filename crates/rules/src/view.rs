//! What there is to draw: one vocabulary of cells and pieces for the terminal, pictures and pages.
//!
//! A view says where every cell is and what stands on it. It has no colours, sizes or words;
//! those belong to the program that draws.

use crate::{Position, Side};

/// A board with everything on it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct View {
    /// Every cell of the board.
    pub spots: Vec<Spot>,
    /// What each player has of what counts in this game, the first player first.
    pub counts: [u32; 2],
    /// What is counted.
    pub counted: Counted,
    /// How many towers are off the board, in a game that has such.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub supply: Option<u8>,
    /// How many turns have passed without progress, and after how many the game ends, in a game
    /// that has such an end.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub stall: Option<[u8; 2]>,
    /// What decided a game that is over, as lines between the middles of two cells: a path, a siege.
    /// Empty where nothing on the board did.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<[u16; 2]>>"))]
    pub decided: Vec<[u16; 2]>,
}

/// What a [`View::counts`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Counted {
    /// Checkers on the board.
    Checkers,
    /// Owned points.
    Points,
    /// Stacks of height four.
    Fours,
    /// The score: stones, and three for each tower.
    Score,
}

/// One cell.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Spot {
    /// The cell's number, as steps use it.
    pub cell: u16,
    /// The cell's name, as notation uses it; places that no move names have none.
    pub name: String,
    /// The place of its middle, counted in half cells from the left.
    pub x: i16,
    /// The place of its middle, counted in half cells from the bottom; on hexagons in half rows.
    pub y: i16,
    /// What kind of cell it is.
    pub ground: Ground,
    /// What stands on it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub piece: Option<Piece>,
    /// Whose territory it is.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub owner: Option<Side>,
}

impl Spot {
    /// File and rank of the cell, from zero, on a board that has them.
    pub(crate) fn place(&self) -> (usize, usize) {
        let half_cells = |at: i16| usize::try_from(at).unwrap_or(0) / 2;
        (half_cells(self.x), half_cells(self.y))
    }

    /// The checkers of the stack on a [`Column`](Ground::Column), from the bottom up.
    pub fn checkers(&self) -> &[Side] {
        match &self.piece {
            Some(Piece::Checkers(checkers)) => checkers,
            _ => &[],
        }
    }
}

/// Kinds of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Ground {
    /// A square of a row, seen from the side: stacks rise from it.
    Column,
    /// A dark square of a chequered board.
    Dark,
    /// A light square, which nothing ever stands on.
    Light,
    /// A crossing of lines.
    Point,
    /// A place outside the board proper that holds a stone for good.
    Ring,
    /// A square of a plain board.
    Square,
    /// A point on the track of a pawn.
    Track,
    /// A point of the track that belongs to no side.
    Base,
    /// A hexagon.
    Hex,
}

/// What can stand on a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Piece {
    /// A stack of checkers, from the bottom up.
    Checkers(Vec<Side>),
    /// One checker.
    Single(Side),
    /// Two checkers of one colour.
    Double(Side),
    /// A stone.
    Stone(Side),
    /// A stack that is known by its owner and height.
    Stack {
        /// Whose piece is on top.
        owner: Side,
        /// How many pieces it has.
        height: u8,
    },
    /// A pawn.
    Pawn(Side),
    /// A tower, and who has claimed it.
    Tower(Option<Side>),
}

/// Positions that can be looked at.
pub trait Show: Position {
    /// The board as it is now. Cells come in the same order in every position of a game.
    fn view(&self) -> View;
}
