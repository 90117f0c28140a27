//! What kind of move a puzzle is about. Only what the rules themselves say counts.

use stoa_rules::view::{Piece, View};
use stoa_rules::{AnyPosition, Notation, Reason, Side, colossus, impasse};

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

/// The theme of a legal move.
pub(super) fn theme(position: &AnyPosition, mv: &str) -> Option<Theme> {
    let mut after = position.clone();
    after.play(mv).ok()?;
    let mover = position.side_to_move();
    match after.outcome().map(|outcome| outcome.reason) {
        Some(Reason::NoMove) => return Some(Theme::Block),
        Some(Reason::Path) => return Some(Theme::Path),
        _ => {}
    }
    if let Some(position) = position.downcast::<impasse::Position>() {
        let mv = position.parse_move(mv).ok()?;
        return match mv.action {
            impasse::Action::Remove(_) => Some(Theme::Removal),
            _ if mv.bears_off => Some(Theme::BearOff),
            _ if mv.crown.is_some() => Some(Theme::Crown),
            impasse::Action::Transpose { .. } => Some(Theme::Transpose),
            impasse::Action::Slide { .. } => None,
        };
    }
    let (view, next) = (position.view(), after.view());
    if let Some(position) = position.downcast::<colossus::Position>() {
        let claims = matches!(position.parse_move(mv), Ok(colossus::Move::Claim { .. }));
        let sieges = count(&next, |piece| *piece == Piece::Tower(Some(mover.other())))
            < count(&view, |piece| *piece == Piece::Tower(Some(mover.other())));
        return if sieges { Some(Theme::Siege) } else { claims.then_some(Theme::Claim) };
    }
    let enemy = |piece: &Piece| owner(piece) == Some(mover.other());
    if count(&next, enemy) < count(&view, enemy) {
        return Some(Theme::Capture);
    }
    let owned = |view: &View| view.spots.iter().filter(|spot| spot.owner == Some(mover)).count();
    (owned(&next) > owned(&view)).then_some(Theme::Loop)
}

fn count(view: &View, which: impl Fn(&Piece) -> bool) -> usize {
    view.spots.iter().filter_map(|spot| spot.piece.as_ref()).filter(|piece| which(piece)).count()
}

/// Whose stone or stack it is. Colonnade's stacks are everybody's.
fn owner(piece: &Piece) -> Option<Side> {
    match piece {
        Piece::Stone(side) => Some(*side),
        Piece::Stack { owner, .. } => Some(*owner),
        _ => None,
    }
}
