//! Which process is killed when.

use std::fmt;
use std::time::Duration;

use stoa_rules::playout::Rng;

use crate::crash::Victim;

/// A kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kill {
    /// When, from the beginning of the evening.
    pub(super) at: Duration,
    pub(super) what: Killed,
    /// How long it is away.
    pub(super) downtime: Duration,
}

/// What is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Killed {
    /// A node, or the database, or both.
    Server { victim: Victim, node: usize },
    /// A worker by its number.
    Worker(usize),
}

impl fmt::Display for Killed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Killed::Server { victim: Victim::Server, node } => write!(f, "node {}", node + 1),
            Killed::Server { victim: Victim::Postgres, .. } => f.write_str("Postgres"),
            Killed::Server { victim: Victim::Both, node } => {
                write!(f, "node {}, with Postgres,", node + 1)
            }
            Killed::Worker(number) => write!(f, "worker {}", number + 1),
        }
    }
}

/// Kills spread over an evening: servers and workers take turns.
pub(super) fn schedule(
    seed: u64,
    kills: usize,
    duration: Duration,
    nodes: usize,
    workers: usize,
    victims: &[Victim],
) -> Vec<Kill> {
    let mut rng = Rng::for_game(seed ^ 0x6b11, 0);
    let kill = |number: usize| {
        let share = (number * 100 + 20 + rng.below(70)) as f64 / (kills * 100) as f64;
        let what = match number % 2 {
            0 => {
                let victim = victims[rng.below(victims.len())];
                Killed::Server { victim, node: rng.below(nodes) }
            }
            _ => Killed::Worker(rng.below(workers)),
        };
        let downtime = Duration::from_millis(rng.below(500) as u64);
        Kill { at: duration.mul_f64(share), what, downtime }
    };
    (0..kills).map(kill).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kills_are_spread_and_hit_everything() {
        let evening = Duration::from_secs(600);
        let victims = [Victim::Server, Victim::Postgres, Victim::Both];
        let kills = schedule(1, 60, evening, 2, 2, &victims);
        assert!(
            kills.is_sorted_by_key(|kill| kill.at) && kills.iter().all(|kill| kill.at < evening)
        );
        for victim in victims {
            for node in 0..2 {
                let what = Killed::Server { victim, node };
                assert!(kills.iter().any(|kill| kill.what == what), "{what:?}");
            }
        }
        assert!((0..2).all(|worker| kills.iter().any(|kill| kill.what == Killed::Worker(worker))));
        assert_eq!(kills, schedule(1, 60, evening, 2, 2, &victims));
    }
}
