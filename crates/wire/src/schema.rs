//! OpenAPI schemas of types that `stoa-rules` defines. The words come from the types themselves.

use serde::Serialize;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::EndReason;

/// The schema of [`stoa_rules::Side`].
pub(crate) struct Side;

/// The schema of [`stoa_rules::Reason`].
pub(crate) struct Reason;

impl PartialSchema for Side {
    fn schema() -> RefOr<Schema> {
        words("One of the two players: `first` moves first.", stoa_rules::Side::BOTH)
    }
}

impl ToSchema for Side {}

impl PartialSchema for Reason {
    fn schema() -> RefOr<Schema> {
        words("Why a game ended.", reasons())
    }
}

impl ToSchema for Reason {}

impl PartialSchema for EndReason {
    fn schema() -> RefOr<Schema> {
        let reasons = reasons().map(EndReason::Over).chain([EndReason::Aborted]);
        words("Why a game ended; `aborted` games do not count.", reasons)
    }
}

impl ToSchema for EndReason {}

fn reasons() -> impl Iterator<Item = stoa_rules::Reason> {
    stoa_rules::Reason::WORDS.iter().map(|(reason, _)| *reason)
}

/// A string that is one of the words of an enum.
fn words(description: &str, values: impl IntoIterator<Item = impl Serialize>) -> RefOr<Schema> {
    struct Word<T>(T);
    impl<T: Serialize> std::fmt::Display for Word<T> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            crate::write_word(&self.0, f)
        }
    }
    let words = values.into_iter().map(|value| Word(value).to_string());
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(words))
        .into()
}
