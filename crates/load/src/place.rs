//! The servers that are put under load.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use stoa_client::Client;
use stoa_testing::{Durability, Nats, Postgres, Stoa};
use tempfile::TempDir;

/// What is to be started.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The program `stoa`.
    pub stoa: PathBuf,
    /// Whether on Postgres instead of SQLite.
    pub postgres: bool,
    /// How many nodes; more than one need Postgres and are connected by NATS.
    pub nodes: usize,
    /// Where temporary data goes, if not where the system puts it: the disk is part of what is measured.
    pub folder: Option<PathBuf>,
}

/// Servers, and what they need. All that was started ends when this is dropped.
#[derive(Debug)]
pub struct Place {
    // Dropped in this order: servers before what they use.
    nodes: Vec<Stoa>,
    _nats: Option<Nats>,
    _postgres: Option<Postgres>,
    _folder: Option<TempDir>,
    urls: Vec<String>,
    words: String,
}

impl Place {
    /// Servers that run already, at these addresses.
    ///
    /// # Errors
    /// If an address cannot be used.
    pub fn given(urls: &[String]) -> Result<Place> {
        for url in urls {
            if !url.starts_with("http://") {
                bail!("{url}: the load tool speaks http:// only, to measure the server alone");
            }
            Client::nobody(url).me().with_context(|| format!("{url} is no Stoa server"))?;
        }
        Ok(Place {
            nodes: Vec::new(),
            _nats: None,
            _postgres: None,
            _folder: None,
            urls: urls.iter().map(|url| url.trim_end_matches('/').to_owned()).collect(),
            words: "a server that was running".to_owned(),
        })
    }

    /// Starts servers with a database of their own that keeps what it says it keeps.
    ///
    /// # Errors
    /// If something is not installed or does not start.
    pub fn start(setup: &Setup) -> Result<Place> {
        if setup.nodes > 1 && !setup.postgres {
            bail!("several nodes need --postgres: SQLite is for one");
        }
        // Processes that are started have the limits of this one.
        allow_connections(0)?;
        let folder = match &setup.folder {
            Some(folder) => tempfile::tempdir_in(folder),
            None => tempfile::tempdir(),
        };
        let folder = folder.context("cannot make a folder for the data")?;
        let postgres = setup.postgres.then(|| Postgres::start(Durability::Durable)).transpose()?;
        let nats = (setup.nodes > 1).then(Nats::start).transpose()?;
        let database = postgres.as_ref().map(Postgres::address);
        let bus = nats.as_ref().map(Nats::address);
        let mut arguments = vec!["--rate", "0", "--engine", "false", "--log", "warn"];
        if let Some(database) = &database {
            arguments.extend(["--database", database]);
        }
        if let Some(bus) = &bus {
            arguments.extend(["--nats", bus]);
        }
        let start = |_| Stoa::start(&setup.stoa, folder.path(), &arguments);
        let nodes: Vec<Stoa> = (0..setup.nodes.max(1)).map(start).collect::<Result<_, _>>()?;
        let database = if setup.postgres { "Postgres" } else { "SQLite" };
        let words = match nodes.len() {
            1 => format!("one node on {database}"),
            n => format!("{n} nodes on {database}"),
        };
        Ok(Place {
            urls: nodes.iter().map(Stoa::url).collect(),
            nodes,
            _nats: nats,
            _postgres: postgres,
            _folder: Some(folder),
            words,
        })
    }

    /// Where the nodes are.
    pub(crate) fn urls(&self) -> &[String] {
        &self.urls
    }

    /// The processes of the nodes that were started here.
    pub(crate) fn processes(&self) -> Vec<u32> {
        self.nodes.iter().filter_map(Stoa::process).collect()
    }

    /// What it is, for people.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }
}

/// Lets this process, and those it starts, have as many connections as the system allows.
///
/// # Errors
/// If these are not enough.
pub(crate) fn allow_connections(needed: u64) -> Result<()> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
        .context("cannot raise the number of open files")?;
    match maximum {
        Some(maximum) if maximum < needed => {
            bail!(
                "{needed} open files are needed, and the system allows {maximum}: see `ulimit -Hn`"
            )
        }
        _ => Ok(()),
    }
}
