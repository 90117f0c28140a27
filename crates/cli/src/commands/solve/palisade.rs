//! `stoa solve palisade:N`: who wins from the empty board, and after every first move.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use stoa_engine::Stop;
use stoa_rules::palisade::{Point, Size};
use stoa_rules::{Game, Side};
use stoa_solve::palisade::{Board, MAX_SIZE, Solver};

use super::super::spinner;
use super::file;
use crate::args::Solve;
use crate::interrupt;
use crate::output::{grouped, print};

/// How many positions are looked at between two looks at the clock.
const SLICE: u64 = 200_000;

/// How often what was found is saved.
const SAVE_INTERVAL: Duration = Duration::from_secs(600);

/// Solves a board as far as the time allows, and reports what is known.
pub(super) fn run(args: &Solve, size: Size) -> Result<()> {
    let Some(board) = Board::new(size.get()) else {
        let game = args.game;
        bail!(
            "{game} is too large to be solved; boards of 3 to {MAX_SIZE} points a side can be tried"
        );
    };
    // The smaller boards are solved sooner than a file is read.
    let is_long = size.get() == MAX_SIZE;
    let path = match &args.out {
        Some(path) => Some(path.clone()),
        None if is_long => {
            Some(file(args)?.with_file_name(format!("palisade-{}.proof", size.get())))
        }
        None => None,
    };
    let memory = args.memory.unwrap_or(if is_long { 1024 } else { 64 });
    let memory = usize::try_from(u64::from(memory) << 20).context("too much memory")?;
    let mut solver = match path.as_deref() {
        Some(path) if path.exists() => Solver::resume(board, memory, path)?,
        _ => Solver::new(board, memory),
    };
    let stop = Stop::new();
    interrupt::stops(&stop)?;
    let bar = spinner();
    let begun = Instant::now();
    let mut saved = Instant::now();
    let is_late = || args.time.is_some_and(|limit| begun.elapsed() >= limit);
    while !solver.is_solved() && !stop.is_stopped() && !is_late() {
        solver.work(SLICE, &stop);
        bar.set_message(status(&solver));
        if let Some(path) = &path
            && saved.elapsed() >= SAVE_INTERVAL
        {
            solver.save(path)?;
            saved = Instant::now();
        }
    }
    bar.finish_and_clear();
    if let Some(path) = &path {
        solver.save(path)?;
    }
    print(&report(&solver, path.as_deref())?)
}

/// How far it is, in a line.
fn status(solver: &Solver) -> String {
    let decided = solver.openings().iter().filter(|opening| opening.winner().is_some()).count();
    let (used, room) = solver.table();
    format!(
        "{} positions, {decided} of {} first moves decided, table {} % full; Ctrl-C stops",
        grouped(solver.nodes()),
        solver.openings().len(),
        used * 100 / room.max(1)
    )
}

/// What is known, for people.
fn report(solver: &Solver, path: Option<&Path>) -> Result<String> {
    let size = solver.board().size();
    let mut text = String::new();
    match solver.winner() {
        Some(winner) => writeln!(text, "Palisade {size}×{size}: {} wins", name(winner))?,
        None => writeln!(
            text,
            "Palisade {size}×{size}: not known; proof number {}, disproof number {}",
            grouped(solver.start().proof.into()),
            grouped(solver.start().disproof.into())
        )?,
    }
    writeln!(text, "\nWho wins after each first move of Black's (b, w, ? not known):\n")?;
    text.push_str(&drawing(solver)?);
    let moves = |winner: Option<Side>| {
        let decided = solver.openings().iter().filter(|opening| opening.winner() == winner);
        decided.map(|opening| opening.point.to_string()).collect::<Vec<_>>()
    };
    writeln!(text)?;
    for (winner, words) in [
        (Some(Side::First), "Black wins after"),
        (Some(Side::Second), "White wins after"),
        (None, "not known after"),
    ] {
        let moves = moves(winner);
        if !moves.is_empty() {
            writeln!(text, "{words} {}", moves.join(" "))?;
        }
    }
    let seconds = solver.time().as_secs_f64();
    writeln!(text, "{} positions looked at in {seconds:.1} s", grouped(solver.nodes()))?;
    if !solver.is_solved() {
        let decided = solver.decided();
        if let Some((stones, count)) = decided.first_key_value() {
            let all: u64 = decided.values().sum();
            let (all, count) = (grouped(all), grouped(*count));
            writeln!(
                text,
                "{all} positions in the table are decided; the emptiest, {count}, have {stones} stones"
            )?;
        }
    }
    if let Some(path) = path {
        let again = if solver.is_solved() { "" } else { "; the same command continues" };
        writeln!(text, "Kept in {}{again}", path.display())?;
    }
    Ok(text)
}

fn name(side: Side) -> &'static str {
    Game::Palisade(Size::DEFAULT).side_name(side)
}

/// The board with the winner at each of Black's points.
fn drawing(solver: &Solver) -> Result<String> {
    let size = solver.board().size();
    let sign = |file: u8, rank: u8| {
        let point = Point::new(file, rank);
        let opening = solver.openings().iter().find(|opening| Some(opening.point) == point);
        match opening.map(|opening| opening.winner()) {
            None => '·',
            Some(None) => '?',
            Some(Some(Side::First)) => 'b',
            Some(Some(Side::Second)) => 'w',
        }
    };
    let mut text = String::new();
    for rank in (0..size).rev() {
        write!(text, "{:>4} ", rank + 1)?;
        for file in 0..size {
            write!(text, " {}", sign(file, rank))?;
        }
        writeln!(text)?;
    }
    let files: String = (0..size).map(|file| format!(" {}", char::from(b'a' + file))).collect();
    writeln!(text, "{:>4} {files}", "")?;
    Ok(text)
}
