//! Messages of the WebSocket and of event streams. Every message has its kind in `t`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{
    Action, Audience, BoardUpdate, Challenge, ConditionalMoves, ErrorCode, GameEvent, GameSummary,
    GameView, Player, RatingChange, Situation, TalkMessage, TimeControl,
};

/// A message from the server, on a socket or an event stream. Ignore kinds that you do not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The first message of a connection: who you are, and the server's time.
    Hello {
        /// Null if the connection has no valid cookie or token.
        #[cfg_attr(feature = "schema", schema(required))]
        player: Option<Player>,
        /// The server's time.
        now: i64,
    },
    /// A whole game: after `watch`, and whenever updates may have been missed.
    Game {
        /// The game.
        game: Box<GameView>,
    },
    /// Something happened in a game that you watch. If `situation.version` is not one more than the
    /// last version you know, send `watch` again to get the whole game.
    Update {
        /// The id of the game.
        game: String,
        /// What happened.
        event: GameEvent,
        /// When it happened.
        at: i64,
        /// The game after it.
        situation: Situation,
    },
    /// The viewers of a game that you watch have changed.
    Viewers {
        /// The id of the game.
        game: String,
        /// The connections to it now.
        #[serde(flatten)]
        audience: Audience,
    },
    /// A rated game that you watch has counted, a moment after its end.
    Rated {
        /// The id of the game.
        game: String,
        /// What it did to the ratings of both players.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        changes: [RatingChange; 2],
    },
    /// In a game that you watch a player has gone on vacation or has come back, and the clocks have changed.
    Clocks {
        /// The id of the game.
        game: String,
        /// Until when each player is on vacation.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        vacations: [Option<i64>; 2],
        /// The game as it stands, at a version that you know or that is about to come.
        situation: Situation,
    },
    /// The open challenges of the lobby: after `lobby`.
    Lobby {
        /// The challenges, newest first.
        challenges: Vec<Challenge>,
    },
    /// A challenge in the lobby is new, or can no longer be accepted (then its `state` is not `open`).
    Challenge {
        /// The challenge.
        challenge: Challenge,
    },
    /// You are challenged, or one of your challenges has changed.
    Challenged {
        /// The challenge.
        challenge: Challenge,
    },
    /// One of your games has begun, changed or ended; `turn` says whether you are to move.
    Yours {
        /// The game.
        game: Box<GameSummary>,
        /// What happened; null if the game has just begun.
        #[cfg_attr(feature = "schema", schema(required))]
        event: Option<GameEvent>,
    },
    /// Your conditional moves in a game have changed: you have set them, the server has played one of them, or
    /// they were dropped.
    Conditional {
        /// The id of the game.
        game: String,
        /// The conditional moves that are left.
        #[serde(flatten)]
        moves: ConditionalMoves,
    },
    /// There is a new message in a game: from the other player in a game of yours, or, in a game that you watch
    /// on a socket, from another viewer.
    Said {
        /// The id of the game.
        game: String,
        /// The message.
        message: TalkMessage,
    },
    /// Games of `GET /api/games/live` have changed: after `boards`, at most once a second. Changes that do not
    /// fit into a message come in the next.
    Boards {
        /// The games that have changed.
        boards: Vec<BoardUpdate>,
    },
    /// You have been paired, and the game has begun: after `pair`.
    Paired {
        /// The id of the game.
        game: String,
    },
    /// You no longer wait to be paired: you wait with another connection.
    Unpaired,
    /// The server has carried out the message with this `id`.
    Done {
        /// The `id` of your message.
        id: u64,
        /// After `act`: the game after it.
        #[cfg_attr(feature = "schema", schema(required))]
        situation: Option<Box<Situation>>,
    },
    /// The server refused the message with this `id`.
    Refused {
        /// The `id` of your message; 0 if it could not be parsed.
        id: u64,
        /// The code, which programs can rely on.
        code: ErrorCode,
        /// A sentence for people.
        message: String,
    },
    /// The answer to `ping`.
    Pong {
        /// The `id` of your message.
        id: u64,
        /// The server's time.
        now: i64,
    },
    /// The server is about to stop: connect again in a moment.
    Restart,
    /// A notice from the operators of the server for everyone: after `hello` if there is one, and whenever it
    /// changes.
    Banner {
        /// Plain text; null if there is no longer one.
        #[cfg_attr(feature = "schema", schema(required))]
        text: Option<String>,
    },
}

impl ServerMessage {
    /// The kinds of messages: the values of `t`.
    pub const KINDS: [&str; 20] = [
        "hello",
        "game",
        "update",
        "viewers",
        "rated",
        "clocks",
        "lobby",
        "challenge",
        "challenged",
        "yours",
        "conditional",
        "said",
        "boards",
        "paired",
        "unpaired",
        "done",
        "refused",
        "pong",
        "restart",
        "banner",
    ];
}

/// A message from a client on a socket. The server's answer has the same `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Subscribe to a game.
    Watch {
        /// Chosen by you; the answer has the same.
        id: u64,
        /// The id of the game.
        game: String,
    },
    /// Unsubscribe from a game.
    Unwatch {
        /// Chosen by you; the answer has the same.
        id: u64,
        /// The id of the game.
        game: String,
    },
    /// Subscribe to the lobby, or unsubscribe.
    Lobby {
        /// Chosen by you; the answer has the same.
        id: u64,
        /// Whether to subscribe.
        on: bool,
    },
    /// Subscribe to the boards of games being played, or unsubscribe.
    Boards {
        /// Chosen by you; the answer has the same.
        id: u64,
        /// Whether to subscribe.
        on: bool,
    },
    /// Wait to be paired with a player who wants the same game at the same pace; the nearest by rating first,
    /// and the longer you wait, the farther. You have one place: a second `pair`, from this or another
    /// connection, takes the place of the first, and it ends with the connection.
    Pair {
        /// Chosen by you; the answer has the same.
        id: u64,
        /// The game with its options.
        #[cfg_attr(feature = "schema", schema(max_length = 40, example = "impasse"))]
        game: String,
        /// The time control, which must be a clock.
        control: TimeControl,
    },
    /// Wait no longer.
    Unpair {
        /// Chosen by you; the answer has the same.
        id: u64,
    },
    /// Act in one of your games.
    Act {
        /// Chosen by you; the answer has the same.
        id: u64,
        /// The id of the game.
        game: String,
        /// What to do.
        action: Action,
    },
    /// Ask for a `pong`.
    Ping {
        /// Chosen by you; the answer has the same.
        id: u64,
    },
}

impl ClientMessage {
    /// The number that the answer to this message must have.
    pub fn id(&self) -> u64 {
        match self {
            ClientMessage::Watch { id, .. }
            | ClientMessage::Unwatch { id, .. }
            | ClientMessage::Lobby { id, .. }
            | ClientMessage::Boards { id, .. }
            | ClientMessage::Pair { id, .. }
            | ClientMessage::Unpair { id }
            | ClientMessage::Act { id, .. }
            | ClientMessage::Ping { id } => *id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deserializing an unknown kind names the known ones.
    #[test]
    fn the_kinds_are_those_of_the_enum() {
        let error = serde_json::from_str::<ServerMessage>(r#"{"t":"news"}"#).unwrap_err();
        let kinds = ServerMessage::KINDS.map(|kind| format!("`{kind}`")).join(", ");
        assert!(error.to_string().contains(&format!("expected one of {kinds}")), "{error}");
    }

    #[test]
    fn the_audience_is_part_of_the_message() {
        let audience = Audience { viewers: 3, present: [true, false] };
        let message = ServerMessage::Viewers { game: "g".to_owned(), audience };
        let text = r#"{"t":"viewers","game":"g","viewers":3,"present":[true,false]}"#;
        assert_eq!(serde_json::to_string(&message).unwrap(), text);
        assert_eq!(serde_json::from_str::<ServerMessage>(text).unwrap(), message);
    }
}
