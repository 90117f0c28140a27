//! Impasse. Black sees the board turned round, so that both players move forward to higher ranks.
//!
//! A turn is a slide, a transpose or a removal, and perhaps a crown. In a position that play can
//! reach, a player has either no single in the furthest row, or one that waits there and no other
//! single at all. So a crown that is due has one of two forms:
//!
//! - The turn brings a single to the furthest row, and any other single may be lifted onto it. The
//!   action tells which.
//! - A single waits there, and the turn makes a second one, which is lifted onto it. Nothing needs
//!   to be told: the action is that of the turn without a crown. Only if the second single stands in
//!   the furthest row too may it be crowned instead, with the one that waited; this is the first form.

use std::sync::LazyLock;

use stoa_rules::Side;
use stoa_rules::impasse::{Action, Crown, Move, Position, Square};

use crate::Encode;
use crate::encode::{Canvas, bits};

/// Every dark square, rank by rank.
const DARK: usize = 32;

/// A number that stands for nothing.
const NONE: u16 = u16::MAX;

/// The numbers of turns without their crowns, all seen from the mover's end of the board.
struct Turns {
    /// What each number stands for.
    actions: Vec<Action>,
    /// The numbers of slides, by where they begin and end.
    slides: [[u16; 64]; 64],
    /// The numbers of transposes, by double and single.
    transposes: [[u16; 64]; 64],
    /// The numbers of removals, by square.
    removals: [u16; 64],
    /// The turns that can bring a single to the furthest row.
    arrivals: Vec<u16>,
    /// The place of each turn among these.
    arrival_of: Vec<u16>,
}

static TURNS: LazyLock<Turns> = LazyLock::new(|| {
    let mut turns = Turns {
        actions: Vec::new(),
        slides: [[NONE; 64]; 64],
        transposes: [[NONE; 64]; 64],
        removals: [NONE; 64],
        arrivals: Vec::new(),
        arrival_of: Vec::new(),
    };
    let pairs = || Square::all().flat_map(|from| Square::all().map(move |to| (from, to)));
    let apart = |from: Square, to: Square| {
        let files = to.file().abs_diff(from.file());
        (files == to.rank().abs_diff(from.rank())).then_some(files).filter(|&steps| steps > 0)
    };
    let index = |square: Square| usize::from(square.index());
    for (from, to) in pairs().filter(|&(from, to)| apart(from, to).is_some()) {
        turns.slides[index(from)][index(to)] = turns.actions.len() as u16;
        turns.actions.push(Action::Slide { from, to });
    }
    for (from, onto) in
        pairs().filter(|&(from, onto)| apart(from, onto) == Some(1) && onto.rank() < from.rank())
    {
        turns.transposes[index(from)][index(onto)] = turns.actions.len() as u16;
        turns.actions.push(Action::Transpose { from, onto });
    }
    for square in Square::all() {
        turns.removals[index(square)] = turns.actions.len() as u16;
        turns.actions.push(Action::Remove(square));
    }
    turns.arrival_of = vec![NONE; turns.actions.len()];
    for (number, &action) in turns.actions.iter().enumerate() {
        if arrival(action).rank() == 7 {
            turns.arrival_of[number] = turns.arrivals.len() as u16;
            turns.arrivals.push(number as u16);
        }
    }
    turns
});

/// Where a turn can leave a single that was not there before.
const fn arrival(action: Action) -> Square {
    match action {
        Action::Slide { to, .. } => to,
        Action::Transpose { from, .. } => from,
        Action::Remove(square) => square,
    }
}

/// A square as a player sees it.
#[inline]
const fn seen(side: Side, square: Square) -> Square {
    match side {
        Side::First => square,
        Side::Second => square.turned(),
    }
}

fn seen_action(side: Side, action: Action) -> Action {
    match action {
        Action::Slide { from, to } => Action::Slide { from: seen(side, from), to: seen(side, to) },
        Action::Transpose { from, onto } => {
            Action::Transpose { from: seen(side, from), onto: seen(side, onto) }
        }
        Action::Remove(square) => Action::Remove(seen(side, square)),
    }
}

/// The place of a dark square among all of them.
#[inline]
fn dark(square: Square) -> usize {
    usize::from(square.index()) / 2
}

/// The dark square at a place among all of them.
fn dark_square(place: usize) -> Option<Square> {
    let rank = place / 4;
    Square::new((place % 4 * 2 + rank % 2) as u8, rank as u8)
}

/// The single that waits in a player's furthest row, if it is the only one they have.
#[inline]
fn waiting(position: &Position, side: Side) -> Option<Square> {
    let singles = position.singles(side);
    let square = singles.trailing_zeros() as u8;
    let furthest = if side == Side::First { 7 } else { 0 };
    (singles.is_power_of_two() && square / 8 == furthest)
        .then(|| Square::new(square % 8, square / 8))
        .flatten()
}

impl Encode for Position {
    const PLANES: &'static [&'static str] =
        &["own singles", "own doubles", "opposing singles", "opposing doubles"];

    fn board((): ()) -> [usize; 2] {
        [8, 8]
    }

    /// Turns without a choice of crowns, and those that bring a single to the furthest row with
    /// every square from which another one may be lifted.
    fn actions((): ()) -> usize {
        TURNS.actions.len() + TURNS.arrivals.len() * DARK
    }

    #[inline]
    fn action(&self, mv: Move) -> Option<usize> {
        let turns = &*TURNS;
        let side = stoa_rules::Position::side_to_move(self);
        let index = |square| usize::from(seen(side, square).index());
        let number = match mv.action {
            Action::Slide { from, to } => turns.slides[index(from)][index(to)],
            Action::Transpose { from, onto } => turns.transposes[index(from)][index(onto)],
            Action::Remove(square) => turns.removals[index(square)],
        };
        let number = Some(usize::from(number)).filter(|&number| number < turns.actions.len())?;
        match mv.crown {
            None => Some(number),
            Some(crown) if crown.onto == arrival(mv.action) => {
                let place = Some(turns.arrival_of[number]).filter(|&place| place != NONE)?;
                let lifted = dark(seen(side, crown.lifted));
                Some(turns.actions.len() + usize::from(place) * DARK + lifted)
            }
            Some(crown) => (waiting(self, side) == Some(crown.onto)).then_some(number),
        }
    }

    #[inline]
    fn move_of(&self, action: usize) -> Option<Move> {
        let turns = &*TURNS;
        let side = stoa_rules::Position::side_to_move(self);
        let (number, lifted) = match action.checked_sub(turns.actions.len()) {
            None => (action, None),
            Some(crowned) => {
                let lifted = seen(side, dark_square(crowned % DARK)?);
                (usize::from(*turns.arrivals.get(crowned / DARK)?), Some(lifted))
            }
        };
        let action = seen_action(side, turns.actions[number]);
        let is_double = |square: Square| self.doubles(side) >> square.index() & 1 != 0;
        let is_nearest = |square: Square| seen(side, square).rank() == 0;
        let bears_off = match action {
            Action::Slide { from, to } => is_double(from) && is_nearest(to),
            Action::Transpose { onto, .. } => is_nearest(onto),
            Action::Remove(_) => false,
        };
        // What the turn leaves beside a single that waits.
        let second = match action {
            Action::Slide { to, .. } if bears_off => Some(to),
            Action::Remove(square) if is_double(square) => Some(square),
            _ => None,
        };
        let crown = match (lifted, second, waiting(self, side)) {
            (Some(lifted), ..) => Some(Crown { lifted, onto: arrival(action) }),
            (None, Some(lifted), Some(onto)) => Some(Crown { lifted, onto }),
            _ => None,
        };
        Some(Move { action, bears_off, crown })
    }

    #[inline]
    fn observe(&self, viewer: Side, planes: &mut [f32]) {
        let mut canvas = Canvas::new(planes, Self::board(()));
        let other = viewer.other();
        let boards =
            [self.singles(viewer), self.doubles(viewer), self.singles(other), self.doubles(other)];
        for (plane, board) in boards.into_iter().enumerate() {
            let board = if viewer == Side::First { board } else { board.reverse_bits() };
            for square in bits(board) {
                canvas.set(plane, square / 8, square % 8);
            }
        }
    }
}
