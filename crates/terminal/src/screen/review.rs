//! The review of a game: how it went, and where it went wrong.

use crossterm::event::KeyCode;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Wrap};
use stoa_draw::board::Charset;
use stoa_draw::graph;
use stoa_rules::Side;

use super::{Button, accent, draw_buttons, faint, opinion};
use crate::app::App;
use crate::review::GameReview;

const STOP: [Button; 1] = [(KeyCode::Esc, "stop")];
const CHOOSE: [Button; 4] = [
    (KeyCode::Enter, "look at it"),
    (KeyCode::Esc, "close"),
    (KeyCode::Down, "next"),
    (KeyCode::Up, "back"),
];
const CLOSE: [Button; 1] = [(KeyCode::Esc, "close")];

/// How many lines the reasons of a mistake take.
const REASON_LINES: u16 = 3;
/// The list needs its heading and two mistakes at least.
const MIN_LIST_HEIGHT: u16 = 3;

pub(super) fn draw(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    let Some(review) = app.review.take() else { return };
    frame.render_widget(Clear, area);
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let foot = Rect { y: area.bottom() - 1, height: 1, ..inner };
    let title = Line::from(Span::styled("Review", accent(app)));
    frame.render_widget(Paragraph::new(title), Rect { height: 1, ..inner });
    let body = Rect { y: area.y + 1, height: area.height - 2, ..inner };
    if review.is_done() {
        found(app, &review, frame, body);
        let buttons: &[Button] = if review.mistakes().is_empty() { &CLOSE } else { &CHOOSE };
        draw_buttons(app, frame, foot, buttons);
    } else {
        progress(app, &review, frame, body);
        draw_buttons(app, frame, foot, &STOP);
    }
    app.review = Some(review);
}

fn progress(app: &App, review: &GameReview, frame: &mut Frame<'_>, area: Rect) {
    let (judged, positions) = review.progress;
    let waited = app.engine.awaited(std::time::Instant::now());
    let spinner = opinion::spinner(app.charset, waited.map_or_else(Default::default, |it| it.1));
    let room = usize::from(area.width).min(60);
    let full = room * judged / positions.max(1);
    let [on, off] = if app.charset == Charset::Ascii { ["#", "-"] } else { ["█", "░"] };
    let lines = vec![
        Line::default(),
        Line::from(format!("{spinner} {judged} of {positions} positions judged")),
        Line::from(vec![
            Span::styled(on.repeat(full), accent(app)),
            Span::styled(off.repeat(room - full), faint(app)),
        ]),
    ];
    frame.render_widget(Paragraph::new(lines), area);
}

fn found(app: &mut App, review: &GameReview, frame: &mut Frame<'_>, area: Rect) {
    let Some(found) = review.found() else { return };
    let graph =
        graph::bars_within(&found.graph(), usize::from(area.width).saturating_sub(8), app.charset);
    let mut head: Vec<Line<'_>> = vec![Line::from(accuracies(app, review))];
    let graph: Vec<Line<'_>> = graph.lines().map(|line| Line::from(line.to_owned())).collect();
    if area.height >= 1 + graph.len() as u16 + MIN_LIST_HEIGHT + REASON_LINES {
        head.extend(graph);
    }
    let head_height = head.len() as u16;
    frame.render_widget(Paragraph::new(head), Rect { height: head_height, ..area });
    let below = Rect { y: area.y + head_height, height: area.height - head_height, ..area };

    let mistakes = review.mistakes();
    if mistakes.is_empty() {
        let text = "No mistakes were found.";
        frame.render_widget(Paragraph::new(text), below);
        return;
    }
    let reason = REASON_LINES.min(below.height.saturating_sub(2));
    let numbered: Vec<String> = mistakes.iter().map(|mv| found.numbered(mv)).collect();
    let width = numbered.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(7);
    let heading = format!("  {:<width$}  costs  better", "mistake");
    frame.render_widget(Paragraph::new(heading), Rect { height: 1, ..below });
    let list = Rect { y: below.y + 1, height: below.height - reason - 1, ..below };
    let rows = usize::from(list.height);
    // The chosen line is always in sight.
    let first = review.selected.saturating_sub(rows.saturating_sub(1));
    for (row, (index, mv)) in mistakes.iter().enumerate().skip(first).take(rows).enumerate() {
        let chosen = index == review.selected;
        let best = mv.best.first().map_or("", String::as_str);
        let text = format!(
            "{} {:<width$}  {:>3.0} %  {best}",
            if chosen { ">" } else { " " },
            numbered[index],
            100.0 * mv.lost,
        );
        let place = Rect { y: list.y + row as u16, height: 1, ..list };
        let style = if chosen { accent(app) } else { Style::default() };
        frame.render_widget(Paragraph::new(Span::styled(text, style)), place);
        app.drawn.mistakes.push((place, index));
    }
    if let Some(mv) = mistakes.get(review.selected) {
        let words: Vec<String> = mv.reason.clone().into_iter().chain(found.better(mv)).collect();
        let place = Rect { y: list.bottom(), height: reason, ..below };
        frame.render_widget(Paragraph::new(words.join(" ")).wrap(Wrap { trim: true }), place);
    }
}

/// How well both have played.
fn accuracies(app: &App, review: &GameReview) -> String {
    let (Some(found), Some(game)) = (review.found(), &app.game) else { return String::new() };
    let words = Side::BOTH.map(|side| {
        let name = game.players().short_name(game.game(), side);
        let accuracy = found.review.players[side.index()].accuracy;
        let accuracy = accuracy.map_or("-".to_owned(), |value| format!("{value:.0}"));
        format!("{name} {accuracy}")
    });
    format!("Accuracy: {}", words.join(", "))
}
