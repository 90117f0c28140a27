//! The clauses, rulings and figures of Impasse.

use super::{Position, Square};
use crate::testing::{after, moves, outcome, position, refusal, start};
use crate::view::{Ground, Piece, Show};
use crate::{Notation, Outcome, Position as _, Reason, Side, Steps};

fn at(text: &str) -> Position {
    position(text)
}

#[test]
fn clause_1_the_setup() {
    let start = start::<Position>();
    let text = "1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 w";
    assert_eq!(start.to_setup().to_string(), text);
    assert_eq!(start.checkers(Side::First), super::CHECKERS);
    assert_eq!(start.checkers(Side::Second), super::CHECKERS);
}

#[test]
fn clause_2_singles_slide_forward_over_empty_squares() {
    let position = at("8/8/5b2/8/8/2w5/1B6/8 w");
    assert_eq!(moves(&position), ["c3-a5", "c3-b4", "c3-d4", "c3-e5"]);
    assert_eq!(refusal(&position, "c3-b2"), "clause 2");
    assert_eq!(refusal(&position, "c3-g7"), "clause 2");
    let position = at("8/8/5b2/8/8/2w5/1B6/8 b");
    assert_eq!(moves(&position), ["b2-a3", "f6-d4", "f6-e5", "f6-g5", "f6-h4"]);
    assert_eq!(refusal(&position, "c3-d4"), "clause 2");
}

#[test]
fn clause_2_doubles_slide_backward_over_empty_squares() {
    let position = at("7b/8/5B2/8/8/2W5/8/8 w");
    assert_eq!(moves(&position), ["c3-a1*", "c3-b2", "c3-d2", "c3-e1*"]);
    assert_eq!(refusal(&position, "c3-d4"), "clause 2");
    let position = at("7b/8/5B2/8/8/2W5/8/8 b");
    assert!(moves(&position).contains(&"f6-d8*".to_owned()));
    assert_eq!(refusal(&position, "f6-h8*"), "clause 2");
}

#[test]
fn clause_2_transpose_only_onto_the_nearer_row() {
    let position = at("8/2W5/1w1w4/8/8/8/8/6b1 w");
    let both: Vec<String> =
        moves(&position).into_iter().filter(|text| text.contains('=')).collect();
    assert_eq!(both, ["c7=b6", "c7=d6"]);
    // The double is behind the single: no transpose.
    let position = at("8/2w5/1W6/8/8/8/8/6b1 w");
    assert!(moves(&position).iter().all(|text| !text.contains('=')));
    assert_eq!(refusal(&position, "b6=c7"), "clause 2");
    assert_eq!(refusal(&position, "c7=b6"), "clause 2");
    // For Black, nearer is higher.
    let position = at("8/8/3b4/2B5/8/8/8/6w1 b");
    assert_eq!(after(&position, "c5=d6"), "8/8/3B4/2b5/8/8/8/6w1 w");
}

#[test]
fn clause_3_bear_off_by_slide_and_by_transpose() {
    assert_eq!(after(&at("8/8/8/8/8/2W5/8/b7 w"), "c3-e1*"), "8/8/8/8/8/8/8/b3w3 b");
    assert_eq!(after(&at("8/8/7b/8/8/8/1W6/w7 w"), "b2=a1*"), "8/8/7b/8/8/8/1w6/w7 b");
    // The star may be left out, but not added where nothing is borne off.
    assert_eq!(after(&at("8/8/8/8/8/2W5/8/b7 w"), "c3-e1"), "8/8/8/8/8/8/8/b3w3 b");
    assert_eq!(refusal(&at("8/8/8/8/8/2W5/8/b7 w"), "c3-d2*"), "clause 3");
    let position = at("8/8/8/8/8/2W5/8/b7 w");
    let mut mv = position.parse_move("c3-e1*").unwrap();
    mv.bears_off = false;
    assert_eq!(position.violation(mv), Some(super::Violation::BearOffDue));
}

#[test]
fn clause_4_a_single_in_the_furthest_row_is_crowned() {
    let position = at("8/4w3/8/8/8/8/1b6/w1w5 w");
    // Either of the other singles may be lifted, and one must be.
    let crowned: Vec<String> =
        moves(&position).into_iter().filter(|text| text.starts_with("e7-d8")).collect();
    assert_eq!(crowned, ["e7-d8+a1>d8", "e7-d8+c1>d8"]);
    assert_eq!(refusal(&position, "e7-d8"), "clause 4");
    assert_eq!(refusal(&position, "e7-d8+e7>d8"), "clause 4");
    assert_eq!(refusal(&position, "e7-d8+a1>c1"), "clause 4");
    assert_eq!(refusal(&position, "c1-d2+a1>d8"), "clause 4");
    assert_eq!(after(&position, "e7-d8+a1>d8"), "3W4/8/8/8/8/8/1b6/2w5 b");
}

#[test]
fn clause_4_without_another_single_it_stays_uncrowned() {
    assert_eq!(after(&at("8/4w3/8/8/8/8/1b6/8 w"), "e7-d8"), "3w4/8/8/8/8/8/1b6/8 b");
}

#[test]
fn clause_4_a_crown_must_be_due() {
    let refusal = |position: &str, text: &str| {
        let position = at(position);
        position.violation(position.parse_move(text).unwrap()).unwrap().to_string()
    };
    // No single reaches the furthest row; or it does, but there is no other to crown it with.
    assert_eq!(refusal("8/8/3w4/8/8/8/1b5w/8 w", "d6-e7+h2>e7"), "no crown is due");
    assert_eq!(refusal("8/4w3/8/8/8/8/1b6/8 w", "e7-d8+d8>d8"), "no crown is due");
}

#[test]
fn clause_4_a_transpose_may_leave_a_single_in_the_furthest_row() {
    let position = at("1W6/2w5/8/8/8/8/1b5w/8 w");
    assert_eq!(after(&position, "b8=c7+h2>b8"), "1W6/2W5/8/8/8/8/1b6/8 b");
    assert_eq!(refusal(&position, "b8=c7"), "clause 4");
    // With no other single it is not crowned.
    assert_eq!(after(&at("1W6/2w5/8/8/8/8/1b6/8 w"), "b8=c7"), "1w6/2W5/8/8/8/8/1b6/8 b");
}

#[test]
fn clause_4_for_black_the_furthest_row_is_the_first() {
    assert_eq!(after(&at("3b4/8/7w/8/8/8/3b4/8 b"), "d2-c1+d8>c1"), "8/8/7w/8/8/8/8/2B5 w");
}

#[test]
fn clause_5_without_a_basic_move_one_checker_is_removed() {
    // A checker may not be removed while there is a basic move.
    assert_eq!(refusal(&at("8/8/8/8/8/2w5/8/b7 w"), "*c3"), "clause 5");
    let blocked = at("8/8/8/b7/8/2W5/1B1b4/2w5 w");
    assert_eq!(after(&blocked, "*c3"), "8/8/8/b7/8/2w5/1B1b4/2w5 b");
    assert_eq!(after(&blocked, "*c1"), "8/8/8/b7/8/2W5/1B1b4/8 b");
    assert_eq!(refusal(&blocked, "*b2"), "clause 2");
}

#[test]
fn clause_6_the_first_player_without_checkers_wins() {
    let position = at("3w4/8/8/8/8/8/8/b7 w");
    assert_eq!(moves(&position), ["*d8"]);
    assert_eq!(
        outcome::<Position>(&after(&position, "*d8")),
        Some(Outcome::win(Side::First, Reason::NoCheckers))
    );
    let over = outcome::<Position>("8/8/8/8/8/8/8/w7 w");
    assert_eq!(over, Some(Outcome::win(Side::Second, Reason::NoCheckers)));
    assert!(at("8/8/8/8/8/8/8/w7 w").legal_moves().is_empty());
    // Neither has checkers: whoever moved last has won.
    assert_eq!(outcome::<Position>("8/8/8/8/8/8/8/8 w").unwrap().winner, Some(Side::Second));
}

#[test]
fn ruling_1_white_moves_first() {
    assert_eq!(start::<Position>().side_to_move(), Side::First);
    assert!(start::<Position>().to_setup().to_string().ends_with(" w"));
}

#[test]
fn ruling_2_and_3_bear_off_comes_before_the_crown_and_may_feed_it() {
    let position = at("1w6/8/8/4W3/8/8/8/6b1 w");
    assert_eq!(after(&position, "e5-a1*+a1>b8"), "1W6/8/8/8/8/8/8/6b1 b");
    assert_eq!(after(&position, "e5-a1+a1>b8"), "1W6/8/8/8/8/8/8/6b1 b");
    assert_eq!(refusal(&position, "e5-a1*"), "clause 4");
    // Without a new single there is nothing to crown with.
    assert_eq!(after(&position, "e5-d4"), "1w6/8/8/8/3W4/8/8/6b1 b");
}

#[test]
fn ruling_4_a_crowns_two_choices_are_two_moves() {
    let position = at("1w3W2/4b1b1/8/8/8/8/8/8 w");
    assert_eq!(moves(&position), ["*b8", "*f8+b8>f8", "*f8+f8>b8"]);
    assert_eq!(after(&position, "*f8+b8>f8"), "5W2/4b1b1/8/8/8/8/8/8 b");
    assert_eq!(after(&position, "*f8+f8>b8"), "1W6/4b1b1/8/8/8/8/8/8 b");
}

#[test]
fn figure_3() {
    assert_eq!(after(&at("8/2W5/1w6/8/8/8/8/6b1 w"), "c7=b6"), "8/2w5/1W6/8/8/8/8/6b1 b");
}

#[test]
fn figure_6() {
    assert_eq!(moves(&at("8/8/8/b7/8/2W5/1B1b4/2w5 w")), ["*c1", "*c3"]);
}

#[test]
fn a_crown_is_clicked_as_far_as_there_is_a_choice() {
    let clicks = |position: &Position, text: &str| -> Vec<String> {
        let mut steps = Vec::new();
        position.steps(position.parse_move(text).unwrap(), &mut steps);
        let name = |step: &crate::Step| Square::from_bit(step.cell as u8).to_string();
        steps.iter().map(name).collect()
    };
    let one_way = at("1w6/8/8/4W3/8/8/8/6b1 w");
    assert_eq!(clicks(&one_way, "e5-a1*+a1>b8"), ["e5", "a1"]);
    let to_lift = at("1w6/8/8/4W3/8/8/7w/6b1 w");
    assert_eq!(clicks(&to_lift, "e5-a1*+h2>b8"), ["e5", "a1", "h2"]);
    // Of two that wait, either may be lifted, and then only the other one is crowned.
    let to_crown = at("1w1w4/8/8/4W3/8/8/8/6b1 w");
    assert_eq!(clicks(&to_crown, "e5-a1*+d8>b8"), ["e5", "a1", "d8"]);
    assert_eq!(clicks(&to_crown, "e5-a1*+a1>b8"), ["e5", "a1", "a1", "b8"]);
    assert_eq!(clicks(&to_crown, "e5-a1*+a1>d8"), ["e5", "a1", "a1", "d8"]);
}

#[test]
fn the_view_is_a_chequered_board() {
    let view = at("1W6/8/8/8/8/8/8/w5b1 w").view();
    for spot in &view.spots {
        let square = Square::from_name(&spot.name);
        let dark = (spot.x / 2 + spot.y / 2) % 2 == 0;
        assert_eq!(spot.ground, if dark { Ground::Dark } else { Ground::Light }, "{}", spot.name);
        assert_eq!(square.is_some(), dark, "{}", spot.name);
        assert_eq!(square.map(|square| u16::from(square.index())), dark.then_some(spot.cell));
    }
    let pieces: Vec<_> =
        view.spots.into_iter().filter_map(|spot| Some((spot.name, spot.piece?))).collect();
    let [a1, g1, b8] = ["a1", "g1", "b8"].map(String::from);
    assert_eq!(
        pieces,
        [
            (a1, Piece::Single(Side::First)),
            (g1, Piece::Single(Side::Second)),
            (b8, Piece::Double(Side::First)),
        ]
    );
    assert_eq!(view.counts, [3, 1]);
}

#[test]
fn setups_report_every_flaw() {
    use crate::Setup;
    let setup = super::Setup::parse("w7/1W1W1W1W/8/8/8/1W1W1W2/8/8 w", ()).unwrap();
    let flaws: Vec<String> =
        setup.validate().unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        flaws,
        [
            "b3 is a light square and must be empty",
            "d3 is a light square and must be empty",
            "f3 is a light square and must be empty",
            "b7 is a light square and must be empty",
            "d7 is a light square and must be empty",
            "f7 is a light square and must be empty",
            "h7 is a light square and must be empty",
            "a8 is a light square and must be empty",
            "White has 15 checkers, but only 12 exist",
        ]
    );
}

#[test]
fn positions_from_squares_are_checked() {
    let start = start::<Position>();
    let (singles, doubles) = (start.singles, start.doubles);
    let built = |singles, doubles| Position::from_squares(singles, doubles, Side::First);
    assert_eq!(built(singles, doubles), Some(start));
    assert_eq!(built([0; 2], [0; 2]).map(|position| position.checkers(Side::First)), Some(0));
    let [a1, b1] = [1, 2];
    assert_eq!(built([b1, 0], [0; 2]), None, "a light square");
    assert_eq!(built([a1, a1], [0; 2]), None, "two on a square");
    assert_eq!(built([a1, 0], [a1, 0]), None, "a single and a double on a square");
    let thirteenth = singles[0] | 1 << 27;
    assert_eq!(built([thirteenth, singles[1]], doubles), None, "too many checkers");
}
