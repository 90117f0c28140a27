//! What the app looks like.

mod game;
mod menu;
mod opinion;
mod review;
mod windows;

use crossterm::event::KeyCode;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use stoa_draw::board::Charset;
use stoa_draw::canvas::{self, Canvas};

use super::app::App;

/// Below this nothing sensible can be shown.
const MIN_SIZE: (u16, u16) = (24, 8);

/// Draws everything.
pub(super) fn draw(app: &mut App, frame: &mut Frame<'_>) {
    let area = frame.area();
    app.drawn.board = None;
    app.drawn.menu.clear();
    app.drawn.buttons.clear();
    app.drawn.mistakes.clear();
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        let text = format!("Too small: at least {} by {}", MIN_SIZE.0, MIN_SIZE.1);
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    match app.game.take() {
        Some(game) => {
            game::draw(app, &game, frame, area);
            app.game = Some(game);
        }
        None => menu::draw(app, frame, area),
    }
    windows::draw(app, frame, area);
    if app.charset == Charset::Ascii {
        spell_in_ascii(frame.buffer_mut());
    }
}

/// Frames, dashes and dots for terminals that know nothing but ASCII.
fn spell_in_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let ascii = match cell.symbol() {
            symbol if symbol.is_ascii() => continue,
            "─" | "–" => "-",
            "│" => "|",
            "┌" | "┐" | "└" | "┘" => "+",
            "…" => ".",
            _ => "?",
        };
        cell.set_symbol(ascii);
    }
}

fn accent(app: &App) -> Style {
    match app.charset {
        Charset::Colour => Style::default().fg(Color::Indexed(178)).add_modifier(Modifier::BOLD),
        _ => Style::default().add_modifier(Modifier::BOLD),
    }
}

fn faint(app: &App) -> Style {
    match app.charset {
        Charset::Colour => Style::default().fg(Color::Indexed(245)),
        _ => Style::default(),
    }
}

/// A key with what it does: words that can be clicked as well.
type Button = (KeyCode, &'static str);

/// The name of a key.
fn key_name(code: KeyCode) -> String {
    match code {
        KeyCode::Char(c) => c.to_string(),
        other => other.to_string(),
    }
}

/// How wide some buttons are.
fn buttons_width(buttons: &[Button]) -> u16 {
    let widths = buttons.iter().map(|(code, words)| key_name(*code).len() + 1 + words.len() + 2);
    (widths.sum::<usize>() as u16).saturating_sub(2)
}

/// Puts as many buttons on a line as there is room for.
fn draw_buttons(app: &mut App, frame: &mut Frame<'_>, area: Rect, buttons: &[Button]) {
    let mut x = area.x;
    for &(code, words) in buttons {
        let width = buttons_width(&[(code, words)]);
        if x + width > area.right() {
            break;
        }
        let place = Rect { x, width, height: 1.min(area.height), ..area };
        let line = vec![
            Span::styled(key_name(code), accent(app)),
            Span::styled(format!(" {words}"), faint(app)),
        ];
        frame.render_widget(Paragraph::new(Line::from(line)), place);
        app.drawn.buttons.push((place, code));
        x += width + 2;
    }
}

/// Puts a part of a canvas on the screen.
fn paint(canvas: &Canvas, (left, top): (usize, usize), area: Rect, buffer: &mut Buffer) {
    for y in 0..usize::from(area.height).min(canvas.height().saturating_sub(top)) {
        for x in 0..usize::from(area.width).min(canvas.width().saturating_sub(left)) {
            let (c, style) = canvas.cell(left + x, top + y);
            if let Some(cell) = buffer.cell_mut((area.x + x as u16, area.y + y as u16)) {
                cell.set_char(c).set_style(terminal_style(style));
            }
        }
    }
}

fn terminal_style(style: canvas::Style) -> Style {
    let (fg, bg) = (style.fg.map(Color::Indexed), style.bg.map(Color::Indexed));
    let mut result = Style { fg, bg, ..Style::default() };
    for (on, modifier) in [
        (style.bold, Modifier::BOLD),
        (style.underline, Modifier::UNDERLINED),
        (style.reversed, Modifier::REVERSED),
    ] {
        if on {
            result = result.add_modifier(modifier);
        }
    }
    result
}
