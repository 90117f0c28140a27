//! `bench`: how fast the rules are on this machine, on one core.

use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use stoa_rules::playout::{Rng, random_game};
use stoa_rules::{Game, Playable, Visitor, perft};

use crate::args;
use crate::output::{grouped, print, print_json};

/// What was measured for a game.
#[derive(Debug, Serialize)]
struct Figures {
    game: String,
    position_bytes: usize,
    move_bytes: usize,
    perft_depth: u32,
    perft_leaves: u64,
    leaves_per_second: f64,
    games_per_second: f64,
    plies_per_game: f64,
    nanoseconds_per_ply: f64,
}

/// `stoa bench`
pub(crate) fn bench(args: &args::Bench) -> Result<()> {
    let games = args.game.map_or_else(all, |game| vec![game]);
    if !args.json.json {
        print(&format!(
            "{:<15} {:>6} {:>6} {:>18} {:>14} {:>10} {:>10}\n",
            "one core", "bytes", "depth", "perft leaves/s", "games/s", "plies", "ns/ply"
        ))?;
    }
    let mut figures = Vec::new();
    for game in games {
        let measured = game.visit(Measure { game, seconds: args.seconds });
        if !args.json.json {
            print(&format!(
                "{:<15} {:>6} {:>6} {:>18} {:>14} {:>10.1} {:>10.1}\n",
                measured.game,
                measured.position_bytes,
                measured.perft_depth,
                grouped(measured.leaves_per_second as u64),
                grouped(measured.games_per_second as u64),
                measured.plies_per_game,
                measured.nanoseconds_per_ply,
            ))?;
        }
        figures.push(measured);
    }
    if args.json.json { print_json(&figures) } else { Ok(()) }
}

/// Every game; those with few variants in each of them, the others on their usual board.
fn all() -> Vec<Game> {
    const MAX_VARIANTS: usize = 2;
    let variants = |game: Game| match game.own_variants().count() {
        0..=MAX_VARIANTS => game.own_variants().collect(),
        _ => vec![game],
    };
    Game::ALL.into_iter().flat_map(variants).collect()
}

struct Measure {
    game: Game,
    seconds: f64,
}

impl Visitor for Measure {
    type Output = Figures;

    fn visit<P: Playable>(self, options: P::Options) -> Figures {
        let start = P::start(options);
        // The deepest perft that is likely to fit the time, judged by how it has grown so far.
        let (mut depth, mut leaves, mut taken) = (0, 0, 0.0);
        loop {
            let begun = Instant::now();
            let count = perft(&start, depth + 1);
            if count == 0 {
                break;
            }
            let growth = count as f64 / f64::max(leaves as f64, 1.0);
            (depth, leaves, taken) = (depth + 1, count, begun.elapsed().as_secs_f64().max(1e-9));
            if taken * growth > self.seconds {
                break;
            }
        }
        let rate = leaves as f64 / taken;
        let mut rng = Rng::new(1);
        let (mut games, mut plies) = (0u64, 0u64);
        let begun = Instant::now();
        while begun.elapsed().as_secs_f64() < self.seconds {
            for _ in 0..16 {
                plies += u64::from(random_game(&mut start.clone(), &mut rng).plies);
                games += 1;
            }
        }
        let taken = begun.elapsed().as_secs_f64();
        Figures {
            game: self.game.to_string(),
            position_bytes: size_of::<P>(),
            move_bytes: size_of::<P::Move>(),
            perft_depth: depth,
            perft_leaves: leaves,
            leaves_per_second: rate,
            games_per_second: games as f64 / taken,
            plies_per_game: plies as f64 / games as f64,
            nanoseconds_per_ply: taken * 1e9 / plies as f64,
        }
    }
}
