//! What holds for the arrays of every game with every option, in random games.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use stoa_arrays::{Batch, Encode, Shape};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Position, Side};

/// Calls a function with the positions of some random games of every game and option.
macro_rules! for_each_position {
    ($games:expr, |$position:ident| $body:expr) => {
        for game in Game::variants() {
            for index in 0..$games {
                stoa_rules::dispatch!(game, |P, options| {
                    let mut rng = Rng::for_game(5, index);
                    let mut $position = <P as Position>::start(options);
                    loop {
                        $body;
                        let Some(mv) = $position.nth_move(rng.below($position.count_moves()))
                        else {
                            break;
                        };
                        $position.play_unchecked(mv);
                    }
                });
            }
        }
    };
}

#[test]
fn every_legal_move_has_an_action_of_its_own_and_back() {
    fn check<P: Encode>(position: &P) {
        let count = P::actions(position.options());
        let mut actions = BTreeSet::new();
        for mv in position.legal_moves() {
            let action = position.action(mv).unwrap_or_else(|| panic!("{position:?} {mv:?}"));
            assert!(action < count, "{position:?} {mv:?} {action}");
            assert!(actions.insert(action), "{position:?} {mv:?} {action} twice");
            assert_eq!(position.move_of(action), Some(mv), "{position:?} {action}");
        }
    }
    for_each_position!(30, |position| check(&position));
}

#[test]
fn every_action_that_is_not_listed_is_refused() {
    fn check<P: Encode>(position: &P) {
        let any = AnyPosition::new(position.clone());
        let mut legal = Vec::new();
        stoa_arrays::legal_actions(&any, &mut legal).unwrap();
        let legal: BTreeSet<usize> = legal.into_iter().collect();
        // A refusal is put into words, which takes its time: a sample, another one in each position.
        let first = position.key() as usize % 41;
        for action in (first..=P::actions(position.options())).step_by(41) {
            let played = stoa_arrays::play(&any, action);
            assert_eq!(played.is_ok(), legal.contains(&action), "{any} {action} {played:?}");
            assert_eq!(
                stoa_arrays::move_of(&any, action).is_ok(),
                played.is_ok(),
                "{any} {action}"
            );
        }
    }
    for_each_position!(1, |position| check(&position));
}

#[test]
fn actions_and_texts_are_the_same_moves() {
    fn check<P: Encode>(position: &P) {
        let any = AnyPosition::new(position.clone());
        let mut actions = Vec::new();
        stoa_arrays::legal_actions(&any, &mut actions).unwrap();
        assert_eq!(actions.len(), any.count_moves());
        for (&action, text) in actions.iter().zip(any.legal_moves()) {
            let mut after = any.clone();
            after.play(&text).unwrap();
            assert_eq!(stoa_arrays::play(&any, action), Ok(after), "{any} {action} {text}");
            assert_eq!(stoa_arrays::move_of(&any, action), Ok(text.clone()), "{any}");
            assert_eq!(stoa_arrays::action_of(&any, &text), Ok(action), "{any}");
        }
    }
    for_each_position!(1, |position| check(&position));
}

#[test]
fn masks_are_the_legal_actions() {
    fn check<P: Encode>(position: &P) {
        let any = AnyPosition::new(position.clone());
        let mut actions = Vec::new();
        stoa_arrays::legal_actions(&any, &mut actions).unwrap();
        actions.sort_unstable();
        let mut mask = vec![7; P::actions(position.options())];
        stoa_arrays::legal_mask(&any, &mut mask).unwrap();
        let set: Vec<usize> = (0..mask.len()).filter(|&action| mask[action] == 1).collect();
        assert_eq!(set, actions, "{any}");
        assert_eq!(mask.iter().filter(|&&entry| entry == 0).count(), mask.len() - set.len());
    }
    for_each_position!(2, |position| check(&position));
}

fn observation<P: Encode>(position: &P, viewer: Side) -> Vec<f32> {
    let mut planes = vec![0.0; Shape::with::<P>(position.options()).observation()];
    position.observe(viewer, &mut planes);
    planes
}

#[test]
fn observations_tell_positions_apart() {
    fn check<P: Encode>(position: &P) {
        let seen = observation(position, Side::First);
        assert!(seen.iter().all(|value| (0.0..=1.0).contains(value)), "{position:?}");
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            assert_ne!(observation(&next, Side::First), seen, "{position:?} {mv:?}");
        }
    }
    for_each_position!(1, |position| check(&position));
}

/// The symmetries in which the players change places and see what the other one saw.
fn alike<P: Encode>(position: &P) -> BTreeSet<usize> {
    let mask = |position: &P| {
        let mut mask = vec![0; P::actions(position.options())];
        stoa_arrays::legal_mask(&AnyPosition::new(position.clone()), &mut mask).unwrap();
        mask
    };
    let [mover, other] = [position.side_to_move(), position.side_to_move().other()];
    let is_alike = |symmetry: &usize| {
        let seen = position.transform(*symmetry);
        seen.side_to_move() == other
            && observation(&seen, other) == observation(position, mover)
            && observation(&seen, mover) == observation(position, other)
            && mask(&seen) == mask(position)
    };
    (0..position.symmetries()).filter(is_alike).collect()
}

#[test]
fn both_players_see_the_game_alike_where_the_rules_allow_it() {
    for game in Game::variants() {
        let found = stoa_rules::dispatch!(game, |P, options| {
            let mut position = <P as Position>::start(options);
            let mut rng = Rng::for_game(9, 0);
            let mut found = alike(&position);
            while let Some(mv) = position.nth_move(rng.below(position.count_moves())) {
                position.play_unchecked(mv);
                found = found.intersection(&alike(&position)).copied().collect();
            }
            found.len()
        });
        // Palisade's players have different points.
        let expected = usize::from(game.info().id != "palisade");
        assert_eq!(found, expected, "{game}");
    }
}

#[test]
fn symmetries_take_actions_along() {
    for game in Game::ALL {
        let position = game.start();
        let symmetries = stoa_rules::dispatch!(game, |P, options| {
            stoa_rules::Symmetry::symmetries(&<P as Position>::start(options))
        });
        let mut actions = Vec::new();
        stoa_arrays::legal_actions(&position, &mut actions).unwrap();
        for symmetry in 0..symmetries {
            let seen: BTreeSet<usize> = actions
                .iter()
                .map(|&action| stoa_arrays::transform_action(&position, action, symmetry).unwrap())
                .collect();
            assert_eq!(seen.len(), actions.len(), "{game} {symmetry}");
            if symmetry == 0 {
                assert_eq!(seen, actions.iter().copied().collect());
            }
        }
    }
}

#[test]
fn a_batch_plays_the_games_that_its_positions_would() {
    const COUNT: usize = 6;
    for game in Game::variants() {
        let shape = Shape::of(game);
        let mut batch = Batch::new(game, COUNT, 3);
        let mut alone: Vec<AnyPosition> = vec![game.start(); COUNT];
        let (mut actions, mut rewards, mut done) = ([0; COUNT], [0.0; COUNT], [false; COUNT]);
        let (mut masks, mut planes) =
            (vec![0; COUNT * shape.actions], vec![0.0; COUNT * shape.observation()]);
        for turn in 0..80 {
            let restart = turn < 40;
            batch.legal_masks(&mut masks).unwrap();
            batch.observe(&mut planes);
            batch.random_actions(&mut actions).unwrap();
            for (index, position) in alone.iter().enumerate() {
                assert_eq!(batch.position(index).as_ref(), Ok(position), "{game}");
                let mut mask = vec![0; shape.actions];
                stoa_arrays::legal_mask(position, &mut mask).unwrap();
                assert_eq!(mask, masks[index * shape.actions..][..shape.actions], "{game}");
                let mut seen = vec![0.0; shape.observation()];
                stoa_arrays::observe(position, position.side_to_move(), &mut seen);
                assert_eq!(seen, planes[index * seen.len()..][..seen.len()], "{game}");
            }
            batch.step(&actions, restart, &mut rewards, &mut done).unwrap();
            for (index, position) in alone.iter_mut().enumerate() {
                if position.outcome().is_some() {
                    assert_eq!((actions[index], rewards[index], done[index]), (-1, 0.0, true));
                } else {
                    let mover = position.side_to_move();
                    *position = stoa_arrays::play(position, actions[index] as usize).unwrap();
                    let reward = match position.outcome().map(|outcome| outcome.winner) {
                        None | Some(None) => 0.0,
                        Some(Some(side)) => {
                            if side == mover {
                                1.0
                            } else {
                                -1.0
                            }
                        }
                    };
                    assert_eq!(rewards[index], reward, "{game} {position}");
                    assert_eq!(done[index], position.outcome().is_some(), "{game} {position}");
                }
                if position.outcome().is_some() && restart {
                    *position = game.start();
                }
            }
        }
    }
}

#[test]
fn a_batch_with_a_wrong_action_stays_as_it_was() {
    let mut batch = Batch::new(Game::Impasse, 3, 1);
    let mut actions = [0; 3];
    batch.random_actions(&mut actions).unwrap();
    for (wrong, words) in [
        (-1, "game 2: there is no action -1; impasse has the actions 0 to 1608"),
        (1609, "game 2: there is no action 1609; impasse has the actions 0 to 1608"),
        (
            360,
            "game 2: action 360 is not legal: *h8 is not legal: you have no checker on h8 (impasse clause 2)",
        ),
    ] {
        actions[2] = wrong;
        let error = batch.step(&actions, true, &mut [0.0; 3], &mut [false; 3]).unwrap_err();
        assert!(error.to_string().starts_with(words), "{error}");
        for index in 0..3 {
            assert_eq!(batch.position(index), Ok(Game::Impasse.start()));
        }
    }
    assert!(batch.position(3).is_err());
    assert!(batch.set(0, &Game::Colonnade.start()).is_err());
}

#[test]
fn random_games_are_those_of_the_rules() {
    let games = stoa_arrays::random_games(Game::Impasse, 20, 4, || true);
    for index in 0..20 {
        let played = Game::Impasse.start().random_game(&mut Rng::for_game(4, index));
        let place = index as usize;
        assert_eq!(games.plies[place] as u32, played.plies);
        assert_eq!(games.choices[place] as u64, played.choices);
        assert_eq!(games.winners[place], played.outcome.winner.unwrap().index() as i8);
    }
    assert_eq!(stoa_arrays::random_games(Game::Impasse, 20, 4, || false).plies, []);
}
