//! What holds in every position, checked on positions of all kinds, reachable or not.

use std::collections::{HashMap, HashSet};

use super::twin::random_position;
use crate::colossus::{Cell, Move, Position, Setup};
use crate::playout::Rng;
use crate::{Notation, Position as _, Setup as _, Show, Steps, Symmetry};

/// Every move value there is, whether it makes sense or not.
fn every_move() -> impl Iterator<Item = Move> {
    let pairs = || Cell::all().flat_map(|a| Cell::all().map(move |b| (a, b)));
    let steps = pairs().map(|(from, to)| Move::Step { from, to });
    let claims = pairs().flat_map(|(tower, from)| {
        let new_towers = Cell::all().map(Some).chain([None]);
        new_towers.map(move |new_tower| Move::Claim { tower, from, new_tower })
    });
    Cell::all().map(Move::Place).chain(steps).chain(claims)
}

#[test]
fn a_move_breaks_a_rule_exactly_if_it_is_not_legal() {
    let mut rng = Rng::new(3);
    let mut checked = 0;
    while checked < 60 {
        let position = random_position(&mut rng);
        if position.outcome().is_some() {
            continue;
        }
        checked += 1;
        let legal: HashSet<Move> = position.legal_moves().into_iter().collect();
        for mv in every_move() {
            assert_eq!(position.violation(mv).is_none(), legal.contains(&mv), "{mv:?}");
        }
    }
}

#[test]
fn turned_reflected_and_recoloured_games_are_the_same() {
    let mut rng = Rng::new(4);
    for _ in 0..100 {
        let position = random_position(&mut rng);
        for symmetry in 0..position.symmetries() {
            let image = position.transform(symmetry);
            let image_of = |mv| position.transform_move(mv, symmetry);
            let mut moves: Vec<Move> = position.legal_moves().into_iter().map(image_of).collect();
            let mut image_moves = image.legal_moves();
            moves.sort();
            image_moves.sort();
            assert_eq!(moves, image_moves);
            for mv in position.legal_moves() {
                let (mut next, mut image_next) = (position, image);
                next.play_unchecked(mv);
                image_next.play_unchecked(image_of(mv));
                assert_eq!(next.transform(symmetry), image_next);
            }
        }
    }
}

#[test]
fn texts_clicks_keys_and_bounds() {
    let mut rng = Rng::new(7);
    let mut keys: HashMap<u64, Position> = HashMap::new();
    let mut check = |position: Position| {
        assert_eq!(*keys.entry(position.key()).or_insert(position), position);
        let setup = position.to_setup();
        let read = Setup::parse(&setup.to_string(), ()).unwrap();
        assert_eq!((&read, read.validate()), (&setup, Ok(position)));
    };
    for _ in 0..300 {
        let position = random_position(&mut rng);
        check(position);
        assert_eq!(position.view().spots.len(), 37);
        let mut clicks = HashSet::new();
        for mv in position.legal_moves() {
            assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv));
            let mut steps = Vec::new();
            position.steps(mv, &mut steps);
            assert!(clicks.insert(steps), "{mv:?}");
            let mut next = position;
            next.play_unchecked(mv);
            assert!(next.turns_left_at_most() < position.turns_left_at_most());
            check(next);
        }
    }
}

#[test]
fn no_text_panics() {
    let mut rng = Rng::new(8);
    let letters: Vec<char> = "abcdefgBWtwh0123456789/.=+- \u{e9}\n".chars().collect();
    for text in ["t2W/5/6/t5t/6/5/B2t b 3 0 6", "g4=b2.c3.d4.e4.f4+d4", "b2-d3", "c3"] {
        for _ in 0..2000 {
            let mut text: Vec<char> = text.chars().collect();
            for _ in 0..=rng.below(3) {
                let at = rng.below(text.len() + 1);
                text.splice(
                    at..text.len().min(at + rng.below(3)).max(at),
                    [letters[rng.below(letters.len())]],
                );
            }
            let text: String = text.into_iter().collect();
            if let Ok(setup) = Setup::parse(&text, ()) {
                let read = setup.validate().map(|position| position.to_setup());
                assert!(read.is_err() || read.as_ref() == Ok(&setup), "{text}");
            }
            let start = Position::start(());
            if let Ok(mv) = start.parse_move(&text) {
                assert_eq!(start.parse_move(&start.move_text(mv)), Ok(mv), "{text}");
                assert_eq!(start.violation(mv).is_none(), start.is_legal(mv), "{text}");
            }
        }
    }
}
