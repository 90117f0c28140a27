//! The web app, served from within this program.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Context, Result, anyhow};
use stoa_server::Site;
use tokio::net::TcpListener;

use crate::args::Serve;
use crate::output;

/// Serves the web app until Ctrl-C.
pub(crate) fn serve(args: &Serve) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new().context("cannot start the server's threads")?;
    runtime.block_on(async {
        let stop = stop_asked_for()?;
        let listener =
            TcpListener::bind(args.listen).await.map_err(|error| explain(args.listen, &error))?;
        let site = Site::embedded();
        if site.is_empty() {
            eprintln!(
                "stoa: this program was built without the web app; `cargo xtask play` builds both"
            );
        }
        let address = listener.local_addr().context("cannot tell the address")?;
        output::print(&welcome(address))?;
        stoa_server::serve(listener, site, stop).await.context("the server has failed")
    })
}

/// Where the page is, as something that can be opened.
fn welcome(mut address: SocketAddr) -> String {
    let mut others = "";
    if address.ip().is_unspecified() {
        let own: IpAddr =
            if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
        address.set_ip(own);
        others = "Other machines reach it at this machine's address, on the same port.\n";
    }
    format!("Stoa is at http://{address}/  (Ctrl-C ends it)\n{others}")
}

/// Why an address cannot be had, and what to do.
fn explain(address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    let why = match error.kind() {
        ErrorKind::AddrInUse => {
            let mut other = address;
            other.set_port(address.port().checked_add(1).unwrap_or(8473));
            format!("another program uses this port; try --listen {other}")
        }
        ErrorKind::PermissionDenied => {
            "this port is not for everyone; choose one above 1023".to_owned()
        }
        ErrorKind::AddrNotAvailable => "this machine does not have that address".to_owned(),
        _ => error.to_string(),
    };
    anyhow!("cannot listen on {address}: {why}")
}

/// Done at the first Ctrl-C, or when the system wants the program to end. A second one ends it at once.
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

/// Done at the first Ctrl-C.
#[cfg(not(unix))]
fn stop_asked_for() -> Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        // Without the signal there is nothing to wait for, and the server goes on.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
