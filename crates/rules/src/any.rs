//! A position of any game, over text: for interfaces, servers and everything that is not a search.
//!
//! ```
//! use stoa_rules::Game;
//!
//! let mut position = Game::Impasse.position("1w6/8/8/4W3/8/8/8/6b1 w")?;
//! assert_eq!(
//!     position.play("e5-a1*").unwrap_err().to_string(),
//!     "e5-a1* is not legal: a crown is due (impasse clause 4), for example e5-a1*+a1>b8"
//! );
//! assert_eq!(position.play("E5-A1+a1>b8")?, "e5-a1*+a1>b8");
//! assert_eq!(position.text(), "1W6/8/8/8/8/8/8/6b1 b");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;

use crate::fold::Fold;
use crate::playout::{RandomGame, Rng, random_game};
use crate::view::View;
use crate::{
    AnySetup, Game, GameOptions, NotAChoice, Objection, Outcome, ParseError, Playable, Refusal,
    Role, Selection, Setup, Side, Step, explain, perft,
};

/// A position of any game.
pub struct AnyPosition {
    game: Game,
    position: Box<dyn Erased>,
}

/// The clicks that make sense next.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Choices {
    /// What may be clicked next.
    pub next: Vec<Step>,
    /// What the next click may be for.
    pub roles: Vec<Role>,
    /// The move that the clicks so far stand for, if they are enough.
    pub complete: Option<String>,
}

impl AnyPosition {
    /// Erases the type of a position.
    pub fn new<P: Playable>(position: P) -> AnyPosition {
        AnyPosition { game: P::game(position.options()), position: Box::new(position) }
    }

    /// The game with its options.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The position in its own type, if that is `P`.
    pub fn downcast<P: Playable>(&self) -> Option<&P> {
        self.position.as_any().downcast_ref()
    }

    /// The canonical text.
    pub fn text(&self) -> String {
        self.position.text()
    }

    /// Whose turn it is, or would be.
    pub fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    /// The result, when the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    /// Every legal move, in canonical text.
    pub fn legal_moves(&self) -> Vec<String> {
        self.position.legal_moves()
    }

    /// The number of legal moves.
    pub fn count_moves(&self) -> usize {
        self.position.count_moves()
    }

    /// Plays a move and returns its canonical text; if it is not legal, nothing changes.
    pub fn play(&mut self, text: &str) -> Result<String, MoveError> {
        self.position.play(self.game, text)
    }

    /// The board as it is to be drawn.
    pub fn view(&self) -> View {
        self.position.view()
    }

    /// What may be clicked after some clicks.
    pub fn choices(&self, clicks: &[Step]) -> Result<Choices, NotAChoice> {
        self.position.choices(clicks)
    }

    /// Why clicks lead to no legal move, if there is more to say than that.
    pub fn explain_clicks(&self, clicks: &[Step]) -> Option<Refusal> {
        self.position.explain_clicks(clicks)
    }

    /// The parts of the position, to be changed one by one.
    pub fn to_setup(&self) -> AnySetup {
        self.position.to_setup()
    }

    /// The clicks that stand for a move, if it is legal.
    pub fn steps(&self, text: &str) -> Option<Vec<Step>> {
        self.position.steps(text)
    }

    /// The number of sequences of exactly `depth` moves.
    pub fn perft(&self, depth: u32) -> u64 {
        self.position.perft(depth)
    }

    /// What a random game from here is like.
    pub fn random_game(&self, rng: &mut Rng) -> RandomGame {
        self.position.random_game(rng)
    }

    /// The hash key.
    pub fn key(&self) -> u64 {
        self.position.key()
    }

    /// The key that this position shares with all that differ from it only by a symmetry or by stall
    /// counts.
    pub fn folded_key(&self) -> u64 {
        self.position.folded_key()
    }

    /// Every legal move with the text that it shares with all moves that differ from it only by a
    /// symmetry of the position, whichever way the board is turned.
    pub fn folded_moves(&self) -> Vec<(String, String)> {
        self.position.folded_moves()
    }

    /// A legal move for each folded one: the first of those that share it.
    pub fn unfolded_moves(&self) -> BTreeMap<String, String> {
        let mut moves = BTreeMap::new();
        for (text, folded) in self.folded_moves() {
            moves.entry(folded).or_insert(text);
        }
        moves
    }

    /// The same text for one move; nothing if it is not legal.
    pub fn folded_move(&self, text: &str) -> Option<String> {
        self.position.folded_move(text)
    }

    /// No game goes on for more turns than this from here.
    pub fn turns_left_at_most(&self) -> u32 {
        self.position.turns_left_at_most()
    }
}

impl Clone for AnyPosition {
    fn clone(&self) -> AnyPosition {
        AnyPosition { game: self.game, position: self.position.clone_box() }
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &AnyPosition) -> bool {
        self.game == other.game && self.position.equals(&*other.position)
    }
}

impl Eq for AnyPosition {}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game, self.text())
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// Text that is no position of the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// It cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// It can be read, but the position is impossible; every reason is given.
    #[error("this position is impossible:{}", .0.iter().map(|flaw| format!("\n  {flaw}")).collect::<String>())]
    Impossible(Vec<Objection>),
    /// It is a position of the game with other options than were asked for.
    #[error("{message}")]
    OtherOption {
        /// What is wrong, as the game says it.
        message: String,
        /// The word for the options asked for.
        wanted: String,
        /// The word for the options of the text.
        found: String,
    },
}

impl PositionError {
    pub(crate) fn impossible<P: Playable>(flaws: &[<P::Setup as Setup>::Flaw]) -> PositionError {
        PositionError::Impossible(flaws.iter().map(Objection::to_setup::<P>).collect())
    }

    /// Refuses a text that says what the options are, if they are not the ones asked for.
    pub(crate) fn check_options<P: Playable>(
        wanted: P::Options,
        found: P::Options,
    ) -> Result<(), PositionError> {
        let Some(message) = wanted.mismatch(found) else { return Ok(()) };
        let [wanted, found] = [wanted, found].map(|options| options.word().unwrap_or_default());
        Err(PositionError::OtherOption { message, wanted, found })
    }
}

/// A move that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// It can be read but is not legal.
    #[error("{text} is not legal: {objection}, for example {example}")]
    Illegal {
        /// The move as it was read.
        text: String,
        /// What is wrong with it; boxed, since most results are no errors.
        objection: Box<Objection>,
        /// A legal move that resembles it.
        example: String,
    },
    /// There are no moves any more.
    #[error("{text} is not legal: the game is over, {result}")]
    GameOver {
        /// The move as it was read.
        text: String,
        /// How it ended, as records write it.
        result: String,
    },
}

/// What [`AnyPosition`] needs of a position.
trait Erased: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn clone_box(&self) -> Box<dyn Erased>;
    fn equals(&self, other: &dyn Erased) -> bool;
    fn text(&self) -> String;
    fn side_to_move(&self) -> Side;
    fn outcome(&self) -> Option<Outcome>;
    fn legal_moves(&self) -> Vec<String>;
    fn count_moves(&self) -> usize;
    fn play(&mut self, game: Game, text: &str) -> Result<String, MoveError>;
    fn view(&self) -> View;
    fn choices(&self, clicks: &[Step]) -> Result<Choices, NotAChoice>;
    fn explain_clicks(&self, clicks: &[Step]) -> Option<Refusal>;
    fn to_setup(&self) -> AnySetup;
    fn steps(&self, text: &str) -> Option<Vec<Step>>;
    fn perft(&self, depth: u32) -> u64;
    fn random_game(&self, rng: &mut Rng) -> RandomGame;
    fn key(&self) -> u64;
    fn folded_key(&self) -> u64;
    fn folded_moves(&self) -> Vec<(String, String)>;
    fn folded_move(&self, text: &str) -> Option<String>;
    fn turns_left_at_most(&self) -> u32;
}

impl<P: Playable> Erased for P {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn clone_box(&self) -> Box<dyn Erased> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Erased) -> bool {
        other.as_any().downcast_ref::<P>() == Some(self)
    }

    fn text(&self) -> String {
        P::to_setup(self).to_string()
    }

    fn side_to_move(&self) -> Side {
        P::side_to_move(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        P::outcome(self)
    }

    fn legal_moves(&self) -> Vec<String> {
        P::legal_moves(self).into_iter().map(|mv| self.move_text(mv)).collect()
    }

    fn count_moves(&self) -> usize {
        P::count_moves(self)
    }

    fn play(&mut self, game: Game, text: &str) -> Result<String, MoveError> {
        let mv = self.parse_move(text.trim())?;
        let text = self.move_text(mv);
        if let Some(outcome) = P::outcome(self) {
            let result = crate::record::result_text(game, Some(outcome));
            return Err(MoveError::GameOver { text, result });
        }
        if let Some(violation) = self.violation(mv) {
            let example = closest(&text, Erased::legal_moves(self)).unwrap_or_default();
            let objection = Box::new(Objection::to_move::<P>(&violation));
            return Err(MoveError::Illegal { text, objection, example });
        }
        self.play_unchecked(mv);
        Ok(text)
    }

    fn view(&self) -> View {
        P::view(self)
    }

    fn choices(&self, clicks: &[Step]) -> Result<Choices, NotAChoice> {
        let mut selection = Selection::new(self);
        for &click in clicks {
            selection.click(click)?;
        }
        let complete = selection.complete().map(|mv| self.move_text(mv));
        Ok(Choices { next: selection.next(), roles: selection.next_roles(), complete })
    }

    fn explain_clicks(&self, clicks: &[Step]) -> Option<Refusal> {
        explain::refusal(self, clicks)
    }

    fn to_setup(&self) -> AnySetup {
        AnySetup::new::<P>(P::to_setup(self))
    }

    fn steps(&self, text: &str) -> Option<Vec<Step>> {
        let mv = self.parse_move(text.trim()).ok().filter(|&mv| self.is_legal(mv))?;
        let mut steps = Vec::new();
        P::steps(self, mv, &mut steps);
        Some(steps)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn random_game(&self, rng: &mut Rng) -> RandomGame {
        random_game(&mut self.clone(), rng)
    }

    fn key(&self) -> u64 {
        P::key(self)
    }

    fn folded_key(&self) -> u64 {
        Fold::new(self).key
    }

    fn folded_moves(&self) -> Vec<(String, String)> {
        let fold = Fold::new(self);
        let moves = P::legal_moves(self).into_iter();
        moves.map(|mv| (self.move_text(mv), fold.folded(mv))).collect()
    }

    fn folded_move(&self, text: &str) -> Option<String> {
        let mv = self.parse_move(text.trim()).ok().filter(|&mv| self.is_legal(mv))?;
        Some(Fold::new(self).folded(mv))
    }

    fn turns_left_at_most(&self) -> u32 {
        P::turns_left_at_most(self)
    }
}

/// The move that begins most like `text`; among equals the first.
fn closest(text: &str, moves: Vec<String>) -> Option<String> {
    let common = |other: &str| text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    moves.into_iter().rev().max_by_key(|other| common(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_illegal_move_is_answered_with_the_legal_one_most_like_it() {
        let mut position = Game::Impasse.start();
        let error = position.play("h2-g1").unwrap_err();
        let MoveError::Illegal { example, .. } = error else { panic!("{error}") };
        assert_eq!(example, "h2-g3", "the first of those from h2");
        let error = position.play("h2-").unwrap_err();
        assert!(matches!(error, MoveError::Parse(_)), "{error}");
        assert_eq!(position, Game::Impasse.start(), "nothing has changed");
    }

    #[test]
    fn after_the_end_a_move_is_answered_with_the_result() {
        let mut position = Game::Impasse.position("8/8/8/8/8/8/8/6b1 b").unwrap();
        assert_eq!(
            position.play("g1-f2").unwrap_err().to_string(),
            "g1-f2 is not legal: the game is over, white wins (no-checkers)"
        );
    }

    #[test]
    fn positions_of_different_games_differ() {
        let text = "x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0";
        let [spaces, points] =
            ["columna", "columna:points"].map(|id| id.parse::<Game>().unwrap().position(text));
        assert_ne!(spaces.unwrap(), points.unwrap());
        assert_ne!(Game::Colonnade.start(), Game::Impasse.start());
        assert_eq!(Game::Colonnade.start().steps("1a<"), None, "not legal");
    }
}
