//! Questions to the engine.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stoa_engine::review::{Review, review};
use stoa_engine::{Engine, Level, Limits, Now, Settings, Stop, Thought};
use stoa_rules::{Game, Session};

use crate::Failure;
use crate::failure::Kind;
use crate::rules::read;

/// A question to the engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// What it thinks of a position; reports are thoughts, too.
    Think {
        /// The game with its options.
        game: String,
        /// The text of the position.
        position: String,
        /// What ends the search.
        #[serde(default)]
        limits: Bounds,
        /// The level to play at, 1 to 10; all strength if left out.
        level: Option<u8>,
        /// What the slips of a level depend on.
        #[serde(default)]
        seed: u64,
        /// How many lines are found.
        #[serde(default = "one")]
        lines: usize,
    },
    /// What was good and bad in a game; reports tell how far it has come.
    Review {
        /// The game with its options.
        game: String,
        /// Where it began; the game's start if left out.
        start: Option<String>,
        /// The moves in text.
        moves: Vec<String>,
        /// What ends the search of each position.
        #[serde(default)]
        limits: Bounds,
    },
    /// Forgets what was learnt: for a new game.
    Forget,
}

fn one() -> usize {
    1
}

/// What ends a search; the first limit that is reached counts.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Milliseconds.
    time: Option<u64>,
    /// Positions looked at, or playouts made.
    nodes: Option<u64>,
    /// Turns ahead; also says that the value is wanted, not a move.
    depth: Option<u32>,
}

/// Even a search without end looks at the clock, because that is how it hears that it should stop.
const FOREVER: Duration = Duration::from_secs(24 * 60 * 60);

impl From<Bounds> for Limits {
    fn from(bounds: Bounds) -> Limits {
        let time = bounds.time.map_or(FOREVER, Duration::from_millis).min(FOREVER);
        Limits { time: Some(time), nodes: bounds.nodes, depth: bounds.depth, ..Limits::default() }
    }
}

/// No more lines than this are found.
const MOST_LINES: usize = 20;

/// The table of the engine at full strength, in MiB: what a phone can spare.
const TABLE: usize = 32;

/// The table of a level below full strength: it looks at few positions.
const SMALL_TABLE: usize = 4;

/// The engines, kept with what they have learnt as long as the game stays the same.
pub struct Engines {
    now: Now,
    stop: Stop,
    player: Option<(Game, u8, u64, Engine)>,
    adviser: Option<(Game, usize, Engine)>,
}

impl Engines {
    /// No engine yet. They read the time from `now` and end when `stop` says so.
    pub fn new(now: Now, stop: Stop) -> Engines {
        Engines { now, stop, player: None, adviser: None }
    }

    /// The engine that plays at a level.
    fn player(&mut self, game: Game, level: u8, seed: u64) -> Result<&mut Engine, Failure> {
        let level = Level::new(level).ok_or_else(|| {
            let message = format!("there is no level {level}; levels go from 1 to 10");
            Failure::new(Kind::UnknownLevel, message)
        })?;
        let number = level.number();
        let known = self.player.take().filter(|(a, b, c, _)| (*a, *b, *c) == (game, number, seed));
        let engine = match known {
            Some((.., engine)) => engine,
            None => {
                let table = if level == Level::HIGHEST { TABLE } else { SMALL_TABLE };
                let settings = Settings { table, seed, now: self.now, ..Settings::level(level) };
                made(game, settings)?
            }
        };
        Ok(&mut self.player.insert((game, number, seed, engine)).3)
    }

    /// The engine that knows best.
    fn adviser(&mut self, game: Game, lines: usize) -> Result<&mut Engine, Failure> {
        let lines = lines.clamp(1, MOST_LINES);
        let known = self.adviser.take().filter(|(a, b, _)| (*a, *b) == (game, lines));
        let engine = match known {
            Some((.., engine)) => engine,
            None => {
                made(game, Settings { table: TABLE, lines, now: self.now, ..Settings::default() })?
            }
        };
        Ok(&mut self.adviser.insert((game, lines, engine)).2)
    }
}

fn made(game: Game, settings: Settings) -> Result<Engine, Failure> {
    Engine::new(game, settings).map_err(|error| Failure::new(Kind::Engine, error))
}

impl Question {
    /// The answer, in JSON.
    pub fn answer(
        self,
        engines: &mut Engines,
        report: &mut dyn FnMut(String),
    ) -> Result<Value, Failure> {
        let stop = engines.stop.clone();
        match self {
            Question::Think { game, position, limits, level, seed, lines } => {
                let position = read(&game, Some(&position))?;
                let engine = match level {
                    Some(level) => engines.player(position.game(), level, seed)?,
                    None => engines.adviser(position.game(), lines)?,
                };
                let mut tell = |thought: &Thought| send(report, thought);
                Ok(json!(engine.think(&position, &limits.into(), &stop, &mut tell)))
            }
            Question::Review { game, start, moves, limits } => {
                let mut session = Session::new(read(&game, start.as_deref())?);
                for text in &moves {
                    session.play(text)?;
                }
                let engine = engines.adviser(session.start().game(), 1)?;
                let mut tell = |progress: stoa_engine::review::Progress| {
                    let (judged, positions) = (progress.judged, progress.positions);
                    send(report, &json!({ "judged": judged, "positions": positions }));
                };
                let review = review(engine, &session, &limits.into(), &stop, &mut tell);
                let (curve, complete) = (review.curve(), review.is_complete());
                Ok(json!(Reviewed { review, curve, complete }))
            }
            Question::Forget => {
                (engines.player, engines.adviser) = (None, None);
                Ok(Value::Null)
            }
        }
    }
}

/// A review with what follows from it.
#[derive(Serialize)]
struct Reviewed {
    #[serde(flatten)]
    review: Review,
    /// How probable it was that the first player wins, from the first position reviewed on.
    curve: Vec<f64>,
    /// Whether every move was reviewed.
    complete: bool,
}

fn send(report: &mut dyn FnMut(String), news: &impl Serialize) {
    if let Ok(news) = serde_json::to_string(news) {
        report(news);
    }
}
