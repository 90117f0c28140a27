//! Players of matches and bots: described in words ([`PlayerSpec`]), and started from the description.
//!
//! ```
//! use stoa_engine::Stop;
//! use stoa_engine::matches::Thinking;
//! use stoa_rules::Game;
//! use stoa_ugi::players::{PlayerSpec, start};
//!
//! let spec: PlayerSpec = "level=1,seed=7".parse()?;
//! let mut player = start(&spec, Game::Impasse, &Stop::new())?;
//! player.new_game(0)?;
//! let position = Game::Impasse.start();
//! let choice = player.choose(&position, &[], &position, &Thinking::default())?;
//! assert!(position.legal_moves().contains(&choice.text));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod evaluation;
mod external;
mod internal;
mod spec;

pub use evaluation::{EvaluationFileError, EvaluationSpec};
pub use spec::PlayerSpec;

use stoa_engine::Stop;
use stoa_engine::matches::{Player, PlayerError};
use stoa_rules::Game;

use spec::Kind;

/// A player that cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start the player '{player}'")]
pub struct StartError {
    /// Its description.
    player: String,
    /// Why not.
    source: StartFault,
}

/// Why a player cannot be started.
#[derive(Debug, thiserror::Error)]
enum StartFault {
    #[error("alphabeta, which plays {0} here, makes no playouts; write nodes=N")]
    NoPlayouts(Game),
    #[error(transparent)]
    EvaluationFile(#[from] EvaluationFileError),
    #[error(transparent)]
    Engine(#[from] stoa_engine::EvaluationError),
    #[error(transparent)]
    Program(#[from] PlayerError),
}

/// Starts the player of a description. `stop` ends its searches.
pub fn start(spec: &PlayerSpec, game: Game, stop: &Stop) -> Result<Box<dyn Player>, StartError> {
    let started = match spec.kind() {
        Kind::Engine(engine) => internal::Internal::start(spec, engine, game, stop)
            .map(|player| Box::new(player) as Box<dyn Player>),
        Kind::External { command, options } => {
            external::External::start(&spec.to_string(), command, options, game, stop.clone())
                .map(|player| Box::new(player) as Box<dyn Player>)
                .map_err(StartFault::from)
        }
    };
    started.map_err(|source| StartError { player: spec.to_string(), source })
}
