//! Scratch.
use stoa_engine::*;
use stoa_rules::{Game, Record, Side};
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let mut engine =
        Engine::new(Game::Colonnade, Settings { table: 512, ..Settings::default() }).unwrap();
    let (mut tot_err, mut tot_games_won) = (0, 0);
    let (mut own_err, mut own_won) = (0, 0);
    let mut by_ply = std::collections::BTreeMap::new();
    for part in text.split("\n\n\n").flat_map(|p| p.split("\ngame: ")) {
        let part =
            if part.starts_with("game: ") { part.to_string() } else { format!("game: {part}") };
        let Ok(record) = Record::parse(&part) else { continue };
        let mut pos = record.start().clone();
        let best_first = record.tag("red") == Some("best");
        let mut prev: Option<bool> = None; // first wins
        let mut line = String::new();
        let mut ply = 0;
        for m in record.main_line() {
            let t = engine.think(&pos, &Limits::default(), &Stop::new(), &mut |_| {});
            let s = t.score().unwrap();
            let first_wins = s.is_win() == (pos.side_to_move() == Side::First);
            let mover_best = (pos.side_to_move() == Side::First) == best_first;
            if let Some(p) = prev {
                if p != first_wins {
                    // the previous mover erred
                    line.push('!');
                    if mover_best {
                        tot_err += 1;
                        *by_ply.entry(ply).or_insert(0) += 1;
                    } else {
                        own_err += 1;
                    }
                }
            }
            if prev.is_none() {
                if first_wins == best_first { own_won += 1 } else { tot_games_won += 1 }
            }
            prev = Some(first_wins);
            line.push_str(if first_wins { "F" } else { "S" });
            pos.play(m.text()).unwrap();
            ply += 1;
        }
        println!(
            "{} {line} {}",
            if best_first { "best first" } else { "uct first" },
            record.tag("result").unwrap_or("")
        );
    }
    println!(
        "uct won at opening {tot_games_won}, uct errors {tot_err} {by_ply:?}; best won at opening {own_won}, best errors {own_err}"
    );
}
