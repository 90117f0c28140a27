//! The evaluation's terms, counted for each player separately.

use stoa_rules::{AnyPosition, Side};

use crate::games::{KnowledgeVisitor, visit};
use crate::{Knowledge, Term, TermSink};

/// How much of a term each player has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermCount {
    /// The term.
    pub term: &'static Term,
    /// The first player's count and the second's.
    pub counts: [i32; 2],
    /// Whether a review may give it as a reason.
    pub is_reason: bool,
}

/// How much of each term the players have in a position. A finished game has no terms.
pub fn term_counts(position: &AnyPosition) -> Vec<TermCount> {
    if position.outcome().is_some() {
        return Vec::new();
    }
    struct Count<'a>(&'a AnyPosition);
    impl KnowledgeVisitor for Count<'_> {
        type Output = Option<Vec<TermCount>>;
        fn visit<P: Knowledge>(self, _: P::Options) -> Self::Output {
            self.0.downcast::<P>().map(counted)
        }
    }
    visit(position.game(), Count(position)).unwrap_or_default()
}

fn counted<P: Knowledge>(position: &P) -> Vec<TermCount> {
    struct Counts(Vec<TermCount>);
    impl TermSink for Counts {
        fn add(&mut self, term: usize, side: Side, count: i32) {
            self.0[term].counts[side.index()] += count;
        }
    }
    let zero = |term: &'static Term| {
        let is_reason = !P::UNEXPLAINED_TERMS.contains(&term.name);
        TermCount { term, counts: [0, 0], is_reason }
    };
    let mut counts = Counts(P::TERMS.iter().map(zero).collect());
    position.terms(&mut counts);
    counts.0
}
