//! What the engine knows about a game besides its rules.

use stoa_rules::Playable;
use stoa_rules::playout::Rng;

use crate::matches::OpeningLength;
use crate::net::InputGroups;
use crate::policy::Grid;
use crate::{LevelTable, Strategy, TenToOne, Term, TermSink, TreeSearchOptions};

/// What the engine knows of a game: how to evaluate a position, in which order to search moves, how
/// playouts go, and how strong the levels are. Each game implements it in its own folder of `games/`.
pub trait Knowledge: Playable {
    /// The terms of the evaluation.
    const TERMS: &'static [Term];

    /// The names of the terms that a review never gives as a reason: that the other player is to move
    /// now is not a mistake.
    const UNEXPLAINED_TERMS: &'static [&'static str] = &["tempo"];

    /// The size of the history table: how many values [`history_index`](Knowledge::history_index)
    /// can take.
    const HISTORY_SIZE: usize;

    /// Whether the search follows [noisy](Knowledge::is_noisy) moves beyond its last ply (quiescence
    /// search).
    const QUIESCENCE: bool = false;

    /// How many moves of a node are searched at depths 1, 2 and so on; later ones are skipped unless they are
    /// [noisy](Knowledge::is_noisy) (late move pruning). At greater depths all are searched.
    const MAX_MOVES_BY_DEPTH: &'static [u32] = &[];

    /// The weights of the terms, as text.
    fn weights(options: Self::Options) -> &'static str;

    /// The first level that judges positions with the game's network, where it has one. Those below take
    /// the hand-made terms, with which they were calibrated.
    const FIRST_LEVEL_WITH_NET: u8 = 6;

    /// The levels of strength.
    fn levels(options: Self::Options) -> LevelTable;

    /// The same with the hand-made terms in place of the network, which is how the engine plays in a browser that
    /// cannot have the network.
    fn levels_with_terms(options: Self::Options) -> LevelTable {
        Self::levels(options)
    }

    /// What the levels lose per move in games against themselves, from which a review reads accuracy, as text:
    /// rows of level, loss and number of moves. `accuracy.txt` is that of the usual options, `accuracy-OPTION.txt` that
    /// of others; where the option is a size, the nearest one counts, the smaller of two.
    fn level_losses(options: Self::Options) -> &'static str;

    /// Whether a search proves nearly every position: then accuracy counts moves whose result is proven, too.
    const IS_SOLVED: bool = false;

    /// What the scores of a search by [`Strategy::AlphaBeta`] mean before they are scaled for people.
    fn ten_to_one(_: Self::Options) -> TenToOne {
        TenToOne::default()
    }

    /// The strategy that won the comparison in matches.
    fn strategy(options: Self::Options) -> Strategy;

    /// The options of the tree search.
    fn tree_search_options(_: Self::Options) -> TreeSearchOptions {
        TreeSearchOptions::default()
    }

    /// How long the openings of matches are, and how carefully they are checked for balance.
    fn opening_length(_: Self::Options) -> OpeningLength {
        OpeningLength::default()
    }

    /// Counts the terms of a position that is not over.
    fn terms(&self, sink: &mut impl TermSink);

    /// The index of a move in the history table, below [`HISTORY_SIZE`](Knowledge::HISTORY_SIZE).
    /// Moves that resemble each other share an index.
    fn history_index(&self, mv: Self::Move) -> usize;

    /// How good a move looks before it is searched; 0 for an ordinary one. Noisy moves score higher.
    fn ordering_score(&self, mv: Self::Move) -> i32;

    /// Whether a move changes so much that the position should not be evaluated before it has been
    /// played: captures, conversions, threats.
    fn is_noisy(&self, _: Self::Move) -> bool {
        false
    }

    /// Whether there may be noisy moves at all: a quick test that saves generating the moves.
    fn has_noisy_moves(&self) -> bool {
        true
    }

    /// How many inputs each group of a network's inputs has. The engine does not use networks in a
    /// game without any.
    const NET_INPUTS: &'static [u8] = &[];

    /// The maximum number of inputs that a position sets. A network whose weights could overflow with that many
    /// is refused.
    const NET_MAX_SET: u16 = 0;

    /// How many phases of the game a network tells apart.
    const NET_BUCKETS: usize = 1;

    /// The network that comes with the engine: the bytes of its file.
    fn net(_: Self::Options) -> Option<&'static [u8]> {
        None
    }

    /// Sets what a network sees of a position, from the point of view of the player to move.
    fn net_inputs(&self, _: &mut InputGroups) {}

    /// The phase of the game, below [`NET_BUCKETS`](Knowledge::NET_BUCKETS).
    fn net_bucket(&self) -> usize {
        0
    }

    /// How many bits a policy network sees of each cell, at most [`PLANES`](crate::policy::PLANES). The engine does
    /// not use policy networks in a game without any.
    const GRID_PLANES: usize = 0;

    /// Sets what a policy network sees of a position, from the point of view of the player to move: the bits of
    /// each cell of a square board, row by row from the bottom. Returns how many cells a row has. The board may
    /// be turned and reflected.
    fn grid(&self, _: &mut Grid) -> usize {
        0
    }

    /// The cell of a move, as a policy network counts them.
    fn grid_cell(&self, _: Self::Move) -> usize {
        0
    }

    /// Whether a cell is the first player's when the game is over: what a policy network learns beside the
    /// result.
    fn grid_owner(&self, _cell: usize) -> bool {
        false
    }

    /// A move for a playout: random, but not foolish. `None` if the game is over.
    fn playout_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        self.nth_move(rng.below(self.count_moves()))
    }
}
