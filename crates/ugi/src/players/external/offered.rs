//! An option that an engine offers, as its `option` line describes it.

/// An option by its name, with what it may be set to.
#[derive(Debug)]
pub(super) struct OfferedOption {
    pub(super) name: String,
    line: String,
}

impl OfferedOption {
    /// What a line offers; nothing if it is no `option` line.
    pub(super) fn parse(line: &str) -> Option<OfferedOption> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let ["option", "name", rest @ ..] = &words[..] else { return None };
        let name: Vec<&str> = rest.iter().copied().take_while(|&word| word != "type").collect();
        Some(OfferedOption { name: name.join(" "), line: words.join(" ") })
    }

    /// Whether this is the option of a name.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Whether its value is a number, at first this one.
    pub(super) fn has_default(&self, number: i64) -> bool {
        self.number("default") == Some(number)
    }

    /// Why it cannot be set to a value, if the line says so: a number out of bounds, or a choice
    /// that is not among those named. A word for a number is the engine's to judge.
    pub(super) fn refusal(&self, value: &str) -> Option<String> {
        let name = &self.name;
        let number = value.parse::<i128>().ok();
        let (min, max) = (self.number("min"), self.number("max"));
        let is_below = min.zip(number).is_some_and(|(min, it)| it < i128::from(min));
        let is_above = max.zip(number).is_some_and(|(max, it)| it > i128::from(max));
        if is_below || is_above {
            let bounds = match (min, max) {
                (Some(min), Some(max)) => format!("from {min} to {max}"),
                (Some(min), None) => format!("from {min}"),
                (None, max) => format!("up to {}", max.unwrap_or_default()),
            };
            return Some(format!("its option '{name}' goes {bounds}, not to {value}"));
        }
        let choices: Vec<&str> = self.line.split(" var ").skip(1).map(str::trim).collect();
        let is_choice = choices.iter().any(|choice| choice.eq_ignore_ascii_case(value));
        (!choices.is_empty() && !is_choice)
            .then(|| format!("its option '{name}' is one of {}, not {value}", choices.join(", ")))
    }

    /// The number after a word.
    fn number(&self, word: &str) -> Option<i64> {
        let (_, of_type) = self.line.split_once(" type ")?;
        let mut words = of_type.split(' ').skip_while(|&it| it != word);
        words.nth(1)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_judged_by_what_the_line_says() {
        let refusal = |line: &str, value: &str| OfferedOption::parse(line).unwrap().refusal(value);
        let level = "option name Skill Level type spin default 0 min 0 max 20";
        assert_eq!(refusal(level, "20"), None);
        assert_eq!(refusal(level, "novice"), None);
        assert_eq!(
            refusal(level, "77").unwrap(),
            "its option 'Skill Level' goes from 0 to 20, not to 77"
        );
        assert!(refusal(level, "-1").is_some());
        assert!(refusal(level, "99999999999999999999").is_some());
        let style = "option name Style type combo default calm var calm var very wild";
        assert_eq!(refusal(style, "Very Wild"), None);
        assert_eq!(
            refusal(style, "wild").unwrap(),
            "its option 'Style' is one of calm, very wild, not wild"
        );
        for free in ["option name Path type string default", "option name x", "option name max 3"] {
            assert_eq!(refusal(free, "77"), None, "{free}");
        }
        assert!(OfferedOption::parse("id name option").is_none());
    }
}
