//! What a greedy address does: whatever costs the server most, as often as it is let and more.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde_json::json;
use stoa_client::{Client, Error, ErrorCode, NewChallenge, TimeControl};
use stoa_rules::Game;
use stoa_rules::playout::Rng;
use tokio::task::JoinSet;

use crate::live_game::{PASSWORD, address};
use crate::socket::Socket;

/// Where the greedy address is.
const GREEDY_ADDRESS: &str = "192.0.2.66";
/// How many connections it uses, each of a guest of its own. The server lets it make as many requests at once.
const CONNECTIONS: usize = 100;
/// The numbers of the addresses from which these guests come first: nobody else is there.
const FIRST_ADDRESS: usize = 1 << 20;
/// After so long without a request it is let make the most requests at once.
const BURST_INTERVAL: Duration = Duration::from_secs(5);
/// How many requests each connection then makes: together twice as many as are let.
const BURST: usize = 2;
/// How many sockets it tries to have: twice as many as it is let.
const SOCKETS: usize = 400;
/// When a socket that was closed or refused is tried again.
const RECONNECT_INTERVAL: Duration = Duration::from_secs(1);
/// How many moves a position of a picture is from the start of the game.
const MAX_MOVES: usize = 30;

/// What the greedy address does for a while. With each but the first it saves up what it is let do, and does all of it
/// at once, again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Habit {
    /// Everything in turn, without a pause
    Flood,
    /// Guests, challenges, sign-ins with wrong passwords
    People,
    /// Names, follows, notes: each waits for the disk
    Writes,
    /// Lists, archive, explorer, leaderboards
    Lists,
    /// Pages, and pictures of positions
    Pages,
    /// Sockets that receive all that is sent
    Sockets,
    /// Nothing at all: what is unfair then is wrong with the measurement
    Nothing,
}

impl Habit {
    /// All that do something.
    pub const ALL: [Habit; 6] =
        [Habit::Flood, Habit::People, Habit::Writes, Habit::Lists, Habit::Pages, Habit::Sockets];

    /// What it is, for people.
    pub(super) fn words(self) -> &'static str {
        match self {
            Habit::Flood => "a flood of all",
            Habit::People => "people",
            Habit::Writes => "writes",
            Habit::Lists => "lists",
            Habit::Pages => "pages, pictures",
            Habit::Sockets => "sockets",
            Habit::Nothing => "nothing",
        }
    }

    /// The requests it makes in turn.
    fn requests(self) -> &'static [Request] {
        use Request::*;
        match self {
            Habit::Flood => &Request::ALL,
            Habit::People => &[Guest, Challenge, WrongPassword],
            Habit::Writes => &[Rename, Follow, Note, Unfollow],
            Habit::Lists => &[Games, Challenges, Archive, Explorer, Leaderboard],
            Habit::Pages => &[Page, Picture],
            Habit::Sockets | Habit::Nothing => &[],
        }
    }
}

/// Something that costs a server something.
#[derive(Debug, Clone, Copy)]
enum Request {
    Guest,
    Challenge,
    WrongPassword,
    Rename,
    Follow,
    Unfollow,
    Note,
    Games,
    Challenges,
    Archive,
    Explorer,
    Leaderboard,
    Page,
    Picture,
}

impl Request {
    const ALL: [Request; 14] = {
        use Request::*;
        [
            Guest,
            Rename,
            Games,
            Page,
            Challenge,
            Follow,
            Challenges,
            Picture,
            WrongPassword,
            Unfollow,
            Archive,
            Note,
            Explorer,
            Leaderboard,
        ]
    };
}

/// How much the greedy address asked for, and how much of that was refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// Requests, and sockets that were to be opened.
    pub all: usize,
    /// Those that were too many.
    pub refused: usize,
}

#[derive(Debug, Default)]
struct Counter {
    all: AtomicUsize,
    refused: AtomicUsize,
}

impl Counter {
    fn count(&self, is_refused: bool) {
        self.all.fetch_add(1, Ordering::Relaxed);
        self.refused.fetch_add(usize::from(is_refused), Ordering::Relaxed);
    }

    fn asked(&self) -> Asked {
        let of = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        Asked { all: of(&self.all), refused: of(&self.refused) }
    }
}

/// The guests of the greedy address, each with a connection of their own.
#[derive(Debug)]
pub(super) struct Greedy {
    guests: Vec<Guest>,
    /// Games that others play.
    games: Vec<String>,
}

#[derive(Debug)]
struct Guest {
    client: Client,
    anonymous: Client,
    /// Somebody with an account, who can be followed, and a game to take notes on.
    idol: String,
    game: String,
    rng: Rng,
}

impl Greedy {
    /// Makes the guests. They come one by one from elsewhere, so that nothing of what the address is let do is used up.
    pub(super) fn come(url: &str, games: Vec<String>) -> Result<Greedy> {
        let idol = Client::anonymous(url).forwarded_for(&address(FIRST_ADDRESS + CONNECTIONS));
        let since = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let idol = idol.register(&format!("Idol {since}"), PASSWORD)?.me()?;
        let idol = idol.context("an account is nobody")?.id;
        let mut guests = Vec::new();
        for pair in 0..CONNECTIONS / 2 {
            let [ann, bob] = [2 * pair, 2 * pair + 1].map(|number| -> Result<_, Error> {
                let there = address(FIRST_ADDRESS + number);
                let anonymous = Client::anonymous(url).forwarded_for(&there);
                let client = anonymous.become_guest("Greedy")?;
                Ok((anonymous, client, Rng::for_game(7, number as u64)))
            });
            let (ann, bob) = (ann?, bob?);
            let challenge = ann.1.challenge(&new_challenge())?;
            let game = bob.1.accept(&challenge.id)?;
            for (anonymous, client, rng) in [ann, bob] {
                let (idol, game) = (idol.clone(), game.id.clone());
                guests.push(Guest { client, anonymous, idol, game, rng });
            }
        }
        // What is refused for another reason costs the server little.
        for (guest, request) in guests.iter_mut().zip(Request::ALL) {
            match guest.ask(request) {
                // A program without the web app has no pages.
                Err(Error::Refused { status: 404, .. }) if matches!(request, Request::Page) => {}
                Err(error) if !matches!(request, Request::WrongPassword) => {
                    return Err(error).context(format!("{request:?} does not work"));
                }
                _ => {}
            }
        }
        for Guest { client, anonymous, .. } in &mut guests {
            *client = client.clone().forwarded_for(GREEDY_ADDRESS);
            *anonymous = anonymous.clone().forwarded_for(GREEDY_ADDRESS);
        }
        Ok(Greedy { guests, games })
    }

    /// Has a habit until a moment; `flood` is how many requests a second a flood has.
    pub(super) async fn indulge(
        &mut self,
        habit: Habit,
        flood: u32,
        end: Instant,
    ) -> Result<Asked> {
        let counter = Arc::new(Counter::default());
        if habit == Habit::Sockets {
            self.open_sockets(&counter, end).await;
        } else {
            let (counter, mut guests) = (Arc::clone(&counter), std::mem::take(&mut self.guests));
            let asking = tokio::task::spawn_blocking(move || {
                ask(&mut guests, habit, flood, end, &counter);
                guests
            });
            self.guests = asking.await?;
        }
        tokio::time::sleep_until(end.into()).await;
        Ok(counter.asked())
    }

    /// Opens sockets that ask for everything, and opens those again that the server closes.
    async fn open_sockets(&self, counter: &Arc<Counter>, end: Instant) {
        let mut sockets = JoinSet::new();
        for (number, guest) in (0..SOCKETS).zip(self.guests.iter().cycle()) {
            let (client, games) = (guest.client.clone(), self.games.clone());
            let counter = Arc::clone(counter);
            sockets.spawn(async move {
                tokio::time::sleep(RECONNECT_INTERVAL.mul_f64(number as f64 / SOCKETS as f64))
                    .await;
                loop {
                    let socket = Socket::connect(&client).await;
                    counter.count(socket.is_err());
                    if let Ok(mut socket) = socket {
                        // Until the server closes it.
                        let _ = socket.receive_everything(&games).await;
                    }
                    tokio::time::sleep(RECONNECT_INTERVAL).await;
                }
            });
        }
        tokio::time::sleep_until(end.into()).await;
    }
}

fn new_challenge() -> NewChallenge {
    NewChallenge::new("impasse", TimeControl::Unlimited)
}

/// Asks for too much, on all connections.
fn ask(guests: &mut [Guest], habit: Habit, flood: u32, end: Instant, counter: &Counter) {
    let begun = Instant::now();
    let requests = habit.requests();
    if requests.is_empty() {
        return;
    }
    thread::scope(|scope| {
        for (number, guest) in guests.iter_mut().enumerate() {
            scope.spawn(move || {
                for turn in 0.. {
                    let wait = match habit {
                        Habit::Flood => {
                            let before = (turn * CONNECTIONS + number) as f64;
                            Duration::from_secs_f64(before / f64::from(flood.max(1)))
                        }
                        _ => BURST_INTERVAL.mul_f64((turn / BURST) as f64),
                    };
                    let due = begun + wait;
                    // What is due is asked for, late if the server or this machine is slow: the number of requests
                    // follows from the time alone.
                    if due >= end {
                        return;
                    }
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    let done = guest.ask(requests[(number + turn) % requests.len()]);
                    counter.count(done.is_err_and(|error| is_too_much(&error)));
                }
            });
        }
    });
}

/// Whether the server has refused more of the same.
fn is_too_much(error: &Error) -> bool {
    use ErrorCode::{TooMany, TooManyChallenges, TooManyPeople, Unavailable};
    let is_too_much =
        |code| matches!(code, TooMany | TooManyChallenges | TooManyPeople | Unavailable);
    error.code().is_some_and(is_too_much)
}

impl Guest {
    fn ask(&mut self, request: Request) -> Result<(), Error> {
        let Guest { client, anonymous, idol, game, rng } = self;
        let number = rng.below(1_000_000);
        match request {
            Request::Guest => anonymous.become_guest("Greedy").map(drop),
            Request::Challenge => client.challenge(&new_challenge()).map(drop),
            Request::WrongPassword => {
                let name = format!("nobody {number}");
                let sign_in = json!({ "name": name, "password": "a wrong one" });
                anonymous.send("/api/account/login", &sign_in)
            }
            Request::Rename => {
                client.send("/api/me", &json!({ "name": format!("Greedy {number}") }))
            }
            Request::Follow => client.send(&format!("/api/players/{idol}/follow"), &json!({})),
            Request::Unfollow => client.delete(&format!("/api/players/{idol}/follow")),
            Request::Note => {
                let note = json!({ "note": format!("note {number}"), "notices": true });
                client.send(&format!("/api/games/{game}/mine"), &note)
            }
            Request::Games => client.text("/api/games").map(drop),
            Request::Challenges => client.text("/api/challenges").map(drop),
            Request::Archive => client.text("/api/archive?game=impasse").map(drop),
            Request::Explorer => client.text("/api/explorer?game=impasse").map(drop),
            Request::Leaderboard => {
                client.text("/api/leaderboard?game=impasse&pace=live").map(drop)
            }
            Request::Page => client.text(&format!("/game/{game}")).map(drop),
            Request::Picture => {
                let position = any_position(rng).replace(' ', "_");
                client.bytes(&format!("/pictures/position/impasse.png?p={position}")).map(drop)
            }
        }
    }
}

/// A position of which nobody has asked for a picture before.
fn any_position(rng: &mut Rng) -> String {
    let mut position = Game::Impasse.start();
    for _ in 0..1 + rng.below(MAX_MOVES) {
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let text = moves.swap_remove(rng.below(moves.len()));
        if position.play(&text).is_err() {
            break;
        }
    }
    position.text()
}

/// The number of files and connections that the greedy address needs here.
pub(super) const FILES: usize = CONNECTIONS + SOCKETS;
