//! Plays the games of a match on several cores; the result does not depend on how many.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use stoa_engine::matches::{self, GameLimits, Opening, Played, Player, Totals};
use stoa_engine::{Limits, Stop};
use stoa_rules::Game;
use stoa_rules::playout::Rng;

use super::{NoMoreOpenings, OpeningSource};
use crate::parallel;
use crate::players::{self, PlayerSpec, StartError};

/// Who plays whom, how often, and how fast.
pub struct Match<'a> {
    /// The game.
    pub game: Game,
    /// A and B.
    pub players: [&'a PlayerSpec; 2],
    /// What a player may use that has no limits of its own, and the clocks.
    pub limits: Limits,
    /// How much more time than allowed is forgiven.
    pub margin: Duration,
    /// How many games are played at a time.
    pub concurrency: usize,
    /// How many openings are played, each twice.
    pub pairs: u64,
    /// The seed of the players' random numbers.
    pub seed: u64,
    /// After how many moves a game is called a draw, the opening's included.
    pub max_plies: Option<usize>,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A player cannot be started.
    #[error(transparent)]
    Player(#[from] StartError),
    /// There are not enough openings.
    #[error(transparent)]
    Openings(#[from] NoMoreOpenings),
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchEnd {
    /// All games were played, or enough.
    Done,
    /// It was stopped.
    Interrupted,
}

/// Two players, A and B.
type Team = [Box<dyn Player>; 2];

impl Match<'_> {
    /// Plays, and reports every pair of games with the results so far; the answer is whether to go
    /// on. Pairs are reported in their order, whichever is finished first, so that the number of
    /// cores has no say in when a match ends.
    pub fn run<E: From<MatchError> + Send>(
        &self,
        openings: &OpeningSource,
        stop: &Stop,
        mut report: impl FnMut(u64, &Totals, &[Played; 2]) -> Result<ControlFlow<()>, E>,
    ) -> Result<(Totals, MatchEnd), E> {
        let threads = self.concurrency.min(self.pairs as usize);
        let start = |spec: &PlayerSpec| players::start(spec, self.game, stop);
        let teams: Vec<Team> = (0..threads)
            .map(|_| Ok([start(self.players[0])?, start(self.players[1])?]))
            .collect::<Result<_, StartError>>()
            .map_err(MatchError::from)?;
        let teams = Mutex::new(teams);
        let idle_teams = || teams.lock().unwrap_or_else(PoisonError::into_inner);
        let work = |number: usize| -> Result<Option<[Played; 2]>, MatchError> {
            if stop.is_stopped() {
                return Ok(None);
            }
            let opening = openings.get(number as u64)?;
            let Some(mut team) = idle_teams().pop() else { return Ok(None) };
            let played = self.play_pair(&mut team, &opening, number as u64, stop);
            idle_teams().push(team);
            Ok(played)
        };
        let mut totals = Totals::default();
        let mut waiting: BTreeMap<u64, Result<Option<[Played; 2]>, MatchError>> = BTreeMap::new();
        let mut next = 0;
        let mut ended: Option<Result<(), E>> = None;
        parallel::for_each(self.pairs as usize, threads, work, |number, played| {
            waiting.insert(number as u64, played);
            while ended.is_none() {
                let Some(played) = waiting.remove(&next) else { return };
                let reported = played.map_err(E::from).and_then(|pair| match pair {
                    None => Ok(ControlFlow::Continue(())),
                    Some(pair) => {
                        totals.add(&pair);
                        report(next, &totals, &pair)
                    }
                });
                next += 1;
                ended = match reported {
                    Ok(ControlFlow::Continue(())) => continue,
                    Ok(ControlFlow::Break(())) => Some(Ok(())),
                    Err(error) => Some(Err(error)),
                };
                stop.stop();
            }
        });
        match ended {
            None if stop.is_stopped() => Ok((totals, MatchEnd::Interrupted)),
            None => Ok((totals, MatchEnd::Done)),
            // The report stopped it, and the same `stop` may serve another match.
            Some(ended) => {
                stop.reset();
                ended.map(|()| (totals, MatchEnd::Done))
            }
        }
    }

    /// Plays an opening twice: first A moves first, then B.
    fn play_pair(
        &self,
        [a, b]: &mut Team,
        opening: &Opening,
        number: u64,
        stop: &Stop,
    ) -> Option<[Played; 2]> {
        let [limits_a, limits_b] = self.players.map(|spec| spec.limits(&self.limits));
        let terms = |limits| GameLimits { limits, margin: self.margin, max_plies: self.max_plies };
        let seed = |game| Rng::for_game(self.seed, 2 * number + game).bits();
        let (a, b) = (a.as_mut(), b.as_mut());
        let first = matches::play([a, b], opening, &terms([limits_a, limits_b]), seed(0), stop)?;
        let second = matches::play([b, a], opening, &terms([limits_b, limits_a]), seed(1), stop)?;
        Some([first, second])
    }
}
