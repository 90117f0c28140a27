//! `stoa prove`: whether a position is won, lost or drawn.

use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;
use stoa_engine::{Knowledge, KnowledgeVisitor, Stop, visit};
use stoa_rules::{AnyPosition, Side};
use stoa_solve::Verdict;
use stoa_solve::proof::{Answer, Budget, Progress, prove as prove_position};

use super::look::play_all;
use super::spinner;
use crate::args;
use crate::interrupt;
use crate::output::{grouped, print, print_json};

/// How long to try without a limit.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// `stoa prove`
pub(crate) fn prove(args: &args::Prove) -> Result<()> {
    let moves: Vec<String> = args.moves.split_whitespace().map(str::to_owned).collect();
    let session = play_all(args.at.position()?, &moves)?;
    let position = session.position();
    let time = if args.nodes.is_none() { args.time.or(Some(DEFAULT_TIME)) } else { args.time };
    let memory = usize::try_from(u64::from(args.memory) << 20).context("too much memory")?;
    let budget = Budget { nodes: args.nodes, time, memory };
    let stop = Stop::new();
    interrupt::stops(&stop)?;
    let bar = spinner();
    let mut report = |progress: Progress| bar.set_message(status(&progress));
    let prover = Prover { position, budget, stop: &stop, report: &mut report };
    let proof = visit(position.game(), prover).context("the position is of another game")?;
    bar.finish_and_clear();
    if args.json { print_json(&object(position, &proof)) } else { print(&text(position, &proof)) }
}

/// How far it is, in a line.
fn status(progress: &Progress) -> String {
    let numbers = progress.numbers;
    format!(
        "{} positions in {:.1} s, proof number {}, disproof number {}, table {} % full; Ctrl-C stops",
        grouped(progress.nodes),
        progress.time.as_secs_f64(),
        numbers.proof,
        numbers.disproof,
        progress.fullness
    )
}

/// A proof with its moves in the game's notation.
struct Proof {
    answer: Answer<()>,
    line: Vec<String>,
}

/// Proves with the game's own types.
struct Prover<'a> {
    position: &'a AnyPosition,
    budget: Budget,
    stop: &'a Stop,
    report: &'a mut dyn FnMut(Progress),
}

impl KnowledgeVisitor for Prover<'_> {
    type Output = Option<Proof>;

    fn visit<P: Knowledge>(self, _: P::Options) -> Option<Proof> {
        let mut position = self.position.downcast::<P>()?.clone();
        let answer = prove_position(&position, &self.budget, self.stop, self.report);
        let line = answer.line.iter().map(|&mv| {
            let text = position.move_text(mv);
            position.play_unchecked(mv);
            text
        });
        let line = line.collect();
        let Answer { least, most, is_line_whole, numbers, nodes, time, .. } = answer;
        let answer = Answer { least, most, line: vec![], is_line_whole, numbers, nodes, time };
        Some(Proof { answer, line })
    }
}

fn word(value: Option<Verdict>) -> &'static str {
    value.map_or("unknown", Verdict::word)
}

/// What is known, for people; the first line is the result in a word.
fn text(position: &AnyPosition, proof: &Proof) -> String {
    let Proof { answer, line } = proof;
    let name = |side: Side| position.game().side_name(side);
    let mover = position.side_to_move();
    let meaning = match answer.value() {
        Some(Verdict::Win) => format!("{} wins", name(mover)),
        Some(Verdict::Loss) => format!("{} wins", name(mover.other())),
        Some(Verdict::Draw) => "Neither player can win".to_owned(),
        None if answer.least == Verdict::Draw => {
            format!("{} gets at least a draw", name(mover))
        }
        None if answer.most == Verdict::Draw => format!("{} does not win", name(mover)),
        None => format!(
            "For a win of {}: proof number {}, disproof number {}",
            name(mover),
            grouped(answer.numbers.proof.into()),
            grouped(answer.numbers.disproof.into())
        ),
    };
    let mut text = format!("{}\n{meaning}\n", word(answer.value()));
    if !line.is_empty() {
        let more = if answer.is_line_whole { "" } else { " …" };
        text.push_str(&format!("{}{more}\n", line.join(" ")));
    }
    let seconds = answer.time.as_secs_f64();
    text.push_str(&format!("{} positions in {seconds:.2} s\n", grouped(answer.nodes)));
    text
}

/// The answer as JSON.
#[derive(Serialize)]
struct Object<'a> {
    game: String,
    position: String,
    to_move: Side,
    /// For the player to move: `win`, `draw`, `loss` or `unknown`.
    result: &'static str,
    /// The player to move gets this at least.
    least: &'static str,
    /// The player to move gets this at most.
    most: &'static str,
    line: &'a [String],
    line_is_whole: bool,
    proof_number: u32,
    disproof_number: u32,
    nodes: u64,
    seconds: f64,
}

fn object<'a>(position: &AnyPosition, proof: &'a Proof) -> Object<'a> {
    let Proof { answer, line } = proof;
    Object {
        game: position.game().to_string(),
        position: position.text(),
        to_move: position.side_to_move(),
        result: word(answer.value()),
        least: word(Some(answer.least)),
        most: word(Some(answer.most)),
        line,
        line_is_whole: answer.is_line_whole,
        proof_number: answer.numbers.proof,
        disproof_number: answer.numbers.disproof,
        nodes: answer.nodes,
        seconds: answer.time.as_secs_f64(),
    }
}
