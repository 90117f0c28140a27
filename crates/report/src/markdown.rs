//! A document as Markdown. Charts are left out: the tables beside them say the same.

use std::fmt::Write as _;

use crate::document::Block;

/// The text of a document.
pub fn markdown(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        let written = match block {
            Block::Heading(level, heading) => {
                writeln!(text, "{} {heading}\n", "#".repeat((*level).into()))
            }
            Block::Text(paragraph) => writeln!(text, "{paragraph}\n"),
            Block::List(items) => {
                items.iter().try_for_each(|item| writeln!(text, "- {item}")).and(writeln!(text))
            }
            Block::Table(head, rows) => table(&mut text, head, rows),
            Block::Chart(_) => Ok(()),
        };
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
    text.trim_end().to_owned() + "\n"
}

fn table(text: &mut String, head: &[String], rows: &[Vec<String>]) -> std::fmt::Result {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    writeln!(text, "{}", line(head))?;
    let rule = std::iter::once("---").chain(head.iter().skip(1).map(|_| "---:"));
    writeln!(text, "|{}|", rule.collect::<Vec<_>>().join("|"))?;
    for row in rows {
        writeln!(text, "{}", line(row))?;
    }
    writeln!(text)
}
