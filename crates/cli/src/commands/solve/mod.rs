//! `stoa solve`: exact answers for as much of a game as can be solved.

mod colonnade;
mod impasse;
mod palisade;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use stoa_engine::Stop;
use stoa_files::tablebases;
use stoa_rules::Game;
use stoa_solve::AnyTablebase;
use stoa_solve::colonnade::Content;
use stoa_solve::impasse::MAX_STACKS;
use stoa_ugi::parallel::all_cores;

use crate::args::Solve;
use crate::interrupt;

/// Solves a game.
pub(crate) fn solve(args: &Solve) -> Result<()> {
    let game = args.game;
    if let Game::Palisade(size) = game {
        return palisade::run(args, size);
    }
    if !AnyTablebase::is_made_for(game) {
        bail!(
            "{game} is too large to be solved; colonnade can be solved, endgames of impasse, and palisade:3 and :5"
        );
    }
    if args.time.is_some() || args.memory.is_some() {
        bail!("--time and --memory are for palisade");
    }
    let threads = args.threads.map_or_else(all_cores, usize::from);
    if args.results && game != Game::Colonnade {
        bail!("--results is for colonnade, not for {game}");
    }
    if args.stacks.is_some() && game != Game::Impasse {
        bail!("--stacks is for impasse, not for {game}");
    }
    let stop = Stop::new();
    interrupt::stops(&stop)?;
    let path = file(args)?;
    let done = match game {
        Game::Colonnade => {
            let content = if args.results { Content::Results } else { Content::Lengths };
            colonnade::run(&path, content, threads, &stop)?
        }
        Game::Impasse => {
            let stacks = args.stacks.map_or(MAX_STACKS, usize::from);
            impasse::run(&path, stacks, threads, &stop)?
        }
        _ => bail!("there are no tablebases for {game}"),
    };
    if !done {
        let part = path.display();
        eprintln!("Stopped. Finished work is kept in {part}.part; the same command continues.");
    }
    Ok(())
}

/// The file to write, in a folder that is there.
fn file(args: &Solve) -> Result<PathBuf> {
    if let Some(path) = &args.out {
        return Ok(path.clone());
    }
    let folder = tablebases::folder().context(
        "there is no folder for tablebases; name one with STOA_TABLES, or a file with --out",
    )?;
    let name = folder.display();
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {name}"))?;
    Ok(folder.join(tablebases::file_name(args.game)))
}

/// A share in percent.
fn share(some: u64, all: u64) -> String {
    format!("{:.1} %", 100.0 * some as f64 / all as f64)
}
