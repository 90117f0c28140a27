//! What can be set with `setoption`.

use anyhow::{Result, bail};
use stoa_engine::{Settings, Strategy};

/// An option of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Knob {
    /// The size of the table in MiB.
    Hash,
    /// How many threads search.
    Threads,
    /// How many lines are shown.
    MultiPv,
    /// The level of strength.
    Level,
    /// What chance depends on.
    Seed,
    /// How moves are found.
    Strategy,
}

/// The largest table, in MiB.
pub(crate) const MOST_HASH: i64 = 32_768;
/// The most threads.
pub(crate) const MOST_THREADS: i64 = 256;
/// The largest seed: what every program that reads the list of options can hold.
pub(crate) const MOST_SEED: i64 = i64::MAX;
/// The word for the way that is best for the game.
const BEST: &str = "auto";
/// The word for no level at all.
const FULL: &str = "full";

impl Knob {
    /// Every option.
    pub(crate) const ALL: [Knob; 6] =
        [Knob::Hash, Knob::Threads, Knob::MultiPv, Knob::Level, Knob::Seed, Knob::Strategy];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Knob::Hash => "Hash",
            Knob::Threads => "Threads",
            Knob::MultiPv => "MultiPV",
            Knob::Level => "Level",
            Knob::Seed => "Seed",
            Knob::Strategy => "Strategy",
        }
    }

    /// The option with a name, in either case.
    pub(crate) fn named(name: &str) -> Result<Knob> {
        match Knob::ALL.into_iter().find(|knob| knob.name().eq_ignore_ascii_case(name)) {
            Some(knob) => Ok(knob),
            None => bail!(
                "there is no option '{name}'; the options are {}",
                Knob::ALL.map(Knob::name).join(", ")
            ),
        }
    }

    /// The smallest and the largest value, where it is a number.
    fn range(self) -> Option<[i64; 2]> {
        match self {
            Knob::Hash => Some([1, MOST_HASH]),
            Knob::Threads => Some([1, MOST_THREADS]),
            Knob::MultiPv => Some([1, 500]),
            Knob::Level => Some([0, 10]),
            Knob::Seed => Some([0, MOST_SEED]),
            Knob::Strategy => None,
        }
    }

    /// Its value in some settings, as text.
    pub(crate) fn value(self, settings: &Settings) -> String {
        match self {
            Knob::Hash => settings.table.to_string(),
            Knob::Threads => settings.threads.to_string(),
            Knob::MultiPv => settings.lines.to_string(),
            Knob::Level => settings.level.map_or(0, |level| level.number()).to_string(),
            Knob::Seed => settings.seed.to_string(),
            Knob::Strategy => {
                settings.strategy.map_or_else(|| BEST.to_owned(), |strategy| strategy.to_string())
            }
        }
    }

    /// The line that tells about it, with its value in some settings as the default.
    pub(crate) fn description(self, settings: &Settings) -> String {
        let start = format!("option name {} type", self.name());
        let default = self.value(settings);
        match self.range() {
            Some([least, most]) => {
                format!("{start} spin default {default} min {least} max {most}")
            }
            None => {
                let words = Strategy::WORDS.iter().map(|(_, word)| format!(" var {word}"));
                let words: String = words.collect();
                format!("{start} combo default {default} var {BEST}{words}")
            }
        }
    }

    /// Sets it.
    pub(crate) fn set(self, settings: &mut Settings, value: &str) -> Result<()> {
        match self {
            Knob::Hash => settings.table = self.number(value)? as usize,
            Knob::Threads => settings.threads = self.number(value)? as usize,
            Knob::MultiPv => settings.lines = self.number(value)? as usize,
            Knob::Seed => settings.seed = self.number(value)? as u64,
            Knob::Level if value == "0" || value.eq_ignore_ascii_case(FULL) => {
                settings.level = None;
            }
            Knob::Level => settings.level = Some(value.parse()?),
            Knob::Strategy if value.eq_ignore_ascii_case(BEST) => settings.strategy = None,
            Knob::Strategy => settings.strategy = Some(value.parse()?),
        }
        Ok(())
    }

    /// Reads a number in its range.
    fn number(self, text: &str) -> Result<i64> {
        let [least, most] = self.range().unwrap_or([i64::MIN, i64::MAX]);
        match text.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => bail!("{} is a number from {least} to {most}, not '{text}'", self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_what_it_says_it_is() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("hash", "1"),
            ("Threads", "2"),
            ("MULTIPV", "3"),
            ("level", "4"),
            ("Seed", "9223372036854775807"),
            ("strategy", "mcts"),
        ] {
            let knob = Knob::named(name).unwrap();
            knob.set(&mut settings, value).unwrap();
            assert_eq!(knob.value(&settings), value);
        }
        Knob::Level.set(&mut settings, "Architect").unwrap();
        assert_eq!(Knob::Level.value(&settings), "10");
        for word in ["0", "full"] {
            Knob::Level.set(&mut settings, word).unwrap();
            assert_eq!(settings.level, None);
        }
        Knob::Strategy.set(&mut settings, "auto").unwrap();
        assert_eq!(settings.strategy, None);
    }

    #[test]
    fn what_is_out_of_range_is_refused_and_nothing_changes() {
        let mut settings = Settings::default();
        for (knob, value) in [
            (Knob::Hash, "0"),
            (Knob::Hash, "99999999999999999999"),
            (Knob::Threads, "-1"),
            (Knob::MultiPv, "many"),
            (Knob::Level, "11"),
            (Knob::Strategy, "luck"),
            (Knob::Seed, "1.5"),
        ] {
            knob.set(&mut settings, value).unwrap_err();
            assert_eq!(knob.value(&settings), knob.value(&Settings::default()));
        }
        assert_eq!(
            Knob::Threads.set(&mut settings, "0").unwrap_err().to_string(),
            "Threads is a number from 1 to 256, not '0'"
        );
        assert_eq!(
            Knob::named("Contempt").unwrap_err().to_string(),
            "there is no option 'Contempt'; the options are Hash, Threads, MultiPV, Level, Seed, Strategy"
        );
    }
}
