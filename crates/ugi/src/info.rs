//! `info` lines: what a search has found, as text and back.

use stoa_engine::{Score, Thought};

/// A line of text for each line of play.
pub(crate) fn written(thought: &Thought) -> Vec<String> {
    let common = format!("depth {} {}", thought.depth, effort(thought));
    let line = |(number, line): (usize, &stoa_engine::Line)| {
        let score = score_text(line.score);
        let moves = line.moves.join(" ");
        format!("info {common} multipv {} score {score} pv {moves}", number + 1)
    };
    thought.lines.iter().enumerate().map(line).collect()
}

/// How much work a search was.
pub(crate) fn effort(thought: &Thought) -> String {
    format!(
        "nodes {} time {} nps {} hashfull {}",
        thought.nodes,
        thought.time.as_millis(),
        thought.speed(),
        thought.table_used
    )
}

/// Points, or a proven result with its turns, both players' counted.
fn score_text(score: Score) -> String {
    match score.turns() {
        None => format!("cp {}", score.raw()),
        Some(turns) if score.is_win() => format!("mate {turns}"),
        Some(turns) => format!("mate -{turns}"),
    }
}

/// What an `info` line of any engine says about its best line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Info {
    /// What the player to move has.
    pub(crate) score: Option<Score>,
    /// How many turns ahead it looked.
    pub(crate) depth: Option<u32>,
    /// How many positions it looked at.
    pub(crate) nodes: Option<u64>,
}

impl Info {
    /// Adds what a line says. Unknown words are ignored, because every engine has some of its own; so is what it
    /// says about other lines than the best.
    pub(crate) fn add(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let mut new = *self;
        while let Some(word) = words.next() {
            let value = words.clone().next();
            match word {
                // What follows are moves, or words for people.
                "pv" | "string" => break,
                "multipv" if value.is_some_and(|number| number != "1") => return,
                "depth" => new.depth = read(value).or(new.depth),
                "nodes" => new.nodes = read(value).or(new.nodes),
                "cp" => new.score = read(value).map(Score::points).or(new.score),
                "mate" => new.score = read(value).map(proven).or(new.score),
                _ => {}
            }
        }
        *self = new;
    }
}

fn read<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

fn proven(turns: i32) -> Score {
    if turns > 0 {
        Score::win_in(turns.unsigned_abs())
    } else {
        Score::loss_in(turns.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_as_they_are_written() {
        for score in [
            Score::EVEN,
            Score::points(-35),
            Score::points(1200),
            Score::win_in(7),
            Score::loss_in(4),
        ] {
            let mut info = Info::default();
            info.add(&format!("info depth 5 score {} pv a b", score_text(score)));
            assert_eq!(info.score, Some(score));
        }
        assert_eq!(score_text(Score::loss_in(4)), "mate -4");
    }

    #[test]
    fn only_the_best_line_counts_and_later_lines_count_more() {
        let mut info = Info::default();
        for line in [
            "info depth 3 nodes 10 multipv 1 score cp 30 pv x",
            "info depth 4 seldepth 9 nodes 20 score cp 40 lowerbound pv nodes 99",
            "info depth 7 multipv 2 score cp -500 pv y",
            "info string depth 99 score cp 99",
            "info nodes many depth",
            "bestmove depth 50",
        ] {
            info.add(line);
        }
        assert_eq!(info, Info { score: Some(Score::points(40)), depth: Some(4), nodes: Some(20) });
    }
}
