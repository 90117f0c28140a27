//! What is going to happen in each game of an evening. It follows from the seed and the number of the game; only
//! what kills do to it does not.

use stoa_client::{ChallengeSide, TimeControl};
use stoa_rules::Game;
use stoa_rules::playout::Rng;

/// A game that nobody ends before is resigned after this many moves.
const MAX_MOVES: usize = 50;
/// Every so many games, in an evening that is long enough, nobody makes the first move.
const NEVER_BEGUN_EVERY: usize = 60;
/// Every third game is one of the club's favourite, among its regulars: they play so much of it that their ratings
/// are no longer provisional, and leaderboards list them.
const FAVOURITE_EVERY: usize = 3;
const FAVOURITE: Game = Game::Colonnade;
const REGULARS: usize = 6;
/// The shortest time control there is.
const SHORTEST: TimeControl = TimeControl::Clock { initial: 5, increment: 0 };

/// The course of a game.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The numbers of the players.
    pub(super) creator: usize,
    pub(super) acceptor: usize,
    pub(super) kind: Game,
    pub(super) side: ChallengeSide,
    pub(super) control: TimeControl,
    pub(super) rated: bool,
    pub(super) ending: Ending,
    /// How many moves are played before the ending.
    pub(super) moves: usize,
    /// After how many moves both players leave for a while, if they do.
    pub(super) leave_after: Option<usize>,
    /// Whether a player asks for a review.
    pub(super) review: bool,
    /// For the moves.
    pub(super) rng: Rng,
}

/// How a game ends, unless the board ends it first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The side to move resigns.
    Resign,
    /// Both sides resign at the same moment.
    BothResign,
    /// The side to move aborts; only before both have moved.
    Abort,
    /// A draw is offered and accepted.
    Draw,
    /// The side to move runs out of time.
    RunOut,
    /// Nobody makes a move, and the server aborts the game after a minute.
    NeverBegun,
    /// It does not end this evening.
    Open,
}

impl Plan {
    /// The plan of a game among so many people. `is_long`: whether there is time for a game that nobody begins.
    pub(super) fn new(seed: u64, number: usize, people: usize, is_long: bool) -> Plan {
        let mut rng = Rng::for_game(seed, number as u64);
        let is_favourite = number % FAVOURITE_EVERY == 1;
        let people = if is_favourite { people.min(REGULARS) } else { people };
        let creator = rng.below(people);
        let acceptor = (creator + 1 + rng.below(people - 1)) % people;
        let variants: Vec<Game> = Game::ALL[number % Game::ALL.len()].own_variants().collect();
        let kind = variants[rng.below(variants.len())];
        let kind = if is_favourite { FAVOURITE } else { kind };
        let side = [ChallengeSide::First, ChallengeSide::Second, ChallengeSide::Random];
        let side = side[rng.below(side.len())];
        let usual = 2 + rng.below(MAX_MOVES - 2);
        let (mut ending, moves) = match rng.below(16) {
            0..=4 => (Ending::Resign, MAX_MOVES),
            5..=7 => (Ending::Resign, usual),
            8 | 9 => (Ending::BothResign, rng.below(MAX_MOVES)),
            10 => (Ending::Abort, rng.below(2)),
            // Over, but too short to be counted.
            11 => (Ending::Resign, rng.below(2)),
            12 => (Ending::Draw, usual),
            13 | 14 => (Ending::RunOut, 2 + rng.below(10)),
            _ => (Ending::Open, usual),
        };
        if ending == Ending::Draw && !kind.info().draws {
            ending = Ending::Resign;
        }
        if is_long && number % NEVER_BEGUN_EVERY == NEVER_BEGUN_EVERY / 2 {
            ending = Ending::NeverBegun;
        }
        let clock = |initial, increment| TimeControl::Clock { initial, increment };
        let control = match (ending, rng.below(6)) {
            (Ending::RunOut | Ending::NeverBegun, _) => SHORTEST,
            (Ending::Open, 0..=3) | (_, 3) => TimeControl::Days { days: 1 },
            (_, 4) => TimeControl::Days { days: 3 },
            (_, 5) => TimeControl::Unlimited,
            (_, 0) => clock(60, 2),
            _ => clock(600, 5),
        };
        Plan {
            creator,
            acceptor,
            kind,
            side,
            control,
            rated: is_favourite || rng.below(3) > 0,
            ending,
            moves: if ending == Ending::NeverBegun { 0 } else { moves },
            leave_after: (rng.below(6) == 0).then(|| rng.below(usual)),
            review: rng.below(5) == 0,
            rng,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn an_evening_has_all_games_and_all_endings_and_is_the_same_again() {
        let plans: Vec<Plan> = (0..600).map(|number| Plan::new(3, number, 50, true)).collect();
        let kinds: HashSet<Game> = plans.iter().map(|plan| plan.kind).collect();
        assert_eq!(kinds.len(), Game::variants().count());
        let endings: HashSet<&str> = plans.iter().map(|plan| name(plan.ending)).collect();
        assert_eq!(endings.len(), 7, "{endings:?}");
        assert!(plans.iter().all(|plan| plan.creator != plan.acceptor));
        let again = |number| format!("{:?}", Plan::new(3, number, 50, true));
        assert!(
            plans.iter().enumerate().all(|(number, plan)| format!("{plan:?}") == again(number))
        );
    }

    fn name(ending: Ending) -> &'static str {
        match ending {
            Ending::Resign => "resign",
            Ending::BothResign => "both resign",
            Ending::Abort => "abort",
            Ending::Draw => "draw",
            Ending::RunOut => "run out",
            Ending::NeverBegun => "never begun",
            Ending::Open => "open",
        }
    }
}
