//! The error for commands that the program was built without.

use anyhow::{Result, bail};

/// For commands that need the server.
pub(crate) fn server<Args>(_: &Args) -> Result<()> {
    bail!(
        "this program was built without the server; `cargo xtask play` builds and starts one with \
         the web app, and `cargo install --path crates/cli` installs one"
    )
}

/// For commands that need an HTTP client.
#[cfg(any(test, not(feature = "bot")))]
pub(crate) fn bots<Args>(_: &Args) -> Result<()> {
    bail!(
        "this program was built without bots; `cargo install --path crates/cli \
         --no-default-features --features bot` installs one with them"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_what_is_missing_and_how_to_get_it() {
        for (refused, what) in [(server(&()), "the server"), (bots(&()), "bots")] {
            let message = refused.expect_err("it is missing").to_string();
            assert!(message.starts_with(&format!("this program was built without {what}; ")));
            assert!(message.contains("cargo install --path crates/cli"), "{message}");
        }
    }
}
