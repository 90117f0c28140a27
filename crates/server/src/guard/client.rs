//! The address of the client that sent a request.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use sha2::{Digest, Sha256};
use stoa_wire::ErrorCode;

use crate::api::Error;

/// The network of a client. A household has one IPv4 address or at least a /64 of IPv6 addresses, so these are what
/// limits distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Client(pub(super) IpAddr);

/// The networks of IPv6 that may all belong to one customer, a household or a company, by the length of their
/// prefixes; and how many times as much as one client each of them may do.
pub(super) const WIDER_NETWORKS: [(u32, u32); 2] = [(56, 2), (48, 4)];

impl Client {
    /// How many digits name one network in a pseudonym.
    pub(crate) const NAME_LENGTH: usize = 20;

    /// The client of a request: the peer of the connection, or the one that our proxy names.
    pub(crate) fn of<B>(request: &Request<B>, behind_proxy: bool) -> Client {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |ConnectInfo(peer)| peer.ip());
        let forwarded = if behind_proxy { forwarded_for(request.headers()) } else { None };
        Client::from(forwarded.unwrap_or(peer))
    }
}

impl Client {
    /// The network with a prefix of this length around it; nothing for IPv4.
    pub(super) fn wider(&self, prefix: u32) -> Option<Client> {
        let IpAddr::V6(address) = self.0 else { return None };
        let mask = u128::MAX.checked_shl(128 - prefix).unwrap_or_default();
        Some(Client(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))))
    }

    /// A name for the network that only the server's secret leads to. In IPv6 it begins with those of the wider
    /// networks, the widest first.
    pub(crate) fn pseudonym(&self, secret: &[u8]) -> String {
        let wider = WIDER_NETWORKS.iter().rev().filter_map(|(prefix, _)| self.wider(*prefix));
        let name = |network: Client| {
            let mut digest = Sha256::new_with_prefix(secret);
            digest.update(b" is not told, but the network is ");
            digest.update(network.0.to_string());
            let name = digest.finalize();
            name.iter()
                .take(Client::NAME_LENGTH / 2)
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        wider.chain([*self]).map(name).collect::<Vec<_>>().join(".")
    }

    /// Between which texts the pseudonyms of all networks are that may be the same customer's as this one. No digit
    /// of a pseudonym comes after `g` in any order of letters that a database may use.
    pub(crate) fn customer_pseudonyms(network: &str) -> [String; 2] {
        let widest = network.get(..Client::NAME_LENGTH).unwrap_or(network);
        [widest.to_owned(), format!("{widest}g")]
    }

    /// The limit that a network, or a wider one around it, has reached; nothing if there is room for one more.
    /// `counts` says how many there are by pseudonym, and `max` how many a single client may have.
    pub(crate) fn reached_limit(network: &str, max: i64, counts: &[(String, i64)]) -> Option<i64> {
        let ends = network.match_indices('.').map(|(end, _)| &network[..=end]);
        let wider = ends.zip(WIDER_NETWORKS.iter().rev().map(|(_, times)| i64::from(*times)));
        let limits = [(network, max)]
            .into_iter()
            .chain(wider.map(|(begin, times)| (begin, max.saturating_mul(times))));
        let count = |begin: &str| -> i64 {
            counts
                .iter()
                .filter(|(other, _)| other.starts_with(begin))
                .map(|(_, count)| count)
                .sum()
        };
        limits.into_iter().find(|(begin, max)| count(begin) >= *max).map(|(_, max)| max)
    }
}

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let network = address.to_bits() & (u128::MAX << 64);
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
        })
    }
}

/// The last address in `X-Forwarded-For`, which our own proxy wrote. Those before it come from the client
/// and may be forged.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    let last = last.to_str().ok()?.rsplit(',').next()?.trim();
    let with_port = || last.parse::<SocketAddr>().map(|address| address.ip());
    last.parse().or_else(|_| with_port()).ok()
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Error> {
        let missing = || Error::new(ErrorCode::Internal, "the middleware is missing");
        parts.extensions.get().copied().ok_or_else(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, headers: &[&str], behind_proxy: bool) -> String {
        let mut request = Request::new(());
        let peer: SocketAddr = peer.parse().expect("an address");
        request.extensions_mut().insert(ConnectInfo(peer));
        for value in headers {
            request.headers_mut().append("x-forwarded-for", value.parse().expect("a value"));
        }
        Client::of(&request, behind_proxy).0.to_string()
    }

    #[test]
    fn claims_of_a_client_about_its_address_are_ignored() {
        assert_eq!(client("10.0.0.1:80", &["1.2.3.4"], false), "10.0.0.1");
        assert_eq!(client("10.0.0.1:80", &["9.9.9.9, 1.2.3.4"], true), "1.2.3.4");
        assert_eq!(client("10.0.0.1:80", &["9.9.9.9", "1.2.3.4:5678"], true), "1.2.3.4");
        assert_eq!(client("10.0.0.1:80", &["1.2.3.4, nonsense"], true), "10.0.0.1");
        assert_eq!(client("10.0.0.1:80", &[], true), "10.0.0.1");
    }

    #[test]
    fn only_networks_of_ipv6_are_part_of_wider_ones() {
        let of = |address: &str| Client::from(address.parse::<IpAddr>().expect("an address"));
        let wider =
            |address: &str, prefix| of(address).wider(prefix).map(|wider| wider.0.to_string());
        assert_eq!(wider("2001:db8:1:2345::1", 56).as_deref(), Some("2001:db8:1:2300::"));
        assert_eq!(wider("2001:db8:1:2345::1", 48).as_deref(), Some("2001:db8:1::"));
        assert_eq!(wider("192.0.2.1", 48), None);
        assert_eq!(wider("::ffff:192.0.2.1", 48), None);
    }

    #[test]
    fn a_pseudonym_begins_with_those_of_the_wider_networks() {
        let of = |address: &str| {
            Client::from(address.parse::<IpAddr>().expect("an address")).pseudonym(b"secret")
        };
        let [one, same, near, far] =
            ["2001:db8:1:2345::1", "2001:db8:1:2345::2", "2001:db8:1:2346::1", "2001:db8:1:1::1"]
                .map(of);
        assert_eq!(one, same);
        assert_ne!(one, near);
        let names = |network: &str| network.split('.').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(names(&one)[..2], names(&near)[..2], "a /56");
        assert_eq!(names(&one)[0], names(&far)[0], "a /48");
        assert_ne!(names(&one)[1], names(&far)[1]);
        assert!(names(&one).iter().all(|name| name.len() == Client::NAME_LENGTH));
        assert_eq!(names(&of("192.0.2.1")).len(), 1);

        let [from, to] = Client::customer_pseudonyms(&one);
        assert!([&one, &near, &far].iter().all(|network| (&from..=&to).contains(network)));
        assert!(!(from..=to).contains(&of("2001:db8:2:2345::1")));
        let [from, to] = Client::customer_pseudonyms(&of("192.0.2.1"));
        assert!((&from..=&to).contains(&&of("192.0.2.1")));
        assert!(!(from..=to).contains(&of("192.0.2.2")));

        let reached = |counts: [i64; 3]| {
            let networks = [&one, &near, &far].map(String::clone);
            Client::reached_limit(&one, 3, &networks.into_iter().zip(counts).collect::<Vec<_>>())
        };
        assert_eq!(reached([2, 3, 6]), None);
        assert_eq!(reached([3, 0, 0]), Some(3));
        assert_eq!(reached([2, 4, 0]), Some(6), "a /56 has twice as many");
        assert_eq!(reached([0, 0, 12]), Some(12), "a /48 four times");
    }

    #[test]
    fn a_household_is_one_client() {
        assert_eq!(client("[2001:db8:1:2:3:4:5:6]:80", &[], false), "2001:db8:1:2::");
        assert_eq!(client("[2001:db8:1:2::9]:80", &[], false), "2001:db8:1:2::");
        assert_eq!(client("[::ffff:1.2.3.4]:80", &[], false), "1.2.3.4");
    }
}
