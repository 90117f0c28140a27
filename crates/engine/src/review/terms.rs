//! The evaluation's terms, counted for each player apart.

use stoa_rules::{AnyPosition, Side};

use crate::games::{KnowledgeVisitor, visit};
use crate::{Knowledge, Tally, Term};

/// How much of a term each player has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// The term.
    pub term: &'static Term,
    /// The first player's count and the second's.
    pub counts: [i32; 2],
}

/// How much of each term the players have in a position. A finished game has no terms.
pub fn held(position: &AnyPosition) -> Vec<Held> {
    if position.outcome().is_some() {
        return Vec::new();
    }
    struct Count<'a>(&'a AnyPosition);
    impl KnowledgeVisitor for Count<'_> {
        type Output = Option<Vec<Held>>;
        fn visit<P: Knowledge>(self, _: P::Options) -> Self::Output {
            self.0.downcast::<P>().map(counted)
        }
    }
    visit(position.game(), Count(position)).unwrap_or_default()
}

fn counted<P: Knowledge>(position: &P) -> Vec<Held> {
    struct Counts(Vec<Held>);
    impl Tally for Counts {
        fn add(&mut self, term: usize, side: Side, count: i32) {
            self.0[term].counts[side.index()] += count;
        }
    }
    let none = |term| Held { term, counts: [0, 0] };
    let mut counts = Counts(P::TERMS.iter().map(none).collect());
    position.terms(&mut counts);
    counts.0
}
