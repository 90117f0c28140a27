//! A document as a page that needs nothing else: styles and pictures are in it.

use std::fmt::Write as _;

use crate::document::Block;
use crate::svg::svg;

const STYLE: &str = include_str!("page.css");

/// A page of a document.
pub fn html(title: &str, blocks: &[Block]) -> String {
    let mut body = String::new();
    for block in blocks {
        let written = match block {
            Block::Heading(level, heading) => {
                writeln!(body, "<h{level}>{}</h{level}>", inline(heading))
            }
            Block::Text(paragraph) => writeln!(body, "<p>{}</p>", inline(paragraph)),
            Block::List(items) => {
                let items: String =
                    items.iter().map(|item| format!("<li>{}</li>\n", inline(item))).collect();
                writeln!(body, "<ul>\n{items}</ul>")
            }
            Block::Table(head, rows) => writeln!(body, "{}", table(head, rows)),
            Block::Chart(chart) => writeln!(
                body,
                "<figure>\n<figcaption>{}</figcaption>\n{}\n</figure>",
                escaped(&chart.title),
                svg(chart)
            ),
        };
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n\
         </html>\n",
        escaped(title)
    )
}

fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, cells: &[String]| -> String {
        cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", inline(cell))).collect()
    };
    let rows: String = rows.iter().map(|row| format!("<tr>{}</tr>\n", cells("td", row))).collect();
    format!(
        "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>",
        cells("th", head)
    )
}

/// Text for a page.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text with `code` and **weight** for a page.
fn inline(text: &str) -> String {
    let marked = |text: &str, mark: &str, tag: &str| {
        let parts = text.split(mark).enumerate();
        let wrap = |(number, part): (usize, &str)| match number % 2 {
            0 => part.to_owned(),
            _ => format!("<{tag}>{part}</{tag}>"),
        };
        parts.map(wrap).collect::<String>()
    };
    marked(&marked(&escaped(text), "**", "strong"), "`", "code")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_marked() {
        assert_eq!(inline("`1b<` & **so** on"), "<code>1b&lt;</code> &amp; <strong>so</strong> on");
    }
}
