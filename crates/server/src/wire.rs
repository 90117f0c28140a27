//! What goes over the wire, in answers and on sockets alike. Times are milliseconds since 1970, UTC;
//! spans of time are milliseconds. Pairs are in the order of the seats: first, second.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::play::{Action, Control, Downtimes, End, Event, Play, Seat};
use crate::store::{ChallengeRow, GameRow, Named, Summary};

/// A player as others see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Player {
    pub(crate) id: String,
    /// Empty if the player has deleted everything.
    pub(crate) name: String,
    /// `guest`, `account` or `bot`.
    pub(crate) kind: String,
}

impl From<Named> for Player {
    fn from(Named { id, name, kind }: Named) -> Player {
        Player { id, name, kind }
    }
}

/// Somebody's wish to play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Challenge {
    pub(crate) id: String,
    /// The game with its options, such as `impasse` or `palisade:9`.
    pub(crate) game: String,
    /// The creator's side: `first`, `second` or `random`.
    pub(crate) side: String,
    pub(crate) control: Control,
    pub(crate) creator: Player,
    /// Whom it is for; anyone who has the link, if it is missing.
    pub(crate) opponent: Option<Player>,
    /// Whether the lobby shows it.
    pub(crate) listed: bool,
    /// `open`, `accepted`, `declined`, `cancelled` or `expired`.
    pub(crate) state: String,
    /// The game that came of it.
    pub(crate) game_id: Option<String>,
    pub(crate) created: i64,
    pub(crate) expires: i64,
}

impl Challenge {
    pub(crate) fn new(row: ChallengeRow, now: i64) -> Challenge {
        let expired = row.state == "open" && row.expires <= now;
        Challenge {
            id: row.id,
            game: row.game,
            side: row.side,
            control: row.control,
            creator: row.creator.into(),
            opponent: row.opponent.map(Player::from),
            listed: row.listed,
            state: if expired { "expired".to_owned() } else { row.state },
            game_id: row.game_id,
            created: row.created,
            expires: row.expires,
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct GameResult {
    /// Nobody, if it is a draw or was aborted.
    pub(crate) winner: Option<Seat>,
    /// A word such as `path`, `resigned`, `time` or `agreed`; `aborted` if it does not count.
    pub(crate) reason: String,
}

/// What each side has asked the other for and is waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Offers {
    pub(crate) draw: Option<Seat>,
    pub(crate) takeback: Option<Seat>,
    pub(crate) rematch: Option<Seat>,
}

/// Where a game stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Situation {
    /// How many events the game has had; each update counts one up.
    pub(crate) version: i64,
    /// How many moves have been played.
    pub(crate) ply: usize,
    /// The position after them.
    pub(crate) position: String,
    /// Whose turn it is; nobody's after the end.
    pub(crate) turn: Option<Seat>,
    /// What was left on both clocks at `now`; missing where time is not limited.
    pub(crate) left: Option<[i64; 2]>,
    /// Whose clock is running.
    pub(crate) running: Option<Seat>,
    /// When the side to move runs out of time.
    pub(crate) deadline: Option<i64>,
    pub(crate) offers: Offers,
    /// Missing while the game is being played.
    pub(crate) result: Option<GameResult>,
    /// The rematch, once there is one.
    pub(crate) next: Option<String>,
    /// The server's time at which this was true.
    pub(crate) now: i64,
}

impl Situation {
    pub(crate) fn of(play: &Play, now: i64, downtimes: &Downtimes) -> Situation {
        Situation {
            version: play.version,
            ply: play.ply(),
            position: play.position().text(),
            turn: play.turn(),
            left: play.left(now, downtimes),
            running: play.running(),
            deadline: play.deadline(downtimes),
            offers: Offers {
                draw: play.offers.draw,
                takeback: play.offers.takeback,
                rematch: play.offers.rematch,
            },
            result: play.end.map(|end| match end {
                End::Over(outcome) => GameResult {
                    winner: outcome.winner.map(Seat::from),
                    reason: outcome.reason.word().to_owned(),
                },
                End::Aborted => GameResult { winner: None, reason: "aborted".to_owned() },
            }),
            next: play.next.clone(),
            now,
        }
    }

    /// The same for lists of games.
    pub(crate) fn summary(&self) -> Summary {
        let status = match &self.result {
            None => "playing",
            Some(result) if result.reason == "aborted" => "aborted",
            Some(_) => "over",
        };
        Summary {
            ply: i64::try_from(self.ply).unwrap_or(i64::MAX),
            position: self.position.clone(),
            status: status.to_owned(),
            turn: self.turn,
            winner: self.result.as_ref().and_then(|result| result.winner),
            reason: self.result.as_ref().map(|result| result.reason.clone()),
            deadline: self.deadline,
        }
    }
}

/// A game, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct GameView {
    pub(crate) id: String,
    /// The game with its options.
    pub(crate) game: String,
    pub(crate) control: Control,
    pub(crate) players: [Player; 2],
    pub(crate) created: i64,
    /// The game this is the rematch of.
    pub(crate) previous: Option<String>,
    pub(crate) moves: Vec<String>,
    #[serde(flatten)]
    pub(crate) situation: Situation,
    /// How many people watch who do not play.
    pub(crate) viewers: usize,
    /// Whether each player listens to the game just now. Bots need not, to play.
    pub(crate) present: [bool; 2],
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct GameCard {
    pub(crate) id: String,
    /// The game with its options.
    pub(crate) game: String,
    pub(crate) control: Control,
    pub(crate) players: [Player; 2],
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) version: i64,
    pub(crate) ply: i64,
    pub(crate) position: String,
    /// Whose turn it is; nobody's after the end.
    pub(crate) turn: Option<Seat>,
    /// When the side to move runs out of time.
    pub(crate) deadline: Option<i64>,
    /// Missing while the game is being played.
    pub(crate) result: Option<GameResult>,
}

impl From<GameRow> for GameCard {
    fn from(row: GameRow) -> GameCard {
        let [first, second] = row.players;
        let Summary { ply, position, turn, winner, reason, deadline, .. } = row.summary;
        GameCard {
            id: row.id,
            game: row.game,
            control: row.control,
            players: [first.into(), second.into()],
            created: row.created,
            updated: row.updated,
            version: row.version,
            ply,
            position,
            turn,
            deadline,
            result: reason.map(|reason| GameResult { winner, reason }),
        }
    }
}

/// What the server says on a socket or an event stream. Every message has its kind in `t`.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub(crate) enum Message {
    /// First on every connection: who you are, and the server's time.
    Hello { player: Option<Player>, now: i64 },
    /// A game, whole: after `watch`, and whenever updates may have been missed.
    Game { game: Box<GameView> },
    /// Something happened in a game that is being watched. If `situation.version` is not one more than
    /// the last one known, ask for the game again with `watch`.
    Update { game: String, event: Event, at: i64, situation: Situation },
    /// Who is at a game: how many watch, and whether each player listens to it just now.
    Viewers { game: String, viewers: usize, present: [bool; 2] },
    /// The open challenges of the lobby: after `lobby`.
    Lobby { challenges: Vec<Challenge> },
    /// A challenge that has come to the lobby or has left it (then its `state` is not `open`).
    Challenge { challenge: Challenge },
    /// To a player: somebody challenges you, or one of your challenges has changed.
    Challenged { challenge: Challenge },
    /// To a player: a game of yours has begun, changed, or ended; `turn` tells whether you are to move.
    Yours { game: Box<GameCard>, event: Option<Event> },
    /// What you asked for with this `id` is done; the game is in this state.
    Done { id: u64, situation: Option<Box<Situation>> },
    /// What you asked for with this `id` is not done.
    Refused { id: u64, code: String, message: String },
    /// The answer to `ping`.
    Pong { id: u64, now: i64 },
    /// The server is about to stop: connect again in a moment, perhaps to another.
    Restart,
}

/// What a client says on a socket. Where there is an `id`, the answer has it too.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    /// Tell me about this game from now on.
    Watch { id: u64, game: String },
    /// No longer.
    Unwatch { id: u64, game: String },
    /// Tell me about the lobby, or no longer.
    Lobby { id: u64, on: bool },
    /// Do this in a game of mine.
    Act { id: u64, game: String, action: Action },
    /// Are you there?
    Ping { id: u64 },
}
