//! What several tests share: random play that reaches interesting positions, and random setups.

#![allow(dead_code, reason = "not every test uses all of it")]

use stoa_rules::playout::Rng;
use stoa_rules::{Game, Playable};

/// A number of games or positions to try, times `STOA_MORE` for a longer run:
/// `STOA_MORE=50 cargo test --release -p stoa-rules --test laws --test twins`.
pub(crate) fn scaled(count: usize) -> usize {
    let factor = std::env::var("STOA_MORE").ok().and_then(|factor| factor.parse().ok());
    count * factor.unwrap_or(1)
}

/// Plays a random move. Mostly one that does not end the game at once, if there is such a move:
/// random Colossus would else be over after two turns.
pub(crate) fn random_move<P: Playable>(position: &P, rng: &mut Rng) -> Option<P::Move> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let mut chosen = moves[rng.below(moves.len())];
    for _ in 0..20 {
        let mut next = position.clone();
        next.play_unchecked(chosen);
        if next.outcome().is_none() || rng.below(50) == 0 {
            break;
        }
        chosen = moves[rng.below(moves.len())];
    }
    Some(chosen)
}

/// The text of a setup that play may never reach, but that is not impossible.
pub(crate) fn random_setup(game: Game, rng: &mut Rng) -> String {
    match game {
        Game::Colonnade => colonnade(rng),
        Game::Impasse => impasse(rng),
        Game::Palisade(size) => palisade(usize::from(size.get()), rng),
        Game::Columna(_) => columna(game, rng),
        Game::Colossus => colossus(rng),
    }
}

fn pick<'a>(rng: &mut Rng, choices: &[&'a str]) -> &'a str {
    choices[rng.below(choices.len())]
}

fn colonnade(rng: &mut Rng) -> String {
    let mut left = rng.below(25);
    let mut stacks = vec![String::from("-"); 8];
    for stack in &mut stacks {
        let height = rng.below(7).min(left);
        left -= height;
        let red_first = rng.below(2);
        if height > 0 {
            *stack = (0..height)
                .map(|i| if (i + red_first).is_multiple_of(2) { 'r' } else { 'b' })
                .collect();
        }
    }
    format!("{} {}", stacks.join("/"), pick(rng, &["r", "b"]))
}

/// Joins cells to ranks from the top down, with numbers for empty runs.
fn ranks(rows: impl Iterator<Item = Vec<Option<char>>>) -> String {
    let row = |cells: Vec<Option<char>>| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in cells.into_iter().chain([Some('\0')]) {
            match cell {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    text.push(letter);
                }
            }
        }
        text.trim_end_matches('\0').to_owned()
    };
    rows.map(row).collect::<Vec<_>>().join("/")
}

fn impasse(rng: &mut Rng) -> String {
    let mut board = [[None; 8]; 8];
    let dark: Vec<(usize, usize)> =
        (0..64).map(|i| (i / 8, i % 8)).filter(|(rank, file)| (rank + file) % 2 == 0).collect();
    for (letter, letter_double) in [('w', 'W'), ('b', 'B')] {
        let mut checkers = 1 + rng.below(12);
        while checkers > 0 {
            let (rank, file) = dark[rng.below(dark.len())];
            if board[rank][file].is_some() {
                continue;
            }
            let double = checkers > 1 && rng.below(2) == 0;
            board[rank][file] = Some(if double { letter_double } else { letter });
            checkers -= if double { 2 } else { 1 };
        }
    }
    let text = ranks(board.iter().rev().map(|rank| rank.to_vec()));
    format!("{text} {}", pick(rng, &["w", "b"]))
}

fn palisade(size: usize, rng: &mut Rng) -> String {
    let density = 1 + rng.below(9);
    let mut rows = Vec::new();
    for y in (1..=size).rev() {
        let mut row = Vec::new();
        for x in 1..=size {
            let stone = if (x + y) % 2 == 0 { 'b' } else { 'w' };
            row.push((rng.below(10) < density).then_some(stone));
        }
        rows.push(row);
    }
    format!("{} {}", ranks(rows.into_iter()), pick(rng, &["b", "w"]))
}

fn columna(game: Game, rng: &mut Rng) -> String {
    let density = rng.below(11);
    let mut rows = Vec::new();
    for _ in 0..7 {
        let mut cells: Vec<String> = Vec::new();
        let mut empty = 0;
        for column in 0..=7 {
            let stack = column < 7 && rng.below(10) < density;
            if column < 7 && !stack {
                empty += 1;
                continue;
            }
            match std::mem::take(&mut empty) {
                0 => {}
                1 => cells.push("x".into()),
                n => cells.push(format!("x{n}")),
            }
            if stack {
                let height = 1 + rng.below(if density > 8 { 8 } else { 4 }).min(3);
                cells.push(format!("{}{height}", pick(rng, &["b", "w"])));
            }
        }
        rows.push(cells.join(","));
    }
    let side_a: Vec<String> =
        ('2'..='8').map(|r| format!("a{r}")).chain(('b'..='h').map(|f| format!("{f}9"))).collect();
    let side_b: Vec<String> =
        ('2'..='8').map(|r| format!("i{r}")).chain(('b'..='h').map(|f| format!("{f}1"))).collect();
    let any = |rng: &mut Rng, points: &[String]| points[rng.below(points.len())].clone();
    let swap = game.to_string() == "columna" && rng.below(2) == 0;
    let (black_side, white_side) = if swap { (&side_b, &side_a) } else { (&side_a, &side_b) };
    let black = if rng.below(8) == 0 { "a1".into() } else { any(rng, black_side) };
    let white = if rng.below(8) == 0 { "i9".into() } else { any(rng, white_side) };
    let stall = if rng.below(4) == 0 { rng.below(41) } else { 0 };
    format!("{} {black} {white} {} {stall}", rows.join("/"), pick(rng, &["b", "w"]))
}

fn colossus(rng: &mut Rng) -> String {
    let density = rng.below(11);
    let mut towers = 0;
    let mut occupied = 0;
    let mut rows = Vec::new();
    for length in [4, 5, 6, 7, 6, 5, 4] {
        let mut row = Vec::new();
        for _ in 0..length {
            let cell = if rng.below(5) == 0 && towers < 9 {
                towers += 1;
                Some(['t', 'B', 'W'][rng.below(3)])
            } else {
                (rng.below(10) < density).then(|| ['b', 'w'][rng.below(2)])
            };
            occupied += usize::from(cell.is_some());
            row.push(cell);
        }
        rows.push(row);
    }
    let supply = rng.below(10 - towers);
    let stall = if rng.below(4) == 0 { rng.below(41) } else { 0 };
    let peak = occupied + rng.below(38 - occupied);
    let text = ranks(rows.into_iter());
    format!("{text} {} {supply} {stall} {peak}", pick(rng, &["b", "w"]))
}
