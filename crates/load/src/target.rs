//! The servers under load.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use stoa_client::Client;
use stoa_testing::{Durability, Nats, Postgres, Stoa};
use tempfile::TempDir;

/// The files and connections that a process needs besides its sockets.
const SPARE_FILES: u64 = 300;

/// What to start.
#[derive(Debug, Clone)]
pub struct TargetOptions {
    /// The program `stoa`.
    pub stoa: PathBuf,
    /// Whether to use Postgres instead of SQLite.
    pub postgres: bool,
    /// The number of nodes; more than one need Postgres and are connected by NATS.
    pub nodes: usize,
    /// Whether limits apply, and a proxy in front says where people are.
    pub limited: bool,
    /// The folder for temporary data, if not the system's: the disk is part of what is measured.
    pub folder: Option<PathBuf>,
    /// More arguments of `stoa serve`.
    pub arguments: Vec<String>,
}

/// Servers, and what they need. Everything that was started exits when this is dropped.
#[derive(Debug)]
pub struct Target {
    // Dropped in this order: servers before what they use.
    nodes: Vec<Stoa>,
    _nats: Option<Nats>,
    postgres: Option<Postgres>,
    folder: Option<TempDir>,
    urls: Vec<String>,
    words: String,
}

impl Target {
    /// Servers that run already, at these addresses.
    ///
    /// # Errors
    /// If an address cannot be used.
    pub fn given(urls: &[String]) -> Result<Target> {
        for url in urls {
            if !url.starts_with("http://") {
                bail!("{url}: the load tool speaks http:// only, to measure the server alone");
            }
            Client::anonymous(url).me().with_context(|| format!("{url} is not a Stoa server"))?;
        }
        Ok(Target {
            nodes: Vec::new(),
            _nats: None,
            postgres: None,
            folder: None,
            urls: urls.iter().map(|url| url.trim_end_matches('/').to_owned()).collect(),
            words: "a server that was running".to_owned(),
        })
    }

    /// Starts servers with a durable database of their own.
    ///
    /// # Errors
    /// If something is not installed or does not start.
    pub fn start(options: &TargetOptions) -> Result<Target> {
        if options.nodes > 1 && !options.postgres {
            bail!("several nodes need --postgres: SQLite is for one");
        }
        // Processes that are started have the limits of this one.
        allow_connections(0)?;
        let folder = match &options.folder {
            Some(folder) => tempfile::tempdir_in(folder),
            None => tempfile::tempdir(),
        };
        let folder = folder.context("cannot make a folder for the data")?;
        let postgres =
            options.postgres.then(|| Postgres::start(Durability::Durable)).transpose()?;
        let nats = (options.nodes > 1).then(Nats::start).transpose()?;
        let database = postgres.as_ref().map(Postgres::address);
        let bus = nats.as_ref().map(Nats::address);
        let mut arguments = vec!["--engine", "false", "--log", "warn"];
        arguments.extend(match options.limited {
            true => ["--behind-proxy", "true"],
            false => ["--rate", "0"],
        });
        if let Some(database) = &database {
            arguments.extend(["--database", database]);
        }
        if let Some(bus) = &bus {
            arguments.extend(["--nats", bus]);
        }
        arguments.extend(options.arguments.iter().map(String::as_str));
        let start = |_| Stoa::start(&options.stoa, folder.path(), &arguments);
        let nodes: Vec<Stoa> = (0..options.nodes.max(1)).map(start).collect::<Result<_, _>>()?;
        let database = if options.postgres { "Postgres" } else { "SQLite" };
        let words = match nodes.len() {
            1 => format!("one node on {database}"),
            n => format!("{n} nodes on {database}"),
        };
        Ok(Target {
            urls: nodes.iter().map(Stoa::url).collect(),
            nodes,
            _nats: nats,
            postgres,
            folder: Some(folder),
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

    /// What a command of the program prints that works on the database of servers that were started here.
    ///
    /// # Errors
    /// If the command fails.
    pub(crate) fn said(&self, words: &[&str]) -> Result<Option<String>> {
        let Some(mut command) = self.nodes.first().map(|node| node.command(words)) else {
            return Ok(None);
        };
        let output = command.output().context("cannot start stoa")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "stoa {}: {errors}", words.join(" "));
        Ok(Some(String::from_utf8_lossy(&output.stdout).trim().to_owned()))
    }

    /// The database of servers that were started here: the address of Postgres, or the file of SQLite.
    pub(crate) fn database(&self) -> Option<String> {
        match (&self.postgres, &self.folder) {
            (Some(postgres), _) => Some(postgres.address()),
            (None, Some(folder)) => Some(folder.path().join("stoa.db").to_str()?.to_owned()),
            (None, None) => None,
        }
    }

    /// The folder with the data of servers that were started here.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(TempDir::path)
    }

    /// Kills one of the nodes that were started here.
    pub(crate) fn kill_node(&mut self, node: usize) {
        self.nodes[node].kill();
    }

    /// Restarts a node at its address, with the same data.
    ///
    /// # Errors
    /// If it does not get ready.
    pub(crate) fn restart_node(&mut self, node: usize) -> Result<()> {
        Ok(self.nodes[node].restart()?)
    }

    /// Stops all nodes that were started here, as administrators do, and starts them again.
    ///
    /// # Errors
    /// If one does not get ready.
    pub(crate) fn restart_all(&mut self) -> Result<()> {
        self.nodes.iter_mut().for_each(Stoa::end);
        self.nodes.iter_mut().try_for_each(|node| Ok(node.restart()?))
    }

    /// Stops Postgres as if it had crashed, if there is one.
    pub(crate) fn crash_postgres(&mut self) {
        if let Some(postgres) = &mut self.postgres {
            postgres.crash();
        }
    }

    /// Restarts Postgres, if there is one; it recovers what was committed.
    ///
    /// # Errors
    /// If it does not get ready.
    pub(crate) fn restart_postgres(&mut self) -> Result<()> {
        self.postgres.as_mut().map_or(Ok(()), |postgres| Ok(postgres.restart()?))
    }

    /// Stops everything but keeps the data, and returns where they are, with the last log lines of the servers.
    pub(crate) fn keep(self) -> String {
        let Target { nodes, folder, .. } = self;
        let logs: Vec<String> = nodes.iter().map(|node| last_lines(&node.log())).collect();
        drop(nodes);
        let said = logs.join("\n");
        match folder.map(TempDir::keep) {
            Some(kept) => {
                format!("the data are kept in {}; the server said\n{said}", kept.display())
            }
            None => said,
        }
    }

    /// The size of the SQLite database that was made here, in bytes, without its log.
    pub(crate) fn database_size(&self) -> Option<u64> {
        let folder = self.folder.as_ref().filter(|_| self.postgres.is_none())?;
        std::fs::metadata(folder.path().join("stoa.db")).ok().map(|file| file.len())
    }

    /// What it is, for people.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }
}

/// The last lines of a log.
fn last_lines(log: &Path) -> String {
    let log = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(15)..].join("\n")
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

/// The maximum number of sockets of a process here, besides the files and other connections that it needs.
///
/// # Errors
/// If the system does not say.
pub fn max_connections() -> Result<usize> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let most = maximum.unwrap_or(u64::MAX).saturating_sub(SPARE_FILES);
    usize::try_from(most).context("no such number of files")
}
