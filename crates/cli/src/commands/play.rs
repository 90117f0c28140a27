//! The terminal app.

use std::time::Duration;

use anyhow::{Result, bail};
use stoa_terminal::{Opponent, Options, PlayerChoice, SideChoice, Start};

use crate::args;
use crate::output::charset;

/// `stoa play`
pub(crate) fn play(args: args::Play) -> Result<()> {
    let players = players(&args)?;
    let start = match (args.load, args.game) {
        (Some(path), _) => Start::Record(path),
        (None, Some(game)) => {
            Start::Position(args::Where { game, position: args.position }.position()?)
        }
        (None, None) => Start::Menu,
    };
    Ok(stoa_terminal::run(Options {
        start,
        players,
        move_time: Duration::from_secs_f64(args.time),
        seed: args.seed,
        charset: charset(args.plain),
    })?)
}

/// Who plays; options that do not fit together are refused.
fn players(args: &args::Play) -> Result<PlayerChoice> {
    let opponent = match (args.opponent, args.level) {
        (Some(args::Opponent::Human | args::Opponent::Random), Some(_)) => {
            bail!("--level is for the engine; leave it out, or leave out --opponent")
        }
        (Some(args::Opponent::Human), None) if args.side.is_some() => {
            bail!("--side is for a game against the engine; two people play both sides")
        }
        (Some(args::Opponent::Human), None) => Some(None),
        (Some(args::Opponent::Random), None) => Some(Some(Opponent::Random)),
        (Some(args::Opponent::Engine), None) => Some(Some(Opponent::DEFAULT)),
        (_, Some(level)) => Some(Some(Opponent::Engine(level))),
        (None, None) => None,
    };
    let side = args.side.map(|side| match side {
        args::SideChoice::First => SideChoice::First,
        args::SideChoice::Second => SideChoice::Second,
        args::SideChoice::Random => SideChoice::Random,
    });
    Ok(PlayerChoice { opponent, side })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use stoa_engine::Level;

    use crate::args;

    #[test]
    fn the_help_names_every_level() {
        let command = args::Cli::command();
        let play = command.find_subcommand("play").unwrap();
        let help = play.get_after_help().unwrap().to_string();
        for level in Level::all() {
            assert!(help.contains(&level.to_string()), "{level}");
        }
    }
}
