//! Actions and observations of a position of any game.

use stoa_rules::{AnyPosition, Game, MoveError, Notation, Side};

use crate::{Encode, Shape};

/// An action that cannot be taken, or a move that has none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// There are fewer actions than that.
    #[error("there is no action {action}; {game} has the actions 0 to {last}")]
    OutOfRange {
        /// The action.
        action: i64,
        /// The game.
        game: Game,
        /// The last action there is.
        last: usize,
    },
    /// The action stands for no move in this position.
    #[error("action {action} stands for no move here; legal is, for example, {example}")]
    NoMove {
        /// The action.
        action: usize,
        /// A legal action.
        example: usize,
    },
    /// The action's move is not legal.
    #[error("action {action} is not legal: {error}")]
    Illegal {
        /// The action.
        action: usize,
        /// What is wrong with its move.
        error: Box<MoveError>,
    },
    /// There are no moves any more.
    #[error("action {action} is not legal: the game is over, {result}")]
    GameOver {
        /// The action.
        action: usize,
        /// How it ended, as records write it.
        result: String,
    },
    /// The move is not legal.
    #[error(transparent)]
    Move(Box<MoveError>),
    /// A legal move has no action, which only happens in positions that play cannot reach.
    #[error("{text} has no action: play cannot reach this position, and actions are made for play")]
    NoAction {
        /// The move.
        text: String,
    },
}

impl From<MoveError> for ActionError {
    fn from(error: MoveError) -> ActionError {
        ActionError::Move(Box::new(error))
    }
}

/// Runs an expression with a position in its own type.
macro_rules! typed {
    ($position:expr, |$typed:ident| $body:expr) => {
        stoa_rules::dispatch!($position.game(), |P, _options| {
            let $typed: &P = $position.downcast().expect("a position has the type of its game");
            $body
        })
    };
}

/// Lists the legal actions of a position, in the order of its moves; none when the game is over.
pub fn legal_actions(position: &AnyPosition, actions: &mut Vec<usize>) -> Result<(), ActionError> {
    fn list<P: Encode>(position: &P, actions: &mut Vec<usize>) -> Result<(), ActionError> {
        let moves = position.legal_moves();
        actions.reserve(moves.len());
        let listed = position.actions_of(&moves, |action| actions.push(action));
        listed.map_err(|mv| no_action(position, mv))
    }
    typed!(position, |typed| list(typed, actions))
}

/// Writes 1 for every legal action and 0 for the others.
///
/// # Panics
/// When the mask has another length than there are actions.
pub fn legal_mask(position: &AnyPosition, mask: &mut [i8]) -> Result<(), ActionError> {
    assert_eq!(mask.len(), Shape::of(position.game()).actions, "a place for each action");
    typed!(position, |typed| mask_of(typed, mask, &mut Vec::new()))
}

/// The same for a position in its own type; `moves` is empty before and after.
pub(crate) fn mask_of<P: Encode>(
    position: &P,
    mask: &mut [i8],
    moves: &mut Vec<P::Move>,
) -> Result<(), ActionError> {
    mask.fill(0);
    position.generate(moves);
    let marked = position.actions_of(moves, |action| mask[action] = 1);
    moves.clear();
    marked.map_err(|mv| no_action(position, mv))
}

/// The action of a move given as text.
pub fn action_of(position: &AnyPosition, text: &str) -> Result<usize, ActionError> {
    // Says in words what is wrong with a move that is not legal.
    let text = position.clone().play(text)?;
    typed!(position, |typed| {
        let mv = typed.parse_move(&text).map_err(MoveError::from)?;
        typed.action(mv).ok_or_else(|| no_action(typed, mv))
    })
}

/// The text of the move that a legal action stands for.
pub fn move_of(position: &AnyPosition, action: usize) -> Result<String, ActionError> {
    typed!(position, |typed| legal_move(typed, action).map(|mv| typed.move_text(mv)))
}

/// The position after a legal action.
#[inline]
pub fn play(position: &AnyPosition, action: usize) -> Result<AnyPosition, ActionError> {
    fn after<P: Encode>(position: &P, action: usize) -> Result<AnyPosition, ActionError> {
        let mut next = position.clone();
        next.play_unchecked(legal_move(position, action)?);
        Ok(AnyPosition::new(next))
    }
    typed!(position, |typed| after(typed, action))
}

/// A legal action seen through a symmetry of the board (see [`stoa_rules::Symmetry`]): the action of
/// the same move in the transformed position.
///
/// # Panics
/// When the position has fewer symmetries than that.
pub fn transform_action(
    position: &AnyPosition,
    action: usize,
    symmetry: usize,
) -> Result<usize, ActionError> {
    fn transformed<P: Encode>(
        position: &P,
        action: usize,
        symmetry: usize,
    ) -> Result<usize, ActionError> {
        assert!(symmetry < position.symmetries(), "there is such a symmetry");
        let mv = position.transform_move(legal_move(position, action)?, symmetry);
        let seen = position.transform(symmetry);
        seen.action(mv).ok_or_else(|| no_action(&seen, mv))
    }
    typed!(position, |typed| transformed(typed, action, symmetry))
}

/// Writes what a player sees: plane after plane, in each the rows from the bottom up.
///
/// # Panics
/// When the planes have another length than [`Shape::observation`] says.
pub fn observe(position: &AnyPosition, viewer: Side, planes: &mut [f32]) {
    assert_eq!(planes.len(), Shape::of(position.game()).observation(), "a place for each cell");
    planes.fill(0.0);
    typed!(position, |typed| typed.observe(viewer, planes));
}

/// The legal move that an action stands for.
#[inline]
pub(crate) fn legal_move<P: Encode>(position: &P, action: usize) -> Result<P::Move, ActionError> {
    if action < P::actions(position.options())
        && let Some(mv) = position.move_of(action)
        && position.violation(mv).is_none()
        && position.outcome().is_none()
    {
        return Ok(mv);
    }
    Err(refusal(position, action))
}

/// Why an action cannot be taken.
#[cold]
fn refusal<P: Encode>(position: &P, action: usize) -> ActionError {
    let game = P::game(position.options());
    if let Some(error) = out_of_range::<P>(position.options(), action as i64) {
        return error;
    }
    if let Some(outcome) = position.outcome() {
        let result = stoa_rules::result_text(game, Some(outcome));
        return ActionError::GameOver { action, result };
    }
    if let Some(mv) = position.move_of(action)
        && let Err(error) = AnyPosition::new(position.clone()).play(&position.move_text(mv))
    {
        return ActionError::Illegal { action, error: Box::new(error) };
    }
    let example = position.nth_move(0).and_then(|mv| position.action(mv)).unwrap_or_default();
    ActionError::NoMove { action, example }
}

/// What is wrong with an action that is none of the game's.
pub(crate) fn out_of_range<P: Encode>(options: P::Options, action: i64) -> Option<ActionError> {
    let last = P::actions(options) - 1;
    let is_known = usize::try_from(action).is_ok_and(|action| action <= last);
    (!is_known).then(|| ActionError::OutOfRange { action, game: P::game(options), last })
}

#[cold]
fn no_action<P: Encode>(position: &P, mv: P::Move) -> ActionError {
    ActionError::NoAction { text: position.move_text(mv) }
}
