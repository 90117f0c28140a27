//! A bot on a Stoa server: it accepts challenges and plays with an engine, Stoa's or another.
//!
//! One thread reads the server's events; each game has a thread of its own that sleeps until it is woken. When there
//! are many games, those in which nothing is to be done give theirs up, and so do those that wait for a search while a
//! game whose time runs out earlier has no thread.
//! A game thread asks for its game whenever something may have happened, so a missed event does no harm:
//! after a restart, on either side, the bot asks what there is to do.
//!
//! | file | what |
//! |---|---|
//! | `queue.rs` | shares the machine out among the searches of all games |
//! | `game.rs` | one game, from the first move to the last |
//! | `levels.rs` | the levels of Stoa's engine, on a server of the same program |
//! | `worker.rs` | reviews games for a server |
//!
//! ```no_run
//! use std::time::Duration;
//! use stoa_bot::{Bot, BotEngine, BotOptions, SearchQueue};
//! use stoa_client::Client;
//! use stoa_engine::Stop;
//!
//! let options = BotOptions {
//!     engine: BotEngine::Stoa("level=6".parse()?),
//!     games: vec!["impasse".to_owned()],
//!     max_games: 4,
//!     move_time: Duration::from_secs(5),
//!     first_thought: Duration::from_secs(5),
//!     takeover_delay: Duration::ZERO,
//!     searches: SearchQueue::new(1),
//!     keeps_engines: true,
//!     log: |message| println!("{message}"),
//! };
//! let client = Client::with_token("https://stoa.example", "the bot's token");
//! Bot::new(client, options, Stop::new())?.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod game;
mod levels;
mod queue;
mod worker;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use stoa_client::{Challenge, Client, Error, GameSummary, Player, ServerMessage};
use stoa_engine::Stop;
use stoa_rules::Game;
use stoa_ugi::players::PlayerSpec;

pub use levels::start_engine_levels;
pub use queue::SearchQueue;
pub use worker::{Worker, WorkerOptions, start_own_worker};

use game::{GameThread, IDLE_AFTER};

/// How long to wait before connecting again, at first and at most.
const FIRST_RETRY_DELAY: Duration = Duration::from_millis(500);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);
/// How often whoever waits looks if it is stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// The maximum number of games that have a thread at the same time. More games than any limit of the server lets begin
/// can go on at once, because those in which nothing happens do not count there.
const MAX_THREADS: usize = 128;

/// Why a bot cannot play.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// The server cannot be reached, or refuses.
    #[error("the server does not answer")]
    NoAnswer(#[source] Error),
    /// The token belongs to nobody.
    #[error("the server does not know this token")]
    UnknownToken,
    /// The connection failed for good.
    #[error(transparent)]
    Failed(Error),
}

/// What a bot plays, and how.
#[derive(Clone)]
pub struct BotOptions {
    /// The engine that chooses its moves.
    pub engine: BotEngine,
    /// What it plays; everything, if empty. A name without options stands for all of them.
    pub games: Vec<String>,
    /// How many games it plays at the same time. Those in which nothing happens for half an hour do not count, and
    /// go on when something does.
    pub max_games: usize,
    /// The longest time for a move.
    pub move_time: Duration,
    /// How long its thoughts probably take; it finds out by thinking.
    pub first_thought: Duration,
    /// How long it leaves games alone that it has not begun itself: another node may be playing them.
    pub takeover_delay: Duration,
    /// The queue of searches, which may be that of several bots.
    pub searches: SearchQueue,
    /// Whether a game keeps its engine, and what that remembers, from one move to the next. A table or a tree
    /// takes many megabytes, so a bot with many games should not.
    pub keeps_engines: bool,
    /// Receives a line about everything it does.
    pub log: fn(&str),
}

/// The engine of a bot.
#[derive(Debug, Clone)]
pub enum BotEngine {
    /// Stoa's engine.
    Stoa(PlayerSpec),
    /// Another program, by its command line, in which `{game}` stands for the game.
    Program(String),
}

impl BotEngine {
    /// The player for a game; an error says what is wrong with the command line.
    pub fn spec(&self, game: Game) -> Result<PlayerSpec, BadCommand> {
        match self {
            BotEngine::Stoa(spec) => Ok(spec.clone()),
            BotEngine::Program(command) => {
                let command = command.replace("{game}", &game.to_string());
                format!("ugi:{command}").parse().map_err(BadCommand)
            }
        }
    }
}

/// A command line that is no engine.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadCommand(String);

impl BotOptions {
    fn plays(&self, game: &str) -> bool {
        let family = game.split(':').next().unwrap_or(game);
        let fits = |known: &String| known == game || known == family;
        game.parse::<Game>().is_ok() && (self.games.is_empty() || self.games.iter().any(fits))
    }
}

/// A bot on a server. Clones are the same bot.
#[derive(Clone)]
pub struct Bot {
    client: Client,
    me: Player,
    options: Arc<BotOptions>,
    stop: Stop,
    /// How long its thoughts take, in milliseconds.
    thought: Arc<AtomicU64>,
    games: Arc<Mutex<Games>>,
    max_threads: usize,
}

/// The games of a bot in which something is to be done or may soon be.
#[derive(Default)]
struct Games {
    /// Those that have a thread, and how to wake it.
    threads: HashMap<String, Sender<()>>,
    /// Those that wait for one, in the order in which they came.
    waiting: Vec<WaitingGame>,
}

/// A game that waits for a thread.
struct WaitingGame {
    id: String,
    /// Whether this very program began it.
    own: bool,
    /// When the time of the side to move runs out, by the server's clock.
    deadline: Option<i64>,
}

impl Games {
    /// Which game gets the next thread: the one whose time runs out first, and of games without a time limit the one
    /// that came first.
    fn next(&self) -> Option<usize> {
        let waiting = self.waiting.iter().enumerate();
        waiting.min_by_key(|(_, game)| order(game.deadline)).map(|(index, _)| index)
    }
}

/// When a game comes that has this deadline.
fn order(deadline: Option<i64>) -> i64 {
    deadline.unwrap_or(i64::MAX)
}

impl Bot {
    /// Asks the server which player the client's token belongs to.
    pub fn new(client: Client, options: BotOptions, stop: Stop) -> Result<Bot, BotError> {
        let me = client.me().map_err(BotError::NoAnswer)?.ok_or(BotError::UnknownToken)?;
        let games = Arc::default();
        let thought = u64::try_from(options.first_thought.as_millis()).unwrap_or(u64::MAX);
        let thought = Arc::new(AtomicU64::new(thought));
        Ok(Bot {
            client,
            me,
            options: Arc::new(options),
            stop,
            thought,
            games,
            max_threads: MAX_THREADS,
        })
    }

    /// The player that the bot is.
    pub fn player(&self) -> &Player {
        &self.me
    }

    /// Plays until it is stopped. Connections that fail are made again.
    pub fn run(&self) -> Result<(), BotError> {
        let mut delay = FIRST_RETRY_DELAY;
        while !self.stop.is_stopped() {
            let connected = Instant::now();
            match self.listen() {
                Ok(()) => {}
                Err(error) if error.is_transient() => self.log(&error.to_string()),
                Err(error) => return Err(BotError::Failed(error)),
            }
            if connected.elapsed() > MAX_RETRY_DELAY {
                delay = FIRST_RETRY_DELAY;
            }
            self.sleep(delay);
            delay = (delay * 2).min(MAX_RETRY_DELAY);
        }
        Ok(())
    }

    /// Reads the server's events until the connection ends.
    fn listen(&self) -> Result<(), Error> {
        let events = self.client.events()?;
        // Connected first, then asked: nothing falls in between.
        for challenge in self.client.challenges()? {
            self.consider(&challenge);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        for game in self.client.games()? {
            if !is_idle(&game, &self.me.id, now) {
                self.attend(&game, false);
            }
        }
        for message in events {
            if self.stop.is_stopped() {
                break;
            }
            self.start_waiting(&mut self.games());
            match message? {
                ServerMessage::Challenged { challenge } => self.consider(&challenge),
                ServerMessage::Yours { game, .. } => self.attend(&game, false),
                ServerMessage::Restart => break,
                _ => {}
            }
        }
        Ok(())
    }

    /// Accepts or declines a challenge, if there is something to decide.
    fn consider(&self, challenge: &Challenge) {
        let for_me = challenge.opponent.as_ref().is_some_and(|player| player.id == self.me.id);
        if !for_me || challenge.state != stoa_client::ChallengeState::Open {
            return;
        }
        let Challenge { id, game, creator, .. } = challenge;
        let busy = self.count() >= self.options.max_games;
        let done = if !self.options.plays(game) || busy {
            let why = if busy { "too many games" } else { "I do not play that" };
            self.log(&format!("declines {game} from {}: {why}", creator.name));
            self.client.decline(id).map(|_| ())
        } else {
            self.client.accept(id).map(|view| {
                self.log(&format!("accepts {game} from {}: game {}", creator.name, view.id));
                self.wake(&view.id, true, view.situation.deadline);
            })
        };
        match done {
            // Another node was first, or it was taken back.
            Err(error) if error.code() == Some(stoa_client::ErrorCode::Gone) => {}
            Err(error) => self.log(&format!("challenge {id}: {error}")),
            Ok(()) => {}
        }
    }

    /// Wakes the thread of a game in which there may be something to do.
    fn attend(&self, game: &GameSummary, own: bool) {
        if game.side_of(&self.me.id).is_some() {
            self.wake(&game.id, own, game.deadline);
        }
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the thread of a game, or starts one. `own` games were begun by this very program.
    fn wake(&self, game: &str, own: bool, deadline: Option<i64>) {
        let mut games = self.games();
        if let Some(thread) = games.threads.get(game)
            && thread.send(()).is_ok()
        {
            return;
        }
        games.threads.remove(game);
        if games.threads.len() >= self.max_threads && games.waiting.is_empty() {
            // Whoever has nothing to do makes room.
            for thread in games.threads.values() {
                let _ = thread.send(());
            }
        }
        match games.waiting.iter_mut().find(|waiting| waiting.id == game) {
            Some(waiting) => waiting.deadline = deadline,
            None => games.waiting.push(WaitingGame { id: game.to_owned(), own, deadline }),
        }
        self.start_waiting(&mut games);
        let is_crowded = !games.waiting.is_empty();
        drop(games);
        if is_crowded {
            // So may whoever waits for a search.
            self.options.searches.reconsider();
        }
    }

    /// Starts threads for games that wait for one, as many as there may be. Those for which the system has none go on
    /// waiting, until another thread ends or the server has something to say.
    fn start_waiting(&self, games: &mut Games) {
        while games.threads.len() < self.max_threads
            && let Some(next) = games.next()
        {
            let WaitingGame { id, own, deadline } = games.waiting.remove(next);
            let (wake, woken) = channel();
            // At once, for the first time.
            let _ = wake.send(());
            let thread = GameThread::new(self.clone(), id.clone(), own, deadline, woken);
            if let Err(error) = thread::Builder::new().spawn(move || thread.run()) {
                self.log(&format!("game {id}: there is no thread for it: {error}"));
                games.waiting.insert(next, WaitingGame { id, own, deadline });
                return;
            }
            games.threads.insert(id, wake);
        }
    }

    /// Whether the thread of a game now belongs to another one, whose time runs out earlier and which had none. Then
    /// the game waits for a thread itself.
    fn makes_room(&self, game: &str, own: bool, deadline: Option<i64>) -> bool {
        let mut games = self.games();
        let next = games.next().map(|next| order(games.waiting[next].deadline));
        let is_crowded = games.threads.len() >= self.max_threads;
        if !is_crowded || next.is_none_or(|next| next >= order(deadline)) {
            return false;
        }
        games.threads.remove(game);
        games.waiting.push(WaitingGame { id: game.to_owned(), own, deadline });
        self.start_waiting(&mut games);
        true
    }

    /// The thread of a game ends, and another game can have one.
    fn end_thread(&self, games: &mut Games, game: &str) {
        games.threads.remove(game);
        if !self.stop.is_stopped() {
            self.start_waiting(games);
        }
    }

    /// How many games it plays.
    fn count(&self) -> usize {
        let games = self.games();
        games.threads.len() + games.waiting.len()
    }

    /// Whether games wait for a thread.
    fn is_crowded(&self) -> bool {
        !self.games().waiting.is_empty()
    }

    /// How long its next thought will probably take: between the last one and what was expected of that.
    fn expected_thought(&self) -> Duration {
        Duration::from_millis(self.thought.load(Ordering::Relaxed))
    }

    fn has_thought(&self, time: Duration) {
        let expected = (self.expected_thought() + 3 * time) / 4;
        let expected = u64::try_from(expected.as_millis()).unwrap_or(u64::MAX);
        self.thought.store(expected, Ordering::Relaxed);
    }

    fn log(&self, message: &str) {
        (self.options.log)(&format!("{}: {message}", self.me.name));
    }

    /// Waits, but only until the bot is stopped.
    fn sleep(&self, time: Duration) {
        sleep(time, &self.stop);
    }
}

/// Waits, but only until it is stopped.
fn sleep(time: Duration, stop: &Stop) {
    let end = Instant::now() + time;
    while Instant::now() < end && !stop.is_stopped() {
        thread::sleep(STOP_INTERVAL.min(end.saturating_duration_since(Instant::now())));
    }
}

/// Tries something that belongs to the server until it succeeds or is stopped, however often it fails or panics: nobody
/// else would start it again.
fn insist<T, E>(what: &str, stop: &Stop, mut attempt: impl FnMut() -> Result<T, E>) -> Option<T>
where
    anyhow::Error: From<E>,
{
    let mut delay = FIRST_RETRY_DELAY;
    while !stop.is_stopped() {
        let began = Instant::now();
        match catch_unwind(AssertUnwindSafe(&mut attempt)) {
            Ok(Ok(done)) => return Some(done),
            Ok(Err(error)) => tracing::error!("{what}: {:#}", anyhow::Error::from(error)),
            Err(_) => tracing::error!("{what}: a thread has panicked"),
        }
        if began.elapsed() > MAX_RETRY_DELAY {
            delay = FIRST_RETRY_DELAY;
        }
        sleep(delay, stop);
        delay = (delay * 2).min(MAX_RETRY_DELAY);
    }
    None
}

/// Whether a game can be left alone: it waits for the other player, and nothing has happened for a while.
fn is_idle(game: &GameSummary, me: &str, now: Duration) -> bool {
    let updated = Duration::from_millis(u64::try_from(game.updated).unwrap_or_default());
    game.turn != game.side_of(me) && now.saturating_sub(updated) > IDLE_AFTER
}

#[cfg(test)]
mod tests {
    use stoa_client::{PlayerKind, Side, TimeControl};

    use super::*;

    #[test]
    fn only_old_games_that_wait_for_the_other_player_are_idle() {
        let player = |id: &str| Player {
            id: id.to_owned(),
            name: id.to_owned(),
            kind: PlayerKind::Guest,
            rating: None,
        };
        let game = GameSummary {
            id: "game".to_owned(),
            game: "impasse".to_owned(),
            control: TimeControl::Unlimited,
            players: [player("me"), player("other")],
            rated: false,
            rating_changes: None,
            created: 0,
            updated: 1000,
            version: 1,
            ply: 1,
            position: String::new(),
            turn: Some(Side::Second),
            deadline: None,
            result: None,
        };
        let later = IDLE_AFTER + Duration::from_secs(2);
        assert!(is_idle(&game, "me", later));
        assert!(!is_idle(&game, "me", Duration::from_secs(60)), "it has just begun");
        let mine = GameSummary { turn: Some(Side::First), ..game };
        assert!(!is_idle(&mine, "me", later), "the person has moved while the bot was away");
    }

    #[test]
    fn what_fails_is_tried_again_until_it_succeeds_or_is_stopped() {
        let stop = Stop::new();
        let mut attempts = 0;
        let done = insist("a test", &stop, || {
            attempts += 1;
            match attempts {
                1 => Err(anyhow::anyhow!("the server does not answer")),
                2 => panic!("on purpose"),
                _ => Ok(attempts),
            }
        });
        assert_eq!(done, Some(3));
        let stopped = insist("a test", &stop, || {
            attempts += 1;
            stop.stop();
            Err::<(), _>(anyhow::anyhow!("it is stopped"))
        });
        assert_eq!((stopped, attempts), (None, 4));
        let never = insist("a test", &stop, || Ok::<_, anyhow::Error>(()));
        assert_eq!(never, None, "stopped before");
    }

    #[test]
    fn names_stand_for_all_options() {
        let options = |games: &[&str]| BotOptions {
            engine: BotEngine::Program("./engine --game {game}".to_owned()),
            games: games.iter().map(|game| (*game).to_owned()).collect(),
            max_games: 1,
            move_time: Duration::from_secs(1),
            first_thought: Duration::from_secs(1),
            takeover_delay: Duration::ZERO,
            searches: SearchQueue::new(1),
            keeps_engines: true,
            log: |_| {},
        };
        assert!(options(&[]).plays("columna:points"));
        assert!(!options(&[]).plays("chess"));
        assert!(options(&["palisade"]).plays("palisade:9"));
        assert!(options(&["palisade:9"]).plays("palisade:9"));
        assert!(!options(&["palisade:9"]).plays("palisade:7"));
        assert!(!options(&["palisade"]).plays("impasse"));
        let spec = options(&[]).engine.spec("palisade:9".parse().unwrap()).unwrap();
        assert_eq!(spec.to_string(), "ugi:./engine --game palisade:9");
    }
}
