use std::sync::OnceLock;

use super::*;
use stoa_engine::Stop;
use stoa_rules::Game;

fn some(game: Game, games: u64) -> Vec<Puzzle> {
    let maker = Maker::new(game, 7);
    let mut collection = Collection::new(game, 6);
    for number in 0..games {
        collection.add_all(maker.from_game(number, &Stop::new()));
    }
    collection.finish()
}

/// Some puzzles of Colonnade, made once.
fn colonnade() -> &'static [Puzzle] {
    static PUZZLES: OnceLock<Vec<Puzzle>> = OnceLock::new();
    PUZZLES.get_or_init(|| some(Game::Colonnade, 8))
}

#[test]
fn puzzles_of_colonnade_are_found_and_hold() {
    let puzzles = colonnade();
    assert!(!puzzles.is_empty());
    for puzzle in puzzles {
        assert_eq!(check(puzzle, &Stop::new()), Ok(()), "{puzzle:?}");
        assert_eq!(puzzle.goal, Goal::Win);
    }
    assert_eq!(some(Game::Colonnade, 8), puzzles, "the same every time");
}

#[test]
fn what_is_wrong_with_a_puzzle_is_told() {
    let puzzle = &colonnade()[0];
    let refused = |change: &dyn Fn(&mut Puzzle)| {
        let mut changed = puzzle.clone();
        change(&mut changed);
        check(&changed, &Stop::new()).unwrap_err()
    };
    let position = Game::Colonnade.position(&puzzle.position).unwrap();
    let right = puzzle.turns[0].accepted[0].clone();
    let wrong = position.legal_moves().into_iter().find(|mv| *mv != right).unwrap();
    let with = |accepted: Vec<String>| {
        refused(&|puzzle| {
            puzzle.turns = vec![Turn { accepted: accepted.clone(), reply: None }];
            puzzle.rest.clear();
        })
    };
    assert_eq!(with(vec![wrong.clone()]), Complaint::NotRight(wrong.clone()));
    assert_eq!(with(vec![right, wrong]), Complaint::Shape(1));
    assert!(matches!(with(vec!["9z<".into()]), Complaint::Move(_)));
    assert!(matches!(refused(&|puzzle| puzzle.position = "x".into()), Complaint::Position(_)));
    assert!(matches!(refused(&|puzzle| puzzle.game = "chess".into()), Complaint::Game(_)));
    assert!(matches!(refused(&|puzzle| puzzle.id.push('0')), Complaint::Id(_)));
    assert_eq!(refused(&|puzzle| puzzle.grade = 6), Complaint::Grade(6));
    assert_eq!(refused(&|puzzle| puzzle.turns.clear()), Complaint::Shape(1));
}

#[test]
fn a_puzzle_with_two_winning_moves_is_refused() {
    // White wins Palisade on 3×3 points, after this move in several ways.
    let game: Game = "palisade:3".parse().unwrap();
    let mut position = game.start();
    position.play("a1").unwrap();
    let winning: Vec<String> = position
        .legal_moves()
        .into_iter()
        .filter(|mv| {
            let mut after = position.clone();
            after.play(mv).unwrap();
            judge::proof(&after, PROOF_NODES, &Stop::new()).most == crate::Verdict::Loss
        })
        .collect();
    assert!(winning.len() > 1, "{winning:?}");
    let puzzle = Puzzle {
        id: maker::id(&position),
        game: game.to_string(),
        position: position.text(),
        goal: Goal::Win,
        grade: 1,
        theme: None,
        plies: None,
        turns: vec![Turn { accepted: vec![winning[0].clone()], reply: None }],
        rest: vec![],
    };
    assert!(matches!(check(&puzzle, &Stop::new()), Err(Complaint::NotWrong(_))));
}

#[test]
fn positions_a_move_apart_or_turned_round_are_alike() {
    let start = Game::Impasse.start();
    let mut next = start.clone();
    next.play("d2-b4").unwrap();
    assert!(are_alike(&start, &next));
    let mut far = next.clone();
    far.play("e7-g5").unwrap();
    assert!(are_alike(&next, &far));
    assert!(!are_alike(&start, &far));
    let one = Game::Colonnade.position("br/-/rb/b/-/-/r/- r").unwrap();
    let reflected = Game::Colonnade.position("-/r/-/-/b/rb/-/br r").unwrap();
    assert!(are_alike(&one, &reflected));
}

#[test]
fn themes_are_what_the_rules_say() {
    let theme_of = |game: &str, position: &str, mv: &str| {
        let game: Game = game.parse().unwrap();
        theme::theme(&game.position(position).unwrap(), mv)
    };
    let impasse = "1w6/8/8/4W3/8/8/8/6b1 w";
    assert_eq!(theme_of("impasse", impasse, "e5-a1*+a1>b8"), Some(Theme::BearOff));
    assert_eq!(theme_of("palisade:3", "3/1b1/3 w", "a2"), None);
}
