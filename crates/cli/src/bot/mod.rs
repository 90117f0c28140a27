//! A program that plays on a server: it accepts challenges and plays with an engine, ours or another.
//!
//! One thread hears what the server tells; each game has a thread of its own that sleeps until it is woken.
//! What a game is about is asked anew whenever something may have happened, so nothing that was missed
//! matters: after a restart, on either side, the bot simply looks what there is to do.
//!
//! | file | what |
//! |---|---|
//! | `gate.rs` | how many think at the same time |
//! | `sitting.rs` | one game, from the first move to the last |
//! | `house.rs` | the levels of our engine, on our own server |

mod gate;
mod house;
mod sitting;

use std::collections::HashMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use stoa_client::{Challenge, Client, Error, GameSummary, Player, ServerMessage};
use stoa_engine::Stop;
use stoa_rules::Game;

pub(crate) use gate::Gate;
pub(crate) use house::open_house;

use crate::players::Spec;
use sitting::Sitting;

/// How long to wait before connecting again, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What a bot is and does.
pub(crate) struct Habits {
    /// Who thinks. In the command of another program `{game}` stands for the game.
    pub(crate) mind: Mind,
    /// What it plays; anything, if empty. A name without options stands for all of them.
    pub(crate) games: Vec<String>,
    /// How many games it plays at the same time.
    pub(crate) most_games: usize,
    /// The longest time for a move.
    pub(crate) move_time: Duration,
    /// How long it leaves games alone that it has not begun itself: another node may be playing them.
    pub(crate) hesitation: Duration,
    /// How many think at the same time.
    pub(crate) gate: Gate,
    /// Who is told what it does.
    pub(crate) tell: fn(&str),
}

/// Who thinks.
#[derive(Debug, Clone)]
pub(crate) enum Mind {
    /// Our own engine.
    Own(Spec),
    /// Another program, by its command line.
    Program(String),
}

impl Mind {
    /// The player for a game.
    pub(crate) fn spec(&self, game: Game) -> Result<Spec> {
        match self {
            Mind::Own(spec) => Ok(spec.clone()),
            Mind::Program(command) => {
                let command = command.replace("{game}", &game.to_string());
                format!("ugi:{command}").parse().map_err(anyhow::Error::msg)
            }
        }
    }
}

impl Habits {
    fn plays(&self, game: &str) -> bool {
        let family = game.split(':').next().unwrap_or(game);
        let fits = |known: &String| known == game || known == family;
        game.parse::<Game>().is_ok() && (self.games.is_empty() || self.games.iter().any(fits))
    }
}

/// A bot on a server.
#[derive(Clone)]
pub(crate) struct Bot {
    client: Client,
    me: Player,
    habits: Arc<Habits>,
    stop: Stop,
    /// Games that have a thread, and how to wake it.
    sittings: Arc<Mutex<HashMap<String, Sender<()>>>>,
}

impl Bot {
    /// Introduces itself to the server.
    pub(crate) fn new(client: Client, habits: Habits, stop: Stop) -> Result<Bot> {
        let me = client.me().context("the server does not answer")?;
        let me = me.context("the server does not know this token")?;
        let sittings = Arc::default();
        Ok(Bot { client, me, habits: Arc::new(habits), stop, sittings })
    }

    pub(crate) fn player(&self) -> &Player {
        &self.me
    }

    /// Plays until it is stopped. Connections that fail are made again.
    pub(crate) fn run(&self) -> Result<()> {
        let mut pause = FIRST_PAUSE;
        while !self.stop.is_stopped() {
            let connected = Instant::now();
            match self.listen() {
                Ok(()) => {}
                Err(error) if error.is_transient() => self.tell(&error.to_string()),
                Err(error) => bail!("{error}"),
            }
            if connected.elapsed() > LONGEST_PAUSE {
                pause = FIRST_PAUSE;
            }
            self.rest(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        Ok(())
    }

    /// Hears what the server tells, until the connection ends.
    fn listen(&self) -> Result<(), Error> {
        let events = self.client.events()?;
        // Connected first, then asked: nothing falls in between.
        for challenge in self.client.challenges()? {
            self.consider(&challenge);
        }
        for game in self.client.games()? {
            self.attend(&game, false);
        }
        for message in events {
            if self.stop.is_stopped() {
                break;
            }
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
        let busy = self.count() >= self.habits.most_games;
        let done = if !self.habits.plays(game) || busy {
            let why = if busy { "too many games" } else { "I do not play that" };
            self.tell(&format!("declines {game} from {}: {why}", creator.name));
            self.client.decline(id).map(|_| ())
        } else {
            self.client.accept(id).map(|view| {
                self.tell(&format!("accepts {game} from {}: game {}", creator.name, view.id));
                self.sit_down(&view.id, true);
            })
        };
        match done {
            // Another node was first, or it was taken back.
            Err(error) if error.code() == Some(stoa_client::ErrorCode::Gone) => {}
            Err(error) => self.tell(&format!("challenge {id}: {error}")),
            Ok(()) => {}
        }
    }

    /// Looks after a game in which something may be to do.
    fn attend(&self, game: &GameSummary, own: bool) {
        if game.side_of(&self.me.id).is_some() {
            self.sit_down(&game.id, own);
        }
    }

    /// Wakes the thread of a game, or starts one. `own` games were begun by this very program.
    fn sit_down(&self, game: &str, own: bool) {
        let mut sittings = self.sittings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = sittings.get(game)
            && thread.send(()).is_ok()
        {
            return;
        }
        let (wake, woken) = channel();
        // At once, for the first time.
        let _ = wake.send(());
        sittings.insert(game.to_owned(), wake);
        let sitting = Sitting::new(self.clone(), game.to_owned(), own, woken);
        thread::spawn(move || sitting.run());
    }

    /// How many games it plays.
    fn count(&self) -> usize {
        self.sittings.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn tell(&self, what: &str) {
        (self.habits.tell)(&format!("{}: {what}", self.me.name));
    }

    /// Waits, but not longer than anyone wants it to.
    fn rest(&self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end && !self.stop.is_stopped() {
            thread::sleep(Duration::from_millis(50).min(end - Instant::now().min(end)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_all_options() {
        let habits = |games: &[&str]| Habits {
            mind: Mind::Program("./engine --game {game}".to_owned()),
            games: games.iter().map(|game| (*game).to_owned()).collect(),
            most_games: 1,
            move_time: Duration::from_secs(1),
            hesitation: Duration::ZERO,
            gate: Gate::new(1),
            tell: |_| {},
        };
        assert!(habits(&[]).plays("columna:points"));
        assert!(!habits(&[]).plays("chess"));
        assert!(habits(&["palisade"]).plays("palisade:9"));
        assert!(habits(&["palisade:9"]).plays("palisade:9"));
        assert!(!habits(&["palisade:9"]).plays("palisade:7"));
        assert!(!habits(&["palisade"]).plays("impasse"));
        let spec = habits(&[]).mind.spec("palisade:9".parse().unwrap()).unwrap();
        assert_eq!(spec.to_string(), "ugi:./engine --game palisade:9");
    }
}
