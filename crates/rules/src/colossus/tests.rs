//! The clauses, rulings and known answers of Colossus.

use std::collections::HashSet;

use super::board::{BOARD, between};
use super::{Cell, Move, Position, Violation};
use crate::testing::{after, legal, moves, outcome, position, refusal, start};
use crate::view::Piece;
use crate::{
    Notation, Outcome, Position as _, Reason, Selection, Show, Side, Step, Symmetry, perft,
};

fn at(text: &str) -> Position {
    position(text)
}

fn win(side: Side, reason: Reason) -> Option<Outcome> {
    Some(Outcome::win(side, reason))
}

#[test]
fn clause_1_the_setup() {
    let start = start::<Position>();
    assert_eq!(start.to_setup().to_string(), "t2W/5/6/t5t/6/5/B2t b 3 0 6");
    assert_eq!(u32::from(start.supply()) + start.towers.count_ones(), super::TOWERS);
}

#[test]
fn clause_2_a_space_with_a_tower_is_not_empty() {
    let position = at("t2W/5/6/t5t/6/5/Bb1t b 3 0 7");
    assert_eq!(refusal(&position, "a1"), "clause 2");
    let position = at("t2W/5/6/t5t/6/5/B1bt b 3 0 7");
    assert_eq!(refusal(&position, "a4"), "clause 2");
    let position = at("t2W/5/4b1/t5t/6/5/B2t b 3 0 7");
    assert_eq!(refusal(&position, "e5-g4"), "clause 2");
}

#[test]
fn clause_3_place_next_to_ones_own_and_turn_the_enemies_there() {
    let position = at("t2W/5/6/t5t/1w4/1bw2/B2t b 3 0 9");
    assert_eq!(after(&position, "c3"), "t2W/5/6/t5t/1bb3/1bb2/B2t w 3 0 10");
    assert_eq!(refusal(&position, "d4"), "clause 3");
    assert_eq!(refusal(&position, "b3"), "clause 3");
    assert_eq!(refusal(&position, "f5"), "clause 3");
    // Next to one's own tower is enough; next to an empty one is not.
    assert!(legal(&position, "b1"));
    assert_eq!(refusal(&position, "b5"), "clause 3");
}

#[test]
fn clause_3_move_two_steps_over_anything_and_turn_the_enemies_there() {
    let position = at("t2W/5/6/t2w2t/2w3/1b3/B2t b 3 0 9");
    assert_eq!(after(&position, "b2-d3"), "t2W/5/6/t1bb2t/2b3/5/B2t w 3 1 9");
    assert_eq!(refusal(&position, "b2-d4"), "clause 3");
    assert_eq!(refusal(&position, "c3-e3"), "clause 3");
    assert_eq!(refusal(&position, "b3-d3"), "clause 3");
}

#[test]
fn clause_3_a_stone_that_leaves_a_tower_leaves_it_empty() {
    let position = at("t2W/5/6/t5B/6/5/B2t b 3 0 6");
    assert_eq!(after(&position, "d7-d5"), "t2W/5/6/t3b1t/6/5/B2t w 3 0 7");
}

#[test]
fn clause_3_claim_a_tower_at_the_end_of_a_line() {
    let position = at("t2W/5/6/t5t/b5/b4/B2t b 3 0 8");
    assert_eq!(after(&position, "d1=b1.c1"), "t2W/5/6/B5t/6/5/B2t w 3 1 8");
    // Not the enemy's tower, and not one that is claimed already.
    assert_eq!(refusal(&at("t2W/5/6/W5t/b5/b4/B2t b 3 0 8"), "d1=b1.c1"), "clause 3");
    assert_eq!(refusal(&at("t2W/5/6/B5t/b5/b4/B2t b 3 0 8"), "d1=b1.c1"), "clause 3");
    // Not from a tower of nobody or of the enemy, nor from a stone.
    assert_eq!(refusal(&at("t2W/5/6/t5B/b5/b4/t2t b 3 0 8"), "d1=b1.c1"), "clause 3");
    assert_eq!(refusal(&at("t2B/5/6/t5t/b5/b4/W2t b 3 0 8"), "d1=b1.c1"), "clause 3");
    assert_eq!(refusal(&position, "d1=c1"), "clause 3");
}

#[test]
fn clause_3_a_new_tower_where_a_linking_stone_stood() {
    let position = at("t2t/3b1/3b2/t2b2W/2b3/1b3/B2t b 3 0 11");
    let claims: Vec<String> = moves(&position).into_iter().filter(|m| m.contains('=')).collect();
    let line = "g4=b2.c3.d4.e4.f4";
    assert_eq!(
        claims,
        [line.to_owned(), format!("{line}+c3"), format!("{line}+d4"), format!("{line}+e4")]
    );
    assert_eq!(after(&position, &claims[2]), "t2B/5/6/t2t2W/6/5/B2t w 2 1 11");
    // Next to either end.
    assert_eq!(refusal(&position, &format!("{line}+b2")), "clause 3");
    assert_eq!(refusal(&position, &format!("{line}+f4")), "clause 3");
    // Not on the line.
    assert_eq!(refusal(&position, &format!("{line}+d3")), "clause 3");
    // Next to any other tower.
    let near = at("t2t/3b1/3b2/t2bt1W/2b3/1b3/B2t b 2 0 12");
    assert!(legal(&near, &format!("{line}+c3")));
    assert_eq!(refusal(&near, &format!("{line}+d4")), "clause 3");
    assert_eq!(refusal(&near, &format!("{line}+e4")), "clause 3");
    // No tower in the supply.
    let none = at("t2t/3b1/3b2/t2b2W/2b3/1b3/B2t b 0 0 11");
    assert!(legal(&none, line));
    assert_eq!(refusal(&none, &format!("{line}+d4")), "clause 3");
}

#[test]
fn clause_3_stones_on_towers_do_not_change_colour() {
    let position = at("t2W/4b/6/t5t/6/5/B2t b 3 0 7");
    assert_eq!(after(&position, "f4"), "t2W/3bb/6/t5t/6/5/B2t w 3 0 8");
    let position = at("t2W/5/5b/t5t/6/5/B2t b 3 0 7");
    assert_eq!(after(&position, "e6-f4"), "t2W/3b1/6/t5t/6/5/B2t w 3 1 7");
}

#[test]
fn clause_4_a_besieged_tower_becomes_the_besiegers() {
    let position = at("t2W/3bb/6/t5W/6/5/B2t b 3 0 8");
    assert_eq!(after(&position, "g3"), "t1bB/3bb/6/t5W/6/5/B2t w 3 0 9");
    // Enemy stones that turn take part, and a move can close the ring too.
    let position = at("t2W/2b1w/5b/t5W/6/5/B2t b 3 0 9");
    assert_eq!(after(&position, "f4"), "t2W/2bbb/5b/t5W/6/5/B2t w 3 0 10");
    let position = at("t1bW/4w/4b1/t5W/4b1/5/B2t b 3 0 10");
    assert_eq!(after(&position, "f4"), "t1bB/3bb/4b1/t5W/4b1/5/B2t w 3 0 11");
    let position = at("t1bW/4b/6/t5W/4b1/5/B2t b 3 0 9");
    assert_eq!(after(&position, "c5-e5"), "t1bW/4b/4b1/t5W/6/5/B2t w 3 1 9");
    let position = at("t1bW/4b/6/t3b1W/6/5/B2t b 3 0 9");
    assert_eq!(after(&position, "d5-f4"), "t1bB/3bb/6/t5W/6/5/B2t w 3 1 9");
}

#[test]
fn clause_4_a_neighbouring_tower_is_not_a_stone() {
    let position = at("t2W/3Bb/6/t5W/6/5/B2t b 2 0 8");
    assert_eq!(after(&position, "g3"), "t1bW/3Bb/6/t5W/6/5/B2t w 2 0 9");
    // An empty tower is not besieged.
    let position = at("t2t/3bb/6/t5W/6/5/B2t b 3 0 8");
    assert_eq!(after(&position, "g3"), "t1bt/3bb/6/t5W/6/5/B2t w 3 0 9");
}

#[test]
fn clause_4_sieges_are_settled_after_ones_own_turn() {
    // White's tower is ringed already; it falls after Black's turn, whatever that is.
    let position = at("t1bW/3bb/6/t5W/6/5/B2t w 3 0 9");
    assert_eq!(after(&position, "c6"), "t1bW/3bb/6/t5W/5w/5/B2t b 3 0 10");
    let position = at("t1bW/3bb/6/t5W/b5/b4/B2t b 3 0 11");
    assert_eq!(after(&position, "d1=b1.c1"), "t1bB/3bb/6/B5W/6/5/B2t w 3 1 11");
}

#[test]
fn clause_5_without_a_tower_a_stone_may_claim_one_by_moving() {
    let position = at("t2W/5/6/t5t/2b3/5/t2t b 3 0 7");
    assert_eq!(after(&position, "c3-a1"), "t2W/5/6/t5t/6/5/B2t w 3 1 7");
    // Everything else is possible too.
    assert!(legal(&position, "c4") && legal(&position, "c3-a2"));
    // Not with a tower, and not onto a claimed one.
    assert_eq!(refusal(&at("t2W/5/6/t5B/2b3/5/t2t b 3 0 7"), "c3-a1"), "clause 5");
    assert_eq!(refusal(&at("t2t/5/6/t5t/2b3/5/W2t b 3 0 7"), "c3-a1"), "clause 5");
    assert_eq!(refusal(&position, "c3-a4"), "R2");
}

#[test]
fn clause_6_no_tower_at_the_end_of_ones_turn_loses() {
    let left = after(&start::<Position>(), "a1-c2");
    assert_eq!(left, "t2W/5/6/t5t/1b4/5/t2t w 3 0 7");
    assert_eq!(outcome::<Position>(&left), win(Side::Second, Reason::NoTower));
    // A player whose last tower was taken has one turn to claim another.
    let last_chance = "t1bB/3bb/3w2/t5t/6/5/B2t w 3 0 10";
    assert_eq!(outcome::<Position>(last_chance), None);
    let in_vain = after(&at(last_chance), "d4");
    assert_eq!(outcome::<Position>(&in_vain), win(Side::First, Reason::NoTower));
    // Where neither has one, the player who moved last has lost.
    let neither = "4/5/5b/7/6/5/w3 b 3 0 9";
    assert_eq!(outcome::<Position>(neither), win(Side::First, Reason::NoTower));
}

#[test]
fn clause_6_a_player_who_can_neither_place_nor_move_loses_even_with_a_claim() {
    let stuck = "t2W/5/6/t5t/wwwwww/wwwww/Bbbt b 3 0 19";
    assert_eq!(outcome::<Position>(stuck), win(Side::Second, Reason::NoMove));
    let free = at("t2W/5/6/t5t/wwwww1/wwwww/Bbbt b 3 0 19");
    assert!(moves(&free).is_empty(), "c6 is too far away");
    let free = at("t2W/5/6/t5t/wwww1w/wwwww/Bbbt b 3 0 19");
    assert_eq!(moves(&free), ["a3-c5", "a4=a2.a3"]);
    // With nothing at all there is nothing to do.
    let nothing = "t2W/5/6/t5t/6/5/t2t b 3 0 6";
    assert_eq!(outcome::<Position>(nothing), win(Side::Second, Reason::NoMove));
}

#[test]
fn clause_6_a_desperate_force_is_a_move() {
    let position = at("t2W/5/6/t5t/wwwwww/wwwww/wbwt b 3 0 19");
    assert_eq!(moves(&position), ["a2-a4"]);
    assert_eq!(after(&position, "a2-a4"), "t2W/5/6/t5t/wwwwww/wwwbb/w1bB w 3 1 19");
}

/// A board with one empty space, next to Black's tower, and White's tower in the far corner.
const NEARLY_FULL: &str = "wwwW/wwwww/wwwwww/wwwbbbt/bbbbbb/bbbbb/B1bt b 4 0 36";

#[test]
fn clause_7_a_full_board_is_scored() {
    // Black: a2 to c6 are 1 + 1 + 5 + 6 stones, with three in row d; one tower.
    let full = after(&at(NEARLY_FULL), "a2");
    let position = at(&full);
    assert_eq!([position.score(Side::First), position.score(Side::Second)], [19, 20]);
    assert_eq!(outcome::<Position>(&full), win(Side::Second, Reason::FullBoard));
    let full = full.replace("wwwbbbt", "wwbbbbt");
    assert_eq!(outcome::<Position>(&full), win(Side::First, Reason::FullBoard));
    let full = full.replace("wwbbbbt", "wwtbbbt");
    assert_eq!(
        outcome::<Position>(&full),
        Some(Outcome { winner: None, reason: Reason::FullBoard })
    );
}

#[test]
fn ruling_1_all_choices_of_opposite_corners_are_the_same() {
    let start = start::<Position>();
    assert_eq!(start.side_to_move(), Side::First);
    let images: HashSet<String> =
        (0..12).map(|symmetry| start.transform(symmetry).to_setup().to_string()).collect();
    assert_eq!(images.len(), 6);
    assert!(images.contains("t2t/5/6/B5W/6/5/t2t b 3 0 6"));
}

#[test]
fn ruling_2_two_steps_away_is_up_to_twelve_spaces() {
    let position = at("t2W/5/6/t2b2t/6/5/B2t b 3 0 7");
    let reached: Vec<String> =
        moves(&position).into_iter().filter_map(|m| Some(m.strip_prefix("d4-")?.into())).collect();
    let ring = ["b2", "b3", "b4", "c2", "c5", "d2", "d6", "e2", "e5", "f2", "f3", "f4"];
    assert_eq!(reached, ring);
    assert_eq!(refusal(&position, "d4-d5"), "R2");
    assert_eq!(refusal(&position, "d4-f5"), "R2");
    assert_eq!(refusal(&position, "d4-d4"), "R2");
    for cell in Cell::all() {
        assert_eq!(
            (cell.neighbours() | cell.two_away()) & !BOARD,
            0,
            "{cell} has only spaces near"
        );
    }
}

#[test]
fn ruling_3_a_line_is_straight_and_unbroken_and_all_ones_own() {
    let line = "g4=b2.c3.d4.e4.f4";
    for broken in [
        "t2t/3b1/3b2/t2w2W/2b3/1b3/B2t b 3 0 11",
        "t2t/3b1/3b2/t5W/2b3/1b3/B2t b 3 0 11",
        "t2t/3b1/3b2/t2t2W/2b3/1b3/B2t b 2 0 11",
        "t2t/3b1/3b2/t2B2W/2b3/1b3/B2t b 2 0 11",
    ] {
        assert_eq!(refusal(&at(broken), line), "R3");
    }
    // Two towers next to each other have no line between them, nor have two around a bend.
    let [a1, a2, c2] = ["a1", "a2", "c2"].map(|name| Cell::from_name(name).unwrap());
    let broken = |tower| Some(Violation::BrokenLine { tower, from: a1 });
    let claim = |tower| Move::Claim { tower, from: a1, new_tower: None };
    let beside = at("t2W/5/6/t5t/6/5/Bt1t b 2 0 7");
    assert_eq!(beside.violation(claim(a2)), broken(a2));
    let bent = at("t2W/5/6/t5t/1t4/bb3/B2t b 2 0 9");
    assert_eq!(bent.violation(claim(c2)), broken(c2));
    assert!(moves(&bent).iter().all(|text| !text.contains('=')));
}

#[test]
fn ruling_4_a_desperate_force_turns_the_stones_next_to_the_tower() {
    let position = at("t2W/5/6/t5t/2b3/ww3/tw1t b 3 0 10");
    assert_eq!(after(&position, "c3-a1"), "t2W/5/6/t5t/6/bb3/Bb1t w 3 1 10");
}

#[test]
fn ruling_5_the_stone_on_a_tower_is_not_counted() {
    let position = at("t2W/5/6/t5t/6/b4/Bb1t b 3 0 8");
    assert_eq!([position.score(Side::First), position.score(Side::Second)], [5, 3]);
}

#[test]
fn ruling_6_giving_up_ones_tower_is_legal_and_a_siege_may_win_another() {
    let position = at("t1bW/3b1/6/t5B/6/5/W2t b 3 0 8");
    let saved = after(&position, "d7-f5");
    assert_eq!(saved, "t1bB/3bb/6/t5t/6/5/W2t w 3 0 9");
    assert_eq!(outcome::<Position>(&saved), None);
    let lost = after(&position, "d7-e5");
    assert_eq!(outcome::<Position>(&lost), win(Side::Second, Reason::NoTower));
}

#[test]
fn ruling_7_the_order_at_the_end_of_a_turn() {
    // The siege comes first (see ruling 6), then defeat without a tower, before any scoring.
    let full = "wwwW/wwwww/wwwwww/wwwbbbt/bbbbbb/bbbbb/tbbt w 4 0 37";
    assert_eq!(outcome::<Position>(full), win(Side::Second, Reason::NoTower));
    let lost = "t2W/5/6/t5t/6/1b3/t2t w 3 40 7";
    assert_eq!(outcome::<Position>(lost), win(Side::Second, Reason::NoTower));
    // A full board comes before the stall, which comes before the next player's turn.
    let full = "wwwW/wwwww/wwwwww/wwwbbbt/bbbbbb/bbbbb/Bbbt w 4 40 37";
    assert_eq!(outcome::<Position>(full), win(Side::Second, Reason::FullBoard));
    let stuck = "t2W/5/6/t5t/wwwwww/wwwww/Bbbt b 3 40 19";
    assert_eq!(outcome::<Position>(stuck), win(Side::Second, Reason::Stall));
}

#[test]
fn ruling_8_forty_turns_without_a_fuller_board_end_the_game() {
    let position = at("t2W/4w/6/t5t/6/b4/B2t b 3 39 9");
    assert_eq!((position.supply(), position.stall(), position.peak()), (3, 39, 9));
    // As full as before is not fuller.
    let stalled = after(&position, "b2");
    assert_eq!(stalled, "t2W/4w/6/t5t/6/bb3/B2t w 3 40 9");
    assert_eq!(
        outcome::<Position>(&stalled),
        win(Side::First, Reason::Stall),
        "five points to four"
    );
    let even = after(&position, "b1-b3");
    assert_eq!(outcome::<Position>(&even), Some(Outcome { winner: None, reason: Reason::Stall }));
    // A fuller board starts the count again.
    let position = at("t2W/4w/6/t5t/6/b4/B2t b 3 39 8");
    assert_eq!(after(&position, "b2"), "t2W/4w/6/t5t/6/bb3/B2t w 3 0 9");
    assert_eq!(position.turns_left_at_most(), 1 + 40 * 29);
}

#[test]
fn ruling_9_a_claim_is_known_by_its_tower_links_and_new_tower() {
    // Two lines to one tower are two moves; no two moves have one text, so the links tell which.
    let position = at("t2W/5/6/B5t/b5/b4/tbbB b 3 0 10");
    let claims: Vec<String> = moves(&position).into_iter().filter(|m| m.contains('=')).collect();
    assert_eq!(claims, ["a1=a2.a3", "a1=b1.c1"]);
    for tower in Cell::all() {
        let mut links: Vec<u64> =
            Cell::all().map(|end| between(tower, end)).filter(|&links| links != 0).collect();
        let lines = links.len();
        links.sort();
        links.dedup();
        assert_eq!(links.len(), lines, "the links to {tower} tell the other end");
    }
}

#[test]
fn known_answers() {
    let start = start::<Position>();
    let suicidal = moves(&start).iter().filter(|text| text.contains('-')).count();
    assert_eq!((moves(&start).len(), suicidal), (8, 5));
    for (depth, leaves) in (1..).zip([8, 24, 135, 1349, 18346, 280032]) {
        assert_eq!(perft(&start, depth), leaves);
    }
}

#[test]
fn moves_are_read_leniently_and_errors_point_at_the_place() {
    let position = at("t2t/3b1/3b2/t2b2W/2b3/1b3/B2t b 3 0 11");
    assert!(legal(&position, "G4=f4.B2.d4.c3.e4+D4"));
    for (text, offset, expected) in [
        ("", 0, "a space such as d4, in a row from a to g"),
        ("h1", 0, "a space such as d4, in a row from a to g"),
        ("a5", 1, "a number from 1 to 4 in row a"),
        ("d0", 1, "a number from 1 to 7 in row d"),
        ("b2d3", 2, "'-' for a move, '=' for a claim or the end"),
        ("b2-d", 4, "a number from 1 to 7 in row d"),
        ("b2-d3x", 5, "the end"),
        ("g4=", 3, "a space such as d4, in a row from a to g"),
        ("g4=f4.f4", 6, "a linking space that was not named before"),
        ("g4=f4.d5", 6, "a space inside an unbroken straight line from g4 (R3)"),
        ("c2=b1", 3, "a space inside an unbroken straight line from c2 (R3)"),
        ("g4=g4", 3, "a space inside an unbroken straight line from g4 (R3)"),
        ("g4=f4.d4+d4", 8, "'.' and the rest of an unbroken straight line from g4 (R3)"),
        ("g4=f4+", 6, "a space such as d4, in a row from a to g"),
    ] {
        let error = position.parse_move(text).unwrap_err();
        assert_eq!((error.offset(), error.expected()), (offset, expected), "{text}");
    }
}

#[test]
fn setups_report_every_flaw() {
    use crate::Setup;
    let flaws = |text: &str| -> Vec<String> {
        let setup = super::Setup::parse(text, ()).unwrap();
        setup.validate().unwrap_err().iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        flaws("t2W/5/6/tt4t/6/5/B2t b 3 41 6"),
        [
            "7 towers on the board and 3 in the supply, but only 9 exist",
            "the stall count is 41, but the game ends at 40",
            "7 spaces are occupied, but the highest number so far is given as 6",
        ]
    );
    assert_eq!(
        flaws("4/5/6/7/6/5/4 w 0 0 38"),
        ["the highest number of occupied spaces is 38, but there are only 37 spaces"]
    );
    let error = super::Setup::parse("t2W/5/6/t5t/6/5/B2t b 10 0 6", ()).unwrap_err();
    assert_eq!((error.offset(), error.expected()), (22, "the towers in the supply, 0 to 9"));
}

#[test]
fn a_claim_is_clicked_tower_then_line_then_new_tower() {
    let click = |name| Step::cell(Cell::from_name(name).unwrap().index().into());
    let position = at("t2t/3b1/3b2/t2b2W/2b3/1b3/B2t b 3 0 11");
    let mut selection = Selection::new(&position);
    selection.click(click("g4")).unwrap();
    let text = |selection: &Selection<Move>| position.move_text(selection.complete().unwrap());
    assert_eq!(text(&selection), "g4=b2.c3.d4.e4.f4");
    assert_eq!(selection.next(), ["c3", "d4", "e4"].map(click));
    selection.click(click("d4")).unwrap();
    assert_eq!(text(&selection), "g4=b2.c3.d4.e4.f4+d4");

    let position = at("t2W/5/6/B5t/b5/b4/tbbB b 3 0 10");
    let mut selection = Selection::new(&position);
    selection.click(click("a1")).unwrap();
    assert_eq!(selection.complete(), None);
    assert_eq!(selection.next(), ["a4", "d1"].map(click));
}

#[test]
fn the_view_shows_a_hexagon_and_the_score() {
    let view = at("t2W/5/6/t2b2t/6/5/B2t b 3 0 7").view();
    assert_eq!(view.counts, [4, 3]);
    let place = |index: usize| {
        let spot = &view.spots[index];
        (spot.name.as_str(), spot.x, spot.y)
    };
    assert_eq!([place(0), place(3)], [("a1", 4, 1), ("a4", 10, 1)]);
    assert_eq!([place(15), place(21)], [("d1", 1, 7), ("d7", 13, 7)]);
    assert_eq!(place(36), ("g4", 10, 13));
    assert_eq!(view.spots[18].piece, Some(Piece::Stone(Side::First)));
    assert_eq!(view.spots[36].piece, Some(Piece::Tower(Some(Side::Second))));
}
