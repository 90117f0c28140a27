//! The rules of the games in words, with diagrams drawn from real positions.
//!
//! The texts are in `texts/`. A line is a heading, a bullet, a paragraph, or one of
//! `!board GAME POSITION`, `!move MOVE` (the board after a move) and `!caption TEXT`.

#[cfg(test)]
mod tests;

use stoa_rules::{Game, Session};

use crate::board::{self, Charset};
use crate::canvas::{Canvas, Style};
use crate::{Marks, looks};

/// The text with its diagrams, to be printed or scrolled through.
pub fn lay_out(game: Game, width: usize, charset: Charset) -> Canvas {
    let mut page = Canvas::new(width, 0);
    let mut shown: Option<Session> = None;
    let strong = if charset == Charset::Ascii { Style::default() } else { Style::default().bold() };
    let bullet = if charset == Charset::Ascii { "  * " } else { "  • " };
    let words = |text: &str| match charset {
        Charset::Ascii => text.replace('`', "").replace('×', "x"),
        _ => text.replace('`', ""),
    };
    for line in looks::of(game).rules.lines() {
        let line = &words(line);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "#" => page.append_text(&rest.to_uppercase(), strong),
            "" => page.gap(),
            "##" | "###" => {
                page.gap();
                page.append_text(rest, strong);
            }
            "!board" => {
                shown = position(rest).map(Session::new);
                append_board(&mut page, shown.as_ref(), charset);
            }
            "!move" => {
                if let Some(session) = &mut shown
                    && session.play(rest).is_ok()
                {
                    page.append_text(&format!("{INDENT}after {rest}:"), Style::default());
                    append_board(&mut page, Some(session), charset);
                }
            }
            "!caption" => {
                let caption = wrapped(rest, width, INDENT, INDENT);
                page.append_text(&caption, Style::default());
                page.gap();
            }
            "-" => page.append_text(&wrapped(rest, width, bullet, INDENT), Style::default()),
            _ => page.append_text(&wrapped(line, width, "", ""), Style::default()),
        }
    }
    page
}

const INDENT: &str = "    ";

/// The position of a `!board` line.
fn position(line: &str) -> Option<stoa_rules::AnyPosition> {
    let (id, position) = line.split_once(' ')?;
    id.parse::<Game>().ok()?.position(position).ok()
}

fn append_board(page: &mut Canvas, session: Option<&Session>, charset: Charset) {
    let Some(session) = session else { return };
    let view = session.position().view();
    let scale =
        board::fitting_scale(session.position().game(), &view, page.width - INDENT.len(), 20);
    let board =
        board::draw(session.start().game(), &view, &Marks::last_move(session), scale, charset);
    page.gap();
    page.append(&board, INDENT.len());
    page.gap();
}

/// Breaks text into lines of at most `width` characters.
fn wrapped(text: &str, width: usize, first: &str, other: &str) -> String {
    let mut lines = vec![first.to_owned()];
    let mut empty = true;
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(format!("{other}{word}"));
        } else {
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
        }
        empty = false;
    }
    lines.join("\n")
}
