//! Whole games as text.

use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use stoa_rules::record::GLYPHS;
use stoa_rules::{Game as RulesGame, Outcome as RulesOutcome, Reason, Session, Side};

use crate::arguments;
use crate::errors::{GameOver, OrRaise};
use crate::game::{Game, game_of};
use crate::moves::{Move, move_text};
use crate::outcome::{Outcome, player};
use crate::pickle::{Reduced, reduce};
use crate::position::Position;

/// A whole game: where it began, its moves, who played, how it ended, what was said about it. It
/// never changes: methods return another record. `str()` is its canonical text.
///
/// >>> import stoa
/// >>> record = stoa.Record("colonnade", ["1b<", "1g>"]).with_tag("red", "Ada")
/// >>> print(record)
/// game: colonnade
/// red: Ada
/// result: unfinished
/// <BLANKLINE>
/// 1. 1b< 1g>
/// <BLANKLINE>
/// >>> stoa.Record.parse(str(record)) == record
/// True
#[pyclass(frozen, eq, module = "stoa")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) inner: stoa_rules::Record,
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (start, moves=None))]
    fn new(start: &Bound<'_, PyAny>, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Record> {
        let position = match start.cast::<Position>() {
            Ok(position) => position.get().inner.clone(),
            Err(_) => game_of(start)
                .map_err(|error| {
                    if !error.is_instance_of::<PyTypeError>(start.py()) {
                        return error;
                    }
                    PyTypeError::new_err("a record begins with a Position, a Game or its id")
                })?
                .start(),
        };
        let game = position.game();
        let mut session = Session::new(position);
        if let Some(moves) = moves {
            if moves.is_instance_of::<PyString>() {
                let message = "moves must be a list of moves or of their texts, not one text";
                return Err(PyTypeError::new_err(message));
            }
            for mv in moves.try_iter()? {
                let mv = mv?;
                session.play(&move_text(&mv, game)?).or_raise(start.py())?;
            }
        }
        Ok(Record { inner: (&session).into() })
    }

    /// Reads a record. Every move of every variation is checked.
    ///
    /// >>> import stoa
    /// >>> stoa.Record.parse("game: colonnade\nresult: unfinished\n\n1. 1a<\n")
    /// Traceback (most recent call last):
    ///     ...
    /// stoa.RecordError: line 4: 1a< is not legal: a is empty (colonnade clause 2), for example 1b<
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Record> {
        Ok(Record { inner: stoa_rules::Record::parse(text).or_raise(py)? })
    }

    /// Reads a record from a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Record> {
        let text = py.detach(|| stoa_files::read_text(&path)).map_err(|error| {
            PyOSError::new_err(format!("cannot read {}: {error}", path.display()))
        })?;
        Record::parse(py, &text)
    }

    /// Writes the record to a file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let text = self.inner.to_string();
        py.detach(|| stoa_files::write_atomically(&path, &text))
            .map_err(|error| PyOSError::new_err(sentence(&error)))
    }

    /// The game with its options.
    #[getter]
    fn game(&self) -> Game {
        Game { inner: self.inner.game() }
    }

    /// Where the game began.
    #[getter]
    fn start(&self) -> Position {
        Position { inner: self.inner.start().clone() }
    }

    /// The position after the last move.
    #[getter]
    fn r#final(&self) -> Position {
        Position { inner: self.inner.session().position().clone() }
    }

    /// The moves of the main line.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        let game = self.inner.game();
        let mv = |node: &stoa_rules::record::Node| Move { game, text: node.text().to_owned() };
        self.inner.main_line().map(mv).collect()
    }

    /// Every position of the main line, the start included.
    ///
    /// >>> import stoa
    /// >>> [position.player_name for position in stoa.Record("colonnade", ["1b<"]).positions()]
    /// ['Red', 'Blue']
    fn positions(&self, py: Python<'_>) -> PyResult<Vec<Position>> {
        let mut position = self.inner.start().clone();
        let mut positions = vec![Position { inner: position.clone() }];
        for node in self.inner.main_line() {
            position.play(node.text()).or_raise(py)?;
            positions.push(Position { inner: position.clone() });
        }
        Ok(positions)
    }

    /// The moves of the main line with comments, signs and variations.
    #[getter]
    fn nodes(&self) -> Vec<Node> {
        nodes(self.inner.game(), self.inner.main_line())
    }

    /// Header lines such as 'date', and the players by the names of their sides.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        self.inner.tags().try_for_each(|(key, value)| tags.set_item(key, value))?;
        Ok(tags)
    }

    /// How the game ended; None if it has not.
    #[getter]
    fn result(&self) -> Option<Outcome> {
        let game = self.inner.game();
        self.inner.result().map(|inner| Outcome { game, inner })
    }

    /// What was said before the first move.
    #[getter]
    fn comment(&self) -> &str {
        self.inner.comment()
    }

    /// The record with one more move.
    ///
    /// >>> import stoa
    /// >>> [str(move) for move in stoa.Record("colonnade").play("1b<").moves]
    /// ['1b<']
    #[pyo3(signature = (r#move))]
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Record> {
        let py = r#move.py();
        let text = move_text(r#move, self.inner.game())?;
        let mut session = self.inner.session();
        session.play(&text).or_raise(py)?;
        if let Some(outcome) = self.result() {
            let message =
                format!("{text} is not legal: the game is over, {}", outcome_text(&outcome));
            return Err(GameOver::new_err(message));
        }
        let mut inner = self.inner.clone();
        inner.follow(&session);
        Ok(Record { inner })
    }

    /// The record with a header line; an empty value removes it.
    fn with_tag(&self, key: &str, value: &str) -> PyResult<Record> {
        let mut inner = self.inner.clone();
        if !inner.set_tag(key, value) {
            return Err(PyValueError::new_err(format!(
                "{key:?} cannot be a header line: the keys have letters a-z, digits and '-', and \
                 game, start and result are set by the record itself"
            )));
        }
        Ok(Record { inner })
    }

    /// The record with something said before the first move.
    fn with_comment(&self, comment: &str) -> Record {
        let mut inner = self.inner.clone();
        inner.set_comment(comment);
        Record { inner }
    }

    /// The record with a move of the main line judged ('!!', '!', '!?', '?!', '?', '??' or nothing) and
    /// commented. Moves are counted from zero; as in a list, -1 is the last one.
    ///
    /// >>> import stoa
    /// >>> record = stoa.Record("colonnade", ["1b<"]).annotate(0, "!", "bold")
    /// >>> record.nodes[0].glyph, record.nodes[0].comment
    /// ('!', 'bold')
    #[pyo3(signature = (ply, glyph="", comment=""))]
    fn annotate(&self, ply: &Bound<'_, PyAny>, glyph: &str, comment: &str) -> PyResult<Record> {
        let count = self.inner.main_line().len();
        let ply = arguments::place(ply, count, "move", &format!("the game has {count}"))?;
        let mut inner = self.inner.clone();
        if inner.annotate(ply, glyph, comment) {
            return Ok(Record { inner });
        }
        let message = format!("there is no sign {glyph:?}; there are {}", GLYPHS.join(", "));
        Err(PyValueError::new_err(message))
    }

    /// The record of a game that people or clocks have ended: a reason 'resigned', 'time' or
    /// 'abandoned' with a winner, 0 or 1, or 'agreed' for a draw.
    ///
    /// >>> import stoa
    /// >>> str(stoa.Record("colonnade", ["1b<"]).end("resigned", winner=0).result)
    /// 'red wins (resigned)'
    #[pyo3(signature = (reason, winner=None))]
    fn end(
        &self,
        reason: &str,
        #[pyo3(from_py_with = player)] winner: Option<Side>,
    ) -> PyResult<Record> {
        let mut inner = self.inner.clone();
        let known = Reason::from_word(reason);
        if known.is_some_and(|reason| inner.end(RulesOutcome { winner, reason })) {
            return Ok(Record { inner });
        }
        Err(PyValueError::new_err(match self.result() {
            Some(outcome) => format!("the game is over already: {}", outcome_text(&outcome)),
            None => "games are ended by 'resigned', 'time' or 'abandoned' with a winner, or by \
                     'agreed' without one"
                .to_owned(),
        }))
    }

    fn __len__(&self) -> usize {
        self.inner.main_line().len()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.inner.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        let count = self.inner.main_line().len();
        let result = stoa_rules::result_text(self.inner.game(), self.inner.result());
        format!("<Record of {}: {count} moves, {result}>", self.inner.game())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, "record", [self.inner.to_string()])
    }
}

fn outcome_text(outcome: &Outcome) -> String {
    stoa_rules::result_text(outcome.game, Some(outcome.inner))
}

/// An error with what caused it, in one line.
fn sentence(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// A move of a record with what belongs to it.
#[pyclass(frozen, eq, module = "stoa")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Node {
    game: RulesGame,
    inner: stoa_rules::record::Node,
}

#[pymethods]
impl Node {
    /// The move.
    #[getter]
    fn r#move(&self) -> Move {
        Move { game: self.game, text: self.inner.text().to_owned() }
    }

    /// How good it was: '!!', '!', '!?', '?!', '?', '??' or nothing.
    #[getter]
    fn glyph(&self) -> &'static str {
        self.inner.glyph()
    }

    /// What was said about it.
    #[getter]
    fn comment(&self) -> &str {
        self.inner.comment()
    }

    /// Lines that might have been played instead.
    #[getter]
    fn variations(&self) -> Vec<Vec<Node>> {
        self.inner.variations().map(|line| nodes(self.game, line.iter())).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Node {}{}>", self.inner.text(), self.inner.glyph())
    }
}

fn nodes<'a>(
    game: RulesGame,
    line: impl Iterator<Item = &'a stoa_rules::record::Node>,
) -> Vec<Node> {
    line.map(|node| Node { game, inner: node.clone() }).collect()
}
