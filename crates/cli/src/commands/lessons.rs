//! `lessons`: games that a policy network plays against itself, as samples for training the next one.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use stoa_engine::policy::{Judgement, LOGIT_ONE, PolicyNet};
use stoa_engine::selfplay::guided::{GuidedPlan, Judge, Lessons, cells, play_guided};
use stoa_engine::selfplay::lessons::{LessonFile, header};
use stoa_engine::{Evaluation, EvaluationChoice, Knowledge, KnowledgeVisitor, Stop, visit};
use stoa_rules::Game;
use stoa_ugi::parallel::all_cores;
use stoa_ugi::players::EvaluationSpec;

use super::progress;
use super::selfplay::open;
use crate::args;
use crate::output::print;

/// `stoa lessons`
pub(crate) fn lessons(args: &args::Lessons) -> Result<()> {
    let mut plan = GuidedPlan {
        full: args.full,
        quick: args.quick,
        full_share: args.full_share,
        explore: args.explore,
        batch: usize::from(args.batch),
        threads: args.threads.map_or_else(all_cores, usize::from),
        seed: args.seed,
        played: BTreeSet::new(),
    };
    let stop = Stop::new();
    crate::interrupt::stops(&stop)?;
    match &args.out {
        None => over_pipes(args.game, &plan, &stop),
        Some(out) => {
            let network = policy_net(args.game, &args.network)?;
            let cannot = || format!("cannot write {}", out.display());
            let file = open_lessons(out, args, &network, &mut plan)?;
            let file = Mutex::new(Written { file, failed: None });
            let (began, bar) = (Instant::now(), progress(0));
            let counts = Mutex::new((0, 0));
            // Games that have begun are played to their end: otherwise the short ones would be more than their share.
            let may_begin = || args.seconds.is_none_or(|seconds| began.elapsed() < seconds);
            play_guided(args.game, &plan, &Local(network), &stop, &may_begin, &|lessons| {
                let mut file = lock(&file);
                if file.failed.is_none() {
                    file.failed = lessons.write(&mut file.file).err();
                }
                if file.failed.is_some() {
                    stop.stop();
                }
                let mut counts = lock(&counts);
                *counts = (counts.0 + 1, counts.1 + lessons.count);
                bar.inc(1);
            })?;
            bar.finish_and_clear();
            if let Some(failed) = lock(&file).failed.take() {
                return Err(failed).with_context(cannot);
            }
            let (games, samples) = *lock(&counts);
            print(&format!("{}: {samples} samples of {games} games\n", args.game))
        }
    }
}

/// Opens a file of lessons to append to; the games that are in it are not played again.
fn open_lessons(
    path: &Path,
    args: &args::Lessons,
    network: &PolicyNet,
    plan: &mut GuidedPlan,
) -> Result<std::fs::File> {
    let how = format!(
        "network {:08x}, full {}, quick {}, full share {}, explore {}, seed {}",
        network.header().checksum,
        plan.full,
        plan.quick,
        plan.full_share,
        plan.explore,
        plan.seed
    );
    open(path, &header(args.game, &how), |from| {
        let LessonFile { header, games, whole_bytes } = LessonFile::read(from, args.game)?;
        plan.played = games;
        Ok((header, whole_bytes))
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file, and what has gone wrong with it.
struct Written<W> {
    file: W,
    failed: Option<io::Error>,
}

impl<W: Write> Written<W> {
    fn add(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.file.write_all(bytes).err();
        }
    }
}

/// The policy network that a word or a file name stands for.
fn policy_net(game: Game, word: &str) -> Result<std::sync::Arc<PolicyNet>> {
    struct Read<'a>(Game, &'a EvaluationChoice);
    impl KnowledgeVisitor for Read<'_> {
        type Output = Result<Evaluation, stoa_engine::EvaluationError>;
        fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
            Evaluation::new::<P>(self.0, options, self.1)
        }
    }
    let choice = EvaluationSpec::from_word(word).read()?;
    match visit(game, Read(game, &choice))? {
        Evaluation::Policy(net) => Ok(net),
        _ => bail!("{word} is not a policy network; training/README.md explains how to make one"),
    }
}

/// The engine judges positions itself.
struct Local(std::sync::Arc<PolicyNet>);

impl Judge for Local {
    fn judge(&self, _: usize, side: usize, cells: &[u16]) -> Option<Vec<Judgement>> {
        let mut room = self.0.room();
        let boards = cells.chunks_exact(side * side);
        Some(boards.map(|board| self.0.judge_cells(board, side, &mut room).clone()).collect())
    }
}

/// How often a thread that waits for judgements looks whether it should stop.
const STOP_INTERVAL: Duration = Duration::from_millis(100);

/// What is sent over the pipe: positions to be judged, or samples.
#[derive(Clone, Copy)]
enum Kind {
    Positions = 1,
    Samples = 2,
}

/// Another program judges positions. Messages to it, over standard output, begin with four numbers of four
/// bytes: their kind, a thread's number (for samples: how many turns the game had), how many positions
/// follow, and in how many bytes. Answers, over standard input, begin with the thread's number and how many
/// positions were judged; for each follow the logits of its cells and of winning, as 16-bit
/// numbers of which 1,024 are 1.0.
fn over_pipes(game: Game, plan: &GuidedPlan, stop: &Stop) -> Result<()> {
    if io::stdout().is_terminal() {
        bail!(
            "without --out, positions go to standard output for another program to judge them, and this is a terminal"
        );
    }
    let (answers, waiting): (Vec<_>, Vec<_>) = (0..plan.threads).map(|_| channel()).unzip();
    let pipes = Pipes {
        out: Mutex::new(Written { file: io::stdout(), failed: None }),
        waiting: waiting.into_iter().map(Mutex::new).collect(),
        stop,
    };
    let cells = cells(game)?;
    // The thread ends with the program: it waits for standard input, which nobody can interrupt.
    std::thread::spawn(move || read_answers(cells, &answers));
    play_guided(game, plan, &pipes, stop, &|| true, &|Lessons { turns, count, bytes, .. }| {
        pipes.send(Kind::Samples, turns, count, &bytes);
    })?;
    match lock(&pipes.out).failed.take() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot send positions")
        }
        _ => Ok(()),
    }
}

struct Pipes<'a> {
    out: Mutex<Written<io::Stdout>>,
    waiting: Vec<Mutex<Receiver<Vec<Judgement>>>>,
    stop: &'a Stop,
}

impl Pipes<'_> {
    fn send(&self, kind: Kind, number: usize, count: usize, bytes: &[u8]) {
        let header = [kind as usize, number, count, bytes.len()];
        let header: Vec<u8> =
            header.into_iter().flat_map(|number| (number as u32).to_le_bytes()).collect();
        let mut out = lock(&self.out);
        out.add(&header);
        out.add(bytes);
        if out.failed.is_none() {
            out.failed = out.file.flush().err();
        }
    }
}

impl Judge for Pipes<'_> {
    fn judge(&self, thread: usize, side: usize, cells: &[u16]) -> Option<Vec<Judgement>> {
        let bytes: Vec<u8> = cells.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        self.send(Kind::Positions, thread, cells.len() / (side * side), &bytes);
        let waiting = lock(&self.waiting[thread]);
        loop {
            match waiting.recv_timeout(STOP_INTERVAL) {
                Ok(judgements) => return Some(judgements),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if self.stop.is_stopped() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Hands each thread its answers until there are no more.
fn read_answers(cells: usize, answers: &[Sender<Vec<Judgement>>]) {
    const SCALE: i32 = LOGIT_ONE / 1024;
    let mut input = io::stdin().lock();
    let mut header = [0; 8];
    while input.read_exact(&mut header).is_ok() {
        let [a, b, c, d, e, f, g, h] = header;
        let thread = u32::from_le_bytes([a, b, c, d]) as usize;
        let count = u32::from_le_bytes([e, f, g, h]) as usize;
        let mut bytes = vec![0; count * 2 * (cells + 1)];
        if input.read_exact(&mut bytes).is_err() {
            return;
        }
        let rows = bytes.chunks_exact(2 * (cells + 1)).map(|row| {
            let mut logits: Vec<i32> = row
                .chunks_exact(2)
                .map(|pair| i32::from(i16::from_le_bytes([pair[0], pair[1]])) * SCALE)
                .collect();
            let value = logits.pop().unwrap_or(0);
            Judgement { policy: logits, value }
        });
        let Some(thread) = answers.get(thread) else { return };
        if thread.send(rows.collect()).is_err() {
            return;
        }
    }
}
