//! scratch
use std::time::Instant;
use stoa_rules::{
    playout::{Rng, random_game},
    *,
};
fn run<P: Position>(name: &str, d: u32, games: u32, o: P::Options) {
    let p = P::start(o);
    println!("{name} size {} move {}", size_of::<P>(), size_of::<P::Move>());
    for d in 1..=d {
        let t = Instant::now();
        let n = perft(&p, d);
        let s = t.elapsed().as_secs_f64();
        println!("  {d} {n} {:.3}s {:.1}M/s", s, n as f64 / s / 1e6);
    }
    let t = Instant::now();
    let mut rng = Rng::new(1);
    let mut buf = Vec::new();
    let mut plies = 0u64;
    let mut ch = 0;
    for _ in 0..games {
        let mut q = p.clone();
        let g = random_game(&mut q, &mut rng, &mut buf);
        plies += g.plies as u64;
        ch += g.choices;
    }
    let s = t.elapsed().as_secs_f64();
    println!(
        "  {:.0} games/s, {:.1} plies/game, {:.1} ns/ply, {:.1} choices",
        games as f64 / s,
        plies as f64 / games as f64,
        s * 1e9 / plies as f64,
        ch as f64 / plies as f64
    );
}
fn main() {
    run::<colonnade::Position>("colonnade", 7, 200000, ());
    run::<impasse::Position>("impasse", 6, 50000, ());
    run::<palisade::Position>("palisade:19", 2, 2000, Default::default());
    run::<palisade::Position>("palisade:9", 4, 20000, palisade::Size::new(9).expect("9 is odd"));
}
