//! Positions.

use std::hash::{DefaultHasher, Hash, Hasher};

use numpy::{PyArray1, PyArray3, PyArrayDyn, PyArrayMethods as _};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use stoa_arrays::Shape;
use stoa_draw::board::Charset;
use stoa_draw::{Marks, pixels};
use stoa_engine::Stop;
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Notation, Position as _, Session, Side, Symmetry};

use crate::arguments::{self, integer, shown};
use crate::errors::{IllegalAction, OrRaise};
use crate::game::Game;
use crate::interrupt::interruptible;
use crate::moves::{Move, move_text};
use crate::numbers::{action_list, array_for, for_writing};
use crate::outcome::{Outcome, player};
use crate::pickle::{Reduced, reduce};
use crate::record::Record;

/// A position of any game. It never changes: `play` returns another one.
///
/// Positions are equal if the same moves lead to the same results from them. `str()` is the canonical
/// text, which `Game.position` reads again; in a notebook a position draws itself.
///
/// >>> import stoa
/// >>> start = stoa.Game("impasse").start()
/// >>> position = start.play("d2-b4")
/// >>> str(position)
/// '1W1b1W1b/b1W1b1W1/8/8/1w6/8/1B3B1w/w1B1w1B1 b'
/// >>> position == stoa.Game("impasse").position(str(position))
/// True
/// >>> len(position.moves()), position.outcome()
/// (25, None)
#[pyclass(frozen, module = "stoa")]
pub(crate) struct Position {
    pub(crate) inner: AnyPosition,
}

/// Runs an expression with a position in its own type.
macro_rules! typed {
    ($position:expr, |$typed:ident: $type:ident| $body:expr) => {
        stoa_rules::dispatch!($position.game(), |$type, _options| {
            let $typed: &$type = $position.downcast().expect("a position has its game's type");
            $body
        })
    };
}
pub(crate) use typed;

impl Position {
    fn mv(&self, text: String) -> Move {
        Move { game: self.inner.game(), text }
    }

    fn symmetry(&self, argument: &Bound<'_, PyAny>) -> PyResult<usize> {
        let count = self.symmetries();
        let known = integer(argument)?.and_then(|number| usize::try_from(number).ok());
        known.filter(|&symmetry| symmetry < count).ok_or_else(|| {
            let symmetry = shown(argument);
            let message = format!("there is no symmetry {symmetry}; they are 0 to {}", count - 1);
            PyIndexError::new_err(message)
        })
    }

    /// The number of an action, which need not be legal.
    #[inline]
    fn known_action(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        match integer(action)?.map(usize::try_from) {
            Some(Ok(number)) => Ok(number),
            _ => Err(self.no_action(action)),
        }
    }

    /// The exception for a number that is no action of any position.
    #[cold]
    fn no_action(&self, action: &Bound<'_, PyAny>) -> PyErr {
        let (game, number) = (self.inner.game(), shown(action));
        let last = Shape::of(game).actions - 1;
        let message = format!("there is no action {number}; {game} has the actions 0 to {last}");
        let error = IllegalAction::new_err(message);
        match error.value(action.py()).setattr("action", action) {
            Ok(()) => error,
            Err(failure) => failure,
        }
    }
}

#[pymethods]
impl Position {
    /// The game with its options.
    #[getter]
    fn game(&self) -> Game {
        Game { inner: self.inner.game() }
    }

    /// The canonical text, the same as `str(position)`.
    #[getter]
    fn text(&self) -> String {
        self.inner.text()
    }

    /// Whose turn it is, or would be: 0 for the player who moves first in the game, 1 for the other.
    #[getter]
    fn player(&self) -> usize {
        self.inner.side_to_move().index()
    }

    /// The name of the player whose turn it is, such as 'White'.
    #[getter]
    fn player_name(&self) -> &'static str {
        self.inner.game().side_name(self.inner.side_to_move())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.outcome().is_some()
    }

    /// How the game ended; None while it goes on.
    ///
    /// >>> import stoa
    /// >>> str(stoa.Game("colonnade").position("r/-/-/-/-/-/-/- b").outcome())
    /// 'red wins (no-move)'
    fn outcome(&self) -> Option<Outcome> {
        let game = self.inner.game();
        self.inner.outcome().map(|inner| Outcome { game, inner })
    }

    /// Every legal move, always in the same order; none when the game is over.
    ///
    /// >>> import stoa
    /// >>> [str(move) for move in stoa.Game("palisade:3").start().moves()]
    /// ['a1', 'c1', 'b2', 'a3', 'c3']
    fn moves(&self) -> Vec<Move> {
        self.inner.legal_moves().into_iter().map(|text| self.mv(text)).collect()
    }

    /// How many legal moves there are, without listing them.
    #[getter]
    fn move_count(&self) -> usize {
        self.inner.count_moves()
    }

    /// Whether a move, or its text, is legal.
    ///
    /// >>> import stoa
    /// >>> start = stoa.Game("impasse").start()
    /// >>> start.is_legal("d2-b4"), start.is_legal("d2-b5"), start.is_legal("nonsense")
    /// (True, False, False)
    #[pyo3(signature = (r#move))]
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let text = move_text(r#move, self.inner.game())?;
        Ok(self.inner.clone().play(&text).is_ok())
    }

    /// The position after a move, which may be given as text. A move that is not legal raises
    /// `IllegalMove` with the rule that forbids it.
    ///
    /// >>> import stoa
    /// >>> position = stoa.Game("impasse").position("1w6/8/8/4W3/8/8/8/6b1 w")
    /// >>> str(position.play("e5-a1*+a1>b8"))
    /// '1W6/8/8/8/8/8/8/6b1 b'
    /// >>> try:
    /// ...     position.play("e5-a1*")
    /// ... except stoa.IllegalMove as error:
    /// ...     print(error)
    /// ...     print(error.rule, "|", error.example)
    /// e5-a1* is not legal: a crown is due (impasse clause 4), for example e5-a1*+a1>b8
    /// impasse clause 4 | e5-a1*+a1>b8
    #[pyo3(signature = (r#move))]
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Position> {
        let text = move_text(r#move, self.inner.game())?;
        let mut next = self.inner.clone();
        next.play(&text).or_raise(r#move.py())?;
        Ok(Position { inner: next })
    }

    /// The legal actions: for each legal move its number in the game's action space, in the same
    /// order as `moves`.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("palisade:3").start().legal_actions()
    /// [0, 2, 4, 6, 8]
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut actions = Vec::new();
        stoa_arrays::legal_actions(&self.inner, &mut actions).or_raise(py)?;
        action_list(py, &actions)
    }

    /// The legal actions as an array of int8: 1 for those that are legal, 0 for the others.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("palisade:3").start().legal_mask()
    /// array([1, 0, 1, 0, 1, 0, 1, 0, 1], dtype=int8)
    #[pyo3(signature = (*, out=None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
        let array = array_for::<i8>(py, out, &[Shape::of(self.inner.game()).actions])?;
        let mut mask = for_writing(&array)?;
        stoa_arrays::legal_mask(&self.inner, mask.as_slice_mut()?).or_raise(py)?;
        drop(mask);
        Ok(array)
    }

    /// The position after an action. An action that is not legal raises `IllegalAction`.
    ///
    /// >>> import stoa
    /// >>> str(stoa.Game("palisade:3").start().play_action(4))
    /// '3/1b1/3 w'
    #[inline]
    fn play_action(&self, action: &Bound<'_, PyAny>) -> PyResult<Position> {
        let known = self.known_action(action)?;
        Ok(Position { inner: stoa_arrays::play(&self.inner, known).or_raise(action.py())? })
    }

    /// The action of a move, which may be given as text.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("palisade:7").start().action("d4")
    /// 24
    #[pyo3(signature = (r#move))]
    fn action(&self, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
        let text = move_text(r#move, self.inner.game())?;
        stoa_arrays::action_of(&self.inner, &text).or_raise(r#move.py())
    }

    /// The move of a legal action.
    ///
    /// >>> import stoa
    /// >>> str(stoa.Game("palisade:7").start().move(24))
    /// 'd4'
    #[pyo3(name = "move")]
    fn move_of(&self, action: &Bound<'_, PyAny>) -> PyResult<Move> {
        let known = self.known_action(action)?;
        Ok(self.mv(stoa_arrays::move_of(&self.inner, known).or_raise(action.py())?))
    }

    /// What a player sees, as an array of float32 with the shape `Game.observation_shape`. Without
    /// a player, what the player to move sees. The rows of each plane go from the bottom up, and all
    /// values are from 0 to 1.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("palisade:3").start().play("b2").observation()[1]
    /// array([[0., 0., 0.],
    ///        [0., 1., 0.],
    ///        [0., 0., 0.]], dtype=float32)
    #[pyo3(signature = (player=None, *, out=None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = player)] player: Option<Side>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let viewer = player.unwrap_or_else(|| self.inner.side_to_move());
        let shape = Shape::of(self.inner.game());
        let array = array_for::<f32>(py, out, &[shape.planes, shape.rows, shape.columns])?;
        let mut planes = for_writing(&array)?;
        stoa_arrays::observe(&self.inner, viewer, planes.as_slice_mut()?);
        drop(planes);
        Ok(array)
    }

    /// The board, to be printed. The charset is 'unicode', 'ascii', or 'colour' for terminals.
    ///
    /// >>> import stoa
    /// >>> print(stoa.Game("palisade:3").start().play("b2").board("ascii"))
    ///         w   b   w
    /// <BLANKLINE>
    ///  3  w   .   ,   .   w
    /// <BLANKLINE>
    ///  2  b   ,   b   ,   b
    /// <BLANKLINE>
    ///  1  w   .   ,   .   w
    /// <BLANKLINE>
    ///         w   b   w
    ///         a   b   c
    #[pyo3(signature = (charset="unicode"))]
    fn board(&self, charset: &str) -> PyResult<String> {
        let charset = match charset {
            "unicode" => Charset::Mono,
            "ascii" => Charset::Ascii,
            "colour" | "color" => Charset::Colour,
            other => {
                return Err(PyValueError::new_err(format!(
                    "there is no charset '{other}'; there are unicode, ascii and colour"
                )));
            }
        };
        let picture = stoa_draw::picture(&self.inner, &Marks::default(), charset);
        Ok(picture.trim_end_matches('\n').to_owned())
    }

    /// The board as a picture: the text of an SVG file.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("impasse").start().svg().startswith("<svg")
    /// True
    fn svg(&self) -> String {
        stoa_draw::svg::draw(self.inner.game(), &self.inner.view(), &Marks::default())
    }

    /// The board as pixels: an array of uint8 with rows, columns, and red, green and blue. `size` is the
    /// number of pixels along the longer side.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("impasse").start().image(256).shape
    /// (256, 256, 3)
    #[pyo3(signature = (size=512))]
    fn image<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = pixels_a_side)] size: u32,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let drawn = pixels::draw(&self.inner, size)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let shape = [drawn.height as usize, drawn.width as usize, 3];
        PyArray1::from_vec(py, drawn.rgb).reshape(shape)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// The number of sequences of exactly `depth` moves. Ctrl-C ends the count.
    ///
    /// >>> import stoa
    /// >>> [stoa.Game("impasse").start().perft(depth) for depth in range(5)]
    /// [1, 22, 492, 9692, 193139]
    fn perft(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::depth)] depth: u32,
    ) -> PyResult<u64> {
        let position = &self.inner;
        let counted = interruptible(py, |stop| typed!(position, |p: P| count(p, depth, stop)))?;
        Ok(counted.unwrap_or_default())
    }

    /// A random game from here to its end, as a record. The same seed gives the same game.
    ///
    /// >>> import stoa
    /// >>> record = stoa.Game("colonnade").start().random_game(seed=7)
    /// >>> len(record.moves) > 5, record.final.is_over
    /// (True, True)
    #[pyo3(signature = (seed=0))]
    fn random_game(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<Record> {
        let mut rng = Rng::for_game(seed, 0);
        let mut session = Session::new(self.inner.clone());
        loop {
            let position = session.position();
            let text = typed!(position, |p: P| {
                p.nth_move(rng.below(p.count_moves())).map(|mv| p.move_text(mv))
            });
            let Some(text) = text else { break };
            session.play(&text).or_raise(py)?;
        }
        Ok(Record { inner: (&session).into() })
    }

    /// How many symmetries the game has; number 0 changes nothing.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("impasse").start().symmetries, stoa.Game("palisade").start().symmetries
    /// (2, 8)
    #[getter]
    fn symmetries(&self) -> usize {
        typed!(self.inner, |p: P| p.symmetries())
    }

    /// The position seen through a symmetry: the board turned or reflected, in some with the players
    /// exchanged. What is played in it is what would be played here.
    ///
    /// >>> import stoa
    /// >>> str(stoa.Game("palisade:3").start().play("a1").transform(1))
    /// '3/3/2b w'
    fn transform(&self, symmetry: &Bound<'_, PyAny>) -> PyResult<Position> {
        let symmetry = self.symmetry(symmetry)?;
        let inner = typed!(self.inner, |p: P| AnyPosition::new(p.transform(symmetry)));
        Ok(Position { inner })
    }

    /// The move of the transformed position that a legal move here becomes.
    ///
    /// >>> import stoa
    /// >>> str(stoa.Game("palisade:3").start().transform_move("a1", 1))
    /// 'c1'
    #[pyo3(signature = (r#move, symmetry))]
    fn transform_move(
        &self,
        r#move: &Bound<'_, PyAny>,
        symmetry: &Bound<'_, PyAny>,
    ) -> PyResult<Move> {
        let symmetry = self.symmetry(symmetry)?;
        let py = r#move.py();
        let text = move_text(r#move, self.inner.game())?;
        // Says what is wrong with a move that is not legal.
        let text = self.inner.clone().play(&text).or_raise(py)?;
        let seen = typed!(self.inner, |p: P| {
            let mv = p.parse_move(&text).map_err(stoa_rules::MoveError::from).or_raise(py)?;
            p.transform(symmetry).move_text(p.transform_move(mv, symmetry))
        });
        Ok(self.mv(seen))
    }

    /// The action of the transformed position that a legal action here becomes.
    ///
    /// >>> import stoa
    /// >>> stoa.Game("palisade:3").start().transform_action(0, 1)
    /// 2
    fn transform_action(
        &self,
        action: &Bound<'_, PyAny>,
        symmetry: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let symmetry = self.symmetry(symmetry)?;
        let known = self.known_action(action)?;
        stoa_arrays::transform_action(&self.inner, known, symmetry).or_raise(action.py())
    }

    /// A well-mixed hash of 64 bits, the same in every version and on every machine. The options of
    /// the game are not part of it.
    #[getter]
    fn key(&self) -> u64 {
        self.inner.key()
    }

    /// No game goes on for more turns than this from here.
    #[getter]
    fn max_plies_left(&self) -> u32 {
        self.inner.turns_left_at_most()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Position>().is_ok_and(|other| other.get().inner == self.inner)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.inner.game(), self.inner.key()).hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.inner.text()
    }

    fn __repr__(&self) -> String {
        format!("Game('{}').position('{}')", self.inner.game(), self.inner.text())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, "position", [self.inner.game().to_string(), self.inner.text()])
    }
}

/// The size of a picture.
fn pixels_a_side(argument: &Bound<'_, PyAny>) -> PyResult<u32> {
    let size = arguments::number(argument, "size", 1..=pixels::MAX_SIZE.into())?;
    Ok(size as u32)
}

/// The number of sequences of moves; `None` if it was stopped.
fn count<P: stoa_rules::Position>(position: &P, depth: u32, stop: &Stop) -> Option<u64> {
    /// This far from the end there are so few that nobody needs to stop.
    const MAX_UNSTOPPED: u32 = 3;
    if stop.is_stopped() {
        return None;
    }
    if depth <= MAX_UNSTOPPED {
        return Some(stoa_rules::perft(position, depth));
    }
    position.legal_moves().into_iter().try_fold(0u64, |leaves, mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        count(&next, depth - 1, stop).map(|more| leaves.wrapping_add(more))
    })
}

/// The position of an argument that must be one.
pub(crate) fn position_of<'a>(argument: &'a Bound<'_, PyAny>) -> PyResult<&'a AnyPosition> {
    match argument.cast::<Position>() {
        Ok(position) => Ok(&position.get().inner),
        Err(_) => {
            let found = argument.get_type().name()?;
            Err(PyTypeError::new_err(format!("expected a Position, found {found}")))
        }
    }
}
