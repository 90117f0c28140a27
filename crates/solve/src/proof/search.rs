//! Depth-first proof-number search (df-pn) of any tree of positions that has an end.
//!
//! Every position has two [`Numbers`], from the point of view of the player to move. A move to a
//! position where the opponent fails proves it, so the proof number is the least disproof number
//! after a move; all moves must fail to disprove it, so the disproof number adds up what is after
//! them. The search always follows the move that is cheapest to prove, and goes on there until it
//! is clearly dearer than the second cheapest (a quarter dearer: the 1+ε rule, without which the
//! search would jump between the two forever).
//!
//! Positions are reached along many paths, and a plain sum counts what they share again and again.
//! So the disproof number here is the largest one after a move, plus one for every other move that
//! is still open (weak proof-number search).
//!
//! No position comes twice on a path through the tree, because every turn brings the end nearer. So
//! none of the difficulties with repetition arise, and what is proven once is proven on every path.

use std::time::Duration;
use stoa_engine::{Stop, Timer};

use super::table::{Key, MAX_NUMBER, Numbers, ProofTable};

/// A tree of positions, and a question about them: does the player to move get what they want?
pub trait Space {
    /// A position.
    type State: Clone;
    /// A move.
    type Move: Copy;
    /// What the table knows positions by.
    type Key: Key;

    /// Whether the player to move gets it, where that is certain at once. It must be where there
    /// are no moves.
    fn settled(&self, state: &Self::State) -> Option<bool>;

    /// Appends the moves, the most promising first.
    fn moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>);

    /// The position after a move.
    fn after(&self, state: &Self::State, mv: Self::Move) -> Self::State;

    /// What the table knows the position by.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// A first guess about a position.
    fn guess(&self, state: &Self::State) -> Numbers;

    /// For games that end when nothing happens for some turns: a key that does not depend on how
    /// many of them have passed, and how many are left. A proof that takes fewer turns holds for
    /// all positions with that key that have more turns left than it takes.
    fn timeless(&self, _: &Self::State) -> Option<(Self::Key, u32)> {
        None
    }
}

/// What ends a search that has not come to a result.
#[derive(Debug, Clone)]
pub struct Ends<'a> {
    /// How many positions may be looked at in all.
    pub nodes: u64,
    /// When the time is up, by `timer`.
    pub time: Option<Duration>,
    /// Measures the time.
    pub timer: Timer,
    /// Stops it from outside.
    pub stop: &'a Stop,
}

/// A move and what is known of the position after it.
#[derive(Debug, Clone, Copy)]
pub struct Child<M> {
    /// The move.
    pub mv: M,
    /// The numbers after it, from the opponent's point of view.
    pub numbers: Numbers,
}

/// A position on the way from the root to where the search is.
struct Frame<S> {
    state: S,
    /// Where its moves begin in the list of all.
    first: usize,
    /// The move that is being searched.
    at: usize,
    /// The search of this position ends when either number gets here.
    limit: Numbers,
    nodes_before: u64,
}

/// How many positions are looked at between two looks at the clock.
const NODES_PER_CHECK: u64 = 512;

/// A search, with all that it remembers.
pub struct Search<'a, S: Space> {
    space: &'a S,
    table: &'a mut ProofTable<S::Key>,
    /// How many positions have been looked at.
    pub nodes: u64,
    next_look: u64,
    stopped: bool,
    frames: Vec<Frame<S::State>>,
    children: Vec<Child<S::Move>>,
    generated: Vec<S::Move>,
}

impl<'a, S: Space> Search<'a, S> {
    /// A search that remembers things in a table.
    pub fn new(space: &'a S, table: &'a mut ProofTable<S::Key>) -> Search<'a, S> {
        Search {
            space,
            table,
            nodes: 0,
            next_look: 0,
            stopped: false,
            frames: Vec::new(),
            children: Vec::new(),
            generated: Vec::new(),
        }
    }

    /// The table.
    pub fn table(&self) -> &ProofTable<S::Key> {
        self.table
    }

    /// Searches until the position is settled or something ends the search, and returns what is
    /// known after each move.
    pub fn run(&mut self, root: &S::State, ends: &Ends<'_>) -> (Numbers, Vec<Child<S::Move>>) {
        self.stopped = false;
        self.next_look = self.nodes;
        self.frames.clear();
        self.children.clear();
        self.enter(root.clone(), Numbers { proof: MAX_NUMBER, disproof: MAX_NUMBER });
        loop {
            self.look_around(ends);
            let Some(frame) = self.frames.last() else {
                return (Numbers::guess(1, 1), Vec::new());
            };
            let outlook = Outlook::of(&self.children[frame.first..]);
            let Numbers { proof, disproof } = outlook.numbers;
            let limit = frame.limit;
            if self.stopped || proof >= limit.proof || disproof >= limit.disproof {
                if self.frames.len() == 1 {
                    self.remember(outlook.numbers);
                    self.frames.clear();
                    return (outlook.numbers, std::mem::take(&mut self.children));
                }
                self.leave(outlook.numbers);
            } else {
                let first = frame.first;
                let mv = self.children[first + outlook.best].mv;
                let next = self.space.after(&frame.state, mv);
                let limit = outlook.limit_of_best(limit);
                if let Some(frame) = self.frames.last_mut() {
                    frame.at = outlook.best;
                }
                self.enter(next, limit);
            }
        }
    }

    /// Lists the moves of a position and what is known after each.
    fn enter(&mut self, state: S::State, limit: Numbers) {
        let nodes_before = self.nodes;
        self.nodes += 1;
        let first = self.children.len();
        self.generated.clear();
        let mut generated = std::mem::take(&mut self.generated);
        self.space.moves(&state, &mut generated);
        for &mv in &generated {
            let numbers = self.known(&self.space.after(&state, mv));
            self.children.push(Child { mv, numbers });
            if numbers.is_disproven() {
                break;
            }
        }
        self.generated = generated;
        self.frames.push(Frame { state, first, at: 0, limit, nodes_before });
    }

    /// What is known of a position, or a guess.
    fn known(&self, state: &S::State) -> Numbers {
        if let Some(gets_it) = self.space.settled(state) {
            return Numbers::proven(gets_it, 0);
        }
        let own = self.table.get(self.space.key(state));
        if own.is_none_or(|numbers| !numbers.is_settled())
            && let Some((key, turns_left)) = self.space.timeless(state)
            && let Some(numbers) = self.table.get(key)
            && numbers.turns().is_some_and(|turns| turns < turns_left)
        {
            return numbers;
        }
        own.unwrap_or_else(|| self.space.guess(state))
    }

    /// Goes back to the position before, with what was found.
    fn leave(&mut self, found: Numbers) {
        self.remember(found);
        if let Some(frame) = self.frames.pop() {
            self.children.truncate(frame.first);
        }
        if let Some(frame) = self.frames.last() {
            self.children[frame.first + frame.at].numbers = found;
        }
    }

    /// Keeps what was found about the position that the search is at.
    fn remember(&mut self, found: Numbers) {
        let Some(frame) = self.frames.last() else { return };
        let positions = self.nodes - frame.nodes_before;
        let key = match (found.turns(), self.space.timeless(&frame.state)) {
            (Some(turns), Some((key, turns_left))) if turns < turns_left => key,
            _ => self.space.key(&frame.state),
        };
        self.table.put(key, found, positions);
    }

    #[inline]
    fn look_around(&mut self, ends: &Ends<'_>) {
        self.stopped |= self.nodes >= ends.nodes;
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + NODES_PER_CHECK;
            self.stopped |= ends.stop.is_stopped()
                || ends.time.is_some_and(|most| ends.timer.elapsed() >= most);
        }
    }
}

/// What the moves of a position say together.
struct Outlook {
    numbers: Numbers,
    /// The move that is cheapest to prove.
    best: usize,
    /// What the second cheapest would cost.
    second: u32,
    /// How many moves are still open.
    open: u32,
}

impl Outlook {
    fn of<M>(children: &[Child<M>]) -> Outlook {
        let (mut least, mut second, mut best) = (u32::MAX, u32::MAX, 0);
        let (mut most, mut open, mut longest) = (0, 0, 0);
        let mut quickest: Option<u32> = None;
        for (index, Child { numbers, .. }) in children.iter().enumerate() {
            if numbers.disproof < least {
                (second, least, best) = (least, numbers.disproof, index);
            } else {
                second = second.min(numbers.disproof);
            }
            if let Some(turns) = numbers.turns() {
                if numbers.is_disproven() {
                    quickest = Some(quickest.map_or(turns, |known| known.min(turns)));
                }
                longest = longest.max(turns);
            }
            if !numbers.is_proven() {
                most = most.max(numbers.proof);
                open += 1;
            }
        }
        let numbers = match quickest {
            Some(turns) => Numbers::proven(true, turns + 1),
            None if open == 0 => Numbers::proven(false, longest + 1),
            None => Numbers::guess(least, most + (open - 1)),
        };
        Outlook { numbers, best, second, open }
    }

    /// How far the best move is searched, given how far the position is.
    fn limit_of_best(&self, limit: Numbers) -> Numbers {
        let second = self.second.min(MAX_NUMBER);
        Numbers {
            proof: limit.disproof.saturating_sub(self.open - 1),
            disproof: limit.proof.min(second + second / 4 + 1),
        }
    }
}
