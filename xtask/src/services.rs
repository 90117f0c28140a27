//! Postgres and NATS, which some tests of the server need.

use std::path::Path;

use anyhow::Result;

use crate::install_packages;

/// Each package of Debian, and where it puts what is needed.
const PACKAGES: [(&str, &[&str]); 2] = [
    ("postgresql", &["/usr/lib/postgresql"]),
    ("nats-server", &["/usr/sbin/nats-server", "/usr/bin/nats-server"]),
];

/// Whether both are here; in CI they are installed.
pub(crate) fn find() -> Result<bool> {
    let missing: Vec<&str> = PACKAGES
        .into_iter()
        .filter(|(_, paths)| !paths.iter().any(|path| Path::new(path).exists()))
        .map(|(package, _)| package)
        .collect();
    if missing.is_empty() || std::env::var_os("CI").is_none() {
        return Ok(missing.is_empty());
    }
    install_packages(&missing)?;
    Ok(true)
}
