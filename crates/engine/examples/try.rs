//! Scratch.
use std::time::Duration;
use stoa_engine::*;
use stoa_rules::Game;
fn main() {
    let secs: f64 = std::env::args().nth(2).map_or(1.0, |s| s.parse().unwrap());
    let threads: usize = std::env::args().nth(3).map_or(1, |s| s.parse().unwrap());
    for name in std::env::args().nth(1).unwrap().split(',') {
        let game: Game = name.parse().unwrap();
        let mut e = Engine::new(game, Settings { threads, ..Settings::default() }).unwrap();
        let t = e.think(&game.start(), &Limits::time(Duration::from_secs_f64(secs)), &Stop::new(), &mut |t| {
            println!("{name} d{} n{} {:.2?} {} {}/s {}", t.depth, t.nodes, t.time, t.lines[0].score, t.speed(), t.lines[0].moves.join(" "));
        });
        println!("{name} best {:?} {}", t.best(), t.speed());
    }
}
