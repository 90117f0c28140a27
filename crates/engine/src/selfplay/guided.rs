//! Games that a policy network plays against itself, as data for training the next one.
//!
//! Many games are played side by side, so that their positions can be judged in batches
//! ([`Judge`]): by the engine itself, or by a program that has a GPU.
//!
//! In most turns a quick search finds the move; in some a full one does, and only these positions are
//! learned from: the visits of its moves are the policy to be learned. The root's priors of full searches
//! are mixed with noise, games begin with random turns, and now and then a turn is random, so that
//! refutations are seen, too.
//!
//! A sample is, little-endian, for a board of *n* cells: the number of the game (4 bytes); how many of
//! 65,535 the search gives the player to move (2); the result for the player to move, 0 or 1 (1); the
//! cells along a side (1); the bits of each cell (2·*n*, [`Knowledge::grid`]); the visits of the move on
//! each cell (2·*n*); and for each cell whether it is the player's to move when the game is over (*n*).

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use stoa_rules::playout::Rng;
use stoa_rules::{Game, Side};

use crate::games::{KnowledgeVisitor, visit};
use crate::mcts::{Leaf, Tree};
use crate::policy::{Grid, Judgement, MAX_GRID_SIDE};
use crate::{Knowledge, Stop, TreeSearchOptions};

/// How many bytes of a sample come before its cells.
pub(super) const SAMPLE_HEADER_BYTES: usize = 8;

/// How games are played.
#[derive(Debug, Clone, PartialEq)]
pub struct GuidedPlan {
    /// How many positions a full search judges.
    pub full: u32,
    /// How many positions a quick search judges.
    pub quick: u32,
    /// How many turns in 1,000 use a full search.
    pub full_share: u32,
    /// How many of a thousand moves are random.
    pub explore: u32,
    /// How many games each thread plays at a time.
    pub batch: usize,
    /// How many threads play.
    pub threads: usize,
    /// The seed: game number N is always the same with the same network and the same searches.
    pub seed: u64,
    /// The numbers of games that have been played already.
    pub played: BTreeSet<u32>,
}

/// Judges positions, many at a time.
pub trait Judge: Sync {
    /// Judges the positions of a thread: `side` × `side` cells each, one after the other. Returns nothing if there
    /// are no judgements any more.
    fn judge(&self, thread: usize, side: usize, cells: &[u16]) -> Option<Vec<Judgement>>;
}

/// The game is not played with policy networks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not played with a policy network")]
pub struct NoPolicy(Game);

/// How many cells a policy network sees of a game's board.
pub fn cells(game: Game) -> Result<usize, NoPolicy> {
    struct Cells;
    impl KnowledgeVisitor for Cells {
        type Output = usize;
        fn visit<P: Knowledge>(self, options: P::Options) -> usize {
            let mut grid: Grid = [0; MAX_GRID_SIDE * MAX_GRID_SIDE];
            P::start(options).grid(&mut grid).pow(2)
        }
    }
    match visit(game, Cells) {
        0 => Err(NoPolicy(game)),
        cells => Ok(cells),
    }
}

/// What a finished game teaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lessons {
    /// The number of the game.
    pub number: u32,
    /// How many turns the game had.
    pub turns: usize,
    /// How many samples there are.
    pub count: usize,
    /// The samples.
    pub bytes: Vec<u8>,
}

/// Plays games until it is stopped or nobody judges any more, or until all are over that were begun while `may_begin`
/// said so. When stopped, it leaves out games that have not come to an end.
pub fn play_guided(
    game: Game,
    plan: &GuidedPlan,
    judge: &dyn Judge,
    stop: &Stop,
    may_begin: &(dyn Fn() -> bool + Sync),
    finished: &(dyn Fn(Lessons) + Sync),
) -> Result<(), NoPolicy> {
    struct Play<'a>(
        Game,
        &'a GuidedPlan,
        &'a dyn Judge,
        &'a Stop,
        &'a (dyn Fn() -> bool + Sync),
        &'a (dyn Fn(Lessons) + Sync),
    );
    impl KnowledgeVisitor for Play<'_> {
        type Output = Result<(), NoPolicy>;
        fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
            let Play(game, plan, judge, stop, may_begin, finished) = self;
            if P::GRID_PLANES == 0 {
                return Err(NoPolicy(game));
            }
            let next = AtomicU32::new(0);
            let begin = || {
                let mut numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                let number = numbers.find(|number| !plan.played.contains(number));
                number
                    .filter(|_| may_begin())
                    .map(|number| GuidedGame::<P>::new(options, plan, number))
            };
            std::thread::scope(|scope| {
                for thread in 0..plan.threads {
                    let begin = &begin;
                    scope.spawn(move || play_some(plan, thread, judge, stop, begin, finished));
                }
            });
            Ok(())
        }
    }
    visit(game, Play(game, plan, judge, stop, may_begin, finished))
}

/// Plays games on one thread.
fn play_some<P: Knowledge>(
    plan: &GuidedPlan,
    thread: usize,
    judge: &dyn Judge,
    stop: &Stop,
    begin: &dyn Fn() -> Option<GuidedGame<P>>,
    finished: &dyn Fn(Lessons),
) {
    let mut games: Vec<GuidedGame<P>> = (0..plan.batch).map_while(|_| begin()).collect();
    let mut leaves = Vec::with_capacity(plan.batch);
    let mut cells = Vec::new();
    while !stop.is_stopped() {
        leaves.clear();
        cells.clear();
        let mut side = 0;
        while let Some(game) = games.get_mut(leaves.len()) {
            let Some(leaf) = game.leaf(plan) else {
                finished(game.lessons());
                match begin() {
                    Some(next) => *game = next,
                    None => drop(games.swap_remove(leaves.len())),
                }
                continue;
            };
            let mut grid: Grid = [0; MAX_GRID_SIDE * MAX_GRID_SIDE];
            side = leaf.position().grid(&mut grid);
            cells.extend_from_slice(&grid[..side * side]);
            leaves.push(leaf);
        }
        if leaves.is_empty() {
            return;
        }
        let judgements = judge.judge(thread, side, &cells);
        let Some(judgements) = judgements.filter(|all| all.len() == leaves.len()) else { return };
        for ((game, leaf), judgement) in games.iter_mut().zip(leaves.drain(..)).zip(&judgements) {
            game.settle(leaf, judgement);
        }
    }
}

/// A position to learn from, before the result is known.
struct Lesson {
    mover: Side,
    share: f32,
    cells: Vec<u16>,
    visits: Vec<u16>,
}

/// A game in progress.
struct GuidedGame<P: Knowledge> {
    number: u32,
    position: P,
    tree: Tree<P>,
    rng: Rng,
    turns: usize,
    /// How many turns at the beginning are random.
    random_turns: usize,
    is_full: bool,
    lessons: Vec<Lesson>,
}

impl<P: Knowledge> GuidedGame<P> {
    fn new(options: P::Options, plan: &GuidedPlan, number: u32) -> GuidedGame<P> {
        const TREE_BYTES: usize = 64 << 20;
        let mut rng = Rng::for_game(plan.seed, number.into());
        let position = P::start(options);
        let mut grid: Grid = [0; MAX_GRID_SIDE * MAX_GRID_SIDE];
        let side = position.grid(&mut grid);
        let random_turns = if rng.below(2) == 0 { 0 } else { rng.below(side + 1) };
        let mut game = GuidedGame {
            number,
            position,
            tree: Tree::new(TREE_BYTES),
            rng,
            turns: 0,
            random_turns,
            is_full: false,
            lessons: Vec::new(),
        };
        game.begin_turn(plan);
        game
    }

    /// Prepares the search of the next move, after moves that are random.
    fn begin_turn(&mut self, plan: &GuidedPlan) {
        while self.position.outcome().is_none()
            && (self.turns < self.random_turns || self.rng.below(1000) < plan.explore as usize)
        {
            let count = self.position.count_moves();
            if let Some(mv) = self.position.nth_move(self.rng.below(count)) {
                self.play(mv);
            }
        }
        self.is_full = self.rng.below(1000) < plan.full_share as usize;
        self.tree.begin(&self.position, TreeSearchOptions::GUIDED);
    }

    fn play(&mut self, mv: P::Move) {
        self.position.play_unchecked(mv);
        self.turns += 1;
    }

    /// The next position to be judged, after as many moves as the searches have found meanwhile; nothing
    /// when the game is over.
    fn leaf(&mut self, plan: &GuidedPlan) -> Option<Leaf<P>> {
        loop {
            if self.position.outcome().is_some() {
                return None;
            }
            let wanted = if self.is_full { plan.full } else { plan.quick };
            if self.tree.root_visits() >= wanted || self.tree.is_settled(1) {
                self.finish_turn(plan);
                continue;
            }
            self.tree.recycle(|| false);
            if let Some(leaf) = self.tree.descend(1) {
                return Some(leaf);
            }
        }
    }

    fn settle(&mut self, leaf: Leaf<P>, judgement: &Judgement) {
        let at_root = self.tree.root_visits() == 0;
        self.tree.settle(leaf, judgement);
        if at_root && self.is_full {
            self.tree.add_noise(&mut self.rng);
        }
    }

    /// Keeps what is to be learned, and plays a move.
    fn finish_turn(&mut self, plan: &GuidedPlan) {
        let visits = self.tree.root_moves();
        let total: u32 = visits.iter().map(|(_, visits)| visits).sum();
        if self.is_full && total > 0 {
            let mut grid: Grid = [0; MAX_GRID_SIDE * MAX_GRID_SIDE];
            let side = self.position.grid(&mut grid);
            let mut by_cell = vec![0; side * side];
            for &(mv, visits) in &visits {
                by_cell[self.position.grid_cell(mv)] = visits.min(u16::MAX.into()) as u16;
            }
            self.lessons.push(Lesson {
                mover: self.position.side_to_move(),
                share: 1.0 - self.tree.root_share(),
                cells: grid[..side * side].to_vec(),
                visits: by_cell,
            });
        }
        // The opening varies as much as the search is in doubt, later moves rarely do.
        let varied = self.turns < 12 || self.rng.below(100) < 5;
        let best = visits.iter().max_by_key(|(_, visits)| *visits);
        let chosen = if varied && total > 0 {
            let mut left = self.rng.below(total as usize) as u32;
            visits.iter().find(|(_, visits)| {
                let found = left < *visits;
                left = left.saturating_sub(*visits);
                found
            })
        } else {
            best
        };
        let mv = chosen.or(best).map(|(mv, _)| *mv).or_else(|| self.position.nth_move(0));
        if let Some(mv) = mv {
            self.play(mv);
        }
        self.begin_turn(plan);
    }

    /// What a game that is over teaches.
    fn lessons(&self) -> Lessons {
        let winner = self.position.outcome().and_then(|outcome| outcome.winner);
        let mut bytes = Vec::new();
        for lesson in &self.lessons {
            let side = lesson.cells.len().isqrt();
            bytes.extend_from_slice(&self.number.to_le_bytes());
            bytes.extend_from_slice(&((lesson.share * 65_535.0) as u16).to_le_bytes());
            bytes.push(u8::from(winner == Some(lesson.mover)));
            bytes.push(side as u8);
            for values in [&lesson.cells, &lesson.visits] {
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            }
            let first = lesson.mover == Side::First;
            bytes.extend(
                (0..side * side).map(|cell| u8::from(self.position.grid_owner(cell) == first)),
            );
        }
        Lessons { number: self.number, turns: self.turns, count: self.lessons.len(), bytes }
    }
}
