//! The clauses, figures and known answers of Palisade.

use super::loops::Groups;
use super::points::Points;
use super::{Flaw, Move, Point, PointSet, Position, Setup, Size, Violation};
use crate::playout::Rng;
use crate::testing::{after, legal, moves, outcome, position, refusal, start};
use crate::view::{Ground, Piece, Show};
use crate::{
    Cites, Notation, Outcome, ParseError, Position as _, Reason, Rule, Setup as _, Side, Step,
    Steps, perft,
};

fn at(text: &str) -> Position {
    position(text)
}

fn start_of(size: u8) -> Position {
    Position::start(Size::new(size).unwrap())
}

fn point(name: &str) -> Point {
    let Move(point) = start::<Position>().parse_move(name).unwrap();
    point
}

fn parse_error(text: &str) -> ParseError {
    Setup::parse(text, Size::DEFAULT).unwrap_err()
}

#[test]
fn clause_1_the_board_is_empty_and_19_points_wide_by_default() {
    let start = start::<Position>();
    assert_eq!(start.to_setup().to_string(), format!("{}19 b", "19/".repeat(18)));
    assert_eq!(start.size().get(), 19);
    assert_eq!(start_of(7).to_setup().to_string(), "7/7/7/7/7/7/7 b");
    assert_eq!(start_of(3).score(), [0, 0]);
}

#[test]
fn clause_1_sizes_are_odd_from_3_to_19() {
    let sizes: Vec<u8> = (0..=u8::MAX).filter(|&size| Size::new(size).is_some()).collect();
    assert_eq!(sizes, [3, 5, 7, 9, 11, 13, 15, 17, 19]);
}

#[test]
fn clause_1_a_ring_of_stones_stands_around_the_board() {
    let view = start_of(5).view();
    let ring: Vec<_> = view.spots.iter().filter(|spot| spot.ground == Ground::Ring).collect();
    assert_eq!(view.spots.len(), 25 + ring.len());
    let stones = |side| ring.iter().filter(|s| s.piece == Some(Piece::Stone(side))).count();
    assert_eq!([stones(Side::First), stones(Side::Second)], [8, 12]);
    let stone_at = |x, y| {
        let spot = ring.iter().find(|spot| (spot.x, spot.y) == (x, y))?;
        assert_eq!((spot.owner, spot.name.as_str()), (None, ""));
        spot.piece.clone()
    };
    // Below a1, below b1, left of a1, right of e5; the corners hold no stone.
    assert_eq!(stone_at(1, -1), Some(Piece::Stone(Side::Second)));
    assert_eq!(stone_at(3, -1), Some(Piece::Stone(Side::First)));
    assert_eq!(stone_at(-1, 1), Some(Piece::Stone(Side::Second)));
    assert_eq!(stone_at(11, 9), Some(Piece::Stone(Side::Second)));
    for (x, y) in [(-1, -1), (-1, 11), (11, -1), (11, 11)] {
        assert_eq!(stone_at(x, y), None);
    }
}

#[test]
fn clause_2_each_colour_has_its_own_points() {
    let start = start_of(3);
    assert_eq!(moves(&start), ["a1", "a3", "b2", "c1", "c3"]);
    assert_eq!(refusal(&start, "b1"), "clause 2");
    let mut white = start;
    white.play(Move(point("b2"))).unwrap();
    assert_eq!(moves(&white), ["a2", "b1", "b3", "c2"]);
    assert_eq!(refusal(&white, "a1"), "clause 2");
}

#[test]
fn clause_2_only_on_an_empty_point() {
    let position = at("5/5/2b2/5/5 b");
    assert_eq!(refusal(&position, "c3"), "clause 2");
    let violation = position.violation(Move(point("c3"))).unwrap();
    assert_eq!(violation, Violation::Occupied(point("c3")));
    // The opponent's stone is in the way first of all.
    let position = at("5/5/2b2/5/5 w");
    assert_eq!(position.violation(Move(point("c3"))).unwrap().to_string(), "c3 is occupied");
    assert_eq!(
        position.violation(Move(point("c1"))).unwrap().to_string(),
        "only Black may put a stone on c1"
    );
}

#[test]
fn clause_2_passing_is_not_allowed() {
    assert!(start_of(5).parse_move("pass").is_err());
}

#[test]
fn clause_3_stones_of_the_ring_count() {
    let position = at("7/7/7/7/7/7/1w5 w");
    assert_eq!(position.score(), [0, 0]);
    let closed = at(&after(&position, "a2"));
    assert_eq!(closed.owner(point("a1")), Some(Side::Second));
    assert_eq!(closed.score(), [0, 3]);
    // The same in the other corners, for White only.
    for corner in ["1w5/w6/7/7/7/7/7 b", "5w1/6w/7/7/7/7/7 b", "7/7/7/7/7/6w/5w1 b"] {
        assert_eq!(at(corner).score(), [0, 3]);
    }
    assert_eq!(at("7/7/7/7/2b4/1b5/b6 w").score(), [0, 0]);
    // One black stone of the ring closes a loop around b1.
    assert_eq!(at("7/7/7/7/7/1b5/b1b4 w").score(), [4, 0]);
}

#[test]
fn clause_3_a_stone_may_close_a_loop_if_two_of_its_neighbours_were_connected() {
    let mut stones = Points::EMPTY;
    let mut groups = Groups::new(stones);
    let mut may_close = |name: &str| {
        stones = stones.with(point(name).slot());
        groups.add(point(name).slot(), stones)
    };
    for (name, expected) in [("b2", false), ("d2", false), ("e3", false), ("c3", false)] {
        assert_eq!(may_close(name), expected, "{name}");
    }
    assert!(may_close("c1"), "around c2");
}

#[test]
fn clause_3_a_wall_from_ring_to_ring_is_not_a_loop() {
    // Stones of the ring are not connected along the edge.
    assert_eq!(at("3w1/2w2/1w3/w4/5 b").score(), [0, 0]);
    // With two more stones every point behind the wall has its own loop.
    assert_eq!(at("1w1w1/w1w2/1w3/w4/5 b").score(), [0, 10]);
}

#[test]
fn clause_3_stones_of_a_loop_are_of_one_colour() {
    assert_eq!(at("5/2w2/1w1w1/2w2/5 b").score(), [0, 5]);
    assert_eq!(at("5/2w2/1w1w1/1b1b1/5 b").score(), [0, 0]);
}

#[test]
fn clause_4_the_stones_within_are_captured() {
    // White's corner loop.
    assert_eq!(after(&at("5/5/5/w4/b4 w"), "b1"), "5/5/5/w4/1w3 b");
    // Outside the loop nothing happens.
    assert_eq!(after(&at("5/5/b4/w4/b1b2 w"), "b1"), "5/5/b4/w4/1wb2 b");
}

#[test]
fn clause_4_one_stone_may_complete_several_loops() {
    let position = at("7/7/2b1b2/1bw1wb1/2b1b2/7/7 b");
    assert_eq!(after(&position, "d4"), "7/7/2b1b2/1b1b1b1/2b1b2/7/7 w");
}

#[test]
fn clause_4_loops_give_no_protection() {
    let position = at("7/7/2bwb2/1bw1wb1/2bwb2/3b3/7 b");
    assert_eq!(position.score(), [0, 5]);
    let captured = after(&position, "d6");
    assert_eq!(captured, "7/3b3/2b1b2/1b3b1/2b1b2/3b3/7 w");
    assert_eq!(at(&captured).score(), [13, 0]);
}

#[test]
fn clause_4_ones_own_stones_within_stay() {
    let position = at("7/7/2bwb2/1b1b1b1/2b1b2/3b3/7 b");
    assert_eq!(after(&position, "d6"), "7/3b3/2b1b2/1b1b1b1/2b1b2/3b3/7 w");
}

#[test]
fn clause_4_only_the_loops_that_the_stone_completes_capture() {
    // Play leaves no stone within a loop, but a setup may have one. The loops
    // around c4 and e4 share d4; f4 completes only the second.
    let position = at("9/9/9/9/2b1b4/1bwbw4/2b1b4/9/9 b");
    assert_eq!(after(&position, "f4"), "9/9/9/9/2b1b4/1bwb1b3/2b1b4/9/9 w");
    // A loop around the whole loop captures what is within that.
    let position = at("9/9/9/1b1b5/b1b1b4/1bwb1b3/b1b1b4/1b1b5/2b6 b");
    assert_eq!(after(&position, "c7"), "9/9/2b6/1b1b5/b1b1b4/1b1b1b3/b1b1b4/1b1b5/2b6 w");
}

#[test]
fn clause_5_no_placement_within_a_loop_of_either_colour() {
    let position = at("7/3b3/2b1b2/1b3b1/2b1b2/3b2w/5w1 b");
    for (text, name, owner) in [("d4", "Black", Side::First), ("g1", "White", Side::Second)] {
        assert_eq!(refusal(&position, text), "clause 5");
        let violation = position.violation(Move(point(text))).unwrap();
        assert_eq!(violation, Violation::WithinLoop { point: point(text), owner });
        assert_eq!(violation.to_string(), format!("{text} lies within a loop of {name}'s"));
    }
    let position = at("7/3b3/2b1b2/1b3b1/2b1b2/3b2w/5w1 w");
    for text in ["c4", "d3", "d5", "e4"] {
        assert_eq!(refusal(&position, text), "clause 5");
    }
    assert!(legal(&position, "d7"));
}

#[test]
fn clause_6_the_stones_of_a_loop_and_all_within_are_owned() {
    let position = at("b6/1b1b3/2b1b2/1b3b1/2b1b2/3b3/7 w");
    let owned: Vec<String> = position
        .size()
        .points()
        .filter(|&point| position.owner(point) == Some(Side::First))
        .map(|point| point.to_string())
        .collect();
    // Not a7 and b6, which only lead to the loop.
    assert_eq!(
        owned,
        ["d2", "c3", "d3", "e3", "b4", "c4", "d4", "e4", "f4", "c5", "d5", "e5", "d6"]
    );
    let spots = position.view().spots;
    assert_eq!(spots.iter().filter(|spot| spot.owner == Some(Side::First)).count(), 13);
    assert_eq!(position.view().counts, [13, 0]);
}

#[test]
fn clause_7_the_game_ends_when_every_point_is_owned() {
    assert_eq!(
        outcome::<Position>("1w1/w1w/1w1 b"),
        Some(Outcome::win(Side::Second, Reason::Territory))
    );
    // Black has a loop around each of White's points.
    let last = at("b1b/1b1/2b w");
    assert_eq!(last.outcome(), None);
    let text = after(&at("b1b/1b1/2b b"), "a1");
    assert_eq!(outcome::<Position>(&text), Some(Outcome::win(Side::First, Reason::Territory)));
    assert_eq!(at(&text).score(), [9, 0]);
}

#[test]
fn clause_7_points_that_both_claim_count_for_the_last_mover() {
    for (text, winner, score) in
        [("bwb/wbw/bwb b", Side::Second, [0, 9]), ("bwb/wbw/bwb w", Side::First, [9, 0])]
    {
        assert_eq!(outcome::<Position>(text), Some(Outcome::win(winner, Reason::Territory)));
        assert_eq!(at(text).score(), score);
    }
}

#[test]
fn known_answers() {
    let known: [(u8, &[u64]); 5] = [
        (3, &[5, 20, 80, 240, 624, 1104, 1248, 576, 0]),
        (5, &[13, 156, 1872, 20592, 225_456]),
        (7, &[25, 600, 14400, 331_200]),
        (9, &[41, 1640, 65600]),
        (19, &[181, 32580]),
    ];
    for (size, counts) in known {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&start_of(size), depth), count, "size {size}, depth {depth}");
        }
    }
}

#[test]
fn figure_3() {
    let position = at("2b4/1bwbw2/3wbw1/wb1b1bw/1wb1b2/2wbw1w/b2w3 b");
    assert_eq!(after(&position, "a5"), "2b4/1b1bw2/b3bw1/wb1b1bw/1wb1b2/2wbw1w/b2w3 w");
}

#[test]
fn figure_4() {
    let position = at("bw1wb1b/4wbw/bw1w1w1/w1w3w/bwbw1wb/1b2wb1/b1b1b1b b");
    assert_eq!(moves(&position), ["b6", "c5", "c7", "d2", "d6"]);
    assert_eq!(refusal(&position, "g5"), "clause 5");
}

#[test]
fn setups_report_every_flaw() {
    let mut setup = Setup::parse("b1w/1w1/1b1 b", Size::DEFAULT).unwrap();
    setup.cells[0][3] = Some(Side::First);
    let flaws = setup.validate().unwrap_err();
    let texts: Vec<String> = flaws.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "b1 can hold no stone of Black",
            "d1 is not on this board",
            "b2 can hold no stone of White",
            "c3 can hold no stone of White",
        ]
    );
    assert_eq!(flaws[0].rule(), Rule::Clause(2));
    assert_eq!(flaws[1], Flaw::OffTheBoard(point("d1")));
    assert_eq!(flaws[1].rule(), Rule::Clause(1));
}

#[test]
fn the_number_of_ranks_gives_the_size() {
    assert_eq!(at("3/3/3 b").size().get(), 3);
    for (text, offset, expected) in [
        ("", 0, "'/' and another rank: 3, 5, 7 … or 19 ranks, not 1"),
        ("1 b", 1, "'/' and another rank: 3, 5, 7 … or 19 ranks, not 1"),
        ("4/4/4/4 b", 7, "'/' and another rank: 3, 5, 7 … or 19 ranks, not 4"),
        ("hello", 0, "'b', 'w', a number or '/'"),
        ("b4/5/5/4x/5/5 w", 8, "'b', 'w', a number or '/'"),
        ("3/2/3 b", 3, "1 more cell here: 'b', 'w' or a number"),
        ("3/4/3 b", 2, "a number from 1 to 3"),
        ("3/3b/3 b", 3, "'/' after the 3 points of this rank"),
        ("3/3/3", 5, "a space and the side to move"),
        ("3/3/3 x", 6, "the side to move, 'b' or 'w'"),
        ("3/3/3 b w", 8, "the end"),
    ] {
        let error = parse_error(text);
        assert_eq!((error.offset(), error.expected()), (offset, expected), "{text}");
    }
    let error = parse_error(&format!("{}21 b", "21/".repeat(20)));
    assert_eq!(error.offset(), 19 * 3 - 1);
    assert_eq!(error.expected(), "the side to move: a board has 19 ranks at most");
    assert!(Setup::parse(&"/".repeat(1000), Size::DEFAULT).is_err());
}

#[test]
fn moves_are_read_within_the_board() {
    let position = start_of(9);
    assert_eq!(position.parse_move("I9"), Ok(Move(Point::new(8, 8).unwrap())));
    for (text, offset, expected) in [
        ("", 0, "a file from a to i"),
        ("j1", 0, "a file from a to i"),
        ("a", 1, "a rank from 1 to 9"),
        ("a0", 1, "a rank from 1 to 9"),
        ("a10", 1, "a rank from 1 to 9"),
        ("a1x", 2, "the end"),
    ] {
        let error = position.parse_move(text).unwrap_err();
        assert_eq!((error.offset(), error.expected()), (offset, expected), "{text}");
    }
    assert_eq!(start_of(19).parse_move("s19"), Ok(Move(Point::new(18, 18).unwrap())));
    // A point of a larger board can only come from a program.
    let far = Move(point("s19"));
    assert_eq!(position.violation(far).unwrap().to_string(), "s19 is not on this board");
    assert!(!position.is_legal(far));
    // It may be where the ring of this board is.
    let position = start_of(3);
    assert_eq!(position.violation(Move(point("a4"))), Some(Violation::OffTheBoard(point("a4"))));
    assert_eq!(position.at(point("a4")), None);
}

#[test]
fn a_click_names_the_cell_of_the_view() {
    let position = start_of(5);
    let mut steps = Vec::new();
    position.steps(Move(point("b2")), &mut steps);
    assert_eq!(steps, [Step::cell(6)]);
    let view = position.view();
    assert!((0..).zip(&view.spots).all(|(cell, spot)| spot.cell == cell));
    assert_eq!((view.spots[6].name.as_str(), view.spots[6].x, view.spots[6].y), ("b2", 3, 3));
}

#[test]
fn turns_left_counts_the_open_points() {
    assert_eq!(start_of(7).turns_left_at_most(), 49);
    let corner = at("7/7/7/7/7/w6/1w5 b");
    assert_eq!(corner.turns_left_at_most(), 46);
    assert_eq!(at("7/7/3w3/2w1w2/1w3w1/2w1w2/3w3 b").turns_left_at_most(), 36);
    // A black stone within White's loop may yet be part of a loop that breaks it.
    assert_eq!(at("7/7/3w3/2wbw2/1w3w1/2w1w2/3w3 b").turns_left_at_most(), 40);
}

#[test]
fn positions_differ_by_size_stones_and_turn() {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    let hash = |position: &Position| BuildHasherDefault::<DefaultHasher>::new().hash_one(position);
    let positions = ["3/3/3 b", "3/3/3 w", "3/1b1/3 b", "5/5/5/5/5 b"].map(at);
    for (i, a) in positions.iter().enumerate() {
        for (j, b) in positions.iter().enumerate() {
            assert_eq!(a == b, i == j, "{a:?} {b:?}");
            assert_eq!(hash(a) == hash(b), i == j, "{a:?} {b:?}");
        }
    }
}

fn names(points: PointSet) -> Vec<String> {
    let mut names: Vec<String> = points.iter().map(|point| point.to_string()).collect();
    names.sort();
    assert_eq!(points.len(), names.len());
    assert_eq!(points.is_empty(), names.is_empty());
    assert_eq!((0..names.len() + 1).filter_map(|n| points.nth(n)).count(), names.len());
    names
}

#[test]
fn the_last_of_four_stones_around_a_point() {
    // Black is about to surround c4 and, with the ring, a2 and b1; below White the corner g1.
    let position = at("7/7/2b4/1b1b3/7/1b5/b6 b");
    assert_eq!(names(position.last_of_four(Side::First)), ["a3", "c1", "c3"]);
    assert!(position.last_of_four(Side::Second).is_empty());
    let position = at("7/7/7/7/7/6w/4b2 w");
    assert_eq!(names(position.last_of_four(Side::Second)), ["f1"]);
    // Once it is there the point is closed.
    let position = at("7/7/2b4/1b1b3/2b4/7/7 b");
    assert!(position.last_of_four(Side::First).is_empty());
}

#[test]
fn a_smothered_point_has_enemy_stones_on_three_sides() {
    let position = at("7/7/2b4/1b1b3/7/1b5/b6 w");
    // The ring stands next to a2 and b1.
    assert_eq!(names(position.smothered(Side::Second)), ["a2", "b1", "c4"]);
    assert!(position.smothered(Side::First).is_empty());
}

#[test]
fn a_capturable_stone_lacks_one_enemy_around_it() {
    let position = at("7/7/2b4/1bwb3/7/6w/4b1b w");
    assert_eq!(names(position.capturable(Side::Second)), ["c4"]);
    assert_eq!(names(position.capturable(Side::First)), ["g1"]);
    // White's loop around c3 keeps the fourth stone away.
    let position = at("7/7/2b4/1bwb3/1w1w3/2w4/7 b");
    assert!(position.capturable(Side::Second).is_empty());
}

#[test]
fn stones_links_and_breaths() {
    let position = at("7/7/2b4/1b1b3/7/1b4w/b6 w");
    assert_eq!(names(position.stones(Side::First)), ["a1", "b2", "b4", "c5", "d4"]);
    // Three on the board, and a1 has two with the ring.
    assert_eq!(position.links(Side::First), 5);
    // g2 is next to the ring stones at g1's and g3's right.
    assert_eq!(position.links(Side::Second), 2);
    assert_eq!(start_of(7).links(Side::First), 0);
    assert_eq!(start_of(7).links(Side::Second), 0);
    assert_eq!(names(position.breaths(Side::Second)), ["f2", "g1", "g3"]);
}

/// In random games: a point closes a loop exactly if playing there makes the player own more, and
/// the last of four stones always does.
#[test]
fn predicted_loops_are_the_loops_that_a_stone_closes() {
    for game in 0..30 {
        let mut rng = Rng::for_game(5, game);
        let mut position = start_of(5 + 2 * (game % 3) as u8);
        while position.outcome().is_none() {
            let side = position.side_to_move();
            let moves = position.legal_moves();
            for &Move(point) in &moves {
                let mut next = position;
                next.play_unchecked(Move(point));
                let closed = next.enclosed[side.index()] != position.enclosed[side.index()];
                assert_eq!(position.closes_loop(point), closed, "{position:?} {point}");
                let fourth = position.last_of_four(side).contains(point);
                let place = (point.file() + 1, point.rank() + 1);
                let last_around = |cell| {
                    is_point(&position, cell)
                        && around(cell).all(|near| near == place || has(&position, near, side))
                };
                let lone = around(place).any(last_around);
                assert_eq!(fourth, lone, "{position:?} {point}");
                assert!(closed || !fourth);
                let enemies = around(place).filter(|&near| has(&position, near, side.other()));
                let enemies = enemies.count();
                assert_eq!(position.enemies_beside(point), enemies, "{position:?} {point}");
                let smothered = position.smothered(side).contains(point);
                assert_eq!(smothered, enemies >= 3, "{position:?} {point}");
            }
            for player in Side::BOTH {
                let open: Vec<Point> = position.open(player).iter().collect();
                let closing = open.iter().filter(|&&point| position.closes_loop(point));
                let found = position.loop_closing(player);
                assert!(found.iter().eq(closing.copied()), "{position:?} {player:?}");
            }
            let open = position.open(side).iter().map(Move);
            assert!(open.eq(moves.iter().copied()), "{position:?}");
            position.play_unchecked(moves[rng.below(moves.len())]);
        }
    }
}

/// The places next to a point, by their coordinates in the rules: a1 is (1, 1).
fn around((x, y): (u8, u8)) -> impl Iterator<Item = (u8, u8)> {
    [(x + 1, y), (x, y - 1), (x - 1, y), (x, y + 1)].into_iter()
}

fn is_point(position: &Position, (x, y): (u8, u8)) -> bool {
    let on_board = 1..=position.size().get();
    on_board.contains(&x) && on_board.contains(&y)
}

/// Whether a stone of the player's, of the board or of the ring, stands on a place.
fn has(position: &Position, (x, y): (u8, u8), side: Side) -> bool {
    if is_point(position, (x, y)) {
        Point::new(x - 1, y - 1).and_then(|point| position.at(point)) == Some(side)
    } else {
        (x + y) % 2 == side.index() as u8
    }
}
