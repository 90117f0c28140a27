//! `replay`: reading records.

use anyhow::{Result, bail};
use serde::Serialize;
use stoa_draw::{Marks, caption, picture};
use stoa_files::records;
use stoa_rules::{Record, Side, result_text};

use crate::args;
use crate::output::{charset, print, print_json};

/// `stoa replay`
pub(crate) fn replay(args: &args::Replay) -> Result<()> {
    if args.check {
        let records = records::read_all(&args.file, args.which.game)?;
        return print(&records.iter().map(sound).collect::<String>());
    }
    let record = records::read_one(&args.file, args.which.game)?;
    if args.canonical {
        return print(&record.to_string());
    }
    let moves = record.main_line().len();
    if args.json.json {
        return print_json(&described(&record));
    }
    let ply = args.ply.unwrap_or(moves);
    if ply > moves {
        bail!("the game has only {moves} moves");
    }
    let mut session = record.session();
    while session.moves().len() > ply {
        session.undo();
    }
    let mut text = String::new();
    text.push_str(&title(&record));
    text.push_str(&moves_text(&record));
    text.push_str(&format!("\nAfter {ply} of {moves} moves:\n\n"));
    let charset = charset(args.look.plain);
    text.push_str(&picture(session.position(), &Marks::last_move(&session), charset));
    text.push_str(&format!("\n{}\n", caption::status(session.position())));
    print(&text)
}

/// A line that says that a record is as it should be.
fn sound(record: &Record) -> String {
    let moves = record.main_line().len();
    let count = if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
    format!("sound: {}, {count}, {}\n", record.game(), result_text(record.game(), record.result()))
}

/// The game, the players and the result.
pub(super) fn title(record: &Record) -> String {
    let game = record.game();
    let info = game.info();
    let mut header = format!("{} by {}\n", info.name, info.designer);
    for side in Side::BOTH {
        if let Some(player) = record.tag(&game.side_word(side)) {
            header.push_str(&format!("{}: {player}\n", game.side_name(side)));
        }
    }
    header.push_str(&format!("Result: {}\n", result_text(game, record.result())));
    header
}

/// The moves as the record writes them, after an empty line.
fn moves_text(record: &Record) -> String {
    let text = record.to_string();
    let moves = text.split_once("\n\n").map_or("", |(_, moves)| moves);
    format!("\n{moves}")
}

/// A record for programs.
#[derive(Serialize)]
struct Described<'a> {
    game: String,
    start: String,
    tags: std::collections::BTreeMap<&'a str, &'a str>,
    result: String,
    outcome: Option<stoa_rules::Outcome>,
    comment: &'a str,
    moves: Vec<&'a stoa_rules::record::Node>,
    /// The position after each move.
    positions: Vec<String>,
}

fn described(record: &Record) -> Described<'_> {
    let mut session = stoa_rules::Session::new(record.start().clone());
    let mut positions = Vec::new();
    for node in record.main_line() {
        if session.play(node.text()).is_ok() {
            positions.push(session.position().text());
        }
    }
    Described {
        game: record.game().to_string(),
        start: record.start().text(),
        tags: record.tags().collect(),
        result: result_text(record.game(), record.result()),
        outcome: record.result(),
        comment: record.comment(),
        moves: record.main_line().collect(),
        positions,
    }
}
