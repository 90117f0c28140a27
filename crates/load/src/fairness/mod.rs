//! One greedy address beside ordinary people: whether these wait longer than without it.
//!
//! Ordinary people, each at an address of their own, play at a leisurely pace. Now and then a client at one more address
//! has one of several bad habits, for as long as people are alone before and after it. What ordinary people notice is
//! how long their moves take. Each habit is judged by itself: beside five that do no harm, nobody would see the sixth.
//!
//! | file | what |
//! |---|---|
//! | `greed.rs` | the habits |
//! | `verdict.rs` | what is fair |

mod greed;
mod verdict;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::task::JoinSet;

use crate::live_game::LiveGame;
use crate::moves::start_games;
use crate::stats::{Times, Usage, cores, load_average};
use crate::target::{Target, allow_connections};
use greed::Greedy;
pub use greed::{Asked, Habit};
pub use verdict::Verdict;
use verdict::Waits;

/// How long an ordinary person thinks about a move.
const THINKING: Duration = Duration::from_millis(1000);
/// How long people play before anything is measured: the first moves of a server that has just started take longer, and
/// would excuse what comes later.
const WARM_UP: Duration = Duration::from_secs(3);

/// One greedy address beside ordinary people.
#[derive(Debug, Clone)]
pub struct FairnessLoad {
    /// Games of ordinary people, two in each.
    pub games: usize,
    /// How long each habit lasts, and how long people are alone before and after it.
    pub seconds: u64,
    /// Requests a second of the greedy address when it sends a flood of them.
    pub greed: u32,
    /// What the greedy address does, in turn.
    pub habits: Vec<Habit>,
}

/// The measurements.
#[derive(Debug)]
pub struct Measured {
    words: String,
    load_average: String,
    fairness_load: FairnessLoad,
    slices: Vec<Slice>,
    server: Option<f64>,
    tool: Option<f64>,
}

/// A part of the run.
#[derive(Debug)]
struct Slice {
    /// What the greedy address did meanwhile, and how much it asked for; nothing while people were alone.
    greed: Option<(Habit, Asked)>,
    end: Instant,
    /// How long moves took. A move that was on the way while the greedy address did something belongs there.
    times: Times,
}

/// When a move was sent, and when it was acknowledged.
type Move = [Instant; 2];

impl FairnessLoad {
    /// Measures, on servers with limits that believe what a proxy says.
    ///
    /// # Errors
    /// If ordinary people are refused something.
    pub fn measure(self, target: &Target) -> Result<Measured> {
        let needed = 2 * self.games + greed::FILES + 200;
        allow_connections(u64::try_from(needed).context("too many games")?)?;
        let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
        runtime.block_on(self.run(target))
    }

    async fn run(self, target: &Target) -> Result<Measured> {
        let load_average = load_average();
        let live_games = start_games(target, self.games).await?;
        let watched = live_games.iter().take(2).map(|game| game.game().to_owned()).collect();
        let url = target.urls()[0].clone();
        let coming = tokio::task::spawn_blocking(move || Greedy::come(&url, watched));
        let mut greedy = coming.await?.context("the greedy address has no guests")?;
        let stop = Arc::new(AtomicBool::new(false));
        let begun = Instant::now();
        let mut people = JoinSet::new();
        for (number, live_game) in live_games.into_iter().enumerate() {
            let offset = THINKING.mul_f64(number as f64 / self.games as f64);
            people.spawn(play_leisurely(live_game, begun + offset, Arc::clone(&stop)));
        }
        tokio::time::sleep(WARM_UP).await;
        let warm = Instant::now();
        let server = Usage::of(target.processes());
        let tool = Usage::of(vec![std::process::id()]);
        let length = Duration::from_secs(self.seconds);
        let mut slices = Vec::new();
        let alone = || Slice { greed: None, end: Instant::now(), times: Times::default() };
        for habit in &self.habits {
            eprintln!("{} s without, then {} s of {} …", self.seconds, self.seconds, habit.words());
            tokio::time::sleep(length).await;
            slices.push(alone());
            let asked = greedy.indulge(*habit, self.greed, Instant::now() + length).await?;
            slices.push(Slice { greed: Some((*habit, asked)), ..alone() });
        }
        tokio::time::sleep(length).await;
        slices.push(alone());
        let (server, tool) = (server.cores(), tool.cores());
        stop.store(true, Ordering::Relaxed);
        while let Some(moves) = people.join_next().await {
            moves??.into_iter().for_each(|one| sort(&mut slices, warm, one));
        }
        let words = target.words().to_owned();
        Ok(Measured { words, load_average, fairness_load: self, slices, server, tool })
    }
}

/// Adds a move to its slice: the first with a greedy address that it touches, or else the one in which it was sent.
fn sort(slices: &mut [Slice], warm: Instant, [sent, acknowledged]: Move) {
    let mut begin = warm;
    let mut touched = Vec::new();
    for (index, slice) in slices.iter().enumerate() {
        if sent < slice.end && acknowledged >= begin {
            touched.push(index);
        }
        begin = slice.end;
    }
    let greedy = touched.iter().find(|index| slices[**index].greed.is_some());
    // A move that was sent before anything was measured says something only if somebody was greedy then.
    let alone = touched.first().filter(|_| sent >= warm);
    if let Some(index) = greedy.or(alone) {
        slices[*index].times.add(acknowledged - sent);
    }
}

/// Plays until it is stopped.
async fn play_leisurely(
    mut live_game: LiveGame,
    start: Instant,
    stop: Arc<AtomicBool>,
) -> Result<Vec<Move>> {
    let mut moves = Vec::new();
    let mut due = start;
    while !stop.load(Ordering::Relaxed) {
        live_game.rest_until(due).await?;
        let played = live_game.play().await?;
        moves.push([played.sent, played.acknowledged]);
        if live_game.is_over() {
            live_game.begin().await?;
        }
        due = Instant::now().max(due + THINKING);
    }
    Ok(moves)
}

impl Measured {
    /// The figures of each habit.
    fn waits(&self) -> impl Iterator<Item = Waits> {
        self.slices.windows(3).filter(|parts| parts[1].greed.is_some()).map(|parts| {
            let [before, beside, after] = [0, 1, 2].map(|part| parts[part].times.quantile(0.99));
            Waits { before, beside, after }
        })
    }

    /// Whether ordinary people wait at most twice as long as without the greedy address.
    pub fn verdict(&self) -> Verdict {
        verdict::verdict(self.waits())
    }

    /// Whether it is certain that they do.
    pub fn is_fair(&self) -> bool {
        self.verdict() == Verdict::Fair
    }

    /// How many moves ordinary people made in each part of the run.
    pub fn moves(&self) -> Vec<usize> {
        self.slices.iter().map(|slice| slice.times.len()).collect()
    }

    /// What the greedy address asked for, by habit.
    pub fn greed(&self) -> Vec<(Habit, Asked)> {
        self.slices.iter().filter_map(|slice| slice.greed).collect()
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FairnessLoad { games, seconds, greed, .. } = self.fairness_load;
        writeln!(
            f,
            "{} people beside a greedy address, {seconds} s for each of its habits and {seconds} s between them; a \
             flood has {greed} requests a second; {}",
            2 * games,
            self.words
        )?;
        writeln!(f, "  load average before  {}", self.load_average)?;
        let mut waits = self.waits();
        for Slice { greed, times, .. } in &self.slices {
            let words = greed.map_or("alone", |(habit, _)| habit.words());
            write!(f, "  {words:<19}  {:>5} moves, {times}", times.len())?;
            let Some((_, Asked { all, refused })) = greed else {
                writeln!(f)?;
                continue;
            };
            let verdict = waits.next().map_or(Verdict::Unclear, Waits::verdict);
            writeln!(f, "   {all} requests, {refused} refused: {verdict}")?;
        }
        writeln!(f, "  servers used         {}", cores(self.server))?;
        writeln!(f, "  this tool used       {}", cores(self.tool))?;
        let words = match self.verdict() {
            Verdict::Fair => "fair: p99 within twice of what it is without",
            Verdict::Unclear => "UNCLEAR: the machine was too busy, or the time too short",
            Verdict::Unfair => "UNFAIR",
        };
        write!(f, "  verdict              {words}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_that_greed_can_have_delayed_counts_beside_it() {
        let begun = Instant::now();
        let at = |ms: u64| begun + Duration::from_millis(ms);
        let slice = |greed, end| Slice { greed, end: at(end), times: Times::default() };
        let greed = Some((Habit::Writes, Asked::default()));
        let mut slices = [slice(None, 2000), slice(greed, 3000), slice(None, 4000)];
        let moves = [
            (500, 1100),
            (1100, 1101),
            (1999, 2000),
            (2000, 2001),
            (2999, 3500),
            (3000, 3001),
            (3999, 4500),
            (4000, 4001),
            (900, 3500),
        ];
        for (sent, acknowledged) in moves {
            sort(&mut slices, at(1000), [at(sent), at(acknowledged)]);
        }
        assert_eq!(slices.map(|slice| slice.times.len()), [1, 4, 2]);
    }
}
