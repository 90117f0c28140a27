//! How long the pictures of links take to draw.
//!
//! `cargo run --release -p stoa-draw --features pixels --example cards`

use std::time::{Duration, Instant};

use stoa_draw::card::{self, Card};
use stoa_rules::Game;
use stoa_rules::playout::Rng;

/// How many positions of each game are drawn.
const POSITIONS: usize = 40;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = Rng::new(1);
    for name in ["colonnade", "impasse", "palisade:9", "palisade:19", "columna", "colossus"] {
        let game: Game = name.parse()?;
        let mut times = Vec::with_capacity(POSITIONS);
        let mut position = game.start();
        while times.len() < POSITIONS {
            if position.outcome().is_some() {
                position = game.start();
            }
            let moves = position.legal_moves();
            position.play(&moves[rng.below(moves.len())])?;
            let (title, lines) = (game.info().name, ["Move 20, White to move"]);
            let players = Some(["Hypatia of Alexandria", "Zeno"]);
            let card = Card { position: Some(&position), title, lines: &lines, players };
            let began = Instant::now();
            card::draw(&card)?;
            times.push(began.elapsed());
        }
        times.sort();
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let (median, worst) = (ms(times[POSITIONS / 2]), ms(times[POSITIONS - 1]));
        println!("{name}: {median:.1} ms in the middle, {worst:.1} ms at most");
    }
    Ok(())
}
