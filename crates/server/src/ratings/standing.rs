//! What a player has achieved in a category, and what a game does to it.

use std::time::Duration;

use stoa_rules::Side;
use stoa_wire::{Rating, RatingChange};

use super::Strength;
use crate::time::millis;

/// Above this deviation a rating is provisional.
const MAX_SURE_DEVIATION: f64 = 110.0;
/// The number of rating periods in a day, chosen so that a deviation of 60 grows to 110 in a year.
const PERIODS_PER_DAY: f64 = 0.214_36;
const DAY_MS: f64 = millis(Duration::from_secs(24 * 3600)) as f64;

/// Where a player stands in a category.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Standing {
    pub(crate) strength: Strength,
    pub(crate) wins: i64,
    pub(crate) losses: i64,
    pub(crate) draws: i64,
    /// When the last game ended; nothing before the first.
    pub(crate) at: Option<i64>,
}

impl Standing {
    /// That of a player who has not played a rated game yet.
    pub(crate) const START: Standing =
        Standing { strength: Strength::START, wins: 0, losses: 0, draws: 0, at: None };

    /// Both players after a game, which ended at a moment.
    pub(crate) fn after_game(
        players: [Standing; 2],
        winner: Option<Side>,
        ended: i64,
    ) -> [Standing; 2] {
        Side::BOTH.map(|side| {
            let player = players[side.index()];
            let opponent = players[side.other().index()];
            let score = winner.map_or(0.5, |winner| if winner == side { 1.0 } else { 0.0 });
            let met = opponent.strength.after_absence(opponent.periods_until(ended));
            let strength =
                player.strength.after_games(&[(met, score)], player.periods_until(ended));
            Standing {
                strength,
                wins: player.wins + i64::from(winner == Some(side)),
                losses: player.losses + i64::from(winner == Some(side.other())),
                draws: player.draws + i64::from(winner.is_none()),
                // Nodes may disagree about the time; a player's never goes backwards.
                at: Some(player.at.map_or(ended, |at| at.max(ended))),
            }
        })
    }

    /// How many rating periods there are from the last game up to a moment.
    fn periods_until(&self, moment: i64) -> f64 {
        let passed = self.at.map_or(0, |at| moment.saturating_sub(at).max(0));
        passed as f64 / DAY_MS * PERIODS_PER_DAY
    }

    /// From when on the rating is provisional, if there are no more games.
    pub(crate) fn sure_until(&self) -> i64 {
        let Some(at) = self.at else { return 0 };
        let periods = self.strength.periods_until(MAX_SURE_DEVIATION);
        if periods < 0.0 {
            return 0;
        }
        at.saturating_add((periods / PERIODS_PER_DAY * DAY_MS) as i64)
    }

    /// The deviation at a moment, to be shown.
    pub(crate) fn deviation_at(&self, moment: i64) -> i32 {
        shown(self.strength.after_absence(self.periods_until(moment)).deviation)
    }

    /// The rating at a moment, to be shown.
    pub(crate) fn rating_at(&self, moment: i64) -> Rating {
        rating_at(self.strength.rating, self.sure_until(), moment)
    }

    /// What a game that ended at a moment has changed, to be shown.
    pub(crate) fn change(before: Standing, after: Standing, ended: i64) -> RatingChange {
        RatingChange {
            before: shown(before.strength.rating),
            after: shown(after.strength.rating),
            provisional: after.rating_at(ended).provisional,
        }
    }
}

/// A rating at a moment, to be shown.
pub(crate) fn rating_at(rating: f64, sure_until: i64, moment: i64) -> Rating {
    Rating { value: shown(rating), provisional: moment >= sure_until }
}

/// A rating or a deviation as people see it.
pub(crate) fn shown(value: f64) -> i32 {
    value.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = DAY_MS as i64;

    #[test]
    fn a_first_game_moves_both_a_lot() {
        let [winner, loser] =
            Standing::after_game([Standing::START; 2], Some(Side::First), 1_000 * DAY);
        assert_eq!((winner.wins, winner.losses, loser.wins, loser.losses), (1, 0, 0, 1));
        assert_eq!([winner, loser].map(|one| one.rating_at(1_000 * DAY).value), [1662, 1338]);
        assert!(winner.rating_at(1_000 * DAY).provisional);
        assert_eq!(winner.sure_until(), 0);
    }

    #[test]
    fn a_rating_becomes_sure_and_with_time_provisional_again() {
        let mut players = [Standing::START; 2];
        for day in 0..40 {
            let winner = if day % 2 == 0 { Side::First } else { Side::Second };
            players = Standing::after_game(players, Some(winner), day * DAY);
        }
        let [first, _] = players;
        assert!(!first.rating_at(39 * DAY).provisional, "{first:?}");
        let until = first.sure_until();
        assert!(until > 100 * DAY, "{until}");
        assert!(!first.rating_at(until - 1).provisional && first.rating_at(until).provisional);
        assert!((109..=111).contains(&first.deviation_at(until)));
        assert_eq!(first.deviation_at(i64::MAX), 350);
    }

    /// A node whose clock is behind ends a game before the game before it.
    #[test]
    fn time_does_not_go_backwards() {
        let players = Standing::after_game([Standing::START; 2], None, 10 * DAY);
        let [first, _] = Standing::after_game(players, None, 9 * DAY);
        assert_eq!((first.at, first.draws), (Some(10 * DAY), 2));
        assert!(first.strength.deviation < players[0].strength.deviation);
    }
}
