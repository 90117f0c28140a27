//! A bot on a server.

use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use stoa_bot::{Bot, BotEngine, BotOptions, SearchQueue};
use stoa_engine::Stop;
use stoa_rules::Game;
use stoa_ugi::parallel::all_cores;
use stoa_ugi::players;

use super::connection::connect;
use crate::args::BotArgs;
use crate::{interrupt, output};

/// Plays until Ctrl-C.
pub(crate) fn bot(args: &BotArgs) -> Result<()> {
    let stop = Stop::new();
    interrupt::stops(&stop)?;
    let engine = engine(args)?;
    try_engine(&engine, args, &stop)?;
    let client = connect(&args.connection)?;
    let url = &args.connection.server;
    let player = client.me().with_context(|| format!("cannot talk to {url}"))?;
    let player = player.context("the server does not know this token")?;
    if player.kind != stoa_client::PlayerKind::Bot {
        client.become_bot().with_context(|| format!("{} cannot become a bot", player.name))?;
    }
    let searches = args.searches.unwrap_or_else(|| all_cores().saturating_sub(1));
    let options = BotOptions {
        engine,
        games: args.games.clone(),
        max_games: args.max_games.max(1),
        move_time: args.time,
        first_thought: args.time,
        takeover_delay: Duration::ZERO,
        searches: SearchQueue::new(searches),
        keeps_engines: true,
        // If the output is closed, the games go on in silence.
        log: |message| drop(output::print(&format!("{message}\n"))),
    };
    let bot = Bot::new(client, options, stop.clone())?;
    output::print(&format!("{} is at {url}  (Ctrl-C ends it)\n", bot.player().name))?;
    let playing = thread::spawn(move || bot.run());
    // A connection that is being read cannot be interrupted, and need not be: nothing is lost.
    while !stop.is_stopped() && !playing.is_finished() {
        thread::sleep(Duration::from_millis(50));
    }
    match playing.is_finished().then(|| playing.join()) {
        Some(Ok(done)) => Ok(done?),
        Some(Err(_)) => bail!("the bot has failed"),
        None => Ok(()),
    }
}

fn engine(args: &BotArgs) -> Result<BotEngine> {
    match (&args.engine, args.level) {
        (Some(command), _) => {
            if !command.contains("{game}") && args.games.len() != 1 {
                bail!(
                    "an engine is started for one game: put {{game}} into --engine, or name the one \
                     game it plays with --games"
                );
            }
            Ok(BotEngine::Program(command.clone()))
        }
        (None, Some(level)) => {
            let spec = format!("level={},tables=on", level.number()).parse();
            spec.map(BotEngine::Stoa).map_err(anyhow::Error::msg)
        }
        (None, None) => bail!("name an engine with --engine, or a level with --level"),
    }
}

/// Starts the engine once: an error is better now than when a player waits for a move.
fn try_engine(engine: &BotEngine, args: &BotArgs, stop: &Stop) -> Result<()> {
    let game: Game = match args.games.first() {
        Some(game) => game.parse().context("no such game")?,
        None => Game::ALL[0],
    };
    players::start(&engine.spec(game)?, game, stop)?;
    Ok(())
}
