//! How the players did over a whole game.

use stoa_rules::{Game, Side};

use super::accuracy::{accuracy, cost, is_solved};
use super::{Class, Reviewed};

/// How many moves of each class a player made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ClassCounts"))]
pub struct Counts {
    /// Moves without a choice.
    pub forced: usize,
    /// Best moves.
    pub best: usize,
    /// Good moves.
    pub good: usize,
    /// Inaccuracies.
    pub inaccuracy: usize,
    /// Mistakes.
    pub mistake: usize,
    /// Blunders.
    pub blunder: usize,
}

impl Counts {
    /// The number of moves of a class.
    pub fn of(&self, class: Class) -> usize {
        let mut counts = *self;
        *counts.of_mut(class)
    }

    fn of_mut(&mut self, class: Class) -> &mut usize {
        match class {
            Class::Forced => &mut self.forced,
            Class::Best => &mut self.best,
            Class::Good => &mut self.good,
            Class::Inaccuracy => &mut self.inaccuracy,
            Class::Mistake => &mut self.mistake,
            Class::Blunder => &mut self.blunder,
        }
    }
}

/// How a player did.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ReviewedPlayer"))]
pub struct Player {
    /// The player.
    pub side: Side,
    /// How much of the probability of winning a move has cost on average; nothing if no move tells. Forced moves
    /// are left out, and those in a game that was as good as decided, unless they changed that or the game is solved.
    pub average_loss: Option<f64>,
    /// From 0 to 100: the average loss on a scale that the levels set. Random moves are about 10, level 9 about
    /// 91, and 100 is nothing lost. Nothing if too few moves tell.
    pub accuracy: Option<f64>,
    /// How many moves of each class.
    pub counts: Counts,
    /// How many proven wins were let go.
    pub missed_wins: usize,
    /// How many moves made a loss certain.
    pub allowed_losses: usize,
}

impl Player {
    pub(super) fn of(game: Game, side: Side, moves: &[Reviewed]) -> Player {
        let own = || moves.iter().filter(|mv| mv.side == side);
        let mut counts = Counts::default();
        for mv in own() {
            *counts.of_mut(mv.class) += 1;
        }
        let is_solved = is_solved(game);
        let costs: Vec<f64> = own().filter_map(|mv| cost(mv, is_solved)).collect();
        let number = costs.len();
        let average_loss = (number > 0).then(|| costs.iter().sum::<f64>() / number as f64);
        Player {
            side,
            average_loss,
            accuracy: average_loss.and_then(|loss| accuracy(game, loss, number)),
            counts,
            missed_wins: own().filter(|mv| mv.missed_win.is_some()).count(),
            allowed_losses: own().filter(|mv| mv.allowed_loss.is_some()).count(),
        }
    }
}

/// The moves with which the favourite changed, or the worst one.
pub(super) fn turning_points(moves: &[Reviewed]) -> Vec<usize> {
    let is_serious = |mv: &&Reviewed| mv.class >= Class::Mistake;
    let favoured = |score: crate::Score| score.win_probability() >= 0.5;
    let turns = |mv: &&Reviewed| favoured(mv.before.mover) && !favoured(mv.after.mover);
    let turned: Vec<usize> =
        moves.iter().filter(is_serious).filter(turns).map(|mv| mv.ply).collect();
    if !turned.is_empty() {
        return turned;
    }
    let worst = moves.iter().filter(is_serious).max_by(|a, b| a.lost.total_cmp(&b.lost));
    worst.map(|mv| mv.ply).into_iter().collect()
}
