//! Protection against cross-site request forgery.
//!
//! Browsers say in `Origin` which page sends a request, and no page can forge it. Other programs need not send
//! it: they have no cookies of another user.

use axum::http::{HeaderMap, Uri, header};
use stoa_wire::ErrorCode;

use crate::api::Error;

/// Refuses a request that the page of another site has sent.
pub(super) fn check(headers: &HeaderMap, public_url: Option<&str>) -> Result<(), Error> {
    let refused = || {
        let message = "this request came from the page of another site";
        Err(Error::new(ErrorCode::WrongOrigin, message))
    };
    if headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site") {
        return refused();
    }
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else { return Ok(()) };
    let origin = origin.to_str().ok().and_then(Origin::parse);
    let Some(origin) = origin.filter(|_| origins.next().is_none()) else { return refused() };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_host = host.is_some_and(|host| origin.is_of(host));
    let is_public = public_url.and_then(Origin::parse).is_some_and(|own| own == origin);
    if is_host || is_public { Ok(()) } else { refused() }
}

/// The site under which people reach a server, for credentials that are bound to a domain.
#[derive(Debug)]
pub(crate) struct Site {
    /// The domain.
    pub(crate) host: String,
    /// Its origin, if it is known; otherwise what `Host` says.
    origin: Result<Origin, String>,
}

impl Site {
    /// The public URL, if there is one, or else the `Host` of a request. Nothing if that is a number.
    pub(crate) fn of(headers: &HeaderMap, public_url: Option<&str>) -> Option<Site> {
        let (host, origin) = match public_url {
            Some(url) => {
                let origin = Origin::parse(url)?;
                (origin.host.clone(), Ok(origin))
            }
            None => {
                let named = headers.get(header::HOST)?.to_str().ok()?;
                (Origin::parse(&format!("http://{named}"))?.host, Err(named.to_owned()))
            }
        };
        let is_number = host.starts_with('[') || host.parse::<std::net::IpAddr>().is_ok();
        (!is_number).then_some(Site { host, origin })
    }

    /// Whether a page with this origin is one of ours.
    pub(crate) fn is_own(&self, origin: &str) -> bool {
        let Some(origin) = Origin::parse(origin) else { return false };
        match &self.origin {
            Ok(own) => origin == *own,
            Err(host) => origin.is_of(host),
        }
    }
}

/// A scheme, a host and a port.
#[derive(Debug, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl Origin {
    fn parse(text: &str) -> Option<Origin> {
        let uri: Uri = text.parse().ok()?;
        let scheme = uri.scheme_str()?.to_ascii_lowercase();
        let default = default_port(&scheme)?;
        let host = uri.host()?.to_ascii_lowercase();
        Some(Origin { scheme, host, port: uri.port_u16().unwrap_or(default) })
    }

    /// Whether the `Host` header names it. The header has no scheme, and a proxy may have terminated TLS, so
    /// the scheme of the origin decides which default port is meant.
    fn is_of(&self, host: &str) -> bool {
        Origin::parse(&format!("{}://{host}", self.scheme)).is_some_and(|named| named == *self)
    }
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(host: &str, lines: &[(&'static str, &str)], public_url: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().expect("a host"));
        for (name, value) in lines {
            headers.append(*name, value.parse().expect("a value"));
        }
        check(&headers, public_url).is_ok()
    }

    #[test]
    fn only_our_own_page_may_send() {
        let own = |origin| allowed("stoa.example", &[("origin", origin)], None);
        assert!(own("https://stoa.example") && own("http://stoa.example"));
        assert!(own("https://STOA.example:443"));
        for other in [
            "https://evil.example",
            "https://stoa.example.evil.example",
            "https://stoa.example:8443",
            "https://sub.stoa.example",
            "null",
            "",
            "stoa.example",
            "file://stoa.example",
            "https://stoa.example@evil.example",
        ] {
            assert!(!own(other), "{other}");
        }
        let twice = [("origin", "https://stoa.example"), ("origin", "https://evil.example")];
        assert!(!allowed("stoa.example", &twice, None));
        assert!(allowed("127.0.0.1:8473", &[("origin", "http://127.0.0.1:8473")], None));
        assert!(!allowed("127.0.0.1:8473", &[("origin", "http://127.0.0.1:8474")], None));
        assert!(allowed("[::1]:8473", &[("origin", "http://[::1]:8473")], None));
    }

    #[test]
    fn behind_a_proxy_the_public_address_counts() {
        let public = Some("https://stoa.example/");
        assert!(allowed("10.0.0.5:8473", &[("origin", "https://stoa.example")], public));
        assert!(!allowed("10.0.0.5:8473", &[("origin", "http://stoa.example")], public));
        assert!(!allowed("10.0.0.5:8473", &[("origin", "https://evil.example")], public));
    }

    #[test]
    fn programs_need_not_say_and_browsers_cannot_hide() {
        assert!(allowed("stoa.example", &[], None));
        assert!(allowed("stoa.example", &[("sec-fetch-site", "same-origin")], None));
        assert!(!allowed("stoa.example", &[("sec-fetch-site", "cross-site")], None));
    }
}
