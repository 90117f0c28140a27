//! How hard positions of 7×7 Palisade are, by the number of stones: what the empty board may take.
//!
//! `cargo run --release -p stoa-solve --example growth [POSITIONS [MAX_NODES]]`

use stoa_engine::{Stop, Timer};
use stoa_rules::Side;
use stoa_rules::playout::Rng;
use stoa_solve::palisade::{Board, Field, Stones};
use stoa_solve::proof::ProofTable;
use stoa_solve::proof::search::{Ends, Search};

/// A position of this many stones in which nobody owns anything yet.
fn quiet(board: &Board, stones: u32, rng: &mut Rng) -> Stones {
    'game: loop {
        let mut position = board.start();
        for _ in 0..stones {
            let mut open = board.open(&position);
            for _ in 0..rng.below(open.count_ones() as usize) {
                open &= open - 1;
            }
            if open == 0 {
                continue 'game;
            }
            position = board.after(&position, open.trailing_zeros() as u8);
            if Side::BOTH.iter().any(|&side| board.score(&position, side) > 0) {
                continue 'game;
            }
        }
        return position;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let positions = numbers.next().transpose()?.unwrap_or(8);
    let nodes = numbers.next().transpose()?.unwrap_or(10_000_000);
    let board = Board::new(7).ok_or("7×7 is a small board")?;
    let field = Field::new(board);
    let stop = Stop::new();
    println!("stones  solved  mean nodes  nodes a second");
    for stones in [24, 22, 20, 18, 16] {
        let mut rng = Rng::for_game(7, stones.into());
        let (mut solved, mut total) = (0, 0);
        let timer = Timer::start();
        for _ in 0..positions {
            let position = quiet(&board, stones, &mut rng);
            let mut table = ProofTable::new(256 << 20);
            let mut search = Search::new(&field, &mut table);
            let ends = Ends { nodes, time: None, timer, stop: &stop };
            let (found, _) = search.run(&position, &ends);
            solved += u64::from(found.is_settled());
            total += search.nodes;
        }
        let speed = total as f64 / timer.elapsed().as_secs_f64();
        let mean = total / positions.max(1);
        println!("{stones:>6}  {:>6}  {mean:>10}  {speed:>14.0}", format!("{solved}/{positions}"));
    }
    Ok(())
}
