//! The connection of bots and workers to their server.

use anyhow::{Context, Result, bail};
use stoa_client::Client;
use stoa_files::read_text;

use crate::args::Connection;

/// A client of the server that is named, with the token that is given.
pub(super) fn connect(to: &Connection) -> Result<Client> {
    let token = match (&to.token, &to.token_file) {
        (Some(token), _) => token.clone(),
        (None, Some(path)) => {
            read_text(path).with_context(|| format!("cannot read {}", path.display()))?
        }
        (None, None) => bail!("a token is needed: --token, --token-file or STOA_TOKEN"),
    };
    Ok(Client::with_token(&to.server, &token))
}
