//! Connections: taking them, bounding them, and letting go of those that stall.
//!
//! A client has so long for the head of a request, which is also how long a connection may wait for its
//! next one, and so long to take some of an answer. How long a body may take is the guard's business.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, Sleep};
use tower::Service;

use crate::guard::{Client, Presence, Present};

/// How many connections there may be at once. More wait in the system's queue.
const MOST: usize = 20_000;
/// How many one address may have, unless all come through a proxy.
const MOST_OF_ONE: usize = 500;
/// The head of a request is no longer than this.
const LONGEST_HEAD: usize = 16 * 1024;

/// So much may wait in the system's memory for a client that does not take it, in bytes. Without a limit
/// it would be megabytes for each.
#[cfg(target_os = "linux")]
const MOST_UNSENT: u32 = 32 * 1024;

/// How connections are served.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Serving {
    /// How long a client may stall.
    pub(crate) patience: Duration,
    /// Whether the connections of one address are limited.
    pub(crate) limited: bool,
    /// How long answers may take to get through after `stop`.
    pub(crate) grace: Duration,
}

impl Serving {
    /// Serves until `stop` is done and connections have ended, or the time for that is over.
    pub(crate) async fn run(
        self,
        listener: TcpListener,
        router: Router,
        stop: impl Future<Output = ()>,
    ) {
        let room = Arc::new(Semaphore::new(MOST));
        let presence = Presence::new(self.limited.then_some(MOST_OF_ONE));
        let (stopping, _) = watch::channel(());
        let mut stop = std::pin::pin!(stop);
        loop {
            let (stream, peer, permit) = tokio::select! {
                accepted = accept(&listener, &room) => accepted,
                () = &mut stop => break,
            };
            let Some(present) = presence.enter(Client::from(peer.ip())) else {
                metrics::counter!("stoa_refused_total", "code" => "connections").increment(1);
                continue;
            };
            // Moves are small and should go at once.
            let _ = stream.set_nodelay(true);
            #[cfg(target_os = "linux")]
            let _ = socket2::SockRef::from(&stream).set_tcp_notsent_lowat(MOST_UNSENT);
            let stream = Patient::new(stream, self.patience, permit, present);
            let router = router.clone();
            let service =
                hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
                    request.extensions_mut().insert(ConnectInfo(peer));
                    router.clone().call(request.map(Body::new))
                });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(self.patience)
                .max_header_size(LONGEST_HEAD)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            let mut told = stopping.subscribe();
            tokio::spawn(async move {
                let mut connection = std::pin::pin!(connection);
                let ended = tokio::select! {
                    ended = connection.as_mut() => ended,
                    _ = told.changed() => {
                        connection.as_mut().graceful_shutdown();
                        connection.await
                    }
                };
                // Clients break off, stall and talk nonsense all the time; it is no concern of ours.
                if let Err(error) = ended {
                    tracing::debug!(%error, %peer, "a connection ended");
                }
            });
        }
        drop(listener);
        let _ = stopping.send(());
        let _ = tokio::time::timeout(self.grace, stopping.closed()).await;
    }
}

/// The next connection, once there is room for it.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<OwnedSemaphorePermit>) {
    // It is never closed, so there is always a permit in the end.
    let permit = Arc::clone(room).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer, permit),
            Err(error) if concerns_one(&error) => {}
            Err(error) => {
                // Most likely too many files are open. That passes when connections end.
                tracing::error!(%error, "no connection can be taken");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

/// Whether an error is that of a connection which was given up before it was taken.
fn concerns_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionRefused | ConnectionAborted | ConnectionReset)
}

/// A stream whose other end must take something now and then while there is something to take.
#[derive(Debug)]
struct Patient<S> {
    stream: S,
    patience: Duration,
    /// Until when the other end has to take something; nothing while it does not let us wait.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Counted as long as the stream lives, also when it has become a WebSocket.
    _counted: (Option<OwnedSemaphorePermit>, Present),
}

impl<S> Patient<S> {
    fn new(
        stream: S,
        patience: Duration,
        permit: Option<OwnedSemaphorePermit>,
        present: Present,
    ) -> Patient<S> {
        Patient { stream, patience, waiting: None, _counted: (permit, present) }
    }

    /// What has become of an attempt to write, given how long attempts have failed before.
    fn judge<T>(
        &mut self,
        attempt: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if attempt.is_ready() {
            self.waiting = None;
            return attempt;
        }
        let patience = self.patience;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + patience)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let me = self.get_mut();
        let attempt = Pin::new(&mut me.stream).poll_write(context, bytes);
        me.judge(attempt, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let me = self.get_mut();
        let attempt = Pin::new(&mut me.stream).poll_write_vectored(context, slices);
        me.judge(attempt, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
