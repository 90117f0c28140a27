//! Stoa's engine as a player.

use std::panic::{AssertUnwindSafe, catch_unwind};

use stoa_engine::matches::{Choice, Player, PlayerError, Thinking};
use stoa_engine::{Engine, Settings, Stop, Strategy, best_strategy};
use stoa_files::tablebases;
use stoa_rules::{AnyPosition, Game};

use super::spec::EngineSpec;
use super::{PlayerSpec, StartFault};

/// Stoa's engine.
pub(super) struct Internal {
    name: String,
    game: Game,
    settings: Settings,
    /// Whether every game has the same seed.
    fixed_seed: bool,
    engine: Engine,
    stop: Stop,
}

impl Internal {
    /// Makes the engine of a description.
    pub(super) fn start(
        spec: &PlayerSpec,
        engine: &EngineSpec,
        game: Game,
        stop: &Stop,
    ) -> Result<Internal, StartFault> {
        let strategy = engine.strategy.unwrap_or_else(|| best_strategy(game));
        if strategy == Strategy::AlphaBeta && spec.has_playouts() {
            return Err(StartFault::NoPlayouts(game));
        }
        let settings = Settings {
            strategy: engine.strategy,
            threads: engine.threads,
            table: engine.table.unwrap_or_else(|| table_for(strategy, spec.max_nodes(game))),
            seed: engine.seed.unwrap_or(0),
            level: engine.level,
            skill: engine.skill,
            search_options: engine.search_options,
            tree_search: engine.tree_search,
            evaluation: engine.evaluation.read()?,
            oracle: engine.tables.then(|| tablebases::oracle(game)).flatten(),
            ..Settings::default()
        };
        let made = Engine::new(game, settings.clone())?;
        let fixed_seed = engine.seed.is_some();
        Ok(Internal {
            name: spec.to_string(),
            game,
            settings,
            fixed_seed,
            engine: made,
            stop: stop.clone(),
        })
    }
}

/// The memory of a search in MiB: enough for the nodes of about a hundred moves, as it is made anew for
/// every game. Trees take memory as they grow.
fn table_for(strategy: Strategy, nodes: Option<u64>) -> usize {
    const MAX_SIZE: u64 = 16;
    const TREES: usize = 64;
    match strategy {
        Strategy::AlphaBeta => {
            nodes.map_or(MAX_SIZE, |nodes| (nodes / 512 + 1).min(MAX_SIZE)) as usize
        }
        _ => TREES,
    }
}

impl Player for Internal {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        if !self.fixed_seed {
            self.settings.seed = seed;
        }
        // The seed is part of an engine, and after a panic the old one is not to be trusted.
        self.engine = Engine::new(self.game, self.settings.clone())
            .map_err(|error| PlayerError::Crashed(error.to_string()))?;
        Ok(())
    }

    fn choose(
        &mut self,
        _: &AnyPosition,
        _: &[String],
        position: &AnyPosition,
        thinking: &Thinking,
    ) -> Result<Choice, PlayerError> {
        let (engine, stop) = (&mut self.engine, &self.stop);
        let think = || engine.think(position, &thinking.limits, stop, &mut |_| {});
        // One game is lost by a panic, not the whole match.
        let thought = catch_unwind(AssertUnwindSafe(think))
            .map_err(|_| PlayerError::Crashed("the engine panicked".to_owned()))?;
        let text = thought.best().ok_or_else(|| PlayerError::Nonsense("no move".to_owned()))?;
        let random = thought.strategy == Strategy::Random;
        Ok(Choice {
            text: text.to_owned(),
            score: thought.score().filter(|_| !random),
            depth: (!random).then_some(thought.depth),
            nodes: Some(thought.nodes),
        })
    }
}
