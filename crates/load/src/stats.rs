//! How measurements are collected and printed.

use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

/// Times that something took.
#[derive(Debug, Clone, Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    pub(crate) fn append(&mut self, mut other: Times) {
        self.0.append(&mut other.0);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// A quantile of the times.
    pub(crate) fn quantile(&self, share: f64) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        let index = (share * last as f64).round() as usize;
        sorted.get(index.min(last)).copied().unwrap_or_default()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |share| self.quantile(share).as_secs_f64() * 1000.0;
        write!(
            f,
            "p50 {:>6.1} ms   p90 {:>6.1} ms   p99 {:>6.1} ms   max {:>6.1} ms",
            ms(0.5),
            ms(0.9),
            ms(0.99),
            ms(1.0)
        )
    }
}

/// The processor time that processes have used since a moment.
#[derive(Debug)]
pub(crate) struct Usage {
    processes: Vec<u32>,
    ticks: u64,
    since: Instant,
}

impl Usage {
    pub(crate) fn of(processes: Vec<u32>) -> Usage {
        let ticks = ticks(&processes);
        Usage { processes, ticks, since: Instant::now() }
    }

    /// The number of cores used on average, if it is known.
    pub(crate) fn cores(&self) -> Option<f64> {
        if self.processes.is_empty() {
            return None;
        }
        // Linux has counted in hundredths of a second since before any machine this runs on.
        let seconds = ticks(&self.processes).saturating_sub(self.ticks) as f64 / 100.0;
        Some(seconds / self.since.elapsed().as_secs_f64())
    }
}

/// Time on the processor, in ticks.
fn ticks(processes: &[u32]) -> u64 {
    let of = |process: &u32| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name of the program is in parentheses and may hold anything.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    };
    processes.iter().filter_map(of).sum()
}

/// Memory that processes hold, in MB (of a million bytes).
pub(crate) fn memory(processes: &[u32]) -> Option<f64> {
    let of = |process: &u32| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()
    };
    let kilobytes: Option<Vec<f64>> = processes.iter().map(of).collect();
    let kilobytes = kilobytes.filter(|all| !all.is_empty())?;
    Some(kilobytes.iter().sum::<f64>() * 1024.0 / 1e6)
}

/// The number of files and connections that processes have open.
pub(crate) fn open_files(processes: &[u32]) -> Option<usize> {
    let of = |process: &u32| Some(fs::read_dir(format!("/proc/{process}/fd")).ok()?.count());
    let counts: Option<Vec<usize>> = processes.iter().map(of).collect();
    counts.filter(|all| !all.is_empty()).map(|all| all.iter().sum())
}

/// The load average of the last minute.
pub(crate) fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}

/// A number of cores as text.
pub(crate) fn cores(cores: Option<f64>) -> String {
    cores.map_or("unknown".to_owned(), |cores| format!("{cores:.2} cores"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_sorted_times() {
        let mut times = Times::default();
        assert_eq!(times.quantile(0.5), Duration::ZERO);
        for ms in (1..=101).rev() {
            times.add(Duration::from_millis(ms));
        }
        assert_eq!(times.quantile(0.0), Duration::from_millis(1));
        assert_eq!(times.quantile(0.5), Duration::from_millis(51));
        assert_eq!(times.quantile(0.99), Duration::from_millis(100));
        assert_eq!(times.quantile(1.0), Duration::from_millis(101));
    }

    #[test]
    fn this_process_has_memory_and_uses_time() {
        let own = vec![std::process::id()];
        assert!(memory(&own).is_some_and(|megabytes| megabytes > 0.5));
        assert!(memory(&[]).is_none());
        assert!(open_files(&own).is_some_and(|count| count >= 3));
        assert!(open_files(&[]).is_none());
        assert!(Usage::of(own).cores().is_some());
        assert!(Usage::of(Vec::new()).cores().is_none());
    }
}
