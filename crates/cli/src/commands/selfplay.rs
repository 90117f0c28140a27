//! `selfplay`, `samples` and `book`: games of the engine against itself, as data for training networks and as
//! an opening book.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use stoa_engine::Stop;
use stoa_engine::selfplay::book::Book;
use stoa_engine::selfplay::file::{GameFileError, GameReader, PlayedGame, header};
use stoa_engine::selfplay::{Plan, identity, play, samples};
use stoa_rules::{Game, Side};
use stoa_ugi::parallel::all_cores;
use stoa_ugi::players::EvaluationSpec;

use super::progress;
use crate::args;
use crate::output::print;

/// `stoa selfplay`
pub(crate) fn selfplay(args: &args::Selfplay) -> Result<()> {
    let evaluation = EvaluationSpec::from_word(&args.evaluation).read()?;
    let mut plan = Plan {
        first: 0,
        games: args.games,
        nodes: args.nodes,
        random_turns: args.random_turns,
        explore: args.explore,
        aside: args.aside,
        threads: args.threads.map_or_else(all_cores, usize::from),
        seed: args.seed,
    };
    let how = format!(
        "{}, {} nodes, {} random turns, explore {}, aside {}, seed {}",
        identity(args.game, &evaluation)?,
        plan.nodes,
        plan.random_turns,
        plan.explore,
        plan.aside,
        plan.seed
    );
    let game = args.game.to_string();
    let mut there = 0;
    let file = open(&args.out, &header(&game, &how), |from| {
        let mut reader = GameReader::new(from, &game)?;
        reader.try_for_each(|played| played.map(drop))?;
        there = reader.games() as u64;
        Ok((reader.header().to_owned(), reader.whole_bytes()))
    })?;
    plan.first = there;
    plan.games = args.games.saturating_sub(there);
    let mut out = BufWriter::new(file);
    let stop = Stop::new();
    crate::interrupt::stops(&stop)?;
    let bar = progress(args.games as usize);
    bar.set_position(there);
    let (began, mut positions, mut results, mut failed) = (Instant::now(), 0, [0u64; 3], None);
    let ends_at = args.seconds.map(|seconds| began + seconds);
    play(args.game, &evaluation, &plan, &stop, &mut |game| {
        if failed.is_some() {
            return;
        }
        positions += game.turns.len() + game.asides.len();
        results[game.winner.map_or(2, Side::index)] += 1;
        bar.inc(1);
        failed = game.write(&mut out).err();
        if failed.is_some() || ends_at.is_some_and(|end| Instant::now() >= end) {
            stop.stop();
        }
    })?;
    bar.finish_and_clear();
    let written = failed.map_or_else(|| out.flush(), Err);
    written.with_context(|| format!("cannot write {}", args.out.display()))?;
    let [first, second, draws] = results;
    let [first_name, second_name] = args.game.info().sides;
    let games = first + second + draws;
    print(&format!(
        "{}: {games} games, {positions} positions in {:.0} s; {first_name} won {first}, \
         {second_name} {second}, {draws} drawn\n",
        args.game,
        began.elapsed().as_secs_f64()
    ))
}

/// Opens a file to append to, after its last whole game. If it is not empty, `read` says how it begins, which must be
/// with the header, and how many of its bytes are whole.
pub(super) fn open(
    path: &Path,
    header: &str,
    read: impl FnOnce(BufReader<&File>) -> Result<(String, u64), GameFileError>,
) -> Result<File> {
    let cannot = || format!("cannot write {}", path.display());
    let mut options = OpenOptions::new();
    let mut file = options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(cannot)?;
    if file.metadata().with_context(cannot)?.len() == 0 {
        file.write_all(header.as_bytes()).with_context(cannot)?;
        return Ok(file);
    }
    let (found, whole) = read(BufReader::new(&file)).with_context(|| path.display().to_string())?;
    if found != header {
        bail!(
            "{} has games that were played otherwise: its header is\n{}",
            path.display(),
            found.trim()
        );
    }
    // What an interruption left of another game is cut off.
    file.set_len(whole).with_context(cannot)?;
    file.seek(SeekFrom::End(0)).with_context(cannot)?;
    Ok(file)
}

/// `stoa samples`
pub(crate) fn samples(args: &args::Samples) -> Result<()> {
    let cannot = || format!("cannot write {}", args.out.display());
    let mut out = BufWriter::new(File::create(&args.out).with_context(cannot)?);
    samples::write_header(args.game, &mut out)?;
    let (mut games, mut rows) = (0, 0);
    for_all_games(args.game, &args.games, |played| {
        rows += samples::write_samples(args.game, played, &mut out)?;
        games += 1;
        Ok(())
    })?;
    out.flush().with_context(cannot)?;
    print(&format!("{}: {rows} samples of {games} games\n", args.game))
}

/// `stoa book`
pub(crate) fn book(args: &args::Book) -> Result<()> {
    let mut book = Book::new(args.game);
    for_all_games(args.game, &args.games, |played| Ok(book.add(played)?))?;
    book.keep(args.min_games);
    std::fs::write(&args.out, book.to_string())
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    let (positions, games) = (book.positions(), book.games());
    print(&format!("{}: {positions} positions of {games} games\n", args.game))
}

/// Reads files of games one by one.
fn for_all_games(
    game: Game,
    paths: &[PathBuf],
    mut each: impl FnMut(&PlayedGame) -> Result<()>,
) -> Result<()> {
    for path in paths {
        let named = || path.display().to_string();
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let reader = GameReader::new(BufReader::new(file), &game.to_string());
        for played in reader.with_context(named)? {
            each(&played.with_context(named)?).with_context(named)?;
        }
    }
    Ok(())
}
