//! Many games at once.

use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use numpy::{PyArrayDyn, PyUntypedArrayMethods as _};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use stoa_arrays::Shape;
use stoa_rules::Game as RulesGame;

use crate::arguments;
use crate::engine::check_memory;
use crate::errors::OrRaise;
use crate::game::{Game, game_of};
use crate::interrupt::interruptible;
use crate::numbers::{actions_of, array_for, for_writing};
use crate::pickle::{Reduced, reduce_objects};
use crate::position::{Position, position_of};

/// The most games of a batch.
const MAX_GAMES: u64 = 1 << 20;

/// The most games that `random_games` plays in one call.
const MAX_RANDOM_GAMES: u64 = 1 << 28;

/// What `random_games` keeps of each game, in bytes.
const RANDOM_GAME_BYTES: usize = 16;

/// More than a position of any game takes, in bytes.
const POSITION_BYTES: usize = 1 << 10;

/// Games of one kind that are stepped together, without a loop in Python and without the interpreter
/// lock. Each game has random numbers of its own, which depend on the seed and its place alone. Threads
/// that step at once need a batch each.
///
/// Arrays that are asked for again and again can be written into the same memory: give the one of
/// last time as `out`.
///
/// >>> import stoa
/// >>> batch = stoa.Batch("palisade:3", 2, seed=1)
/// >>> batch.legal_masks().sum(axis=1)
/// array([5, 5])
/// >>> rewards, done = batch.step([4, 0])
/// >>> rewards, done
/// (array([0., 0.], dtype=float32), array([False, False]))
/// >>> [str(position) for position in batch.positions()]
/// ['3/1b1/3 w', '3/3/b2 w']
#[pyclass(frozen, module = "stoa")]
pub(crate) struct Batch {
    inner: RwLock<stoa_arrays::Batch>,
    game: RulesGame,
    count: usize,
    shape: Shape,
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, size, *, seed=0))]
    fn new(
        game: &Bound<'_, PyAny>,
        size: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<Batch> {
        let game = game_of(game)?;
        let size = arguments::number(size, "size", 1..=MAX_GAMES)?;
        Batch::made(game, size as usize, seed)
    }

    /// A batch of games that stand at these positions, which must be of one game.
    ///
    /// >>> import stoa
    /// >>> start = stoa.Game("impasse").start()
    /// >>> len(stoa.Batch.of([start, start.play("d2-b4")]))
    /// 2
    #[staticmethod]
    #[pyo3(signature = (positions, *, seed=0))]
    fn of(
        positions: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<Batch> {
        let py = positions.py();
        let mut found = Vec::new();
        for position in positions.try_iter()? {
            if found.len() as u64 == MAX_GAMES {
                let message = format!("a batch has at most {MAX_GAMES} positions");
                return Err(PyValueError::new_err(message));
            }
            found.push(position?);
        }
        let Some(first) = found.first() else {
            return Err(PyValueError::new_err("a batch needs at least one position"));
        };
        let batch = Batch::made(position_of(first)?.game(), found.len(), seed)?;
        let mut games = batch.writing()?;
        for (index, position) in found.iter().enumerate() {
            games.set(index, position_of(position)?).or_raise(py)?;
        }
        drop(games);
        Ok(batch)
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { inner: self.game }
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// The position of one of the games; as in a list, -1 is the last one.
    ///
    /// >>> import stoa
    /// >>> str(stoa.Batch("palisade:3", 2).position(-1))
    /// '3/3/3 b'
    fn position(&self, py: Python<'_>, index: &Bound<'_, PyAny>) -> PyResult<Position> {
        let index = self.place(index)?;
        Ok(Position { inner: self.reading()?.position(index).or_raise(py)? })
    }

    /// The positions of all games.
    fn positions(&self, py: Python<'_>) -> PyResult<Vec<Position>> {
        let games = self.reading()?;
        let position = |index| Ok(Position { inner: games.position(index).or_raise(py)? });
        (0..self.count).map(position).collect()
    }

    /// Puts one of the games at a position.
    fn set_position(
        &self,
        py: Python<'_>,
        index: &Bound<'_, PyAny>,
        position: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let index = self.place(index)?;
        self.writing()?.set(index, position_of(position)?).or_raise(py)
    }

    /// Puts all games at the start.
    #[pyo3(signature = (*, seed=0))]
    fn reset(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<()> {
        let mut games = self.writing()?;
        let games = &mut *games;
        py.detach(|| games.reset(seed));
        Ok(())
    }

    /// Takes an action in every game and returns two arrays: rewards, for the players who took the
    /// actions (1 for a win, -1 for a loss, 0 for a draw or a game that goes on), and where the game
    /// is over. With `restart` such games begin anew at once; else their actions are ignored from
    /// then on. If an action is not legal, nothing changes and `IllegalAction` says where.
    ///
    /// >>> import stoa
    /// >>> batch = stoa.Batch("palisade:3", 2)
    /// >>> batch.step([4, 1])
    /// Traceback (most recent call last):
    ///     ...
    /// stoa.IllegalAction: game 1: action 1 is not legal: b1 is not legal: only White may put a stone on b1 (palisade clause 2), for example b2
    #[pyo3(signature = (actions, *, restart=true))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
        restart: bool,
    ) -> PyResult<StepArrays<'py>> {
        let actions = actions_of(actions, self.count)?;
        self.stepped(py, |batch, rewards, done| batch.step(&actions, restart, rewards, done))
    }

    /// The same with a random legal move in every game.
    #[pyo3(signature = (*, restart=true))]
    fn step_random<'py>(&self, py: Python<'py>, restart: bool) -> PyResult<StepArrays<'py>> {
        self.stepped(py, |batch, rewards, done| {
            batch.step_random(restart, rewards, done);
            Ok(())
        })
    }

    /// A random legal action for every game, as an array of int64; -1 where the game is over.
    #[pyo3(signature = (*, out=None))]
    fn random_actions<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
        let array = array_for::<i64>(py, out, &[self.count])?;
        let mut actions = for_writing(&array)?;
        let mut games = self.writing()?;
        let (games, slice) = (&mut *games, actions.as_slice_mut()?);
        py.detach(|| games.random_actions(slice)).or_raise(py)?;
        drop(actions);
        Ok(array)
    }

    /// What the player to move sees in each game, as an array of float32: games, planes, rows, columns.
    ///
    /// >>> import stoa
    /// >>> stoa.Batch("impasse", 3).observations().shape
    /// (3, 4, 8, 8)
    #[pyo3(signature = (*, out=None))]
    fn observations<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let Shape { planes, rows, columns, .. } = self.shape;
        let array = array_for::<f32>(py, out, &[self.count, planes, rows, columns])?;
        let mut values = for_writing(&array)?;
        let games = self.reading()?;
        let (games, slice) = (&*games, values.as_slice_mut()?);
        py.detach(|| games.observe(slice));
        drop(values);
        Ok(array)
    }

    /// The legal actions of each game, as an array of int8: games, actions.
    #[pyo3(signature = (*, out=None))]
    fn legal_masks<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
        let array = array_for::<i8>(py, out, &[self.count, self.shape.actions])?;
        let mut masks = for_writing(&array)?;
        let games = self.reading()?;
        let (games, slice) = (&*games, masks.as_slice_mut()?);
        py.detach(|| games.legal_masks(slice)).or_raise(py)?;
        drop(masks);
        Ok(array)
    }

    /// Who is to move in each game, as an array of int8: 0 for the first player, 1 for the second.
    #[pyo3(signature = (*, out=None))]
    fn players<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
        let array = array_for::<i8>(py, out, &[self.count])?;
        let mut players = for_writing(&array)?;
        self.reading()?.players(players.as_slice_mut()?);
        drop(players);
        Ok(array)
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} games of {}>", self.count, self.game)
    }
}

/// Rewards, and which games are over.
type StepArrays<'py> = (Bound<'py, PyArrayDyn<f32>>, Bound<'py, PyArrayDyn<bool>>);

impl Batch {
    fn made(game: RulesGame, size: usize, seed: u64) -> PyResult<Batch> {
        check_memory(size * POSITION_BYTES)?;
        let inner = RwLock::new(stoa_arrays::Batch::new(game, size, seed));
        Ok(Batch { inner, game, count: size, shape: Shape::of(game) })
    }

    /// The games, to look at.
    fn reading(&self) -> PyResult<RwLockReadGuard<'_, stoa_arrays::Batch>> {
        self.inner.try_read().map_err(|error| busy(&error))
    }

    /// The games, to change them.
    fn writing(&self) -> PyResult<RwLockWriteGuard<'_, stoa_arrays::Batch>> {
        self.inner.try_write().map_err(|error| busy(&error))
    }

    /// The place of one of the games.
    fn place(&self, index: &Bound<'_, PyAny>) -> PyResult<usize> {
        let count = self.count;
        let there_are = format!("they are counted from 0, and the batch has {count}");
        arguments::place(index, count, "game", &there_are)
    }

    /// Steps the games and returns what came of it.
    fn stepped<'py>(
        &self,
        py: Python<'py>,
        step: impl FnOnce(
            &mut stoa_arrays::Batch,
            &mut [f32],
            &mut [bool],
        ) -> Result<(), stoa_arrays::BatchError>
        + Send,
    ) -> PyResult<StepArrays<'py>> {
        let rewards = array_for::<f32>(py, None, &[self.count])?;
        let done = array_for::<bool>(py, None, &[self.count])?;
        let (mut of_rewards, mut of_done) = (for_writing(&rewards)?, for_writing(&done)?);
        let mut games = self.writing()?;
        let (games, first, second) =
            (&mut *games, of_rewards.as_slice_mut()?, of_done.as_slice_mut()?);
        py.detach(|| step(games, first, second)).or_raise(py)?;
        drop((of_rewards, of_done));
        Ok((rewards, done))
    }
}

fn busy<T>(error: &TryLockError<T>) -> PyErr {
    PyRuntimeError::new_err(match error {
        TryLockError::WouldBlock => "this batch is being stepped; make one for each thread",
        TryLockError::Poisoned(_) => "this batch had an internal error; make a new one",
    })
}

/// What random games were like: an entry of each array for each game.
#[pyclass(frozen, module = "stoa")]
pub(crate) struct RandomGames {
    winners: Py<PyArrayDyn<i8>>,
    plies: Py<PyArrayDyn<i32>>,
    choices: Py<PyArrayDyn<i64>>,
}

#[pymethods]
impl RandomGames {
    /// Who won, as int8: 0 for the first player, 1 for the second, -1 for nobody.
    #[getter]
    fn winners(&self, py: Python<'_>) -> Py<PyArrayDyn<i8>> {
        self.winners.clone_ref(py)
    }

    /// How many turns were played, as int32.
    #[getter]
    fn plies(&self, py: Python<'_>) -> Py<PyArrayDyn<i32>> {
        self.plies.clone_ref(py)
    }

    /// How many legal moves there were, added up over all turns, as int64.
    #[getter]
    fn choices(&self, py: Python<'_>) -> Py<PyArrayDyn<i64>> {
        self.choices.clone_ref(py)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.winners.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<RandomGames: {}>", self.__len__(py))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let arrays = [
            self.winners.bind(py).as_any(),
            self.plies.bind(py).as_any(),
            self.choices.bind(py).as_any(),
        ];
        reduce_objects(py, "random games", arrays.map(Clone::clone))
    }
}

impl RandomGames {
    /// What was pickled; `None` if these are not its arrays.
    pub(crate) fn from_arrays(arrays: &[Bound<'_, PyAny>]) -> Option<RandomGames> {
        let [winners, plies, choices] = arrays else { return None };
        let winners = winners.cast::<PyArrayDyn<i8>>().ok()?;
        let plies = plies.cast::<PyArrayDyn<i32>>().ok()?;
        let choices = choices.cast::<PyArrayDyn<i64>>().ok()?;
        let shape = winners.shape();
        (shape.len() == 1 && plies.shape() == shape && choices.shape() == shape).then(|| {
            RandomGames {
                winners: winners.clone().unbind(),
                plies: plies.clone().unbind(),
                choices: choices.clone().unbind(),
            }
        })
    }
}

/// Plays random games from the start to their end, as many as `count`. Game number i depends on the
/// seed and on i alone. Ctrl-C ends it.
///
/// >>> import stoa
/// >>> games = stoa.random_games("impasse", 100, seed=1)
/// >>> len(games), games.winners.shape, bool((games.plies > 10).all())
/// (100, (100,), True)
#[pyfunction]
#[pyo3(signature = (game, count, *, seed=0))]
pub(crate) fn random_games(
    game: &Bound<'_, PyAny>,
    count: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::seed)] seed: u64,
) -> PyResult<RandomGames> {
    let py = game.py();
    let game = game_of(game)?;
    let count = arguments::number(count, "count", 1..=MAX_RANDOM_GAMES)? as usize;
    check_memory(count * RANDOM_GAME_BYTES)?;
    let games = interruptible(py, |stop| {
        stoa_arrays::random_games(game, count, seed, || !stop.is_stopped())
    })?;
    Ok(RandomGames {
        winners: dynamic(numpy::PyArray1::from_vec(py, games.winners))?,
        plies: dynamic(numpy::PyArray1::from_vec(py, games.plies))?,
        choices: dynamic(numpy::PyArray1::from_vec(py, games.choices))?,
    })
}

/// An array whose number of dimensions is not part of its type.
fn dynamic<T: numpy::Element>(array: Bound<'_, numpy::PyArray1<T>>) -> PyResult<Py<PyArrayDyn<T>>> {
    let array = array.into_any().cast_into::<PyArrayDyn<T>>();
    Ok(array.map_err(|_| PyTypeError::new_err("not an array"))?.unbind())
}
