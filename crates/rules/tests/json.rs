//! What a program writes as JSON it can read back.

#![cfg(feature = "serde")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

use stoa_rules::{Game, MoveError, Objection, Outcome, Reason, Role, Side, Step};

/// What comes back from JSON.
fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    assert_eq!(again(value), *value);
}

#[test]
fn everything_about_a_position_goes_both_ways() {
    for game in Game::variants() {
        let start = game.start();
        check(&game);
        check(&start.view());
        check(&start.side_to_move());
        let choices = start.choices(&[]).unwrap();
        check(&choices);
        check(&start.choices(&choices.next[..1]).unwrap());
    }
}

#[test]
fn every_reason_goes_both_ways() {
    for (reason, word) in Reason::WORDS {
        assert_eq!(serde_json::to_value(reason).unwrap(), word);
        check(&Outcome::win(Side::Second, reason));
    }
    check(&Outcome { winner: None, reason: Reason::Agreed });
    assert!(serde_json::from_str::<Reason>("\"boredom\"").is_err());
}

#[test]
fn objections_go_both_ways() {
    let error = Game::Impasse.start().play("h2-g1").unwrap_err();
    let MoveError::Illegal { objection, .. } = error else { panic!("{error}") };
    check::<Objection>(&objection);
}

#[test]
fn a_click_on_a_whole_cell_needs_no_level() {
    assert_eq!(serde_json::from_str::<Step>(r#"{"cell":7}"#).unwrap(), Step::cell(7));
    assert_eq!(serde_json::from_str::<Role>("\"crown-with\"").unwrap(), Role::CrownWith);
}

#[test]
fn an_unknown_game_is_refused_in_words() {
    let error = serde_json::from_str::<Game>("\"palisade:8\"").unwrap_err().to_string();
    assert!(error.starts_with("palisade has no size '8'"), "{error}");
}
