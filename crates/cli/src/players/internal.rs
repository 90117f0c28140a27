//! Our own engine as a player.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, Result, ensure};
use stoa_engine::matches::{Choice, Player, PlayerError, Thinking};
use stoa_engine::{Engine, Settings, Stop, Strategy, best_strategy, best_tree_search_options};
use stoa_rules::{AnyPosition, Game};

use super::Spec;
use super::spec::Build;
use crate::{files, tables};

/// Our own engine.
pub(crate) struct Internal {
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
    pub(crate) fn start(spec: &Spec, build: &Build, game: Game, stop: &Stop) -> Result<Internal> {
        let strategy = build.strategy.unwrap_or_else(|| best_strategy(game));
        ensure!(
            strategy != Strategy::AlphaBeta || !spec.has_playouts(),
            "alphabeta, which plays {game} here, makes no playouts; write nodes=N"
        );
        let read = |path: &std::path::PathBuf| {
            files::read_text(path).with_context(|| format!("cannot read {}", path.display()))
        };
        let settings = Settings {
            strategy: build.strategy,
            threads: build.threads,
            table: build.table.unwrap_or_else(|| table_for(spec.most_nodes(game))),
            seed: build.seed.unwrap_or(0),
            level: build.level,
            skill: build.skill,
            search_options: build.search_options,
            tree_search_options: build.tree_search.apply(best_tree_search_options(game)),
            weights: build.weights.as_ref().map(read).transpose()?,
            oracle: build.tables.then(|| tables::oracle(game)).flatten(),
            ..Settings::default()
        };
        let engine = Engine::new(game, settings.clone())?;
        let fixed_seed = build.seed.is_some();
        Ok(Internal {
            name: spec.to_string(),
            game,
            settings,
            fixed_seed,
            engine,
            stop: stop.clone(),
        })
    }
}

/// The size of a table in MiB: enough for the nodes of about a hundred moves, as it is made anew for
/// every game.
fn table_for(nodes: Option<u64>) -> usize {
    const MOST: u64 = 16;
    nodes.map_or(MOST, |nodes| (nodes / 512 + 1).min(MOST)) as usize
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
