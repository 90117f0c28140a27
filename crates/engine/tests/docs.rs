//! The manual names every term of every evaluation, and nothing else.
//!
//! `STOA_BLESS=1 cargo test -p stoa-engine --test docs` writes the tables anew.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use stoa_engine::{Knowledge, KnowledgeVisitor, visit};
use stoa_rules::Game;

const BEGIN: &str = "<!-- terms: written by a test -->\n";
const END: &str = "<!-- end of terms -->\n";

/// The terms of a game as a table.
struct Terms;

impl KnowledgeVisitor for Terms {
    type Output = String;

    fn visit<P: Knowledge>(self, _: P::Options) -> String {
        let rows = P::TERMS.iter().map(|term| format!("| `{}` | {} |\n", term.name, term.meaning));
        format!("| term | what is counted |\n|---|---|\n{}", rows.collect::<String>())
    }
}

#[test]
fn the_manual_has_every_term() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/engine.md");
    let manual = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = manual.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    let tables =
        Game::ALL.map(|game| format!("\n### {}\n\n{}", game.info().name, visit(game, Terms)));
    let wanted = format!("{}\n", tables.concat());
    if std::env::var_os("STOA_BLESS").is_some() {
        std::fs::write(&file, [before, BEGIN, &wanted, END, after].concat()).unwrap();
        return;
    }
    let difference = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
    assert_eq!(difference, None, "docs/engine.md and the source; STOA_BLESS=1 writes it anew");
    assert_eq!(found.lines().count(), wanted.lines().count());
}
