//! What kind of move a move is, for puzzles. Only what the rules themselves say counts.

use crate::{AnyPosition, Notation, Playable, Reason, Visitor};

/// A kind of move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Theme {
    /// The opponent is left without a move.
    Block,
    /// The pawns are connected.
    Path,
    /// A checker is borne off.
    BearOff,
    /// A single is crowned.
    Crown,
    /// A double and a single change places.
    Transpose,
    /// A checker is removed at an impasse.
    Removal,
    /// Enemy stones are captured, or an enemy stack is taken over.
    Capture,
    /// A loop is closed without capturing anything.
    Loop,
    /// An empty tower is claimed.
    Claim,
    /// Enemy towers are taken by siege.
    Siege,
}

/// Positions that can tell what kind of move a move is.
pub trait Themes: Notation {
    /// The kind of a legal move that leads to `after`, apart from the kinds that follow from the
    /// end of the game.
    fn theme(&self, mv: Self::Move, after: &Self) -> Option<Theme>;
}

impl AnyPosition {
    /// What kind of move a legal move is, if it is of any.
    pub fn theme(&self, mv: &str) -> Option<Theme> {
        struct Find<'a>(&'a AnyPosition, &'a str);
        impl Visitor for Find<'_> {
            type Output = Option<Theme>;
            fn visit<P: Playable>(self, _: P::Options) -> Option<Theme> {
                let position = self.0.downcast::<P>()?;
                let mv = position.parse_move(self.1).ok()?;
                let mut after = position.clone();
                after.play(mv).ok()?;
                match after.outcome().map(|outcome| outcome.reason) {
                    Some(Reason::NoMove) => Some(Theme::Block),
                    Some(Reason::Path) => Some(Theme::Path),
                    _ => position.theme(mv, &after),
                }
            }
        }
        self.game().visit(Find(self, mv))
    }
}
