//! Another engine as a player: a program that speaks UGI over pipes.
//!
//! Whatever it does (crash, hang, babble, play illegal moves) costs it the game and nothing more:
//! it is started anew for the next one. `docs/protocol.md` describes the conversation.

mod offered;
mod process;
#[cfg(all(test, unix))]
mod tests;

use std::time::{Duration, Instant};

use stoa_draw::printable;
use stoa_engine::matches::{Choice, Player, PlayerError, Thinking};
use stoa_engine::{Clock, Limits, Stop};
use stoa_rules::{AnyPosition, Game, Side};

use crate::info::Info;
use offered::OfferedOption;
use process::{NoLine, Process};

/// How long to wait for an engine.
#[derive(Debug, Clone, Copy)]
struct Timeouts {
    /// For the answer to `ugi` or `isready`.
    ready: Duration,
    /// For a move, beyond the time it was given; then it is stopped, and waited for once more.
    grace: Duration,
    /// For a move without a limit of time, as long as the engine says nothing at all.
    silence: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            ready: Duration::from_secs(10),
            grace: Duration::from_secs(1),
            silence: Duration::from_secs(60),
        }
    }
}

/// The time for a move where none is given and nothing else limits the search.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

/// How often a wait looks whether the user has stopped the match.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// An engine in a process of its own.
pub(super) struct External {
    name: String,
    program: String,
    args: Vec<String>,
    /// The options that are set whenever it is started.
    options: Vec<(String, String)>,
    game: Game,
    stop: Stop,
    timeouts: Timeouts,
    /// Nothing after it has failed, until the next game.
    process: Option<Process>,
    /// Whether it offers the option `Seed`.
    has_seed: bool,
    /// The last line that sounded like a complaint or made no sense.
    remark: Option<String>,
}

impl External {
    /// Starts an engine for a game with a command line, in which words may be quoted as in a shell,
    /// and sets its options. `stop` ends its searches.
    pub(super) fn start(
        name: &str,
        command: &str,
        options: &[(String, String)],
        game: Game,
        stop: Stop,
    ) -> Result<External, PlayerError> {
        External::start_with(name, command, options, game, stop, Timeouts::default())
    }

    fn start_with(
        name: &str,
        command: &str,
        options: &[(String, String)],
        game: Game,
        stop: Stop,
        timeouts: Timeouts,
    ) -> Result<External, PlayerError> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let Some((program, args)) = words.as_ref().and_then(|words| words.split_first()) else {
            return Err(PlayerError::Unusable(format!(
                "'{}' is no command; quotes must be closed",
                printable(command)
            )));
        };
        let mut engine = External {
            name: name.to_owned(),
            program: program.clone(),
            args: args.to_vec(),
            options: options.to_vec(),
            game,
            stop,
            timeouts,
            process: None,
            has_seed: false,
            remark: None,
        };
        engine.handshake()?;
        Ok(engine)
    }

    /// Starts the program and exchanges `ugi` and `ugiok`.
    fn handshake(&mut self) -> Result<(), PlayerError> {
        let process = Process::start(&self.program, &self.args).map_err(|error| {
            PlayerError::Unusable(format!("cannot run '{}': {error}", printable(&self.program)))
        })?;
        process.send("ugi");
        self.process = Some(process);
        self.remark = None;
        let mut offered = Vec::new();
        let until = Instant::now() + self.timeouts.ready;
        loop {
            let line = self.expect_line(until, "ugiok")?;
            if line.trim() == "ugiok" {
                break;
            }
            match OfferedOption::parse(&line) {
                Some(option) => offered.push(option),
                None => self.remember(&line),
            }
        }
        self.set_options(&offered)
    }

    /// Sets its options, and waits for it. Options that it does not offer or complains about are refused: a
    /// match would be played with other settings than those asked for.
    fn set_options(&mut self, offered: &[OfferedOption]) -> Result<(), PlayerError> {
        for (name, value) in &self.options {
            let Some(option) = offered.iter().find(|option| option.is(name)) else {
                let known: Vec<&str> = offered.iter().map(|known| known.name.as_str()).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let text =
                    format!("it has no option '{name}'; its options are: {}", printable(&known));
                return Err(PlayerError::Unusable(text));
            };
            if let Some(refusal) = option.refusal(value) {
                return Err(PlayerError::Unusable(printable(&refusal)));
            }
            self.send(&format!("setoption name {name} value {value}"));
        }
        // A default other than 0 is a seed that its author has chosen.
        self.has_seed = !self.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Seed"))
            && offered.iter().any(|option| option.is("Seed") && option.has_default(0));
        self.remark = None;
        self.wait_until_ready()?;
        match &self.remark {
            Some(remark) if !self.options.is_empty() && is_error(remark) => {
                Err(PlayerError::Unusable(format!("it refuses its options: {remark}")))
            }
            _ => Ok(()),
        }
    }

    /// Waits until everything sent before is done; what it says meanwhile is not for us.
    fn wait_until_ready(&mut self) -> Result<(), PlayerError> {
        self.send("isready");
        let until = Instant::now() + self.timeouts.ready;
        loop {
            let line = self.expect_line(until, "readyok")?;
            if line.trim() == "readyok" {
                return Ok(());
            }
            self.remember(&line);
        }
    }

    fn send(&self, line: &str) {
        if let Some(process) = &self.process {
            process.send(line);
        }
    }

    /// Remembers a line that may explain what goes wrong later.
    fn remember(&mut self, line: &str) {
        let known = ["id", "option", "info", "response", "readyok", "bestmove"];
        let first = line.split_ascii_whitespace().next();
        if line.to_ascii_lowercase().contains("error")
            || first.is_some_and(|word| !known.contains(&word))
        {
            self.remark = Some(printable(line.trim()));
        }
    }

    /// The next line of text until some moment. Without one the engine has failed.
    fn expect_line(&mut self, until: Instant, wanted: &str) -> Result<String, PlayerError> {
        loop {
            match self.next_line((Instant::now() + POLL_INTERVAL).min(until)) {
                Ok(line) => return Ok(line),
                Err(NoLine::Ended) => return Err(self.has_ended(wanted)),
                Err(NoLine::TimedOut) if Instant::now() >= until || self.stop.is_stopped() => {
                    return Err(self.is_silent(wanted));
                }
                Err(NoLine::TimedOut) => {}
            }
        }
    }

    /// The next line of text; others are passed over.
    fn next_line(&mut self, until: Instant) -> Result<String, NoLine> {
        loop {
            let process = self.process.as_ref().ok_or(NoLine::Ended)?;
            match process.next_line(until)?.text() {
                Ok(text) => return Ok(text),
                Err(flaw) => self.remark = Some(flaw),
            }
        }
    }

    fn has_ended(&mut self, wanted: &str) -> PlayerError {
        let why = match self.process.take() {
            Some(mut process) => process.exit_description(),
            None => "it is not running".to_owned(),
        };
        self.with_remark(PlayerError::Crashed, format!("no {wanted}: {}", printable(&why)))
    }

    fn is_silent(&mut self, wanted: &str) -> PlayerError {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
        self.with_remark(PlayerError::Silent, format!("no {wanted}"))
    }

    fn with_remark(&self, kind: fn(String) -> PlayerError, text: String) -> PlayerError {
        match &self.remark {
            None => kind(text),
            Some(remark) => kind(format!("{text} (it said: {remark})")),
        }
    }

    /// Waits for the move, and for what the engine thinks of it.
    fn wait_for_move(&mut self, limits: &Limits) -> Result<(String, Info), PlayerError> {
        let allowed =
            [limits.time, limits.clock.map(|clock| clock.left)].into_iter().flatten().min();
        let timeout = allowed.map_or(self.timeouts.silence, |time| time + self.timeouts.grace);
        let mut until = Instant::now() + timeout;
        let mut was_stopped = false;
        let mut info = Info::default();
        loop {
            match self.next_line((Instant::now() + POLL_INTERVAL).min(until)) {
                Ok(line) if line.split_ascii_whitespace().next() == Some("bestmove") => {
                    return Ok((line, info));
                }
                Ok(line) => {
                    info.add(&line);
                    self.remember(&line);
                    if allowed.is_none() && !was_stopped {
                        until = Instant::now() + timeout;
                    }
                }
                Err(NoLine::Ended) => return Err(self.has_ended("bestmove")),
                Err(NoLine::TimedOut) => {}
            }
            let is_late = Instant::now() >= until;
            if is_late && was_stopped {
                return Err(self.is_silent("bestmove, even after 'stop'"));
            }
            if !was_stopped && (is_late || self.stop.is_stopped()) {
                was_stopped = true;
                self.send("stop");
                until = Instant::now() + self.timeouts.grace;
            }
        }
    }
}

impl Player for External {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        if self.process.is_none() {
            self.handshake()?;
        }
        self.remark = None;
        if self.has_seed {
            // What every engine can hold.
            self.send(&format!("setoption name Seed value {}", seed >> 1));
        }
        self.send("uginewgame");
        self.wait_until_ready()
    }

    fn choose(
        &mut self,
        start: &AnyPosition,
        moves: &[String],
        position: &AnyPosition,
        thinking: &Thinking,
    ) -> Result<Choice, PlayerError> {
        self.send(&position_line(self.game, start, moves));
        self.wait_until_ready()?;
        let mut limits = thinking.limits;
        if limits.is_infinite() {
            limits.time = Some(DEFAULT_MOVE_TIME);
        }
        self.send(&go_line(&limits, thinking.opponent, position.side_to_move()));
        let (line, info) = self.wait_for_move(&limits)?;
        let text = line.split_ascii_whitespace().nth(1).unwrap_or_default();
        match position.clone().play(text) {
            Ok(text) => {
                Ok(Choice { text, score: info.score, depth: info.depth, nodes: info.nodes })
            }
            Err(error) => {
                let why = error.to_string();
                let why = why.lines().next().unwrap_or_default();
                let text = format!("in its line '{}': {}", printable(line.trim()), printable(why));
                Err(self.with_remark(PlayerError::Nonsense, text))
            }
        }
    }
}

/// Whether a line reports an error, as Stoa's own engine does.
fn is_error(line: &str) -> bool {
    line.to_ascii_lowercase().starts_with("info string error")
}

fn position_line(game: Game, start: &AnyPosition, moves: &[String]) -> String {
    let mut line = if *start == game.start() {
        "position startpos".to_owned()
    } else {
        format!("position fen {start}")
    };
    if !moves.is_empty() {
        line.push_str(" moves ");
        line.push_str(&moves.join(" "));
    }
    line
}

fn go_line(limits: &Limits, opponent: Option<Clock>, mover: Side) -> String {
    let mut line = "go".to_owned();
    let mut add = |word: &str, value: Option<u128>| {
        if let Some(value) = value {
            line.push_str(&format!(" {word} {value}"));
        }
    };
    // Less than a millisecond is not nothing.
    add("movetime", limits.time.map(|time| time.as_millis().max(1)));
    add("nodes", limits.nodes.map(u128::from));
    add("depth", limits.depth.map(u128::from));
    add("playouts", limits.playouts.map(u128::from));
    if let Some(own) = limits.clock {
        let other = opponent.unwrap_or(own);
        let [first, second] = match mover {
            Side::First => [own, other],
            Side::Second => [other, own],
        };
        add("p1time", Some(first.left.as_millis()));
        add("p2time", Some(second.left.as_millis()));
        add("p1inc", Some(first.increment.as_millis()));
        add("p2inc", Some(second.increment.as_millis()));
    }
    line
}
