//! `review`: what every move of a game was worth, and why.

mod annotate;
mod text;

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use serde::Serialize;
use stoa_draw::graph;
use stoa_draw::reviewed::ReviewedGame;
use stoa_engine::review::{Review, review as review_game};
use stoa_engine::{Engine, Limits, Settings, Stop};
use stoa_files::tablebases;
use stoa_files::{records, write_atomically};
use stoa_rules::{Outcome, Side, result_text};
use stoa_ugi::parallel::all_cores;
use stoa_ugi::players::EvaluationSpec;

use super::progress;
use crate::args::{self, ReviewFormat};
use crate::interrupt;
use crate::output::{charset, print};

/// How long to think about a move without a limit.
const DEFAULT_TIME: Duration = Duration::from_millis(500);

/// `stoa review`
pub(crate) fn review(args: &args::Review) -> Result<()> {
    let record = records::read_one(&args.file, args.which.game)?;
    let plies = record.main_line().len();
    if plies == 0 {
        bail!("the record has no moves to review");
    }
    let settings = Settings {
        threads: args.effort.threads.map_or_else(all_cores, usize::from),
        evaluation: EvaluationSpec::from_word(&args.effort.evaluation).read()?,
        oracle: tablebases::oracle(record.game()),
        ..Settings::default()
    };
    let mut engine = Engine::new(record.game(), settings)?;
    let args::Effort { time, nodes, .. } = args.effort;
    let time = if nodes.is_none() { Some(time.unwrap_or(DEFAULT_TIME)) } else { None };
    let limits = Limits { time, nodes, ..Limits::default() };
    let stop = Stop::new();
    interrupt::stops(&stop)?;
    let bar = progress(plies + 1);
    let session = record.session();
    let review = review_game(&mut engine, &session, &limits, &stop, &mut |progress| {
        bar.set_position(progress.judged as u64);
    });
    bar.finish_and_clear();
    if review.moves.is_empty() {
        bail!("stopped before a move was reviewed");
    }
    if !review.is_complete() {
        eprintln!(
            "stoa: stopped; only the last {} of {plies} moves are reviewed",
            review.moves.len()
        );
    }
    let game = ReviewedGame { record: &record, review: &review };
    if let Some(path) = &args.annotate {
        write_atomically(path, &annotate::annotated(&game).to_string())?;
    }
    let written = match args.format {
        ReviewFormat::Text => text::text(&game, charset(args.look.plain)),
        ReviewFormat::Json => {
            format!("{}\n", serde_json::to_string_pretty(&object(&game, &limits))?)
        }
        ReviewFormat::Svg => graph::svg(&game.graph()),
    };
    match &args.output {
        Some(path) if path != Path::new("-") => Ok(write_atomically(path, &written)?),
        _ => print(&written),
    }
}

fn object<'a>(game: &'a ReviewedGame<'_>, limits: &Limits) -> Object<'a> {
    let ReviewedGame { record, review } = game;
    let kind = record.game();
    Object {
        game: kind.to_string(),
        start: record.start().text(),
        result: result_text(kind, record.result()),
        outcome: record.result(),
        side_names: Side::BOTH.map(|side| kind.side_name(side)),
        player_names: Side::BOTH.map(|side| game.player(side)),
        seconds_per_position: limits.time.map(|time| time.as_secs_f64()),
        nodes_per_position: limits.nodes,
        complete: review.is_complete(),
        review,
        first_win_probability: review.curve(),
    }
}

/// The review as JSON.
#[derive(Serialize)]
struct Object<'a> {
    game: String,
    start: String,
    result: String,
    outcome: Option<Outcome>,
    side_names: [&'static str; 2],
    player_names: [Option<&'a str>; 2],
    seconds_per_position: Option<f64>,
    nodes_per_position: Option<u64>,
    complete: bool,
    #[serde(flatten)]
    review: &'a Review,
    first_win_probability: Vec<f64>,
}
