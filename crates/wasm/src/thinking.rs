//! Questions to the engine.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use stoa_engine::crew::Crew;
use stoa_engine::review::{CompleteReview, Progress, review};
use stoa_engine::{Engine, EvaluationChoice, Level, Limits, Now, Settings, Stop, Thought};
use stoa_rules::{Game, Session};

use crate::Failure;
use crate::failure::Kind;
use crate::question::{Ask, Nothing, questions};
use crate::rules::read;

questions! {
    /// A question to the engine.
    Engines, "EngineQuestions" {
        /// What it thinks of a position; reports are thoughts, too.
        Think(AskThink),
        /// What was good and bad in a game; reports tell how far it has come.
        Review(AskReview),
        /// Forgets what was learnt: for a new game.
        Forget(AskForget),
    }
}

/// What the engine thinks of a position.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskThink {
    /// The game with its options.
    game: String,
    /// The text of the position.
    position: String,
    /// What ends the search.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<Bounds>", optional))]
    limits: Bounds,
    /// The level to play at, 1 to 10; all strength if left out.
    #[cfg_attr(feature = "ts", ts(optional))]
    level: Option<u8>,
    /// What the slips of a level depend on.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<u64>", optional))]
    seed: u64,
    /// How many lines are found.
    #[serde(default = "one")]
    #[cfg_attr(feature = "ts", ts(as = "Option<usize>", optional))]
    lines: usize,
}

/// What was good and bad in a game.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskReview {
    /// The game with its options.
    game: String,
    /// Where it began; the game's start if left out.
    #[cfg_attr(feature = "ts", ts(optional))]
    start: Option<String>,
    /// The moves in text.
    moves: Vec<String>,
    /// What ends the search of each position.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<Bounds>", optional))]
    limits: Bounds,
}

/// Forgets what was learnt.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskForget {}

fn one() -> usize {
    1
}

/// What ends a search; the first limit that is reached counts.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Limits"))]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Milliseconds.
    #[cfg_attr(feature = "ts", ts(optional))]
    time: Option<u64>,
    /// Positions looked at, or playouts made.
    #[cfg_attr(feature = "ts", ts(optional))]
    nodes: Option<u64>,
    /// Turns ahead; also says that the value is wanted, not a move.
    #[cfg_attr(feature = "ts", ts(optional))]
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
const MAX_LINES: usize = 20;

/// The memory of a search at full strength, in MiB: what a phone can spare.
const TABLE: usize = 32;

/// The same for a level below full strength: it looks at few positions.
const SMALL_TABLE: usize = 4;

/// The engines, kept with what they have learnt as long as the game stays the same.
pub struct Engines {
    now: Now,
    stop: Stop,
    /// The part they have in a crew, at full strength.
    crew: Option<Crew>,
    /// The last network that came with a question.
    net: Option<Arc<[u8]>>,
    player: Option<(Game, u8, u64, Engine)>,
    adviser: Option<(Game, usize, Engine)>,
}

impl Engines {
    /// No engine yet. They read the time from `now` and end when `stop` says so.
    pub fn new(now: Now, stop: Stop, crew: Option<Crew>) -> Engines {
        Engines { now, stop, crew, net: None, player: None, adviser: None }
    }

    /// Judges positions of its game with a network from now on. One that cannot be used is left aside: a game is
    /// being played, and the engine has its hand-made terms.
    pub fn use_net(&mut self, net: &[u8]) {
        if self.net.as_deref() != Some(net) {
            self.net = Some(net.into());
            (self.player, self.adviser) = (None, None);
        }
    }

    fn made(&self, game: Game, settings: Settings) -> Result<Engine, Failure> {
        let takes_net = settings.level.is_none_or(|level| level.takes_net(game));
        let learned = self.net.as_ref().filter(|_| takes_net).and_then(|net| {
            let bytes = Arc::clone(net);
            let evaluation = EvaluationChoice::NetFile { name: game.to_string(), bytes };
            Engine::new(game, Settings { evaluation, ..settings.clone() }).ok()
        });
        match learned {
            Some(engine) => Ok(engine),
            None => Engine::new(game, settings).map_err(|error| Failure::new(Kind::Engine, error)),
        }
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
                // Lower levels play the same moves whatever others have found out.
                let crew = self.crew.clone().filter(|_| level == Level::HIGHEST);
                let settings =
                    Settings { table, seed, crew, now: self.now, ..Settings::level(level) };
                self.made(game, settings)?
            }
        };
        Ok(&mut self.player.insert((game, number, seed, engine)).3)
    }

    /// The engine that knows best.
    fn adviser(&mut self, game: Game, lines: usize) -> Result<&mut Engine, Failure> {
        let lines = lines.clamp(1, MAX_LINES);
        let known = self.adviser.take().filter(|(a, b, _)| (*a, *b) == (game, lines));
        let engine = match known {
            Some((.., engine)) => engine,
            None => {
                let (table, crew, now) = (TABLE, self.crew.clone(), self.now);
                let settings = Settings { table, lines, crew, now, ..Settings::default() };
                self.made(game, settings)?
            }
        };
        Ok(&mut self.adviser.insert((game, lines, engine)).2)
    }
}

impl Ask for AskThink {
    type Memory = Engines;
    type Answer = Thought;
    type Report = Thought;

    fn answer(
        self,
        engines: &mut Engines,
        report: &mut dyn FnMut(&Thought),
    ) -> Result<Thought, Failure> {
        let stop = engines.stop.clone();
        let position = read(&self.game, Some(&self.position))?;
        let engine = match self.level {
            Some(level) => engines.player(position.game(), level, self.seed)?,
            None => engines.adviser(position.game(), self.lines)?,
        };
        Ok(engine.think(&position, &self.limits.into(), &stop, report))
    }
}

impl Ask for AskReview {
    type Memory = Engines;
    type Answer = CompleteReview;
    type Report = Progress;

    fn answer(
        self,
        engines: &mut Engines,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<CompleteReview, Failure> {
        let stop = engines.stop.clone();
        let mut session = Session::new(read(&self.game, self.start.as_deref())?);
        for text in &self.moves {
            session.play(text)?;
        }
        let engine = engines.adviser(session.start().game(), 1)?;
        let mut tell = |progress: Progress| report(&progress);
        let review = review(engine, &session, &self.limits.into(), &stop, &mut tell);
        Ok(review.into())
    }
}

impl Ask for AskForget {
    type Memory = Engines;
    type Answer = ();
    type Report = Nothing;

    fn answer(self, engines: &mut Engines, _: &mut dyn FnMut(&Nothing)) -> Result<(), Failure> {
        (engines.player, engines.adviser) = (None, None);
        if let Some(crew) = &engines.crew {
            crew.forget();
        }
        Ok(())
    }
}
