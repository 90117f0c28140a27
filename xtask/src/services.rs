//! Postgres, NATS and systemd's lists of system calls, which some tests of the server need.

use std::path::Path;

use anyhow::Result;

use crate::install_packages;

/// A package of Debian, and where it puts what is needed.
type Package = (&'static str, &'static [&'static str]);

const SERVICES: [Package; 2] = [
    ("postgresql", &["/usr/lib/postgresql"]),
    ("nats-server", &["/usr/sbin/nats-server", "/usr/bin/nats-server"]),
];

const SYSTEMD: [Package; 1] = [("systemd", &["/usr/bin/systemd-analyze"])];

/// Whether Postgres and NATS are here; in CI they are installed.
pub(crate) fn find() -> Result<bool> {
    are_here(&SERVICES)
}

/// Whether systemd can say what system calls its groups have; in CI it is installed for that.
pub(crate) fn find_systemd() -> Result<bool> {
    are_here(&SYSTEMD)
}

fn are_here(packages: &[Package]) -> Result<bool> {
    let missing: Vec<&str> = packages
        .iter()
        .filter(|(_, paths)| !paths.iter().any(|path| Path::new(path).exists()))
        .map(|(package, _)| *package)
        .collect();
    if missing.is_empty() || std::env::var_os("CI").is_none() {
        return Ok(missing.is_empty());
    }
    install_packages(&missing)?;
    Ok(true)
}
