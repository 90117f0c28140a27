//! Clients that ask for more than their share.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::talk::people::{Person, begin, text, unlimited};
use crate::talk::{self, Server};

#[test]
fn pings_count_as_messages() {
    let server = Server::start(talk::site());
    let ann = Person::new(server.address, "Ann");
    let mut socket = ann.socket();
    socket.expect("hello");
    for _ in 0..1000 {
        if socket.try_send_frame(Message::Ping("x".into())).is_err() {
            break;
        }
    }
    while socket.receive().is_some() {}
    assert_eq!(socket.farewell().map(|(code, _)| code), Some(1008));
}

/// Two people who agree on rematches make no more games than challenges would.
#[test]
fn rematches_count_as_challenges() {
    let server = Server::set(talk::site(), |settings| {
        settings.rate = Some(200);
        settings.behind_proxy = true;
    });
    let mut ann = Person::from("192.0.2.1", server.address, "Ann");
    let mut bob = Person::from("192.0.2.2", server.address, "Bob");
    let mut game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut rematches = 0;
    let refused = loop {
        assert_eq!(ann.act(&game, json!({ "kind": "resign" })).0, 200);
        let rematch = || json!({ "kind": "rematch" });
        let (status, answer) = ann.act(&game, rematch());
        if status != 200 {
            break (status, text(&answer["code"]));
        }
        let (status, answer) = bob.act(&game, rematch());
        if status != 200 {
            break (status, text(&answer["code"]));
        }
        game = text(&answer["next"]);
        rematches += 1;
        assert!(rematches < 100, "rematches without end");
    };
    assert_eq!(refused, (429, "too_many".to_owned()));
    assert!((15..30).contains(&rematches), "{rematches}");
}

/// The engine is not there; challenges to it are counted all the same.
#[test]
fn the_engine_plays_so_many_games_with_one_person_and_one_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = talk::settings(&folder.path().join("stoa.db"));
    settings.rate = Some(1000);
    settings.behind_proxy = true;
    settings.max_engine_games = 20;
    let server = Server::with_engine(settings, talk::site(), 2);
    let wish = json!({ "game": "impasse", "control": unlimited(), "opponent": "stoa-1" });
    let made = |network: &str, name: &str| {
        let mut person = Person::from(network, server.address, name);
        for made in 0.. {
            let (status, answer) = person.post("/api/challenges", &wish);
            if status != 201 {
                assert_eq!((status, &answer["code"]), (503, &json!("engine_busy")), "{answer}");
                assert!(answer["retry_after"].is_u64());
                return made;
            }
        }
        unreachable!("there is an end")
    };
    assert_eq!(made("192.0.2.9", "Greedy"), 8);
    assert_eq!(made("192.0.2.9", "Greedier"), 8);
    assert_eq!(made("192.0.2.9", "Greediest"), 0, "the address has enough");
    assert_eq!(made("192.0.2.1", "Ann"), 4, "until the engine itself has enough");
}
