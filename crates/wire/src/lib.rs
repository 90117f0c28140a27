//! The types of Stoa's HTTP and WebSocket API: what requests, responses, event streams and sockets
//! carry as JSON. The server and its clients share them, and with the feature `schema` they are the
//! schemas of the OpenAPI document.
//!
//! ```
//! use stoa_wire::{Action, ClientMessage};
//!
//! let action = Action::Move { ply: 0, text: "d2-b4".to_owned() };
//! let message = ClientMessage::Act { id: 1, game: "q7tw3mz5kd".to_owned(), action };
//! assert_eq!(
//!     serde_json::to_string(&message).unwrap(),
//!     r#"{"t":"act","id":1,"game":"q7tw3mz5kd","action":{"kind":"move","ply":0,"move":"d2-b4"}}"#
//! );
//! ```
//!
//! Times are milliseconds since 1970 (UTC), spans of time are milliseconds. Pairs are in the order of
//! the sides: first, second. Requests refuse unknown fields; clients must ignore fields that they do not
//! know.
//!
//! | module | what |
//! |---|---|
//! | `player` | players and bots |
//! | `account` | sign-in, passwords, tokens |
//! | `passkey` | passkeys, signed-in devices |
//! | `challenge` | challenges and the lobby |
//! | `rating` | ratings, leaderboards, profiles |
//! | `archive` | games being played and finished ones in lists, the opening explorer |
//! | `correspondence` | correspondence games: conditional moves, notes, vacations |
//! | `game` | games, actions, events, results |
//! | `review` | computer reviews, and what their workers do |
//! | `socket` | messages of the WebSocket and of event streams |
//! | `talk` | messages in games, reports |
//! | `mail` | addresses for mail, which mail is sent, forgotten passwords |
//! | `puzzle` | puzzles that people have solved |
//! | `push` | Web Push subscriptions and notifications |
//! | `error` | error codes |
//! | `variants` | actions and time controls, read strictly |
//! | `schema` | OpenAPI schemas of types that `stoa-rules` defines (feature `schema`) |

mod account;
mod archive;
mod challenge;
mod correspondence;
mod error;
mod game;
mod mail;
mod passkey;
mod player;
mod push;
mod puzzle;
mod rating;
mod review;
#[cfg(feature = "schema")]
mod schema;
mod socket;
mod talk;
mod variants;

use std::fmt;

use serde::Serialize;

pub use account::{NewToken, Password, PasswordChange, SignIn, Token, TokenLabel, TokenList};
pub use archive::{
    ArchivePage, ArchivedGame, BoardUpdate, Explored, ExploredMove, ExplorerScope, LiveGame,
    LiveGames, ResultFilter,
};
pub use challenge::{Challenge, ChallengeList, ChallengeSide, ChallengeState, NewChallenge};
pub use correspondence::{
    ConditionalMoves, DropReason, NewConditionalMoves, NewVacation, OwnGame, Vacation,
};
pub use error::{ApiError, ErrorCode};
pub use game::{
    Action, Audience, EndReason, GameEvent, GameFilter, GameList, GameResult, GameStatus,
    GameSummary, GameView, Offers, Situation, TimeControl,
};
pub use mail::{
    ConfirmedAddress, ForgottenPassword, MailChoice, MailNotices, MailToken, NewMailAddress,
    PasswordReset,
};
pub use passkey::{
    NewPasskey, Passkey, PasskeyChallenge, PasskeyLabel, PasskeyList, PasskeyOrder,
    PasskeyPermission, PasskeySignIn, Session, SessionList,
};
pub use player::{BotList, Identity, Player, PlayerKind, PlayerName};
pub use push::{PushEndpoint, PushKeys, PushNotification, PushSubscription, VapidKey};
pub use puzzle::{NewSolvedPuzzle, NewSolvedPuzzles, PuzzleScore, SolvedPuzzle, SolvedPuzzles};
pub use rating::{
    Acquaintance, AcquaintanceList, Contestants, Leaderboard, LeaderboardEntry, Pace, PlayerRating,
    Privacy, Profile, RatedGame, RatedGameList, Rating, RatingChange, RatingHistory, RatingPoint,
    Results, ResultsAgainst, ResultsInGame, Score,
};
pub use review::{
    ClassCounts, Finding, GameReview, JudgedPosition, MoveClass, ProvenResult, Review,
    ReviewFailure, ReviewJob, ReviewOrder, ReviewProgress, ReviewResult, ReviewState, ReviewedMove,
    ReviewedPlayer, ReviewedScore, ReviewedValue,
};
pub use socket::{ClientMessage, ServerMessage};
pub use stoa_rules::{Reason, Side};
pub use talk::{NewReport, NewTalk, Phrase, Talk, TalkMessage, TalkRoom};

/// The header in which the server passes the network of a game's opponent, under a pseudonym, to its own engine
/// and to nobody else. In IPv6 the names of the wider networks around it come first, each before a dot.
pub const NETWORK_HEADER: &str = "stoa-network";

/// Displays an enum as the word that stands for it in JSON.
fn write_word(word: &impl Serialize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    word.serialize(f)
}

macro_rules! display_as_word {
    ($($type:ty),+) => {$(
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::write_word(self, f)
            }
        }
    )+};
}

use display_as_word;
