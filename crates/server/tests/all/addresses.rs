//! The page at its real addresses, and what links to it show.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::body::Bytes;
use serde_json::json;
use stoa_server::{Assets, Time};

use crate::talk::people::{Person, begin, unlimited};
use crate::talk::{Answer, Server, get};

/// A page like the one that is built, with words for some of its addresses.
fn site() -> Assets {
    let index = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"description\" \
        content=\"All\"><title>Stoa</title></head><body><div id=\"app\"></div>\
        <noscript>Scripts!</noscript></body></html>";
    let addresses = r#"{"frame":{"en":["<header>Menu</header>"],"es":["<header>Menú</header>"]},"pages":{
        "":{"title":"Stoa","description":"Games","text":"<main>All games</main>",
            "prerendered":{"en":["<h1>Monday</h1>","<h1>Tuesday</h1>"],"es":["<h1>Lunes</h1>"]}},
        "impasse/rules":{"title":"Impasse – Rules – Stoa","description":"Get rid of \"all\" checkers",
            "game":"impasse","scripts":["assets/rules-1a2b.js"],"styles":["assets/rules-3c4d.css"],"text":"<main><h1>Rules of Impasse</h1></main>"},
        "account":{"title":"Account – Stoa","description":"Yours","private":true},
        "embed":{"title":"Board – Stoa","description":"A board","private":true},
        "analyse":{"title":"Analyse – Stoa","description":"Any position"}}}"#;
    let files = [
        ("index.html", index),
        ("addresses.json", addresses),
        ("stoa-board.js", "element"),
        ("assets/text-1a2b.woff2", "font"),
        ("assets/rules-3c4d.css", "article{gap:1rem}"),
    ];
    Assets::new(files.map(|(path, text)| (path.to_owned(), Bytes::from_static(text.as_bytes()))))
}

fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}

fn frames(answer: &Answer) -> &str {
    let policy = answer.header("content-security-policy").expect("a policy");
    policy.rsplit("frame-ancestors ").next().expect("a rule for frames")
}

#[test]
fn every_address_says_what_is_there() {
    let server = Server::set(site(), |settings| {
        settings.public_url = Some("https://stoa.example".to_owned());
    });
    let answer = server.ask(&get("/impasse/rules", ""));
    let page = text(&answer);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    for part in [
        "<head><base href=\"/\">",
        "<title>Impasse – Rules – Stoa</title>",
        "<meta name=\"description\" content=\"Get rid of &quot;all&quot; checkers\">",
        "<link rel=\"canonical\" href=\"https://stoa.example/impasse/rules\">",
        "<meta property=\"og:title\" content=\"Impasse – Rules – Stoa\">",
        "<meta property=\"og:url\" content=\"https://stoa.example/impasse/rules\">",
        "<meta property=\"og:image\" content=\"https://stoa.example/pictures/impasse.png\">",
        "<meta name=\"twitter:card\" content=\"summary_large_image\">",
        "<link rel=\"modulepreload\" crossorigin href=\"assets/rules-1a2b.js\">",
        "<style>article{gap:1rem}</style><link rel=\"stylesheet\" disabled href=\"assets/rules-3c4d.css\"></head>",
        "<noscript><style>#app{display:none}</style><main><h1>Rules of Impasse</h1></main>",
        "<div id=\"app\"><header>Menu</header></div>",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("content=\"All\""), "one description: {page}");
    // The same place by another address.
    let other = text(&server.ask(&get("/rules/impasse", "")));
    assert!(other.contains("href=\"https://stoa.example/impasse/rules\""), "{other}");
    // The file itself stays as it is: the service worker compares it.
    assert!(!text(&server.ask(&get("/index.html", ""))).contains("<base"));
    let tag = answer.header("etag").expect("a tag");
    let again = server.ask(&get("/impasse/rules", &format!("If-None-Match: {tag}\r\n")));
    assert_eq!(again.status, 304);
}

/// The app as it is sent before its scripts run.
fn sent_app(server: &Server, path: &str, headers: &str) -> String {
    let page = text(&server.ask(&get(path, headers)));
    let (_, rest) = page.split_once("<div id=\"app\">").expect("an app");
    rest.split_once("</div>").expect("its end").0.to_owned()
}

#[test]
fn pages_are_sent_as_they_will_look() {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let now = Arc::new(AtomicI64::new(20_000 * DAY));
    let server = Server::set(site(), |settings| settings.time = Time::Manual(now.clone()));
    let spanish = "Accept-Language: de, es-MX;q=0.8, en;q=0.5\r\n";
    assert_eq!(sent_app(&server, "/", ""), "<h1>Monday</h1>");
    now.fetch_add(DAY, Ordering::SeqCst);
    assert_eq!(sent_app(&server, "/", ""), "<h1>Tuesday</h1>");
    assert_eq!(sent_app(&server, "/", spanish), "<h1>Lunes</h1>");
    // Where nothing is drawn in advance there is at least what all pages have.
    assert_eq!(sent_app(&server, "/impasse/rules", spanish), "<header>Menú</header>");
    assert_eq!(sent_app(&server, "/review/g/abc", ""), "<header>Menu</header>");
    let answer = server.ask(&get("/", spanish));
    assert!(text(&answer).contains("<html lang=\"es\">"));
    assert!(answer.header("vary").is_some_and(|vary| vary.contains("accept-language")));
    // Boards for other people's pages stand alone.
    for path in ["/?embed", "/embed/impasse"] {
        assert_eq!(sent_app(&server, path, ""), "", "{path}");
    }
}

/// A page costs more than a file; but somebody whose requests to the API are refused can load it again.
#[test]
fn pages_have_a_rate_limit_of_their_own() {
    let server = Server::set(site(), |settings| settings.rate = Some(2));
    let ask = |path: &str| server.ask(&get(path, "")).status;
    assert!((0..30).any(|_| ask("/api/games") == 429));
    let statuses: Vec<u16> = (0..30).map(|_| ask("/impasse/rules")).collect();
    assert_eq!(statuses[..10], [200; 10]);
    assert!(statuses.iter().filter(|status| **status == 429).count() >= 10, "{statuses:?}");
    let answer = server.ask(&get("/", ""));
    assert_eq!((answer.status, answer.header("retry-after")), (429, Some("1")));
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(ask("/stoa-board.js"), 200, "a file");
}

#[test]
fn missing_pages_are_not_found() {
    let server = Server::start(site());
    for path in [
        "/no-such-page",
        "/impasse/no-such-page",
        "/game/abcdefgh",
        "/game/%3Cscript%3E",
        "/challenge/abcdefgh",
        "/analyse/impasse?p=nonsense",
        "/nothing/%E0%A4%A",
    ] {
        let answer = server.ask(&get(path, ""));
        assert_eq!(answer.status, 404, "{path}");
        let page = text(&answer);
        assert!(page.contains("<div id=\"app\"><header>"), "{path}: the page says so");
        assert!(page.contains("noindex") && !page.contains("<script>"), "{path}: {page}");
    }
    for path in [
        "/pictures/none.png",
        "/pictures/impasse",
        "/pictures/game/abcdefgh.png",
        "/pictures/position/impasse.png?p=nonsense",
        "/pictures/position/impasse.png",
        "/pictures/board/impasse.svg",
        "/pictures/game/..%2Fx.png",
    ] {
        assert_eq!(server.ask(&get(path, "")).status, 404, "{path}");
    }
    assert_eq!(server.ask(&get("/no-such-file.js", "")).status, 404);
}

#[test]
fn boards_alone_may_be_framed() {
    let server = Server::start(site());
    for path in ["/embed", "/embed/impasse", "/embed/impasse?p=7b/8/8/8/8/2w5/8/8_b", "/?embed"] {
        let answer = server.ask(&get(path, ""));
        assert_eq!((answer.status, frames(&answer)), (200, "*"), "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("cross-origin"), "{path}");
    }
    for path in ["/", "/account", "/impasse/rules", "/embed/none", "/account?embed", "/index.html"]
    {
        let answer = server.ask(&get(path, ""));
        assert_eq!(frames(&answer), "'none'", "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"), "{path}");
    }
    let policy = server.ask(&get("/", ""));
    let policy = policy.header("content-security-policy").expect("a policy");
    assert!(policy.contains("base-uri 'self'"), "{policy}");
    let element = server.ask(&get("/stoa-board.js", ""));
    assert_eq!(element.header("access-control-allow-origin"), Some("*"));
    let font = server.ask(&get("/assets/text-1a2b.woff2", ""));
    assert_eq!(font.header("content-type"), Some("font/woff2"));
    assert_eq!(font.header("access-control-allow-origin"), None);
}

#[test]
fn pictures_are_drawn_and_may_be_shown_anywhere() {
    let server = Server::start(site());
    for path in [
        "/pictures/stoa.png",
        "/pictures/impasse.png",
        "/pictures/palisade:7.png",
        "/pictures/position/impasse.png?p=7b/8/8/8/8/2w5/8/8_b",
    ] {
        let answer = server.ask(&get(path, ""));
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, Some("image/png")),
            "{path}"
        );
        assert!(answer.body.starts_with(b"\x89PNG"), "{path}");
        // The width and the height, which are in the header of the file.
        assert_eq!(answer.body[16..24], [0, 0, 0x04, 0xb0, 0, 0, 0x02, 0x76], "{path}");
        assert!(answer.body.len() < 300_000, "{path}: {} bytes", answer.body.len());
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("cross-origin"));
        assert_eq!(answer.header("cache-control"), Some("public, max-age=604800"));
        assert_eq!(server.ask(&get(path, "")).body, answer.body, "{path}: the same again");
    }
    let board = server.ask(&get("/pictures/board/impasse.svg?p=7b/8/8/8/8/2w5/8/8_b", ""));
    assert_eq!(board.header("content-type"), Some("image/svg+xml"));
    assert!(text(&board).starts_with("<svg "));
}

#[test]
fn hostile_names_stay_names() {
    let server = Server::start(site());
    let mut ann = Person::new(server.address, "\"><script>alert(1)</script>");
    let mut bob = Person::new(server.address, "Влад 山'&");
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let answer = server.ask(&get(&format!("/game/{game}"), ""));
    let page = text(&answer);
    assert_eq!(answer.status, 200);
    assert!(!page.contains("<script>alert"), "{page}");
    assert!(page.contains(
        "<title>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; – Влад 山&#39;&amp;, Impasse"
    ));
    assert!(page.contains("White moves first."), "{page}");
    let picture = server.ask(&get(&format!("/pictures/game/{game}.png"), ""));
    assert_eq!(picture.status, 200);
    assert_eq!(picture.header("cache-control"), Some("public, max-age=15"));
    assert_eq!(ann.play(&game, 0, "d2-b4").0, 200);
    assert_eq!(bob.play(&game, 1, "e7-g5").0, 200);
    assert_eq!(ann.act(&game, json!({ "kind": "resign" })).0, 200);
    let over = server.ask(&get(&format!("/pictures/game/{game}.png"), ""));
    assert_eq!(over.header("cache-control"), Some("public, max-age=604800"));
    assert_ne!(over.body, picture.body, "it says who won");
}

#[test]
fn crawlers_find_what_is_public() {
    let server = Server::set(site(), |settings| {
        settings.public_url = Some("https://stoa.example".to_owned());
    });
    let robots = text(&server.ask(&get("/robots.txt", "")));
    assert!(
        robots.contains("Disallow: /api/\nSitemap: https://stoa.example/sitemap.xml\n"),
        "{robots}"
    );
    let sitemap = text(&server.ask(&get("/sitemap.xml", "")));
    assert!(sitemap.contains("<loc>https://stoa.example/impasse/rules</loc>"), "{sitemap}");
    assert!(sitemap.contains("<loc>https://stoa.example/</loc>"), "{sitemap}");
    assert!(!sitemap.contains("account") && !sitemap.contains("embed"), "{sitemap}");
}
