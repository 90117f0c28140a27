//! The page at its real addresses: `/impasse/rules`, `/game/ID`, `/analyse/impasse?p=…`.
//!
//! Every address of the app is answered with `index.html`, with a head that says what is there, so that
//! links show a title and a picture elsewhere, and with words for browsers without scripts.
//!
//! | file | what |
//! |---|---|
//! | `address.rs` | what an address leads to |
//! | `site.rs` | what the build of the page says about its addresses |
//! | `template.rs`, `head.rs` | the page, and what is put into it |
//! | `language.rs` | in which language it is sent |
//! | `words.rs` | games and challenges in words |
//! | `pictures.rs` | the pictures of links |
//! | `crawlers.rs` | `robots.txt` and `sitemap.xml` |

mod address;
mod crawlers;
mod head;
mod language;
mod pictures;
mod site;
mod template;
mod words;

use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::api::find_player;
use crate::app::AppState;
use crate::assets::Assets;
use crate::guard::Client;
use crate::monitoring::warn_folded;
use crate::security_headers::Sharing;
use crate::static_files;
use crate::store::StoreError;
use crate::time::millis;

use address::Address;
use head::Head;
use site::Site;
use template::{Filling, Template};

pub(crate) use crawlers::{robots, sitemap};
pub(crate) use pictures::{Pictures, picture};

/// Some things on the page change by the day (`web/src/lib/day.ts`).
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Smaller pages fit into the first packets as they are, in bytes.
const MIN_COMPRESSED: usize = 4096;

/// The page and what is known about its addresses.
#[derive(Debug)]
pub(crate) struct Pages {
    template: Option<Template>,
    site: Site,
}

impl Pages {
    pub(crate) fn new(assets: &Assets) -> Pages {
        let text = |path: &str| {
            let file = assets.get(path)?;
            Some(String::from_utf8_lossy(&file.plain).into_owned())
        };
        Pages {
            template: text("index.html").and_then(|html| Template::new(&html)),
            site: text(site::FILE).map_or_else(Site::default, |json| Site::read(&json, text)),
        }
    }
}

/// Serves the page, at any of its addresses and at those that lead nowhere.
pub(crate) async fn page(State(app): State<AppState>, request: Request) -> Response {
    let (uri, headers) = (request.uri(), request.headers());
    let Some(template) = app.pages.template.as_ref().filter(|_| !address::is_of_a_file(uri.path()))
    else {
        // Without a page that we know there are no addresses but the first.
        let is_first = uri.path() == "/";
        return if is_first {
            static_files::index(&app, headers)
        } else {
            static_files::not_found()
        };
    };
    // Games are looked up for a page, and it is filled and compressed.
    if let Err(error) = app.limits.page(&Client::of(&request, app.settings.behind_proxy)) {
        return static_files::too_many(&error);
    }
    let address = Address::parse(uri.path(), uri.query().unwrap_or(""), &app.pages.site);
    let head = match head_of(&app, &address).await {
        Ok(head) => head,
        Err(error) => {
            // The page itself asks for the game again, and says what is wrong.
            warn_folded!(%error, "cannot describe the page at a URL");
            Head::unknown()
        }
    };
    let status = if head.is_missing { StatusCode::NOT_FOUND } else { StatusCode::OK };
    let origin = Origin::of(&app, headers);
    let site = &app.pages.site;
    let is_framable = address.is_framable() || asks_for_embedding(uri);
    let language = language::preferred(headers, site.languages());
    let asked = uri.path_and_query().map_or("", |whole| whole.as_str());
    let filling = Filling {
        base: &origin.base,
        language,
        tags: &head.tags(&origin, asked.trim_start_matches('/')),
        styles: &head.styles(),
        // Boards within other people's pages stand alone.
        app: if is_framable { "" } else { prerendered(&app, &address, language) },
        noscript: &head.noscript(),
    };
    let mut response = respond(status, headers, template.fill(&filling));
    if is_framable {
        response.extensions_mut().insert(Sharing::Framed);
    }
    response
}

/// What is seen at an address before the scripts run.
fn prerendered<'a>(app: &'a AppState, address: &Address, language: &str) -> &'a str {
    let path = match address {
        Address::Listed(path) => Some(path.as_str()),
        _ => None,
    };
    let day = app.time.now().div_euclid(millis(DAY));
    app.pages.site.prerendered(path, language, usize::try_from(day).unwrap_or(0))
}

/// `/?embed#/embed/…` is a board for other people's pages at a host that may have no real addresses. The
/// app shows nothing else in a frame.
fn asks_for_embedding(uri: &Uri) -> bool {
    uri.path() == "/" && uri.query().is_some_and(|query| query.split('&').any(|key| key == "embed"))
}

/// What is said about an address.
async fn head_of(app: &AppState, address: &Address) -> Result<Head, StoreError> {
    let site = &app.pages.site;
    Ok(match address {
        Address::Missing => Head::missing(),
        Address::Listed(path) => {
            site.page(path).map_or_else(Head::missing, |page| Head::listed(path, page))
        }
        Address::Private(path) => Head::private(site, path),
        Address::Position { game, position, path } => {
            words::position(site, *game, position.as_deref(), path)
        }
        Address::Game(id) => match app.store.game(id).await? {
            Some(row) => words::game(&row),
            None => Head::missing(),
        },
        Address::Challenge(id) => match app.store.challenge(id).await? {
            Some(row) => words::challenge(&row),
            None => Head::missing(),
        },
        Address::Player(name) => match find_player(app, name).await? {
            Some((player, _)) => words::player(&player, &app.store.ratings_of(&player.id).await?),
            None => Head::missing(),
        },
    })
}

fn respond(status: StatusCode, request: &HeaderMap, html: String) -> Response {
    let mut hasher = DefaultHasher::new();
    hasher.write(html.as_bytes());
    let is_compressed = html.len() >= MIN_COMPRESSED && static_files::accepts(request, "gzip");
    let suffix = if is_compressed { "-gz" } else { "" };
    let tag = format!("\"{:016x}{suffix}\"", hasher.finish());
    let caching = [
        (header::ETAG, tag.as_str()),
        (header::CACHE_CONTROL, static_files::REVALIDATE),
        (header::VARY, "accept-encoding, accept-language"),
    ];
    if status == StatusCode::OK && static_files::matches_etag(request, &tag) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    match is_compressed.then(|| gzip(html.as_bytes())) {
        Some(Ok(body)) => {
            (status, caching, [(header::CONTENT_ENCODING, "gzip")], Html(body)).into_response()
        }
        _ => (status, caching, Html(html)).into_response(),
    }
}

/// A page is made for each request, so it is compressed quickly rather than well.
fn gzip(html: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(html.len() / 3), Compression::fast());
    encoder.write_all(html)?;
    encoder.finish()
}

/// How people reach the server: `https://stoa.example`, and the folder of the app there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Origin {
    /// Empty if it is not known.
    host: String,
    /// The folder of the app, such as `/`.
    base: String,
}

impl Origin {
    /// The public URL, or else the host that the browser asked for.
    fn of(app: &AppState, headers: &HeaderMap) -> Origin {
        if let Some(url) = &app.settings.public_url {
            return Origin::public(url);
        }
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        let is_host = !host.is_empty() && host.chars().all(is_plain);
        let host = if is_host { format!("http://{host}") } else { String::new() };
        Origin { host, base: "/".to_owned() }
    }

    fn public(url: &str) -> Origin {
        let url = url.trim_end_matches('/');
        let after_scheme = url.find("://").map_or(0, |at| at + 3);
        let path = url[after_scheme..].find('/').map_or(url.len(), |at| after_scheme + at);
        Origin { host: url[..path].to_owned(), base: format!("{}/", &url[path..]) }
    }

    /// A path below the folder of the app as a whole address.
    fn address(&self, path: &str) -> String {
        format!("{}{}{path}", self.host, self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::Origin;

    #[test]
    fn the_app_may_be_in_a_folder() {
        let origin = Origin::public("https://stoa.example");
        assert_eq!(
            (origin.base.as_str(), origin.address("x").as_str()),
            ("/", "https://stoa.example/x")
        );
        let origin = Origin::public("https://example.org/games/stoa/");
        assert_eq!(origin.base, "/games/stoa/");
        assert_eq!(origin.address("impasse/rules"), "https://example.org/games/stoa/impasse/rules");
    }
}
