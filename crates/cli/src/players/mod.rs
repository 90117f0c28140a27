//! Players for matches: how they are written on the command line, and how they are made.

mod external;
mod internal;
mod spec;

pub(crate) use spec::{Kind, Spec};

use anyhow::{Context, Result};
use stoa_engine::Stop;
use stoa_engine::matches::Player;
use stoa_rules::Game;

/// Makes a player, or says why it cannot be had. `stop` ends its thinking.
pub(crate) fn start(spec: &Spec, game: Game, stop: &Stop) -> Result<Box<dyn Player>> {
    let started = match spec.kind() {
        Kind::Engine(build) => {
            internal::Internal::start(spec, build, game, stop).map(|player| Box::new(player) as _)
        }
        Kind::External { command, options } => {
            external::External::start(&spec.to_string(), command, options, game, stop.clone())
                .map(|player| Box::new(player) as _)
                .map_err(anyhow::Error::from)
        }
    };
    started.with_context(|| format!("cannot start the player '{spec}'"))
}
