//! The clauses and figures of Colonnade.

use super::{Position, Violation};
use crate::testing::{after, legal, moves, outcome, position, refusal, start};
use crate::view::{Piece, Show};
use crate::{Cites, Notation, Outcome, Reason, Rule, Side, Step, Steps};

fn at(text: &str) -> Position {
    position(text)
}

#[test]
fn clause_1_the_setup() {
    let start = start::<Position>();
    assert_eq!(start.to_setup().to_string(), "-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- r");
    assert_eq!(start.checkers(), super::CHECKERS);
}

#[test]
fn clause_2_any_own_checker_with_all_above_it_in_any_stack() {
    // The stack on a is topped with blue; Red picks up from its red checkers.
    let position = at("brbrb/r/-/-/-/-/-/- r");
    assert_eq!(moves(&position), ["2a>", "4a>"]);
    assert_eq!(refusal(&position, "1a>"), "clause 2");
    assert_eq!(refusal(&position, "6a>"), "clause 2");
    assert_eq!(refusal(&position, "1h<"), "clause 2");
}

#[test]
fn clause_2_passing_is_not_allowed() {
    assert!(at("-/brbr/-/-/-/-/-/- r").parse_move("pass").is_err());
}

#[test]
fn clause_3_onto_an_adjacent_stack_of_ones_own_colour() {
    let position = at("-/-/r/br/-/-/-/- r");
    // The whole stack may be carried here, the bottom checker included.
    assert_eq!(moves(&position), ["1c>", "1d<", "1d>"]);
    assert_eq!(after(&position, "1c>"), "-/-/-/br/-/-/-/- b");
    // Not onto the opponent's colour.
    let position = at("-/-/r/rb/-/-/-/- r");
    assert_eq!(refusal(&position, "1c>"), "clause 3");
    // Not off the row.
    let position = at("rbr/-/-/-/-/-/-/rbr r");
    assert_eq!(refusal(&position, "1a<"), "clause 3");
    assert_eq!(refusal(&position, "1h>"), "clause 3");
    for (text, expected) in [
        ("1a<", "there is no square to the left of a"),
        ("1h>", "there is no square to the right of h"),
    ] {
        let violation = position.violation(position.parse_move(text).unwrap()).unwrap();
        assert_eq!(violation.to_string(), expected);
    }
}

#[test]
fn clause_4_one_of_the_two_like_coloured_checkers_is_discarded() {
    let position = at("-/-/brbr/br/-/-/-/- r");
    for (text, result) in [
        ("1c>", "-/-/brb/br/-/-/-/- b"),
        ("3c>", "-/-/b/brbr/-/-/-/- b"),
        ("1d<", "-/-/brbr/b/-/-/-/- b"),
    ] {
        assert_eq!(after(&position, text), result);
    }
}

#[test]
fn clause_5_down_to_an_empty_square_but_not_the_bottom_checker() {
    let position = at("-/rbr/-/-/-/-/-/- r");
    assert_eq!(moves(&position), ["1b<", "1b>"]);
    assert_eq!(refusal(&position, "3b>"), "clause 5");
    let mv = position.parse_move("3b>").unwrap();
    let violation = position.violation(mv).unwrap();
    assert!(matches!(violation, Violation::BottomToEmpty(_)));
    assert_eq!(violation.rule(), Rule::Clause(5));
}

#[test]
fn clause_6_a_player_without_a_move_loses() {
    assert_eq!(
        outcome::<Position>("r/-/-/-/-/-/-/- r"),
        Some(Outcome::win(Side::Second, Reason::NoMove))
    );
    assert_eq!(
        outcome::<Position>("r/-/-/-/-/-/-/- b"),
        Some(Outcome::win(Side::First, Reason::NoMove))
    );
    assert_eq!(
        outcome::<Position>("-/-/-/-/-/-/-/- r"),
        Some(Outcome::win(Side::Second, Reason::NoMove))
    );
    assert_eq!(outcome::<Position>("r/r/-/-/-/-/-/- r"), None);
}

#[test]
fn figure_2() {
    let position = at("rbrbr/br/-/-/-/-/-/- r");
    assert_eq!(after(&position, "1a>"), "rbrb/br/-/-/-/-/-/- b");
    assert_eq!(after(&position, "3a>"), "rb/brbr/-/-/-/-/-/- b");
    assert_eq!(after(&position, "5a>"), "-/brbrbr/-/-/-/-/-/- b");
}

#[test]
fn figure_4() {
    assert_eq!(after(&at("rbr/-/-/-/-/-/-/- b"), "2a>"), "r/br/-/-/-/-/-/- r");
    let red = at("rbr/-/-/-/-/-/-/- r");
    assert!(legal(&red, "1a>"));
    assert!(!legal(&red, "3a>"));
}

#[test]
fn the_lowest_checker_picked_up_is_clicked_and_then_its_goal() {
    let position = at("-/rbrb/br/-/-/-/-/- r");
    for (text, level) in [("2b>", 3), ("4b>", 1)] {
        let mut steps = Vec::new();
        position.steps(position.parse_move(text).unwrap(), &mut steps);
        assert_eq!(steps, [Step { cell: 1, level }, Step::cell(2)], "{text}");
    }
}

#[test]
fn the_view_shows_every_stack_from_the_bottom_up() {
    let view = at("-/rb/-/brb/-/-/-/r b").view();
    let pieces: Vec<Option<Piece>> = view.spots.into_iter().map(|spot| spot.piece).collect();
    let (red, blue) = (Side::First, Side::Second);
    let stack = |colours: &[Side]| Some(Piece::Checkers(colours.to_vec()));
    let [b, d, h] = [stack(&[red, blue]), stack(&[blue, red, blue]), stack(&[red])];
    assert_eq!(pieces, [None, b, None, d, None, None, None, h]);
    assert_eq!(view.counts, [3, 3]);
}

#[test]
fn stacks_are_written_as_in_a_position() {
    let position = at("-/rbrb/-/-/-/-/-/b r");
    let stacks: Vec<String> =
        super::Square::all().map(|square| position.stack(square).to_string()).collect();
    assert_eq!(stacks.join("/"), "-/rbrb/-/-/-/-/-/b");
}

#[test]
fn setups_report_every_flaw() {
    use crate::Setup;
    let setup = super::Setup::parse("rr/bb/rbrbrbrbrb/rbrbrbrbrb/r/-/-/- b", ()).unwrap();
    let flaws: Vec<String> =
        setup.validate().unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        flaws,
        [
            "checkers 1 and 2 of a have the same colour",
            "checkers 1 and 2 of b have the same colour",
            "25 checkers, but the game has only 24",
        ]
    );
}
