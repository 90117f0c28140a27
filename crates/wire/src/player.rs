//! Players and bots.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Rating, display_as_word};

/// A player as others see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Player {
    /// Identifies the player; never changes.
    pub id: String,
    /// The name to display, which others may have too. Empty once the player has been deleted.
    pub name: String,
    /// Guest, account or bot.
    pub kind: PlayerKind,
    /// Where a player is named as the player of a game: their rating in it. Missing if they have none. In a game
    /// that has counted, it is the rating before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub rating: Option<Rating>,
}

/// The kind of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// Known by a cookie only.
    Guest,
    /// Can sign in with a name and a password.
    Account,
    /// A program.
    Bot,
}

display_as_word!(PlayerKind);

/// The player who sends the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Identity {
    /// Null if the request has no valid cookie or token.
    #[cfg_attr(feature = "schema", schema(required))]
    pub player: Option<Player>,
    /// The name the player signs in with; null without an account.
    #[cfg_attr(feature = "schema", schema(required))]
    pub login: Option<String>,
}

/// The name a player wants to have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayerName {
    /// The name that others see, 1 to 30 characters.
    #[cfg_attr(feature = "schema", schema(max_length = 30, example = "Zeno"))]
    pub name: String,
}

/// The bots that can be challenged now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct BotList {
    /// The bots, oldest first.
    pub bots: Vec<Player>,
}
