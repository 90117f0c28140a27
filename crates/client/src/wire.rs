//! What is sent and answered. Times are milliseconds since 1970, spans are milliseconds, pairs are in the
//! order of the seats.

use serde::{Deserialize, Serialize};

/// A player as others see them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Player {
    /// By this the server knows them.
    pub id: String,
    /// By this people do.
    pub name: String,
    /// `guest`, `account` or `bot`.
    pub kind: String,
}

/// One of the two places at the board; `first` moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// Moves first.
    First,
    /// The other.
    Second,
}

impl Seat {
    /// Its place in pairs.
    pub fn index(self) -> usize {
        match self {
            Seat::First => 0,
            Seat::Second => 1,
        }
    }
}

/// How much time each side has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Control {
    /// A clock for each side: seconds at the start, and seconds added after each own move.
    Clock {
        /// Seconds at the start.
        initial: u32,
        /// Seconds for each move.
        increment: u32,
    },
    /// So many days for each move.
    Days {
        /// How many.
        days: u32,
    },
    /// All the time in the world.
    #[default]
    Unlimited,
}

/// What to ask for with a challenge.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Wish<'a> {
    /// The game with its options.
    pub game: &'a str,
    /// Your side: `first`, `second` or `random`.
    pub side: &'a str,
    /// How much time.
    pub control: Control,
    /// Whether the lobby shows it.
    pub listed: bool,
    /// The id of the player it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<&'a str>,
}

impl Default for Wish<'_> {
    fn default() -> Self {
        Wish {
            game: "impasse",
            side: "random",
            control: Control::Unlimited,
            listed: false,
            opponent: None,
        }
    }
}

/// Somebody's wish to play.
#[derive(Debug, Clone, Deserialize)]
pub struct Challenge {
    /// By this the server knows it.
    pub id: String,
    /// The game with its options.
    pub game: String,
    /// How much time.
    pub control: Control,
    /// Whose wish it is.
    pub creator: Player,
    /// Whom it is for, if it is for somebody.
    pub opponent: Option<Player>,
    /// `open`, `accepted`, `declined`, `cancelled` or `expired`.
    pub state: String,
    /// The game that came of it.
    pub game_id: Option<String>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct GameResult {
    /// Who won, if somebody did.
    pub winner: Option<Seat>,
    /// Why: a word such as `path`, `resigned` or `time`.
    pub reason: String,
}

/// What each side has asked the other for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Offers {
    /// Who asks for a draw.
    pub draw: Option<Seat>,
    /// Who wants to take a move back.
    pub takeback: Option<Seat>,
    /// Who wants to play again.
    pub rematch: Option<Seat>,
}

/// Where a game stands.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Situation {
    /// How many events the game has had.
    pub version: i64,
    /// How many moves have been played.
    pub ply: usize,
    /// The position after them.
    pub position: String,
    /// Whose turn it is; nobody's after the end.
    pub turn: Option<Seat>,
    /// What is left on both clocks.
    pub left: Option<[i64; 2]>,
    /// When the side to move runs out of time.
    pub deadline: Option<i64>,
    /// What is being asked for.
    pub offers: Offers,
    /// Missing while the game is being played.
    pub result: Option<GameResult>,
    /// The rematch, once there is one.
    pub next: Option<String>,
    /// The server's time at which this was true.
    pub now: i64,
}

/// A game, whole.
#[derive(Debug, Clone, Deserialize)]
pub struct GameView {
    /// By this the server knows it.
    pub id: String,
    /// The game with its options.
    pub game: String,
    /// How much time.
    pub control: Control,
    /// Who plays.
    pub players: [Player; 2],
    /// The moves so far.
    pub moves: Vec<String>,
    /// Where it stands.
    #[serde(flatten)]
    pub situation: Situation,
}

/// A game in a list.
#[derive(Debug, Clone, Deserialize)]
pub struct GameCard {
    /// By this the server knows it.
    pub id: String,
    /// The game with its options.
    pub game: String,
    /// Who plays.
    pub players: [Player; 2],
    /// How many moves have been played.
    pub ply: usize,
    /// Whose turn it is; nobody's after the end.
    pub turn: Option<Seat>,
    /// Missing while the game is being played.
    pub result: Option<GameResult>,
}

impl GameCard {
    /// The place of a player at this board.
    pub fn seat_of(&self, player: &str) -> Option<Seat> {
        seat_of(&self.players, player)
    }
}

impl GameView {
    /// The place of a player at this board.
    pub fn seat_of(&self, player: &str) -> Option<Seat> {
        seat_of(&self.players, player)
    }
}

fn seat_of(players: &[Player; 2], player: &str) -> Option<Seat> {
    [Seat::First, Seat::Second].into_iter().find(|seat| players[seat.index()].id == player)
}

/// What a player wants to do in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Action {
    /// Play a move.
    Move {
        /// How many moves have been played before it.
        ply: usize,
        /// The move.
        #[serde(rename = "move")]
        text: String,
    },
    /// Give the game up.
    Resign,
    /// Leave a game that has hardly begun.
    Abort,
    /// Ask for a draw, or accept one.
    Draw,
    /// Decline a draw.
    DeclineDraw,
    /// Ask to take a move back, or allow it.
    Takeback,
    /// Decline to let the other side take a move back.
    DeclineTakeback,
    /// Ask to play again, or accept.
    Rematch,
    /// Decline to play again.
    DeclineRematch,
}

/// What an event stream or a socket says. Kinds that are of no interest here are [`Message::Other`].
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum Message {
    /// First: who you are.
    Hello {
        /// Nobody, if you have not said so.
        player: Option<Player>,
    },
    /// A game, whole.
    Game {
        /// The game.
        game: Box<GameView>,
    },
    /// Something happened in a game that is being watched.
    Update {
        /// Which.
        game: String,
        /// Where it stands now.
        situation: Box<Situation>,
    },
    /// Somebody challenges you, or one of your challenges has changed.
    Challenged {
        /// The challenge.
        challenge: Box<Challenge>,
    },
    /// A game of yours has begun, changed, or ended.
    Yours {
        /// The game.
        game: Box<GameCard>,
    },
    /// What you asked for is done.
    Done {
        /// What you called it.
        id: u64,
        /// Where the game stands now, if it was about a game.
        situation: Option<Box<Situation>>,
    },
    /// What you asked for is not done.
    Refused {
        /// What you called it.
        id: u64,
        /// Why, for programs.
        code: String,
        /// Why, for people.
        message: String,
    },
    /// The server is about to stop: connect again in a moment.
    Restart,
    /// Anything else.
    #[serde(other)]
    Other,
}
