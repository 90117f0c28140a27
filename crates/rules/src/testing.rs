//! Shorthands for the tests of the games.

use crate::{
    AnyPosition, AnySetup, Cites, Game, GameOptions, Notation, Outcome, Playable, Position, Setup,
    Step,
};

/// The start position with the usual options.
pub(crate) fn start<P: Position>() -> P {
    P::start(P::Options::DEFAULT)
}

/// The position of a text, read with the usual options.
pub(crate) fn position<P: Notation>(text: &str) -> P {
    position_with(text, P::Options::DEFAULT)
}

/// The position of a text.
pub(crate) fn position_with<P: Notation>(text: &str, options: P::Options) -> P {
    let setup = P::Setup::parse(text, options).unwrap_or_else(|error| panic!("{error}"));
    setup.validate().unwrap_or_else(|flaws| panic!("{flaws:?}"))
}

/// The legal moves as text, sorted.
pub(crate) fn moves<P: Notation>(position: &P) -> Vec<String> {
    let mut texts: Vec<String> =
        position.legal_moves().into_iter().map(|mv| position.move_text(mv)).collect();
    texts.sort();
    texts
}

/// Whether the move can be read and is legal.
pub(crate) fn legal<P: Notation>(position: &P, text: &str) -> bool {
    position.parse_move(text).is_ok_and(|mv| position.is_legal(mv))
}

/// The text of the position after a legal move.
pub(crate) fn after<P: Notation>(position: &P, text: &str) -> String {
    let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(position.violation(mv), None, "{text}");
    let mut next = position.clone();
    next.play(mv).unwrap_or_else(|_| panic!("{text} is not legal"));
    next.to_setup().to_string()
}

/// The rule that forbids a move.
pub(crate) fn refusal<P: Notation>(position: &P, text: &str) -> String {
    let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
    assert!(!position.is_legal(mv), "{text} is legal");
    let violation = position.violation(mv).unwrap_or_else(|| panic!("{text} breaks no rule"));
    violation.rule().to_string()
}

/// How the game of a position has ended, if it has.
pub(crate) fn outcome<P: Notation>(text: &str) -> Option<Outcome> {
    let position: P = position(text);
    let outcome = position.outcome();
    assert_eq!(outcome.is_some(), position.legal_moves().is_empty());
    outcome
}

/// Why clicks on the cells of these names are refused; `b.4` is the fourth checker of column b.
pub(crate) fn why_not<P: Playable>(position: P, cells: &[&str]) -> Option<String> {
    let position = AnyPosition::new(position);
    let view = position.view();
    let step = |name: &&str| {
        let (name, level) = name.split_once('.').unwrap_or((name, "0"));
        let spot = view.spots.iter().find(|spot| spot.name == name).expect("such a cell");
        Step { cell: spot.cell, level: level.parse().expect("a number") }
    };
    let clicks: Vec<Step> = cells.iter().map(step).collect();
    position.explain_clicks(&clicks).map(|refusal| refusal.objection.reason)
}

/// The start of a game, with pieces put on the cells of these names, or taken away.
pub(crate) fn set_up(game: &str, changes: &[(&str, Option<usize>)]) -> AnySetup {
    let game: Game = game.parse().expect("such a game");
    let mut setup = game.start().to_setup();
    change(&mut setup, changes);
    setup
}

/// Puts pieces on the cells of these names, or takes them away.
pub(crate) fn change(setup: &mut AnySetup, changes: &[(&str, Option<usize>)]) {
    let view = setup.view();
    for &(name, piece) in changes {
        let spot = view.spots.iter().find(|spot| spot.name == name).expect("such a cell");
        setup.put(spot.cell, piece);
    }
}

/// Every reason why a setup is impossible.
pub(crate) fn flaws(setup: &AnySetup) -> Vec<String> {
    setup.objections().into_iter().map(|objection| objection.reason).collect()
}
