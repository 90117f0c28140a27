//! The HTTP server: accepts connections, limits their number, and closes those that stall.
//!
//! The client timeout applies to the head of a request, to an idle connection, and to reading any part of
//! a response. The middleware in `guard` applies it to the body of a request.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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

use crate::guard::{Client, ConnectionLimit, ConnectionPermit};
use crate::monitoring::error_folded;

/// The largest number of connections. More wait in the system's backlog.
pub(crate) const MAX_CONNECTIONS: usize = 30_000;
/// The largest number of connections of one address, unless behind a proxy.
pub(crate) const MAX_PER_ADDRESS: usize = 500;
/// The largest head of a request, in bytes.
const MAX_HEAD_SIZE: usize = 16 * 1024;

/// How many unsent bytes the system buffers for a client that does not read. Without a limit it would be
/// megabytes for each.
#[cfg(target_os = "linux")]
const MAX_UNSENT: u32 = 32 * 1024;

/// How long a connection may take to send its first request when the server is asked to stop: it may have
/// been accepted a moment ago. Closed without an answer, it would look like a failure.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_millis(500);

/// How long to wait after a failed accept.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// A permit of the server, and one of the address.
type Permits = (Option<OwnedSemaphorePermit>, ConnectionPermit);

/// How connections are served.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HttpServer {
    /// How long a client may stall.
    pub(crate) client_timeout: Duration,
    /// Whether the connections of one address are limited.
    pub(crate) limited: bool,
    /// How long responses may take after `stop`.
    pub(crate) shutdown_timeout: Duration,
}

impl HttpServer {
    /// Serves until `stop` completes and connections have ended, or the shutdown timeout has passed.
    pub(crate) async fn run(
        self,
        listener: TcpListener,
        router: Router,
        stop: impl Future<Output = ()>,
    ) {
        let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let per_address = ConnectionLimit::default();
        let max_per_address = self.limited.then_some(MAX_PER_ADDRESS);
        let (stopping, _) = watch::channel(());
        let mut stop = std::pin::pin!(stop);
        loop {
            let (stream, peer, permit) = tokio::select! {
                accepted = accept(&listener, &permits) => accepted,
                () = &mut stop => break,
            };
            let Some(address_permit) =
                per_address.acquire(Client::from(peer.ip()), max_per_address)
            else {
                metrics::counter!("stoa_requests_refused_total", "code" => "connections")
                    .increment(1);
                continue;
            };
            // Moves are small and should be sent at once.
            let _ = stream.set_nodelay(true);
            #[cfg(target_os = "linux")]
            let _ = socket2::SockRef::from(&stream).set_tcp_notsent_lowat(MAX_UNSENT);
            let stream = TimeoutStream::new(stream, self.client_timeout, (permit, address_permit));
            let router = router.clone();
            let used = Arc::new(AtomicBool::new(false));
            let is_used = Arc::clone(&used);
            let service =
                hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
                    used.store(true, Ordering::Relaxed);
                    request.extensions_mut().insert(ConnectInfo(peer));
                    router.clone().call(request.map(Body::new))
                });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(self.client_timeout)
                .max_header_size(MAX_HEAD_SIZE)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            let mut shutdown = stopping.subscribe();
            tokio::spawn(async move {
                let mut connection = std::pin::pin!(connection);
                let ended = tokio::select! {
                    ended = connection.as_mut() => ended,
                    _ = shutdown.changed() => {
                        let unused = async {
                            while !is_used.load(Ordering::Relaxed) {
                                tokio::time::sleep(FIRST_REQUEST_TIMEOUT / 50).await;
                            }
                        };
                        let first = tokio::time::timeout(FIRST_REQUEST_TIMEOUT, unused);
                        tokio::select! {
                            ended = connection.as_mut() => ended,
                            _ = first => {
                                connection.as_mut().graceful_shutdown();
                                connection.await
                            }
                        }
                    }
                };
                // Clients disconnect, stall and send nonsense all the time; that is no error of ours.
                if let Err(error) = ended {
                    tracing::debug!(%error, %peer, "a connection ended");
                }
            });
        }
        drop(listener);
        let _ = stopping.send(());
        let _ = tokio::time::timeout(self.shutdown_timeout, stopping.closed()).await;
    }
}

/// The next connection, once there is a permit for it.
async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed, so there is always a permit in the end.
    let permit = Arc::clone(permits).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer, permit),
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                // Most likely too many files are open; that passes when connections end.
                error_folded!(%error, "cannot accept a connection");
                tokio::time::sleep(ACCEPT_RETRY_INTERVAL).await;
            }
        }
    }
}

/// Whether an error concerns one connection only, which was closed before it was accepted.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionRefused | ConnectionAborted | ConnectionReset)
}

/// A stream that fails if its peer reads nothing for too long while there is something to read.
#[derive(Debug)]
struct TimeoutStream<S> {
    stream: S,
    timeout: Duration,
    /// Until when the peer must read something; `None` while no write is pending.
    deadline: Option<Pin<Box<Sleep>>>,
    /// Held as long as the stream lives, even after an upgrade to a WebSocket.
    _permits: Permits,
}

impl<S> TimeoutStream<S> {
    fn new(stream: S, timeout: Duration, permits: Permits) -> TimeoutStream<S> {
        TimeoutStream { stream, timeout, deadline: None, _permits: permits }
    }

    /// The result of an attempt to write, given how long attempts have been pending.
    fn check_deadline<T>(
        &mut self,
        attempt: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if attempt.is_ready() {
            self.deadline = None;
            return attempt;
        }
        let timeout = self.timeout;
        let deadline = self
            .deadline
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + timeout)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let me = self.get_mut();
        let attempt = Pin::new(&mut me.stream).poll_write(context, bytes);
        me.check_deadline(attempt, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let me = self.get_mut();
        let attempt = Pin::new(&mut me.stream).poll_write_vectored(context, slices);
        me.check_deadline(attempt, context)
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
