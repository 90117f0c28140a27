//! `stoa`: play, show and study abstract games in the terminal.

mod args;
mod commands;
mod interrupt;
mod output;

use std::process::ExitCode;

use clap::Parser;
use stoa_draw::printable;

use args::{Cli, Command};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Clap knows what to say, whether it is help (exit code 0) or an error (2).
        Err(answer) if !answer.use_stderr() => answer.exit(),
        Err(error) => {
            eprint!("{}", printable(&error.to_string()));
            return ExitCode::from(2);
        }
    };
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe (`stoa moves … | head`) is not an error of ours.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stoa: {}", printable(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Play(args) => commands::play(args),
        Command::Serve(args) => commands::serve(&args),
        Command::Admin(args) => commands::admin(&args),
        Command::Bot(args) => commands::bot(&args),
        Command::Worker(args) => commands::worker(&args),
        Command::Games(args) => commands::games(&args),
        Command::Rules(args) => commands::rules(&args),
        Command::Show(args) => commands::show(&args),
        Command::Moves(args) => commands::moves(&args),
        Command::Apply(args) => commands::apply(&args),
        Command::Perft(args) => commands::perft(&args),
        Command::Random(args) => commands::random(&args),
        Command::Replay(args) => commands::replay(&args),
        Command::Ugi(args) => commands::ugi(&args),
        Command::Analyse(args) => commands::analyse(&args),
        Command::Review(args) => commands::review(&args),
        Command::Prove(args) => commands::prove(&args),
        Command::Solve(args) => commands::solve(&args),
        Command::Probe(args) => commands::probe(&args),
        Command::Certify(args) => commands::certify(&args),
        Command::Verify(args) => commands::verify(&args),
        Command::Bench(args) => commands::bench(&args),
        Command::Tune(args) => commands::tune(&args),
        Command::Selfplay(args) => commands::selfplay(&args),
        Command::Samples(args) => commands::samples(&args),
        Command::Lessons(args) => commands::lessons(&args),
        Command::Book(args) => commands::book(&args),
        Command::Match(args) => commands::play_match(&args),
        Command::Ladder(args) => commands::ladder(&args),
        Command::Openings(args) => commands::openings(&args),
        Command::Puzzles(args) => commands::puzzles(&args),
        Command::Report(args) => commands::report(&args),
        Command::Completions { shell } => commands::completions(shell),
    }
}
