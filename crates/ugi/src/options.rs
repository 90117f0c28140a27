//! What can be set with `setoption`.

use stoa_engine::{Settings, Strategy};

use crate::players::EvaluationSpec;
use crate::{Refusal, refuse};

type Result<T> = std::result::Result<T, Refusal>;

/// An option of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EngineOption {
    /// The memory of the search in MiB.
    Hash,
    /// How many threads search.
    Threads,
    /// How many lines are shown.
    MultiPv,
    /// The level of strength.
    Level,
    /// The seed of the random numbers.
    Seed,
    /// How moves are found.
    Strategy,
    /// How positions are judged.
    Evaluation,
}

/// The largest table, in MiB.
pub const MAX_HASH: i64 = 32_768;
/// The most threads.
pub const MAX_THREADS: i64 = 256;
/// The largest seed: what every program that reads the list of options can hold.
pub const MAX_SEED: i64 = i64::MAX;
/// The word for the way that is best for the game.
const BEST: &str = "auto";
/// The word for no level at all.
const FULL: &str = "full";

impl EngineOption {
    /// Every option.
    pub(crate) const ALL: [EngineOption; 7] = [
        EngineOption::Hash,
        EngineOption::Threads,
        EngineOption::MultiPv,
        EngineOption::Level,
        EngineOption::Seed,
        EngineOption::Strategy,
        EngineOption::Evaluation,
    ];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            EngineOption::Hash => "Hash",
            EngineOption::Threads => "Threads",
            EngineOption::MultiPv => "MultiPV",
            EngineOption::Level => "Level",
            EngineOption::Seed => "Seed",
            EngineOption::Strategy => "Strategy",
            EngineOption::Evaluation => "Evaluation",
        }
    }

    /// The option with a name, in either case.
    pub(crate) fn named(name: &str) -> Result<EngineOption> {
        match EngineOption::ALL.into_iter().find(|option| option.name().eq_ignore_ascii_case(name))
        {
            Some(option) => Ok(option),
            None => refuse!(
                "there is no option '{name}'; the options are {}",
                EngineOption::ALL.map(EngineOption::name).join(", ")
            ),
        }
    }

    /// The smallest and the largest value, where it is a number.
    fn range(self) -> Option<[i64; 2]> {
        match self {
            EngineOption::Hash => Some([1, MAX_HASH]),
            EngineOption::Threads => Some([1, MAX_THREADS]),
            EngineOption::MultiPv => Some([1, 500]),
            EngineOption::Level => Some([0, 10]),
            EngineOption::Seed => Some([0, MAX_SEED]),
            EngineOption::Strategy | EngineOption::Evaluation => None,
        }
    }

    /// Its value in some settings, as text.
    pub(crate) fn value(self, settings: &Settings) -> String {
        match self {
            EngineOption::Hash => settings.table.to_string(),
            EngineOption::Threads => settings.threads.to_string(),
            EngineOption::MultiPv => settings.lines.to_string(),
            EngineOption::Level => settings.level.map_or(0, |level| level.number()).to_string(),
            EngineOption::Seed => settings.seed.to_string(),
            EngineOption::Strategy => {
                settings.strategy.map_or_else(|| BEST.to_owned(), |strategy| strategy.to_string())
            }
            EngineOption::Evaluation => settings.evaluation.to_string(),
        }
    }

    /// The line that describes it, with its value in these settings as the default.
    pub(crate) fn description(self, settings: &Settings) -> String {
        let start = format!("option name {} type", self.name());
        let default = self.value(settings);
        match self.range() {
            Some([min, max]) => {
                format!("{start} spin default {default} min {min} max {max}")
            }
            None if self == EngineOption::Evaluation => {
                format!("{start} string default {default}")
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
            EngineOption::Hash => settings.table = self.number(value)? as usize,
            EngineOption::Threads => settings.threads = self.number(value)? as usize,
            EngineOption::MultiPv => settings.lines = self.number(value)? as usize,
            EngineOption::Seed => settings.seed = self.number(value)? as u64,
            EngineOption::Level if value == "0" || value.eq_ignore_ascii_case(FULL) => {
                settings.level = None;
            }
            EngineOption::Level => settings.level = Some(value.parse().map_err(Refusal::of)?),
            EngineOption::Strategy if value.eq_ignore_ascii_case(BEST) => settings.strategy = None,
            EngineOption::Strategy => settings.strategy = Some(value.parse().map_err(Refusal::of)?),
            EngineOption::Evaluation => {
                let spec = EvaluationSpec::from_word(value);
                settings.evaluation = spec.read().map_err(Refusal::of)?;
            }
        }
        Ok(())
    }

    /// Reads a number in its range.
    fn number(self, text: &str) -> Result<i64> {
        let [min, max] = self.range().unwrap_or([i64::MIN, i64::MAX]);
        match text.parse() {
            Ok(number) if (min..=max).contains(&number) => Ok(number),
            _ => refuse!("{} is a number from {min} to {max}, not '{text}'", self.name()),
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
            ("evaluation", "net"),
        ] {
            let option = EngineOption::named(name).unwrap();
            option.set(&mut settings, value).unwrap();
            assert_eq!(option.value(&settings), value);
        }
        EngineOption::Level.set(&mut settings, "Architect").unwrap();
        assert_eq!(EngineOption::Level.value(&settings), "10");
        for word in ["0", "full"] {
            EngineOption::Level.set(&mut settings, word).unwrap();
            assert_eq!(settings.level, None);
        }
        EngineOption::Strategy.set(&mut settings, "auto").unwrap();
        assert_eq!(settings.strategy, None);
    }

    #[test]
    fn values_out_of_range_are_refused_and_nothing_changes() {
        let mut settings = Settings::default();
        for (option, value) in [
            (EngineOption::Hash, "0"),
            (EngineOption::Hash, "99999999999999999999"),
            (EngineOption::Threads, "-1"),
            (EngineOption::MultiPv, "many"),
            (EngineOption::Level, "11"),
            (EngineOption::Strategy, "luck"),
            (EngineOption::Seed, "1.5"),
            (EngineOption::Evaluation, "no/such/file"),
        ] {
            option.set(&mut settings, value).unwrap_err();
            assert_eq!(option.value(&settings), option.value(&Settings::default()));
        }
        assert_eq!(
            EngineOption::Threads.set(&mut settings, "0").unwrap_err().to_string(),
            "Threads is a number from 1 to 256, not '0'"
        );
        assert_eq!(
            EngineOption::named("Contempt").unwrap_err().to_string(),
            "there is no option 'Contempt'; the options are Hash, Threads, MultiPV, Level, Seed, Strategy, Evaluation"
        );
    }
}
