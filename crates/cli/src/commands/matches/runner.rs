//! Plays the games of a match on all cores, so that the result does not depend on how many.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use stoa_engine::Stop;
use stoa_engine::matches::{self, GameLimits, Opening, Played, Player, Totals};
use stoa_rules::Game;
use stoa_rules::playout::Rng;

use super::source::Source;
use crate::args::Pace;
use crate::commands::{all_cores, in_parallel};
use crate::players::{self, Spec};

/// Who plays whom, how often, and how fast.
pub(super) struct Contest<'a> {
    pub(super) game: Game,
    /// A and B.
    pub(super) players: [&'a Spec; 2],
    pub(super) pace: &'a Pace,
    pub(super) pairs: u64,
    /// What the players' luck depends on.
    pub(super) seed: u64,
    pub(super) max_plies: Option<usize>,
}

/// How a contest ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// All games were played, or enough.
    Done,
    /// Somebody stopped it.
    Interrupted,
}

/// Two players, A and B.
type Team = [Box<dyn Player>; 2];

impl Contest<'_> {
    /// Plays, and tells after each pair how it stands; the answer is whether to go on. Pairs are
    /// told in their order, whichever is finished first, so that chance has no say in when a match
    /// ends.
    pub(super) fn run(
        &self,
        openings: &Source,
        stop: &Stop,
        mut tell: impl FnMut(u64, &Totals, &[Played; 2]) -> Result<ControlFlow<()>>,
    ) -> Result<(Totals, End)> {
        let threads = self.pace.concurrency.map_or_else(all_cores, usize::from);
        let threads = threads.min(self.pairs as usize);
        let start = |spec: &Spec| players::start(spec, self.game, stop);
        let teams: Vec<Team> = (0..threads)
            .map(|_| Ok([start(self.players[0])?, start(self.players[1])?]))
            .collect::<Result<_>>()?;
        let teams = Mutex::new(teams);
        let idle_teams = || teams.lock().unwrap_or_else(PoisonError::into_inner);
        let work = |number: usize| -> Result<Option<[Played; 2]>> {
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
        let mut waiting: BTreeMap<u64, Result<Option<[Played; 2]>>> = BTreeMap::new();
        let mut next = 0;
        let mut ended: Option<Result<()>> = None;
        in_parallel(self.pairs as usize, threads, work, |number, played| {
            waiting.insert(number as u64, played);
            while ended.is_none() {
                let Some(played) = waiting.remove(&next) else { return };
                let told = played.and_then(|pair| match pair {
                    None => Ok(ControlFlow::Continue(())),
                    Some(pair) => {
                        totals.add(&pair);
                        tell(next, &totals, &pair)
                    }
                });
                next += 1;
                ended = match told {
                    Ok(ControlFlow::Continue(())) => continue,
                    Ok(ControlFlow::Break(())) => Some(Ok(())),
                    Err(error) => Some(Err(error)),
                };
                stop.stop();
            }
        });
        match ended {
            None if stop.is_stopped() => Ok((totals, End::Interrupted)),
            None => Ok((totals, End::Done)),
            // It was we who stopped, and there may be another contest.
            Some(ended) => {
                stop.reset();
                ended.map(|()| (totals, End::Done))
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
        let of_match = self.pace.limits();
        let [limits_a, limits_b] = self.players.map(|spec| spec.limits(&of_match));
        let terms =
            |limits| GameLimits { limits, margin: self.pace.margin, max_plies: self.max_plies };
        let seed = |game| Rng::for_game(self.seed, 2 * number + game).bits();
        let (a, b) = (a.as_mut(), b.as_mut());
        let first = matches::play([a, b], opening, &terms([limits_a, limits_b]), seed(0), stop)?;
        let second = matches::play([b, a], opening, &terms([limits_b, limits_a]), seed(1), stop)?;
        Some([first, second])
    }
}
