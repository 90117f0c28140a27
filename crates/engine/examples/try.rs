//! Scratch.
use std::time::Duration;
use stoa_engine::*;
use stoa_rules::Game;
fn main() {
    let arg = |n: usize, d: &str| std::env::args().nth(n).unwrap_or(d.into());
    let secs: f64 = arg(2, "1").parse().unwrap();
    let threads: usize = arg(3, "1").parse().unwrap();
    let table: usize = arg(4, "64").parse().unwrap();
    let depth: u32 = arg(5, "0").parse().unwrap();
    for name in arg(1, "").split(',') {
        let game: Game = name.parse().unwrap();
        let mut e = Engine::new(game, {
            let mut st = Style::default();
            if let Ok(s) = std::env::var("OFF") {
                if s.contains("f") {
                    st.futility = false;
                }
                if s.contains("r") {
                    st.reductions = false;
                }
                if s.contains("q") {
                    st.quiescence = false;
                }
            }
            Settings {
                threads,
                table,
                style: st,
                weights: std::env::var("W").ok().map(|f| std::fs::read_to_string(f).unwrap()),
                ..Settings::default()
            }
        })
        .unwrap();
        let mut limits = Limits::time(Duration::from_secs_f64(secs));
        if depth > 0 {
            limits.depth = Some(depth);
        }
        let t = e.think(&game.start(), &limits, &Stop::new(), &mut |t| {
            println!(
                "{name} d{} n{} {:.2?} {} {}/s {} {}",
                t.depth,
                t.nodes,
                t.time,
                t.lines[0].score,
                t.speed(),
                t.table_used,
                t.lines[0].moves.join(" ")
            );
        });
        println!("{name} best {:?} {}", t.best(), t.speed());
    }
}
