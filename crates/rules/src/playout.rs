//! Random games, reproducible from a seed: for tests, benchmarks and statistics.
//!
//! ```
//! use stoa_rules::{Position, colonnade, playout::{Rng, random_game}};
//! let mut position = colonnade::Position::start(());
//! let game = random_game(&mut position, &mut Rng::new(7));
//! assert_eq!(position.outcome(), Some(game.outcome));
//! ```

use crate::bits::mix;
use crate::{Outcome, Position};

/// A small fast generator of random numbers (SplitMix64). The same seed gives the same numbers in
/// every version of this crate.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator that starts from `seed`.
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The generator of one game of many that are played from one seed.
    pub const fn for_game(seed: u64, index: u64) -> Rng {
        Rng(mix(mix(0, seed), index))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let bits = mix(self.0, 0);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        bits
    }

    /// A number below `bound`, or 0 when `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }
}

/// What a random game was like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomGame {
    /// The number of turns played.
    pub plies: u32,
    /// The number of legal moves, added up over all turns.
    pub choices: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// Plays uniformly random moves until the game is over.
///
/// # Panics
/// When the game has neither a move nor an outcome, which no position of this crate has.
pub fn random_game<P: Position>(position: &mut P, rng: &mut Rng) -> RandomGame {
    let mut plies = 0;
    let mut choices = 0;
    loop {
        let count = position.count_moves();
        let Some(mv) = position.nth_move(rng.below(count)) else {
            let outcome = position.outcome().expect("a game without moves is over");
            return RandomGame { plies, choices, outcome };
        };
        choices += count as u64;
        plies += 1;
        position.play_unchecked(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_their_bound_and_reach_all_of_it() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[rng.below(5)] += 1;
        }
        assert!(seen.iter().all(|&n| n > 150), "{seen:?}");
        assert_eq!(rng.below(0), 0);
        assert_eq!(Rng::new(0).bits(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn a_random_game_counts_its_turns_and_choices() {
        let game =
            random_game(&mut crate::colonnade::Position::start(()), &mut Rng::for_game(3, 1));
        let mut rng = Rng::for_game(3, 1);
        let mut position = crate::colonnade::Position::start(());
        let (mut plies, mut choices) = (0, 0);
        while position.outcome().is_none() {
            let moves = position.legal_moves();
            plies += 1;
            choices += moves.len() as u64;
            position.play_unchecked(moves[rng.below(moves.len())]);
        }
        let outcome = position.outcome().unwrap();
        assert_eq!(game, RandomGame { plies, choices, outcome });
    }

    #[test]
    fn every_game_of_many_has_its_own_numbers() {
        let first = |seed, index| Rng::for_game(seed, index).bits();
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 2), first(2, 1));
    }
}
