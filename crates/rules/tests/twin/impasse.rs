//! Impasse, by Mark Steere.

use super::{Look, Verdict, expand, over, squeeze};

/// `board[rank][file]`, both from 0; `w`/`b` singles, `W`/`B` doubles, `.` empty.
type Board = Vec<Vec<char>>;
/// (rank, file), both from 0.
type Square = (usize, usize);

pub fn look(position: &str) -> Look {
    let (board, side) = read(position);
    // Clause 6: the player with no checkers wins. If neither has any, the one not to move
    // was there first.
    for player in [other(side), side] {
        if singles(&board, player).is_empty() && doubles(&board, player).is_empty() {
            return over(match player {
                'w' => Verdict::First,
                _ => Verdict::Second,
            });
        }
    }
    // Clause 2: a basic move if there is one; clause 5: otherwise a removal.
    let mut turns = basic_moves(&board, side);
    if turns.is_empty() {
        turns = removals(&board, side);
    }
    let mut moves = Vec::new();
    for (text, after) in turns {
        for (text, after) in crowned(text, after, side) {
            moves.push((text, write(&after, other(side))));
        }
    }
    Look { verdict: None, moves }
}

fn other(side: char) -> char {
    if side == 'w' { 'b' } else { 'w' }
}

fn nearest_row(side: char) -> usize {
    if side == 'w' { 0 } else { 7 }
}

fn furthest_row(side: char) -> usize {
    7 - nearest_row(side)
}

fn double(side: char) -> char {
    side.to_ascii_uppercase()
}

fn name((rank, file): Square) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn find(board: &Board, what: char) -> Vec<Square> {
    let mut found = Vec::new();
    for (rank, row) in board.iter().enumerate() {
        for (file, &c) in row.iter().enumerate() {
            if c == what {
                found.push((rank, file));
            }
        }
    }
    found
}

fn singles(board: &Board, side: char) -> Vec<Square> {
    find(board, side)
}

fn doubles(board: &Board, side: char) -> Vec<Square> {
    find(board, double(side))
}

/// The two squares diagonally next to this one, one row forward or backward for `side`.
fn diagonal(from: Square, side: char, forward: bool) -> Vec<(Square, i32)> {
    let up = (side == 'w') == forward;
    let mut squares = Vec::new();
    for step in [-1, 1] {
        if let Some(square) = step_to(from, if up { 1 } else { -1 }, step) {
            squares.push((square, step));
        }
    }
    squares
}

fn step_to((rank, file): Square, up: i32, right: i32) -> Option<Square> {
    let rank = rank as i32 + up;
    let file = file as i32 + right;
    if (0..8).contains(&rank) && (0..8).contains(&file) {
        Some((rank as usize, file as usize))
    } else {
        None
    }
}

/// Where a slide from this square can end: any number of empty squares in a straight line.
fn slides(board: &Board, from: Square, side: char, forward: bool) -> Vec<Square> {
    let mut ends = Vec::new();
    for (first, right) in diagonal(from, side, forward) {
        let up = first.0 as i32 - from.0 as i32;
        let mut next = Some(first);
        while let Some(square) = next {
            if board[square.0][square.1] != '.' {
                break;
            }
            ends.push(square);
            next = step_to(square, up, right);
        }
    }
    ends
}

/// Clauses 2 and 3: the basic moves with their bear offs, not yet crowned.
fn basic_moves(board: &Board, side: char) -> Vec<(String, Board)> {
    let mut turns = Vec::new();
    for from in singles(board, side) {
        for to in slides(board, from, side, true) {
            let mut after = board.clone();
            after[from.0][from.1] = '.';
            after[to.0][to.1] = side;
            turns.push((format!("{}-{}", name(from), name(to)), after));
        }
    }
    for from in doubles(board, side) {
        for to in slides(board, from, side, false) {
            let mut after = board.clone();
            after[from.0][from.1] = '.';
            after[to.0][to.1] = double(side);
            let text = format!("{}-{}", name(from), name(to));
            turns.push(borne_off(text, after, to, side));
        }
        // Transpose: onto a single diagonally adjacent, one row nearer to the owner.
        for (to, _) in diagonal(from, side, false) {
            if board[to.0][to.1] == side {
                let mut after = board.clone();
                after[from.0][from.1] = side;
                after[to.0][to.1] = double(side);
                let text = format!("{}={}", name(from), name(to));
                turns.push(borne_off(text, after, to, side));
            }
        }
    }
    turns
}

/// Clause 3: the double this move has given at `at` loses its top in the nearest row.
fn borne_off(text: String, mut after: Board, at: Square, side: char) -> (String, Board) {
    if at.0 == nearest_row(side) {
        after[at.0][at.1] = side;
        return (text + "*", after);
    }
    (text, after)
}

/// Clause 5: a single goes, or the top of a double.
fn removals(board: &Board, side: char) -> Vec<(String, Board)> {
    let mut turns = Vec::new();
    for at in singles(board, side) {
        let mut after = board.clone();
        after[at.0][at.1] = '.';
        turns.push((format!("*{}", name(at)), after));
    }
    for at in doubles(board, side) {
        let mut after = board.clone();
        after[at.0][at.1] = side;
        turns.push((format!("*{}", name(at)), after));
    }
    turns
}

/// Clause 4, R2, R3, R4: if a single stands in the furthest row and there is another single
/// anywhere, exactly one crown follows; every choice is a move of its own.
fn crowned(text: String, board: Board, side: char) -> Vec<(String, Board)> {
    let singles = singles(&board, side);
    let mut turns = Vec::new();
    for &target in &singles {
        for &lifted in &singles {
            if target.0 == furthest_row(side) && lifted != target {
                let mut after = board.clone();
                after[lifted.0][lifted.1] = '.';
                after[target.0][target.1] = double(side);
                let text = format!("{text}+{}>{}", name(lifted), name(target));
                turns.push((text, after));
            }
        }
    }
    if turns.is_empty() {
        turns.push((text, board));
    }
    turns
}

fn read(position: &str) -> (Board, char) {
    let fields: Vec<&str> = position.split(' ').collect();
    assert_eq!(fields.len(), 2, "fields of {position:?}");
    let side = match fields[1] {
        "w" => 'w',
        "b" => 'b',
        _ => panic!("side to move of {position:?}"),
    };
    // The text runs from rank 8 down to rank 1.
    let board: Board = fields[0].split('/').rev().map(expand).collect();
    assert_eq!(board.len(), 8, "ranks of {position:?}");
    for (rank, row) in board.iter().enumerate() {
        assert_eq!(row.len(), 8, "files of {position:?}");
        for (file, &c) in row.iter().enumerate() {
            assert!(".wbWB".contains(c), "{c:?} in {position:?}");
            // Only the dark squares are used, and a1 is dark.
            assert!(c == '.' || (rank + file) % 2 == 0, "light: {position:?}");
        }
    }
    assert_eq!(write(&board, side), position, "not canonical");
    (board, side)
}

fn write(board: &Board, side: char) -> String {
    let ranks: Vec<String> = board.iter().rev().map(|row| squeeze(row)).collect();
    format!("{} {side}", ranks.join("/"))
}
