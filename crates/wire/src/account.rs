//! Sign-in, passwords and tokens.

use std::fmt;

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// A name and a password.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The name to sign in with, 1 to 30 characters. Case does not matter.
    #[cfg_attr(feature = "schema", schema(max_length = 30, example = "Zeno"))]
    pub name: String,
    /// The password.
    pub password: Password,
}

/// The current password and the new one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    /// The current password.
    pub old: Password,
    /// The new password.
    pub new: Password,
}

/// A password as it was typed. It is never logged.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(transparent)]
#[cfg_attr(
    feature = "schema",
    schema(value_type = String, min_length = 8, max_length = 200, format = Password)
)]
pub struct Password(pub String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// A token, without its secret, which was shown only when it was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Token {
    /// Identifies the token, for `DELETE /api/me/tokens/{id}`.
    pub id: String,
    /// The label that its owner gave it.
    pub label: String,
    /// When it was created.
    pub created: i64,
    /// When it was last used, to the hour; null if it never was.
    #[cfg_attr(feature = "schema", schema(required))]
    pub used: Option<i64>,
}

/// A list of tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TokenList {
    /// The tokens, oldest first.
    pub tokens: Vec<Token>,
}

/// The label of a token to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TokenLabel {
    /// What the token is for, up to 50 characters.
    #[cfg_attr(feature = "schema", schema(max_length = 50, example = "my bot"))]
    pub label: String,
}

/// A new token. Store it: it is shown only once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct NewToken {
    /// Identifies the token, for `DELETE /api/me/tokens/{id}`.
    pub id: String,
    /// The secret, to be sent as `Authorization: Bearer TOKEN`.
    pub token: String,
    /// The label that its owner gave it.
    pub label: String,
}

/// Without the secret.
impl fmt::Debug for NewToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewToken").field("id", &self.id).finish_non_exhaustive()
    }
}
