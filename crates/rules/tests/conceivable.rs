//! Legality checked against every conceivable move, not only the generated ones. (Columna's and
//! Colossus's moves are enumerated in their own modules.)

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::HashSet;

use common::{random_move, random_setup};
use stoa_rules::impasse::{Action, Crown, Move, Square};
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Playable, Position, Setup, colonnade, impasse, palisade};

/// A move breaks no rule exactly if it is generated.
fn check<P: Playable>(position: &P, conceivable: impl Iterator<Item = P::Move>) {
    if position.outcome().is_some() {
        return;
    }
    let mut legal: HashSet<P::Move> = position.legal_moves().into_iter().collect();
    for mv in conceivable {
        let violation = position.violation(mv);
        if violation.is_none() != legal.remove(&mv) {
            panic!("{} {} {violation:?}", position.to_setup(), position.move_text(mv));
        }
    }
    assert!(
        legal.is_empty(),
        "{} {legal:?} is not among the conceivable moves",
        position.to_setup()
    );
}

#[test]
fn colonnade_moves() {
    let mut rng = Rng::new(8);
    for _ in 0..300 {
        let text = random_setup(Game::Colonnade, &mut rng);
        let position = colonnade::Setup::parse(&text, ()).unwrap().validate().unwrap();
        let squares = || colonnade::Square::all();
        check(
            &position,
            (0..=30)
                .flat_map(|carried| {
                    squares().flat_map(move |from| {
                        colonnade::Direction::BOTH.map(move |direction| colonnade::Move {
                            from,
                            carried,
                            direction,
                        })
                    })
                })
                .filter(|mv| mv.carried > 0),
        );
    }
}

#[test]
fn palisade_moves() {
    let mut rng = Rng::new(8);
    for size in palisade::Size::all() {
        for _ in 0..20 {
            let text = random_setup(Game::Palisade(size), &mut rng);
            let position = palisade::Setup::parse(&text, size).unwrap().validate().unwrap();
            check(&position, size.points().map(palisade::Move));
        }
    }
}

/// All slides, transposes and removals between any two squares, with and without a bear off, and
/// with every crown.
fn impasse_moves() -> impl Iterator<Item = Move> {
    let pairs = || Square::all().flat_map(|a| Square::all().map(move |b| (a, b)));
    let slides = pairs().map(|(from, to)| Action::Slide { from, to });
    let transposes = pairs().map(|(from, onto)| Action::Transpose { from, onto });
    let actions = slides.chain(transposes).chain(Square::all().map(Action::Remove));
    actions.flat_map(move |action| {
        [false, true].into_iter().flat_map(move |bears_off| {
            let crowns = pairs().map(|(lifted, onto)| Some(Crown { lifted, onto }));
            std::iter::once(None).chain(crowns).map(move |crown| Move { action, bears_off, crown })
        })
    })
}

#[test]
fn impasse_moves_with_crowns() {
    // A start, a crown by slide, by transpose, by bear off, by impasse; two to choose from.
    for text in [
        "8/4w3/8/8/8/8/1b6/w1w5 w",
        "1W6/2w5/8/8/8/8/1b5w/8 w",
        "1w6/8/8/4W3/8/8/8/6b1 w",
        "1w3W2/4b1b1/8/8/8/8/8/8 w",
        "3b4/8/7w/8/8/8/3b4/6b1 b",
    ] {
        let position = impasse::Setup::parse(text, ()).unwrap().validate().unwrap();
        check(&position, impasse_moves());
    }
}

#[test]
fn impasse_moves_in_play() {
    let mut rng = Rng::new(3);
    let mut position = impasse::Position::start(());
    for _ in 0..100 {
        // Every five-hundredth or so, from another place each time, and all that are legal.
        let some = impasse_moves().skip(rng.below(500)).step_by(503);
        let all: HashSet<Move> = some.chain(position.legal_moves()).collect();
        check(&position, all.into_iter());
        let Some(mv) = random_move(&position, &mut rng) else { break };
        position.play_unchecked(mv);
    }
}
