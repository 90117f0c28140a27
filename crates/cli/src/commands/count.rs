//! `perft` and `random`: counting and statistics.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use stoa_rules::playout::{RandomGame, Rng};
use stoa_rules::{AnyPosition, Game, result_text};
use stoa_ugi::parallel::{self, all_cores};

use super::progress;
use crate::args;
use crate::output::{print, print_json};

/// `stoa perft`
pub(crate) fn perft(args: &args::Perft) -> Result<()> {
    let position = args.at.position()?;
    let threads = args.threads.map_or_else(all_cores, usize::from);
    #[derive(Serialize)]
    struct Counted {
        depth: u32,
        count: u64,
        seconds: f64,
    }
    let mut counts = Vec::new();
    let mut divided = BTreeMap::new();
    // Dividing shows the last depth only.
    let first = if args.divide && !args.json.json { args.depth } else { args.depth.min(1) };
    for depth in first..=args.depth {
        let begun = Instant::now();
        divided = count_by_move(&position, depth, threads);
        let count = if depth == 0 { 1 } else { divided.values().sum() };
        let counted = Counted { depth, count, seconds: begun.elapsed().as_secs_f64() };
        if !args.json.json && !args.divide {
            // Each depth at once: the next may take long.
            print(&format!("{depth} {count}\n"))?;
        }
        counts.push(counted);
    }
    if args.json.json {
        #[derive(Serialize)]
        struct Counts {
            game: String,
            position: String,
            counts: Vec<Counted>,
            #[serde(skip_serializing_if = "Option::is_none")]
            divide: Option<BTreeMap<String, u64>>,
        }
        return print_json(&Counts {
            game: position.game().to_string(),
            position: position.text(),
            counts,
            divide: args.divide.then_some(divided),
        });
    }
    if args.divide {
        let mut text: String = divided.iter().map(|(mv, n)| format!("{mv} {n}\n")).collect();
        let total = counts.last().map_or(0, |counted| counted.count);
        text.push_str(&format!("{} {total}\n", args.depth));
        print(&text)?;
    }
    Ok(())
}

/// How many sequences begin with each move. Work is shared out by the first two moves.
fn count_by_move(position: &AnyPosition, depth: u32, threads: usize) -> BTreeMap<String, u64> {
    if depth == 0 {
        return BTreeMap::new();
    }
    let mut counts: BTreeMap<String, u64> =
        position.legal_moves().into_iter().map(|text| (text, u64::from(depth == 1))).collect();
    if depth == 1 {
        return counts;
    }
    let after = |position: &AnyPosition, text: &str| {
        let mut next = position.clone();
        next.play(text).map(|_| next).ok()
    };
    let mut parts: Vec<(String, AnyPosition, u32)> = Vec::new();
    for first in counts.keys() {
        let Some(next) = after(position, first) else { continue };
        // Below depth four a part is too small to be worth splitting.
        if depth < 4 {
            parts.push((first.clone(), next, depth - 1));
        } else {
            let seconds = next.legal_moves();
            let replies = seconds.iter().filter_map(|second| after(&next, second));
            parts.extend(replies.map(|reply| (first.clone(), reply, depth - 2)));
        }
    }
    let bar = progress(parts.len());
    parallel::for_each(
        parts.len(),
        threads,
        |index| parts[index].1.perft(parts[index].2),
        |index, leaves| {
            *counts.entry(parts[index].0.clone()).or_default() += leaves;
            bar.inc(1);
        },
    );
    bar.finish_and_clear();
    counts
}

/// What many random games were like.
#[derive(Debug, Serialize)]
struct Statistics {
    game: String,
    position: String,
    seed: u64,
    games: u64,
    plies: Spread,
    /// The mean number of legal moves in a position.
    branching: f64,
    /// How often each result came, by its text.
    results: BTreeMap<String, u64>,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Spread {
    least: u32,
    median: u32,
    mean: f64,
    most: u32,
}

/// How many games are played between two looks at the progress.
const BATCH: u64 = 64;

/// `stoa random`
pub(crate) fn random(args: &args::Random) -> Result<()> {
    let start = args.at.position()?;
    let game = start.game();
    let begun = Instant::now();
    let batches = args.games.div_ceil(BATCH) as usize;
    let mut lengths: BTreeMap<u32, u64> = BTreeMap::new();
    let mut choices = 0;
    let mut results: BTreeMap<String, u64> = BTreeMap::new();
    let bar = progress(batches);
    let play = |batch: usize| -> Vec<RandomGame> {
        let first = batch as u64 * BATCH;
        let games = first..(first + BATCH).min(args.games);
        // Every game has a seed of its own, so the number of threads changes nothing.
        games.map(|index| start.random_game(&mut Rng::for_game(args.seed, index))).collect()
    };
    parallel::for_each(batches, all_cores(), play, |_, played| {
        for random in played {
            *lengths.entry(random.plies).or_default() += 1;
            choices += random.choices;
            *results.entry(result_text(game, Some(random.outcome))).or_default() += 1;
        }
        bar.inc(1);
    });
    bar.finish_and_clear();
    let plies: u64 = lengths.iter().map(|(&length, &n)| u64::from(length) * n).sum();
    let statistics = Statistics {
        game: game.to_string(),
        position: start.text(),
        seed: args.seed,
        games: args.games,
        plies: Spread {
            least: lengths.keys().next().copied().unwrap_or(0),
            median: median(&lengths, args.games),
            mean: plies as f64 / args.games as f64,
            most: lengths.keys().next_back().copied().unwrap_or(0),
        },
        branching: choices as f64 / plies.max(1) as f64,
        results,
        seconds: begun.elapsed().as_secs_f64(),
    };
    if args.json.json { print_json(&statistics) } else { print(&report(game, &statistics)) }
}

fn median(lengths: &BTreeMap<u32, u64>, games: u64) -> u32 {
    let mut seen = 0;
    let half = lengths.iter().find(|(_, n)| {
        seen += **n;
        2 * seen >= games
    });
    half.map_or(0, |(&length, _)| length)
}

fn report(game: Game, statistics: &Statistics) -> String {
    let Statistics { games, plies, branching, results, .. } = statistics;
    let mut text = format!(
        "{games} random games of {game}, seed {}\n\
         length     {} to {} moves, median {}, mean {:.1}\n\
         branching  {branching:.1} legal moves in a position\n",
        statistics.seed, plies.least, plies.most, plies.median, plies.mean
    );
    for (result, count) in results {
        let share = *count as f64 / *games as f64 * 100.0;
        text.push_str(&format!("{share:6.2} %   {result}\n"));
    }
    text
}
