//! Passkeys and signed-in devices. Bytes are base64url without padding, as browsers give them.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::Password;

/// A passkey of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Passkey {
    /// Identifies the passkey: the id of its credential.
    pub id: String,
    /// What its owner calls it.
    pub label: String,
    /// When it was added.
    pub created: i64,
    /// When it was last used to sign in; null if it never was.
    #[cfg_attr(feature = "schema", schema(required))]
    pub used: Option<i64>,
}

/// A list of passkeys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PasskeyList {
    /// The passkeys, oldest first.
    pub passkeys: Vec<Passkey>,
}

/// What a passkey is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PasskeyLabel {
    /// One line of 1 to 50 characters.
    #[cfg_attr(feature = "schema", schema(max_length = 50, example = "my phone"))]
    pub label: String,
}

/// The password, which adding a passkey needs: the passkey can then sign in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PasskeyPermission {
    /// The password of the account.
    pub password: Password,
}

/// What a browser is asked to make a passkey from: the parts of `PublicKeyCredentialCreationOptions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PasskeyOrder {
    /// The challenge to be signed; it can be used once, within five minutes.
    pub challenge: String,
    /// The domain that the passkey is for.
    pub rp_id: String,
    /// Identifies the account to authenticators.
    pub user_id: String,
    /// The name with which the account signs in.
    pub user_name: String,
    /// The passkeys that the account has: their authenticators make no second one.
    pub exclude: Vec<String>,
}

/// A passkey that a browser has made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewPasskey {
    /// What it is called, 1 to 50 characters.
    #[cfg_attr(feature = "schema", schema(max_length = 50, example = "my phone"))]
    pub label: String,
    /// The id of the credential.
    pub id: String,
    /// `response.clientDataJSON`.
    pub client_data: String,
    /// `response.getAuthenticatorData()`.
    pub authenticator_data: String,
    /// `response.getPublicKey()`: a `SubjectPublicKeyInfo` of ES256, EdDSA or RS256.
    pub public_key: String,
}

/// What a browser is asked to sign in with: the parts of `PublicKeyCredentialRequestOptions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PasskeyChallenge {
    /// The challenge to be signed; it can be used once, within five minutes.
    pub challenge: String,
    /// The domain that the passkey is for.
    pub rp_id: String,
}

/// A challenge signed by a passkey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PasskeySignIn {
    /// The id of the credential.
    pub id: String,
    /// `response.clientDataJSON`.
    pub client_data: String,
    /// `response.authenticatorData`.
    pub authenticator_data: String,
    /// `response.signature`.
    pub signature: String,
}

/// A device that is signed in to an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Session {
    /// Identifies the session, for `DELETE /api/me/sessions/{id}`.
    pub id: String,
    /// The browser and the system, such as `Firefox, Linux`; empty if it did not say.
    pub device: String,
    /// When it signed in.
    pub created: i64,
    /// When it was last used, to the hour.
    pub used: i64,
    /// Whether it is the one that sends this request.
    pub current: bool,
}

/// The devices that are signed in to an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SessionList {
    /// The sessions, those used last first.
    pub sessions: Vec<Session>,
}
