//! The rules of the games in words, with diagrams drawn from real positions.
//!
//! The texts are in `texts/`. A line is a heading, a bullet, a paragraph, or one of
//! `!board GAME POSITION`, `!move MOVE` (the board after a move) and `!caption TEXT`.

use stoa_rules::{Game, Session};

use crate::draw::Marks;
use crate::draw::board::{self, Charset};
use crate::draw::canvas::{Canvas, Style};

/// The text of a game.
pub(crate) fn source(game: Game) -> &'static str {
    match game {
        Game::Colonnade => include_str!("../texts/colonnade.md"),
        Game::Impasse => include_str!("../texts/impasse.md"),
        Game::Palisade(_) => include_str!("../texts/palisade.md"),
        Game::Columna(_) => include_str!("../texts/columna.md"),
        Game::Colossus => include_str!("../texts/colossus.md"),
    }
}

/// The text with its diagrams, to be printed or scrolled through.
pub(crate) fn lay_out(game: Game, width: usize, charset: Charset) -> Canvas {
    let mut page = Canvas::new(width, 0);
    let mut shown: Option<Session> = None;
    let strong = if charset == Charset::Ascii { Style::default() } else { Style::default().bold() };
    let bullet = if charset == Charset::Ascii { "  * " } else { "  • " };
    let words = |text: &str| match charset {
        Charset::Ascii => text.replace('`', "").replace('×', "x"),
        _ => text.replace('`', ""),
    };
    for line in source(game).lines() {
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
    let board = board::draw(&view, &Marks::last_move(session), scale, charset);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every diagram is a real position and every move in it is legal.
    #[test]
    fn diagrams_are_sound() {
        for game in Game::ALL {
            let mut diagrams = 0;
            let mut shown: Option<Session> = None;
            for line in source(game).lines() {
                if let Some(rest) = line.strip_prefix("!board ") {
                    let (id, position) = rest.split_once(' ').unwrap();
                    let id: Game = id.parse().unwrap();
                    assert_eq!(id.info().id, game.info().id, "{line}");
                    let position =
                        id.position(position).unwrap_or_else(|error| panic!("{line}\n{error}"));
                    assert_eq!(
                        format!("!board {} {position}", rest.split(' ').next().unwrap()),
                        line
                    );
                    shown = Some(Session::new(position));
                    diagrams += 1;
                } else if let Some(mv) = line.strip_prefix("!move ") {
                    let session = shown.as_mut().expect("a move follows a board");
                    let played = session.play(mv).unwrap_or_else(|error| panic!("{line}\n{error}"));
                    assert_eq!(played, mv, "moves are written in canonical form");
                } else {
                    assert!(!line.starts_with('!') || line.starts_with("!caption "), "{line}");
                }
            }
            assert!(diagrams >= 4, "{game} has only {diagrams} diagrams");
        }
    }

    #[test]
    fn every_text_names_the_designer_and_cites_every_clause_and_ruling() {
        let counts = [
            ("colonnade", 6, 0),
            ("impasse", 6, 4),
            ("palisade", 7, 0),
            ("columna", 10, 4),
            ("colossus", 7, 9),
        ];
        for (id, clauses, rulings) in counts {
            let game: Game = id.parse().unwrap();
            let text = source(game);
            assert!(text.contains(game.info().designer));
            for clause in 1..=clauses {
                let cited = text.contains(&format!("clause {clause})"))
                    || text.contains(&format!("clause {clause},"))
                    || text.contains(&format!("clauses {clause} "))
                    || text.contains(&format!("and {clause})"));
                assert!(cited, "{id} clause {clause}");
            }
            for ruling in 1..=rulings {
                assert!(text.contains(&format!("- R{ruling}. ")), "{id} R{ruling}");
            }
        }
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7, "- ", "  "), "- one\n  two\n  three");
        assert_eq!(wrapped("", 7, "", ""), "");
        for charset in [Charset::Colour, Charset::Mono, Charset::Ascii] {
            assert!(lay_out(Game::Impasse, 60, charset).height > 100);
        }
        assert!(lay_out(Game::Impasse, 60, Charset::Ascii).plain().is_ascii());
    }
}
