//! People who come and go for hours: whether anything grows that should not.
//!
//! Each of several places is taken by two people who meet, play random moves for a while, and leave; others then
//! take it. Memory, open files, the size of the database and the time until moves are acknowledged are sampled
//! all the time. Growth in the first ten minutes is caches; growth afterwards is a leak. The database grows with
//! every move, so it is measured in bytes per move.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use stoa_rules::playout::Rng;
use tokio::task::JoinSet;

use crate::chart::{chart, time};
use crate::live_game::LiveGame;
use crate::stats::{Times, load_average, memory, open_files};
use crate::target::{Target, allow_connections};

/// The start of a run is not judged: this long, or the first quarter of a short run.
const WARM_UP: Duration = Duration::from_secs(10 * 60);
/// The maximum number of samples of a run, and the minimum time between two.
const MAX_SAMPLES: u32 = 720;
const MIN_INTERVAL: Duration = Duration::from_secs(1);
/// How long people stay, in seconds, and how long they think about a move, in milliseconds.
const STAY: std::ops::Range<usize> = 20..240;
const THINKING: std::ops::Range<usize> = 300..1700;
/// How much more than at the beginning does not count as growth: a factor, and an amount that is always noise.
const MAX_GROWTH: f64 = 1.05;
const MEMORY_NOISE: f64 = 4.0;
const FILES_NOISE: f64 = 10.0;
const LATENCY_NOISE: f64 = 5.0;
/// The same for the database's bytes a move, and for latency, which other programs disturb.
const MAX_DATABASE_GROWTH: f64 = 1.25;
/// The database grows by pages, and its log is copied into it now and then. In bytes.
const DATABASE_NOISE: f64 = 512.0 * 1024.0;
const MAX_LATENCY_GROWTH: f64 = 2.0;

/// People who come and go.
#[derive(Debug, Clone, Copy)]
pub struct SoakLoad {
    /// Games at the same time.
    pub games: usize,
    /// For how long.
    pub duration: Duration,
    /// How many times as fast as usual people think and leave, so that growth per person or per move shows
    /// sooner.
    pub hurry: u32,
}

/// Measurements at one moment.
#[derive(Debug, Clone, Copy, Default)]
struct Sample {
    /// Seconds since the beginning.
    at: f64,
    /// In MB.
    memory: Option<f64>,
    files: Option<f64>,
    /// In MB.
    database: Option<f64>,
    /// Moves until now.
    moves: f64,
    /// Of the moves since the last sample, in milliseconds.
    p50: Option<f64>,
    p99: Option<f64>,
}

/// The measurements.
#[derive(Debug)]
pub struct Measured {
    words: String,
    load_average: String,
    soak_load: SoakLoad,
    samples: Vec<Sample>,
    visits: usize,
}

/// What the players have measured.
#[derive(Debug, Default)]
struct Counts {
    recent: Times,
    moves: usize,
    visits: usize,
}

impl SoakLoad {
    /// Measures.
    ///
    /// # Errors
    /// If the server refuses or loses something.
    pub fn measure(self, target: &Target) -> Result<Measured> {
        allow_connections(2 * self.games as u64 + 200)?;
        let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
        runtime.block_on(self.run(target))
    }

    fn interval(self) -> Duration {
        (self.duration / MAX_SAMPLES).max(MIN_INTERVAL)
    }

    /// The seconds that are not judged.
    fn warm_up(self) -> f64 {
        WARM_UP.min(self.duration / 4).as_secs_f64()
    }

    async fn run(self, target: &Target) -> Result<Measured> {
        let load_average = load_average();
        let begun = Instant::now();
        let end = begun + self.duration;
        let counts = Arc::new(Mutex::new(Counts::default()));
        let urls: Arc<[String]> = target.urls().into();
        let mut places = JoinSet::new();
        for place in 0..self.games {
            places.spawn(take_turns(Arc::clone(&urls), place, self, Arc::clone(&counts), end));
        }
        let mut samples = Vec::new();
        while Instant::now() < end {
            tokio::time::sleep(self.interval()).await;
            // A player who could not play ends the run with an error.
            while let Some(done) = places.try_join_next() {
                done??;
            }
            samples.push(sample(target, begun, &counts));
        }
        while let Some(done) = places.join_next().await {
            done??;
        }
        let visits = counts.lock().unwrap_or_else(PoisonError::into_inner).visits;
        let words = target.words().to_owned();
        Ok(Measured { words, load_average, soak_load: self, samples, visits })
    }
}

fn sample(target: &Target, begun: Instant, counts: &Mutex<Counts>) -> Sample {
    let processes = target.processes();
    let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    let recent = std::mem::take(&mut counts.recent);
    let latency =
        |share| (!recent.is_empty()).then(|| recent.quantile(share).as_secs_f64() * 1000.0);
    Sample {
        at: begun.elapsed().as_secs_f64(),
        memory: memory(&processes),
        files: open_files(&processes).map(|count| count as f64),
        database: target.database_size().map(|bytes| bytes as f64 / 1e6),
        moves: counts.moves as f64,
        p50: latency(0.5),
        p99: latency(0.99),
    }
}

/// One pair of people after the other.
async fn take_turns(
    urls: Arc<[String]>,
    place: usize,
    SoakLoad { games: places, hurry, .. }: SoakLoad,
    counts: Arc<Mutex<Counts>>,
    end: Instant,
) -> Result<()> {
    let mut rng = Rng::for_game(14, place as u64);
    // Not all at once.
    let offset = THINKING.end * place / places.max(1);
    tokio::time::sleep(Duration::from_millis(offset as u64)).await;
    let too_late = end - Duration::from_millis(2 * THINKING.end as u64);
    for visit in 0.. {
        if Instant::now() >= too_late {
            break;
        }
        let mut live_game = LiveGame::new(&urls, place + visit * places).await?;
        let stay = Duration::from_secs((STAY.start + rng.below(STAY.len())) as u64) / hurry;
        let leave = end.min(Instant::now() + stay);
        loop {
            let thinking = THINKING.start + rng.below(THINKING.len());
            let due = Instant::now() + Duration::from_millis(thinking as u64) / hurry;
            if due >= leave {
                break;
            }
            live_game.rest_until(due).await?;
            let played = live_game.play().await?;
            record(&counts, |counts| {
                counts.recent.add(played.acknowledged - played.sent);
                counts.moves += 1;
            });
            if live_game.is_over() {
                live_game.begin().await?;
            }
        }
        record(&counts, |counts| counts.visits += 1);
    }
    Ok(())
}

fn record(counts: &Mutex<Counts>, update: impl FnOnce(&mut Counts)) {
    update(&mut counts.lock().unwrap_or_else(PoisonError::into_inner));
}

/// A quantity that must not grow: its value at the beginning and at the end, and the allowed maximum.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Trend {
    name: &'static str,
    early: f64,
    late: f64,
    allowed: f64,
}

impl Trend {
    fn is_steady(&self) -> bool {
        self.late <= self.allowed
    }
}

/// The median of some values.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Compares the first third of the judged samples with the last.
fn trends(samples: &[Sample], warm_up: f64) -> Vec<Trend> {
    let judged: Vec<Sample> =
        samples.iter().copied().filter(|sample| sample.at >= warm_up).collect();
    let third = judged.len() / 3;
    let (early, late) = (&judged[..third], &judged[judged.len() - third..]);
    let trend = |name, value: fn(&Sample) -> Option<f64>, growth: f64, noise: f64| {
        let of = |samples: &[Sample]| median(samples.iter().filter_map(value).collect());
        let (early, late) = (of(early)?, of(late)?);
        Some(Trend { name, early, late, allowed: (early * growth).max(early + noise) })
    };
    let database = || {
        let bytes_a_move = |samples: &[Sample]| {
            let (first, last) = (samples.first()?, samples.last()?);
            let moves = last.moves - first.moves;
            (moves > 0.0).then_some((last.database? - first.database?) * 1e6 / moves)
        };
        let moves = late.last()?.moves - late.first()?.moves;
        let (early, late) = (bytes_a_move(early)?, bytes_a_move(late)?);
        let allowed = (early * MAX_DATABASE_GROWTH).max(early + DATABASE_NOISE / moves);
        Some(Trend { name: "database, bytes a move", early, late, allowed })
    };
    [
        trend("memory, MB", |sample| sample.memory, MAX_GROWTH, MEMORY_NOISE),
        trend("open files", |sample| sample.files, MAX_GROWTH, FILES_NOISE),
        trend("p50, ms", |sample| sample.p50, MAX_LATENCY_GROWTH, LATENCY_NOISE),
        trend("p99, ms", |sample| sample.p99, MAX_LATENCY_GROWTH, LATENCY_NOISE),
        database(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Measured {
    fn trends(&self) -> Vec<Trend> {
        trends(&self.samples, self.soak_load.warm_up())
    }

    /// Whether nothing has grown that should not. False if there are too few samples.
    pub fn is_steady(&self) -> bool {
        let trends = self.trends();
        !trends.is_empty() && trends.iter().all(Trend::is_steady)
    }

    /// The moves that were acknowledged.
    pub fn moves(&self) -> usize {
        self.samples.last().map_or(0, |sample| sample.moves as usize)
    }

    /// Graphs of everything, as a page.
    pub fn html(&self) -> String {
        let warm_up = self.soak_load.warm_up();
        let graph = |title, unit, value: fn(&Sample) -> Option<f64>| {
            let values: Vec<(f64, f64)> = self
                .samples
                .iter()
                .filter_map(|sample| Some((sample.at, value(sample)?)))
                .collect();
            chart(title, unit, &values, warm_up)
        };
        format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Soak</title>\n\
             <style>:root {{ color-scheme: light dark; font: 16px sans-serif }} figure {{ margin: 1rem 0 }}</style>\n\
             <h1>People who come and go</h1>\n<pre>{self}</pre>\n<p>What is grey is not judged.</p>\n{}{}{}{}{}</html>\n",
            graph("Memory", "MB", |sample| sample.memory),
            graph("Open files", "count", |sample| sample.files),
            graph("Database", "MB", |sample| sample.database),
            graph("Moves acknowledged after, half of them", "ms", |sample| sample.p50),
            graph("Moves acknowledged after, 99 of 100", "ms", |sample| sample.p99),
        )
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SoakLoad { games, duration, .. } = self.soak_load;
        writeln!(f, "{games} games for {}; {}", time(duration.as_secs_f64()), self.words)?;
        writeln!(f, "  load average before  {}", self.load_average)?;
        writeln!(f, "  pairs came and went  {}", self.visits)?;
        writeln!(f, "  moves acknowledged   {}", self.moves())?;
        for trend in self.trends() {
            let Trend { name, early, late, allowed } = trend;
            let verdict = if trend.is_steady() { "steady" } else { "GROWS" };
            writeln!(
                f,
                "  {name:<25}{early:>9.1} -> {late:>9.1}, at most {allowed:.1}: {verdict}"
            )?;
        }
        write!(
            f,
            "  after {}          {}",
            time(self.soak_load.warm_up()),
            match self.is_steady() {
                true => "nothing grows",
                false => "SOMETHING GROWS, or too little was measured",
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An hour of samples, a minute apart, whose values are functions of the minute.
    fn hour(memory: fn(f64) -> f64, database: fn(f64) -> f64) -> Vec<Sample> {
        let minutes = (0..60).map(f64::from);
        let sample = |minute: f64| Sample {
            at: minute * 60.0,
            memory: Some(memory(minute)),
            files: Some(100.0),
            database: Some(database(minute)),
            moves: minute * 1000.0,
            p50: Some(1.0),
            p99: Some(5.0),
        };
        minutes.map(sample).collect()
    }

    fn grows(samples: &[Sample]) -> Vec<&'static str> {
        let trends = trends(samples, 600.0);
        assert_eq!(trends.len(), 5);
        trends.iter().filter(|trend| !trend.is_steady()).map(|trend| trend.name).collect()
    }

    #[test]
    fn caches_may_fill_and_leaks_are_found() {
        let filling = |minute: f64| 50.0 + 20.0 * minute.min(9.0);
        assert!(grows(&hour(filling, |minute| minute)).is_empty());
        let noise = |minute: f64| 80.0 + 3.0 * (minute % 2.0);
        assert!(grows(&hour(noise, |minute| minute)).is_empty());
        let leak = |minute: f64| 50.0 + 0.5 * minute;
        assert_eq!(grows(&hour(leak, |minute| minute)), ["memory, MB"]);
        let swelling = |minute: f64| minute * minute;
        assert_eq!(grows(&hour(|_| 50.0, swelling)), ["database, bytes a move"]);
        assert!(trends(&[], 600.0).is_empty());
    }
}
