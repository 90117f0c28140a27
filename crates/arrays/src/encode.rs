//! What a game must say to become arrays.

use stoa_rules::{Game, Playable, Side};

/// How the positions and moves of a game are numbered. Each game implements it in its own file of
/// `games/`.
pub trait Encode: Playable {
    /// What each plane of an observation shows.
    const PLANES: &'static [&'static str];

    /// How many rows and columns a plane has.
    fn board(options: Self::Options) -> [usize; 2];

    /// How many actions there are.
    fn actions(options: Self::Options) -> usize;

    /// The action of a legal move; `None` if it has none, which only happens in positions that
    /// play cannot reach.
    fn action(&self, mv: Self::Move) -> Option<usize>;

    /// Hands over the action of each of these legal moves; stops at a move that has none and returns it.
    /// A game whose moves come in long rows that differ in one thing can do this quicker than one by one.
    #[inline]
    fn actions_of(
        &self,
        moves: &[Self::Move],
        mut take: impl FnMut(usize),
    ) -> Result<(), Self::Move> {
        moves.iter().try_for_each(|&mv| {
            take(self.action(mv).ok_or(mv)?);
            Ok(())
        })
    }

    /// The move that an action stands for here, which need not be legal; `None` if it stands for no
    /// move at all. The legal move of an action is always found.
    fn move_of(&self, action: usize) -> Option<Self::Move>;

    /// Writes the position as a player sees it: plane after plane, in each the rows from the bottom up.
    /// `planes` holds zeros, as many as the planes have cells.
    fn observe(&self, viewer: Side, planes: &mut [f32]);
}

/// The sizes of a game's arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// How many planes an observation has.
    pub planes: usize,
    /// How many rows each plane has.
    pub rows: usize,
    /// How many columns each plane has.
    pub columns: usize,
    /// How many actions there are.
    pub actions: usize,
}

impl Shape {
    /// The sizes for a game.
    pub fn of(game: Game) -> Shape {
        stoa_rules::dispatch!(game, |P, options| Shape::with::<P>(options))
    }

    /// The sizes for a game by its type.
    pub fn with<P: Encode>(options: P::Options) -> Shape {
        let [rows, columns] = P::board(options);
        Shape { planes: P::PLANES.len(), rows, columns, actions: P::actions(options) }
    }

    /// How many numbers an observation has.
    pub fn observation(&self) -> usize {
        self.planes * self.rows * self.columns
    }
}

/// What each plane of a game's observations shows.
pub fn planes(game: Game) -> &'static [&'static str] {
    stoa_rules::dispatch!(game, |P, _options| <P as Encode>::PLANES)
}

/// The planes of an observation, to be filled cell by cell.
pub(crate) struct Canvas<'a> {
    planes: &'a mut [f32],
    rows: usize,
    columns: usize,
}

impl<'a> Canvas<'a> {
    pub(crate) fn new(planes: &'a mut [f32], [rows, columns]: [usize; 2]) -> Canvas<'a> {
        Canvas { planes, rows, columns }
    }

    /// Sets a cell of a plane to 1.
    #[inline]
    pub(crate) fn set(&mut self, plane: usize, row: usize, column: usize) {
        self.planes[(plane * self.rows + row) * self.columns + column] = 1.0;
    }

    /// Sets every cell of a plane to a share of a whole.
    pub(crate) fn fill(&mut self, plane: usize, part: u8, whole: u8) {
        let cells = self.rows * self.columns;
        self.planes[plane * cells..][..cells].fill(f32::from(part) / f32::from(whole));
    }
}

/// The numbers of the bits that are set, lowest first.
#[inline]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}
