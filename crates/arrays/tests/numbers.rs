//! The numbers that docs/python.md promises. Programs have been trained with them, so a change here
//! makes what they have learnt worthless.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use stoa_arrays::{ActionError, Shape, action_of, observe, planes};
use stoa_rules::{AnyPosition, Game, Side};

fn position(game: &str, text: &str) -> AnyPosition {
    game.parse::<Game>().unwrap().position(text).unwrap()
}

fn action(position: &AnyPosition, text: &str) -> usize {
    action_of(position, text).unwrap()
}

#[test]
fn shapes() {
    let shape = |id: &str| {
        let Shape { planes, rows, columns, actions } = Shape::of(id.parse().unwrap());
        (planes, rows, columns, actions)
    };
    assert_eq!(shape("colonnade"), (26, 1, 8, 384));
    assert_eq!(shape("impasse"), (4, 8, 8, 1609));
    assert_eq!(shape("palisade:3"), (5, 3, 3, 9));
    assert_eq!(shape("palisade"), (5, 19, 19, 361));
    assert_eq!(shape("columna"), (11, 9, 9, 6497));
    assert_eq!(shape("columna:points"), (11, 9, 9, 3249));
    assert_eq!(shape("colossus"), (9, 7, 7, 1255));
    for game in Game::variants() {
        assert_eq!(planes(game).len(), Shape::of(game).planes, "{game}");
    }
}

#[test]
fn colonnade() {
    let start = Game::Colonnade.start();
    assert_eq!(action(&start, "1b<"), 48);
    assert_eq!(action(&start, "2c>"), 2 * 48 + 24 + 1);
}

#[test]
fn palisade() {
    let start = "palisade:7".parse::<Game>().unwrap().start();
    assert_eq!(action(&start, "a1"), 0);
    assert_eq!(action(&start, "d4"), 24);
    assert_eq!(action(&start, "g7"), 48);
}

#[test]
fn impasse() {
    let start = Game::Impasse.start();
    // Slides come first, ordered by where they begin and end.
    assert_eq!(action(&start, "d2-c3"), 39);
    assert_eq!(action(&start, "d2-b4"), 41);
    let black = Game::Impasse.position("1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 b").unwrap();
    assert_eq!(action(&black, "e7-g5"), 41, "Black sees the board turned round");
    // 280 slides, 49 transposes, 32 removals, then those with a choice of crowns.
    let transpose = position("impasse", "8/2W5/1w6/8/8/8/8/6b1 w");
    assert!((280..329).contains(&action(&transpose, "c7=b6")));
    let impasse = position("impasse", "8/8/8/b7/8/2W5/1B1b4/2w5 w");
    assert_eq!(action(&impasse, "*c1"), 329 + 1);
    assert_eq!(action(&impasse, "*c3"), 329 + 9);
    // Two singles in the furthest row: the one that waited is crowned, or the one that is left.
    let two = position("impasse", "1w3W2/4b1b1/8/8/8/8/8/8 w");
    let [first, second] = ["*f8+f8>b8", "*f8+b8>f8"].map(|text| action(&two, text));
    assert_eq!(first, 329 + 30);
    assert!((361..1609).contains(&second));
    // A bear off makes a crown due, which needs no number of its own.
    let bear_off = position("impasse", "1w6/8/8/4W3/8/8/8/6b1 w");
    assert!(action(&bear_off, "e5-a1*+a1>b8") < 280);
}

#[test]
fn impasse_positions_that_play_cannot_reach_may_lack_actions() {
    // Three singles, two of which stand in the furthest row and were never crowned.
    let strange = position("impasse", "1w1w4/8/8/8/8/8/8/w5b1 w");
    let error = stoa_arrays::legal_actions(&strange, &mut Vec::new()).unwrap_err();
    assert!(matches!(error, ActionError::NoAction { .. }), "{error}");
    assert!(error.to_string().contains("has no action: play cannot reach this position"));
}

#[test]
fn columna() {
    let start = "columna".parse::<Game>().unwrap().start();
    // The pawn on a4 is point 3, and d4 the third space in its sight.
    assert_eq!(action(&start, "a4@d4"), 3 * 203 + 2);
    let points = "columna:points".parse::<Game>().unwrap().start();
    assert_eq!(action(&points, "a4@d4"), 3 * 203 + 2);
    let text = "x7/x7/x7/x7/x7/x7/x7 a1 i9 w 0";
    let white = position("columna:points", text);
    assert_eq!(action(&white, "i6@f6"), 3 * 203 + 2, "White sees the board turned round");
    let stack = position("columna", "x7/x7/x7/x7/x2,b2,x4/x7/x7 a4 i9 b 0");
    // From d4 two spaces up.
    assert_eq!(action(&stack, "a5,d4-d6"), 4 * 203 + 7 + 4 * (2 * 7 + 2) + 1);
    let blocked = "columna".parse::<Game>().unwrap();
    assert_eq!(Shape::of(blocked).actions - 1, 6496, "the last action is the pass");
}

#[test]
fn colossus() {
    let start = Game::Colossus.start();
    assert_eq!(action(&start, "a2"), 1);
    assert_eq!(action(&start, "a1-a3"), 37);
    let claim = position("colossus", "t2W/5/6/t5t/1b4/1b3/B2t b 3 0 8");
    assert!(stoa_arrays::legal_actions(&claim, &mut Vec::new()).is_ok());
}

#[test]
fn observations_show_what_the_planes_say() {
    let start = "palisade:3".parse::<Game>().unwrap().position("3/1b1/3 w").unwrap();
    let mut seen = vec![0.0; 45];
    observe(&start, Side::Second, &mut seen);
    let plane = |number: usize| &seen[number * 9..][..9];
    assert_eq!(plane(0), [0.0; 9], "White has no stones");
    assert_eq!(plane(1), [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(plane(2), [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);

    let impasse = position("impasse", "8/8/8/4W3/8/8/1b6/w5b1 b");
    let mut seen = vec![0.0; 256];
    observe(&impasse, Side::Second, &mut seen);
    let set: Vec<usize> = (0..256).filter(|&place| seen[place] == 1.0).collect();
    // Turned round, b2 is g7, g1 is b8, a1 is h8 and e5 is d4.
    assert_eq!(set, [6 + 6 * 8, 1 + 7 * 8, 128 + 7 + 7 * 8, 192 + 3 + 3 * 8]);

    let columna = position("columna", "x7/x7/x7/x7/x2,b2,w4,x3/x7/x7 a4 i9 b 10");
    let mut seen = vec![0.0; 11 * 81];
    observe(&columna, Side::First, &mut seen);
    let at = |plane: usize, file: usize, rank: usize| seen[plane * 81 + rank * 9 + file];
    assert_eq!((at(1, 3, 3), at(7, 4, 3), at(8, 0, 3), at(9, 8, 8)), (1.0, 1.0, 1.0, 1.0));
    assert_eq!(at(10, 5, 5), 0.25);

    let colossus = Game::Colossus.start();
    let mut seen = vec![0.0; 9 * 49];
    observe(&colossus, Side::First, &mut seen);
    let at = |plane: usize, row: usize, column: usize| seen[plane * 49 + row * 7 + column];
    // a1 begins three to the right, g4 stands at the end of its row.
    assert_eq!((at(2, 0, 3), at(3, 6, 3), at(4, 3, 0)), (1.0, 1.0, 1.0));
    assert_eq!(seen[5 * 49..6 * 49].iter().sum::<f32>(), 37.0);
}
