//! Puzzles that go together: no two alike, not too many of one grade.

use stoa_engine::{Knowledge, KnowledgeVisitor, visit};
use stoa_rules::view::View;
use stoa_rules::{AnyPosition, Game};

use super::{Goal, MAX_GRADE, Puzzle, is_wide};

/// Positions are alike if at most this many cells differ, turned or reflected as may be: a move
/// changes two.
const CELLS_OF_A_MOVE: usize = 2;

/// At most this many puzzles of a few turns begin with the same move, turned or reflected as may be:
/// in Columna, most games could end with the same move in a corner.
const OF_A_MOVE: usize = 3;

/// Puzzles of one game, as they are found.
#[derive(Debug)]
pub struct Collection {
    game: Game,
    wanted: usize,
    kept: Vec<Puzzle>,
    /// Sound puzzles of grades of which there are many.
    spare: Vec<Puzzle>,
    /// The boards of both.
    boards: Vec<View>,
    /// The first moves of both, in puzzles of a few turns.
    moves: Vec<String>,
}

impl Collection {
    /// Room for some puzzles of a game.
    pub fn new(game: Game, wanted: usize) -> Collection {
        Collection { game, wanted, kept: vec![], spare: vec![], boards: vec![], moves: vec![] }
    }

    /// How many puzzles there are, at most as many as are wanted.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether there are as many as are wanted, or so many of some grades that waiting for the
    /// others takes too long.
    pub fn is_full(&self) -> bool {
        // Easy puzzles of a few turns are in every game, hard ones are not.
        let patience = if is_wide(self.game) { 4 * self.wanted } else { self.wanted / 2 };
        self.kept.len() >= self.wanted || self.boards.len() >= self.wanted + patience
    }

    /// Takes puzzles in, except those that resemble one that is there.
    pub fn add_all(&mut self, puzzles: Vec<Puzzle>) {
        for puzzle in puzzles {
            self.add(puzzle);
        }
    }

    fn add(&mut self, puzzle: Puzzle) {
        let Ok(position) = self.game.position(&puzzle.position) else { return };
        let images = images(&position);
        if self.boards.iter().any(|board| images.iter().any(|image| resemble(image, board))) {
            return;
        }
        if puzzle.goal != Goal::Win {
            let Some(first) = first_move(&position, &puzzle) else { return };
            if self.moves.iter().filter(|other| **other == first).count() >= OF_A_MOVE {
                return;
            }
            self.moves.push(first);
        }
        self.boards.push(position.view());
        // Some grades are easily found; a third for each leaves room for the others.
        let of_grade = self.kept.iter().filter(|kept| kept.grade == puzzle.grade).count();
        if of_grade * 3 < self.wanted && self.kept.len() < self.wanted {
            self.kept.push(puzzle);
        } else {
            self.spare.push(puzzle);
        }
    }

    /// The puzzles, the easy ones first; what is missing is made up from grades of which there are
    /// many.
    pub fn finish(mut self) -> Vec<Puzzle> {
        // The harder of the spare ones are worth more.
        self.spare.sort_by_key(|puzzle| MAX_GRADE - puzzle.grade);
        let missing = self.wanted.saturating_sub(self.kept.len());
        self.kept.extend(self.spare.into_iter().take(missing));
        self.kept.sort_by_key(|puzzle| puzzle.grade);
        self.kept
    }
}

/// Whether two positions of a game are the same but for a move and the way the board is turned.
pub fn are_alike(one: &AnyPosition, other: &AnyPosition) -> bool {
    let board = other.view();
    one.game() == other.game() && images(one).iter().any(|image| resemble(image, &board))
}

/// The board seen through all symmetries.
fn images(position: &AnyPosition) -> Vec<View> {
    struct Images<'a>(&'a AnyPosition);
    impl KnowledgeVisitor for Images<'_> {
        type Output = Vec<View>;
        fn visit<P: Knowledge>(self, _: P::Options) -> Vec<View> {
            let Some(position) = self.0.downcast::<P>() else { return Vec::new() };
            (0..position.symmetries()).map(|number| position.transform(number).view()).collect()
        }
    }
    visit(position.game(), Images(position))
}

/// The first move of a puzzle, the same for all that can be turned or reflected into each other.
fn first_move(position: &AnyPosition, puzzle: &Puzzle) -> Option<String> {
    struct FirstMove<'a>(&'a AnyPosition, &'a str);
    impl KnowledgeVisitor for FirstMove<'_> {
        type Output = Option<String>;
        fn visit<P: Knowledge>(self, _: P::Options) -> Option<String> {
            let position = self.0.downcast::<P>()?;
            let mv = position.parse_move(self.1).ok()?;
            let image =
                |number| position.transform(number).move_text(position.transform_move(mv, number));
            (0..position.symmetries()).map(image).min()
        }
    }
    let mv = puzzle.turns.first()?.accepted.first()?;
    visit(position.game(), FirstMove(position, mv))
}

fn resemble(one: &View, other: &View) -> bool {
    let pairs = one.spots.iter().zip(&other.spots);
    pairs.filter(|(one, other)| one.piece != other.piece).count() <= CELLS_OF_A_MOVE
}
