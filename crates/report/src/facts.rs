//! Facts about one game, found by replaying it.

use stoa_engine::Score;
use stoa_engine::selfplay::file::PlayedGame;
use stoa_rules::{Game, Outcome, Position, Side};

use crate::games::Reported;
use crate::replay::{Fault, replay};

/// A side is ahead when its chance of winning is at least this.
pub const AHEAD: f64 = 0.6;

/// A game is decided when the winner's chance stays at least this.
pub const DECIDED: f64 = 0.9;

/// A winner came from behind whose chance was at most this at some time.
pub const FAR_BEHIND: f64 = 0.3;

/// Facts about a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// How it ended.
    pub outcome: Outcome,
    /// The first player's chance of winning before each turn; nothing where nobody thought about it.
    pub chances: Vec<Option<f64>>,
    /// How many legal moves there were in each turn.
    pub choices: Vec<u32>,
    /// In how many turns each rule bit.
    pub rules: Vec<u32>,
    /// The cells that each turn names, each once.
    pub cells: Vec<Vec<u16>>,
    /// How many positions from the start on look the same after some symmetry.
    pub symmetric: u32,
}

impl Facts {
    /// The facts of a game.
    pub fn of(game: Game, played: &PlayedGame) -> Result<Facts, Fault> {
        stoa_rules::dispatch!(game, |P, options| facts(<P as Position>::start(options), played))
    }

    /// How many turns there were.
    pub fn plies(&self) -> u32 {
        self.choices.len() as u32
    }

    /// The first player's points.
    pub fn first_points(&self) -> f64 {
        match self.outcome.winner {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == Side::First)),
        }
    }

    /// The chances of a side, turn by turn, where a player searched.
    fn chances_of(&self, side: Side) -> impl Iterator<Item = (usize, f64)> + '_ {
        let of_side = move |chance: f64| if side == Side::First { chance } else { 1.0 - chance };
        self.chances
            .iter()
            .enumerate()
            .filter_map(move |(n, chance)| Some((n, of_side((*chance)?))))
    }

    /// How often the lead changed: how often a side was ahead after the other had been.
    pub fn lead_changes(&self) -> u32 {
        let (mut leader, mut changes) = (None, 0);
        for (_, chance) in self.chances_of(Side::First) {
            let ahead = match chance {
                chance if chance >= AHEAD => Some(Side::First),
                chance if 1.0 - chance >= AHEAD => Some(Side::Second),
                _ => None,
            };
            if ahead.is_some() && ahead != leader {
                changes += u32::from(leader.is_some());
                leader = ahead;
            }
        }
        changes
    }

    /// The turn, counted from 0, from which on the winner's chance stayed high; the number of turns
    /// if it never did. Nothing for a draw.
    pub fn decided_in(&self) -> Option<u32> {
        let winner = self.outcome.winner?;
        let mut decided = None;
        for (number, chance) in self.chances_of(winner) {
            match chance >= DECIDED {
                true => decided = decided.or(Some(number as u32)),
                false => decided = None,
            }
        }
        Some(decided.unwrap_or(self.plies()))
    }

    /// The winner's lowest chance; nothing for a draw, or if nobody thought.
    pub fn lowest_chance_of_winner(&self) -> Option<f64> {
        let winner = self.outcome.winner?;
        self.chances_of(winner).map(|(_, chance)| chance).min_by(f64::total_cmp)
    }

    /// The side that was behind in the middle of the game, if one was.
    pub fn behind_at_half_time(&self) -> Option<Side> {
        let chance = (*self.chances.get(self.chances.len() / 2)?)?;
        if 1.0 - chance >= AHEAD {
            Some(Side::First)
        } else {
            (chance >= AHEAD).then_some(Side::Second)
        }
    }
}

fn facts<P: Reported>(start: P, played: &PlayedGame) -> Result<Facts, Fault> {
    let (mut chances, mut choices) = (Vec::new(), Vec::new());
    let (mut rules, mut cells) = (vec![0; P::RULES.len()], Vec::new());
    let (mut symmetric, mut still) = (0, true);
    let mut steps = Vec::new();
    let last = replay(start, played, |position, mv, turn, after| {
        let side = position.side_to_move();
        chances.push(turn.score.map(|score| {
            let chance = Score::from_raw(score).win_probability();
            if side == Side::First { chance } else { 1.0 - chance }
        }));
        choices.push(position.count_moves() as u32);
        position.rules(mv, after, &mut |rule| rules[rule] += 1);
        steps.clear();
        position.steps(mv, &mut steps);
        let mut named: Vec<u16> = steps.iter().map(|step| step.cell).collect();
        named.sort_unstable();
        named.dedup();
        cells.push(named);
        still = still && (1..position.symmetries()).any(|s| position.transform(s) == *position);
        symmetric += u32::from(still);
    })?;
    let outcome = last.outcome().ok_or(Fault::End)?;
    Ok(Facts { outcome, chances, choices, rules, cells, symmetric })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_rules::Reason;

    fn facts(winner: Option<Side>, chances: &[f64]) -> Facts {
        Facts {
            outcome: Outcome { winner, reason: Reason::Path },
            chances: chances.iter().map(|&chance| (chance >= 0.0).then_some(chance)).collect(),
            choices: vec![3; chances.len()],
            rules: Vec::new(),
            cells: Vec::new(),
            symmetric: 0,
        }
    }

    #[test]
    fn the_lead_changes_when_the_other_side_is_ahead() {
        let changes = |chances: &[f64]| facts(None, chances).lead_changes();
        assert_eq!(changes(&[0.5, 0.7, 0.55, 0.7, 0.45, 0.3, 0.35, 0.9]), 2);
        assert_eq!(changes(&[0.5, 0.59, 0.41]), 0);
        assert_eq!(changes(&[0.2, -1.0, 0.8]), 1);
    }

    #[test]
    fn a_game_is_decided_when_it_stays_decided() {
        let decided = |winner, chances: &[f64]| facts(winner, chances).decided_in();
        assert_eq!(decided(Some(Side::First), &[0.5, 0.95, 0.6, 0.92, 1.0]), Some(3));
        assert_eq!(decided(Some(Side::Second), &[0.5, 0.95, 0.6, 0.05, -1.0, 0.0]), Some(3));
        assert_eq!(decided(Some(Side::First), &[0.5, 0.5]), Some(2));
        assert_eq!(decided(None, &[0.5, 0.5]), None);
    }

    #[test]
    fn the_winner_was_behind() {
        let game = facts(Some(Side::Second), &[0.5, 0.6, 0.8, 0.4, 0.1]);
        assert!((game.lowest_chance_of_winner().unwrap() - 0.2).abs() < 1e-9);
        assert_eq!(game.behind_at_half_time(), Some(Side::Second));
        assert_eq!(facts(None, &[0.5, 0.5, 0.45]).behind_at_half_time(), None);
    }
}
