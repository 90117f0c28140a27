//! Messages in games.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::Player;

/// Who reads a message in a game: its two players, or its viewers. Neither group reads the other's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TalkRoom {
    /// The two players.
    Players,
    /// The viewers.
    Viewers,
}

/// A ready-made phrase, which all read in their own language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// Hello!
    Hello,
    /// Good luck!
    GoodLuck,
    /// Have fun!
    HaveFun,
    /// Nice move!
    NiceMove,
    /// Oops!
    Oops,
    /// One moment, please.
    OneMoment,
    /// Take your time.
    TakeYourTime,
    /// Sorry!
    Sorry,
    /// Thank you!
    Thanks,
    /// Well played!
    WellPlayed,
    /// Good game!
    GoodGame,
    /// I have to go. Goodbye!
    Bye,
}

/// A message to send in a game: either a phrase or a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewTalk {
    /// A ready-made phrase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<Phrase>,
    /// Free text, at most 200 characters, where the server allows it. It is plain text; invisible characters
    /// and line breaks are removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 200))]
    pub text: Option<String>,
}

/// A message in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TalkMessage {
    /// Identifies it.
    pub id: String,
    /// Who reads it.
    pub room: TalkRoom,
    /// Its author.
    pub by: Player,
    /// When.
    pub at: i64,
    /// The phrase, if it is one.
    #[cfg_attr(feature = "schema", schema(required))]
    pub phrase: Option<Phrase>,
    /// The text, if it is not a phrase: plain text.
    #[cfg_attr(feature = "schema", schema(required))]
    pub text: Option<String>,
}

/// The messages in a game that you may read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Talk {
    /// Whether these are the messages of the players or of the viewers: if you play in the game, the players',
    /// otherwise the viewers'.
    pub room: TalkRoom,
    /// The messages, in order, without those of people whom you have muted or blocked.
    pub messages: Vec<TalkMessage>,
    /// Whether free text is allowed here; phrases always are.
    pub free_text: bool,
    /// The ids of those whom you have muted.
    pub muted: Vec<String>,
    /// The ids of those whom you have blocked.
    pub blocked: Vec<String>,
}

/// A report to the operators of the server, about a message or about a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// The id of the message; or leave it out and name a player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The id of the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The id of the game it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// What is wrong, in your words: at most 300 characters. May be empty.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub reason: String,
}
