//! What the engine has to say: that it thinks, its hint, and the bar.

use std::time::Duration;

use ratatui::text::{Line, Span};
use stoa_draw::board::Charset;
use stoa_draw::score;
use stoa_engine::Score;
use stoa_rules::Side;

use super::{accent, faint};
use crate::app::App;
use crate::engine_tasks::{Aim, Hint};
use crate::local_game::LocalGame;

/// What a person waits for now, with something that moves.
pub(super) fn waiting(app: &App) -> Option<String> {
    let (aim, waited) = app.engine.awaited(std::time::Instant::now())?;
    let what = match aim {
        Aim::Turn(player) => format!("Stoa {} thinks…", player.level),
        Aim::Hint => "Looking for a hint…".to_owned(),
        Aim::Estimate | Aim::Review => return None,
    };
    Some(format!("{} {what}", spinner(app.charset, waited)))
}

/// A spinner, shown while the user waits.
pub(super) fn spinner(charset: Charset, waited: Duration) -> char {
    const ROUND: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
    const PLAIN: [char; 4] = ['|', '/', '-', '\\'];
    let frames: &[char] = if charset == Charset::Ascii { &PLAIN } else { &ROUND };
    frames[(waited.as_millis() / 100) as usize % frames.len()]
}

/// A hint with what may follow: the first of two lines is short.
pub(super) fn hint_words(game: &LocalGame, hint: &Hint) -> (String, String) {
    let (kind, side) = (game.game(), game.position().side_to_move());
    let best = hint.line.first().map_or("", String::as_str);
    let rest: Vec<&str> = hint.line.iter().skip(1).take(4).map(String::as_str).collect();
    let then = if rest.is_empty() { String::new() } else { format!("then {}; ", rest.join(" ")) };
    (format!("Best is {best}"), format!("{then}{}", score::sentence(kind, side, hint.score)))
}

/// The probability of winning as a bar, and the score and depth in words.
pub(super) fn bar<'a>(app: &App, game: &LocalGame, width: usize) -> (Line<'a>, String) {
    let kind = game.game();
    let names = Side::BOTH.map(|side| game.players().short_name(kind, side));
    let (share, words) = match (game.outcome(), &app.engine.estimate) {
        (Some(outcome), _) => {
            let won = |side: Side| if side == Side::First { 1.0 } else { 0.0 };
            (outcome.winner.map_or(0.5, won), "the game is over".to_owned())
        }
        (None, None) => (0.5, "thinking…".to_owned()),
        (None, Some(estimate)) => {
            let score = estimate.score;
            let share = score.win_probability();
            let leader = if score >= Score::EVEN { Side::First } else { Side::Second };
            let words = match score.turns() {
                Some(_) => score::sentence(kind, Side::First, score),
                None => {
                    let (name, ahead) = (kind.side_name(leader), score.max(-score));
                    format!("{name} {ahead}, depth {}", estimate.depth)
                }
            };
            (share, words)
        }
    };
    let percent = format!("{:.0}%", 100.0 * share);
    let taken = names[0].len() + percent.len() + names[1].len() + 3;
    let length = width.saturating_sub(taken).min(40);
    let full = (share * length as f64).round() as usize;
    let [on, off] = if app.charset == Charset::Ascii { ['#', '-'] } else { ['█', '░'] };
    let filled: String = std::iter::repeat_n(on, full).collect();
    let empty: String = std::iter::repeat_n(off, length - full).collect();
    let line = Line::from(vec![
        Span::raw(format!("{} {percent} ", names[0])),
        Span::styled(filled, accent(app)),
        Span::styled(empty, faint(app)),
        Span::raw(format!(" {}", names[1])),
    ]);
    (line, words)
}
