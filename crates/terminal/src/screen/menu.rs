//! The first screen.

use crossterm::event::KeyCode;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::{Button, accent, draw_buttons, faint};
use crate::app::App;
use crate::menu::Row;

const BUTTONS: [&[Button]; 2] = [
    &[(KeyCode::Enter, "play"), (KeyCode::Char('i'), "rules"), (KeyCode::Char('o'), "open")],
    &[(KeyCode::Char('?'), "help"), (KeyCode::Char('q'), "quit")],
];

pub(super) fn draw(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    let inner = Rect { x: area.x + 2, width: area.width - 2, ..area };
    let games = app.menu.games().len() as u16;
    // With room, every game has its aim below it; with little, only what can be chosen is shown.
    let (roomy, airy) = (area.height >= 24, area.height >= 3 + games + 9);
    let mut y = area.y + u16::from(airy);
    let mut put = |frame: &mut Frame<'_>, line: Line<'_>| {
        if y < area.bottom() {
            frame.render_widget(Paragraph::new(line), Rect { y, height: 1, ..inner });
        }
        y += 1;
        y - 1
    };
    put(frame, Line::from(Span::styled("STOA", accent(app))));
    if airy {
        put(frame, Line::from("Games about stacks, walls and towers"));
        put(frame, Line::default());
    }
    for index in 0..usize::from(games) {
        let game = app.menu.games()[index];
        let info = game.info();
        let row = Row::Game(index);
        let style = if index == app.menu.selected() { accent(app) } else { Style::default() };
        let name = format!("{}{:<10}", arrow(app, row), info.name);
        let option = game.option().map_or(String::new(), |option| format!("  < {option} >"));
        let choices = if option.is_empty() { 0 } else { inner.x + name.len() as u16 + 2 };
        let at = put(
            frame,
            Line::from(vec![
                Span::styled(name, style),
                Span::styled(option, style),
                Span::styled(format!("  {}, {}", info.designer, info.year), faint(app)),
            ]),
        );
        app.drawn.menu.push((row, Position { x: choices, y: at }));
        if roomy {
            put(frame, Line::from(Span::styled(format!("    {}", info.aim), faint(app))));
            put(frame, Line::default());
        }
    }
    if airy && !roomy {
        put(frame, Line::default());
    }
    let sides = app.menu.side_words().unwrap_or_else(|| "both sides".to_owned());
    let chosen =
        [(Row::Opponent, "Against", app.menu.opponent_words()), (Row::Side, "You play", sides)];
    for (row, label, words) in chosen {
        let label = format!("{}{label:<10}", arrow(app, row));
        let x = inner.x + label.len() as u16;
        let has_choices = row == Row::Opponent || app.menu.side_words().is_some();
        let words = if has_choices { format!("< {words} >") } else { words };
        let style = if has_choices { accent(app) } else { faint(app) };
        let at = put(frame, Line::from(vec![Span::raw(label), Span::styled(words, style)]));
        if has_choices {
            app.drawn.menu.push((row, Position { x, y: at }));
        }
    }
    if airy {
        put(frame, Line::default());
        put(frame, Line::from(Span::styled("Arrow keys choose, digits set the level", faint(app))));
    }
    let left = area.bottom().saturating_sub(y);
    let all: Vec<Button> = BUTTONS.concat();
    if left > 0 {
        draw_buttons(app, frame, Rect { y, height: 1, ..inner }, &all);
    }
}

fn arrow(app: &App, row: Row) -> &'static str {
    if app.menu.row() == row { "> " } else { "  " }
}
