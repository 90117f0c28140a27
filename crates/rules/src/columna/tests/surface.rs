//! What people read, write, click and see.

use super::super::{Move, Position, RuleSet, Setup, Stack};
use super::{at, at_points, walled};
use crate::testing::start;
use crate::view::{Counted, Ground, Piece, Show};
use crate::{Notation, Selection, Setup as _, Side, Step};

#[test]
fn setups_report_every_flaw() {
    let flaws = |text: &str, rules| -> Vec<String> {
        let setup = Setup::parse(text, rules).unwrap();
        setup.validate().unwrap_err().iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        flaws("x7/x7/x7/x3,b5,x3/x7/x7/w9,x6 d4 i1 w 41", RuleSet::Spaces),
        [
            "the stack on b2 has 9 pieces, but a stack has one to 4",
            "the stack on e5 has 5 pieces, but a stack has one to 4",
            "Black's pawn stands on d4, which is no point of the ring",
            "White's pawn stands on i1, which is no point of the ring",
            "41 turns without a drop, but the game ends after 40",
        ]
    );
    assert_eq!(
        flaws("x7/x7/x7/x7/x7/x7/x7 i9 h9 w 4000000000", RuleSet::Points),
        [
            "Black's pawn stands on i9, which is not on its track",
            "White's pawn stands on h9, which is not on its track",
            "4000000000 turns without a drop, but the game ends after 40",
        ]
    );
    let empty = "x7/x7/x7/x7/x7/x7/x7";
    for (pawns, flaw) in [
        ("a4 a4", "both pawns stand on a4"),
        ("a1 a1", "both pawns stand on a1"),
        ("a2 h9", "the pawns on a2 and h9 stand on the same side"),
        ("i2 h1", "the pawns on i2 and h1 stand on the same side"),
    ] {
        assert_eq!(flaws(&format!("{empty} {pawns} b 0"), RuleSet::Spaces), [flaw]);
    }
    // A stack without pieces cannot be written, but it can be made.
    let mut setup = start::<Position>().to_setup();
    setup.board[0][0] = Some(Stack { owner: Side::First, height: 0 });
    assert_eq!(setup.validate().unwrap_err().len(), 1);
}

#[test]
fn positions_are_read_strictly_and_written_one_way() {
    let parse = |text: &str| Setup::parse(text, RuleSet::Spaces);
    let canonical = "x7/b1,w2,b3,w4,x,b1,x/x3,b1,x3/x7/x7/x6,w2/x7 a4 i9 w 12";
    assert_eq!(parse(canonical).unwrap().to_string(), canonical);
    let loose = "x,x6/b1,w2,b3,w4,x1,b1,x/x,x,x,b1,x2,x/x7/x7/x5,x,w2/x3,x4  a4 i9   w 12 ";
    assert_eq!(parse(loose).unwrap().to_string(), canonical);
    for (text, offset) in [
        ("", 0),
        ("x8/", 1),
        ("x0", 1),
        ("x6/", 2),
        ("x6,", 3),
        ("x7,b1", 2),
        ("x6,x2", 4),
        ("b,x6", 1),
        ("b0,x6", 1),
        ("b12,x5", 1),
        ("B1,x6", 0),
        ("r1,x6", 0),
        ("x7/x7/x7/x7/x7/x7/x7", 20),
        ("x7/x7/x7/x7/x7/x7/x7/x7", 20),
        ("x7/x7/x7/x7/x7/x7/x7 j1 i9 b 0", 21),
        ("x7/x7/x7/x7/x7/x7/x7 a0 i9 b 0", 22),
        ("x7/x7/x7/x7/x7/x7/x7 a1 b 0", 25),
        ("x7/x7/x7/x7/x7/x7/x7 a1 i9 x 0", 27),
        ("x7/x7/x7/x7/x7/x7/x7 a1 i9 b", 28),
        ("x7/x7/x7/x7/x7/x7/x7 a1 i9 b -1", 29),
        ("x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0 0", 31),
    ] {
        assert_eq!(parse(text).unwrap_err().offset(), offset, "{text}");
    }
    assert_eq!(
        parse("x7/b1,x4/x7").unwrap_err().to_string(),
        "expected ',' and 2 more spaces in this rank, found '/'\n  x7/b1,x4/x7\n          ^"
    );
}

#[test]
fn moves_are_read_in_either_case_and_errors_say_where() {
    let start = start::<Position>();
    for (text, canonical) in
        [("A4@D4", "a4@d4"), ("a4,D4-d6 ", "a4,d4-d6"), ("Pass", "pass"), ("i1@h8", "i1@h8")]
    {
        assert_eq!(start.move_text(start.parse_move(text).unwrap()), canonical);
    }
    for (text, offset, expected) in [
        ("", 0, "the pawn's new point or 'pass'"),
        ("j4@d4", 0, "the pawn's new point or 'pass'"),
        ("a0@d4", 1, "a rank from 1 to 9"),
        ("a", 1, "a rank from 1 to 9"),
        ("b4@d4", 0, "a point of the ring such as a4 or d9"),
        ("a4", 2, "'@' for a drop or ',' for the move of a stack"),
        ("a4-d4", 2, "'@' for a drop or ',' for the move of a stack"),
        ("a4@", 3, "a space from b2 to h8"),
        ("a4@a4", 3, "a space from b2 to h8"),
        ("a4@d9", 3, "a space from b2 to h8"),
        ("a4,d4", 5, "'-' and where the stack goes"),
        ("a4,d4-i4", 6, "a space from b2 to h8"),
        ("a4@d4d5", 5, "the end"),
        ("past", 3, "'pass'"),
        ("passé", 4, "the end"),
    ] {
        let error = start.parse_move(text).unwrap_err();
        assert_eq!((error.offset(), error.expected()), (offset, expected), "{text}");
    }
}

#[test]
fn a_violation_is_a_clause_of_a_sentence() {
    let position = at("x7/x7/x7/x7/x2,b2,x,b1,b4,x/x7/x7 a1 i3 b 0");
    for (text, violation) in [
        ("pass", "you have a valid turn, so you may not pass"),
        ("a1@b2", "your pawn stands on a1 already and must move to another point"),
        ("a9@b2", "the ring has no point a9"),
        ("i3@h3", "the other pawn stands on i3"),
        ("h1@h2", "h1 lies on the side on which the other pawn stands, on i3"),
        ("i9@h8", "a pawn on i9 sees nothing"),
        ("a4@b5", "b5 is not in the line of sight of a pawn on a4"),
        ("a4@g4", "the stack on g4 has four pieces already"),
        ("a4@e4", "the stack on d4 stands before the empty space e4"),
        ("a4@f4", "the stack on d4 stands before the one on f4 and is not lower"),
        ("a4,d5-d6", "you own no stack on d5"),
        ("a4,g4-g8", "the stack on g4 has four pieces and never moves"),
        (
            "a4,d4-d5",
            "a stack moves in a straight line as many spaces as it is high, here 2, and d5 is not \
             reached from d4 so",
        ),
        ("a4,d4-f4", "the stack on f4 is in the way"),
    ] {
        let mv = position.parse_move(text).unwrap();
        assert_eq!(position.violation(mv).unwrap().to_string(), violation);
    }
    let position = at_points("x7/x7/x7/x7/x7/x7/x7 a4 i9 b 0");
    for (text, violation) in [
        ("i3@h3", "i3 is not on your track"),
        ("c9@c8", "c9 is not in a straight line with a4 on your track"),
    ] {
        let mv = position.parse_move(text).unwrap();
        assert_eq!(position.violation(mv).unwrap().to_string(), violation);
    }
}

#[test]
fn clicks_lead_to_drops_stack_moves_and_passes() {
    let position = at("x7/x7/x7/x7/x2,b1,x4/x7/x7 a1 i9 b 0");
    let click = |name: &str| {
        let [file, rank] = name.as_bytes() else { panic!("{name}") };
        Step::cell(u16::from(file - b'a') + 9 * u16::from(rank - b'1'))
    };
    let mut selection = Selection::new(&position);
    selection.click(click("a4")).unwrap();
    assert_eq!(selection.complete(), None);
    selection.click(click("d4")).unwrap();
    // A drop on the stack, unless it is to move.
    assert_eq!(selection.complete(), position.parse_move("a4@d4").ok());
    assert_eq!(selection.next(), ["d3", "c4", "e4", "d5"].map(click));
    selection.click(click("d5")).unwrap();
    assert_eq!(selection.complete(), position.parse_move("a4,d4-d5").ok());

    let position = at(&walled("b4,b4,x,w1,b4,b4,b4", "a1 i9 b 5"));
    let mut selection = Selection::new(&position);
    assert_eq!(selection.next(), ["a1"].map(click));
    selection.click(click("a1")).unwrap();
    assert_eq!(selection.complete(), Some(Move::Pass));
}

#[test]
fn the_view_shows_the_ring_of_the_rule_set() {
    let text = "x7/x7/x7/x7/x2,w4,x4/x7/x7 a1 i4 b 0";
    let view = at(text).view();
    assert_eq!(view.spots.len(), 79, "a9 and i1 do not exist");
    assert_eq!((view.counts, view.counted), ([0, 1], Counted::Fours));
    let spot = |name: &str| view.spots.iter().find(|spot| spot.name == name).unwrap();
    assert_eq!((spot("d4").cell, spot("d4").x, spot("d4").y), (30, 7, 7));
    assert_eq!(spot("d4").piece, Some(Piece::Stack { owner: Side::Second, height: 4 }));
    assert_eq!(spot("a1").piece, Some(Piece::Pawn(Side::First)));
    assert_eq!(spot("i4").piece, Some(Piece::Pawn(Side::Second)));
    for (name, ground) in [
        ("a1", Ground::Base),
        ("i9", Ground::Base),
        ("a4", Ground::Track),
        ("h1", Ground::Track),
        ("b2", Ground::Square),
        ("h8", Ground::Square),
    ] {
        assert_eq!(spot(name).ground, ground, "{name}");
    }
    let view = at_points(text).view();
    assert_eq!(view.spots.len(), 81);
    assert!(view.spots.iter().all(|spot| spot.ground != Ground::Base));
}
