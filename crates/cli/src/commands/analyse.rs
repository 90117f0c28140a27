//! `analyse`: what the engine thinks of a position, while it thinks.

use std::io::{IsTerminal, Write, stdout};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::Result;
use crossterm::cursor::MoveToPreviousLine;
use crossterm::queue;
use crossterm::terminal::{Clear, ClearType};
use serde::Serialize;
use stoa_draw::board::Charset;
use stoa_draw::{caption, score};
use stoa_engine::review::term_counts;
use stoa_engine::{Engine, Limits, Line, Score, Settings, Stop, Strategy, Thought};
use stoa_files::tablebases;
use stoa_rules::{AnyPosition, Outcome, Side, result_text};
use stoa_ugi::parallel::all_cores;
use stoa_ugi::players::EvaluationSpec;

use super::look::play_all;
use crate::args;
use crate::interrupt;
use crate::output::{charset, grouped, print};

/// How long to think without a limit.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// How often the screen is drawn again while nothing new is found: the time passes.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// `stoa analyse`
pub(crate) fn analyse(args: &args::Analyse) -> Result<()> {
    let session = play_all(args.at.position()?, &args.moves)?;
    let position = session.position();
    let settings = Settings {
        threads: args.effort.threads.map_or_else(all_cores, usize::from),
        lines: args.lines.into(),
        evaluation: EvaluationSpec::from_word(&args.effort.evaluation).read()?,
        oracle: tablebases::oracle(position.game()),
        ..Settings::default()
    };
    let mut engine = Engine::new(position.game(), settings)?;
    let mut screen = Screen::new(position, args.json);
    if position.outcome().is_some() {
        return screen.say_it_is_over();
    }
    let terms = if args.explain { terms(&engine, position) } else { Vec::new() };
    let stop = Stop::new();
    interrupt::stops(&stop)?;
    let thought = std::thread::scope(|scope| {
        let (sender, thoughts) = channel();
        let (limits, stop) = (limits(args), &stop);
        let engine = &mut engine;
        let thinking = scope.spawn(move || {
            engine.think(position, &limits, stop, &mut |thought| {
                // If printing has failed, nobody receives it.
                let _ = sender.send(thought.clone());
            })
        });
        let mut shown = Ok(());
        loop {
            let result = match thoughts.recv_timeout(REDRAW_INTERVAL) {
                Ok(thought) => screen.found(thought),
                Err(RecvTimeoutError::Timeout) => screen.tick(),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if result.is_err() {
                stop.stop();
                shown = result;
                break;
            }
        }
        let thought = thinking.join();
        shown.map(|()| thought)
    })?;
    match thought {
        Ok(thought) => screen.finish(&thought, &terms),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn limits(args: &args::Analyse) -> Limits {
    let args::Effort { time, nodes, .. } = args.effort;
    let is_open = time.is_none() && nodes.is_none() && args.depth.is_none();
    Limits {
        time: if is_open { Some(DEFAULT_TIME) } else { time },
        nodes,
        // A limit of depth, however high, says that the value is wanted even of a forced move.
        depth: Some(args.depth.unwrap_or(u32::MAX)),
        ..Limits::default()
    }
}

/// A term of the evaluation in this position.
#[derive(Serialize)]
struct TermFound {
    name: &'static str,
    words: &'static str,
    #[serde(skip)]
    meaning: &'static str,
    /// What it is worth to the player to move.
    points: i32,
    first: i32,
    second: i32,
}

/// The terms that differ for the players, the most important first.
fn terms(engine: &Engine, position: &AnyPosition) -> Vec<TermFound> {
    let worth = engine.explain(position);
    let mut terms: Vec<TermFound> = term_counts(position)
        .into_iter()
        .filter_map(|counted| {
            let (_, score) = worth.iter().find(|(term, _)| term.name == counted.term.name)?;
            let [first, second] = counted.counts;
            let stoa_engine::Term { name, words, meaning } = *counted.term;
            Some(TermFound { name, words, meaning, points: score.raw(), first, second })
        })
        .filter(|term| term.points != 0)
        .collect();
    terms.sort_by_key(|term| std::cmp::Reverse(term.points.abs()));
    terms
}

/// How what is found is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Drawn again in place.
    Live,
    /// A line for each depth.
    Lines,
    /// An object for each depth.
    Json,
}

struct Screen<'a> {
    position: &'a AnyPosition,
    style: Style,
    begun: Instant,
    last: Option<Thought>,
    /// How many lines of the terminal are to be drawn over.
    drawn: u16,
}

impl<'a> Screen<'a> {
    fn new(position: &'a AnyPosition, json: bool) -> Screen<'a> {
        let style = if json {
            Style::Json
        } else if stdout().is_terminal() && charset(false) != Charset::Ascii {
            Style::Live
        } else {
            Style::Lines
        };
        Screen { position, style, begun: Instant::now(), last: None, drawn: 0 }
    }

    fn say_it_is_over(&self) -> Result<()> {
        match self.style {
            Style::Json => self.print_object(None, &[], true),
            _ => print(&format!("The game is over. {}.\n", caption::turn(self.position))),
        }
    }

    /// Shows something new.
    fn found(&mut self, thought: Thought) -> Result<()> {
        match self.style {
            Style::Live => {
                self.last = Some(thought);
                self.tick()
            }
            Style::Lines => print(&self.one_line(&thought)),
            Style::Json => self.print_object(Some(&thought), &[], false),
        }
    }

    /// Shows that time passes.
    fn tick(&mut self) -> Result<()> {
        if self.style != Style::Live {
            return Ok(());
        }
        let mut text = match &self.last {
            Some(thought) => self.block(thought),
            None => format!("{}\n", self.title()),
        };
        let seconds = self.begun.elapsed().as_secs_f64();
        text.push_str(&format!("thinking for {seconds:.1} s; Ctrl-C stops\n"));
        self.redraw(&text)
    }

    /// Shows the last word, and what the evaluation sees.
    fn finish(&mut self, thought: &Thought, terms: &[TermFound]) -> Result<()> {
        if self.style == Style::Json {
            return self.print_object(Some(thought), terms, true);
        }
        let gap = if self.style == Style::Lines { "\n" } else { "" };
        self.redraw("")?;
        print(&format!("{gap}{}{}", self.block(thought), self.explained(terms)))
    }

    /// Draws a text over the one drawn last.
    fn redraw(&mut self, text: &str) -> Result<()> {
        // A terminal that does not know its size says 0.
        let size = crossterm::terminal::size().ok().filter(|&(width, _)| width > 0);
        let (width, height) = size.unwrap_or((80, 24));
        let mut out = stdout().lock();
        if self.drawn > 0 {
            queue!(out, MoveToPreviousLine(self.drawn), Clear(ClearType::FromCursorDown))?;
        }
        self.drawn = 0;
        // Lines that wrap, or scroll away, could not be drawn over.
        for line in text.lines().take(usize::from(height.saturating_sub(2))) {
            let most = usize::from(width.saturating_sub(1));
            let cut = if line.chars().nth(most).is_some() { "…" } else { "" };
            let shown: String = line.chars().take(most - cut.chars().count().min(most)).collect();
            writeln!(out, "{shown}{cut}")?;
            self.drawn += 1;
        }
        Ok(out.flush()?)
    }

    fn name(&self, side: Side) -> &'static str {
        self.position.game().side_name(side)
    }

    fn title(&self) -> String {
        let moves = match self.position.count_moves() {
            1 => "1 legal move".to_owned(),
            n => format!("{n} legal moves"),
        };
        let name = self.position.game().info().name;
        format!("{name}: {}, {moves}", caption::turn(self.position))
    }

    /// All that has been found.
    fn block(&self, thought: &Thought) -> String {
        let mut text = format!("{}\n{}\n", self.title(), effort(thought));
        let values: Vec<String> =
            thought.lines.iter().map(|line| self.value(thought, line)).collect();
        let width = values.iter().map(|value| value.chars().count()).max().unwrap_or(0);
        for (number, (value, line)) in (1..).zip(values.iter().zip(&thought.lines)) {
            text.push_str(&format!("{number:>2}. {value:<width$}  {}\n", line.moves.join(" ")));
        }
        text
    }

    /// The value of a line, with the name of the player whose it is.
    fn value(&self, thought: &Thought, line: &Line) -> String {
        score::sentence(self.position.game(), thought.side, line.score)
    }

    fn one_line(&self, thought: &Thought) -> String {
        let line = thought.lines.first();
        let value = line.map(|line| self.value(thought, line)).unwrap_or_default();
        let moves = line.map(|line| line.moves.join(" ")).unwrap_or_default();
        let Thought { depth, nodes, time, .. } = thought;
        let (what, nodes) = (unit(thought.strategy), grouped(*nodes));
        format!("depth {depth}, {nodes} {what}, {:.2} s: {value}  {moves}\n", time.as_secs_f64())
    }

    fn explained(&self, terms: &[TermFound]) -> String {
        if terms.is_empty() {
            return String::new();
        }
        let [first, second] = Side::BOTH.map(|side| self.name(side));
        let to_move = self.name(self.position.side_to_move());
        let mut text = format!("\nWhat the evaluation alone sees, in points for {to_move}:\n");
        for term in terms {
            let TermFound { words, meaning, points, .. } = term;
            let counts = format!("{first} {}, {second} {}", term.first, term.second);
            text.push_str(&format!("{points:>+6}  {words}: {counts}\n        {meaning}\n"));
        }
        let sum: i32 = terms.iter().map(|term| term.points).sum();
        let chances = score::percent(Score::points(sum).win_probability());
        text.push_str(&format!("{sum:>+6}  in all: {to_move} would win {chances}\n"));
        text
    }

    fn print_object(
        &self,
        thought: Option<&Thought>,
        terms: &[TermFound],
        last: bool,
    ) -> Result<()> {
        let game = self.position.game();
        let side = self.position.side_to_move();
        let object = Object {
            game: game.to_string(),
            position: self.position.text(),
            to_move: side,
            to_move_name: game.side_name(side),
            outcome: self.position.outcome(),
            result: result_text(game, self.position.outcome()),
            search: thought.map(|thought| Search {
                strategy: thought.strategy.to_string(),
                depth: thought.depth,
                nodes: thought.nodes,
                seconds: thought.time.as_secs_f64(),
                nodes_per_second: thought.speed(),
            }),
            lines: thought
                .map(|thought| &thought.lines[..])
                .unwrap_or_default()
                .iter()
                .map(|line| ObjectLine {
                    point_of_view: side,
                    score: line.score,
                    moves: &line.moves,
                })
                .collect(),
            terms,
            last,
        };
        print(&format!("{}\n", serde_json::to_string(&object)?))
    }
}

/// The answer as JSON.
#[derive(Serialize)]
struct Object<'a> {
    game: String,
    position: String,
    to_move: Side,
    to_move_name: &'static str,
    outcome: Option<Outcome>,
    result: String,
    #[serde(flatten)]
    search: Option<Search>,
    lines: Vec<ObjectLine<'a>>,
    #[serde(skip_serializing_if = "<[TermFound]>::is_empty")]
    terms: &'a [TermFound],
    #[serde(rename = "final")]
    last: bool,
}

#[derive(Serialize)]
struct Search {
    strategy: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

#[derive(Serialize)]
struct ObjectLine<'a> {
    point_of_view: Side,
    #[serde(flatten)]
    score: Score,
    moves: &'a [String],
}

/// What a search counts.
fn unit(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Mcts | Strategy::Uct => "playouts",
        Strategy::AlphaBeta | Strategy::Random => "positions",
    }
}

/// How hard the engine has thought.
fn effort(thought: &Thought) -> String {
    let Thought { strategy, depth, nodes, time, .. } = thought;
    format!(
        "{strategy}, depth {depth}, {} {} in {:.2} s ({} a second)",
        grouped(*nodes),
        unit(*strategy),
        time.as_secs_f64(),
        grouped(thought.speed())
    )
}
