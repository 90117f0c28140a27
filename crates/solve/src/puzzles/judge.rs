//! Whether a position is a puzzle: one right move, and all others wrong.

use stoa_engine::{
    Engine, Knowledge, KnowledgeVisitor, Limits, Settings, Stop, Strategy, Thought, visit,
};
use stoa_rules::{AnyPosition, Game};

use super::{Certainty, Goal, PROOF_MEMORY, PROOF_NODES};
use crate::Verdict;
use crate::proof::{Budget, prove};

/// The first look at a position: whether it may be a puzzle.
const SCAN_NODES: u64 = 6_000;

/// The long look where not everything is proven.
const LONG_NODES: u64 = 200_000;

/// A move may be the only good one if, after the first look, it wins so much more often than the
/// second best.
const PROMISING_GAP: f64 = 0.25;

/// After the long look, moves that do not win may win this often at most, and those that hold must
/// win this often at least.
const CLEARLY_NOT_WINNING: f64 = 0.6;
const CLEARLY_HOLDING: f64 = 0.4;

/// After so many positions in a row that cannot be proven, earlier ones cannot be either.
const MOST_UNKNOWN: u32 = 3;

/// What is proven of a position, for the player to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Proof {
    pub(super) least: Verdict,
    pub(super) most: Verdict,
    /// How the game goes on, if that is proven: the loser holds out.
    pub(super) line: Vec<String>,
    /// Whether the line goes to the end of the game.
    pub(super) is_whole: bool,
}

/// Proves what a position is worth, as far as [`PROOF_NODES`] go.
pub(super) fn proof(position: &AnyPosition, nodes: u64, stop: &Stop) -> Proof {
    struct Prover<'a>(&'a AnyPosition, u64, &'a Stop);
    impl KnowledgeVisitor for Prover<'_> {
        type Output = Option<Proof>;
        fn visit<P: Knowledge>(self, _: P::Options) -> Option<Proof> {
            let mut position = self.0.downcast::<P>()?.clone();
            let budget = Budget { nodes: Some(self.1), time: None, memory: PROOF_MEMORY };
            let answer = prove(&position, &budget, self.2, &mut |_| {});
            let mut line = Vec::with_capacity(answer.line.len());
            for &mv in &answer.line {
                line.push(position.move_text(mv));
                position.play_unchecked(mv);
            }
            let (least, most) = (answer.least, answer.most);
            Some(Proof { least, most, line, is_whole: answer.is_line_whole })
        }
    }
    let unknown =
        Proof { least: Verdict::Loss, most: Verdict::Win, line: Vec::new(), is_whole: false };
    visit(position.game(), Prover(position, nodes, stop)).unwrap_or(unknown)
}

/// What was found about a position with one right move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) goal: Goal,
    pub(super) certainty: Certainty,
    /// The right move.
    pub(super) mv: String,
    /// What is known of the position after it.
    pub(super) after: Proof,
}

/// One who judges positions, with an engine of full strength to point at moves.
pub(super) struct Judge<'a> {
    engine: Engine,
    /// Whether only what is proven as a whole is a puzzle.
    only_proven: bool,
    /// How many positions in a row were beyond the proof search.
    unknown: u32,
    stop: &'a Stop,
}

impl<'a> Judge<'a> {
    pub(super) fn new(game: Game, stop: &'a Stop) -> Option<Judge<'a>> {
        let settings = Settings {
            strategy: Some(Strategy::AlphaBeta),
            table: 8,
            lines: 2,
            ..Settings::default()
        };
        // In these the proof search comes far enough; in wide games it does not.
        let only_proven = matches!(game, Game::Colonnade | Game::Impasse | Game::Palisade(_));
        Some(Judge { engine: Engine::new(game, settings).ok()?, only_proven, unknown: 0, stop })
    }

    /// Whether it is no use to go further back in a game.
    pub(super) fn is_out_of_depth(&self) -> bool {
        self.unknown >= MOST_UNKNOWN
    }

    /// Whether a position has one right move, and which.
    pub(super) fn judge(&mut self, position: &AnyPosition) -> Option<Found> {
        if position.outcome().is_some() || position.count_moves() < 3 {
            return None;
        }
        if self.only_proven { self.judge_by_proof(position) } else { self.judge_by_look(position) }
    }

    /// Asks the proof search alone.
    fn judge_by_proof(&mut self, position: &AnyPosition) -> Option<Found> {
        let found = proof(position, PROOF_NODES, self.stop);
        self.unknown = if found.least == found.most { 0 } else { self.unknown + 1 };
        if found.least != Verdict::Win {
            return None;
        }
        let mv = found.line.first()?.clone();
        let after = self.proof_after(position, &mv)?;
        if after.most != Verdict::Loss {
            return None;
        }
        self.only_win(position, mv, after)
    }

    /// Lets the engine say which positions are worth a proof.
    fn judge_by_look(&mut self, position: &AnyPosition) -> Option<Found> {
        let first = self.think(position, SCAN_NODES);
        let [best, second] = first.lines.as_slice() else { return None };
        let gap = best.score.win_probability() - second.score.win_probability();
        if second.score.is_win() || best.score.is_loss() || gap < PROMISING_GAP {
            return None;
        }
        let mv = best.moves.first()?.clone();
        let after = self.proof_after(position, &mv)?;
        if after.most == Verdict::Loss {
            self.only_win(position, mv, after)
        } else if second.score.is_loss() {
            self.only_hold(position, mv, after)
        } else {
            None
        }
    }

    /// The move wins: does any other?
    fn only_win(&mut self, position: &AnyPosition, mv: String, after: Proof) -> Option<Found> {
        let mut all_known = true;
        for other in position.legal_moves().into_iter().filter(|other| *other != mv) {
            let answer = self.proof_after(position, &other)?;
            if answer.most == Verdict::Loss {
                return None;
            }
            if answer.least == Verdict::Loss {
                all_known = false;
                break;
            }
        }
        let certainty = if all_known {
            Certainty::Proven
        } else if self.only_proven || !self.others_look_bad(position, &mv) {
            return None;
        } else {
            Certainty::Move
        };
        (!self.stop.is_stopped()).then_some(Found { goal: Goal::Win, certainty, mv, after })
    }

    /// The move may hold: does every other one lose?
    fn only_hold(&mut self, position: &AnyPosition, mv: String, after: Proof) -> Option<Found> {
        for other in position.legal_moves().into_iter().filter(|other| *other != mv) {
            if self.proof_after(position, &other)?.least != Verdict::Win {
                return None;
            }
        }
        let certainty = if after.most <= Verdict::Draw {
            Certainty::Proven
        } else if after.least == Verdict::Win || !self.holds(position, &mv) {
            return None;
        } else {
            Certainty::Others
        };
        (!self.stop.is_stopped()).then_some(Found { goal: Goal::Hold, certainty, mv, after })
    }

    fn others_look_bad(&mut self, position: &AnyPosition, mv: &str) -> bool {
        let thought = self.think(position, LONG_NODES);
        let [best, second] = thought.lines.as_slice() else { return false };
        best.moves.first().is_some_and(|best| best == mv)
            && best.score.is_win()
            && !second.score.is_win()
            && second.score.win_probability() <= CLEARLY_NOT_WINNING
    }

    fn holds(&mut self, position: &AnyPosition, mv: &str) -> bool {
        let thought = self.think(position, LONG_NODES);
        thought.best() == Some(mv)
            && thought.score().is_some_and(|score| score.win_probability() >= CLEARLY_HOLDING)
    }

    fn proof_after(&self, position: &AnyPosition, mv: &str) -> Option<Proof> {
        let mut after = position.clone();
        after.play(mv).ok()?;
        Some(proof(&after, PROOF_NODES, self.stop))
    }

    /// What the engine would answer to a position.
    pub(super) fn reply(&mut self, position: &AnyPosition) -> Option<String> {
        self.think(position, SCAN_NODES).best().map(str::to_owned)
    }

    fn think(&mut self, position: &AnyPosition, nodes: u64) -> Thought {
        self.engine.think(position, &Limits::nodes(nodes), self.stop, &mut |_| {})
    }
}
