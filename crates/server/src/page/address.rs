//! What a real address leads to. The page reads the same addresses (`web/src/lib/router.svelte.ts`).

use stoa_rules::Game;

use super::site::Site;
use crate::ids;

/// Pages whose addresses begin with the game they are about.
const BY_GAME: [&str; 6] = ["play", "learn", "rules", "puzzles", "report", "leaderboard"];
/// The longest position in an address, in bytes.
const MAX_POSITION: usize = 2000;

/// What an address leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    /// Something with words of its own: the path in the list of the site.
    Listed(String),
    /// Something that only this browser knows; the path in the list that it belongs to.
    Private(&'static str),
    /// A board with a position, or with the start of a game.
    Position { game: Game, position: Option<String>, path: String },
    /// A game between people.
    Game(String),
    /// A challenge.
    Challenge(String),
    /// A player, by the name they sign in with or by id.
    Player(String),
    /// Nothing.
    Missing,
}

impl Address {
    pub(super) fn parse(path: &str, query: &str, site: &Site) -> Address {
        let parts: Option<Vec<String>> =
            path.split('/').filter(|part| !part.is_empty()).map(decoded).collect();
        let Some(parts) = parts else { return Address::Missing };
        let mut parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        // `/rules/impasse` is the same as `/impasse/rules`, and `/impasse` is where it is played.
        if let [page, game, ..] = parts[..]
            && BY_GAME.contains(&page)
            && game_of(game).is_some()
        {
            parts.swap(0, 1);
        }
        if let [game] = parts[..]
            && game_of(game).is_some()
        {
            parts.push("play");
        }
        let found = match parts[..] {
            ["game", id] => id_of(id).map(Address::Game),
            ["challenge", id] => id_of(id).map(Address::Challenge),
            ["player", name] => Some(Address::Player(name.to_owned())),
            ["play" | "review", "g", _] | ["review", _] => Some(Address::Private("review")),
            ["analyse", "game" | "a", _] => Some(Address::Private("analyse")),
            ["puzzles", "mixed"] | ["puzzles", "mixed", _] => listed("puzzles", site),
            ["online", "new"] => listed("online", site),
            ["online", "new", game] => game_of(game).and_then(|_| listed("online", site)),
            ["mail", _] | ["mail", _, _] => Some(Address::Private("mail")),
            ["embed"] => Some(Address::Private("embed")),
            ["embed", "puzzle", game, _] => game_of(game).map(|_| Address::Private("embed")),
            ["analyse" | "embed", game] | ["analyse", "edit", game] => {
                position(game, query, &parts.join("/"))
            }
            [game, "puzzles", _] => in_list(game, "puzzles", site),
            [game, page] if BY_GAME.contains(&page) && game.contains(':') => {
                in_list(game, page, site)
            }
            _ => listed(&parts.join("/"), site),
        };
        found.unwrap_or(Address::Missing)
    }

    /// Whether other people's pages may show it within them.
    pub(super) fn is_framable(&self) -> bool {
        match self {
            Address::Private(path) => *path == "embed",
            Address::Position { path, .. } => path.starts_with("embed/"),
            _ => false,
        }
    }
}

/// Whether an address is that of a file: pages have no dots in the last part of theirs.
pub(super) fn is_of_a_file(path: &str) -> bool {
    path.starts_with("/assets/") || path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

fn listed(path: &str, site: &Site) -> Option<Address> {
    let is_known = path.is_empty() || site.page(path).is_some();
    is_known.then(|| Address::Listed(path.to_owned()))
}

/// A page of a game, whatever its options.
fn in_list(game: &str, page: &str, site: &Site) -> Option<Address> {
    listed(&format!("{}/{page}", game_of(game)?.info().id), site)
}

fn game_of(id: &str) -> Option<Game> {
    id.parse().ok()
}

fn id_of(text: &str) -> Option<String> {
    ids::is_id(text).then(|| text.to_owned())
}

fn position(game: &str, query: &str, path: &str) -> Option<Address> {
    let game = game_of(game)?;
    let text = value(query, "p");
    let text = match text {
        None => None,
        Some(text) if text.len() <= MAX_POSITION => {
            let text = decoded(&text.replace('+', " "))?.replace('_', " ").trim().to_owned();
            Some(game.position(&text).ok()?.text())
        }
        Some(_) => return None,
    };
    Some(Address::Position { game, position: text, path: path.to_owned() })
}

/// The value of a key in a query, not decoded.
fn value<'a>(query: &'a str, key: &str) -> Option<&'a str> {
    query.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))
}

/// A part of an address without its escapes; nothing if they are no text.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, after @ ..] = rest {
        if *first != b'%' {
            bytes.push(*first);
            rest = after;
            continue;
        }
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok())?;
        bytes.push(u8::from_str_radix(hex, 16).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        let page = |path: &str| format!("{path:?}: {{\"title\":\"t\",\"description\":\"d\"}}");
        let paths = [
            "",
            "play",
            "learn",
            "puzzles",
            "online",
            "analyse",
            "impasse/rules",
            "impasse/learn/crown",
        ];
        let more = ["columna/report", "impasse/play", "palisade/play", "impasse/puzzles"];
        let pages: Vec<String> = paths.iter().chain(&more).map(|path| page(path)).collect();
        Site::read(&format!("{{\"pages\":{{{}}}}}", pages.join(",")), |_| None)
    }

    fn read(address: &str) -> Address {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        Address::parse(path, query, &site())
    }

    #[test]
    fn addresses_lead_somewhere() {
        for (address, path) in [
            ("/", ""),
            ("/impasse", "impasse/play"),
            ("/impasse/", "impasse/play"),
            ("/impasse/rules", "impasse/rules"),
            ("/rules/impasse", "impasse/rules"),
            ("/learn/impasse/crown", "impasse/learn/crown"),
            ("/palisade%3A7/play", "palisade/play"),
            ("/impasse/puzzles/abc", "impasse/puzzles"),
            ("/puzzles/mixed?grade=2", "puzzles"),
            ("/online/new/colossus", "online"),
            ("/columna:points/report", "columna/report"),
        ] {
            assert_eq!(read(address), Address::Listed(path.to_owned()), "{address}");
        }
        assert_eq!(read("/game/abc"), Address::Game("abc".to_owned()));
        assert_eq!(read("/challenge/abc"), Address::Challenge("abc".to_owned()));
        assert_eq!(
            read("/player/Zeno%20of%20Citium"),
            Address::Player("Zeno of Citium".to_owned())
        );
        assert_eq!(read("/play/g/x"), Address::Private("review"));
        let Address::Position { game, position, .. } =
            read("/analyse/impasse?p=7b/8/8/8/8/2w5/8/8_b")
        else {
            panic!("a position");
        };
        assert_eq!((game, position.as_deref()), (Game::Impasse, Some("7b/8/8/8/8/2w5/8/8 b")));
    }

    #[test]
    fn others_lead_nowhere() {
        for address in [
            "/no-such-page",
            "/impasse/no-such-page",
            "/impasse/rules/more",
            "/impasse/learn/no-such-step",
            "/palisade:99/play",
            "/game",
            "/player",
            "/player/zeno/more",
            "/game/a%20b",
            "/game/abc/more",
            "/nothing/%E0%A4%A",
            "/%FF",
            "/%3Cscript%3E",
            "/analyse/no-such-game",
            "/analyse/impasse?p=nonsense",
            "/embed/no-such-game",
            "/embed/puzzle/none/x",
        ] {
            assert_eq!(read(address), Address::Missing, "{address}");
        }
    }

    #[test]
    fn only_embedded_boards_may_be_framed() {
        for address in ["/embed", "/embed/impasse", "/embed/puzzle/impasse/x"] {
            assert!(read(address).is_framable(), "{address}");
        }
        for address in ["/", "/analyse/impasse", "/game/abc", "/embed/no-such-game", "/account"] {
            assert!(!read(address).is_framable(), "{address}");
        }
    }
}
