//! What holds in every position, tried in random games and on random boards.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::{Cell, Move, Point, Position, RuleSet, Setup, Space, Stack};
use super::twin::Twin;
use crate::playout::Rng;
use crate::testing::{moves, position_with};
use crate::view::Show;
use crate::{Notation, Outcome, Position as _, Setup as _, Side, Steps, Symmetry};

/// Every position of random games of both rule sets.
fn positions_of_games(games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for rules in RuleSet::BOTH {
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let mut position = Position::start(rules);
            loop {
                positions.push(position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[rng.below(moves.len())]);
            }
        }
    }
    positions
}

/// Boards that play hardly reaches: crowded ones, long paths, pawns anywhere.
fn random_boards(count: u64) -> Vec<Position> {
    let mut rng = Rng::new(2013);
    let mut positions = Vec::new();
    while positions.len() < count as usize {
        let rules = RuleSet::BOTH[rng.below(2)];
        let (empty, fours, black) = (rng.below(10), rng.below(10), rng.below(10));
        let mut setup = Position::start(rules).to_setup();
        for space in setup.board.iter_mut().flatten() {
            if rng.below(9) < empty {
                continue;
            }
            let owner = if rng.below(9) < black { Side::First } else { Side::Second };
            let height = if rng.below(9) < fours { 4 } else { 1 + rng.below(4) as u8 };
            *space = Some(Stack { owner, height });
        }
        setup.pawns = [(); 2].map(|()| Cell::all().nth(rng.below(81)).unwrap());
        setup.side = Side::BOTH[rng.below(2)];
        setup.stall = rng.below(42) as u32;
        positions.extend(setup.validate());
    }
    positions
}

#[test]
fn the_slow_twin_agrees() {
    let mut reasons = HashSet::new();
    let mut passes = 0;
    let games = positions_of_games(3).into_iter().step_by(5);
    for position in games.chain(random_boards(600)) {
        let twin = Twin::new(&position);
        let text = position.to_setup().to_string();
        let moves = moves(&position);
        assert_eq!(position.outcome(), twin.outcome(), "{text}");
        reasons.extend(position.outcome().map(|outcome| outcome.reason));
        passes += usize::from(moves == ["pass"]);
        assert_eq!(position.count_moves(), moves.len(), "{text}");
        assert_eq!(moves, Vec::from_iter(twin.moves()), "{text}");
        for side in Side::BOTH {
            assert_eq!(position.has_path(side), twin.has_path(side), "{text}");
            assert_eq!(position.count_turns(side), twin.turns(side).len(), "{text}");
        }
    }
    assert_eq!(reasons.len(), 3, "a path, a stall and a blocked board have been seen");
    assert!(passes > 0);
}

#[test]
fn the_slow_twin_plays_alike() {
    let games = positions_of_games(3).into_iter().step_by(5);
    for position in games.chain(random_boards(300)) {
        for mv in position.legal_moves().into_iter().step_by(7) {
            let text = position.move_text(mv);
            let mut next = position;
            next.play_unchecked(mv);
            let mut twin = Twin::new(&position);
            twin.play(&text);
            assert_eq!(next.to_setup(), twin.0, "{text}");
            assert_eq!(twin.0.validate(), Ok(next), "{text}");
            assert!(next.turns_left_at_most() < position.turns_left_at_most(), "{text}");
        }
    }
}

#[test]
fn a_move_breaks_a_rule_exactly_if_it_is_not_generated() {
    let points: Vec<Point> = Cell::all().filter_map(Cell::point).collect();
    let mut conceivable = vec![Move::Pass];
    for &pawn in &points {
        for from in Space::all() {
            conceivable.push(Move::Drop { pawn, on: from });
            conceivable.extend(Space::all().map(|to| Move::MoveStack { pawn, from, to }));
        }
    }
    assert_eq!(conceivable.len(), 1 + 32 * 49 * 50);
    let games = positions_of_games(2).into_iter().step_by(50);
    for position in games.chain(random_boards(60)) {
        if position.outcome().is_some() {
            continue;
        }
        let allowed = conceivable.iter().copied().filter(|&mv| position.violation(mv).is_none());
        let generated = BTreeSet::from_iter(position.legal_moves());
        assert_eq!(BTreeSet::from_iter(allowed), generated, "{}", position.to_setup());
    }
}

#[test]
fn texts_clicks_and_views_are_sound() {
    let games = positions_of_games(2).into_iter().step_by(9);
    for position in games.chain(random_boards(200)) {
        let text = position.to_setup().to_string();
        assert_eq!(position_with::<Position>(&text, position.options()), position);
        let moves = position.legal_moves();
        assert_eq!(moves.is_empty(), position.outcome().is_some());
        let mut clicks = BTreeSet::new();
        for &mv in &moves {
            assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv));
            let mut steps = Vec::new();
            position.steps(mv, &mut steps);
            assert!(clicks.insert(steps), "{text}: {mv:?}");
        }
        let cells = BTreeSet::from_iter(position.view().spots.iter().map(|spot| spot.cell));
        assert!(clicks.iter().flatten().all(|step| cells.contains(&step.cell)));
    }
}

#[test]
fn symmetries_commute_with_moves() {
    let games = positions_of_games(2).into_iter().step_by(20);
    for position in games.chain(random_boards(150)) {
        let moves = position.legal_moves();
        for symmetry in 0..position.symmetries() {
            let image = position.transform(symmetry);
            assert_eq!(image.to_setup().validate(), Ok(image));
            let images = moves.iter().map(|&mv| position.transform_move(mv, symmetry));
            assert_eq!(BTreeSet::from_iter(images), BTreeSet::from_iter(image.legal_moves()));
            for &mv in moves.iter().step_by(11) {
                let mut next = position;
                next.play_unchecked(mv);
                let mut next_image = image;
                next_image.play_unchecked(position.transform_move(mv, symmetry));
                assert_eq!(next.transform(symmetry), next_image);
            }
            let recoloured = image.side_to_move() != position.side_to_move();
            let expected = position.outcome().map(|outcome| match outcome.winner {
                Some(side) if recoloured => Outcome::win(side.other(), outcome.reason),
                _ => outcome,
            });
            assert_eq!(image.outcome(), expected);
        }
        assert_eq!(position.transform(0), position);
    }
}

#[test]
fn keys_tell_positions_apart() {
    let mut seen: HashMap<u64, Position> = HashMap::new();
    for position in positions_of_games(20).into_iter().chain(random_boards(2000)) {
        // The options are no part of the key.
        let known = *seen.entry(position.key()).or_insert(position);
        assert_eq!(Position { rules: position.rules, ..known }, position);
    }
}

#[test]
fn no_text_panics() {
    let mut rng = Rng::new(9);
    let alphabet: Vec<char> = "abiwx149@,-/ pasé\n".chars().collect();
    let texts = ["x7/b1,w2,b3,w4,x,b1,x/x7/x7/x7/x7/x7 a4 i9 w 12", "a4@d4", "a4,d4-d6", "pass"];
    for _ in 0..20_000 {
        let mut text: Vec<char> = texts[rng.below(texts.len())].chars().collect();
        for _ in 0..=rng.below(4) {
            let (at, letter) = (rng.below(text.len()), alphabet[rng.below(alphabet.len())]);
            match rng.below(3) {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                _ => text.truncate(at.max(1)),
            }
        }
        let text = String::from_iter(text);
        for rules in RuleSet::BOTH {
            if let Ok(setup) = Setup::parse(&text, rules) {
                assert_eq!(Setup::parse(&setup.to_string(), rules), Ok(setup.clone()));
                let _ = setup.validate().map(|position| (position.outcome(), position.view()));
            }
            let position = Position::start(rules);
            let _ = position.parse_move(&text).map(|mv| position.violation(mv));
        }
    }
}
