//! Positions and moves as text, and why a move is not allowed.
//!
//! ```
//! use stoa_rules::{Notation, Position, Setup, impasse};
//!
//! let setup = impasse::Setup::parse("1w6/8/8/4W3/8/8/8/6b1 w", ()).unwrap();
//! let position = setup.validate().unwrap();
//! let mv = position.parse_move("e5-a1*").unwrap();
//! let violation = position.violation(mv).unwrap();
//! assert_eq!(violation.to_string(), "a crown is due");
//! ```

use std::fmt::{self, Debug, Display};

use crate::objection::{Citation, ObjectionKind};
use crate::{ParseError, Position};

/// A place in the rules of a game: a numbered clause, or a numbered ruling on what the designer's
/// sheet leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A clause of the designer's rules.
    Clause(u8),
    /// A ruling.
    Ruling(u8),
}

impl Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Clause(n) => write!(f, "clause {n}"),
            Rule::Ruling(n) => write!(f, "R{n}"),
        }
    }
}

/// Something that is against a rule. Its [`Display`] is a clause of a sentence in English.
pub trait Cites: Display + Debug + Clone + Eq {
    /// Every kind there is, with the names of its facts.
    const KINDS: &'static [ObjectionKind];

    /// Its kind, the rule it is against, and what it is about.
    fn citation(&self) -> Citation;

    /// The rule it is against.
    fn rule(&self) -> Rule {
        self.citation().rule
    }
}

/// A position that has been parsed or put together but not yet validated: it may be impossible.
pub trait Setup: Display + Debug + Clone + Eq + Sized {
    /// What the setup becomes when it is sound.
    type Position: Position;
    /// One reason why a setup is impossible.
    type Flaw: Cites;

    /// Reads the text of a position.
    fn parse(
        text: &str,
        options: <Self::Position as Position>::Options,
    ) -> Result<Self, ParseError>;

    /// The position, or every reason why the setup is impossible. Positions that play
    /// merely never reaches are allowed; those that the pieces, the board or the counters of the
    /// game make impossible are not.
    fn validate(&self) -> Result<Self::Position, Vec<Self::Flaw>>;
}

/// Text for positions and moves.
pub trait Notation: Position {
    /// The unvalidated form of the position.
    type Setup: Setup<Position = Self>;
    /// Why a move is not legal.
    type Violation: Cites;

    /// The position's parts, to be shown or changed. Its [`Display`] is the position's text.
    fn to_setup(&self) -> Self::Setup;

    /// The canonical text of a move.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Reads a move, which need not be legal here. Upper case is read as lower case, and what the
    /// position makes certain may be left out.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError>;

    /// The rule that forbids a move, or nothing if it is legal. In a finished game no move is
    /// legal; ask [`Position::outcome`] first, this answers as though the game went on.
    fn violation(&self, mv: Self::Move) -> Option<Self::Violation>;
}
