//! Mail: addresses, what comes by mail, links that were sent.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::Password;

/// Where you get mail, and which.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct MailChoice {
    /// Whether this server sends mail; everything else is empty if it does not, or if you have no account.
    pub available: bool,
    /// Your address, once you have confirmed it; null if you have none.
    #[cfg_attr(feature = "schema", schema(required))]
    pub address: Option<String>,
    /// An address that waits to be confirmed by the link sent there; null if there is none.
    #[cfg_attr(feature = "schema", schema(required))]
    pub unconfirmed: Option<String>,
    /// Whether mail comes when it is your turn in a game without a clock.
    pub turns: bool,
    /// Whether mail comes when you are challenged.
    pub challenges: bool,
}

/// A new address.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewMailAddress {
    /// The address, in ASCII.
    #[cfg_attr(feature = "schema", schema(max_length = 254, example = "zeno@elea.example"))]
    pub address: String,
    /// Your password: anyone who reads mail at the address can choose a new one.
    pub password: Password,
    /// The language that mail is written in, as a tag such as `en`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_length = 35, example = "en"))]
    pub language: String,
}

/// What comes by mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MailNotices {
    /// Mail when it is your turn in a game without a clock.
    pub turns: bool,
    /// Mail when you are challenged.
    pub challenges: bool,
}

/// What the link in a mail holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MailToken {
    /// The last part of the link.
    #[cfg_attr(feature = "schema", schema(max_length = 110))]
    pub token: String,
}

/// An address that has been confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ConfirmedAddress {
    /// The address.
    pub address: String,
}

/// The address of a player who has forgotten their password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ForgottenPassword {
    /// The address.
    #[cfg_attr(feature = "schema", schema(max_length = 254, example = "zeno@elea.example"))]
    pub address: String,
}

/// A new password in place of a forgotten one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PasswordReset {
    /// The last part of the link.
    #[cfg_attr(feature = "schema", schema(max_length = 110))]
    pub token: String,
    /// The new password.
    pub password: Password,
}
