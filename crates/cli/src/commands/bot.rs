//! A bot on a server.

use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use stoa_client::Client;
use stoa_engine::Stop;
use stoa_rules::Game;

use crate::args::BotArgs;
use crate::bot::{Bot, Gate, Habits, Mind};
use crate::commands::all_cores;
use crate::{files, interrupt, output, players};

/// Plays until Ctrl-C.
pub(crate) fn bot(args: &BotArgs) -> Result<()> {
    let stop = Stop::new();
    interrupt::stops(&stop)?;
    let mind = mind(args)?;
    try_engine(&mind, args, &stop)?;
    let client = Client::with_token(&args.server, &token(args)?);
    let who = client.me().with_context(|| format!("cannot talk to {}", args.server))?;
    let who = who.context("the server does not know this token")?;
    if who.kind != stoa_client::PlayerKind::Bot {
        client.become_bot().with_context(|| format!("{} cannot become a bot", who.name))?;
    }
    let searches = args.searches.unwrap_or_else(|| all_cores().saturating_sub(1));
    let habits = Habits {
        mind,
        games: args.games.clone(),
        most_games: args.most_games.max(1),
        move_time: args.time,
        hesitation: Duration::ZERO,
        gate: Gate::new(searches),
        // Whoever closes the output does not want to hear more; the games go on.
        tell: |what| drop(output::print(&format!("{what}\n"))),
    };
    let bot = Bot::new(client, habits, stop.clone())?;
    let url = &args.server;
    output::print(&format!("{} is at {url}  (Ctrl-C ends it)\n", bot.player().name))?;
    let playing = thread::spawn(move || bot.run());
    // A connection that is being read cannot be interrupted, and need not be: nothing is lost.
    while !stop.is_stopped() && !playing.is_finished() {
        thread::sleep(Duration::from_millis(50));
    }
    match playing.is_finished().then(|| playing.join()) {
        Some(Ok(done)) => done,
        Some(Err(_)) => bail!("the bot has failed"),
        None => Ok(()),
    }
}

fn mind(args: &BotArgs) -> Result<Mind> {
    match (&args.engine, args.level) {
        (Some(command), _) => {
            if !command.contains("{game}") && args.games.len() != 1 {
                bail!(
                    "an engine is started for one game: put {{game}} into --engine, or name the one \
                     game it plays with --games"
                );
            }
            Ok(Mind::Program(command.clone()))
        }
        (None, Some(level)) => {
            let spec = format!("level={},tables=on", level.number()).parse();
            spec.map(Mind::Own).map_err(anyhow::Error::msg)
        }
        (None, None) => bail!("name an engine with --engine, or a level with --level"),
    }
}

/// Better now than when somebody is waiting for a move.
fn try_engine(mind: &Mind, args: &BotArgs, stop: &Stop) -> Result<()> {
    let game: Game = match args.games.first() {
        Some(game) => game.parse().context("no such game")?,
        None => Game::Impasse,
    };
    players::start(&mind.spec(game)?, game, stop).map(|_| ())
}

fn token(args: &BotArgs) -> Result<String> {
    let read = |path: &Path| {
        files::read_text(path).with_context(|| format!("cannot read {}", path.display()))
    };
    match (&args.token, &args.token_file) {
        (Some(token), _) => Ok(token.clone()),
        (None, Some(file)) => read(file),
        (None, None) => bail!("the bot needs a token: --token, --token-file or STOA_TOKEN"),
    }
}
