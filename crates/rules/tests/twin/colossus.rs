//! Colossus, by Aaron Bradford Starr.

use super::{Look, Verdict, expand, over, score, squeeze};

/// `board[row][i]`, row 0 being `a` and i 0 the leftmost space; `b`/`w` stones, `t` an empty
/// tower, `B`/`W` claimed towers, `.` an empty space.
type Board = Vec<Vec<char>>;
/// (row, i), both from 0.
type Space = (usize, usize);

const ROW_LENGTHS: [usize; 7] = [4, 5, 6, 7, 6, 5, 4];
/// The six directions: rows up, and half spaces to the right.
const DIRECTIONS: [(i32, i32); 6] = [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)];

struct Position {
    board: Board,
    side: char,
    supply: usize,
    stall: usize,
    highest: usize,
}

pub fn look(text: &str) -> Look {
    let position = read(text);
    let board = &position.board;
    let side = position.side;
    // R7: the defeat of the player who has just moved comes first (clause 6) ...
    if !has_tower(board, other(side)) {
        return over(winner(side));
    }
    // ... then the full board (clause 7), then the stall (R8).
    if find(board, '.').is_empty() || position.stall >= 40 {
        return over(score(points(board, 'b'), points(board, 'w')));
    }
    // Clause 6: a player who can neither place nor move loses, even if a claim is possible.
    let mut turns = placements(board, side);
    turns.extend(stone_moves(board, side));
    if turns.is_empty() {
        return over(winner(other(side)));
    }
    let mut moves = Vec::new();
    for (text, after) in turns {
        moves.push((text, end_of_turn(&position, after, position.supply)));
    }
    for (text, after, supply) in claims(board, side, position.supply) {
        moves.push((text, end_of_turn(&position, after, supply)));
    }
    Look { verdict: None, moves }
}

fn other(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

fn winner(side: char) -> Verdict {
    match side {
        'b' => Verdict::First,
        _ => Verdict::Second,
    }
}

/// A tower claimed by this player.
fn tower(side: char) -> char {
    side.to_ascii_uppercase()
}

fn is_tower(c: char) -> bool {
    "tBW".contains(c)
}

fn name((row, i): Space) -> String {
    format!("{}{}", (b'a' + row as u8) as char, i + 1)
}

fn at(board: &Board, (row, i): Space) -> char {
    board[row][i]
}

fn put(board: &mut Board, (row, i): Space, c: char) {
    board[row][i] = c;
}

fn all_spaces() -> Vec<Space> {
    let mut spaces = Vec::new();
    for (row, &length) in ROW_LENGTHS.iter().enumerate() {
        for i in 0..length {
            spaces.push((row, i));
        }
    }
    spaces
}

fn find(board: &Board, what: char) -> Vec<Space> {
    let is_it = |&space: &Space| at(board, space) == what;
    all_spaces().into_iter().filter(is_it).collect()
}

/// How far right of the board's middle a space lies, in half spaces.
fn across((row, i): Space) -> i32 {
    2 * i as i32 + 1 - ROW_LENGTHS[row] as i32
}

/// The steps between two spaces: each change of row also goes half a space left or right.
fn distance(one: Space, two: Space) -> i32 {
    let rows = (one.0 as i32 - two.0 as i32).abs();
    let halves = (across(one) - across(two)).abs();
    rows + (halves - rows).max(0) / 2
}

fn at_distance(from: Space, steps: i32) -> Vec<Space> {
    let is_so = |&space: &Space| distance(from, space) == steps;
    all_spaces().into_iter().filter(is_so).collect()
}

fn neighbours(space: Space) -> Vec<Space> {
    at_distance(space, 1)
}

/// The next space in a direction, if the board goes on.
fn step(from: Space, (up, right): (i32, i32)) -> Option<Space> {
    let is_next = |&space: &Space| {
        space.0 as i32 == from.0 as i32 + up && across(space) == across(from) + right
    };
    all_spaces().into_iter().find(is_next)
}

fn has_tower(board: &Board, side: char) -> bool {
    !find(board, tower(side)).is_empty()
}

/// Clause 7 and R5.
fn points(board: &Board, side: char) -> usize {
    find(board, side).len() + 3 * find(board, tower(side)).len()
}

/// Clause 3: enemy stones next to a space become yours; those on towers do not.
fn turn_stones(board: &mut Board, around: Space, side: char) {
    for space in neighbours(around) {
        if at(board, space) == other(side) {
            put(board, space, side);
        }
    }
}

/// Clause 3, place.
fn placements(board: &Board, side: char) -> Vec<(String, Board)> {
    let mut turns = Vec::new();
    for to in find(board, '.') {
        let is_own = |&space: &Space| [side, tower(side)].contains(&at(board, space));
        if neighbours(to).iter().any(is_own) {
            let mut after = board.clone();
            put(&mut after, to, side);
            turn_stones(&mut after, to, side);
            turns.push((name(to), after));
        }
    }
    turns
}

/// Clause 3, move (R2), and clause 5, the desperate force (R4).
fn stone_moves(board: &Board, side: char) -> Vec<(String, Board)> {
    let desperate = !has_tower(board, side);
    let mut turns = Vec::new();
    for from in all_spaces() {
        let left_behind = match at(board, from) {
            c if c == side => '.',
            c if c == tower(side) => 't',
            _ => continue,
        };
        for to in at_distance(from, 2) {
            let arrived = match at(board, to) {
                '.' => side,
                't' if desperate => tower(side),
                _ => continue,
            };
            let mut after = board.clone();
            put(&mut after, from, left_behind);
            put(&mut after, to, arrived);
            turn_stones(&mut after, to, side);
            turns.push((format!("{}-{}", name(from), name(to)), after));
        }
    }
    turns
}

/// Clause 3, claim (R3), without and with a new tower; also gives the supply left.
fn claims(board: &Board, side: char, supply: usize) -> Vec<(String, Board, usize)> {
    let mut turns = Vec::new();
    for claimed in find(board, 't') {
        for direction in DIRECTIONS {
            let mut linking = Vec::new();
            let mut next = step(claimed, direction);
            while let Some(space) = next {
                if at(board, space) != side {
                    break;
                }
                linking.push(space);
                next = step(space, direction);
            }
            // What stands behind the line must be a tower of the same player.
            let linked = next.is_some_and(|end| at(board, end) == tower(side));
            if !linked || linking.is_empty() {
                continue;
            }
            let mut after = board.clone();
            put(&mut after, claimed, tower(side));
            for &space in &linking {
                put(&mut after, space, '.');
            }
            let mut cells: Vec<String> = linking.iter().map(|&space| name(space)).collect();
            cells.sort();
            let text = format!("{}={}", name(claimed), cells.join("."));
            turns.push((text.clone(), after.clone(), supply));
            if supply == 0 {
                continue;
            }
            for &space in &linking {
                // Not next to any other tower.
                if neighbours(space).iter().all(|&s| !is_tower(at(board, s))) {
                    let mut after = after.clone();
                    put(&mut after, space, 't');
                    turns.push((format!("{text}+{}", name(space)), after, supply - 1));
                }
            }
        }
    }
    turns
}

/// Clause 4 and R8: the siege, the counts, and the position that the other player gets.
fn end_of_turn(before: &Position, mut board: Board, supply: usize) -> String {
    let side = before.side;
    for enemy in find(&board, tower(other(side))) {
        if neighbours(enemy).iter().all(|&s| at(&board, s) == side) {
            put(&mut board, enemy, tower(side));
        }
    }
    let occupied = all_spaces().len() - find(&board, '.').len();
    let grown = occupied > before.highest;
    write(&Position {
        board,
        side: other(side),
        supply,
        stall: if grown { 0 } else { before.stall + 1 },
        highest: if grown { occupied } else { before.highest },
    })
}

fn read(text: &str) -> Position {
    let fields: Vec<&str> = text.split(' ').collect();
    assert_eq!(fields.len(), 5, "fields of {text:?}");
    // The text runs from row g down to row a.
    let board: Board = fields[0].split('/').rev().map(expand).collect();
    assert_eq!(board.len(), 7, "rows of {text:?}");
    for (row, length) in board.iter().zip(ROW_LENGTHS) {
        assert_eq!(row.len(), length, "spaces of {text:?}");
        assert!(row.iter().all(|c| ".bwtBW".contains(*c)), "{text:?}");
    }
    let side = match fields[1] {
        "b" => 'b',
        "w" => 'w',
        _ => panic!("side to move of {text:?}"),
    };
    let position = Position {
        board,
        side,
        supply: fields[2].parse().expect("supply"),
        stall: fields[3].parse().expect("stall count"),
        highest: fields[4].parse().expect("highest number"),
    };
    assert_eq!(write(&position), text, "not canonical");
    position
}

fn write(position: &Position) -> String {
    let rows: Vec<String> = position.board.iter().rev().map(|row| squeeze(row)).collect();
    format!(
        "{} {} {} {} {}",
        rows.join("/"),
        position.side,
        position.supply,
        position.stall,
        position.highest
    )
}
