//! What lies over the board.

use crossterm::event::KeyCode;
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Wrap};
use stoa_draw::rules_text;

use super::{Button, draw_buttons, paint, review};
use crate::app::App;
use crate::local_game::LocalGame;
use crate::overlay::{Overlay, PromptKind, Question};

/// No line is wider than the smallest usual screen.
const HELP: &str = "\
On the board
 arrows, hjkl  move the cursor
 Enter, Space  choose what is under it
 Tab           go to the next choice
 d             end the move here
 Esc           forget what was chosen
 mouse         click; right: forget
 m             type a move
 u, r          undo, redo (answers too)
The engine
 t             a hint; t again plays it
 e             the bar: who is winning
 v             review the game
 Esc           stop it while it thinks
 g             make it move now, or continue
In the game
 i             the rules
 s, o          save, open a record
 n             another game
 q, Ctrl-C     leave (asks if not saved)
In the menu
 Left, Right   change the line
 Tab           game, opponent, side
 1 to 9, 0     level 1 to 9, 10";

const CLOSE: [Button; 1] = [(KeyCode::Esc, "close")];
const SCROLL: [Button; 3] =
    [(KeyCode::Esc, "close"), (KeyCode::Down, "scroll"), (KeyCode::Up, "back")];
const GO_ON: [Button; 1] = [(KeyCode::Enter, "continue")];
const YES_OR_NO: [Button; 2] = [(KeyCode::Char('y'), "yes"), (KeyCode::Char('n'), "no")];
const ENTERED: [Button; 2] = [(KeyCode::Enter, "ok"), (KeyCode::Esc, "cancel")];

pub(super) fn draw(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    if app.overlay == Overlay::None {
        return;
    }
    // What lies below cannot be clicked.
    app.drawn.buttons.clear();
    match &app.overlay {
        Overlay::None => {}
        Overlay::Help { scroll } => {
            let scroll = *scroll;
            let fits = HELP.lines().count() + 4 <= usize::from(area.height);
            let buttons: &[Button] = if fits { &CLOSE } else { &SCROLL };
            window(
                app,
                frame,
                area,
                &Window { title: "Keys", text: HELP, width: 50, scroll, buttons },
            );
        }
        Overlay::Review => review::draw(app, frame, area),
        Overlay::Notice { text, .. } => {
            let text = text.clone();
            say(app, frame, area, &text, &GO_ON);
        }
        Overlay::Question(question) => {
            let text = match question {
                Question::Overwrite(path) => format!("{} exists. Write over it?", path.display()),
                Question::LeaveUnsaved(_) => {
                    "The game is not saved. Leave it? (n, then s to save)".to_owned()
                }
            };
            say(app, frame, area, &text, &YES_OR_NO);
        }
        Overlay::Prompt { asked, text } => {
            let title = match asked {
                PromptKind::Move => match app.game.as_ref().and_then(LocalGame::example) {
                    Some(example) => format!("Your move, such as {example}"),
                    None => "Your move".to_owned(),
                },
                PromptKind::SaveAs => "Save as".to_owned(),
                PromptKind::Open => "Open which file".to_owned(),
            };
            // Of a long text the end is shown, where typing goes on. The board stays in sight.
            let room = usize::from(area.width.min(72)).saturating_sub(6);
            let skipped = text.chars().count().saturating_sub(room);
            let shown: String = text.chars().skip(skipped).collect::<String>() + "_";
            let foot =
                Rect { y: area.bottom() - area.height.min(5), height: area.height.min(5), ..area };
            let buttons = &ENTERED;
            window(
                app,
                frame,
                foot,
                &Window { title: &title, text: &shown, width: 72, scroll: 0, buttons },
            );
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
            let end = page.height().saturating_sub(usize::from(inner.height));
            frame.render_widget(Clear, area);
            paint(&page, (0, (*scroll).min(end)), inner, frame.buffer_mut());
            app.drawn.scroll_end = end;
            let foot = Rect { y: area.bottom() - 1, height: 1, ..inner };
            draw_buttons(app, frame, foot, &SCROLL);
        }
    }
}

/// A box in the middle of the screen.
struct Window<'a> {
    title: &'a str,
    text: &'a str,
    width: u16,
    /// How many lines of the text have gone out of sight.
    scroll: usize,
    buttons: &'a [Button],
}

fn say(app: &mut App, frame: &mut Frame<'_>, area: Rect, text: &str, buttons: &[Button]) {
    window(app, frame, area, &Window { title: "Stoa", text, width: 72, scroll: 0, buttons });
}

fn window(app: &mut App, frame: &mut Frame<'_>, area: Rect, shown: &Window<'_>) {
    let width = shown.width.min(area.width);
    let inside = usize::from(width.saturating_sub(4)).max(1);
    let height_of = |line: &str| line.chars().count().div_ceil(inside).max(1);
    let lines: usize = shown.text.lines().map(height_of).sum();
    // The frame, an empty line and the buttons.
    let height = (lines as u16 + 4).min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    let block = Block::default()
        .borders(Borders::ALL)
        .title(format!(" {} ", shown.title))
        .title_alignment(Alignment::Center);
    let inner = block.inner(place);
    frame.render_widget(block, place);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner };
    // On a low screen the text comes before the empty line.
    let text_height =
        inner.height.saturating_sub(if lines as u16 + 2 > inner.height { 1 } else { 2 });
    let end = lines.saturating_sub(usize::from(text_height));
    app.drawn.scroll_end = end;
    let text = Paragraph::new(shown.text).wrap(Wrap { trim: false });
    let text = text.scroll((shown.scroll.min(end) as u16, 0));
    frame.render_widget(text, Rect { height: text_height, ..inner });
    let foot = Rect { y: inner.bottom().saturating_sub(1), height: 1.min(inner.height), ..inner };
    draw_buttons(app, frame, foot, shown.buttons);
}
