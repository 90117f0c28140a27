//! Columna, by Rey Alicea, in both of its rule sets.

use super::{Look, Verdict, over, score};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq)]
pub enum Rules {
    Spaces,
    Points,
}

/// (file, rank), both from 1 to 9; the inner board runs from 2 to 8.
type Place = (usize, usize);
/// Clause 1: owner and height; height 0 is an empty space.
type Stack = (char, usize);
const EMPTY: Stack = ('x', 0);
/// `board[rank - 2][file - 2]`.
type Board = Vec<Vec<Stack>>;

struct Position {
    board: Board,
    black_pawn: Place,
    white_pawn: Place,
    side: char,
    stall: usize,
}

pub fn look(rules: Rules, text: &str) -> Look {
    let position = read(rules, text);
    let side = position.side;
    // Clause 8 and R2: the player who has just moved wins by a path that stands.
    if rules == Rules::Spaces && has_path(&position, other(side)) {
        return over(match other(side) {
            'b' => Verdict::First,
            _ => Verdict::Second,
        });
    }
    // R3.
    if position.stall >= 40 {
        return over(count_fours(&position.board));
    }
    let mut moves = turns(rules, &position, side);
    if moves.is_empty() {
        // Clause 5.
        if turns(rules, &position, other(side)).is_empty() {
            return over(count_fours(&position.board));
        }
        let after = Position { side: other(side), stall: position.stall + 1, ..position };
        moves.push(("pass".to_string(), write(&after)));
    }
    Look { verdict: None, moves }
}

fn other(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

fn name((file, rank): Place) -> String {
    format!("{}{rank}", (b'a' + file as u8 - 1) as char)
}

fn at(board: &Board, (file, rank): Place) -> Stack {
    board[rank - 2][file - 2]
}

fn put(board: &Board, (file, rank): Place, stack: Stack) -> Board {
    let mut after = board.clone();
    after[rank - 2][file - 2] = stack;
    after
}

fn spaces() -> Vec<Place> {
    let mut spaces = Vec::new();
    for file in 2..=8 {
        for rank in 2..=8 {
            spaces.push((file, rank));
        }
    }
    spaces
}

/// Clause 5 and R4.
fn count_fours(board: &Board) -> Verdict {
    let fours = |owner| spaces().iter().filter(|&&s| at(board, s) == (owner, 4)).count();
    score(fours('b'), fours('w'))
}

/// Clause 3: every turn the player has, with what it leads to; passes are not among them.
fn turns(rules: Rules, position: &Position, side: char) -> Vec<(String, String)> {
    let (own, enemy) = match side {
        'b' => (position.black_pawn, position.white_pawn),
        _ => (position.white_pawn, position.black_pawn),
    };
    let stack_moves = stack_moves(&position.board, side);
    let mut turns = Vec::new();
    for pawn in pawn_moves(rules, side, own, enemy) {
        let after = |board: &Board, stall| {
            let (black_pawn, white_pawn) = match side {
                'b' => (pawn, enemy),
                _ => (enemy, pawn),
            };
            write(&Position {
                board: board.clone(),
                black_pawn,
                white_pawn,
                side: other(side),
                stall,
            })
        };
        for (space, board) in drops(&position.board, side, pawn) {
            let text = format!("{}@{}", name(pawn), name(space));
            turns.push((text, after(&board, 0)));
        }
        for (from, to, board) in &stack_moves {
            let text = format!("{},{}-{}", name(pawn), name(*from), name(*to));
            turns.push((text, after(board, position.stall + 1)));
        }
    }
    turns
}

/// Clause 6: the 30 points in order around the ring, from a1.
fn ring() -> Vec<Place> {
    let mut ring = vec![(1, 1)];
    ring.extend((2..=8).map(|rank| (1, rank)));
    ring.extend((2..=8).map(|file| (file, 9)));
    ring.push((9, 9));
    ring.extend((2..=8).rev().map(|rank| (9, rank)));
    ring.extend((2..=8).rev().map(|file| (file, 1)));
    ring
}

/// Clause 6: which side of the ring a point belongs to; the base tiles belong to none.
fn ring_side((file, rank): Place) -> Option<char> {
    if (file, rank) == (1, 1) || (file, rank) == (9, 9) {
        None
    } else if file == 1 || rank == 9 {
        Some('1')
    } else {
        Some('2')
    }
}

/// Clause 9: the straight lines of a player's track.
fn track_lines(side: char) -> Vec<Vec<Place>> {
    match side {
        'b' => {
            vec![(1..=9).map(|rank| (1, rank)).collect(), (1..=8).map(|file| (file, 9)).collect()]
        }
        _ => vec![(1..=9).map(|rank| (9, rank)).collect(), (2..=9).map(|file| (file, 1)).collect()],
    }
}

/// Clauses 7 and 9, R1: the points to which the pawn can go.
fn pawn_moves(rules: Rules, side: char, own: Place, enemy: Place) -> BTreeSet<Place> {
    let mut points = BTreeSet::new();
    if rules == Rules::Points {
        for line in track_lines(side) {
            if line.contains(&own) {
                points.extend(line);
            }
        }
        points.remove(&own);
        return points;
    }
    let mut ring = ring();
    for _direction in 0..2 {
        let start = ring.iter().position(|&p| p == own).unwrap();
        for distance in 1..ring.len() {
            let point = ring[(start + distance) % ring.len()];
            if point == enemy {
                break;
            }
            if ring_side(point).is_none() || ring_side(point) != ring_side(enemy) {
                points.insert(point);
            }
        }
        ring.reverse();
    }
    points
}

/// Clause 4: the spaces that a pawn sees from its point, the nearest first.
fn sight((file, rank): Place) -> Vec<Place> {
    let inner = 2..=8;
    match (file, rank) {
        (1, _) if inner.contains(&rank) => inner.map(|f| (f, rank)).collect(),
        (9, _) if inner.contains(&rank) => inner.rev().map(|f| (f, rank)).collect(),
        (_, 1) if inner.contains(&file) => inner.map(|r| (file, r)).collect(),
        (_, 9) if inner.contains(&file) => inner.rev().map(|r| (file, r)).collect(),
        _ => Vec::new(),
    }
}

/// Clause 3: the drops that a pawn on this point can see.
fn drops(board: &Board, side: char, pawn: Place) -> Vec<(Place, Board)> {
    let seen = sight(pawn);
    let mut drops = Vec::new();
    for (i, &space) in seen.iter().enumerate() {
        let (_, height) = at(board, space);
        let between: Vec<Stack> = seen[..i].iter().map(|&s| at(board, s)).collect();
        let allowed = if height == 0 {
            between.iter().all(|&stack| stack == EMPTY)
        } else {
            height < 4 && between.iter().all(|&(_, lower)| lower < height)
        };
        if allowed {
            drops.push((space, put(board, space, (side, height + 1))));
        }
    }
    drops
}

/// Clause 3: a stack of 1, 2 or 3 goes exactly that far over empty spaces.
fn stack_moves(board: &Board, side: char) -> Vec<(Place, Place, Board)> {
    let mut moves = Vec::new();
    for from in spaces() {
        let (owner, height) = at(board, from);
        if owner != side || height == 4 {
            continue;
        }
        for (right, up) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            let mut to = from;
            let mut clear = true;
            for _step in 0..height {
                let file = to.0 as i32 + right;
                let rank = to.1 as i32 + up;
                if !(2..=8).contains(&file) || !(2..=8).contains(&rank) {
                    clear = false;
                    break;
                }
                to = (file as usize, rank as usize);
                clear = clear && at(board, to) == EMPTY;
            }
            if clear {
                let after = put(&put(board, from, EMPTY), to, (side, height));
                moves.push((from, to, after));
            }
        }
    }
    moves
}

/// Clause 8: do the player's own stacks link the two pawns?
fn has_path(position: &Position, player: char) -> bool {
    let (Some(&start), Some(&end)) =
        (sight(position.black_pawn).first(), sight(position.white_pawn).first())
    else {
        return false; // A pawn on a base tile is next to no space.
    };
    let mut reached = BTreeSet::new();
    let mut todo = vec![start];
    while let Some((file, rank)) = todo.pop() {
        let inner = (2..=8).contains(&file) && (2..=8).contains(&rank);
        if inner && at(&position.board, (file, rank)).0 == player && reached.insert((file, rank)) {
            todo.push((file - 1, rank));
            todo.push((file + 1, rank));
            todo.push((file, rank - 1));
            todo.push((file, rank + 1));
        }
    }
    reached.contains(&end)
}

fn read(rules: Rules, text: &str) -> Position {
    let fields: Vec<&str> = text.split(' ').collect();
    assert_eq!(fields.len(), 5, "fields of {text:?}");
    // The text runs from rank 8 down to rank 2.
    let board: Board = fields[0].split('/').rev().map(read_row).collect();
    assert_eq!(board.len(), 7, "ranks of {text:?}");
    let mut pawns = Vec::new();
    for (field, side) in [(fields[1], 'b'), (fields[2], 'w')] {
        let points = match rules {
            Rules::Spaces => ring(),
            Rules::Points => track_lines(side).concat(),
        };
        let pawn = points.into_iter().find(|&p| name(p) == field);
        pawns.push(pawn.unwrap_or_else(|| panic!("pawn {field:?} in {text:?}")));
    }
    assert_ne!(pawns[0], pawns[1], "pawns of {text:?}");
    let side = match fields[3] {
        "b" => 'b',
        "w" => 'w',
        _ => panic!("side to move of {text:?}"),
    };
    let position = Position {
        board,
        black_pawn: pawns[0],
        white_pawn: pawns[1],
        side,
        stall: fields[4].parse().expect("stall count"),
    };
    assert_eq!(write(&position), text, "not canonical");
    position
}

fn read_row(text: &str) -> Vec<Stack> {
    let mut row = Vec::new();
    for item in text.split(',') {
        let owner = item.chars().next().expect("a cell");
        match (owner, &item[1..]) {
            ('x', "") => row.push(EMPTY),
            ('x', run) => {
                let run: usize = run.parse().expect("a run of empty cells");
                row.extend(vec![EMPTY; run]);
            }
            ('b' | 'w', "1" | "2" | "3" | "4") => row.push((owner, item[1..].parse().unwrap())),
            _ => panic!("cell {item:?}"),
        }
    }
    assert_eq!(row.len(), 7, "cells of {text:?}");
    row
}

fn write(position: &Position) -> String {
    let ranks: Vec<String> = position.board.iter().rev().map(|row| write_row(row)).collect();
    format!(
        "{} {} {} {} {}",
        ranks.join("/"),
        name(position.black_pawn),
        name(position.white_pawn),
        position.side,
        position.stall
    )
}

fn write_row(row: &[Stack]) -> String {
    let mut items = Vec::new();
    let mut i = 0;
    while i < row.len() {
        let run = row[i..].iter().take_while(|&&stack| stack == EMPTY).count();
        match run {
            0 => items.push(format!("{}{}", row[i].0, row[i].1)),
            1 => items.push("x".to_string()),
            _ => items.push(format!("x{run}")),
        }
        i += run.max(1);
    }
    items.join(",")
}
