//! Legality checked against every conceivable move, not only the generated ones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::HashSet;

use common::{random_move, random_setup};
use stoa_rules::impasse::{Action, Crown, Move, Square};
use stoa_rules::playout::Rng;
use stoa_rules::{
    Game, Playable, Position, Setup, colonnade, colossus, columna, impasse, palisade,
};

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

/// A pass, every drop from every point, and every stack moved between any two spaces.
fn columna_moves() -> impl Iterator<Item = columna::Move> {
    use columna::{Cell, Move, Space};
    let points = || Cell::all().filter_map(Cell::point);
    let drops = points().flat_map(|pawn| Space::all().map(move |on| Move::Drop { pawn, on }));
    let moved = points().flat_map(|pawn| {
        Space::all()
            .flat_map(move |from| Space::all().map(move |to| Move::MoveStack { pawn, from, to }))
    });
    std::iter::once(Move::Pass).chain(drops).chain(moved)
}

#[test]
fn columna_moves_of_both_rule_sets() {
    let mut rng = Rng::new(4);
    for rule_set in columna::RuleSet::BOTH {
        for _ in 0..12 {
            let text = random_setup(Game::Columna(rule_set), &mut rng);
            let position = columna::Setup::parse(&text, rule_set).unwrap().validate().unwrap();
            check(&position, columna_moves());
        }
    }
}

/// Every placement, every step between any two cells, and every claim with every new tower.
fn colossus_moves() -> impl Iterator<Item = colossus::Move> {
    use colossus::{Cell, Move};
    let pairs = || Cell::all().flat_map(|a| Cell::all().map(move |b| (a, b)));
    let steps = pairs().map(|(from, to)| Move::Step { from, to });
    let claims = pairs().flat_map(|(tower, from)| {
        let new_towers = std::iter::once(None).chain(Cell::all().map(Some));
        new_towers.map(move |new_tower| Move::Claim { tower, from, new_tower })
    });
    Cell::all().map(Move::Place).chain(steps).chain(claims)
}

#[test]
fn colossus_moves_on_any_board() {
    let mut rng = Rng::new(4);
    for _ in 0..60 {
        let text = random_setup(Game::Colossus, &mut rng);
        let position = colossus::Setup::parse(&text, ()).unwrap().validate().unwrap();
        check(&position, colossus_moves());
    }
    // Lines to claim along are rare on random boards.
    for text in ["t1wW/3ww/4w1/Bbbbbbt/6/1b3/B2t b 3 0 16", "t2W/4w/4w1/t5t/b2w2/b4/B2t b 0 0 11"] {
        let position = colossus::Setup::parse(text, ()).unwrap().validate().unwrap();
        check(&position, colossus_moves());
    }
}
