//! The clauses, rulings and known answers of Columna.

mod surface;

use super::{Position, RuleSet, STALL};
use crate::testing::{after, legal, moves, outcome, position, position_with, refusal, start};
use crate::{Notation, Outcome, Position as _, Reason, Side, perft};

fn at(text: &str) -> Position {
    position(text)
}

fn at_points(text: &str) -> Position {
    position_with(text, RuleSet::Points)
}

/// The spaces on which the player to move may drop from a point.
fn drops(position: &Position, point: &str) -> Vec<String> {
    let drop = format!("{point}@");
    moves(position).iter().filter_map(|text| text.strip_prefix(&drop)).map(str::to_owned).collect()
}

/// The stack moves that go with a point.
fn stack_moves(position: &Position, point: &str) -> Vec<String> {
    let stack = format!("{point},");
    moves(position).iter().filter_map(|text| text.strip_prefix(&stack)).map(str::to_owned).collect()
}

/// The points that the pawn may go to, sorted by name.
fn pawn_moves(position: &Position) -> Vec<String> {
    let mut points: Vec<String> = moves(position).iter().map(|text| text[..2].to_owned()).collect();
    points.dedup();
    points
}

fn names(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// A board full of stacks that cannot be dropped on, with this rank 4.
fn walled(rank: &str, rest: &str) -> String {
    let full = "b4,b4,b4,b4,b4,b4,b4";
    format!("{full}/{full}/{full}/{full}/{rank}/{full}/{full} {rest}")
}

#[test]
fn clause_1_the_top_piece_owns_the_stack() {
    let position = at("x7/x7/x7/x7/w1,x,b2,x2,w3,x/x7/x7 a1 i9 b 3");
    assert_eq!(after(&position, "a4@b4"), "x7/x7/x7/x7/b2,x,b2,x2,w3,x/x7/x7 a4 i9 w 0");
    assert_eq!(after(&position, "a4@d4"), "x7/x7/x7/x7/w1,x,b3,x2,w3,x/x7/x7 a4 i9 w 0");
    assert_eq!(after(&position, "a4@g4"), "x7/x7/x7/x7/w1,x,b2,x2,b4,x/x7/x7 a4 i9 w 0");
    assert_eq!(position.pieces(), 6);
}

#[test]
fn clause_2_the_setup() {
    for rules in RuleSet::BOTH {
        let start = Position::start(rules);
        assert_eq!(start.to_setup().to_string(), "x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0");
        assert_eq!(start.side_to_move(), Side::First);
        assert_eq!(start.options(), rules);
        assert_eq!(start.pieces(), 0);
    }
    assert_eq!(start::<Position>().options(), RuleSet::Spaces);
}

#[test]
fn clause_3_drop_on_an_empty_space_with_empty_spaces_between() {
    let position = at("x7/x7/x7/x7/x2,b1,x4/x7/x7 a1 i9 b 0");
    assert_eq!(drops(&position, "a4"), names("b4 c4 d4"));
    assert_eq!(drops(&position, "i4"), names("d4 e4 f4 g4 h4"));
    assert_eq!(drops(&position, "d9"), names("d4 d5 d6 d7 d8"));
    assert_eq!(drops(&position, "d1"), names("d2 d3 d4"));
    assert_eq!(drops(&position, "a5"), names("b5 c5 d5 e5 f5 g5 h5"));
    assert_eq!(refusal(&position, "a4@e4"), "clause 3");
    assert_eq!(after(&position, "a4@c4"), "x7/x7/x7/x7/x,b1,b1,x4/x7/x7 a4 i9 w 0");
}

#[test]
fn clause_3_drop_on_a_stack_with_lower_stacks_between() {
    // Each line of sight has stacks of one, two, another two, three, one, four.
    let position = at("x7/x7/x7/x7/w1,x,b2,w2,b3,w1,b4/x7/x7 a1 i9 b 0");
    assert_eq!(drops(&position, "a4"), names("b4 d4 f4"));
    assert_eq!(refusal(&position, "a4@c4"), "clause 3");
    assert_eq!(refusal(&position, "a4@e4"), "clause 3");
    assert_eq!(refusal(&position, "a4@g4"), "clause 3");
    assert_eq!(refusal(&position, "a4@h4"), "clause 3");
    // Nothing is higher than the four in front.
    assert_eq!(drops(&position, "i4"), names(""));
    assert_eq!(refusal(&position, "i4@f4"), "clause 3");
    // Empty spaces between do not matter, in any direction.
    let position = at("x3,w4,x3/x3,b3,x3/x7/x3,b1,x3/x7/x3,w2,x3/x7 a1 i9 b 0");
    assert_eq!(drops(&position, "e1"), names("e2 e3 e7"));
    assert_eq!(drops(&position, "e9"), names(""));
}

#[test]
fn clause_3_a_stack_moves_as_far_as_it_is_high() {
    let position = at("x7/x7/x7/x2,b1,x,b3,x2/x7/x2,b2,x4/x7 a1 i9 b 7");
    let expected = names("d3-b3 d3-f3 d5-c5 d5-d4 d5-d6 d5-e5 f5-f2 f5-f8");
    assert_eq!(stack_moves(&position, "a4"), expected);
    assert_eq!(after(&position, "a4,f5-f2"), "x7/x7/x7/x2,b1,x4/x7/x2,b2,x4/x4,b3,x2 a4 i9 w 8");
    // It need not be in sight: every point goes with every stack move, base tiles too.
    for point in pawn_moves(&position) {
        assert_eq!(stack_moves(&position, &point), expected, "{point}");
    }
    for text in [
        "a4,d3-d4", // too short
        "a4,d3-d6", // too far
        "a4,d3-d5", // the last space is occupied
        "a4,f5-c5", // something is in the way
        "a4,d5-e6", // not straight
        "a4,d3-e4", // two steps, but not straight
        "a4,d5-d5", // no move
        "a4,e5-e6", // nothing there
    ] {
        assert_eq!(refusal(&position, text), "clause 3", "{text}");
    }
    let position = at("x7/x7/x7/x2,b1,x,b3,x2/x7/x2,b2,x4/x7 a1 i9 w 7");
    assert_eq!(refusal(&position, "a4,d5-d4"), "clause 3");
}

#[test]
fn clause_3_a_stack_stays_inside_the_board() {
    let position = at("b1,x5,b2/x7/x7/x7/x7/x7/b3,x5,b1 a1 i9 b 0");
    assert_eq!(
        stack_moves(&position, "a4"),
        names("b2-b5 b2-e2 b8-b7 b8-c8 h2-g2 h2-h3 h8-f8 h8-h6")
    );
}

#[test]
fn clause_3_a_stack_of_four_never_moves() {
    let position = at("x7/x7/x7/x7/x2,b4,x4/x7/x7 a1 i9 b 0");
    assert_eq!(stack_moves(&position, "a4"), names(""));
    assert_eq!(refusal(&position, "a4,d4-d8"), "clause 3");
    assert_eq!(refusal(&position, "a4,d4-d5"), "clause 3");
}

#[test]
fn clause_4_the_line_of_sight_is_at_right_angles_to_the_edge() {
    let position = start::<Position>();
    assert_eq!(drops(&position, "a4"), names("b4 c4 d4 e4 f4 g4 h4"));
    assert_eq!(drops(&position, "i4"), names("b4 c4 d4 e4 f4 g4 h4"));
    assert_eq!(drops(&position, "d9"), names("d2 d3 d4 d5 d6 d7 d8"));
    assert_eq!(drops(&position, "d1"), names("d2 d3 d4 d5 d6 d7 d8"));
    assert_eq!(refusal(&position, "a4@b5"), "clause 4");
    assert_eq!(refusal(&position, "d9@e8"), "clause 4");
}

#[test]
fn clause_4_the_corners_see_nothing() {
    let position = at("x7/x7/x7/x3,b1,x3/x7/x7/x7 a2 i8 b 0");
    assert_eq!(drops(&position, "a1"), names(""));
    assert_eq!(drops(&position, "i9"), names(""));
    assert_eq!(refusal(&position, "a1@b2"), "clause 4");
    assert_eq!(refusal(&position, "i9@h8"), "clause 4");
    assert!(legal(&position, "a1,e5-e6"));
    let position = at_points("x7/x7/x7/x3,b1,x3/x7/x7/x7 a2 i8 b 0");
    assert_eq!(refusal(&position, "a9@b8"), "clause 4");
    assert!(legal(&position, "a9,e5-e6"));
}

#[test]
fn clause_5_a_player_without_a_turn_passes() {
    for rules in RuleSet::BOTH {
        let text = walled("b4,b4,x,w1,b4,b4,b4", "a1 i9 b 5");
        let black: Position = position_with(&text, rules);
        assert_eq!(black.outcome(), None);
        assert_eq!(moves(&black), ["pass"]);
        assert_eq!(after(&black, "pass"), walled("b4,b4,x,w1,b4,b4,b4", "a1 i9 w 6"));
        assert_eq!(refusal(&black, "a4@d4"), "clause 3");
        let white: Position = position_with(&after(&black, "PASS"), rules);
        assert_eq!(refusal(&white, "pass"), "clause 5");
        assert!(legal(&white, "i5,e4-d4"));
        assert!(moves(&white).iter().all(|text| text.ends_with(",e4-d4")));
    }
    assert_eq!(refusal(&start::<Position>(), "pass"), "clause 5");
}

#[test]
fn clause_5_when_neither_has_a_turn_the_fours_count() {
    for side in ["b", "w"] {
        let over = outcome::<Position>(&walled("b4,b4,w4,w4,b4,b4,b4", &format!("a1 i9 {side} 0")));
        assert_eq!(over, Some(Outcome::win(Side::First, Reason::Blocked)));
    }
    // A stack of three that nobody sees does not count, and cannot move.
    let white = walled("w4,w4,w3,b4,b4,w4,w4", "a1 i9 b 0").replace("b4", "w4");
    assert_eq!(outcome::<Position>(&white), Some(Outcome::win(Side::Second, Reason::Blocked)));
}

#[test]
fn clause_6_the_ring() {
    let position = at("x7/x7/x7/x3,b1,x3/x7/x7/x7 a1 i9 b 0");
    let mut ring = names(
        "a2 a3 a4 a5 a6 a7 a8 b9 c9 d9 e9 f9 g9 h9 \
         i8 i7 i6 i5 i4 i3 i2 h1 g1 f1 e1 d1 c1 b1",
    );
    ring.sort();
    assert_eq!(pawn_moves(&position), ring);
    assert_eq!(refusal(&position, "a9,e5-e6"), "clause 6");
    assert_eq!(refusal(&position, "i1,e5-e6"), "clause 6");
}

#[test]
fn clause_7_the_other_pawns_side_is_closed() {
    let mut open = names("a1 i9 i8 i7 i6 i5 i4 i3 i2 h1 g1 f1 e1 d1 c1");
    open.sort();
    // Black on b1 may pass the base tiles, and go on past White's side if White is not there.
    let position = at("x7/x7/x7/x3,b1,x3/x7/x7/x7 b1 a8 b 0");
    assert_eq!(pawn_moves(&position), open);
    assert_eq!(refusal(&position, "a2@b2"), "clause 7");
    assert_eq!(refusal(&position, "b9@b8"), "clause 7");
    assert_eq!(refusal(&position, "a8@b8"), "clause 7");
    // From a base tile too, whichever way round.
    let position = at("x7/x7/x7/x3,b1,x3/x7/x7/x7 a1 a2 b 0");
    let mut open = names("i9 i8 i7 i6 i5 i4 i3 i2 h1 g1 f1 e1 d1 c1 b1");
    open.sort();
    assert_eq!(pawn_moves(&position), open);
}

#[test]
fn clause_7_base_tiles_belong_to_no_side() {
    // White on a base tile closes nothing but that tile: what lies behind it is reached the
    // other way round.
    let position = at("x7/x7/x7/x3,b1,x3/x7/x7/x7 b1 a1 b 0");
    let points = pawn_moves(&position);
    assert_eq!(points.len(), 28);
    assert!(points.contains(&"a2".to_owned()) && points.contains(&"i9".to_owned()));
    assert_eq!(refusal(&position, "a1,e5-e6"), "clause 7");
    // Either pawn may stop on either tile.
    let position = at("x7/x7/x7/x3,w1,x3/x7/x7/x7 i4 i9 w 0");
    assert!(legal(&position, "a1,e5-e6"));
    let position = at("x7/x7/x7/x3,b1,x3/x7/x7/x7 i4 a4 b 0");
    assert!(legal(&position, "i9,e5-e6"));
}

#[test]
fn clause_8_a_path_of_stacks_between_the_pawns_wins() {
    let won = Some(Outcome::win(Side::First, Reason::Path));
    // One stack on b2 connects pawns on a2 and b1.
    assert_eq!(outcome::<Position>("x7/x7/x7/x7/x7/x7/b1,x6 a2 b1 w 0"), won);
    let position = at("x7/x7/x7/x7/x7/x7/x7 a3 b1 b 0");
    assert_eq!(outcome::<Position>(&after(&position, "a2@b2")), won);
    // A longer way round, completed by a drop, by a pawn or by a stack.
    let board = "x7/x7/x2,b2,b1,b4,x2/x2,b1,x,b1,x2/b3,b1,b1,x,b1,b1,x/x7/x7";
    let position = at(&format!("{board} a1 i4 b 0"));
    assert_eq!(position.outcome(), None);
    assert_eq!(outcome::<Position>(&after(&position, "a4@b4")), None, "h4 is missing");
    let board = board.replace("b1,b1,x/x7/x7", "b1,b1,b1/x7/x7");
    let position = at(&format!("{board} a1 i4 b 0"));
    assert_eq!(outcome::<Position>(&after(&position, "a4@b4")), won);
    assert_eq!(outcome::<Position>(&after(&position, "a6@b6")), None);
    let broken = board.replace("x2,b1,x,b1,x2", "x3,b1,b1,x2");
    let position = at(&format!("{broken} a1 i4 b 0"));
    assert_eq!(outcome::<Position>(&after(&position, "a4@b4")), None);
    assert_eq!(outcome::<Position>(&after(&position, "a4,e5-d5")), won);
}

#[test]
fn clause_8_a_path_may_be_wide_and_go_two_ways_round() {
    let won = Some(Outcome::win(Side::First, Reason::Path));
    for text in [
        // Two ways meet on c4, on g5, and beyond a hole on e6 and on d5.
        "x7/x7/x7/b1,b1,x5/b1,b1,b1,b1,b1,b1,b1/x7/x7 a5 i4 w 0",
        "x7/x7/x7/b1,b1,b1,b1,b1,b1,b1/x5,b1,b1/x7/x7 i4 a5 w 0",
        "x2,b1,b1,b1,x2/x2,b1,x,b1,x2/x2,b1,b1,b1,x2/x3,b1,x3/x3,b1,x3/x3,b1,x3/x3,b1,x3 e9 e1 w 0",
        "x7/x7/b1,b1,b1,x4/b1,x,b1,b1,b1,b1,b1/b1,b1,b1,x4/x7/x7 a5 i5 w 0",
    ] {
        assert_eq!(outcome::<Position>(text), won, "{text}");
    }
}

#[test]
fn clause_8_only_own_stacks_side_by_side_connect() {
    // White's stack on the way, and a diagonal step.
    let row = "x7/x7/x7/x7/b1,b1,b1,w1,b1,b1,b1/x7/x7 a4 i4 w 0";
    assert_eq!(outcome::<Position>(row), None);
    assert_eq!(outcome::<Position>("x7/x7/x7/x7/x7/x,b1,x5/b1,x6 a2 c1 w 0"), None);
    // A path goes from one end of a rank to the other, not round the edge of the board.
    assert_eq!(outcome::<Position>("x7/x7/x7/x7/b1,x6/x6,b1/x7 a4 i3 w 0"), None);
    assert_eq!(outcome::<Position>("x7/x7/x7/x7/x7/b1,x6/x6,b1 a3 i2 w 0"), None);
}

#[test]
fn clause_8_a_pawn_on_a_base_tile_is_next_to_no_space() {
    let full = "b1,b1,b1,b1,b1,b1,b1";
    let board = [full; 7].join("/");
    assert_eq!(outcome::<Position>(&format!("{board} a1 i8 w 0")), None);
    assert_eq!(outcome::<Position>(&format!("{board} a8 i9 w 0")), None);
    assert!(outcome::<Position>(&format!("{board} a8 i8 w 0")).is_some());
}

#[test]
fn clause_9_a_pawn_moves_straight_along_its_track() {
    let board = "x7/x7/x7/x3,b1,w1,x2/x7/x7/x7";
    for (pawn, open) in [
        ("a1", "a2 a3 a4 a5 a6 a7 a8 a9"),
        ("a4", "a1 a2 a3 a5 a6 a7 a8 a9"),
        ("a9", "a1 a2 a3 a4 a5 a6 a7 a8 b9 c9 d9 e9 f9 g9 h9"),
        ("d9", "a9 b9 c9 e9 f9 g9 h9"),
    ] {
        let position = at_points(&format!("{board} {pawn} i9 b 0"));
        assert_eq!(pawn_moves(&position), names(open), "{pawn}");
    }
    for (pawn, open) in [
        ("i9", "i1 i2 i3 i4 i5 i6 i7 i8"),
        ("i4", "i1 i2 i3 i5 i6 i7 i8 i9"),
        ("i1", "b1 c1 d1 e1 f1 g1 h1 i2 i3 i4 i5 i6 i7 i8 i9"),
        ("b1", "c1 d1 e1 f1 g1 h1 i1"),
    ] {
        let position = at_points(&format!("{board} a1 {pawn} w 0"));
        assert_eq!(pawn_moves(&position), names(open), "{pawn}");
    }
    let position = at_points(&format!("{board} a4 i9 b 0"));
    assert_eq!(refusal(&position, "b9@b8"), "clause 9");
    assert_eq!(refusal(&position, "i9,e5-e6"), "clause 9");
    assert_eq!(refusal(&position, "b1@b2"), "clause 9");
}

#[test]
fn clause_10_points_has_no_path_win() {
    let text = "x7/x7/x7/x7/b1,b1,b1,b1,b1,b1,b1/x7/x7 a4 i4 w 0";
    assert_eq!(at(text).outcome(), Some(Outcome::win(Side::First, Reason::Path)));
    assert_eq!(at_points(text).outcome(), None);
    assert!(!moves(&at_points(text)).is_empty());
}

#[test]
fn ruling_1_the_pawn_must_move() {
    let board = "x7/x7/x7/x3,b1,x3/x7/x7/x7 a4 i9 b 0";
    for position in [at(board), at_points(board)] {
        assert_eq!(refusal(&position, "a4@b4"), "R1");
        assert_eq!(refusal(&position, "a4,e5-e6"), "R1");
    }
}

#[test]
fn ruling_2_only_the_player_who_moved_wins_by_a_path() {
    // White's own turn completes Black's path: the game goes on.
    let board = "x6,w1/x7/x7/b1,x6/b1,b1,b1,b1,b1,b1,b1/x7/x7";
    let text = after(&at(&format!("{board} a4 i5 w 0")), "i4,h8-g8");
    assert_eq!(outcome::<Position>(&text), None);
    // If it still stands at the end of Black's turn, Black wins then.
    let won = Some(Outcome::win(Side::First, Reason::Path));
    assert_eq!(outcome::<Position>(&after(&at(&text), "a5,b5-b6")), None);
    assert_eq!(outcome::<Position>(&after(&at(&text), "a7@b7")), None);
    assert_eq!(outcome::<Position>(&after(&at(&text), "a5@b5")), won);
    // So it does at the end of a pass.
    let board = walled("b4,b4,x,w1,b4,b4,b4", "a2 i2 b 0");
    assert_eq!(outcome::<Position>(&board), None);
    assert_eq!(outcome::<Position>(&after(&at(&board), "pass")), won);
}

#[test]
fn ruling_3_forty_turns_without_a_drop_end_the_game() {
    let board = "x7/x7/x7/x3,b1,w4,x2/x7/x7/x7 a4 i4 b";
    let position = at(&format!("{board} 39"));
    assert_eq!(position.stall(), 39);
    assert_eq!(position.outcome(), None);
    let won = Some(Outcome::win(Side::Second, Reason::Stall));
    assert_eq!(outcome::<Position>(&after(&position, "a5,e5-e6")), won);
    // A drop begins the count again.
    let text = after(&position, "a5@b5");
    assert!(text.ends_with(" w 0"), "{text}");
    assert_eq!(outcome::<Position>(&text), None);
    // A pass counts too, and the count does not stop at a path.
    let position = at(&walled("b4,b4,x,w1,b4,b4,b4", "a1 i9 b 39"));
    let over = outcome::<Position>(&after(&position, "pass"));
    assert_eq!(over, Some(Outcome::win(Side::First, Reason::Stall)));
    let path = outcome::<Position>("x7/x7/x7/x7/x7/x7/b1,x6 a2 b1 w 40");
    assert_eq!(path, Some(Outcome::win(Side::First, Reason::Path)));
    assert_eq!(STALL, 40);
}

#[test]
fn ruling_4_equal_fours_are_a_draw() {
    let draw = |reason| Some(Outcome { winner: None, reason });
    assert_eq!(outcome::<Position>("x7/x7/x7/x7/x7/x7/x7 a1 i9 b 40"), draw(Reason::Stall));
    let [black, white] = ["b4,b4,b4,b4,b4,b4,b4", "w4,w4,w4,w4,w4,w4,w4"];
    // The stack of three is hidden behind fours and has nowhere to go.
    let middle = "b4,b4,b4,b3,w4,w4,w4";
    let board = [black, black, black, middle, white, white, white].join("/");
    assert_eq!(outcome::<Position>(&format!("{board} a1 i9 w 0")), draw(Reason::Blocked));
}

#[test]
fn known_answers() {
    for (rules, answers) in
        [(RuleSet::Spaces, [196, 18_032, 2_377_780]), (RuleSet::Points, [49, 2_254, 147_966])]
    {
        for (depth, answer) in (1..).zip(answers) {
            assert_eq!(perft(&Position::start(rules), depth), answer, "{rules:?} {depth}");
        }
    }
}
