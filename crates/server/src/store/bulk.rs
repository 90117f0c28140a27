//! Statements that take several rows at once.
//!
//! A statement is a round trip to the database; with SQLite, to the thread that has the connection. So what
//! is written often is written many rows at a time. The numbers of rows are powers of two: any number is a sum
//! of a few of them, and there are so few different texts that each is prepared once and found again.

use std::fmt::Write;

/// The number of rows in the longest statement, as a power of two.
const MAX_POWER: usize = 5;
/// The number of rows in the longest statement.
pub(super) const MAX_ROWS: usize = 1 << MAX_POWER;

/// A statement with a list of rows in it, as texts for different numbers of rows.
#[derive(Debug)]
pub(super) struct Bulk {
    texts: [String; MAX_POWER + 1],
}

impl Bulk {
    /// A statement with this many columns in each row, and the text before and after the rows.
    pub(super) fn new(before: &str, columns: usize, after: &str) -> Bulk {
        let texts = std::array::from_fn(|power| {
            let mut text = before.to_owned();
            for row in 0..1_usize << power {
                text.push_str(if row == 0 { " (" } else { ", (" });
                for column in 1..=columns {
                    let comma = if column == 1 { "" } else { ", " };
                    // Writing to a text cannot fail.
                    let _ = write!(text, "{comma}${}", row * columns + column);
                }
                text.push(')');
            }
            text.push(' ');
            text.push_str(after);
            text
        });
        Bulk { texts }
    }

    /// Splits rows into slices, none longer than `max`, with the text for each.
    pub(super) fn split<'a, T>(
        &'static self,
        mut rows: &'a [T],
        max: usize,
    ) -> impl Iterator<Item = (&'static str, &'a [T])> {
        std::iter::from_fn(move || {
            let longest = rows.len().min(max).checked_ilog2()?;
            let power = usize::try_from(longest).map_or(0, |power| power.min(MAX_POWER));
            let (slice, rest) = rows.split_at(1 << power);
            rows = rest;
            Some((self.texts[power].as_str(), slice))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    static ADD: LazyLock<Bulk> =
        LazyLock::new(|| Bulk::new("INSERT INTO t (a, b) VALUES", 2, "ON CONFLICT DO NOTHING"));

    #[test]
    fn every_number_of_rows_is_a_sum_of_statements() {
        for count in [0, 1, 2, 3, 7, 31, 32, 33, 100, 255] {
            let rows: Vec<usize> = (0..count).collect();
            for max in [1, 3, 32, 1000] {
                let mut seen = Vec::new();
                for (text, slice) in ADD.split(&rows, max) {
                    assert!(slice.len() <= max.min(MAX_ROWS));
                    assert_eq!(text.matches('(').count(), slice.len() + 1, "{text}");
                    assert!(text.contains(&format!("${})", 2 * slice.len())), "{text}");
                    seen.extend_from_slice(slice);
                }
                assert_eq!(seen, rows);
            }
        }
        let three = ADD.split(&[1, 2, 3], MAX_ROWS).map(|(text, _)| text).collect::<Vec<_>>();
        assert_eq!(
            three,
            [
                "INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4) ON CONFLICT DO NOTHING",
                "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            ]
        );
    }
}
