//! Web Push: subscriptions of browsers, and the notifications that they get.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// The key that a browser needs to subscribe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct VapidKey {
    /// The `applicationServerKey`, as base64url.
    pub key: String,
}

/// A subscription as `PushSubscription.toJSON()` returns it, and a language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PushSubscription {
    /// The URL that the browser's push service gave it.
    pub endpoint: String,
    /// The browser's keys.
    pub keys: PushKeys,
    /// Browsers send it; the server ignores it and waits for the push service to end a subscription.
    #[serde(default, rename = "expirationTime", skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<f64>,
    /// The language of notifications, as a tag such as `en`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_length = 35, example = "en"))]
    pub language: String,
}

/// The keys of a browser's subscription, as base64url.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PushKeys {
    /// The browser's public key.
    pub p256dh: String,
    /// The browser's authentication secret.
    pub auth: String,
}

/// A subscription to end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PushEndpoint {
    /// The URL that the browser's push service gave it.
    pub endpoint: String,
}

/// What the service worker receives from the push service, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PushNotification {
    /// The title of the notification.
    #[cfg_attr(feature = "schema", schema(example = "Your move"))]
    pub title: String,
    /// Its text.
    #[cfg_attr(feature = "schema", schema(example = "Impasse against Zeno"))]
    pub body: String,
    /// The location in the web app that it opens.
    #[cfg_attr(feature = "schema", schema(example = "#/game/q7tw3mz5kd"))]
    pub address: String,
}
