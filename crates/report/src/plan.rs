//! Which games are played for a report, by number.
//!
//! Number 0 is the survey of the first moves. After it come rounds, each with the same games in the same order,
//! so that a report that is interrupted has about as many of each kind as it should. Game number N of a seed is
//! always the same, on any machine.

use stoa_rules::Game;
use stoa_rules::playout::Rng;

use crate::games::Reported;

/// How many times as much as the weakest player each player of a report thinks.
pub const STRENGTHS: [u64; 3] = [1, 4, 16];

/// The place of the strongest in [`STRENGTHS`].
pub const STRONGEST: usize = 2;

/// How many times as much as the weakest player the weaker one of each match thinks. Its opponent
/// thinks twice as much.
pub const RUNGS: [u64; 4] = [1, 2, 4, 8];

/// How many games of each strength a round has, the weakest first.
const PLAYS: [u32; 3] = [4, 4, 8];

/// How many games a round has that begin with one of the first moves to be compared.
const OPENINGS: u32 = 6;

/// How many games a round has: those above, and a pair for each rung.
pub const ROUND: u32 = PLAYS[0] + PLAYS[1] + PLAYS[2] + OPENINGS + 2 * RUNGS.len() as u32;

/// The number of the survey.
pub const SURVEY: u32 = 0;

/// What a game is played for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Task {
    /// To see how players of equal strength fare; its place in [`STRENGTHS`].
    Play(usize),
    /// To see what a first move is worth: the place of the move among the candidates, if there are
    /// so many.
    Opening(u64),
    /// To see what thinking twice as much is worth: the place in [`RUNGS`], and whether the stronger
    /// player moves first.
    Match(usize, bool),
}

/// What a report on a game is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The game.
    pub game: Game,
    /// The seed of everything random.
    pub seed: u64,
    /// How many positions the weakest player looks at for a move.
    pub nodes: u64,
}

impl Plan {
    /// The plan of a game with a seed.
    pub fn new(game: Game, seed: u64) -> Plan {
        let nodes = stoa_rules::dispatch!(game, |P, options| <P as Reported>::base_nodes(options));
        Plan { game, seed, nodes }
    }

    /// How a file of its games describes them.
    pub fn how(&self) -> String {
        format!(
            "for a report, plan 1, seed {}, {} nodes and up, {} games a round",
            self.seed, self.nodes, ROUND
        )
    }

    /// The random numbers of a game. The two games of a pair have the same ones.
    pub fn rng(&self, number: u32) -> Rng {
        let first = match task(number) {
            Some(Task::Match(_, true)) => number - 1,
            _ => number,
        };
        Rng::for_game(self.seed, first.into())
    }
}

/// What a game is played for; nothing for the survey.
pub fn task(number: u32) -> Option<Task> {
    let (round, mut slot) = (number.checked_sub(1)? / ROUND, (number - 1) % ROUND);
    for (rung, pair) in (0..RUNGS.len()).zip((0..).step_by(2)) {
        if slot == pair || slot == pair + 1 {
            return Some(Task::Match(rung, slot == pair + 1));
        }
    }
    slot -= 2 * RUNGS.len() as u32;
    for (strength, games) in PLAYS.into_iter().enumerate() {
        if slot < games {
            return Some(Task::Play(strength));
        }
        slot -= games;
    }
    Some(Task::Opening(u64::from(round) * u64::from(OPENINGS) + u64::from(slot)))
}

/// Which games one of several machines plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Which machine, from 1.
    pub which: u32,
    /// How many there are.
    pub of: u32,
}

impl Default for Share {
    fn default() -> Share {
        Share { which: 1, of: 1 }
    }
}

impl Share {
    /// The number of this machine's game number `index`, from 0. Rounds are dealt out whole, so
    /// that every machine has pairs of games and some of each kind.
    pub fn number(&self, index: u64) -> Option<u32> {
        let round = u64::from(ROUND);
        let of_all = (index / round) * u64::from(self.of) + u64::from(self.which) - 1;
        u32::try_from(of_all.checked_mul(round)? + index % round + 1).ok()
    }
}

/// A share that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("write which machine this is and how many there are, such as 2/4")]
pub struct ShareError;

impl std::str::FromStr for Share {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<Share, ShareError> {
        let (which, of) = text.split_once('/').ok_or(ShareError)?;
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| ShareError);
        let share = Share { which: number(which)?, of: number(of)? };
        let fits = (1..=share.of).contains(&share.which) && share.of <= 1000;
        fits.then_some(share).ok_or(ShareError)
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.which, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_has_what_it_should() {
        assert_eq!(task(SURVEY), None);
        let of_round = |round: u32| (1..=ROUND).filter_map(move |n| task(round * ROUND + n));
        for round in [0, 1, 77] {
            let count = |wanted: fn(&Task) -> bool| of_round(round).filter(wanted).count();
            assert_eq!(count(|task| matches!(task, Task::Play(0))), 4);
            assert_eq!(count(|task| matches!(task, Task::Play(2))), 8);
            assert_eq!(count(|task| matches!(task, Task::Opening(_))), 6);
            for rung in 0..4 {
                let pair: Vec<_> = of_round(round)
                    .filter(|t| matches!(t, Task::Match(r, _) if *r == rung))
                    .collect();
                assert_eq!(pair, [Task::Match(rung, false), Task::Match(rung, true)]);
            }
        }
        let openings: Vec<Task> =
            (1..=2 * ROUND).filter_map(task).filter(|t| matches!(t, Task::Opening(_))).collect();
        assert_eq!(openings, (0..12).map(Task::Opening).collect::<Vec<_>>());
    }

    #[test]
    fn shares_make_up_the_whole() {
        let mut dealt: Vec<u32> = (1..=3)
            .flat_map(|which| (0..2 * u64::from(ROUND)).map(move |i| (which, i)))
            .filter_map(|(which, index)| Share { which, of: 3 }.number(index))
            .collect();
        dealt.sort_unstable();
        assert_eq!(dealt, (1..=6 * ROUND).collect::<Vec<_>>());
        assert_eq!(Share::default().number(41), Some(42));
        assert_eq!("2/4".parse(), Ok(Share { which: 2, of: 4 }));
        for wrong in ["0/4", "5/4", "2", "a/b", "1/0", "1/5000"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }
}
