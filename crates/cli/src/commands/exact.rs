//! `probe`, `certify` and `verify`: answers that are certain.

use anyhow::{Context, Result};
use serde::Serialize;
use stoa_files::tablebases;
use stoa_files::{read_text, write_atomically};
use stoa_rules::AnyPosition;
use stoa_solve::{Exact, Verdict};

use super::look::play_all;
use crate::args;
use crate::output::{grouped, print, print_json};

/// `stoa probe`
pub(crate) fn probe(args: &args::Probe) -> Result<()> {
    let session = play_all(args.position.position()?, &args.moves)?;
    let position = session.position();
    let table = tablebases::open(position.game(), args.table.as_deref())?;
    let value = table.value(position)?;
    let moves = table.moves(position)?;
    if args.json {
        return print_json(&Probed {
            game: position.game().to_string(),
            position: position.text(),
            value: value.map(Value::from),
            moves: moves.into_iter().map(|(mv, value)| (mv, value.map(Value::from))).collect(),
        });
    }
    let mut text = match value {
        Some(value) => format!("{value}\n{}\n", sentence(position, value)),
        None => "unknown\nThe position is not in the table.\n".to_owned(),
    };
    let width = moves.iter().map(|(mv, _)| mv.chars().count()).max().unwrap_or(0);
    for (mv, value) in moves {
        let value = value.map_or("unknown".to_owned(), |value| value.to_string());
        text.push_str(&format!("  {mv:<width$}  {value}\n"));
    }
    print(&text)
}

#[derive(Serialize)]
struct Probed {
    game: String,
    position: String,
    value: Option<Value>,
    moves: Vec<(String, Option<Value>)>,
}

#[derive(Serialize)]
struct Value {
    verdict: &'static str,
    plies: Option<u32>,
}

impl From<Exact> for Value {
    fn from(exact: Exact) -> Value {
        Value { verdict: exact.verdict.word(), plies: exact.plies }
    }
}

/// What a value means, in words.
fn sentence(position: &AnyPosition, value: Exact) -> String {
    let game = position.game();
    let mover = position.side_to_move();
    let winner = match value.verdict {
        Verdict::Win => game.side_name(mover),
        Verdict::Loss => game.side_name(mover.other()),
        Verdict::Draw => return "With best play nobody wins.".to_owned(),
    };
    match value.plies {
        _ if position.outcome().is_some() => format!("{winner} has won."),
        None => format!("With best play {winner} wins."),
        Some(1) => format!("{winner} wins with the next move."),
        Some(plies) => format!("With best play {winner} wins after {plies} moves."),
    }
}

/// `stoa certify`
pub(crate) fn certify(args: &args::Certify) -> Result<()> {
    let position = args.position.position()?;
    let table = tablebases::open(position.game(), args.table.as_deref())?;
    let value = |position: &AnyPosition| {
        table.value(position).map(|value| value.map(|value| value.verdict))
    };
    let certificate = stoa_solve::certify(&position, value)?;
    match &args.out {
        None => print(&certificate),
        Some(path) => Ok(write_atomically(path, &certificate)?),
    }
}

/// `stoa verify`
pub(crate) fn verify(args: &args::Verify) -> Result<()> {
    let name = args.file.display();
    let text = read_text(&args.file).with_context(|| format!("cannot read {name}"))?;
    let proof =
        stoa_verify::verify(&text).with_context(|| format!("{name} is not a sound certificate"))?;
    let game = proof.position.game();
    let (winner, mover) =
        (game.side_name(proof.winner), game.side_name(proof.position.side_to_move()));
    print(&format!(
        "Proven: {winner} wins {} from {} with {mover} to move.\n\
         {} replies played through, {} positions of the loser.\n",
        game.info().name,
        proof.position.text(),
        grouped(proof.replies as u64),
        grouped(proof.positions as u64),
    ))
}
