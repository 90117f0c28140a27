//! Whether the proof search makes a position a puzzle: one move wins, and no other.

use stoa_engine::{Knowledge, KnowledgeVisitor, Stop, visit};
use stoa_rules::AnyPosition;

use super::{PROOF_MEMORY, PROOF_NODES};
use crate::Verdict;
use crate::proof::{Budget, prove};

/// After this many positions in a row that cannot be proven, earlier ones cannot be either.
const MAX_UNKNOWN: u32 = 3;

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

/// The one winning move of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WinningMove {
    /// The move.
    pub(super) mv: String,
    /// What is known of the position after it.
    pub(super) after: Proof,
}

/// Asks the proof search about positions.
pub(super) struct Judge<'a> {
    /// How many positions in a row were beyond it.
    unknown: u32,
    stop: &'a Stop,
}

impl<'a> Judge<'a> {
    pub(super) fn new(stop: &'a Stop) -> Judge<'a> {
        Judge { unknown: 0, stop }
    }

    /// Whether it is no use to go further back in a game.
    pub(super) fn is_out_of_depth(&self) -> bool {
        self.unknown >= MAX_UNKNOWN
    }

    /// Whether one move wins and all others are proven not to, and which.
    pub(super) fn judge(&mut self, position: &AnyPosition) -> Option<WinningMove> {
        if position.outcome().is_some() || position.count_moves() < 3 {
            return None;
        }
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
        for other in position.legal_moves().into_iter().filter(|other| *other != mv) {
            if self.proof_after(position, &other)?.least == Verdict::Loss {
                return None;
            }
        }
        (!self.stop.is_stopped()).then_some(WinningMove { mv, after })
    }

    fn proof_after(&self, position: &AnyPosition, mv: &str) -> Option<Proof> {
        let mut after = position.clone();
        after.play(mv).ok()?;
        Some(proof(&after, PROOF_NODES, self.stop))
    }
}
