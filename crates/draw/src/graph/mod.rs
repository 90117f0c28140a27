//! How a reviewed game went, as a graph: in the terminal and as SVG.

mod bars;
mod svg;
#[cfg(test)]
mod tests;

use stoa_engine::review::Class;
use stoa_rules::{Game, Side};

pub use bars::{bars, bars_within};
pub use svg::svg;

/// What is drawn.
pub struct Graph {
    /// The game that was played.
    pub game: Game,
    /// Who played, the first player first.
    pub players: [Option<String>; 2],
    /// How probable it was that the first player wins: before the first move shown, and after
    /// each move.
    pub curve: Vec<f64>,
    /// The first move shown, counted in turns of both players from zero, the first player's even.
    pub first_ply: usize,
    /// The moves that are pointed out.
    pub marks: Vec<Mark>,
}

/// A move that is pointed out.
pub struct Mark {
    /// Its place in the curve.
    pub index: usize,
    /// How bad it was.
    pub class: Class,
    /// What is said about it.
    pub text: String,
}

impl Graph {
    fn moves(&self) -> usize {
        self.curve.len().saturating_sub(1)
    }

    fn name(&self, side: Side) -> &'static str {
        self.game.side_name(side)
    }

    /// The numbers of rounds to write below the graph, each with its first place in the curve.
    fn rounds(&self, max_count: usize) -> Vec<(usize, usize)> {
        let rounds = self.moves().div_ceil(2);
        let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
        let step = steps.into_iter().find(|step| rounds / step <= max_count).unwrap_or(5000);
        let plies = (1..=self.moves()).map(|index| (self.first_ply + index - 1, index));
        plies
            .filter(|(ply, _)| ply.is_multiple_of(2))
            .map(|(ply, index)| (ply / 2 + 1, index))
            .filter(|(round, _)| *round == 1 && step >= 5 || round.is_multiple_of(step))
            .collect()
    }
}

/// A name that leaves room for the other one.
pub fn shortened(name: &str) -> String {
    const MAX_LENGTH: usize = 24;
    let cut = if name.chars().nth(MAX_LENGTH).is_some() { "…" } else { "" };
    name.chars().take(MAX_LENGTH).collect::<String>() + cut
}
