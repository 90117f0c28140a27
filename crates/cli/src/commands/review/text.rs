//! A review for people.

use stoa_draw::board::Charset;
use stoa_draw::graph;
use stoa_draw::reviewed::ReviewedGame;
use stoa_draw::score;
use stoa_engine::review::{Class, Player, Reviewed};
use stoa_rules::Side;

use super::super::replay::title;

/// The moves with their values and mistakes, the summary, and a graph.
pub(super) fn text(game: &ReviewedGame<'_>, charset: Charset) -> String {
    let mut text = title(game.record);
    text.push_str(&moves(game));
    text.push_str(&summary(game));
    text.push_str(&turning_points(game));
    text.push('\n');
    text.push_str(&graph::bars(&game.graph(), charset));
    if charset == Charset::Ascii { text.replace('…', "...") } else { text }
}

fn moves(game: &ReviewedGame<'_>) -> String {
    let moves = &game.review.moves;
    let head = format!("{} wins", game.name(Side::First));
    let numbered: Vec<String> = moves.iter().map(|mv| game.numbered(mv)).collect();
    let width = numbered.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(4);
    let column = head.len().max(9);
    let mut text = format!("\n{:<width$}  {head:>column$}\n", "move");
    for (mv, numbered) in moves.iter().zip(&numbered) {
        let value = score::percent(mv.after.first.win_probability());
        text.push_str(&format!("{numbered:<width$}  {value:>column$}  {}\n", judgement(game, mv)));
        if let Some(reason) = &mv.reason {
            text.push_str(&format!("      {reason}\n"));
            if let Some(better) = game.better(mv) {
                text.push_str(&format!("      {better}\n"));
            }
        }
    }
    text
}

/// How good a move was, and whether the game is decided.
fn judgement(game: &ReviewedGame<'_>, mv: &Reviewed) -> String {
    let mut words = mv.class.word().to_owned();
    if mv.class.is_error() {
        words.push_str(&format!(", costs {:.0} %", 100.0 * mv.lost));
    }
    if mv.after.first.is_proven() {
        let proven = score::sentence(game.record.game(), Side::First, mv.after.first);
        words.push_str(&format!("; {proven}"));
    }
    words
}

fn summary(game: &ReviewedGame<'_>) -> String {
    let players = &game.review.players;
    let mut rows: Vec<(&str, [String; 2])> = Vec::new();
    let names = Side::BOTH.map(|side| game.name(side).to_owned());
    rows.push(("", names));
    if Side::BOTH.iter().any(|&side| game.player(side).is_some()) {
        rows.push(("", Side::BOTH.map(|side| graph::shortened(game.player(side).unwrap_or("")))));
    }
    let of = |value: fn(&Player) -> String| Side::BOTH.map(|side| value(&players[side.index()]));
    let known = |value: Option<String>| value.unwrap_or("-".to_owned());
    let accuracies = players.each_ref().map(|player| player.accuracy);
    rows.push((
        "accuracy",
        accuracies.map(|value| known(value.map(|value| format!("{value:.0}")))),
    ));
    let losses = players.each_ref().map(|player| player.average_loss);
    let percent = |loss: f64| format!("{:.1} %", 100.0 * loss);
    rows.push(("average loss", losses.map(|loss| known(loss.map(percent)))));
    for (class, words) in [
        (Class::Best, "best moves"),
        (Class::Good, "good moves"),
        (Class::Inaccuracy, "inaccuracies"),
        (Class::Mistake, "mistakes"),
        (Class::Blunder, "blunders"),
        (Class::Forced, "forced moves"),
    ] {
        let counts = Side::BOTH.map(|side| players[side.index()].counts.of(class).to_string());
        rows.push((words, counts));
    }
    rows.push(("missed wins", of(|player| player.missed_wins.to_string())));
    rows.push(("allowed losses", of(|player| player.allowed_losses.to_string())));
    let column = |index: usize| {
        let widths = rows.iter().map(|(_, cells)| cells[index].chars().count());
        widths.max().unwrap_or(0).max(6)
    };
    let (first, second) = (column(0), column(1));
    let mut text = String::from("\n");
    for (words, [a, b]) in &rows {
        text.push_str(&format!("{words:<14}  {a:>first$}  {b:>second$}\n"));
    }
    text
}

fn turning_points(game: &ReviewedGame<'_>) -> String {
    let review = game.review;
    let points = review.turning_points.iter();
    let points = points.filter_map(|&ply| review.moves.iter().find(|mv| mv.ply == ply));
    let mut text = String::new();
    for mv in points {
        let is_turn =
            mv.before.mover.win_probability() >= 0.5 && mv.after.mover.win_probability() < 0.5;
        let what = if is_turn { "The game turned with" } else { "The costliest move was" };
        text.push_str(&format!("\n{what} {}: {}", game.numbered(mv), game.chances(mv)));
    }
    if text.is_empty() { text } else { text + "\n" }
}
