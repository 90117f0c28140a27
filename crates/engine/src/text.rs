//! Quoting input in error messages.

/// The beginning of a text, without control characters.
pub(crate) fn excerpt(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}
