//! How a request becomes a WebSocket, whose frames are counted below the library.
//!
//! The library assembles the frames of a message before returning it, so empty frames that never end a message
//! would keep it busy for ever. [`MeteredStream`] counts frames where they arrive, and fails when there are too
//! many.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use stoa_wire::ErrorCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::Error;

/// A WebSocket to a client.
pub(super) type WebSocket = WebSocketStream<MeteredStream<TokioIo<Upgraded>>>;

/// The longest header of a frame: two bytes, eight for a length, four for a mask.
const MAX_HEADER: usize = 14;

/// A request to open a WebSocket.
pub(super) struct WebSocketRequest {
    upgrade: OnUpgrade,
    accept: HeaderValue,
}

impl<S: Sync> FromRequestParts<S> for WebSocketRequest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<WebSocketRequest, Error> {
        let refused = |why: &str| Error::new(ErrorCode::NotWebSocket, why);
        let headers = &parts.headers;
        if !has_word(headers, header::CONNECTION, "upgrade")
            || !has_word(headers, header::UPGRADE, "websocket")
        {
            return Err(refused("open a WebSocket here (RFC 6455)"));
        }
        if headers.get(header::SEC_WEBSOCKET_VERSION).is_none_or(|version| version != "13") {
            return Err(refused("the version of WebSockets is 13"));
        }
        let key = headers.get(header::SEC_WEBSOCKET_KEY);
        let key = key.ok_or_else(|| refused("the header Sec-WebSocket-Key is missing"))?;
        let accept = HeaderValue::from_str(&derive_accept_key(key.as_bytes()));
        let accept = accept.map_err(|_| refused("the header Sec-WebSocket-Key is malformed"))?;
        let upgrade = parts.extensions.remove::<OnUpgrade>();
        let upgrade = upgrade.ok_or_else(|| refused("this connection cannot be upgraded"))?;
        Ok(WebSocketRequest { upgrade, accept })
    }
}

fn has_word(headers: &HeaderMap, name: HeaderName, word: &str) -> bool {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|part| part.trim().eq_ignore_ascii_case(word))
}

impl WebSocketRequest {
    /// Answers the request, and calls this with the socket. It may send frames at the rate of the bucket.
    pub(super) fn open<F, S>(self, config: WebSocketConfig, frames: Bucket, serve: F) -> Response
    where
        F: FnOnce(WebSocket) -> S + Send + 'static,
        S: Future<Output = ()> + Send,
    {
        let WebSocketRequest { upgrade, accept } = self;
        tokio::spawn(async move {
            match upgrade.await {
                Ok(upgraded) => {
                    let stream = MeteredStream::new(TokioIo::new(upgraded), frames);
                    let socket =
                        WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
                    serve(socket).await;
                }
                Err(error) => tracing::debug!(%error, "a connection did not become a WebSocket"),
            }
        });
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = response.headers_mut();
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
        response
    }
}

/// A token bucket.
#[derive(Debug)]
pub(super) struct Bucket {
    left: f64,
    burst: f64,
    /// Tokens a second.
    rate: f64,
    at: Instant,
}

impl Bucket {
    pub(super) fn new(rate: f64, burst: f64) -> Bucket {
        Bucket { left: burst, burst, rate, at: Instant::now() }
    }

    /// Takes some tokens; false if there are not as many.
    pub(super) fn spend(&mut self, count: usize) -> bool {
        let now = Instant::now();
        let earned = now.duration_since(self.at).as_secs_f64() * self.rate;
        self.left = (self.left + earned).min(self.burst);
        self.at = now;
        let may = self.left >= count as f64;
        if may {
            self.left -= count as f64;
        }
        may
    }
}

/// A stream that fails when too many frames arrive.
#[derive(Debug)]
pub(super) struct MeteredStream<S> {
    stream: S,
    counter: FrameCounter,
    frames: Bucket,
}

/// Whether a stream failed because too many frames arrived.
pub(super) fn is_too_many(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<TooManyFrames>())
}

#[derive(Debug, thiserror::Error)]
#[error("too many frames")]
struct TooManyFrames;

impl<S> MeteredStream<S> {
    fn new(stream: S, frames: Bucket) -> MeteredStream<S> {
        MeteredStream { stream, counter: FrameCounter::default(), frames }
    }
}

/// Counts the frames in the bytes of a stream.
#[derive(Debug, Default)]
struct FrameCounter {
    header: [u8; MAX_HEADER],
    /// How many bytes of the header have arrived.
    known: usize,
    /// How many bytes of the payload have not.
    payload_left: u64,
}

impl FrameCounter {
    /// How many frames begin their payload in these bytes, which follow those of before.
    fn count(&mut self, mut bytes: &[u8]) -> usize {
        let mut frames = 0;
        while let Some((&byte, rest)) = bytes.split_first() {
            if self.payload_left > 0 {
                let length = bytes.len() as u64;
                let skipped = self.payload_left.min(length);
                self.payload_left -= skipped;
                bytes = &bytes[usize::try_from(skipped).unwrap_or(bytes.len())..];
                continue;
            }
            self.header[self.known] = byte;
            self.known += 1;
            bytes = rest;
            if let Some(length) = self.payload_length() {
                self.payload_left = length;
                self.known = 0;
                frames += 1;
            }
        }
        frames
    }

    /// The length of the payload, once the header is complete.
    fn payload_length(&self) -> Option<u64> {
        let second = *self.header[..self.known].get(1)?;
        let length_bytes = match second & 0x7f {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        let mask_bytes = if second & 0x80 == 0 { 0 } else { 4 };
        if self.known < 2 + length_bytes + mask_bytes {
            return None;
        }
        let more = &self.header[2..2 + length_bytes];
        Some(match length_bytes {
            0 => u64::from(second & 0x7f),
            _ => more.iter().fold(0, |length, byte| length << 8 | u64::from(*byte)),
        })
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for MeteredStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let me = self.get_mut();
        let before = buffer.filled().len();
        ready!(Pin::new(&mut me.stream).poll_read(context, buffer))?;
        let frames = me.counter.count(&buffer.filled()[before..]);
        Poll::Ready(match me.frames.spend(frames) {
            true => Ok(()),
            false => Err(io::Error::other(TooManyFrames)),
        })
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for MeteredStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, slices)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A masked frame with a payload of this many bytes.
    fn frame(first: u8, payload: usize) -> Vec<u8> {
        let mut bytes = vec![first];
        match u16::try_from(payload) {
            Ok(length) if length < 126 => bytes.push(0x80 | length as u8),
            Ok(length) => {
                bytes.push(0x80 | 126);
                bytes.extend(length.to_be_bytes());
            }
            Err(_) => {
                bytes.push(0x80 | 127);
                bytes.extend((payload as u64).to_be_bytes());
            }
        }
        bytes.extend([1, 2, 3, 4]);
        // Payloads that look like headers must not be taken for any.
        bytes.extend(std::iter::repeat_n(0x80, payload));
        bytes
    }

    #[test]
    fn frames_are_counted_however_they_arrive() {
        let frames = [(0x01, 0), (0x00, 0), (0x89, 5), (0x00, 125), (0x00, 126), (0x80, 70_000)];
        let bytes: Vec<u8> =
            frames.iter().flat_map(|&(first, payload)| frame(first, payload)).collect();
        for size in [1, 2, 3, 7, 100, bytes.len()] {
            let mut counter = FrameCounter::default();
            let count: usize = bytes.chunks(size).map(|chunk| counter.count(chunk)).sum();
            assert_eq!(count, frames.len(), "in chunks of {size} bytes");
        }
    }

    #[test]
    fn a_bucket_gives_what_it_has() {
        let mut bucket = Bucket::new(0.0, 3.0);
        assert!(bucket.spend(0) && bucket.spend(2) && !bucket.spend(2) && bucket.spend(1));
        assert!(!bucket.spend(1));
    }
}
