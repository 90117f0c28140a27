//! What the fuzz targets share. See `docs/fuzzing.md`.

use stoa_rules::{AnyPosition, Game, Playable, Setup};

/// The game that a byte stands for, `a` for the first of [`Game::variants`] and so on, so that
/// seeds are text.
pub fn game(byte: u8) -> Game {
    let games: Vec<Game> = Game::variants().collect();
    games[usize::from(byte.wrapping_sub(b'a')) % games.len()]
}

/// The laws that are cheap to check on any position.
pub fn check<P: Playable>(position: &P) {
    let text = position.to_setup().to_string();
    let again = P::Setup::parse(&text, position.options())
        .unwrap_or_else(|error| panic!("{text} cannot be read again: {error}"))
        .validate()
        .unwrap_or_else(|flaws| panic!("{text} is refused: {flaws:?}"));
    assert!(again == *position, "{text} is not what it was");
    assert_eq!(again.key(), position.key(), "{text}");

    let moves = position.legal_moves();
    assert_eq!(moves.len(), position.count_moves(), "{text}");
    assert_eq!(moves.is_empty(), position.outcome().is_some(), "{text}");
    // Not every move: picking one costs nearly as much as listing them all.
    for index in (0..moves.len()).step_by(moves.len() / 8 + 1) {
        assert_eq!(position.nth_move(index), Some(moves[index]), "{text}");
    }
    assert_eq!(position.nth_move(moves.len()), None, "{text}");
    assert!(moves.is_empty() || position.turns_left_at_most() > 0, "{text}");
    position.view();
}

/// What an interface does with a position: it shows what may be clicked, and follows the clicks. `pick` chooses
/// one of this many.
pub fn click(position: &AnyPosition, mut pick: impl FnMut(usize) -> usize) {
    let mut clicks = Vec::new();
    let mut choices = position.choices(&clicks).expect("no click is always allowed");
    assert_eq!(choices.next.is_empty(), position.outcome().is_some(), "{position}");
    while !choices.next.is_empty() {
        clicks.push(choices.next[pick(choices.next.len())]);
        choices = position.choices(&clicks).expect("it was offered");
    }
    if let Some(text) = choices.complete {
        assert_eq!(position.steps(&text), Some(clicks), "{position} {text}");
    } else {
        assert!(clicks.is_empty(), "{position}: {clicks:?} lead nowhere");
    }
}
