//! Slow and obvious second implementations of the games, used as test oracles.
//! Everything is worked out from the position's text each time; the clauses and rulings
//! cited in the comments are those of the rules files.

mod colonnade;
mod colossus;
mod columna;
mod impasse;
mod palisade;

/// The winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The player who moves first in the game: Red, White in Impasse, Black elsewhere.
    First,
    /// The other player.
    Second,
    /// Nobody.
    Draw,
}

/// What there is to know about a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// The result, if the game is over.
    pub verdict: Option<Verdict>,
    /// (move text, resulting position text), sorted by move text; empty when the game is over.
    pub moves: Vec<(String, String)>,
}

/// `game` is one of colonnade, impasse, palisade, columna:spaces, columna:points, colossus.
/// Panics on malformed text (it is a test oracle).
pub fn look(game: &str, position: &str) -> Look {
    let mut look = match game {
        "colonnade" => colonnade::look(position),
        "impasse" => impasse::look(position),
        "palisade" => palisade::look(position),
        "columna:spaces" => columna::look(columna::Rules::Spaces, position),
        "columna:points" => columna::look(columna::Rules::Points, position),
        "colossus" => colossus::look(position),
        _ => panic!("no game is called {game:?}"),
    };
    look.moves.sort();
    for pair in look.moves.windows(2) {
        assert_ne!(pair[0].0, pair[1].0, "move listed twice in {position:?}");
    }
    if look.verdict.is_some() {
        assert!(look.moves.is_empty(), "moves after the end: {position:?}");
    }
    look
}

/// The look of a game that is over.
fn over(verdict: Verdict) -> Look {
    Look { verdict: Some(verdict), moves: Vec::new() }
}

/// The verdict when the player with more points wins.
fn score(first: usize, second: usize) -> Verdict {
    if first > second {
        Verdict::First
    } else if second > first {
        Verdict::Second
    } else {
        Verdict::Draw
    }
}

/// Writes a row out in full, one char per place and `.` for an empty one: `2b` gives `..b`.
fn expand(row: &str) -> Vec<char> {
    let mut places = Vec::new();
    let mut run = 0;
    for c in row.chars() {
        if let Some(digit) = c.to_digit(10) {
            run = run * 10 + digit;
        } else {
            places.extend((0..run).map(|_| '.'));
            run = 0;
            places.push(c);
        }
    }
    places.extend((0..run).map(|_| '.'));
    places
}

/// The opposite of `expand`: `..b` gives `2b`.
fn squeeze(places: &[char]) -> String {
    let mut row = String::new();
    let mut run = 0;
    for &c in places {
        if c == '.' {
            run += 1;
        } else {
            if run > 0 {
                row += &run.to_string();
            }
            run = 0;
            row.push(c);
        }
    }
    if run > 0 {
        row += &run.to_string();
    }
    row
}
