//! What the app looks like.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Wrap};
use stoa_rules::view::View;
use stoa_rules::{Role, Side};

use super::app::{App, DrawnBoard, players_text};
use super::overlay::{Asked, Overlay, Question};
use super::table::Table;
use crate::draw::board::{self, Charset};
use crate::draw::canvas::{self, Canvas};
use crate::rules_text;
use crate::words::{counters, request, state_sentence, tally_words};

/// Below this nothing sensible can be shown.
const LEAST: (u16, u16) = (24, 8);
/// The width of the column beside the board.
const PANEL: u16 = 30;

/// Draws everything.
pub(super) fn draw(app: &mut App, frame: &mut Frame<'_>) {
    let area = frame.area();
    app.drawn.board = None;
    app.drawn.menu.clear();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let text = format!("Too small: {}×{} at least", LEAST.0, LEAST.1);
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    match app.table.take() {
        Some(table) => {
            game(app, &table, frame, area);
            app.table = Some(table);
        }
        None => menu(app, frame, area),
    }
    overlay(app, frame, area);
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

fn menu(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    let mut lines = vec![
        Line::from(Span::styled("STOA", accent(app))),
        Line::from("Five games about stacks, walls and towers"),
        Line::default(),
    ];
    let roomy = area.height >= 24;
    for (index, game) in app.menu.games().iter().enumerate() {
        let info = game.info();
        let selected = index == app.menu.selected();
        let arrow = if selected { "> " } else { "  " };
        let style = if selected { accent(app) } else { Style::default() };
        let options = game.option().map_or(String::new(), |option| format!("  < {option} >"));
        app.drawn.menu.push(area.y + 1 + lines.len() as u16);
        lines.push(Line::from(vec![
            Span::styled(format!("{arrow}{:<10}", info.name), style),
            Span::styled(options, style),
            Span::styled(format!("  {}, {}", info.designer, info.year), faint(app)),
        ]));
        if roomy {
            lines.push(Line::from(Span::styled(format!("    {}", info.aim), faint(app))));
            lines.push(Line::default());
        }
    }
    if !roomy {
        lines.push(Line::default());
    }
    let players = players_text(app.menu.game(), app.menu.players());
    lines.push(Line::from(vec![Span::raw("Players: "), Span::styled(players, accent(app))]));
    lines.push(Line::default());
    lines.push(Line::from("Enter play   Left/Right options   Tab players"));
    lines.push(Line::from("i rules   o open a saved game   ? help   q quit"));
    let inner =
        Rect { x: area.x + 2, y: area.y + 1, width: area.width - 2, height: area.height - 1 };
    frame.render_widget(Paragraph::new(lines), inner);
}

fn game(app: &mut App, table: &Table, frame: &mut Frame<'_>, area: Rect) {
    let view = table.position().view();
    // At the foot the message, and the keys if there is room for them.
    let lines = if area.height > 24 { 2 } else { 1 };
    let foot = Rect { y: area.bottom() - lines, height: lines, ..area };
    let above = Rect { height: area.height - lines - 1, y: area.y + 1, ..area };
    let title = Rect { height: 1, ..area };
    let info = table.game().info();
    let heading = Line::from(vec![
        Span::styled(info.name, accent(app)),
        Span::styled(format!("  by {}, {}", info.designer, info.year), faint(app)),
    ]);
    frame.render_widget(Paragraph::new(heading), title);

    let smallest = board::scales(table.game())[board::scales(table.game()).len() - 1];
    let least_board = board::width(&view, smallest) as u16;
    let beside = area.width >= least_board + PANEL;
    let (board_area, panel) = if beside {
        let width = area.width - PANEL;
        (Rect { width, ..above }, Rect { x: area.x + width, width: PANEL, ..above })
    } else {
        let lines = 3.min(above.height / 3);
        let height = above.height - lines;
        (Rect { height, ..above }, Rect { y: above.y + height, height: lines, ..above })
    };
    draw_board(app, table, &view, frame, board_area);
    if beside {
        let lines = side_lines(app, table, &view, panel);
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), panel);
    } else {
        frame.render_widget(Paragraph::new(short_lines(app, table, &view)), panel);
    }
    let keys = "? help  q quit  Enter choose  m type  u undo  r redo  i rules  s save  n new";
    let request = match table.position().outcome() {
        Some(_) => String::new(),
        None => request(table.roles()),
    };
    let message = if app.message.is_empty() { request } else { app.message.clone() };
    let keys = Line::from(Span::styled(keys, faint(app)));
    let message = Line::from(Span::styled(message, accent(app)));
    let lines = if foot.height > 1 {
        vec![message, keys]
    } else if app.message.is_empty() && is_routine(table.roles()) {
        vec![keys]
    } else {
        vec![message]
    };
    frame.render_widget(Paragraph::new(lines), foot);
}

/// Whether the next click is one that every turn begins with, so that nothing need be said.
fn is_routine(roles: &[Role]) -> bool {
    roles.iter().all(|role| matches!(role, Role::Piece | Role::Place | Role::Pawn | Role::Tower))
}

fn draw_board(app: &mut App, table: &Table, view: &View, frame: &mut Frame<'_>, area: Rect) {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let scale = board::fitting_scale(table.game(), view, width, height);
    let canvas = board::draw(view, &table.marks(app.cursor), scale, app.charset);
    // Smaller boards stand in the middle; larger ones are scrolled so that the cursor is seen.
    let place = app.cursor.and_then(|step| canvas.place_of(step)).unwrap_or((0, 0));
    let scrolled = |size: usize, room: usize, at: usize| {
        if size <= room { 0 } else { at.saturating_sub(room / 2).min(size - room) }
    };
    let scroll = (scrolled(canvas.width, width, place.0), scrolled(canvas.height, height, place.1));
    let x = area.x + (width.saturating_sub(canvas.width) / 2) as u16;
    let y = area.y + (height.saturating_sub(canvas.height) / 2) as u16;
    let window = Rect { x, y, width: area.right() - x, height: area.bottom() - y };
    paint(&canvas, scroll, window, frame.buffer_mut());
    app.drawn.board = Some(DrawnBoard { canvas, window, scroll });
}

/// Puts a part of a canvas on the screen.
fn paint(canvas: &Canvas, (left, top): (usize, usize), area: Rect, buffer: &mut Buffer) {
    for y in 0..usize::from(area.height).min(canvas.height.saturating_sub(top)) {
        for x in 0..usize::from(area.width).min(canvas.width.saturating_sub(left)) {
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

fn side_lines<'a>(app: &App, table: &Table, view: &View, area: Rect) -> Vec<Line<'a>> {
    let game = table.game();
    let mut lines = Vec::new();
    for side in Side::BOTH {
        let is_next = table.outcome().is_none() && table.position().side_to_move() == side;
        let mark = if is_next { ">" } else { " " };
        let count = view.tally[side.index()];
        let text =
            format!("{mark} {:<6} {count} {}", game.side_name(side), tally_words(view.tally_of));
        lines.push(Line::from(text));
    }
    lines.extend(counters(view).into_iter().map(|text| Line::from(format!("  {text}"))));
    lines.push(Line::default());
    lines.push(Line::from(Span::styled(
        state_sentence(table.position(), table.outcome()),
        accent(app),
    )));
    lines.push(Line::default());
    // The sentence about the end may take two lines more.
    let room = usize::from(area.height).saturating_sub(lines.len() + 2);
    lines.extend(move_lines(table, room));
    lines
}

/// The last moves, a round a line.
fn move_lines<'a>(table: &Table, room: usize) -> Vec<Line<'a>> {
    let offset = usize::from(table.session().start().side_to_move() == Side::Second);
    let mut rounds: Vec<String> = Vec::new();
    for (ply, mv) in (offset..).zip(table.session().moves()) {
        match rounds.last_mut() {
            Some(round) if ply % 2 == 1 => round.push_str(&format!(" {mv}")),
            _ if ply % 2 == 1 => rounds.push(format!("{:>3}. … {mv}", ply / 2 + 1)),
            _ => rounds.push(format!("{:>3}. {mv}", ply / 2 + 1)),
        }
    }
    let skipped = rounds.len().saturating_sub(room);
    rounds.into_iter().skip(skipped).map(Line::from).collect()
}

fn short_lines<'a>(app: &App, table: &Table, view: &View) -> Vec<Line<'a>> {
    let game = table.game();
    let tally: Vec<String> = Side::BOTH
        .into_iter()
        .map(|side| format!("{} {}", game.side_name(side), view.tally[side.index()]))
        .collect();
    let last = table.session().moves().last().map_or(String::new(), |mv| format!("  last {mv}"));
    vec![
        Line::from(Span::styled(state_sentence(table.position(), table.outcome()), accent(app))),
        Line::from(format!("{} {}{last}", tally.join(", "), tally_words(view.tally_of))),
    ]
}

const HELP: &str = "\
On the board
  arrows, hjkl   move the cursor
  Enter, Space   choose what is under it
  Tab            go to the next choice
  d              play a move that could go on
  Esc            forget what was chosen
  mouse          click; right button forgets
  m              type a move
  u, r           undo, redo
In the game
  i              the rules
  s, o           save, open a record
  n              another game
  q, Ctrl-C      leave (asks if the game is not saved)

Any key closes this.";

fn overlay(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    match &app.overlay {
        Overlay::None => {}
        Overlay::Help => window(frame, area, "Keys", HELP, 56),
        Overlay::Notice { text, .. } => {
            let text = format!("{text}\n\nEnter goes on.");
            window(frame, area, "Stoa", &text, 72);
        }
        Overlay::Question(question) => {
            let text = match question {
                Question::Overwrite(path) => format!("{} exists. Write over it?", path.display()),
                Question::LeaveUnsaved(_) => {
                    "The game is not saved. Leave it? (n, then s to save)".to_owned()
                }
            };
            window(frame, area, "Stoa", &format!("{text}\n\ny yes   n no"), 60);
        }
        Overlay::Prompt { asked, text } => {
            let title = match asked {
                Asked::Move => match app.table.as_ref().and_then(Table::example) {
                    Some(example) => format!("Your move, such as {example}"),
                    None => "Your move".to_owned(),
                },
                Asked::SaveAs => "Save as".to_owned(),
                Asked::Open => "Open which file".to_owned(),
            };
            // Of a long text the end is shown, where typing goes on. The board stays in sight.
            let room = usize::from(area.width.min(72)).saturating_sub(6);
            let skipped = text.chars().count().saturating_sub(room);
            let shown: String = text.chars().skip(skipped).collect();
            let foot =
                Rect { y: area.bottom() - area.height.min(5), height: area.height.min(5), ..area };
            window(frame, foot, &title, &format!("{shown}_\n\nEnter ok   Esc cancel"), 72);
        }
        Overlay::Rules { game, scroll } => {
            let width = usize::from(area.width).saturating_sub(4).clamp(20, 84);
            let page = rules_text::lay_out(*game, width, app.charset);
            let inner = Rect {
                x: area.x + 2,
                y: area.y + 1,
                width: area.width.saturating_sub(3),
                height: area.height.saturating_sub(2),
            };
            app.drawn.rules_end = page.height.saturating_sub(usize::from(inner.height));
            frame.render_widget(Clear, area);
            paint(&page, (0, (*scroll).min(app.drawn.rules_end)), inner, frame.buffer_mut());
            let foot = Rect { y: area.bottom() - 1, height: 1, ..area };
            let keys = Line::from(Span::styled(
                "  up/down, PgUp/PgDn scroll   other keys go back",
                faint(app),
            ));
            frame.render_widget(Paragraph::new(keys), foot);
        }
    }
}

/// A box in the middle of the screen.
fn window(frame: &mut Frame<'_>, area: Rect, title: &str, text: &str, width: u16) {
    let width = width.min(area.width);
    let inside = usize::from(width.saturating_sub(4)).max(1);
    let lines: usize = text.lines().map(|line| line.chars().count().div_ceil(inside).max(1)).sum();
    let height = (lines as u16 + 2).min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    let block = Block::default()
        .borders(Borders::ALL)
        .title(format!(" {title} "))
        .title_alignment(Alignment::Center);
    let inner = block.inner(place);
    frame.render_widget(block, place);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner };
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }), inner);
}
