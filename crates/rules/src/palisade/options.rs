//! The size of the board, as players choose it.

use super::{MAX_SIZE, Size};
use crate::GameOptions;

impl GameOptions for Size {
    const DEFAULT: Size = Size::DEFAULT;
    const HELP: &'static str = "palisade:N for other sizes: N odd, 3 to 19";

    fn all() -> Vec<Size> {
        Size::all().collect()
    }

    /// A quick game and the usual one.
    fn representatives() -> Vec<Size> {
        [9, MAX_SIZE].into_iter().filter_map(Size::new).collect()
    }

    /// A full board is a long first game.
    fn offered_first() -> Size {
        Size::new(9).unwrap_or(Size::DEFAULT)
    }

    /// Small boards are about tactics, full ones about plans: up to 7, 9 and 11, and from 13 on.
    fn rated_as(self) -> Size {
        let stands_for_all = match self.get() {
            ..=7 => 7,
            9..=11 => 9,
            _ => MAX_SIZE,
        };
        Size::new(stands_for_all).unwrap_or(self)
    }

    fn word(self) -> Option<String> {
        Some(self.get().to_string())
    }

    fn unknown(game: &str, wanted: &str) -> String {
        format!("{game} has no size {wanted}; write {game}:N with N odd, from 3 to 19")
    }

    /// The number of ranks in a text gives the size. So the usual size takes every text, and any
    /// other only its own.
    fn mismatch(self, found: Size) -> Option<String> {
        let [wanted, ranks] = [self, found].map(Size::get);
        (self != found && self != Size::DEFAULT)
            .then(|| format!("palisade:{wanted} has {wanted} ranks, but this position has {ranks}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    #[test]
    fn sizes_are_odd_numbers() {
        let refused = |text: &str| text.parse::<Game>().unwrap_err().to_string();
        for word in ["8", "", "+7", "07", "1", "21"] {
            assert_eq!(
                refused(&format!("palisade:{word}")),
                format!("palisade has no size '{word}'; write palisade:N with N odd, from 3 to 19")
            );
        }
        assert_eq!("palisade:19".parse(), Ok(Game::Palisade(Size::DEFAULT)));
        assert_eq!(Game::Palisade(Size::DEFAULT).to_string(), "palisade");
        assert_eq!(Game::Palisade(Size::DEFAULT).own_variants().count(), 9);
        let few: Vec<u8> = Size::representatives().into_iter().map(Size::get).collect();
        assert_eq!(few, [9, 19]);
    }

    #[test]
    fn sizes_are_rated_in_three_groups() {
        let groups: Vec<String> = Game::Palisade(Size::DEFAULT)
            .own_variants()
            .map(|game| game.rated_as().to_string())
            .collect();
        let [small, medium, large] = ["palisade:7", "palisade:9", "palisade"];
        assert_eq!(groups, [small, small, small, medium, medium, large, large, large, large]);
        assert!(Game::variants().all(|game| game.rated_as().rated_as() == game.rated_as()));
    }

    #[test]
    fn plain_palisade_takes_its_size_from_the_text() {
        let plain: Game = "palisade".parse().unwrap();
        assert_eq!(plain.position("3/3/3 b").unwrap().game().to_string(), "palisade:3");
        let seven: Game = "palisade:7".parse().unwrap();
        let error = seven.position("3/3/3 b").unwrap_err().to_string();
        assert_eq!(error, "palisade:7 has 7 ranks, but this position has 3");
    }
}
