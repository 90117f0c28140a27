//! An engine that plays Colonnade, Impasse, Palisade, Columna and Colossus.
//!
//! [`Engine`] thinks about positions of any of the games and answers in their notation. Inside, one
//! search serves all games: [`Knowledge`] is what it knows of each besides the rules.
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
//! # Ok::<(), stoa_engine::WeightsError>(())
//! ```

mod alphabeta;
mod engine;
mod eval;
mod games;
mod knowledge;
mod level;
mod limits;
pub mod matches;
mod mcts;
mod oracle;
pub mod review;
mod score;
mod table;
mod text;
pub mod tune;

pub use alphabeta::Style;
pub use engine::{
    Engine, Line, Settings, Strategy, Thought, UnknownStrategy, best_recipe, best_strategy,
};
pub use eval::{Evaluator, MOST_TERMS, Tally, Term, Weights, WeightsError, counts, explain};
pub use games::{KnowledgeVisitor, visit};
pub use knowledge::Knowledge;
pub use level::{Level, Skill, UnknownLevel};
pub use limits::{Clock, Limits, Now, Stop, Timer, system_now};
pub use mcts::Recipe;
pub use oracle::Oracle;
pub use score::Score;
