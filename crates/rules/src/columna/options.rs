//! The rule set, as players choose it.

use super::RuleSet;
use crate::GameOptions;

impl GameOptions for RuleSet {
    const DEFAULT: RuleSet = RuleSet::Spaces;
    const HELP: &'static str =
        "columna:spaces (the plain id) and columna:points, the designer's two rule sets";

    fn all() -> Vec<RuleSet> {
        RuleSet::BOTH.to_vec()
    }

    fn word(self) -> Option<String> {
        let word = match self {
            RuleSet::Spaces => "spaces",
            RuleSet::Points => "points",
        };
        Some(word.to_owned())
    }

    fn unknown(game: &str, wanted: &str) -> String {
        format!("{game} has no rule set {wanted}; write {game}:spaces or {game}:points")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    #[test]
    fn there_are_two_rule_sets() {
        assert_eq!("columna:spaces".parse(), Ok(Game::Columna(RuleSet::Spaces)));
        assert_eq!(Game::Columna(RuleSet::Spaces).to_string(), "columna");
        assert_eq!(Game::Columna(RuleSet::Points).to_string(), "columna:points");
        assert_eq!(
            "columna:stars".parse::<Game>().unwrap_err().to_string(),
            "columna has no rule set 'stars'; write columna:spaces or columna:points"
        );
    }
}
