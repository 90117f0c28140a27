//! `tune`: the weights of an evaluation, learnt from games of the engine against itself.

use anyhow::{Context, Result};
use stoa_engine::Stop;
use stoa_engine::tune::{TuneOptions, tune as learn};
use stoa_files::{read_text, write_atomically};
use stoa_ugi::parallel::all_cores;

use super::progress;
use crate::args;
use crate::output::print;

/// `stoa tune`
pub(crate) fn tune(args: &args::Tune) -> Result<()> {
    let weights = match &args.weights {
        None => None,
        Some(path) => {
            Some(read_text(path).with_context(|| format!("cannot read {}", path.display()))?)
        }
    };
    let plan = TuneOptions {
        games: args.games,
        nodes: args.nodes,
        random_turns: args.random_turns,
        explore: args.explore,
        threads: args.threads.map_or_else(all_cores, usize::from),
        seed: args.seed,
        inertia: args.inertia,
        weights,
    };
    let stop = Stop::new();
    crate::interrupt::stops(&stop)?;
    let bar = progress(args.games as usize);
    let tuned = learn(args.game, &plan, &stop, &|finished| bar.set_position(finished))?;
    bar.finish_and_clear();
    let [first, second, draws] = tuned.results;
    let [first_name, second_name] = args.game.info().sides;
    let text = format!(
        "# {}: {} positions of {} games, {} nodes a move, seed {}\n\
         # {first_name} won {first}, {second_name} {second}, {draws} drawn\n\
         # error {:.4} bits before, {:.4} after\n{}",
        args.game,
        tuned.positions,
        first + second + draws,
        args.nodes,
        args.seed,
        tuned.error_before,
        tuned.error_after,
        tuned.weights
    );
    match &args.output {
        None => print(&text),
        Some(path) => Ok(write_atomically(path, &text)?),
    }
}
