//! The graph in the terminal.

use stoa_engine::review::Class;
use stoa_rules::Side;

use super::Graph;
use crate::board::Charset;

/// How wide the graph in the terminal may be, without the names of its axis.
const BARS_WIDTH: usize = 64;
/// How high it is.
const BARS_HEIGHT: usize = 5;

/// The graph as bars of characters.
pub fn bars(graph: &Graph, charset: Charset) -> String {
    bars_within(graph, BARS_WIDTH, charset)
}

/// The same where there may be less room, the names of the axis not counted.
pub fn bars_within(graph: &Graph, max_width: usize, charset: Charset) -> String {
    let max_width = max_width.clamp(8, BARS_WIDTH);
    let moves = graph.moves();
    let columns = moves.clamp(1, max_width);
    let width = (max_width / columns).clamp(1, 3);
    // The column of each move; in a long game some moves share one.
    let column = |index: usize| (index.saturating_sub(1)) * columns / moves.max(1);
    let mut sums = vec![(0.0, 0.0); columns];
    for (index, value) in graph.curve.iter().enumerate().skip(1) {
        let (sum, count) = &mut sums[column(index)];
        *sum += value;
        *count += 1.0;
    }
    let values: Vec<f64> = sums.iter().map(|(sum, count)| sum / f64::max(*count, 1.0)).collect();
    let mut text = format!("How likely {} wins after each move\n", graph.name(Side::First));
    for row in (0..BARS_HEIGHT).rev() {
        let label = match row {
            _ if row + 1 == BARS_HEIGHT => "100 %",
            _ if row == BARS_HEIGHT / 2 => " 50 %",
            0 => "  0 %",
            _ => "     ",
        };
        let cells = values.iter().map(|value| {
            let filled = value * BARS_HEIGHT as f64 - row as f64;
            level(filled, charset).to_string().repeat(width)
        });
        let line = cells.collect::<String>();
        text.push_str(format!("{label} |{line}").trim_end());
        text.push('\n');
    }
    let mut signs = vec![' '; columns * width];
    for mark in graph.marks.iter().filter(|mark| mark.class >= Class::Mistake) {
        signs[column(mark.index) * width] = '?';
    }
    let mut numbers = String::new();
    for (round, index) in graph.rounds(max_width / 8) {
        let place = column(index) * width;
        if numbers.is_empty() || numbers.len() < place {
            numbers.push_str(&" ".repeat(place - numbers.len().min(place)));
            numbers.push_str(&round.to_string());
        }
    }
    for (label, line) in [("     ", signs.iter().collect::<String>()), ("move ", numbers)] {
        let line = format!("{label}  {line}");
        if line.trim() != "" {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// A character cell that is filled from below.
fn level(filled: f64, charset: Charset) -> char {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let filled = filled.clamp(0.0, 1.0);
    match charset {
        Charset::Ascii if filled >= 0.5 => '#',
        Charset::Ascii => ' ',
        _ => BLOCKS[(filled * 8.0).round() as usize],
    }
}
