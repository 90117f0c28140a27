//! The engine.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use stoa_engine::net::MAX_NET_BYTES;
use stoa_engine::{EvaluationChoice, Level, Limits, Settings, Strategy};
use stoa_rules::{Game as RulesGame, Side};

use crate::arguments::{self, integer, setting, shown};
use crate::errors::{EngineError, StoaError};
use crate::game::{Game, game_of};
use crate::interrupt::interruptible;
use crate::moves::Move;
use crate::pickle::{Reduced, reduce};
use crate::position::position_of;

/// The most threads that an engine searches with.
const MAX_THREADS: usize = 256;

/// The largest transposition table, in MiB.
const MAX_TABLE: usize = 1 << 16;

/// The most lines that an engine finds.
const MAX_LINES: usize = 256;

/// An engine for one game. It keeps what it has learnt from one search to the next.
///
/// `level` is a strength from 1 to 10; without one the engine is as strong as it can be. `strategy`
/// is 'alphabeta', 'mcts', 'uct' or 'random' in place of the game's own. `threads` search together,
/// `table` is the memory for positions in MiB, `seed` makes what is random repeatable, and `lines` is
/// how many lines are found. `evaluation` is 'best' for the network that comes with the game where there
/// is one, else 'terms', the hand-made one; 'net' for that network, or the path of a network's file. With
/// `tablebase` the engine asks the game's table of solved positions, if there is one.
///
/// >>> import stoa
/// >>> start = stoa.Game("colonnade").start()
/// >>> engine = stoa.Engine("colonnade", lines=2)
/// >>> thought = engine.think(start, nodes=5_000)
/// >>> thought.best in start.moves(), len(thought.lines)
/// (True, 2)
#[pyclass(frozen, module = "stoa")]
pub(crate) struct Engine {
    game: RulesGame,
    level: Option<Level>,
    strategy: Strategy,
    inner: Mutex<stoa_engine::Engine>,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (
        game, *, level=None, strategy=None, threads=1, table=64, seed=0, lines=1, evaluation=None,
        tablebase=false
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = level_of)] level: Option<Level>,
        strategy: Option<&str>,
        #[pyo3(from_py_with = threads)] threads: usize,
        #[pyo3(from_py_with = table)] table: usize,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
        #[pyo3(from_py_with = lines)] lines: usize,
        evaluation: Option<&Bound<'_, PyAny>>,
        tablebase: bool,
    ) -> PyResult<Engine> {
        let game = game_of(game)?;
        let strategy = strategy.map(str::parse::<Strategy>).transpose();
        let strategy = strategy.map_err(|error| EngineError::new_err(error.to_string()))?;
        check_memory(table << 20)?;
        let evaluation = evaluation.map(evaluation_of).transpose()?.unwrap_or_default();
        let found_by = strategy.unwrap_or_else(|| stoa_engine::best_strategy(game));
        let oracle = if tablebase { stoa_files::tablebases::oracle(game) } else { None };
        let settings = Settings {
            strategy,
            threads,
            table,
            seed,
            lines,
            level,
            evaluation,
            oracle,
            ..Settings::default()
        };
        let inner = py
            .detach(|| stoa_engine::Engine::new(game, settings))
            .map_err(|error| EngineError::new_err(error.to_string()))?;
        Ok(Engine { game, level, strategy: found_by, inner: Mutex::new(inner) })
    }

    /// The game it plays.
    #[getter]
    fn game(&self) -> Game {
        Game { inner: self.game }
    }

    /// Its level, or None for all its strength.
    #[getter]
    fn level(&self) -> Option<u8> {
        self.level.map(Level::number)
    }

    /// The name of its level, such as 'Mason'.
    #[getter]
    fn level_name(&self) -> Option<&'static str> {
        self.level.map(Level::name)
    }

    /// Searches a position until a limit is reached: `time` in seconds, `nodes`, `depth` in turns, or
    /// `playouts` for 'mcts' and 'uct'. A level brings a limit of its own. Other threads
    /// run meanwhile, and Ctrl-C ends the search with a KeyboardInterrupt.
    ///
    /// With one thread and a limit of nodes or depth, a new engine of the same seed finds the same.
    ///
    /// >>> import stoa
    /// >>> engine = stoa.Engine("impasse", level=3, seed=1)
    /// >>> thought = engine.think(stoa.Game("impasse").start())
    /// >>> thought.best is not None, 0 < thought.score.win_probability < 1
    /// (True, True)
    #[pyo3(signature = (position, *, time=None, nodes=None, depth=None, playouts=None))]
    fn think(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        time: Option<f64>,
        #[pyo3(from_py_with = arguments::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = arguments::depth_limit)] depth: Option<u32>,
        #[pyo3(from_py_with = arguments::playouts)] playouts: Option<u64>,
    ) -> PyResult<Thought> {
        let position = position_of(position)?;
        if position.game() != self.game {
            return Err(StoaError::new_err(format!(
                "this is a position of {}, but the engine plays {}",
                position.game(),
                self.game
            )));
        }
        let limits =
            Limits { time: time.map(seconds).transpose()?, nodes, depth, playouts, clock: None };
        let level_ends_it = self.level.is_some_and(|level| level.skill(self.game).nodes.is_some());
        // An alpha-beta search makes no playouts, so no number of them ends it.
        let playouts_end_it = self.strategy != Strategy::AlphaBeta;
        let is_endless = Limits { playouts: limits.playouts.filter(|_| playouts_end_it), ..limits }
            .is_infinite();
        if is_endless && !level_ends_it {
            return Err(PyValueError::new_err(match playouts {
                Some(_) => format!(
                    "{} makes no playouts; the search needs another limit: time in seconds, nodes or \
                     depth",
                    self.strategy
                ),
                None => {
                    "the search needs a limit: time in seconds, nodes, depth or playouts".into()
                }
            }));
        }
        let mut engine = self.inner.try_lock().map_err(|error| busy(&error))?;
        let engine = &mut *engine;
        let inner = interruptible(py, |stop| engine.think(position, &limits, stop, &mut |_| {}))?;
        Ok(Thought { game: self.game, inner })
    }

    /// What the evaluation sees in a position without any search: words with what each is worth for
    /// the player to move. A network gives no reasons, so these are always those of the hand-made one.
    ///
    /// >>> import stoa
    /// >>> terms = stoa.Engine("impasse").explain(stoa.Game("impasse").start())
    /// >>> all(isinstance(words, str) for words, score in terms)
    /// True
    fn explain(&self, position: &Bound<'_, PyAny>) -> PyResult<Vec<(&'static str, Score)>> {
        let position = position_of(position)?;
        let engine = self.inner.try_lock().map_err(|error| busy(&error))?;
        let terms = engine.explain(position);
        Ok(terms.into_iter().map(|(term, inner)| (term.words, Score { inner })).collect())
    }

    /// Forgets what earlier searches have found: for a new game.
    fn forget(&self) -> PyResult<()> {
        self.inner.try_lock().map_err(|error| busy(&error))?.forget();
        Ok(())
    }

    fn __repr__(&self) -> String {
        match self.level {
            Some(level) => format!("<Engine for {}, level {}>", self.game, level.number()),
            None => format!("<Engine for {}>", self.game),
        }
    }
}

/// The level of a number; None means all strength.
fn level_of(argument: &Bound<'_, PyAny>) -> PyResult<Option<Level>> {
    if argument.is_none() {
        return Ok(None);
    }
    let number = integer(argument)?.and_then(|number| u8::try_from(number).ok());
    number.and_then(Level::new).map(Some).ok_or_else(|| {
        let number = shown(argument);
        EngineError::new_err(format!("there is no level {number}; levels go from 1 to 10"))
    })
}

fn threads(argument: &Bound<'_, PyAny>) -> PyResult<usize> {
    setting(argument, "threads", MAX_THREADS)
}

fn table(argument: &Bound<'_, PyAny>) -> PyResult<usize> {
    setting(argument, "table", MAX_TABLE)
}

fn lines(argument: &Bound<'_, PyAny>) -> PyResult<usize> {
    setting(argument, "lines", MAX_LINES)
}

/// Whether so much memory can be had. Rust would end the program if not.
pub(crate) fn check_memory(bytes: usize) -> PyResult<()> {
    Vec::<u8>::new()
        .try_reserve_exact(bytes)
        .map_err(|_| PyMemoryError::new_err(format!("there is no room for {} MiB", bytes >> 20)))
}

/// Seconds as a time that a search may take.
pub(crate) fn seconds(time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time).map_err(|_| {
        PyValueError::new_err(format!("time must be a number of seconds, 0 or more, not {time}"))
    })
}

fn busy<T>(error: &TryLockError<T>) -> PyErr {
    PyRuntimeError::new_err(match error {
        TryLockError::WouldBlock => "this engine is searching in another thread; make one for each",
        TryLockError::Poisoned(_) => "this engine had an internal error; make a new one",
    })
}

/// The evaluation of a word, or a network's file.
fn evaluation_of(argument: &Bound<'_, PyAny>) -> PyResult<EvaluationChoice> {
    if let Ok(word) = argument.cast::<PyString>() {
        match &*word.to_cow()? {
            "best" => return Ok(EvaluationChoice::Best),
            "terms" => return Ok(EvaluationChoice::Terms),
            "net" => return Ok(EvaluationChoice::Net),
            _ => {}
        }
    }
    let path: PathBuf = argument.extract().map_err(|_| {
        PyTypeError::new_err(
            "evaluation must be 'best', 'terms', 'net' or the path of a network's file",
        )
    })?;
    let name = path.display().to_string();
    let unreadable = |why: String| PyOSError::new_err(format!("cannot read {name}: {why}"));
    // Some files, such as /dev/zero, have no end, and no length that could be asked for.
    let read = || {
        let mut bytes = Vec::new();
        File::open(&path)?.take(MAX_NET_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    };
    let bytes = argument.py().detach(read).map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() > MAX_NET_BYTES {
        return Err(unreadable(format!("no network has more than {MAX_NET_BYTES} bytes")));
    }
    Ok(EvaluationChoice::NetFile { name, bytes: Arc::from(bytes) })
}

/// What an engine thinks of a position.
#[pyclass(frozen, eq, module = "stoa")]
#[derive(PartialEq, Eq)]
pub(crate) struct Thought {
    game: RulesGame,
    inner: stoa_engine::Thought,
}

#[pymethods]
impl Thought {
    /// The best move; None when the game is over.
    #[getter]
    fn best(&self) -> Option<Move> {
        let text = self.inner.best()?.to_owned();
        Some(Move { game: self.game, text })
    }

    /// The value of the position for the player to move; None when the game is over.
    #[getter]
    fn score(&self) -> Option<Score> {
        self.inner.score().map(|inner| Score { inner })
    }

    /// The lines that were found, the best first.
    #[getter]
    fn lines(&self) -> Vec<Line> {
        let line = |line: &stoa_engine::Line| Line { game: self.game, inner: line.clone() };
        self.inner.lines.iter().map(line).collect()
    }

    /// The depth that the search completed, in turns.
    #[getter]
    fn depth(&self) -> u32 {
        self.inner.depth
    }

    /// How many nodes it searched; for a tree search, how many playouts it made.
    #[getter]
    fn nodes(&self) -> u64 {
        self.inner.nodes
    }

    /// How long it took, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.inner.time.as_secs_f64()
    }

    /// The strategy that found it.
    #[getter]
    fn strategy(&self) -> String {
        self.inner.strategy.to_string()
    }

    fn __repr__(&self) -> String {
        match (self.inner.best(), self.inner.score()) {
            (Some(best), Some(score)) => {
                format!("<Thought: {best}, {score}, depth {}>", self.inner.depth)
            }
            _ => "<Thought: the game is over>".to_owned(),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let stoa_engine::Thought { strategy, side, depth, nodes, time, table_used, ref lines } =
            self.inner;
        let numbers = [
            u64::from(depth),
            nodes,
            time.as_nanos().try_into().unwrap_or(u64::MAX),
            u64::from(table_used),
        ];
        let head = [self.game.to_string(), strategy.to_string(), side.index().to_string()];
        let parts = head.into_iter().chain(numbers.map(|number| number.to_string()));
        reduce(py, "thought", parts.chain(lines.iter().map(line_text)))
    }
}

impl Thought {
    /// What was pickled; `None` if the parts are not those of a thought.
    pub(crate) fn from_parts(game: RulesGame, parts: &[&str]) -> Option<Thought> {
        let [strategy, side, depth, nodes, time, table_used, lines @ ..] = parts else {
            return None;
        };
        let inner = stoa_engine::Thought {
            strategy: strategy.parse().ok()?,
            side: *Side::BOTH.get(side.parse::<usize>().ok()?)?,
            depth: depth.parse().ok()?,
            nodes: nodes.parse().ok()?,
            time: Duration::from_nanos(time.parse().ok()?),
            table_used: table_used.parse().ok()?,
            lines: lines.iter().map(|line| line_of(line)).collect::<Option<_>>()?,
        };
        Some(Thought { game, inner })
    }
}

/// A line as pickles have it: the score, then the moves, which are words.
fn line_text(line: &stoa_engine::Line) -> String {
    let score = line.score.raw().to_string();
    std::iter::once(score.as_str())
        .chain(line.moves.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join(" ")
}

fn line_of(text: &str) -> Option<stoa_engine::Line> {
    let mut words = text.split(' ');
    let Score { inner: score } = Score::from_text(words.next()?)?;
    Some(stoa_engine::Line { score, moves: words.map(str::to_owned).collect() })
}

/// A line of play with its value for the player to move.
#[pyclass(frozen, eq, module = "stoa")]
#[derive(PartialEq, Eq)]
pub(crate) struct Line {
    game: RulesGame,
    inner: stoa_engine::Line,
}

#[pymethods]
impl Line {
    /// The moves.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        let mv = |text: &String| Move { game: self.game, text: text.clone() };
        self.inner.moves.iter().map(mv).collect()
    }

    /// What the line is worth for the player to move.
    #[getter]
    fn score(&self) -> Score {
        Score { inner: self.inner.score }
    }

    fn __repr__(&self) -> String {
        format!("<Line: {}, {}>", self.inner.score, self.inner.moves.join(" "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, "line", [self.game.to_string(), line_text(&self.inner)])
    }
}

impl Line {
    /// What was pickled; `None` if the text is not that of a line.
    pub(crate) fn from_text(game: RulesGame, text: &str) -> Option<Line> {
        line_of(text).map(|inner| Line { game, inner })
    }
}

/// What a position is worth for the player to move. `str()` is '+35', 'win in 7' or 'loss in 4'.
///
/// >>> import stoa
/// >>> position = stoa.Game("colonnade").position("-/br/rb/-/-/-/-/- r")
/// >>> score = stoa.Engine("colonnade").think(position, depth=9).score
/// >>> str(score), score.is_proven, score.win_probability
/// ('loss in 4', True, 0.0)
#[pyclass(frozen, eq, ord, hash, module = "stoa")]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Score {
    inner: stoa_engine::Score,
}

#[pymethods]
impl Score {
    /// Points, of which 400 mean winning ten games out of eleven; None if the result is proven.
    #[getter]
    fn points(&self) -> Option<i32> {
        (!self.inner.is_proven()).then(|| self.inner.raw())
    }

    /// The probability with which the player to move wins; a draw counts half.
    #[getter]
    fn win_probability(&self) -> f64 {
        self.inner.win_probability()
    }

    /// Whether the game is proven to be won or lost.
    #[getter]
    fn is_proven(&self) -> bool {
        self.inner.is_proven()
    }

    /// Whether the player to move is proven to win.
    #[getter]
    fn is_win(&self) -> bool {
        self.inner.is_win()
    }

    /// Whether the player to move is proven to lose.
    #[getter]
    fn is_loss(&self) -> bool {
        self.inner.is_loss()
    }

    /// After how many turns a proven result comes; None if nothing is proven.
    #[getter]
    fn turns(&self) -> Option<u32> {
        self.inner.turns()
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Score {}>", self.inner)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, "score", [self.inner.raw().to_string()])
    }
}

impl Score {
    /// What was pickled; `None` if the text is not that of a score.
    pub(crate) fn from_text(text: &str) -> Option<Score> {
        let inner = stoa_engine::Score::from_raw(text.parse().ok()?);
        (inner.raw().abs() <= stoa_engine::Score::win_in(0).raw()).then_some(Score { inner })
    }
}
