//! Many games of one kind, stepped together.
//!
//! ```
//! use stoa_arrays::{Batch, Shape};
//! use stoa_rules::Game;
//!
//! let mut batch = Batch::new(Game::Impasse, 4, 7);
//! let shape = Shape::of(Game::Impasse);
//! let mut actions = [0; 4];
//! batch.random_actions(&mut actions)?;
//! let (mut rewards, mut done) = ([0.0; 4], [false; 4]);
//! batch.step(&actions, true, &mut rewards, &mut done)?;
//! assert_eq!((rewards, done), ([0.0; 4], [false; 4]));
//! let mut planes = vec![0.0; 4 * shape.observation()];
//! batch.observe(&mut planes);
//! # Ok::<(), stoa_arrays::BatchError>(())
//! ```

use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Side};

use crate::action::{legal_move, mask_of, out_of_range};
use crate::{ActionError, Encode, Shape};

/// Games of one kind that are stepped together. Each has its own random numbers, which depend on the
/// seed and on its place alone.
pub struct Batch {
    game: Game,
    games: Box<dyn Games>,
}

/// Why a batch cannot do what it was asked for. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BatchError {
    /// One of the actions cannot be taken.
    #[error("game {index}: {error}")]
    Action {
        /// The game's place in the batch.
        index: usize,
        /// What is wrong.
        error: ActionError,
    },
    /// A position is of another game.
    #[error("this is a position of {found}, but the batch plays {expected}")]
    OtherGame {
        /// The batch's game.
        expected: Game,
        /// The position's game.
        found: Game,
    },
    /// There are fewer games than that.
    #[error("there is no game {index}; they are counted from 0, and the batch has {count}")]
    NoGame {
        /// The place.
        index: usize,
        /// How many games there are.
        count: usize,
    },
}

impl Batch {
    /// A batch of games that stand at their start.
    pub fn new(game: Game, count: usize, seed: u64) -> Batch {
        let games: Box<dyn Games> = stoa_rules::dispatch!(game, |P, options| Box::new(
            TypedGames::<P>::new(options, count, seed)
        ));
        Batch { game, games }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position of one of the games.
    pub fn position(&self, index: usize) -> Result<AnyPosition, BatchError> {
        self.check(index)?;
        Ok(self.games.position(index))
    }

    /// Puts one of the games at a position.
    pub fn set(&mut self, index: usize, position: &AnyPosition) -> Result<(), BatchError> {
        self.check(index)?;
        if position.game() != self.game {
            let (expected, found) = (self.game, position.game());
            return Err(BatchError::OtherGame { expected, found });
        }
        self.games.set(index, position);
        Ok(())
    }

    /// Puts all games at the start, with the random numbers of a seed.
    pub fn reset(&mut self, seed: u64) {
        self.games.reset(seed);
    }

    /// Takes an action in every game. `rewards` become what it has brought the players who took it:
    /// 1 for a win, -1 for a loss, 0 for a draw or a game that goes on; `done` becomes true where the
    /// game is over. With `restart` such a game begins anew at once; else its actions are ignored from
    /// now on, its reward is 0, and it stays done.
    ///
    /// If any action cannot be taken, nothing changes.
    ///
    /// # Panics
    /// When the slices do not have a place for each game.
    pub fn step(
        &mut self,
        actions: &[i64],
        restart: bool,
        rewards: &mut [f32],
        done: &mut [bool],
    ) -> Result<(), BatchError> {
        self.check_lengths(&[actions.len(), rewards.len(), done.len()]);
        self.games.step(actions, restart, rewards, done)
    }

    /// The same with a random legal move in every game.
    ///
    /// # Panics
    /// When the slices do not have a place for each game.
    pub fn step_random(&mut self, restart: bool, rewards: &mut [f32], done: &mut [bool]) {
        self.check_lengths(&[rewards.len(), done.len()]);
        self.games.step_random(restart, rewards, done);
    }

    /// A random legal action for every game; -1 where the game is over.
    ///
    /// # Panics
    /// When the slice does not have a place for each game.
    pub fn random_actions(&mut self, actions: &mut [i64]) -> Result<(), BatchError> {
        self.check_lengths(&[actions.len()]);
        self.games.random_actions(actions)
    }

    /// What the player to move sees in each game: observation after observation.
    ///
    /// # Panics
    /// When the slice has another length.
    pub fn observe(&self, planes: &mut [f32]) {
        let each = Shape::of(self.game).observation();
        assert_eq!(planes.len(), each * self.len(), "a place for each cell of each game");
        self.games.observe(each, planes);
    }

    /// The legal actions of each game: mask after mask.
    ///
    /// # Panics
    /// When the slice has another length.
    pub fn legal_masks(&self, masks: &mut [i8]) -> Result<(), BatchError> {
        let each = Shape::of(self.game).actions;
        assert_eq!(masks.len(), each * self.len(), "a place for each action of each game");
        self.games.legal_masks(each, masks)
    }

    /// Who is to move in each game: 0 for the first player, 1 for the second.
    ///
    /// # Panics
    /// When the slice does not have a place for each game.
    pub fn players(&self, players: &mut [i8]) {
        self.check_lengths(&[players.len()]);
        self.games.players(players);
    }

    fn check(&self, index: usize) -> Result<(), BatchError> {
        let count = self.len();
        if index < count { Ok(()) } else { Err(BatchError::NoGame { index, count }) }
    }

    fn check_lengths(&self, lengths: &[usize]) {
        assert!(lengths.iter().all(|&length| length == self.len()), "a place for each game");
    }
}

/// What [`Batch`] needs of games of one kind.
trait Games: Send + Sync {
    fn len(&self) -> usize;
    fn position(&self, index: usize) -> AnyPosition;
    fn set(&mut self, index: usize, position: &AnyPosition);
    fn reset(&mut self, seed: u64);
    fn step(
        &mut self,
        actions: &[i64],
        restart: bool,
        rewards: &mut [f32],
        done: &mut [bool],
    ) -> Result<(), BatchError>;
    fn step_random(&mut self, restart: bool, rewards: &mut [f32], done: &mut [bool]);
    fn random_actions(&mut self, actions: &mut [i64]) -> Result<(), BatchError>;
    fn observe(&self, each: usize, planes: &mut [f32]);
    fn legal_masks(&self, each: usize, masks: &mut [i8]) -> Result<(), BatchError>;
    fn players(&self, players: &mut [i8]);
}

/// A game of a batch: where it is and what its random choices come from.
struct Seat<P> {
    position: P,
    rng: Rng,
}

struct TypedGames<P: Encode> {
    options: P::Options,
    seats: Vec<Seat<P>>,
}

impl<P: Encode> TypedGames<P> {
    fn new(options: P::Options, count: usize, seed: u64) -> TypedGames<P> {
        let position = P::start(options);
        let seat =
            |index| Seat { position: position.clone(), rng: Rng::for_game(seed, index as u64) };
        TypedGames { options, seats: (0..count).map(seat).collect() }
    }
}

impl<P: Encode> Seat<P> {
    /// The move at a random place of the list; `None` if the game is over.
    #[inline]
    fn random_move(&mut self) -> Option<P::Move> {
        self.position.nth_move(self.rng.below(self.position.count_moves()))
    }

    /// Plays a legal move. Returns the reward of the player who made it if the game is over.
    #[inline]
    fn play(&mut self, mv: P::Move) -> Option<f32> {
        let mover = self.position.side_to_move();
        self.position.play_unchecked(mv);
        self.position.outcome().map(|outcome| reward(outcome.winner, mover))
    }
}

/// What an outcome is worth for a player.
fn reward(winner: Option<Side>, player: Side) -> f32 {
    match winner {
        None => 0.0,
        Some(side) if side == player => 1.0,
        Some(_) => -1.0,
    }
}

impl<P: Encode> TypedGames<P> {
    /// Plays a move in each game that has one, and writes what came of it.
    #[inline]
    fn play_each(
        &mut self,
        restart: bool,
        mut mv: impl FnMut(usize, &mut Seat<P>) -> Option<P::Move>,
        rewards: &mut [f32],
        done: &mut [bool],
    ) {
        let start = P::start(self.options);
        for (index, seat) in self.seats.iter_mut().enumerate() {
            let ended = match mv(index, seat) {
                Some(mv) => seat.play(mv),
                None => Some(0.0),
            };
            (rewards[index], done[index]) = (ended.unwrap_or(0.0), ended.is_some());
            if ended.is_some() && restart {
                seat.position = start.clone();
            }
        }
    }
}

impl<P: Encode> Games for TypedGames<P> {
    fn len(&self) -> usize {
        self.seats.len()
    }

    fn position(&self, index: usize) -> AnyPosition {
        AnyPosition::new(self.seats[index].position.clone())
    }

    fn set(&mut self, index: usize, position: &AnyPosition) {
        if let Some(position) = position.downcast::<P>() {
            self.seats[index].position = position.clone();
        }
    }

    fn reset(&mut self, seed: u64) {
        *self = TypedGames::new(self.options, self.len(), seed);
    }

    fn step(
        &mut self,
        actions: &[i64],
        restart: bool,
        rewards: &mut [f32],
        done: &mut [bool],
    ) -> Result<(), BatchError> {
        let mut moves = Vec::with_capacity(actions.len());
        for (index, (seat, &action)) in self.seats.iter().zip(actions).enumerate() {
            let known = usize::try_from(action);
            let mv = match known.map(|action| legal_move(&seat.position, action)) {
                Ok(Ok(mv)) => Some(mv),
                _ if seat.position.outcome().is_some() => None,
                Ok(Err(error)) => return Err(BatchError::Action { index, error }),
                Err(_) => {
                    let error = out_of_range::<P>(self.options, action);
                    let error = error.expect("a negative number is no action");
                    return Err(BatchError::Action { index, error });
                }
            };
            moves.push(mv);
        }
        self.play_each(restart, |index, _| moves[index], rewards, done);
        Ok(())
    }

    fn step_random(&mut self, restart: bool, rewards: &mut [f32], done: &mut [bool]) {
        self.play_each(restart, |_, seat| seat.random_move(), rewards, done);
    }

    fn random_actions(&mut self, actions: &mut [i64]) -> Result<(), BatchError> {
        for (index, (seat, action)) in self.seats.iter_mut().zip(actions).enumerate() {
            *action = match seat.random_move() {
                None => -1,
                Some(mv) => {
                    let found = seat.position.action(mv);
                    let no_action = || {
                        let text = seat.position.move_text(mv);
                        BatchError::Action { index, error: ActionError::NoAction { text } }
                    };
                    found.ok_or_else(no_action)? as i64
                }
            };
        }
        Ok(())
    }

    fn observe(&self, each: usize, planes: &mut [f32]) {
        planes.fill(0.0);
        for (seat, planes) in self.seats.iter().zip(planes.chunks_exact_mut(each)) {
            seat.position.observe(seat.position.side_to_move(), planes);
        }
    }

    fn legal_masks(&self, each: usize, masks: &mut [i8]) -> Result<(), BatchError> {
        let mut moves = Vec::new();
        for (index, (seat, mask)) in self.seats.iter().zip(masks.chunks_exact_mut(each)).enumerate()
        {
            mask_of(&seat.position, mask, &mut moves)
                .map_err(|error| BatchError::Action { index, error })?;
        }
        Ok(())
    }

    fn players(&self, players: &mut [i8]) {
        for (seat, player) in self.seats.iter().zip(players) {
            *player = seat.position.side_to_move().index() as i8;
        }
    }
}
