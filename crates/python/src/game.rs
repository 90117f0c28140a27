//! The games by name.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use stoa_arrays::Shape;
use stoa_draw::board::Charset;
use stoa_rules::Game as RulesGame;

use crate::errors::OrRaise;
use crate::pickle::{Reduced, reduce};
use crate::position::Position;

/// A game with its options, by its id: 'impasse', 'palisade:7', 'columna:points'.
///
/// >>> import stoa
/// >>> game = stoa.Game("palisade:7")
/// >>> game.name, game.designer, game.option
/// ('Palisade', 'Mark Steere', '7')
/// >>> str(game.start())
/// '7/7/7/7/7/7/7 b'
/// >>> stoa.Game("chess")
/// Traceback (most recent call last):
///     ...
/// stoa.UnknownGame: there is no game 'chess'; the games are colonnade, impasse, ...
#[pyclass(frozen, eq, hash, module = "stoa")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Game {
    pub(crate) inner: RulesGame,
}

#[pymethods]
impl Game {
    #[new]
    fn new(id: &Bound<'_, PyAny>) -> PyResult<Game> {
        game_of(id).map(|inner| Game { inner })
    }

    /// The canonical id.
    #[getter]
    fn id(&self) -> String {
        self.inner.to_string()
    }

    /// The game's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.inner.info().name
    }

    /// Who made the game.
    #[getter]
    fn designer(&self) -> &'static str {
        self.inner.info().designer
    }

    /// The year of its publication.
    #[getter]
    fn year(&self) -> u16 {
        self.inner.info().year
    }

    /// The board in a few words.
    #[getter]
    fn board(&self) -> &'static str {
        self.inner.info().board
    }

    /// The aim of the game in a sentence.
    #[getter]
    fn aim(&self) -> &'static str {
        self.inner.info().aim
    }

    /// The names of the players; the first one moves first.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("impasse").sides
    /// ('White', 'Black')
    #[getter]
    fn sides(&self) -> (&'static str, &'static str) {
        let [first, second] = self.inner.info().sides;
        (first, second)
    }

    /// Whether a game can be drawn.
    #[getter]
    fn draws(&self) -> bool {
        self.inner.info().draws
    }

    /// The word for the chosen option, such as '7'; None if the game has no options.
    #[getter]
    fn option(&self) -> Option<String> {
        self.inner.option()
    }

    /// The same game with all its options.
    ///
    /// >>> import stoa
    /// >>> [game.id for game in stoa.Game("columna").variants()]
    /// ['columna', 'columna:points']
    fn variants(&self) -> Vec<Game> {
        self.inner.own_variants().map(|inner| Game { inner }).collect()
    }

    /// The position in which the game begins.
    fn start(&self) -> Position {
        Position { inner: self.inner.start() }
    }

    /// The position of a text.
    ///
    /// >>> import stoa
    /// >>> position = stoa.Game("impasse").position("8/2W5/1w6/8/8/8/8/6b1 w")
    /// >>> [str(move) for move in position.moves()][-1]
    /// 'c7=b6'
    /// >>> stoa.Game("impasse").position("8/8 w")
    /// Traceback (most recent call last):
    ///     ...
    /// stoa.ParseError: expected '/' after the 8 squares of this rank, found ' '
    ///   8/8 w
    ///      ^
    fn position(&self, py: Python<'_>, text: &str) -> PyResult<Position> {
        Ok(Position { inner: self.inner.position(text).or_raise(py)? })
    }

    /// How many actions there are: the length of every mask.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("palisade:7").action_count
    /// 49
    #[getter]
    fn action_count(&self) -> usize {
        Shape::of(self.inner).actions
    }

    /// The shape of an observation: planes, rows, columns.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("impasse").observation_shape
    /// (4, 8, 8)
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let shape = Shape::of(self.inner);
        (shape.planes, shape.rows, shape.columns)
    }

    /// What each plane of an observation shows.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("impasse").planes
    /// ['own singles', 'own doubles', 'opposing singles', 'opposing doubles']
    #[getter]
    fn planes(&self) -> Vec<&'static str> {
        stoa_arrays::planes(self.inner).to_vec()
    }

    /// The most turns that a game can take.
    #[getter]
    fn max_plies(&self) -> u32 {
        self.inner.start().turns_left_at_most()
    }

    /// The rules in words, with diagrams.
    ///
    /// >>> import stoa
    /// >>> print(stoa.Game("impasse").rules().splitlines()[0])
    /// IMPASSE
    fn rules(&self) -> String {
        stoa_draw::rules_text::lay_out(self.inner, 80, Charset::Mono).plain()
    }

    fn __str__(&self) -> String {
        self.id()
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.inner)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, "game", [self.id()])
    }
}

/// Every game with its usual options.
///
/// >>> import stoa
/// >>> [game.id for game in stoa.games() if game.designer == "Mark Steere"]
/// ['colonnade', 'impasse', 'palisade']
#[pyfunction]
pub(crate) fn games() -> Vec<Game> {
    RulesGame::ALL.into_iter().map(|inner| Game { inner }).collect()
}

/// The game of an id.
pub(crate) fn read_game(py: Python<'_>, id: &str) -> PyResult<RulesGame> {
    id.parse::<RulesGame>().or_raise(py)
}

/// The game of an argument that is a game or its id.
pub(crate) fn game_of(argument: &Bound<'_, PyAny>) -> PyResult<RulesGame> {
    if let Ok(game) = argument.cast::<Game>() {
        return Ok(game.get().inner);
    }
    match argument.cast::<PyString>() {
        Ok(id) => read_game(argument.py(), &id.to_cow()?),
        Err(_) => {
            let found = argument.get_type().name()?;
            Err(PyTypeError::new_err(format!("expected a Game or its id, found {found}")))
        }
    }
}
