//! Scratch.
use stoa_engine::*;
use stoa_rules::{Game, playout::Rng};
fn main() {
    let game = Game::Colossus;
    let mut rng = Rng::new(1);
    let mut e = Engine::new(game, Settings::default()).unwrap();
    for _ in 0..200 {
        let mut p = game.start();
        loop {
            if p.outcome().is_some() {
                break;
            }
            let t = e.think(&p, &Limits::nodes(1500), &Stop::new(), &mut |_| {});
            let Some(b) = t.best() else {
                println!("none: {} {:?}", p.text(), t);
                return;
            };
            let b = b.to_string();
            let l = p.legal_moves();
            if rng.below(8) == 0 {
                p.play(&l[rng.below(l.len())]).unwrap();
            } else {
                p.play(&b).unwrap();
            }
        }
    }
}
