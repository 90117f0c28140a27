//! The server: the web app, games between people, and the API.

pub(super) mod config;
#[cfg(unix)]
mod handover;

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use stoa_bot::{SearchQueue, start_engine_levels, start_own_worker};
use stoa_engine::{Level, Stop};
use stoa_server::{Assets, BackupReport, Finding, Server, Verdict};
use stoa_ugi::parallel::all_cores;
use tokio::net::TcpListener;
use tracing_subscriber::filter::LevelFilter;

use crate::args::{DatabasePlace, Instead, LogForm, Serve, ServeOptions};
use crate::output;
use config::{Config, Missing};

/// Serves until Ctrl-C, or runs the subcommand instead.
pub(crate) fn serve(args: &Serve) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new().context("cannot start the server's threads")?;
    runtime.block_on(async {
        match &args.instead {
            None if args.options.check => check(&args.options).await,
            None => run(&args.options).await,
            Some(Instead::Backup { file, place }) => back_up(place, file).await,
            Some(Instead::CheckBackup { file }) => check_backup(file).await,
            Some(Instead::Restore { file, place }) => restore(file, place).await,
        }
    })
}

async fn back_up(place: &DatabasePlace, to: &Path) -> Result<()> {
    if to.exists() {
        return Err(anyhow!("{} already exists", to.display()));
    }
    let database = config::existing_database(place)?;
    let hint = || "nothing was copied; --data names the folder with the server's data";
    let report = stoa_server::back_up(&database, to).await.with_context(hint)?;
    output::print(&format!("The database is copied to {}: {}\n", to.display(), said(report)))
}

async fn check_backup(file: &Path) -> Result<()> {
    let report = stoa_server::check_backup(file).await?;
    output::print(&format!("{} can be used: {}\n", file.display(), said(report)))
}

async fn restore(file: &Path, place: &DatabasePlace) -> Result<()> {
    let database = config::existing_database(place)?;
    let old = stoa_server::restore(file, &database).await.context("nothing was changed")?;
    let kept = old.map_or(String::new(), |old| format!("; the old one is {}", old.display()));
    output::print(&format!("The database {database} is restored{kept}\n"))
}

/// What a copy holds, in words.
fn said(report: BackupReport) -> String {
    let BackupReport { schema, players, games, events } = report;
    format!("{players} players, {games} games, {events} events, schema {schema}")
}

/// Says what is wrong with a set-up.
async fn check(options: &ServeOptions) -> Result<()> {
    let config = Config::new(options, Missing::Leave)?;
    let findings = stoa_server::check(&config.settings, config.listen).await;
    for Finding { subject, verdict, text } in &findings {
        let word = match verdict {
            Verdict::Good => "ok",
            Verdict::Doubtful => "warning",
            Verdict::Bad => "error",
        };
        output::print(&format!("{word:8}{subject:10}{text}\n"))?;
    }
    let bad = findings.iter().filter(|finding| finding.verdict == Verdict::Bad).count();
    match bad {
        0 => Ok(()),
        1 => Err(anyhow!("the server could not work: there is one error")),
        _ => Err(anyhow!("the server could not work: there are {bad} errors")),
    }
}

async fn run(options: &ServeOptions) -> Result<()> {
    let mut config = Config::new(options, Missing::Make)?;
    start_logs(&config)?;
    let stop = stop_asked_for()?;
    #[cfg(unix)]
    let inherited = handover::inherited_listener()?;
    #[cfg(not(unix))]
    let inherited: Option<std::net::TcpListener> = None;
    let listener = match inherited {
        Some(listener) => TcpListener::from_std(listener).context("cannot use the socket")?,
        None => TcpListener::bind(config.listen)
            .await
            .map_err(|error| explain(config.listen, &error))?,
    };
    let assets = Assets::embedded();
    if assets.is_empty() {
        eprintln!(
            "stoa: this program was built without the web app; `cargo xtask play` builds both"
        );
    }
    let address = listener.local_addr().context("cannot find out the address")?;
    #[cfg(unix)]
    let predecessor = handover::Predecessor::find();
    #[cfg(unix)]
    {
        config.settings.takes_over = predecessor.is_some();
        handover::prepare(&listener)?;
    }
    let server = Server::start(config.settings, assets).await.context("cannot start the server")?;
    let engine = Stop::new();
    // One core is the server's.
    let searches = SearchQueue::new(all_cores().saturating_sub(1));
    if config.engine {
        let levels = u8::try_from(Level::all().len()).unwrap_or(u8::MAX);
        let tokens = server.engine_players(levels).await.context("no players for the engine")?;
        start_engine_levels(reachable(address), tokens, &searches, &engine);
    }
    if config.reviews {
        let token = server.own_worker().await.context("no token for reviews")?;
        start_own_worker(reachable(address), &token, &searches, &engine);
    }
    output::print(&welcome(address))?;
    #[cfg(unix)]
    handover::say_ready(predecessor);
    let stop = async move {
        stop.await;
        engine.stop();
    };
    server.serve(listener, stop).await.context("the server has failed")
}

/// Logs go to the error output, so that what the command prints can be read by programs.
fn start_logs(config: &Config) -> Result<()> {
    let level: LevelFilter = config.log.parse().map_err(|_| {
        anyhow!("cannot log {:?}: write error, warn, info, debug or trace", config.log)
    })?;
    let logs = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr);
    match config.log_form {
        LogForm::Text => logs.with_target(false).init(),
        LogForm::Json => logs.json().init(),
    }
    Ok(())
}

/// Where the page is, as something that can be opened.
fn welcome(listening: SocketAddr) -> String {
    let others = match listening.ip().is_unspecified() {
        true => "Other machines reach it at this machine's address, on the same port.\n",
        false => "",
    };
    let address = reachable(listening);
    format!("Stoa is at http://{address}/  (Ctrl-C ends it)\n{others}")
}

/// The address at which this machine reaches a server that listens there.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        let own: IpAddr =
            if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
        address.set_ip(own);
    }
    address
}

/// Why an address cannot be listened on, and what to do.
fn explain(address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    let why = match error.kind() {
        ErrorKind::AddrInUse => {
            let mut other = address;
            other.set_port(address.port().checked_add(1).unwrap_or(8473));
            format!("another program uses this port; try --listen {other}")
        }
        ErrorKind::PermissionDenied => {
            "ports below 1024 need special rights; choose a higher one".to_owned()
        }
        ErrorKind::AddrNotAvailable => "this machine does not have that address".to_owned(),
        _ => error.to_string(),
    };
    anyhow!("cannot listen on {address}: {why}")
}

/// Completes at the first Ctrl-C or SIGTERM; a second Ctrl-C ends the program at once.
#[cfg(unix)]
fn stop_asked_for() -> Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
        tokio::spawn(async move {
            interrupted.recv().await;
            std::process::exit(130);
        });
    })
}

/// Completes at the first Ctrl-C.
#[cfg(not(unix))]
fn stop_asked_for() -> Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        // Without the signal there is nothing to wait for, and the server goes on.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
