//! The options of the server.

use std::net::{Ipv4Addr, SocketAddr};

use clap::Args;

pub(super) const SERVE_HELP: &str = "\
Examples:
  stoa serve                     then open the address that it prints
  stoa serve --listen 9000       on another port
  stoa serve --listen 0.0.0.0:8473
                                 for other machines, too

Browsers keep the app for use offline only where it comes from this machine or
by https.";

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen: an address with a port, or a port of this machine alone
    #[arg(short, long, value_name = "ADDRESS", default_value = "127.0.0.1:8473", value_parser = address)]
    pub(crate) listen: SocketAddr,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let local = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let address = local.as_deref().unwrap_or(text).parse();
    address.map_err(|_| "write an address such as 127.0.0.1:8473, or a port such as 8473".into())
}
