//! `review`: what every move of a game was worth, and why.

mod annotate;
mod text;

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use serde::Serialize;
use stoa_engine::review::{Review, Reviewed, review as review_game};
use stoa_engine::{Engine, Limits, Settings, Stop};
use stoa_rules::{Outcome, Record, Side, result_text};

use super::{all_cores, progress};
use crate::args::{self, ReviewFormat};
use crate::draw::graph;
use crate::files::{read_record, write_whole};
use crate::output::{charset, print};
use crate::{interrupt, tables};

/// How long to think about a move if nothing is said.
const USUAL_TIME: Duration = Duration::from_millis(500);

/// `stoa review`
pub(crate) fn review(args: &args::Review) -> Result<()> {
    let record = read_record(&args.file, args.which.game)?;
    let plies = record.main_line().len();
    if plies == 0 {
        bail!("the record has no moves to review");
    }
    let settings = Settings {
        threads: args.effort.threads.map_or_else(all_cores, usize::from),
        oracle: tables::oracle(record.game()),
        ..Settings::default()
    };
    let mut engine = Engine::new(record.game(), settings)?;
    let args::Effort { time, nodes, .. } = args.effort;
    let time = if nodes.is_none() { Some(time.unwrap_or(USUAL_TIME)) } else { None };
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
    let game = Reviewing { record: &record, review: &review };
    if let Some(path) = &args.annotate {
        write_whole(path, &annotate::annotated(&game).to_string())?;
    }
    let written = match args.format {
        ReviewFormat::Text => text::text(&game, charset(args.look.plain)),
        ReviewFormat::Json => format!("{}\n", serde_json::to_string_pretty(&game.object(&limits))?),
        ReviewFormat::Svg => graph::svg(&game.graph()),
    };
    match &args.output {
        Some(path) if path != Path::new("-") => write_whole(path, &written),
        _ => print(&written),
    }
}

/// A record and what is said about it.
pub(crate) struct Reviewing<'a> {
    pub(crate) record: &'a Record,
    pub(crate) review: &'a Review,
}

impl Reviewing<'_> {
    fn name(&self, side: Side) -> &'static str {
        self.record.game().side_name(side)
    }

    /// Who played a side, if the record says so.
    fn player(&self, side: Side) -> Option<&str> {
        self.record.tag(&self.record.game().side_word(side))
    }

    /// The number of a move with its dots, as records write it: `5.` or `5...`.
    fn number(&self, ply: usize) -> String {
        let ply = ply + self.offset();
        format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
    }

    /// 1 if the second player begins.
    fn offset(&self) -> usize {
        usize::from(self.record.start().side_to_move() == Side::Second)
    }

    /// What should have been played, in a sentence, if something should.
    pub(crate) fn better(&self, mv: &Reviewed) -> Option<String> {
        text::better(self, mv)
    }

    /// A move with its number and sign: `5... e7-g5??`.
    pub(crate) fn numbered(&self, mv: &Reviewed) -> String {
        format!("{} {}{}", self.number(mv.ply), mv.played, mv.class.glyph())
    }

    pub(crate) fn graph(&self) -> graph::Graph {
        let marks = self.review.moves.iter().enumerate().filter(|(_, mv)| mv.class.is_error());
        let marks = marks.map(|(index, mv)| graph::Mark {
            index: index + 1,
            class: mv.class,
            text: format!("{}: {}", self.numbered(mv), mv.reason.as_deref().unwrap_or_default()),
        });
        graph::Graph {
            game: self.record.game(),
            players: Side::BOTH.map(|side| self.player(side).map(str::to_owned)),
            curve: self.review.curve(),
            first_ply: self.review.moves.first().map_or(0, |mv| mv.ply) + self.offset(),
            marks: marks.collect(),
        }
    }

    fn object(&self, limits: &Limits) -> Object<'_> {
        let game = self.record.game();
        Object {
            game: game.to_string(),
            start: self.record.start().text(),
            result: result_text(game, self.record.result()),
            outcome: self.record.result(),
            side_names: Side::BOTH.map(|side| game.side_name(side)),
            player_names: Side::BOTH.map(|side| self.player(side)),
            seconds_per_position: limits.time.map(|time| time.as_secs_f64()),
            nodes_per_position: limits.nodes,
            complete: self.review.is_complete(),
            review: self.review,
            first_win_probability: self.review.curve(),
        }
    }
}

/// What programs are told.
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
