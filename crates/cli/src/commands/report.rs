//! `report`: what kind of games the games are.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use stoa_engine::Stop;
use stoa_files::write_atomically;
use stoa_report::document::document;
use stoa_report::figures::figures;
use stoa_report::games::{Exactly, all_boards, exact, is_played, weight};
use stoa_report::html::html;
use stoa_report::markdown::markdown;
use stoa_report::parts::{PartError, PartWriter, collect, file_name, find, plan_of};
use stoa_report::plan::{Plan, ROUND};
use stoa_report::play;
use stoa_report::report::{Board, Report};
use stoa_rules::Game;
use stoa_ugi::parallel::all_cores;

use super::progress;
use crate::args;
use crate::args::ReportOn;
use crate::output::print;

/// How many rounds are played if nothing is said.
const DEFAULT_ROUNDS: u64 = 20;

/// More rounds than a time limit leaves room for.
const MAX_ROUNDS: u64 = 100_000;

/// `stoa report`
pub(crate) fn report(args: &args::Report) -> Result<()> {
    let games = chosen(&args.games);
    let parts = args.out.join("parts");
    std::fs::create_dir_all(&parts)
        .with_context(|| format!("cannot make the folder {}", parts.display()))?;
    let stop = Stop::new();
    crate::interrupt::stops(&stop)?;
    if !args.write_only {
        let played: Vec<Game> = games.iter().copied().filter(|game| is_played(*game)).collect();
        let total: u32 = played.iter().map(|game| weight(*game)).sum();
        for game in played {
            let time =
                args.time.map(|time| time.mul_f64(f64::from(weight(game)) / f64::from(total)));
            print(&play_games(args, game, &parts, time, &stop)?)?;
            if stop.is_stopped() {
                return print("stopped; the same command goes on from here\n");
            }
        }
    }
    if args.play_only { Ok(()) } else { write_pages(args, &games, &parts, &stop) }
}

/// Writes the pages of all games that have something to tell.
fn write_pages(args: &args::Report, games: &[Game], parts: &Path, stop: &Stop) -> Result<()> {
    let found = find(parts)?;
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let exactly = Exactly { folder: parts, threads, stop };
    let is_named = |game: Game| {
        args.games.iter().any(|which| matches!(which, ReportOn::One(named) if *named == game))
    };
    let mut pages: Vec<(Game, Vec<Board>)> = Vec::new();
    for &game in games {
        let exact = exact(game, &exactly)?;
        let figures = match found.get(&game.to_string()) {
            Some(paths) => {
                let plan = plan_of(&paths[0], game)?;
                let collected = collect(&plan, paths)?.whole_rounds();
                let wrong = || format!("the games of {game} cannot be counted");
                Some(figures(&collected).with_context(wrong)?)
            }
            None if exact.is_none() && is_named(game) => bail!(PartError::NoGames(game)),
            None if exact.is_none() => {
                print(&format!("{game}: no games yet, left out\n"))?;
                continue;
            }
            None => None,
        };
        let board = Board::new(game, exact, figures);
        match pages.iter_mut().find(|(other, _)| other.info().id == game.info().id) {
            Some((_, boards)) => boards.push(board),
            None => pages.push((game, vec![board])),
        }
    }
    for (game, boards) in pages {
        let report = Report::new(game, boards, args.code.clone());
        let blocks = document(&report);
        let title = format!("{}: a report", report.name);
        for (extension, text) in
            [("md", markdown(&blocks)), ("html", html(&title, &blocks)), ("json", report.json()?)]
        {
            let path = args.out.join(format!("{}.{extension}", report.game));
            write_atomically(&path, &text)?;
            print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(())
}

/// The games to report on, each once.
fn chosen(which: &[ReportOn]) -> Vec<Game> {
    let mut games = Vec::new();
    for which in which {
        let more = match which {
            ReportOn::All => all_boards().into_iter().map(|(game, _)| game).collect(),
            ReportOn::One(game) => vec![*game],
        };
        games.extend(more.into_iter().filter(|game| !games.contains(game)).collect::<Vec<_>>());
    }
    games
}

/// Plays the games of one board until there are enough or its time is over, and says how far it got.
fn play_games(
    args: &args::Report,
    game: Game,
    parts: &Path,
    time: Option<Duration>,
    stop: &Stop,
) -> Result<String> {
    let plan = Plan::new(game, args.seed);
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let path: PathBuf = parts.join(file_name(game, args.share));
    let mut part = PartWriter::open(&path, &plan, args.share)?;
    let rounds = args.rounds.unwrap_or(if time.is_some() { MAX_ROUNDS } else { DEFAULT_ROUNDS });
    let (there, wanted) = (part.games(), rounds * u64::from(ROUND));
    let bar = progress(wanted as usize);
    bar.set_position(there);
    let began = Instant::now();
    let board_stop = Stop::new();
    let done = AtomicBool::new(false);
    let played = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if stop.is_stopped() || time.is_some_and(|time| began.elapsed() >= time) {
                    return board_stop.stop();
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let tick = &mut || bar.inc(1);
        let played = play::fill(&mut part, &plan, args.share, wanted, threads, &board_stop, tick);
        done.store(true, Ordering::Relaxed);
        played
    });
    bar.finish_and_clear();
    played?;
    let games = part.games();
    let seconds = began.elapsed().as_secs_f64();
    Ok(format!("{game}: {} games in {seconds:.0} s, {games} in all\n", games - there))
}
