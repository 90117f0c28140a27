//! `stoa`: play, show and study five abstract games in the terminal.

mod args;
mod commands;
mod draw;
mod files;
mod output;
mod play;
mod rules_text;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    // Clap answers bad arguments itself, with exit code 2, and --help with 0.
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe (`stoa moves … | head`) is not an error of ours.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stoa: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Play(args) => play::run(args),
        Command::Games(args) => commands::games(&args),
        Command::Rules(args) => commands::rules(&args),
        Command::Show(args) => commands::show(&args),
        Command::Moves(args) => commands::moves(&args),
        Command::Apply(args) => commands::apply(&args),
        Command::Perft(args) => commands::perft(&args),
        Command::Random(args) => commands::random(&args),
        Command::Replay(args) => commands::replay(&args),
        Command::Bench(args) => commands::bench(&args),
        Command::Completions { shell } => commands::completions(shell),
    }
}
