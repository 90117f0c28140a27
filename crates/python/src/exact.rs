//! Exact answers: tablebases, Colonnade's solution, and proof search.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use stoa_engine::{Knowledge, Stop};
use stoa_files::tablebases;
use stoa_rules::{AnyPosition, Game as RulesGame, colonnade};
use stoa_solve::colonnade::Perfect;
use stoa_solve::proof::Budget;
use stoa_solve::{AnyTablebase, Exact as SolvedValue, Verdict};

use crate::arguments;
use crate::engine::seconds;
use crate::errors::TablebaseError;
use crate::interrupt::interruptible;
use crate::moves::Move;
use crate::pickle::{Reduced, reduce};
use crate::position::{position_of, typed};

/// What is known for certain of a position, for the player to move. `str()` is 'win 7' or 'loss'.
///
/// >>> import stoa
/// >>> value = stoa.probe(stoa.Game("colonnade").position("-/br/rb/-/-/-/-/- r"))
/// >>> str(value), value.verdict, value.plies
/// ('loss 4', 'loss', 4)
#[pyclass(frozen, eq, hash, module = "stoa")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Exact {
    inner: SolvedValue,
}

#[pymethods]
impl Exact {
    /// How the game ends with best play: 'win', 'draw' or 'loss' for the player to move.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.inner.verdict.word()
    }

    /// The same as a number: 1, 0 or -1.
    #[getter]
    fn value(&self) -> i32 {
        match self.inner.verdict {
            Verdict::Win => 1,
            Verdict::Draw => 0,
            Verdict::Loss => -1,
        }
    }

    /// After how many moves of both, if the winner hastens and the loser delays; None if that is not
    /// known.
    #[getter]
    fn plies(&self) -> Option<u32> {
        self.inner.plies
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Exact: {}>", self.inner)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, "exact", [self.inner.to_string()])
    }
}

impl Exact {
    /// What was pickled, such as 'win 7'; `None` if the text is something else.
    pub(crate) fn from_text(text: &str) -> Option<Exact> {
        let (word, plies) = match text.split_once(' ') {
            Some((word, plies)) => (word, Some(plies.parse().ok()?)),
            None => (text, None),
        };
        Some(Exact { inner: SolvedValue { verdict: verdict_of(word)?, plies } })
    }
}

fn verdict_of(word: &str) -> Option<Verdict> {
    [Verdict::Win, Verdict::Draw, Verdict::Loss].into_iter().find(|verdict| verdict.word() == word)
}

/// Where values come from.
enum Source {
    Table(AnyTablebase),
    /// Colonnade is solved without a file.
    Perfect,
    Nothing,
}

impl Source {
    /// A file, or the table in the folder of tablebases, or what is known without one.
    fn find(position: &AnyPosition, table: Option<&Path>) -> PyResult<Source> {
        let without_file = match position.downcast::<colonnade::Position>() {
            Some(_) => Source::Perfect,
            None => Source::Nothing,
        };
        match tablebases::open(position.game(), table) {
            Ok(table) => Ok(Source::Table(table)),
            Err(
                tablebases::Error::NotSolved(_)
                | tablebases::Error::NoFolder
                | tablebases::Error::NotMade(_),
            ) if table.is_none() => Ok(without_file),
            Err(error) => Err(TablebaseError::new_err(error.to_string())),
        }
    }

    /// The value of a position; nothing if it is not known, or if the search was stopped.
    fn value(&self, position: &AnyPosition, stop: &Stop) -> PyResult<Option<SolvedValue>> {
        match self {
            Source::Table(table) => {
                table.value(position).map_err(|error| TablebaseError::new_err(error.to_string()))
            }
            Source::Perfect => {
                let solved = Solved::of_this_process();
                let mut solved = solved.lock().map_err(|_| {
                    PyRuntimeError::new_err("an internal error of Stoa; please report it")
                })?;
                if solved.is_none() {
                    *solved = Perfect::new(stop);
                }
                let position: Option<&colonnade::Position> = position.downcast();
                Ok(solved.as_mut().zip(position).and_then(|(solved, p)| solved.value(p, stop)))
            }
            Source::Nothing => Ok(None),
        }
    }
}

/// Colonnade's solution, made with the first question. A process that was forked while another thread
/// held the lock would wait for it forever, so each process has a solution of its own.
struct Solved {
    process: u32,
    perfect: Mutex<Option<Perfect>>,
    of_children: OnceLock<Box<Solved>>,
}

impl Solved {
    fn new() -> Solved {
        let process = std::process::id();
        Solved { process, perfect: Mutex::new(None), of_children: OnceLock::new() }
    }

    fn of_this_process() -> &'static Mutex<Option<Perfect>> {
        static FIRST: OnceLock<Solved> = OnceLock::new();
        let mut solved = FIRST.get_or_init(Solved::new);
        while solved.process != std::process::id() {
            solved = solved.of_children.get_or_init(|| Box::new(Solved::new()));
        }
        &solved.perfect
    }
}

/// What best play leads to, if that is known for certain: from the file `table`, from the game's
/// tablebase where there is one, and for Colonnade always. Otherwise None.
///
/// >>> import stoa
/// >>> stoa.probe(stoa.Game("colonnade").start()).verdict
/// 'loss'
/// >>> print(stoa.probe(stoa.Game("columna").start()))
/// None
#[pyfunction]
#[pyo3(signature = (position, *, table=None))]
pub(crate) fn probe(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    table: Option<PathBuf>,
) -> PyResult<Option<Exact>> {
    let position = position_of(position)?;
    let value =
        interruptible(py, |stop| Source::find(position, table.as_deref())?.value(position, stop))??;
    Ok(value.map(|inner| Exact { inner }))
}

/// Every legal move with what it is worth for the player who makes it, the best first; with None where
/// that is not known.
///
/// >>> import stoa
/// >>> moves = stoa.probe_moves(stoa.Game("colonnade").position("-/br/rb/-/-/-/-/- r"))
/// >>> [(str(move), str(value)) for move, value in moves]
/// [('2c<', 'loss 4'), ('1b<', 'loss 2')]
#[pyfunction]
#[pyo3(signature = (position, *, table=None))]
pub(crate) fn probe_moves(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    table: Option<PathBuf>,
) -> PyResult<Vec<(Move, Option<Exact>)>> {
    let position = position_of(position)?;
    let mut moves = interruptible(py, |stop| -> PyResult<_> {
        let source = Source::find(position, table.as_deref())?;
        let mut moves = Vec::new();
        for text in position.legal_moves() {
            let mut after = position.clone();
            // A move from the list of legal ones is legal.
            let _ = after.play(&text);
            moves.push((text, source.value(&after, stop)?.map(SolvedValue::before)));
        }
        Ok(moves)
    })??;
    moves.sort_by(|(_, one), (_, other)| match (one, other) {
        (Some(one), Some(other)) => other.compare(one),
        _ => other.is_some().cmp(&one.is_some()),
    });
    let game = position.game();
    let exact = |(text, value): (String, Option<SolvedValue>)| {
        (Move { game, text }, value.map(|inner| Exact { inner }))
    };
    Ok(moves.into_iter().map(exact).collect())
}

/// What a proof search has found.
#[pyclass(frozen, module = "stoa")]
pub(crate) struct Proof {
    game: RulesGame,
    verdict: Option<Verdict>,
    line: Vec<Move>,
    nodes: u64,
    time: f64,
}

#[pymethods]
impl Proof {
    /// What the player to move gets with best play, 'win', 'draw' or 'loss'; None if it is not proven.
    #[getter]
    fn verdict(&self) -> Option<&'static str> {
        self.verdict.map(Verdict::word)
    }

    /// How a proven game goes on.
    #[getter]
    fn line(&self) -> Vec<Move> {
        self.line.clone()
    }

    /// How many positions were looked at.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How long it took, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.time
    }

    fn __repr__(&self) -> String {
        format!("<Proof: {}>", self.verdict.map_or("nothing is proven", Verdict::word))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let verdict = self.verdict.map_or("", Verdict::word).to_owned();
        let numbers = [self.nodes.to_string(), self.time.to_string()];
        let moves = self.line.iter().map(|mv| mv.text.clone());
        let head = [self.game.to_string(), verdict];
        reduce(py, "proof", head.into_iter().chain(numbers).chain(moves))
    }
}

impl Proof {
    /// What was pickled; `None` if the parts are not those of a proof.
    pub(crate) fn from_parts(game: RulesGame, parts: &[&str]) -> Option<Proof> {
        let [verdict, nodes, time, moves @ ..] = parts else { return None };
        let verdict = if verdict.is_empty() { None } else { Some(verdict_of(verdict)?) };
        let line = moves.iter().map(|&text| Move { game, text: text.to_owned() }).collect();
        Some(Proof { game, verdict, line, nodes: nodes.parse().ok()?, time: time.parse().ok()? })
    }
}

/// Tries to prove what a position of any game is worth, by a search that looks at no more than
/// `nodes` positions and takes no more than `time` seconds, where these are given. Ctrl-C ends it.
///
/// >>> import stoa
/// >>> proof = stoa.prove(stoa.Game("impasse").position("1w6/8/8/4W3/8/8/8/6b1 w"))
/// >>> proof.verdict, str(proof.line[0])
/// ('loss', 'e5-a1*+a1>b8')
#[pyfunction]
#[pyo3(signature = (position, *, nodes=None, time=None))]
pub(crate) fn prove(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::nodes)] nodes: Option<u64>,
    time: Option<f64>,
) -> PyResult<Proof> {
    let position = position_of(position)?;
    let budget = Budget { nodes, time: time.map(seconds).transpose()?, ..Budget::default() };
    interruptible(py, |stop| typed!(position, |p: P| proof_of(p, &budget, stop)))
}

fn proof_of<P: Knowledge>(position: &P, budget: &Budget, stop: &Stop) -> Proof {
    let game = P::game(position.options());
    let answer = stoa_solve::proof::prove(position, budget, stop, &mut |_| {});
    let mut at = position.clone();
    let mut line = Vec::new();
    for &mv in &answer.line {
        line.push(Move { game, text: at.move_text(mv) });
        at.play_unchecked(mv);
    }
    let (verdict, time) = (answer.value(), answer.time.as_secs_f64());
    Proof { game, verdict, line, nodes: answer.nodes, time }
}
