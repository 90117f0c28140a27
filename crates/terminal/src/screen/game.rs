//! The board, with what there is to know beside or below it.

use crossterm::event::KeyCode;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Wrap};
use stoa_draw::board;
use stoa_draw::caption::{self, counters, request};
use stoa_rules::Side;
use stoa_rules::view::View;

use super::{Button, accent, buttons_width, draw_buttons, faint, opinion, paint};
use crate::app::{App, DrawnBoard};
use crate::local_game::LocalGame;

/// The width of the column beside the board.
const PANEL: u16 = 30;
/// From this height on there is a line for the keys.
const TALL: u16 = 25;

pub(super) fn draw(app: &mut App, game: &LocalGame, frame: &mut Frame<'_>, area: Rect) {
    let view = game.position().view();
    let foot_lines = if area.height >= TALL { 2 } else { 1 };
    let foot = Rect { y: area.bottom() - foot_lines, height: foot_lines, ..area };
    let above = Rect { height: area.height - foot_lines - 1, y: area.y + 1, ..area };
    heading(app, game, frame, Rect { height: 1, ..area });

    let smallest = board::scales(game.game())[board::scales(game.game()).len() - 1];
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
    draw_board(app, game, &view, frame, board_area);
    let message = if app.message.is_empty() { advice(app, game) } else { app.message.clone() };
    // What is too long for one line takes more of them, over the lowest lines of the board.
    let more = extra_lines(&message, area.width).min(board_area.height);
    if beside {
        let lines = side_lines(app, game, &view, panel);
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), panel);
    } else {
        let panel = Rect { y: panel.y - more, ..panel };
        frame.render_widget(Clear, panel);
        frame.render_widget(Paragraph::new(short_lines(app, game, &view, panel)), panel);
    }
    if foot.height > 1 {
        let keys = Rect { y: foot.y + 1, height: 1, ..foot };
        draw_buttons(app, frame, keys, &buttons(game));
    }
    let place = Rect { y: foot.y - more, height: 1 + more, ..foot };
    frame.render_widget(Clear, place);
    let message = Span::styled(message, accent(app));
    frame.render_widget(Paragraph::new(message).wrap(Wrap { trim: true }), place);
}

/// The name of the game; on a low screen with the keys, for which there is no room elsewhere.
fn heading(app: &mut App, game: &LocalGame, frame: &mut Frame<'_>, area: Rect) {
    let info = game.game().info();
    let byline = format!("  by {}, {}", info.designer, info.year);
    let name = info.name.len() as u16 + 2;
    let buttons = buttons(game);
    let (low, all) = (frame.area().height < TALL, buttons_width(&buttons));
    let with_byline = name + byline.chars().count() as u16 + 2;
    let left = if low && with_byline + all > area.width { name } else { with_byline };
    let mut line = vec![Span::styled(info.name, accent(app))];
    if left > name {
        line.push(Span::styled(byline, faint(app)));
    }
    frame.render_widget(Paragraph::new(Line::from(line)), area);
    if low {
        let room = area.width.saturating_sub(left);
        let x = area.x + left + room.saturating_sub(all);
        draw_buttons(
            app,
            frame,
            Rect { x, width: area.right().saturating_sub(x), ..area },
            &buttons,
        );
    }
}

/// The keys of the moment, those that matter most first.
fn buttons(game: &LocalGame) -> Vec<Button> {
    let mut buttons = vec![(KeyCode::Char('?'), "help"), (KeyCode::Char('u'), "undo")];
    if game.is_opponent_waiting() {
        buttons.push((KeyCode::Char('g'), "go"));
    }
    buttons.push(match game.outcome() {
        None => (KeyCode::Char('t'), "hint"),
        Some(_) => (KeyCode::Char('v'), "review"),
    });
    buttons.extend([
        (KeyCode::Char('n'), "new"),
        (KeyCode::Char('e'), "bar"),
        (KeyCode::Char('m'), "type"),
        (KeyCode::Char('i'), "rules"),
        (KeyCode::Char('s'), "save"),
        (KeyCode::Char('q'), "quit"),
    ]);
    buttons
}

/// What a person may do now.
fn advice(app: &App, game: &LocalGame) -> String {
    if game.outcome().is_some() {
        return "The game is over: v reviews, u takes back".to_owned();
    }
    if game.engine_to_move().is_some() {
        return "Esc stops it, g makes it move, u takes back".to_owned();
    }
    if let Some(hint) = app.engine.hint(game.position()) {
        let (best, more) = opinion::hint_words(game, hint);
        return format!("{best} (t plays it), {more}");
    }
    if game.is_opponent_waiting() {
        return "g lets the engine move, or move for it".to_owned();
    }
    request(game.roles())
}

fn draw_board(app: &mut App, game: &LocalGame, view: &View, frame: &mut Frame<'_>, area: Rect) {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let scale = board::fitting_scale(game.game(), view, width, height);
    let hint = app.engine.hint(game.position());
    let advised = hint.and_then(|hint| hint.line.first()).map(String::as_str);
    let canvas =
        board::draw(game.game(), view, &game.marks(app.cursor, advised), scale, app.charset);
    // Smaller boards stand in the middle; larger ones are scrolled so that the cursor is seen.
    let place = app.cursor.and_then(|step| canvas.place_of(step)).unwrap_or((0, 0));
    let scrolled = |size: usize, room: usize, at: usize| {
        if size <= room { 0 } else { at.saturating_sub(room / 2).min(size - room) }
    };
    let scroll =
        (scrolled(canvas.width(), width, place.0), scrolled(canvas.height(), height, place.1));
    let x = area.x + (width.saturating_sub(canvas.width()) / 2) as u16;
    let y = area.y + (height.saturating_sub(canvas.height()) / 2) as u16;
    let window = Rect { x, y, width: area.right() - x, height: area.bottom() - y };
    paint(&canvas, scroll, window, frame.buffer_mut());
    app.drawn.board = Some(DrawnBoard { canvas, window, scroll });
}

/// Whose turn it is, that the engine is thinking, or how the game ended.
fn state<'a>(app: &App, game: &LocalGame) -> Line<'a> {
    let text =
        opinion::waiting(app).unwrap_or_else(|| caption::state(game.position(), game.outcome()));
    Line::from(Span::styled(text, accent(app)))
}

fn side_lines<'a>(app: &App, game: &LocalGame, view: &View, area: Rect) -> Vec<Line<'a>> {
    let kind = game.game();
    let width = usize::from(area.width) - 1;
    let mut lines = Vec::new();
    if let Some(names) = game.names() {
        lines.push(Line::from(Span::styled(names, faint(app))));
    }
    for side in Side::BOTH {
        let is_next = game.outcome().is_none() && game.position().side_to_move() == side;
        let mark = if is_next { ">" } else { " " };
        let count = view.counts[side.index()];
        let text = format!(
            "{mark} {:<6} {count} {}",
            kind.side_name(side),
            caption::counted(view.counted)
        );
        lines.push(Line::from(text));
    }
    lines.extend(counters(view).into_iter().map(|text| Line::from(format!("  {text}"))));
    lines.push(Line::default());
    lines.push(state(app, game));
    lines.push(Line::default());
    if app.engine.bar {
        let (bar, words) = opinion::bar(app, game, width);
        lines.extend([bar, Line::from(Span::styled(words, faint(app))), Line::default()]);
    }
    if let Some(hint) = app.engine.hint(game.position()) {
        let (best, more) = opinion::hint_words(game, hint);
        lines.push(Line::from(Span::styled(best, accent(app))));
        lines.extend([Line::from(more), Line::default()]);
    }
    let used: usize = lines.iter().map(|line| line.width().div_ceil(width).max(1)).sum();
    lines.extend(move_lines(game, usize::from(area.height).saturating_sub(used), width));
    lines
}

/// The last moves, a round a line, as many as there is room for.
fn move_lines<'a>(game: &LocalGame, room: usize, width: usize) -> Vec<Line<'a>> {
    let offset = usize::from(game.session().start().side_to_move() == Side::Second);
    let mut rounds: Vec<String> = Vec::new();
    for (ply, mv) in (offset..).zip(game.session().moves()) {
        match rounds.last_mut() {
            Some(round) if ply % 2 == 1 => round.push_str(&format!(" {mv}")),
            _ if ply % 2 == 1 => rounds.push(format!("{:>3}. … {mv}", ply / 2 + 1)),
            _ => rounds.push(format!("{:>3}. {mv}", ply / 2 + 1)),
        }
    }
    let mut used = 0;
    let shown = rounds.iter().rev().take_while(|round| {
        // Text that wraps does so between words, so it may need a line more.
        used += round.chars().count().div_ceil(width.max(1));
        used <= room
    });
    let shown = shown.count();
    let skipped = rounds.len() - shown;
    rounds.into_iter().skip(skipped).map(Line::from).collect()
}

/// How many lines more than one a message takes, broken between words.
fn extra_lines(message: &str, width: u16) -> u16 {
    let width = usize::from(width);
    let (mut lines, mut used) = (0, 0);
    for word in message.split_whitespace().map(|word| word.chars().count()) {
        let with_space = if used == 0 { word } else { used + 1 + word };
        (lines, used) =
            if used > 0 && with_space > width { (lines + 1, word) } else { (lines, with_space) };
    }
    lines
}

fn short_lines<'a>(app: &App, game: &LocalGame, view: &View, area: Rect) -> Vec<Line<'a>> {
    let kind = game.game();
    let counts: Vec<String> = Side::BOTH
        .into_iter()
        .map(|side| format!("{} {}", kind.side_name(side), view.counts[side.index()]))
        .collect();
    let last = game.session().moves().last().map_or(String::new(), |mv| format!("  last {mv}"));
    let counts =
        Line::from(format!("{} {}{last}", counts.join(", "), caption::counted(view.counted)));
    if !app.engine.bar {
        return vec![state(app, game), counts];
    }
    let room = usize::from(area.width);
    let (_, words) = opinion::bar(app, game, room);
    let (bar, _) = opinion::bar(app, game, room.saturating_sub(words.chars().count() + 2));
    let mut bar = bar;
    bar.push_span(Span::styled(format!("  {words}"), faint(app)));
    // Of too few lines the bar is wanted more than the counts.
    if area.height < 3 { vec![state(app, game), bar] } else { vec![state(app, game), counts, bar] }
}
