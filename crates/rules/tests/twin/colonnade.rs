//! Colonnade, by Mark Steere.

use super::{Look, Verdict, over};

/// Eight stacks from a to h, each from bottom to top.
type Board = Vec<Vec<char>>;

pub fn look(position: &str) -> Look {
    let (board, side) = read(position);
    let moves = moves(&board, side);
    if moves.is_empty() {
        // Clause 6: no move loses.
        return over(match side {
            'r' => Verdict::Second,
            _ => Verdict::First,
        });
    }
    Look { verdict: None, moves }
}

fn other(side: char) -> char {
    if side == 'r' { 'b' } else { 'r' }
}

fn moves(board: &Board, side: char) -> Vec<(String, String)> {
    let mut moves = Vec::new();
    for from in 0..8 {
        for carried in 1..=board[from].len() {
            // Clause 2: any one of your checkers, with every checker above it.
            let picked = board[from].len() - carried;
            if board[from][picked] != side {
                continue;
            }
            for direction in ['<', '>'] {
                let to = match direction {
                    '<' if from > 0 => from - 1,
                    '>' if from < 7 => from + 1,
                    _ => continue,
                };
                let mut after = board.clone();
                let load = after[from].split_off(picked);
                if board[to].is_empty() {
                    // Clause 5: not with the bottom checker.
                    if picked == 0 {
                        continue;
                    }
                } else {
                    // Clause 3: only onto a stack topped with your colour.
                    if board[to].last() != Some(&side) {
                        continue;
                    }
                    // Clause 4: one of the two like-coloured neighbours is discarded.
                    after[to].pop();
                }
                after[to].extend(load);
                let square = (b'a' + from as u8) as char;
                let text = format!("{carried}{square}{direction}");
                moves.push((text, write(&after, other(side))));
            }
        }
    }
    moves
}

fn read(position: &str) -> (Board, char) {
    let fields: Vec<&str> = position.split(' ').collect();
    assert_eq!(fields.len(), 2, "fields of {position:?}");
    let side = match fields[1] {
        "r" => 'r',
        "b" => 'b',
        _ => panic!("side to move of {position:?}"),
    };
    let mut board = Board::new();
    for stack in fields[0].split('/') {
        let stack: Vec<char> = match stack {
            "-" => Vec::new(),
            _ => stack.chars().collect(),
        };
        assert!(stack.iter().all(|c| "rb".contains(*c)), "{position:?}");
        // Clause 4: colours in a stack always alternate.
        assert!(stack.windows(2).all(|w| w[0] != w[1]), "{position:?}");
        board.push(stack);
    }
    assert_eq!(board.len(), 8, "stacks of {position:?}");
    assert_eq!(write(&board, side), position, "not canonical");
    (board, side)
}

fn write(board: &Board, side: char) -> String {
    let mut stacks: Vec<String> = Vec::new();
    for stack in board {
        if stack.is_empty() {
            stacks.push("-".to_string());
        } else {
            stacks.push(stack.iter().collect());
        }
    }
    format!("{} {side}", stacks.join("/"))
}
