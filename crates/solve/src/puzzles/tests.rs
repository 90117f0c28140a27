use std::sync::OnceLock;

use super::*;
use stoa_engine::{Knowledge, Stop};
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Position, Side, colossus, columna, impasse};

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
fn faults_of_a_puzzle_are_reported() {
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

/// Whether the attacker wins within some turns, by going through everything without a memory, an
/// order or an early end.
fn wins_plainly<P: Position>(position: &P, attacker: Side, turns: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner == Some(attacker);
    }
    let is_attack = position.side_to_move() == attacker;
    if is_attack && turns == 0 {
        return false;
    }
    let left = if is_attack { turns - 1 } else { turns };
    let wins: Vec<bool> = position
        .legal_moves()
        .into_iter()
        .map(|mv| wins_plainly(&forced::after(position, mv), attacker, left))
        .collect();
    if is_attack { wins.contains(&true) } else { !wins.contains(&false) }
}

/// Compares the forcing search with the plain one in positions of random games.
fn compare_with_plain<P: Knowledge>(
    options: P::Options,
    games: u64,
    turns: u32,
    most_moves: usize,
) {
    let stop = Stop::new();
    let (mut wins, mut others) = (0, 0);
    for number in 0..games {
        let mut rng = Rng::for_game(3, number);
        let mut searches = Side::BOTH.map(|side| forced::Forcing::new(side, &stop));
        let mut position = P::start(options);
        while let Some(mv) = position.nth_move(rng.below(position.count_moves().max(1))) {
            position.play_unchecked(mv);
            if position.count_moves() > most_moves {
                continue;
            }
            for side in Side::BOTH {
                for turns in 0..=turns {
                    let found = searches[side.index()].allow(u64::MAX).wins(&position, turns);
                    let plain = wins_plainly(&position, side, turns);
                    assert_eq!(found, Ok(plain), "{position:?} {side:?} {turns}");
                    if plain { wins += 1 } else { others += 1 }
                }
            }
        }
    }
    assert!(wins > 20 && others > 30, "{wins} {others}");
}

#[test]
fn forced_wins_are_those_of_a_plain_search() {
    compare_with_plain::<colossus::Position>((), 20, 2, 12);
    compare_with_plain::<columna::Position>(columna::RuleSet::Spaces, 20, 2, 8);
    compare_with_plain::<impasse::Position>((), 20, 2, 8);
}

#[test]
fn a_search_that_may_not_look_says_so() {
    let position = colossus::Position::start(());
    let stop = Stop::new();
    let mut search = forced::Forcing::new(Side::First, &stop);
    assert_eq!(search.allow(3).wins(&position, 3), Err(forced::Cut));
    stop.stop();
    assert_eq!(search.allow(u64::MAX).wins(&position, 9), Err(forced::Cut));
}

/// Puzzles of Colossus, made once.
fn colossus_puzzles() -> &'static [Puzzle] {
    static PUZZLES: OnceLock<Vec<Puzzle>> = OnceLock::new();
    PUZZLES.get_or_init(|| {
        let maker = Maker::new(Game::Colossus, 1);
        (0..8).flat_map(|number| maker.from_game(number, &Stop::new())).collect()
    })
}

#[test]
fn puzzles_of_a_few_turns_are_found_and_hold() {
    let puzzles = colossus_puzzles();
    for puzzle in puzzles {
        assert_eq!(check(puzzle, &Stop::new()), Ok(()), "{puzzle:?}");
        assert_ne!(puzzle.goal, Goal::Win, "{puzzle:?}");
    }
    let is_long = |puzzle: &&Puzzle| puzzle.turns.len() > 1;
    assert!(puzzles.iter().find(is_long).is_some());
}

#[test]
fn faults_of_a_puzzle_of_a_few_turns_are_reported() {
    let long = colossus_puzzles().iter().find(|puzzle| puzzle.turns.len() > 1).unwrap();
    let Goal::WinWithin(turns) = long.goal else { panic!("{long:?}") };
    let right = &long.turns[0].accepted[0];
    let first = vec![Turn { accepted: vec![right.clone()], reply: None }];
    let with = |goal: Goal, turns: &[Turn]| {
        let puzzle = Puzzle { goal, turns: turns.to_vec(), rest: vec![], ..long.clone() };
        check(&puzzle, &Stop::new())
    };
    assert_eq!(with(Goal::WinWithin(turns), &first), Ok(()));
    assert_eq!(with(Goal::WinWithin(turns + 1), &first), Err(Complaint::Quicker(1)));
    let too_few = with(Goal::WinWithin(turns - 1), &first);
    assert_eq!(too_few, Err(Complaint::NotRight(right.clone())));
    assert!(matches!(with(Goal::Hold(1), &first), Err(Complaint::NotWrong(_))));
    assert_eq!(with(Goal::Hold(1), &long.turns), Err(Complaint::Shape(2)));
    assert_eq!(with(Goal::WinWithin(turns), &long.turns[..1]), Err(Complaint::Shape(1)));
}

#[test]
fn not_too_many_puzzles_begin_with_the_same_move() {
    // All of these can be won at once in a corner, by the same move turned round.
    let boards = [
        "x7/x7/x7/x7/x7/x7/w1,x6 g1 a2 b 0",
        "x7/x7/x3,w1,x3/x2,b1,x4/x7/x7/w1,x6 g1 a2 b 0",
        "x7/x,b1,x5/x3,w2,x3/x5,b1,x/x7/x7/w1,x6 g1 a2 b 0",
        "x6,w1/x7/x7/x7/x,w1,x5/x,b2,x5/x2,w2,x4 c9 i8 b 0",
    ];
    let game: Game = "columna".parse().unwrap();
    let mut collection = Collection::new(game, 10);
    for (board, mv) in boards.into_iter().zip(["b1@b2", "b1@b2", "b1@b2", "h9@h8"]) {
        let position = game.position(board).unwrap();
        let puzzle = Puzzle {
            id: maker::id(&position),
            game: game.to_string(),
            position: position.text(),
            goal: Goal::WinWithin(1),
            grade: 1,
            theme: None,
            plies: None,
            turns: vec![Turn { accepted: vec![mv.to_owned()], reply: None }],
            rest: vec![],
        };
        assert_eq!(check(&puzzle, &Stop::new()), Ok(()), "{puzzle:?}");
        collection.add_all(vec![puzzle]);
    }
    assert_eq!(collection.finish().len(), 3);
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
        game.position(position).unwrap().theme(mv)
    };
    let impasse = "1w6/8/8/4W3/8/8/8/6b1 w";
    assert_eq!(theme_of("impasse", impasse, "e5-a1*+a1>b8"), Some(Theme::BearOff));
    assert_eq!(theme_of("palisade:3", "3/1b1/3 w", "a2"), None);
}
