//! An archive full of games: how quickly positions are found in it, and how long all ratings take to rebuild.
//!
//! Accounts play rated games of random moves, two at a time, over HTTP. When the explorer has counted them
//! all, it is asked about positions of these games, and so is the archive; then `stoa admin ratings rebuild`
//! runs beside the server.

use std::fmt;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use stoa_client::{Client, NewChallenge, TimeControl};
use stoa_rules::Game;
use stoa_rules::playout::Rng;
use stoa_wire::{Action, Explored};

use crate::live_game::{GAMES, PASSWORD, address};
use crate::stats::{Times, load_average};
use crate::target::Target;

/// How many pairs of people play at the same time.
const PAIRS: usize = 24;
/// The explorer and the positions of the archive know this many moves of a game.
const MAX_MOVES: usize = 40;
/// Games that are counted later than this are not counted at all.
const COUNTING_TIMEOUT: Duration = Duration::from_secs(900);
const COUNTING_INTERVAL: Duration = Duration::from_millis(200);

/// An archive, and how often it is asked.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveLoad {
    /// How many games.
    pub games: usize,
    /// How many moves each has, unless it ends before; then a player resigns.
    pub moves: usize,
    /// How many questions of each kind are asked, one after the other.
    pub questions: usize,
}

/// The measurements.
#[derive(Debug)]
pub struct Measured {
    words: String,
    load_average: String,
    games: usize,
    moves: usize,
    played: Duration,
    counted: Duration,
    explorer: Times,
    archive: Times,
    rebuild: Option<Rebuild>,
}

#[derive(Debug)]
struct Rebuild {
    time: Duration,
    /// What the command printed.
    words: String,
}

/// A position that a game came to.
#[derive(Debug)]
struct PlayedPosition {
    kind: Game,
    position: String,
}

/// What one pair has played.
#[derive(Debug, Default)]
struct Played {
    games: [usize; GAMES.len()],
    moves: usize,
    positions: Vec<PlayedPosition>,
}

impl ArchiveLoad {
    /// Measures.
    ///
    /// # Errors
    /// If the server refuses something, or does not find a game that was played.
    pub fn measure(self, target: &Target) -> Result<Measured> {
        ensure!((2..=MAX_MOVES).contains(&self.moves), "games have 2 to {MAX_MOVES} moves here");
        let load_average = load_average();
        let begun = Instant::now();
        let all = self.fill(target)?;
        let played = begun.elapsed();
        let reader = Client::anonymous(&target.urls()[0]);
        let counted = wait_until_counted(&reader, &all.games)?;
        let [mut explorer, mut archive] = [Times::default(), Times::default()];
        let mut rng = Rng::for_game(16, 0);
        for _ in 0..self.questions {
            let position = &all.positions[rng.below(all.positions.len())];
            let asked = Instant::now();
            let explored = explore(&reader, position)?;
            explorer.add(asked.elapsed());
            ensure!(!explored.moves.is_empty(), "the explorer does not know {position:?}");
            let asked = Instant::now();
            let found: Value = reader.get(&query("/api/archive", position))?;
            archive.add(asked.elapsed());
            let is_found = found["games"].as_array().is_some_and(|games| !games.is_empty());
            ensure!(is_found, "the archive does not know {position:?}");
        }
        Ok(Measured {
            words: target.words().to_owned(),
            load_average,
            games: all.games.iter().sum(),
            moves: all.moves,
            played,
            counted,
            explorer,
            archive,
            rebuild: rebuild(target)?,
        })
    }

    /// Plays all games.
    fn fill(self, target: &Target) -> Result<Played> {
        let pairs: Vec<Result<Played>> = std::thread::scope(|scope| {
            let play = |pair| scope.spawn(move || self.play_as(pair, target));
            let threads: Vec<_> = (0..PAIRS).map(play).collect();
            threads.into_iter().map(|thread| thread.join().expect("a pair panicked")).collect()
        });
        let mut all = Played::default();
        for pair in pairs {
            let pair = pair?;
            all.moves += pair.moves;
            all.positions.extend(pair.positions);
            for (sum, games) in all.games.iter_mut().zip(pair.games) {
                *sum += games;
            }
        }
        ensure!(!all.positions.is_empty(), "there are no games");
        Ok(all)
    }

    /// Plays the games of one pair.
    fn play_as(self, pair: usize, target: &Target) -> Result<Played> {
        let url = &target.urls()[pair % target.urls().len()];
        let account = |index: usize| {
            let name = format!("Member {}", 2 * pair + index);
            let client = Client::anonymous(url).forwarded_for(&address(2 * pair + index));
            client.become_guest(&name)?.register(&name, PASSWORD)
        };
        let people = [account(0)?, account(1)?];
        let mut played = Played::default();
        for number in (pair..self.games).step_by(PAIRS) {
            let kind = number / PAIRS % GAMES.len();
            played.games[kind] += 1;
            self.play(&people, GAMES[kind].parse()?, number, &mut played)?;
        }
        Ok(played)
    }

    /// Plays a game, and keeps a position of it.
    fn play(
        self,
        people: &[Client; 2],
        kind: Game,
        number: usize,
        played: &mut Played,
    ) -> Result<()> {
        let mut rng = Rng::for_game(16, 1 + number as u64);
        let control = TimeControl::Clock { initial: 600, increment: 5 };
        let challenge = people[0].challenge(&NewChallenge::new(kind.to_string(), control))?;
        let game = people[1].accept(&challenge.id)?;
        let first = usize::from(game.players[0].id != challenge.creator.id);
        let mut position = kind.start();
        let kept = rng.below(self.moves);
        for ply in 0..self.moves {
            if position.outcome().is_some() {
                return Ok(());
            }
            if ply == kept {
                played.positions.push(PlayedPosition { kind, position: position.to_string() });
            }
            let moves = position.legal_moves();
            let text = moves[rng.below(moves.len())].clone();
            let mover = &people[(position.side_to_move().index() + first) % 2];
            position.play(&text).context("a legal move is not legal")?;
            mover.act(&game.id, &Action::Move { ply, text })?;
            played.moves += 1;
        }
        if position.outcome().is_none() {
            people[rng.below(2)].act(&game.id, &Action::Resign)?;
        }
        Ok(())
    }
}

/// Waits until the explorer knows as many games of each kind as were played; returns how long that took.
fn wait_until_counted(reader: &Client, games: &[usize; GAMES.len()]) -> Result<Duration> {
    let begun = Instant::now();
    for (kind, games) in GAMES.iter().zip(games) {
        let kind: Game = kind.parse()?;
        let start = PlayedPosition { kind, position: kind.start().to_string() };
        loop {
            let explored = explore(reader, &start)?;
            let known: i64 = explored.moves.iter().map(|one| one.won + one.drawn + one.lost).sum();
            match usize::try_from(known)?.cmp(games) {
                std::cmp::Ordering::Equal => break,
                std::cmp::Ordering::Greater => {
                    bail!("{known} games of {kind} were counted, {games} played")
                }
                std::cmp::Ordering::Less if begun.elapsed() > COUNTING_TIMEOUT => {
                    bail!("only {known} of {games} games of {kind} were counted")
                }
                std::cmp::Ordering::Less => std::thread::sleep(COUNTING_INTERVAL),
            }
        }
    }
    Ok(begun.elapsed())
}

fn explore(reader: &Client, position: &PlayedPosition) -> Result<Explored, stoa_client::Error> {
    reader.get(&query("/api/explorer", position))
}

fn query(path: &str, PlayedPosition { kind, position }: &PlayedPosition) -> String {
    format!("{path}?game={}&position={}", escaped(&kind.to_string()), escaped(position))
}

/// A value in a query.
pub(crate) fn escaped(value: &str) -> String {
    value.bytes().fold(String::new(), |mut text, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => text.push(byte.into()),
            _ => write!(text, "%{byte:02X}").expect("a string takes any text"),
        }
        text
    })
}

/// Rebuilds the ratings of servers that were started here.
fn rebuild(target: &Target) -> Result<Option<Rebuild>> {
    let begun = Instant::now();
    let words = target.said(&["admin", "ratings", "rebuild"])?;
    Ok(words.map(|words| Rebuild { time: begun.elapsed(), words }))
}

impl Measured {
    /// How many games were played.
    pub fn games(&self) -> usize {
        self.games
    }

    /// A quantile of the time in which the explorer answers.
    pub fn explorer(&self, share: f64) -> Duration {
        self.explorer.quantile(share)
    }

    /// How long the ratings took to rebuild, if the servers were started here.
    pub fn rebuild(&self) -> Option<Duration> {
        self.rebuild.as_ref().map(|rebuild| rebuild.time)
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.played.as_secs_f64();
        writeln!(f, "an archive of {} games, {} moves; {}", self.games, self.moves, self.words)?;
        writeln!(f, "  load average before  {}", self.load_average)?;
        writeln!(
            f,
            "  played within        {seconds:.0} s, {:.0} moves/s",
            self.moves as f64 / seconds
        )?;
        writeln!(f, "  counted after        {:.1} s more", self.counted.as_secs_f64())?;
        writeln!(f, "  explorer             {}", self.explorer)?;
        write!(f, "  archive, position    {}", self.archive)?;
        if let Some(Rebuild { time, words }) = &self.rebuild {
            write!(f, "\n  ratings rebuilt      {:.1} s: {words}", time.as_secs_f64())?;
        }
        Ok(())
    }
}
