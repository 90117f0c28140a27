//! What the rules object to, as data: for interfaces that say it in a language of their own.
//!
//! ```
//! use stoa_rules::{Game, MoveError};
//!
//! let mut position = Game::Impasse.position("1w6/8/8/4W3/8/8/8/6b1 w")?;
//! let Err(MoveError::Illegal { objection, .. }) = position.play("e5-f6") else { panic!() };
//! assert_eq!(objection.kind, "impasse-move-no-double-slide");
//! assert_eq!((objection.facts["from"].as_str(), objection.facts["to"].as_str()), ("e5", "f6"));
//! assert_eq!(objection.rule, "impasse clause 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;

use crate::{Cites, Game, Playable, Rule, Setup, Side, Visitor};

/// Something that is against a rule. Its [`Display`](fmt::Display) is English; translations use
/// the kind and the facts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Objection {
    /// The same for everything of this kind, such as `impasse-move-crown-due`.
    pub kind: String,
    /// What it is about, by name: cells as notation writes them, numbers, and `first` or `second`
    /// for players.
    pub facts: BTreeMap<String, String>,
    /// What is wrong, as a clause of a sentence in English.
    pub reason: String,
    /// The rule, such as `impasse clause 4`.
    pub rule: String,
}

impl Objection {
    /// Against a move.
    pub(crate) fn to_move<P: Playable>(violation: &P::Violation) -> Objection {
        Objection::new(P::INFO.id, MOVE, violation)
    }

    /// Against a position that was set up.
    pub(crate) fn to_setup<P: Playable>(flaw: &<P::Setup as Setup>::Flaw) -> Objection {
        Objection::new(P::INFO.id, SETUP, flaw)
    }

    fn new(game: &str, what: &str, cites: &impl Cites) -> Objection {
        let Citation { kind, rule, facts } = cites.citation();
        Objection {
            kind: format!("{game}-{what}-{kind}"),
            facts: facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            reason: cites.to_string(),
            rule: format!("{game} {rule}"),
        }
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.reason, self.rule)
    }
}

const MOVE: &str = "move";
const SETUP: &str = "setup";

/// A kind of objection, and the names of its facts.
pub type ObjectionKind = (&'static str, &'static [&'static str]);

impl Game {
    /// Every kind of objection that the rules of the game know, with the names of its facts.
    pub fn objections(self) -> Vec<(String, &'static [&'static str])> {
        struct Kinds;
        impl Visitor for Kinds {
            type Output = Vec<(String, &'static [&'static str])>;
            fn visit<P: Playable>(self, _: P::Options) -> Self::Output {
                let named = |what: &'static str| {
                    move |&(kind, facts): &ObjectionKind| {
                        (format!("{}-{what}-{kind}", P::INFO.id), facts)
                    }
                };
                let moves = P::Violation::KINDS.iter().map(named(MOVE));
                let setups = <P::Setup as Setup>::Flaw::KINDS.iter().map(named(SETUP));
                moves.chain(setups).collect()
            }
        }
        self.visit(Kinds)
    }
}

/// What [`Cites`] says about one thing: its kind within its type, the rule, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// Such as `crown-due`.
    pub kind: &'static str,
    /// The rule it is against.
    pub rule: Rule,
    /// Names with values.
    pub facts: Vec<(&'static str, String)>,
}

/// A player as a fact.
pub(crate) fn player(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// Implements [`Cites`] by a table with a row for each kind: the pattern, the rule, the name, and
/// the facts.
macro_rules! cites {
    ($type:ty {
        $($pattern:pat => $rule:ident($number:literal) $kind:literal
            { $($fact:ident $(= $value:expr)?),* })+
    }) => {
        impl $crate::Cites for $type {
            const KINDS: &'static [$crate::objection::ObjectionKind] =
                &[$(($kind, &[$(stringify!($fact)),*])),+];

            fn citation(&self) -> $crate::objection::Citation {
                let (kind, rule, facts) = match self {
                    $($pattern => (
                        $kind,
                        $crate::Rule::$rule($number),
                        vec![$((
                            stringify!($fact),
                            $crate::objection::cites!(@text $fact $($value)?),
                        )),*],
                    )),+
                };
                $crate::objection::Citation { kind, rule, facts }
            }
        }
    };
    (@text $fact:ident) => { $fact.to_string() };
    (@text $fact:ident $value:expr) => { $value.to_string() };
}
pub(crate) use cites;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn kinds_are_named_once_and_alike() {
        let mut seen = BTreeSet::new();
        for (kind, facts) in Game::ALL.into_iter().flat_map(Game::objections) {
            assert!(kind.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{kind}");
            assert!(facts.iter().collect::<BTreeSet<_>>().len() == facts.len(), "{kind}");
            assert!(seen.insert(kind.clone()), "{kind} twice");
        }
        assert!(seen.contains("palisade-move-wrong-colour"));
        assert!(seen.contains("palisade-setup-wrong-colour"));
    }

    #[test]
    fn facts_are_what_notation_writes() {
        let flaws = Game::Impasse.position("wwwwwwww/8/8/8/8/8/8/1w6 w").unwrap_err();
        let crate::PositionError::Impossible(objections) = flaws else { panic!("{flaws}") };
        let light = &objections[0];
        assert_eq!(light.kind, "impasse-setup-light-square");
        assert_eq!(light.facts["square"], "b1");
        assert_eq!(light.to_string(), "b1 is a light square and must be empty (impasse clause 1)");
    }
}
