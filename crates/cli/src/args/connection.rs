//! Which server bots and workers work for, and who they are there.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Connection {
    /// The server
    #[arg(long, value_name = "URL", env = "STOA_SERVER", value_parser = server)]
    pub(crate) server: String,

    /// The token
    #[arg(long, value_name = "TOKEN", env = "STOA_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,

    /// A file with the token
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    pub(crate) token_file: Option<PathBuf>,
}

/// The address of a server.
fn server(text: &str) -> Result<String, String> {
    if text.starts_with("http://") || text.starts_with("https://") {
        return Ok(text.to_owned());
    }
    Err("write an address that begins with https:// or http://".to_owned())
}
