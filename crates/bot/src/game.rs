//! One game of a bot, from the first move to the last.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use stoa_client::{Action, Error, ErrorCode, GameView, Side, TimeControl};
use stoa_engine::matches::{Player, Thinking};
use stoa_engine::{Clock, Limits};
use stoa_rules::{AnyPosition, Game};
use stoa_ugi::players;

use crate::Bot;
use crate::queue::Request;

/// A game is asked for after so long even without an event, in case one was lost; the longer nothing happens,
/// the more rarely, up to this many doublings.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
const MAX_DOUBLINGS: u32 = 5;
/// After this many polls without an event the engine is dropped: some games go on for weeks.
const IDLE_POLLS: u32 = 2;
/// After this many the game is left alone: about [`IDLE_AFTER`].
const LAST_POLL: u32 = 6;
/// A game in which nothing happens for so long takes up no thread and no place; the next event of it does. The server
/// counts a game against its own engine for longer than that, so the engine has a place whenever the server says so.
pub(super) const IDLE_AFTER: Duration = Duration::from_secs(30 * 60);
/// What is kept on a clock for the way to the server and back.
const NETWORK_RESERVE: Duration = Duration::from_millis(200);
/// After waiting this long for a permit to search, the clocks are read again.
const STALE_AFTER: Duration = Duration::from_millis(100);
/// A search waits for its turn for no longer than this part of the time that is left.
const WAITING_PART: u32 = 20;
/// How long a thought may take for which there is no time.
const HURRIED_THOUGHT: Duration = Duration::from_millis(50);
/// How often a game that leaves room for another node to move looks if another game needs its thread.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);
/// How often something is tried that fails without a known reason.
const MAX_ATTEMPTS: u32 = 5;

/// One game of a bot.
pub(super) struct GameThread {
    bot: Bot,
    game: String,
    /// Whether this program began it or has moved in it; then nobody else plays it.
    own: bool,
    /// When the time of the side to move runs out, by the server's clock.
    deadline: Option<i64>,
    woken: Receiver<()>,
    /// The network of the opponent, if the server sends it.
    network: Option<String>,
    player: Option<Box<dyn Player>>,
    /// How long to wait for an event after so many polls without one.
    time_to_poll: fn(u32) -> Duration,
}

/// What the thread does after a check of the game.
enum Next {
    Wait,
    /// It is over, and there is nothing more to do.
    Leave,
    /// Another game has the thread now.
    MadeRoom,
}

impl GameThread {
    pub(super) fn new(
        bot: Bot,
        game: String,
        own: bool,
        deadline: Option<i64>,
        woken: Receiver<()>,
    ) -> GameThread {
        GameThread { bot, game, own, deadline, woken, network: None, player: None, time_to_poll }
    }

    /// Plays until the game is over or the bot is stopped.
    pub(super) fn run(mut self) {
        yield_to_others();
        let mut quiet = 0;
        let mut failures = 0;
        loop {
            match self.woken.recv_timeout((self.time_to_poll)(quiet)) {
                Ok(()) => {
                    // One check is enough for all that has happened meanwhile.
                    while self.woken.try_recv().is_ok() {}
                    quiet = 0;
                }
                Err(RecvTimeoutError::Timeout) => quiet += 1,
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.bot.stop.is_stopped() {
                break;
            }
            if quiet == IDLE_POLLS {
                self.player = None;
            }
            match self.check() {
                Ok(Next::MadeRoom) => return,
                Ok(Next::Wait) if quiet < LAST_POLL && !self.bot.is_crowded() => failures = 0,
                Ok(Next::Wait | Next::Leave) => {
                    let mut games = self.bot.games();
                    // Nothing can wake this thread from now on; was it woken since the check?
                    if self.woken.try_recv().is_err() {
                        self.bot.end_thread(&mut games, &self.game);
                        return;
                    }
                    drop(games);
                    self.bot.wake(&self.game, self.own, self.deadline);
                }
                Err(error) => {
                    failures += 1;
                    self.bot.log(&format!("game {}: {error:#}", self.game));
                    self.player = None;
                    if failures == MAX_ATTEMPTS {
                        self.give_up();
                        break;
                    }
                    self.bot.sleep(Duration::from_secs(1 << failures));
                    self.bot.wake(&self.game, self.own, self.deadline);
                }
            }
        }
        self.bot.end_thread(&mut self.bot.games(), &self.game);
    }

    /// Asks for the game and does what there is to do.
    fn check(&mut self) -> Result<Next> {
        let (view, network) = self.retry(|bot, game| bot.client.game_and_network(game))?;
        self.network = network;
        self.deadline = view.situation.deadline;
        let Some(seat) = view.side_of(&self.bot.me.id) else { return Ok(Next::Leave) };
        if view.situation.result.is_some() {
            return self.after_the_end(&view, seat);
        }
        let offers = &view.situation.offers;
        if offers.takeback.is_some_and(|by| by != seat) {
            self.act(&Action::Takeback)?;
            return Ok(Next::Wait);
        }
        if view.situation.turn != Some(seat) {
            if offers.draw.is_some_and(|by| by != seat) {
                self.act(&Action::DeclineDraw)?;
            }
            return Ok(Next::Wait);
        }
        if !self.own && !self.bot.options.takeover_delay.is_zero() {
            if self.makes_room_within(self.bot.options.takeover_delay) {
                return Ok(Next::MadeRoom);
            }
            let now = self.retry(|bot, game| bot.client.game(game))?;
            if now.situation.version != view.situation.version {
                // Another node plays it.
                return Ok(Next::Wait);
            }
        }
        self.play_move(view, seat)
    }

    /// Waits for a while, unless another game gets the thread meanwhile.
    fn makes_room_within(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while Instant::now() < end && !self.bot.stop.is_stopped() {
            if self.makes_room() {
                return true;
            }
            self.bot.sleep(LOOK_INTERVAL.min(end.saturating_duration_since(Instant::now())));
        }
        false
    }

    fn makes_room(&self) -> bool {
        self.bot.makes_room(&self.game, self.own, self.deadline)
    }

    fn play_move(&mut self, mut view: GameView, seat: Side) -> Result<Next> {
        let asked = Instant::now();
        let request = self.request(&view, seat, asked);
        let searches = &self.bot.options.searches;
        let Some(permit) = searches.acquire(request, || self.makes_room()) else {
            return Ok(Next::MadeRoom);
        };
        if asked.elapsed() > STALE_AFTER {
            view = self.retry(|bot, game| bot.client.game(game))?;
            if view.situation.turn != Some(seat) {
                return Ok(Next::Wait);
            }
        }
        let (start, position) = replayed(&view)?;
        let max_time = match permit.is_hurried() {
            true => HURRIED_THOUGHT,
            false => self.bot.options.move_time,
        };
        let thinking = thinking(&view, seat, max_time);
        let player = match &mut self.player {
            Some(player) => player,
            None => {
                let game: Game = start.game();
                let spec = self.bot.options.engine.spec(game)?;
                let mut player = players::start(&spec, game, &self.bot.stop)?;
                // The same for the whole game, however often the engine is started.
                let seed = u64::try_from(view.created).unwrap_or_default();
                player.new_game(seed).map_err(anyhow::Error::from)?;
                self.player.insert(player)
            }
        };
        let began = Instant::now();
        let choice = player.choose(&start, &view.moves, &position, &thinking)?;
        let thought = began.elapsed();
        if !permit.is_hurried() {
            self.bot.has_thought(thought);
        }
        if !self.bot.options.keeps_engines {
            self.player = None;
        }
        drop(permit);
        let seconds = thought.as_secs_f64();
        let (ply, text) = (view.situation.ply, choice.text);
        self.bot.log(&format!("game {}: move {}, {text} ({seconds:.1} s)", self.game, ply + 1));
        self.act(&Action::Move { ply, text })?;
        self.own = true;
        Ok(Next::Wait)
    }

    /// Who wants to search, and until when they can wait.
    fn request(&self, view: &GameView, seat: Side, now: Instant) -> Request {
        let person = view.players[1 - seat.index()].id.clone();
        let network = self.network.clone().unwrap_or_else(|| person.clone());
        let left = view.situation.deadline.map(|deadline| deadline - view.situation.now);
        let left = left.map(|left| Duration::from_millis(u64::try_from(left).unwrap_or(0)));
        let latest = left.and_then(|left| now.checked_add(left / WAITING_PART));
        Request { network, person, cost: self.bot.expected_thought(), latest }
    }

    /// Plays again if it is asked to.
    fn after_the_end(&self, view: &GameView, seat: Side) -> Result<Next> {
        let asked = view.situation.offers.rematch.is_some_and(|by| by != seat);
        if asked && view.situation.next.is_none() {
            // This game is still counted, but it is over.
            let busy = self.bot.count() > self.bot.options.max_games;
            if busy || self.is_refused_rematch()? {
                self.act(&Action::DeclineRematch)?;
            }
        } else if self.player.is_some() {
            let reason = view.situation.result.as_ref().map_or("", |result| result.reason.word());
            self.bot.log(&format!("game {} is over ({reason})", self.game));
        }
        Ok(Next::Leave)
    }

    /// Accepts a rematch; true if the server lets the two of them play no other game now.
    fn is_refused_rematch(&self) -> Result<bool> {
        let done = self.act(&Action::Rematch);
        let why = done.as_ref().err().and_then(|error| error.downcast_ref::<Error>());
        match why {
            Some(Error::Refused {
                code: Some(ErrorCode::EngineBusy | ErrorCode::Blocked), ..
            }) => Ok(true),
            _ => done.map(|()| false),
        }
    }

    /// Does something in the game. If it is no longer possible, the next check shows why.
    fn act(&self, action: &Action) -> Result<()> {
        match self.retry(|bot, game| bot.client.act(game, action)) {
            Err(Error::Refused { status: 409, code, .. })
                if code != Some(ErrorCode::IllegalMove) =>
            {
                Ok(())
            }
            done => done.map(|_| ()).with_context(|| format!("{action:?} failed")),
        }
    }

    /// The engine cannot go on: the opponent is not left waiting.
    fn give_up(&self) {
        self.bot.log(&format!("game {}: gives up", self.game));
        for action in [Action::Abort, Action::Resign] {
            if self.retry(|bot, game| bot.client.act(game, &action)).is_ok() {
                return;
            }
        }
    }

    /// Asks again after errors that may pass.
    fn retry<T>(&self, ask: impl Fn(&Bot, &str) -> Result<T, Error>) -> Result<T, Error> {
        let mut pause = Duration::from_millis(200);
        loop {
            match ask(&self.bot, &self.game) {
                // The engine is busy for as long as people play with it.
                Err(error @ Error::Refused { code: Some(ErrorCode::EngineBusy), .. }) => {
                    return Err(error);
                }
                Err(error) if error.is_transient() && !self.bot.stop.is_stopped() => {
                    self.bot.sleep(error.retry_after().unwrap_or(pause));
                    pause = (pause * 2).min(crate::MAX_RETRY_DELAY);
                }
                answered => return answered,
            }
        }
    }
}

/// How long to wait for an event after this many polls without one.
fn time_to_poll(quiet: u32) -> Duration {
    POLL_INTERVAL * (1 << quiet.min(MAX_DOUBLINGS))
}

/// Lets everything else on the machine go first, above all the server: searches of this thread, and of
/// threads that it starts, get what is left.
fn yield_to_others() {
    lower_priority(10);
}

/// Lets the threads of the machine that have a better priority go first: 19 is the lowest.
pub(crate) fn lower_priority(niceness: i32) {
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
    #[cfg(target_os = "linux")]
    {
        let thread = Some(rustix::thread::gettid());
        // A program that was started with an even lower priority keeps it.
        if rustix::process::getpriority_process(thread).is_ok_and(|now| now < niceness) {
            // Without the right to do so, everything works as before.
            let _ = rustix::process::setpriority_process(thread, niceness);
        }
    }
}

/// The first and the present position of a game.
fn replayed(view: &GameView) -> Result<(AnyPosition, AnyPosition)> {
    let game: Game = view.game.parse().with_context(|| format!("no game {}", view.game))?;
    let start = game.start();
    let mut position = start.clone();
    for text in &view.moves {
        position.play(text).with_context(|| format!("{text} is not legal here"))?;
    }
    Ok((start, position))
}

/// What the engine may use for a move.
fn thinking(view: &GameView, seat: Side, max_time: Duration) -> Thinking {
    let TimeControl::Clock { increment, .. } = view.control else {
        return Thinking { limits: Limits::time(max_time), opponent: None };
    };
    let increment = Duration::from_secs(increment.into());
    let clock = |index: usize| {
        let left = view.situation.left.map_or(0, |left| left[index]);
        let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        Clock { left: left.saturating_sub(NETWORK_RESERVE).max(left / 4), increment }
    };
    let own = clock(seat.index());
    Thinking {
        limits: Limits { clock: Some(own), ..Limits::time(max_time) },
        opponent: Some(clock(1 - seat.index())),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::sync::mpsc::channel;
    use std::thread;

    use stoa_client::Client;
    use stoa_engine::Stop;

    use super::*;
    use crate::{BotEngine, BotOptions, SearchQueue};

    pub(crate) const ME: &str = r#"{"player":{"id":"me","name":"me","kind":"bot"},"login":null}"#;
    /// Until when there is time in games with a time limit: that is more than enough.
    const DEADLINE: i64 = 1_000_000_000;

    /// A game that waits for the other player, or, if its id says so, for the bot; another id stands for a time limit.
    fn game(request: &str) -> String {
        let turn = if request.contains("/mine") { "first" } else { "second" };
        let deadline =
            if request.contains("timed") { DEADLINE.to_string() } else { "null".to_owned() };
        format!(
            r#"{{"id":"game","game":"impasse","control":{{"kind":"unlimited"}},"players":[
            {{"id":"me","name":"me","kind":"bot"}},{{"id":"other","name":"other","kind":"guest"}}],
            "rated":false,"created":0,"previous":null,"moves":["d2-b4"],"version":1,"ply":1,"position":"",
            "turn":"{turn}","left":null,"running":null,"deadline":{deadline},"offers":
            {{"draw":null,"takeback":null,"rematch":null}},"result":null,"next":null,"now":0,
            "vacations":[null,null],"viewers":0,"present":[true,false]}}"#
        )
    }

    /// A server that answers the first lines of requests with a status and a body.
    pub(crate) fn serve(mut answer: impl FnMut(&str) -> (u16, String) + Send + 'static) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = Vec::new();
                let mut byte = [0];
                while !request.ends_with(b"\r\n\r\n") {
                    if stream.read(&mut byte).unwrap() == 0 {
                        break;
                    }
                    request.push(byte[0]);
                }
                let request = String::from_utf8(request).unwrap();
                let (status, body) = answer(request.lines().next().unwrap_or_default());
                let length = body.len();
                let head = "Content-Type: application/json\r\nConnection: close";
                let head = format!("HTTP/1.1 {status} X\r\n{head}\r\nContent-Length: {length}");
                write!(stream, "{head}\r\n\r\n{body}").unwrap();
            }
        });
        format!("http://{address}")
    }

    /// A server that knows the bot and its games.
    fn serve_games() -> String {
        serve(|request| match request.starts_with("GET /api/me ") {
            true => (200, ME.to_owned()),
            false => (200, game(request)),
        })
    }

    fn bot() -> Bot {
        bot_that_takes_over_after(Duration::ZERO)
    }

    fn bot_that_takes_over_after(takeover_delay: Duration) -> Bot {
        let options = BotOptions {
            engine: BotEngine::Program("none".to_owned()),
            games: Vec::new(),
            max_games: 1,
            move_time: Duration::from_secs(1),
            first_thought: Duration::from_secs(1),
            takeover_delay,
            searches: SearchQueue::new(1),
            keeps_engines: false,
            log: |_| {},
        };
        let client = Client::with_token(&serve_games(), "token");
        Bot::new(client, options, Stop::new()).unwrap()
    }

    #[test]
    fn many_games_that_are_woken_at_once_share_a_few_threads() {
        let mut bot = bot();
        bot.max_threads = 2;
        for game in 0..20 {
            bot.wake(&format!("game{game}"), false, None);
            assert!(bot.games().threads.len() <= 2);
        }
        // All wait for the other player, so each makes room for the next, and the last ones stay.
        let began = Instant::now();
        while bot.is_crowded() {
            assert!(began.elapsed() < Duration::from_secs(60), "{} games", bot.count());
            assert!(bot.games().threads.len() <= 2);
            thread::sleep(Duration::from_millis(5));
        }
        bot.wake("game0", false, None);
        assert!(bot.games().threads.len() <= 2);
    }

    /// Which games have a thread, once this many searches wait.
    fn threads(bot: &Bot, searches: usize) -> Vec<String> {
        let began = Instant::now();
        while bot.options.searches.waiting() != searches {
            assert!(began.elapsed() < Duration::from_secs(60), "{searches} searches");
            thread::sleep(Duration::from_millis(5));
        }
        let mut games: Vec<String> = bot.games().threads.keys().cloned().collect();
        games.sort();
        games
    }

    #[test]
    fn games_with_a_time_limit_do_not_wait_for_a_thread_behind_others() {
        let mut bot = bot();
        bot.max_threads = 2;
        let opponent = Request {
            network: "n".to_owned(),
            person: "p".to_owned(),
            cost: IDLE_AFTER,
            latest: None,
        };
        let _thinking = bot.options.searches.acquire(opponent, || false).unwrap();
        for game in ["mine1", "mine2", "mine3"] {
            bot.wake(game, false, None);
        }
        assert_eq!(threads(&bot, 2), ["mine1", "mine2"]);
        bot.wake("mine-timed1", false, Some(DEADLINE));
        bot.wake("mine-timed2", false, Some(DEADLINE));
        let began = Instant::now();
        while threads(&bot, 2) != ["mine-timed1", "mine-timed2"] {
            assert!(began.elapsed() < Duration::from_secs(60), "{:?}", threads(&bot, 2));
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(bot.count(), 5, "the others go on waiting");
        // Nobody makes room for whoever has more time.
        bot.wake("mine-timed3", false, Some(DEADLINE));
        assert!(!bot.makes_room("mine-timed1", false, Some(DEADLINE)));
        assert!(bot.makes_room("mine-timed1", false, Some(DEADLINE + 1)));
        bot.stop.stop();
    }

    #[test]
    fn a_game_that_another_node_may_be_playing_makes_room_too() {
        let mut bot = bot_that_takes_over_after(Duration::from_secs(3600));
        bot.max_threads = 1;
        bot.wake("mine", false, None);
        bot.wake("mine-timed", true, Some(DEADLINE));
        let began = Instant::now();
        while !bot.games().threads.contains_key("mine-timed") {
            assert!(began.elapsed() < Duration::from_secs(60), "it waits for a thread");
            thread::sleep(Duration::from_millis(5));
        }
        bot.stop.stop();
    }

    #[test]
    fn a_game_in_which_nothing_happens_is_left_alone_until_something_does() {
        let bot = bot();
        let (wake, woken) = channel();
        bot.games().threads.insert("game".to_owned(), wake);
        assert_eq!(bot.count(), 1);
        let mut thread = GameThread::new(bot.clone(), "game".to_owned(), true, None, woken);
        thread.time_to_poll = |_| Duration::from_millis(1);
        let (ended, is_ended) = channel();
        thread::spawn(move || {
            thread.run();
            ended.send(()).unwrap();
        });
        is_ended.recv_timeout(Duration::from_secs(20)).expect("the thread ends");
        assert_eq!(bot.count(), 0, "there is a place for another game");
        bot.wake("game", false, None);
        assert_eq!(bot.count(), 1);
    }

    #[test]
    fn that_takes_half_an_hour() {
        let waited: Duration = (0..LAST_POLL).map(time_to_poll).sum();
        assert!(
            (IDLE_AFTER..IDLE_AFTER + Duration::from_secs(300)).contains(&waited),
            "{waited:?}"
        );
    }
}
