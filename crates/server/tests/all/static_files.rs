//! The web app over real connections.

use crate::talk::{self, Server, get};

#[test]
fn the_front_page_is_the_page() {
    let server = Server::start(talk::site());
    let answer = server.ask(&get("/", ""));
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), Some("no-cache"));
    assert_eq!(answer.body, b"<html>");
    assert_eq!(server.ask(&get("/index.html", "")).body, b"<html>");
}

#[test]
fn every_kind_of_file_has_its_type() {
    let server = Server::start(talk::site());
    for (path, kind) in [
        ("/assets/app-1a2b.js", "text/javascript; charset=utf-8"),
        ("/assets/app-1a2b.css", "text/css; charset=utf-8"),
        ("/assets/stoa-3c4d.wasm", "application/wasm"),
        ("/app.webmanifest", "application/manifest+json"),
        ("/icon.svg", "image/svg+xml"),
        ("/icon.png", "image/png"),
        ("/data.json", "application/json"),
        ("/strange", "application/octet-stream"),
    ] {
        let answer = server.ask(&get(path, ""));
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{path}");
    }
}

#[test]
fn hashed_files_are_cached_for_ever_and_others_revalidated() {
    let server = Server::start(talk::site());
    let hashed = server.ask(&get("/assets/app-1a2b.js", ""));
    assert!(hashed.header("cache-control").is_some_and(|value| value.contains("immutable")));
    let page = server.ask(&get("/", ""));
    let tag = page.header("etag").expect("a tag").to_owned();
    let again = server.ask(&get("/", &format!("If-None-Match: \"other\", W/{tag}\r\n")));
    assert_eq!((again.status, again.body.as_slice()), (304, &b""[..]));
    assert_eq!(again.header("etag"), Some(tag.as_str()));
    let other = server.ask(&get("/", "If-None-Match: \"other\"\r\n"));
    assert_eq!(other.status, 200);
    assert_ne!(server.ask(&get("/data.json", "")).header("etag"), Some(tag.as_str()));
}

#[test]
fn compressed_files_go_to_clients_that_accept_them() {
    let server = Server::start(talk::site());
    let ask = |wishes: &str| {
        let answer = server.ask(&get("/assets/app-1a2b.js", wishes));
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
        assert_eq!(answer.header("content-type"), Some("text/javascript; charset=utf-8"));
        let tag = answer.header("etag").expect("a tag").to_owned();
        (answer.header("content-encoding").map(str::to_owned), answer.body, tag)
    };
    let (plain, brotli) = (ask(""), ask("Accept-Encoding: gzip, deflate, br\r\n"));
    let (gzip, refused) = (ask("Accept-Encoding: gzip\r\n"), ask("Accept-Encoding: br;q=0\r\n"));
    assert_eq!((plain.0.as_deref(), plain.1.as_slice()), (None, &b"script"[..]));
    assert_eq!((brotli.0.as_deref(), brotli.1.as_slice()), (Some("br"), &b"smallest"[..]));
    assert_eq!((gzip.0.as_deref(), gzip.1.as_slice()), (Some("gzip"), &b"smaller"[..]));
    assert_eq!(refused, plain);
    // Different bytes, different tags.
    assert!(plain.2 != brotli.2 && brotli.2 != gzip.2 && plain.2 != gzip.2);
    // What is compressed has no address of its own.
    assert_eq!(server.ask(&get("/assets/app-1a2b.js.br", "")).status, 404);
}

#[test]
fn browsers_get_the_content_security_policy() {
    let server = Server::start(talk::site());
    for path in ["/", "/assets/app-1a2b.js", "/nowhere", "/healthz"] {
        let answer = server.ask(&get(path, ""));
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"));
        assert!(!policy.contains("http"), "nothing from elsewhere: {policy}");
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"));
        assert_eq!(answer.header("cross-origin-embedder-policy"), Some("require-corp"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}

#[test]
fn the_head_of_a_file_comes_without_its_body() {
    let server = Server::start(talk::site());
    let answer =
        server.ask("HEAD /assets/app-1a2b.js HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert_eq!((answer.status, answer.body.as_slice()), (200, &b""[..]));
    assert_eq!(answer.header("content-length"), Some("6"));
}

#[test]
fn tricks_with_paths_lead_nowhere() {
    let server = Server::start(talk::site());
    for path in [
        "/nowhere",
        "/../Cargo.toml",
        "/assets/../../Cargo.toml",
        "/assets/%2e%2e/index.html",
        "/..%2f..%2fCargo.toml",
        "/assets%5c..%5cindex.html",
        "//etc/passwd",
        "/%00",
        "/index.html/",
        "/assets/",
        "/assets",
        "/INDEX.HTML",
    ] {
        let answer = server.ask(&get(path, ""));
        assert_eq!(answer.status, 404, "{path}");
        assert!(String::from_utf8_lossy(&answer.body).contains("no such page"), "{path}");
    }
}

#[test]
fn requests_that_are_not_for_files_are_refused() {
    let server = Server::start(talk::site());
    for method in ["POST", "PUT", "DELETE"] {
        let answer = server.ask(&format!(
            "{method} / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ));
        assert_eq!(answer.status, 405, "{method}");
        assert_eq!(answer.header("allow"), Some("GET,HEAD"), "{method}");
    }
    for rubbish in
        ["rubbish\r\n\r\n", "GET\r\n\r\n", "GET /\u{7f} HTTP/1.1\r\n\r\n", "\r\n\0\r\n\r\n"]
    {
        assert_eq!(server.ask(rubbish).status, 400, "{rubbish:?}");
    }
    let endless = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
    assert!([414, 431].contains(&server.ask(&endless).status));
    assert_eq!(server.ask(&get("/", "")).status, 200, "and it goes on");
}

#[test]
fn without_a_page_the_server_says_how_to_build_it() {
    let server = Server::start(stoa_server::Assets::new([]));
    let answer = server.ask(&get("/", ""));
    assert_eq!(answer.status, 503);
    assert!(String::from_utf8_lossy(&answer.body).contains("cargo xtask web"));
    assert_eq!(server.ask(&get("/healthz", "")).status, 200);
}
