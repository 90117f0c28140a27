//! Text of any kind gets an answer, never a panic: a bounded run of what `fuzz/` does without end.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::random_setup;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Record};

/// A game with some of its options.
fn game() -> impl Strategy<Value = Game> {
    let is_one_of_some = |game: &Game| match game {
        Game::Palisade(size) => [3, 7, 19].contains(&size.get()),
        _ => true,
    };
    prop::sample::select(Game::variants().filter(is_one_of_some).collect::<Vec<_>>())
}

/// Characters that notation uses, and some that it does not.
fn noise() -> impl Strategy<Value = String> {
    prop_oneof!["[a-iw0-9/ x,@=*+.><rbwtBWT-]{0,60}", "\\PC{0,40}", any::<String>(),]
}

/// A sound text with a piece of it replaced.
fn damaged(text: &str, at: usize, length: usize, with: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let start = at % (chars.len() + 1);
    let end = (start + length).min(chars.len());
    chars[..start].iter().copied().chain(with.chars()).chain(chars[end..].iter().copied()).collect()
}

/// The same inputs every time; `fuzz/` looks for new ones.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(5),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn positions(game in game(), text in noise()) {
        if let Ok(position) = game.position(&text) {
            prop_assert_eq!(game.position(&position.text()).unwrap(), position);
        }
    }

    #[test]
    fn damaged_positions(game in game(), seed: u64, at: usize, length in 0usize..4, with in "[a-i0-9/ x,rbwtBW-]{0,3}") {
        let text = damaged(&random_setup(game, &mut Rng::new(seed)), at, length, &with);
        match game.position(&text) {
            Ok(position) => {
                // What is accepted can be used.
                prop_assert_eq!(position.legal_moves().len(), position.count_moves());
                prop_assert_eq!(game.position(&position.text()).unwrap(), position.clone());
                let _ = position.view();
                let _ = position.choices(&[]);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn moves(game in game(), seed: u64, text in noise()) {
        let mut position = game.position(&random_setup(game, &mut Rng::new(seed))).unwrap();
        let before = position.clone();
        if let Err(error) = position.play(&text) {
            prop_assert!(!error.to_string().is_empty());
            prop_assert_eq!(position, before);
        }
    }

    #[test]
    fn damaged_moves(game in game(), seed: u64, at: usize, length in 0usize..4, with in "[a-i0-9=@,*+.><-]{0,3}") {
        let mut rng = Rng::new(seed);
        let mut position = game.position(&random_setup(game, &mut rng)).unwrap();
        let moves = position.legal_moves();
        if let Some(mv) = moves.get(rng.below(moves.len())) {
            let text = damaged(mv, at, length, &with);
            match position.play(&text) {
                // What is played is one of the legal moves.
                Ok(played) => prop_assert!(moves.contains(&played)),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }

    #[test]
    fn records(text in "(game: (colonnade|impasse|palisade:5)\n)?([a-z]{1,5}: [^\n]{0,8}\n){0,3}\n?([0-9]{0,2}[.]{0,3} ?[({})!?a-h0-9<>=-]{0,6} ?){0,8}") {
        if let Ok(record) = Record::parse(&text) {
            let written = record.to_string();
            prop_assert_eq!(Record::parse(&written).unwrap().to_string(), written);
        }
    }

    #[test]
    fn damaged_records(at: usize, length in 0usize..6, with in "[({})!?a-h0-9 .:\n-]{0,4}") {
        let sound = include_str!("golden/impasse.txt").split("\n\nstart").next().unwrap();
        if let Ok(record) = Record::parse(&damaged(sound, at, length, &with)) {
            let written = record.to_string();
            prop_assert_eq!(Record::parse(&written).unwrap().to_string(), written);
        }
    }

    #[test]
    fn game_ids(text in noise()) {
        if let Ok(game) = text.parse::<Game>() {
            prop_assert_eq!(game.to_string().parse(), Ok(game));
        }
    }
}

/// Lengths that no one types are answered quickly and with a short message.
#[test]
fn very_long_texts() {
    for game in Game::ALL {
        for piece in ["a", "1", "/", "b", "x,", "9", "(", "{", " ", "é", "\n", "r/"] {
            let text = piece.repeat(1_000_000);
            let error = game.position(&text).unwrap_err().to_string();
            assert!(error.chars().count() < 1000, "{}", error.chars().count());
            let error = game.start().play(&text).unwrap_err().to_string();
            assert!(error.chars().count() < 1000, "{}", error.chars().count());
            let record = format!("game: {game}\n\n{text}");
            if let Err(error) = Record::parse(&record) {
                assert!(error.to_string().chars().count() < 1000);
            }
        }
    }
}
