//! Sends messages to push services. Browsers choose the endpoint, so anyone can name any address: nothing
//! is sent to addresses outside the public internet, whatever a name resolves to.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::http::{Request, StatusCode, Uri, header};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::settings::PushPolicy;

/// The longest URL of an endpoint.
const MAX_ENDPOINT_LENGTH: usize = 1000;
/// How long a push service may take.
const SEND_TIMEOUT: Duration = Duration::from_secs(15);

/// The answer of a push service.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Delivered {
    /// It has accepted the message.
    Accepted,
    /// It knows no such subscription, or the address is not allowed.
    Gone,
    /// Retry later, after this delay if it says so.
    Later { after: Option<Duration> },
    /// It did not answer in time. Retry later.
    Silent,
    /// It refused the message.
    Refused(StatusCode),
    /// Nothing was sent: the player knows already.
    OutOfDate,
}

/// The URL of an endpoint, if the policy allows it as far as can be told without resolving it.
pub(crate) fn endpoint(text: &str, policy: PushPolicy) -> Option<Uri> {
    let uri: Uri = text.parse().ok().filter(|_| text.len() <= MAX_ENDPOINT_LENGTH)?;
    let authority = uri.authority()?.as_str();
    if authority.contains('@') || uri.host()?.is_empty() {
        return None;
    }
    let is_https = uri.scheme_str() == Some("https");
    let allowed = match policy {
        PushPolicy::Disabled => false,
        PushPolicy::AnyAddress => is_https || uri.scheme_str() == Some("http"),
        // Every push service uses the default port; other ports are other services.
        PushPolicy::PublicAddresses => {
            let literal: Option<IpAddr> = uri.host()?.trim_matches(['[', ']']).parse().ok();
            is_https && matches!(uri.port_u16(), None | Some(443)) && literal.is_none_or(is_public)
        }
    };
    allowed.then_some(uri)
}

/// The service that an endpoint belongs to, as far as the URL says: the last two parts of its name, which cost something
/// to have, or its network.
pub(super) fn service(endpoint: &str) -> String {
    let uri: Option<Uri> = endpoint.parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    let host = host.trim_matches(['[', ']']).trim_end_matches('.').to_lowercase();
    match host.parse() {
        Ok(IpAddr::V4(address)) => address.to_string(),
        Ok(IpAddr::V6(address)) => {
            let [a, b, c, ..] = address.segments();
            Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0).to_string()
        }
        Err(_) => match host.rmatch_indices('.').nth(1) {
            Some((dot, _)) => host[dot + 1..].to_owned(),
            None => host,
        },
    }
}

/// Whether an address belongs to the public internet.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_shared = a == 100 && (64..128).contains(&b);
    let is_special = (a, b, c) == (192, 0, 0) || (a, b, c) == (192, 88, 99);
    let is_benchmarking = a == 198 && (18..20).contains(&b);
    !(a == 0
        || a >= 224
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || is_shared
        || is_special
        || is_benchmarking)
}

/// Only 2000::/3 is allocated, and parts of that lead to IPv4 addresses or nowhere.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    let is_special = a == 0x2001 && (b < 0x200 || b == 0xdb8);
    let leads_to_v4 = a == 0x2002;
    let is_documentation = a == 0x3fff && b < 0x1000;
    (0x2000..0x4000).contains(&a) && !is_special && !leads_to_v4 && !is_documentation
}

/// Sends messages to push services.
#[derive(Clone)]
pub(super) struct PushSender {
    tls: TlsConnector,
    policy: PushPolicy,
}

impl std::fmt::Debug for PushSender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PushSender").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl PushSender {
    pub(super) fn new(policy: PushPolicy) -> Result<PushSender, tokio_rustls::rustls::Error> {
        let roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(PushSender { tls: TlsConnector::from(Arc::new(config)), policy })
    }

    /// Sends a request, if the policy allows its address.
    pub(super) async fn send(&self, request: Request<Full<Bytes>>) -> Delivered {
        match tokio::time::timeout(SEND_TIMEOUT, self.connect_and_send(request)).await {
            Ok(Ok(delivered)) => delivered,
            Ok(Err(error)) => {
                tracing::debug!(%error, "cannot reach a push service");
                Delivered::Later { after: None }
            }
            Err(_) => Delivered::Silent,
        }
    }

    async fn connect_and_send(&self, request: Request<Full<Bytes>>) -> io::Result<Delivered> {
        let uri = request.uri();
        let (Some(host), Some(scheme)) = (uri.host(), uri.scheme_str()) else {
            return Ok(Delivered::Gone);
        };
        let host = host.trim_matches(['[', ']']).to_owned();
        let is_https = scheme == "https";
        let port = uri.port_u16().unwrap_or(if is_https { 443 } else { 80 });
        let found: Vec<SocketAddr> =
            tokio::net::lookup_host((host.as_str(), port)).await?.collect();
        // The address that was checked is the one that is connected to, so that DNS cannot change in between.
        let allowed = |address: &&SocketAddr| {
            self.policy == PushPolicy::AnyAddress || is_public(address.ip())
        };
        let Some(address) = found.iter().find(allowed) else { return Ok(Delivered::Gone) };
        let stream = TcpStream::connect(address).await?;
        if is_https {
            let name = ServerName::try_from(host).map_err(io::Error::other)?;
            exchange(self.tls.connect(name, stream).await?, request).await
        } else {
            exchange(stream, request).await
        }
    }
}

/// Sends one request and reads the head of the response. Redirects are not followed.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
) -> io::Result<Delivered> {
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .map_err(io::Error::other)?;
    let (mut parts, body) = request.into_parts();
    if let Some(authority) = parts.uri.authority() {
        let host = authority.as_str().parse().map_err(io::Error::other)?;
        parts.headers.insert(header::HOST, host);
    }
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    parts.uri = path.parse().map_err(io::Error::other)?;
    let mut response = std::pin::pin!(sender.send_request(Request::from_parts(parts, body)));
    let response = tokio::select! {
        response = &mut response => response,
        // The connection may have ended right after the response, which is then available.
        ended = connection => {
            ended.map_err(io::Error::other)?;
            response.await
        }
    };
    let response = response.map_err(io::Error::other)?;
    let after = response.headers().get(header::RETRY_AFTER);
    let after = after.and_then(|after| after.to_str().ok()?.parse().ok()).map(Duration::from_secs);
    Ok(match response.status() {
        status if status.is_success() => Delivered::Accepted,
        StatusCode::NOT_FOUND | StatusCode::GONE => Delivered::Gone,
        StatusCode::TOO_MANY_REQUESTS => Delivered::Later { after },
        status if status.is_server_error() => Delivered::Later { after },
        status => Delivered::Refused(status),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        for public in ["8.8.8.8", "93.184.216.34", "2606:4700::1111"] {
            assert!(is_public(public.parse().expect("an address")), "{public}");
        }
        for other in [
            "127.0.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.1",
            "192.0.2.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "fe80::1",
            "fc00::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
        ] {
            assert!(!is_public(other.parse().expect("an address")), "{other}");
        }
    }

    #[test]
    fn only_push_services_can_be_named() {
        let is_good = |text: &str| endpoint(text, PushPolicy::PublicAddresses).is_some();
        assert!(is_good("https://fcm.googleapis.com/fcm/send/abc:def?x=1"));
        assert!(is_good("https://web.push.apple.com:443/x"));
        for bad in [
            "http://push.example/x",
            "https://127.0.0.1/x",
            "https://[::1]/x",
            "https://[::ffff:10.0.0.1]/x",
            "https://push.example:22/x",
            "https://user@push.example/x",
            "ftp://push.example/x",
            "/x",
            "push.example",
            "",
            "https://",
            &format!("https://push.example/{}", "x".repeat(1000)),
        ] {
            assert!(!is_good(bad), "{bad}");
        }
        assert!(endpoint("http://127.0.0.1:1/x", PushPolicy::AnyAddress).is_some());
        assert!(endpoint("https://push.example/x", PushPolicy::Disabled).is_none());
    }

    #[test]
    fn addresses_that_cost_nothing_more_are_of_one_service() {
        for (endpoint, expected) in [
            ("https://fcm.googleapis.com/fcm/send/abc:def", "googleapis.com"),
            ("https://push.example:443/x", "push.example"),
            ("https://a.b.c.Push.Example./x", "push.example"),
            ("http://localhost:80/x", "localhost"),
            ("http://192.0.2.1:80/x", "192.0.2.1"),
            ("https://[2001:db8:1:2::3]/x", "2001:db8:1::"),
            ("rubbish", "rubbish"),
            ("/", ""),
        ] {
            assert_eq!(service(endpoint), expected, "{endpoint}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_not_followed() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let sender = PushSender::new(PushPolicy::PublicAddresses).expect("a sender");
        let request = Request::post(format!("https://localhost:{port}/x"));
        let request = request.body(Full::new(Bytes::new())).expect("a request");
        assert_eq!(sender.send(request).await, Delivered::Gone);
        let nobody = tokio::time::timeout(Duration::from_millis(100), listener.accept()).await;
        assert!(nobody.is_err(), "nothing was sent");
    }
}
