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
