//! What a line of the protocol asks for.

use std::time::Duration;

use stoa_engine::{Clock, Limits};
use stoa_rules::Side;

use crate::{Refusal, refuse};

/// The result of reading a command.
type Result<T> = std::result::Result<T, Refusal>;

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    /// `ugi`: identify the engine and list its options.
    Ugi,
    /// `isready`: answer when everything before is done.
    IsReady,
    /// `uginewgame`: forget the last game.
    NewGame,
    /// `setoption name … value …`
    SetOption {
        /// Which option.
        name: String,
        /// Its new value.
        value: String,
    },
    /// `position …`
    Position {
        /// The text of the position; nothing for the start position.
        text: Option<String>,
        /// The moves to play from there.
        moves: Vec<String>,
    },
    /// `go …`
    Go(Go),
    /// `stop`
    Stop,
    /// `query …`
    Query(Query),
    /// `d` or `show`: draw the board.
    Show,
    /// `help`
    Help,
    /// `quit`
    Quit,
}

/// A question about the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Query {
    /// Is it the first player's turn?
    FirstToMove,
    /// Is the game over?
    GameOver,
    /// How did it end?
    Result,
    /// What is the position's text?
    Position,
    /// What are the legal moves?
    Moves,
}

/// What a search may use. Whatever is given holds together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Go {
    movetime: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
    playouts: Option<u64>,
    /// What is left on the first and the second player's clock.
    left: [Option<Duration>; 2],
    /// What each move adds to them.
    increment: [Option<Duration>; 2],
    infinite: Option<()>,
}

impl Go {
    /// The limits for the player to move.
    pub(crate) fn limits(&self, side: Side) -> Result<Limits> {
        let mover = match side {
            Side::First => 0,
            Side::Second => 1,
        };
        let clock = match self.left[mover] {
            Some(left) => {
                Some(Clock { left, increment: self.increment[mover].unwrap_or_default() })
            }
            None if self.left == [None; 2] && self.increment == [None; 2] => None,
            None => refuse!("it is player {0}'s turn, so 'go' needs p{0}time", mover + 1),
        };
        let Go { movetime: time, nodes, depth, playouts, infinite, .. } = *self;
        let limits = Limits { time, clock, nodes, depth, playouts };
        if infinite.is_some() && !limits.is_infinite() {
            refuse!("'go infinite' takes no limits");
        }
        Ok(limits)
    }
}

impl Command {
    /// Reads a line; nothing if it is empty.
    pub(crate) fn parse(line: &str) -> Result<Option<Command>> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(None) };
        let mut rest = words.clone();
        let mut alone = |command: Command| match rest.next() {
            None => Ok(command),
            Some(word) => refuse!("'{first}' takes nothing after it, found '{word}'"),
        };
        Ok(Some(match first {
            "ugi" => alone(Command::Ugi)?,
            "isready" => alone(Command::IsReady)?,
            "uginewgame" => alone(Command::NewGame)?,
            "stop" => alone(Command::Stop)?,
            "quit" => alone(Command::Quit)?,
            "d" | "show" => alone(Command::Show)?,
            "help" => alone(Command::Help)?,
            "setoption" => set_option(words)?,
            "position" => position(words)?,
            "go" => Command::Go(go(words)?),
            "query" => query(words)?,
            _ => refuse!("there is no command '{first}'; 'help' lists them"),
        }))
    }
}

fn set_option<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command> {
    const FORM: &str = "write 'setoption name NAME value VALUE'";
    if words.next() != Some("name") {
        refuse!("{FORM}");
    }
    let name: Vec<&str> = words.by_ref().take_while(|&word| word != "value").collect();
    let value: Vec<&str> = words.collect();
    if name.is_empty() || value.is_empty() {
        refuse!("{FORM}");
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command> {
    const FORM: &str = "write 'position startpos' or 'position fen TEXT', then perhaps 'moves …'";
    let kind = words.next();
    // No game has the word 'moves' in its positions.
    let text: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let text = match kind {
        Some("startpos") if text.is_empty() => None,
        Some("fen") if !text.is_empty() => Some(text.join(" ")),
        _ => refuse!("{FORM}"),
    };
    Ok(Command::Position { text, moves: words.map(str::to_owned).collect() })
}

fn go<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Go> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "infinite" => set_once(&mut go.infinite, word, ())?,
            "movetime" => set_once(&mut go.movetime, word, milliseconds(word, words.next())?)?,
            "nodes" => set_once(&mut go.nodes, word, number(word, words.next())?)?,
            "playouts" => set_once(&mut go.playouts, word, number(word, words.next())?)?,
            "depth" => {
                let depth = number(word, words.next())?;
                set_once(&mut go.depth, word, u32::try_from(depth).unwrap_or(u32::MAX))?;
            }
            "p1time" => set_once(&mut go.left[0], word, time_left(word, words.next())?)?,
            "p2time" => set_once(&mut go.left[1], word, time_left(word, words.next())?)?,
            "p1inc" => set_once(&mut go.increment[0], word, milliseconds(word, words.next())?)?,
            "p2inc" => set_once(&mut go.increment[1], word, milliseconds(word, words.next())?)?,
            "ponder" => refuse!("thinking in the opponent's time ('ponder') is not supported"),
            _ => refuse!(
                "'go' knows no '{word}'; it knows movetime, nodes, depth, playouts, p1time, p2time, \
                 p1inc, p2inc and infinite"
            ),
        }
    }
    Ok(go)
}

/// Sets a limit that may be given only once: of two values, nobody could tell which was meant.
fn set_once<T>(limit: &mut Option<T>, word: &str, value: T) -> Result<()> {
    if limit.is_some() {
        refuse!("'go' takes '{word}' only once");
    }
    *limit = Some(value);
    Ok(())
}

fn number(word: &str, text: Option<&str>) -> Result<u64> {
    let Some(text) = text else { refuse!("'{word}' needs a number after it") };
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) => refuse!("'{word}' needs a whole number, not below 0, found '{text}'"),
    }
}

fn milliseconds(word: &str, text: Option<&str>) -> Result<Duration> {
    number(word, text).map(Duration::from_millis)
}

/// What is left on a clock. Programs that run the clocks sometimes report a little less than nothing.
fn time_left(word: &str, text: Option<&str>) -> Result<Duration> {
    let Some(text) = text else { refuse!("'{word}' needs a number after it") };
    match text.parse::<i64>() {
        Ok(milliseconds) => Ok(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0))),
        Err(_) => refuse!("'{word}' needs a whole number of milliseconds, found '{text}'"),
    }
}

fn query<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command> {
    let query = match (words.next(), words.next()) {
        (Some("p1turn"), None) => Query::FirstToMove,
        (Some("gameover"), None) => Query::GameOver,
        (Some("result"), None) => Query::Result,
        (Some("position"), None) => Query::Position,
        (Some("moves"), None) => Query::Moves,
        _ => refuse!("a query is one of p1turn, gameover, result, position and moves"),
    };
    Ok(Command::Query(query))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    fn refused(line: &str) -> String {
        Command::parse(line).unwrap_err().to_string()
    }

    fn limits(line: &str, side: Side) -> Result<Limits> {
        match parsed(line) {
            Command::Go(go) => go.limits(side),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn positions_have_spaces_in_them() {
        let text = Some("1w6/8/8/4W3/8/8/8/6b1 w".to_owned());
        assert_eq!(
            parsed("  position  fen\t1w6/8/8/4W3/8/8/8/6b1   w moves e5-a1 g1-f2 "),
            Command::Position { text, moves: vec!["e5-a1".to_owned(), "g1-f2".to_owned()] }
        );
        assert_eq!(parsed("position startpos"), Command::Position { text: None, moves: vec![] });
        for line in ["position", "position fen", "position fen moves x", "position startpos x"] {
            assert!(refused(line).starts_with("write 'position startpos' or"), "{line}");
        }
    }

    #[test]
    fn options_may_have_several_words() {
        assert_eq!(
            parsed("setoption name Two Words value of any kind"),
            Command::SetOption { name: "Two Words".to_owned(), value: "of any kind".to_owned() }
        );
        for line in ["setoption", "setoption name", "setoption name Hash", "setoption name value 1"]
        {
            assert_eq!(refused(line), "write 'setoption name NAME value VALUE'");
        }
    }

    #[test]
    fn the_mover_thinks_on_the_movers_clock() {
        let line = "go p1time 1000 p2time -7 p1inc 10 p2inc 20";
        let clock = |left, increment| {
            let [left, increment] = [left, increment].map(Duration::from_millis);
            Some(Clock { left, increment })
        };
        assert_eq!(limits(line, Side::First).unwrap().clock, clock(1000, 10));
        assert_eq!(limits(line, Side::Second).unwrap().clock, clock(0, 20), "overstepped");
        assert_eq!(
            limits("go p1time 5", Side::Second).unwrap_err().to_string(),
            "it is player 2's turn, so 'go' needs p2time"
        );
    }

    #[test]
    fn limits_hold_together() {
        let found = limits("go movetime 50 nodes 7 depth 3 playouts 9", Side::First).unwrap();
        let time = Some(Duration::from_millis(50));
        let wanted =
            Limits { time, nodes: Some(7), depth: Some(3), playouts: Some(9), clock: None };
        assert_eq!(found, wanted);
        for line in ["go", "go infinite"] {
            assert!(limits(line, Side::First).unwrap().is_infinite());
        }
        assert!(limits("go infinite depth 3", Side::First).is_err());
    }

    #[test]
    fn errors_say_what_would_be_right() {
        assert_eq!(refused("fly"), "there is no command 'fly'; 'help' lists them");
        assert_eq!(refused("stop it"), "'stop' takes nothing after it, found 'it'");
        assert_eq!(refused("go depth"), "'depth' needs a number after it");
        assert_eq!(refused("go nodes -1"), "'nodes' needs a whole number, not below 0, found '-1'");
        assert_eq!(
            refused("query mood"),
            "a query is one of p1turn, gameover, result, position and moves"
        );
        assert!(refused("go ponder").contains("not supported"));
        for word in ["movetime", "nodes", "depth", "playouts", "p1time", "p2time", "p1inc", "p2inc"]
        {
            let twice = format!("go {word} 1 infinite {word} 2");
            assert_eq!(refused(&twice), format!("'go' takes '{word}' only once"));
        }
        assert_eq!(refused("go infinite infinite"), "'go' takes 'infinite' only once");
        assert_eq!(Command::parse(" \t ").unwrap(), None);
    }
}
