//! An engine that plays all of Stoa's games: search, evaluation, levels, reviews and matches.
//!
//! [`Engine`] searches positions of one game and answers in its notation. Inside, the same search
//! serves all games: [`Knowledge`] is what it knows of each besides the rules.
//!
//! ```
//! use std::time::Duration;
//! use stoa_engine::{Engine, Limits, Settings, Stop};
//! use stoa_rules::Game;
//!
//! let mut engine = Engine::new(Game::Impasse, Settings::default())?;
//! let limits = Limits::time(Duration::from_millis(20));
//! let thought = engine.think(&Game::Impasse.start(), &limits, &Stop::new(), &mut |_| {});
//! println!("{} {}", thought.lines[0].score, thought.lines[0].moves.join(" "));
//! # Ok::<(), stoa_engine::EvaluationError>(())
//! ```

mod alphabeta;
pub mod crew;
mod engine;
mod eval;
mod evaluation;
mod games;
mod knowledge;
mod level;
mod limits;
pub mod matches;
mod mcts;
pub mod net;
mod oracle;
pub mod policy;
pub mod review;
mod score;
pub mod selfplay;
mod text;
mod training_games;
mod transposition;
pub mod tune;

pub use alphabeta::SearchOptions;
pub use engine::{Engine, Line, Settings, Strategy, Thought, UnknownStrategy, best_strategy};
pub use eval::{Evaluator, MAX_TERMS, Term, TermSink, Weights, WeightsError, counts, explain};
pub use evaluation::{Evaluation, EvaluationChoice, EvaluationError, EvaluationState};
pub use games::{KnowledgeVisitor, visit};
pub use knowledge::Knowledge;
pub use level::{Level, LevelTable, Skill, UnknownLevel};
pub use limits::{Clock, Limits, Now, Stop, Timer, system_now};
pub use mcts::{TreeSearchChanges, TreeSearchOptions};
pub use net::NetError;
pub use oracle::Oracle;
pub use score::{Score, TenToOne};

/// Whether a search has a single thread. A browser's module has no others, and no code for them.
#[inline(always)]
pub(crate) fn is_alone(threads: usize) -> bool {
    cfg!(target_arch = "wasm32") || threads <= 1
}
