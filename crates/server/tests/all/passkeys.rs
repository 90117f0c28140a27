//! Passkeys with an authenticator in software, and devices that are signed out.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stoa_server::{Administration, Time};
use stoa_testing::{Durability, Postgres, or_skip};

use crate::talk::people::{Person, begin, text, unlimited};
use crate::talk::{self, JSON, Server, post};

const SITE: &str = "stoa.example";
const ORIGIN: &str = "https://stoa.example";
const PASSWORD: &str = "a tortoise in front";

fn letters(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

enum Key {
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

/// A device with a passkey.
struct Authenticator {
    id: Vec<u8>,
    key: Key,
    counter: u32,
    /// What it says: 1 is that somebody is there, 4 that it knows who.
    flags: u8,
    site: &'static str,
    origin: &'static str,
}

impl Authenticator {
    fn new(id: &[u8], is_p256: bool) -> Authenticator {
        let random = SystemRandom::new();
        let key = if is_p256 {
            let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
            let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
            Key::P256(
                EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).expect("a key"),
            )
        } else {
            let document = Ed25519KeyPair::generate_pkcs8(&random).expect("a key");
            Key::Ed25519(Ed25519KeyPair::from_pkcs8(document.as_ref()).expect("a key"))
        };
        Authenticator { id: id.to_vec(), key, counter: 0, flags: 5, site: SITE, origin: ORIGIN }
    }

    fn public_key(&self) -> Vec<u8> {
        let (prefix, key): (&[u8], &[u8]) = match &self.key {
            Key::P256(pair) => (
                b"\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\
                  \x07\x03\x42\x00",
                pair.public_key().as_ref(),
            ),
            Key::Ed25519(pair) => (
                b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00",
                pair.public_key().as_ref(),
            ),
        };
        [prefix, key].concat()
    }

    fn data(&self, flags: u8, rest: &[u8]) -> Vec<u8> {
        let site = Sha256::digest(self.site);
        [&site[..], &[flags], &self.counter.to_be_bytes(), rest].concat()
    }

    fn client_data(&self, purpose: &str, challenge: &str) -> String {
        json!({ "type": purpose, "challenge": challenge, "origin": self.origin, "crossOrigin": false })
            .to_string()
    }

    /// What the browser sends when a passkey was made.
    fn made(&self, challenge: &str, label: &str) -> Value {
        let length = u16::try_from(self.id.len()).expect("a short id").to_be_bytes();
        let credential = [&[0; 16][..], &length, &self.id, b"a key in another form"].concat();
        json!({
            "label": label,
            "id": letters(&self.id),
            "client_data": letters(self.client_data("webauthn.create", challenge).as_bytes()),
            "authenticator_data": letters(&self.data(self.flags | 0x40, &credential)),
            "public_key": letters(&self.public_key()),
        })
    }

    /// What the browser sends when a challenge was signed.
    fn signed(&mut self, challenge: &str) -> Value {
        self.counter += 1;
        let client_data = self.client_data("webauthn.get", challenge);
        let data = self.data(self.flags, &[]);
        let message = [&data[..], &Sha256::digest(&client_data)[..]].concat();
        let signature = match &self.key {
            Key::P256(pair) => {
                let signed = pair.sign(&SystemRandom::new(), &message).expect("a signature");
                signed.as_ref().to_vec()
            }
            Key::Ed25519(pair) => pair.sign(&message).as_ref().to_vec(),
        };
        json!({
            "id": letters(&self.id),
            "client_data": letters(client_data.as_bytes()),
            "authenticator_data": letters(&data),
            "signature": letters(&signature),
        })
    }
}

fn member(server: &Server, name: &str) -> Person {
    let mut person = Person::new(server.address, name);
    let sign_in = json!({ "name": name, "password": PASSWORD });
    assert_eq!(person.post("/api/account/register", &sign_in).0, 200);
    person
}

fn order(person: &mut Person) -> String {
    let (status, order) =
        person.post("/api/me/passkeys/challenge", &json!({ "password": PASSWORD }));
    assert_eq!((status, &order["rp_id"]), (200, &json!(SITE)), "{order}");
    text(&order["challenge"])
}

fn challenge(person: &mut Person) -> String {
    let (status, asked) = person.post("/api/account/passkey/challenge", &json!({}));
    assert_eq!((status, &asked["rp_id"]), (200, &json!(SITE)), "{asked}");
    text(&asked["challenge"])
}

fn try_passkey(server: &Server, device: &mut Authenticator) -> (u16, Value, Person) {
    let mut person = Person::stranger(server.address);
    let challenge = challenge(&mut person);
    let (status, answer) = person.post("/api/account/passkey", &device.signed(&challenge));
    (status, answer, person)
}

fn passkeys_sign_in_and_nothing_else_does(server: &Server) {
    let mut zeno = member(server, "Zeno");
    let (status, refused) =
        zeno.post("/api/me/passkeys/challenge", &json!({ "password": "a wrong one" }));
    assert_eq!((status, &refused["code"]), (401, &json!("bad_login")), "it needs the password");
    let mut guest = Person::new(server.address, "Guest");
    let (status, refused) =
        guest.post("/api/me/passkeys/challenge", &json!({ "password": PASSWORD }));
    assert_eq!((status, &refused["code"]), (409, &json!("no_account")));

    let mut phone = Authenticator::new(b"the phone of Zeno", true);
    let mut laptop = Authenticator::new(b"the laptop of Zeno", false);
    for (device, label) in [(&phone, "phone"), (&laptop, " laptop ")] {
        let made = device.made(&order(&mut zeno), label);
        let (status, list) = zeno.post("/api/me/passkeys", &made);
        assert_eq!(status, 201, "{list}");
        let (status, refused) = zeno.post("/api/me/passkeys", &made);
        assert_eq!((status, &refused["code"]), (401, &json!("bad_passkey")), "once: {refused}");
    }
    let (status, refused) = zeno.post("/api/me/passkeys", &phone.made("\0", "with a NUL"));
    assert_eq!((status, &refused["code"]), (401, &json!("bad_passkey")), "{refused}");
    let again = phone.made(&order(&mut zeno), "again");
    assert_eq!(zeno.post("/api/me/passkeys", &again).1["code"], "too_many_passkeys");

    for device in [&mut phone, &mut laptop] {
        let (status, player, person) = try_passkey(server, device);
        assert_eq!((status, &player["name"]), (200, &json!("Zeno")), "{player}");
        assert_eq!(person.get("/api/me").1["login"], "zeno");
    }
    let (_, list) = zeno.get("/api/me/passkeys");
    let labels: Vec<String> = list["passkeys"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| text(&one["label"]))
        .collect();
    assert_eq!(labels, ["phone", "laptop"]);
    assert!(list["passkeys"][0]["used"].is_i64());

    refused_signatures(server, &mut phone);

    let path = format!("/api/me/passkeys/{}", letters(&phone.id));
    assert_eq!(zeno.post(&path, &json!({ "label": "old phone" })).0, 204);
    assert_eq!(zeno.post(&path, &json!({ "label": "two\nlines" })).1["code"], "bad_label");
    assert_eq!(guest.delete(&path).0, 404, "it is somebody else's");
    assert_eq!(zeno.delete(&path).0, 204);
    assert_eq!(zeno.delete(&path).0, 404);
    assert_eq!(try_passkey(server, &mut phone).0, 401, "it is gone");
    assert_eq!(try_passkey(server, &mut laptop).0, 200);
    assert_eq!(zeno.delete("/api/me").0, 204);
    assert_eq!(try_passkey(server, &mut laptop).0, 401, "so is Zeno");
}

/// Everything that can be wrong with what is signed.
fn refused_signatures(server: &Server, phone: &mut Authenticator) {
    let mut stranger = Person::stranger(server.address);
    let asked = challenge(&mut stranger);
    let signed = phone.signed(&asked);
    assert_eq!(stranger.post("/api/account/passkey", &signed).0, 200);
    let last = phone.counter;
    assert_eq!(stranger.post("/api/account/passkey", &signed).0, 401, "a challenge is good once");
    let invented = phone.signed(&letters(b"a challenge of my own"));
    assert_eq!(stranger.post("/api/account/passkey", &invented).0, 401);
    let refused = |device: &mut Authenticator, why: &str| {
        let (status, answer, person) = try_passkey(server, device);
        assert_eq!((status, &answer["code"]), (401, &json!("bad_passkey")), "{answer}");
        assert!(text(&answer["message"]).contains(why), "{answer}");
        assert_eq!(person.get("/api/me").1["player"], Value::Null);
    };
    phone.origin = "https://evil.example";
    refused(phone, "another site");
    phone.origin = "http://stoa.example";
    refused(phone, "another site");
    (phone.origin, phone.site) = (ORIGIN, "evil.example");
    refused(phone, "another site");
    (phone.site, phone.flags) = (SITE, 1);
    refused(phone, "has not checked who is there");
    phone.flags = 5;
    let counted = phone.counter;
    // It would say the same number again.
    phone.counter = last - 1;
    refused(phone, "counter goes back");
    phone.counter = counted;
    let mut thief = Authenticator::new(&phone.id, true);
    thief.counter = phone.counter + 1;
    refused(&mut thief, "signature is wrong");
    refused(&mut Authenticator::new(b"unknown", true), "not known");
    // Postgres takes no NUL in a text.
    let with_nul = phone.signed("\0");
    let (status, answer) = stranger.post("/api/account/passkey", &with_nul);
    assert_eq!((status, &answer["code"]), (401, &json!("bad_passkey")), "{answer}");
    let asked = challenge(&mut stranger);
    let mut unnamed = phone.signed(&asked);
    unnamed["id"] = json!("\0");
    let (status, answer) = stranger.post("/api/account/passkey", &unnamed);
    assert_eq!((status, &answer["code"]), (401, &json!("bad_passkey")), "{answer}");
    for garbage in [
        json!({}),
        json!({ "id": "", "client_data": "!", "authenticator_data": "", "signature": "" }),
    ] {
        let status = stranger.post("/api/account/passkey", &garbage).0;
        assert!([400, 401].contains(&status), "{garbage} {status}");
    }
}

fn other_devices_are_signed_out_at_once(server: &Server) {
    let mut zeno = member(server, "Chrysippus");
    let mut ann = Person::new(server.address, "Ann");
    let game = begin("colonnade", unlimited(), &mut ann, &mut zeno);
    let sign_in = || Person::sign_in(server.address, "Chrysippus", PASSWORD).1;
    let (phone, laptop) = (sign_in(), sign_in());
    let (_, list) = zeno.get("/api/me/sessions");
    let sessions = list["sessions"].as_array().expect("a list").clone();
    assert_eq!(sessions.len(), 3, "{list}");
    assert_eq!(sessions.iter().filter(|one| one["current"] == true).count(), 1, "{list}");
    let (_, seen) = phone.get("/api/me/sessions");
    let id = seen["sessions"].as_array().expect("a list").iter();
    let id = text(&id.clone().find(|one| one["current"] == true).expect("the phone")["id"]);

    // One of them, with its socket.
    let mut socket = phone.socket();
    socket.expect("hello");
    let mut other = laptop.socket();
    other.expect("hello");
    assert_eq!(ann.delete(&format!("/api/me/sessions/{id}")).0, 404, "somebody else's");
    assert_eq!(zeno.delete(&format!("/api/me/sessions/{id}")).0, 204);
    while socket.receive().is_some() {}
    assert_eq!(socket.farewell().map(|(code, _)| code), Some(1008), "it is closed");
    assert_eq!(phone.get("/api/me").1["player"], Value::Null);
    assert_eq!(laptop.get("/api/me").1["login"], "chrysippus");

    // All others. The device that asks for it stays signed in, and so does its socket.
    let mut kept = zeno.socket();
    kept.expect("hello");
    let request = json!({});
    let (status, _) = zeno.delete_keeping("/api/me/sessions", &request);
    assert_eq!(status, 204);
    while other.receive().is_some() {}
    assert_eq!(other.farewell().map(|(code, _)| code), Some(1008));
    assert_eq!(laptop.get("/api/me").1["player"], Value::Null);
    assert_eq!(zeno.get("/api/me").1["login"], "chrysippus");
    assert_eq!(zeno.get("/api/me/sessions").1["sessions"].as_array().map(Vec::len), Some(1));
    kept.watch(&game);
    let mut own = zeno.socket();
    own.expect("hello");
    own.watch(&game);

    // A new password does the same, and signing out ends the session.
    let tablet = sign_in();
    let change = json!({ "old": PASSWORD, "new": "a hare behind it" });
    assert_eq!(zeno.post("/api/account/password", &change).0, 204);
    assert_eq!(tablet.get("/api/me").1["player"], Value::Null);
    let cookie = zeno.cookie.clone();
    assert_eq!(zeno.post("/api/account/logout", &json!({})).0, 204);
    zeno.cookie = cookie;
    assert_eq!(zeno.get("/api/me").1["player"], Value::Null, "a copy of the cookie is no good");
}

fn everything(database: &str) {
    let mut settings = talk::settings(Path::new(database));
    settings.public_url = Some(ORIGIN.to_owned());
    let server = Server::with(settings, talk::site());
    passkeys_sign_in_and_nothing_else_does(&server);
    other_devices_are_signed_out_at_once(&server);
    // Closed accounts have no way in.
    let mut mal = member(&server, "Mal");
    let mut device = Authenticator::new(b"the device of Mal", true);
    let made = device.made(&order(&mut mal), "mine");
    assert_eq!(mal.post("/api/me/passkeys", &made).0, 201);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let administration = Administration::open(database).await.expect("a database");
        assert!(administration.close_account("mal").await.expect("closed"));
        administration.close().await;
    });
    let (status, refused, _) = try_passkey(&server, &mut device);
    assert_eq!((status, &refused["code"]), (403, &json!("account_closed")));
}

#[test]
fn on_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    everything(&folder.path().join("stoa.db").to_string_lossy());
}

#[test]
fn on_postgres() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    everything(&postgres.database("passkeys").expect("a database"));
}

#[test]
fn a_challenge_expires_and_a_number_is_no_domain() {
    let now = Arc::new(AtomicI64::new(1_790_000_000_000));
    let server = Server::set(talk::site(), |settings| {
        settings.public_url = Some(ORIGIN.to_owned());
        settings.time = Time::Manual(Arc::clone(&now));
    });
    let mut zeno = member(&server, "Zeno");
    let mut device = Authenticator::new(b"device", true);
    let asked = order(&mut zeno);
    now.fetch_add(300_000, Ordering::SeqCst);
    assert_eq!(zeno.post("/api/me/passkeys", &device.made(&asked, "late")).0, 401);
    let asked = order(&mut zeno);
    assert_eq!(zeno.post("/api/me/passkeys", &device.made(&asked, "in time")).0, 201);
    let mut stranger = Person::stranger(server.address);
    let asked = challenge(&mut stranger);
    now.fetch_add(300_000, Ordering::SeqCst);
    assert_eq!(stranger.post("/api/account/passkey", &device.signed(&asked)).0, 401);

    // Nobody has to be quick, and who signs something newer first cannot sign the older any more.
    let asked = [challenge(&mut stranger), challenge(&mut stranger)];
    now.fetch_add(1, Ordering::SeqCst);
    let newer = challenge(&mut stranger);
    now.fetch_add(299_998, Ordering::SeqCst);
    assert_eq!(stranger.post("/api/account/passkey", &device.signed(&asked[0])).0, 200);
    assert_eq!(stranger.post("/api/account/passkey", &device.signed(&asked[1])).0, 401);
    assert_eq!(stranger.post("/api/account/passkey", &device.signed(&newer)).0, 401);

    // It was a while ago that Zeno entered the password. The passkey says again who is there.
    now.fetch_add(600_000, Ordering::SeqCst);
    let refused = zeno.delete("/api/me");
    assert_eq!((refused.0, &refused.1["code"]), (403, &json!("sign_in_again")));
    let asked = challenge(&mut zeno);
    assert_eq!(zeno.post("/api/account/passkey", &device.signed(&asked)).0, 200);
    assert_eq!(zeno.delete("/api/me").0, 204);

    let plain = Server::start(talk::site());
    let mut stranger = Person::stranger(plain.address);
    let (status, refused) = stranger.post("/api/account/passkey/challenge", &json!({}));
    assert_eq!((status, &refused["code"]), (409, &json!("no_passkeys")));
}

/// A server that is also reached by another address than its public one. Browsers would refuse to sign there,
/// with words that help nobody.
#[test]
fn a_page_at_another_address_hears_where_passkeys_work() {
    let server = Server::set(talk::site(), |settings| {
        settings.public_url = Some(ORIGIN.to_owned());
    });
    let zeno = member(&server, "Zeno");
    let cookie = format!("Cookie: {}\r\n", zeno.cookie);
    let asked = |path: &str, lines: &str, body: &Value| {
        let request = post(path, &format!("{JSON}{cookie}{lines}"), &body.to_string());
        let answer = server.ask(&request.replacen("Host: x", "Host: club.lan:8473", 1));
        (answer.status, answer.json())
    };
    let permission = json!({ "password": PASSWORD });
    for (path, body) in
        [("/api/account/passkey/challenge", json!({})), ("/api/me/passkeys/challenge", permission)]
    {
        let (status, refused) = asked(path, "Origin: http://club.lan:8473\r\n", &body);
        assert_eq!((status, &refused["code"]), (409, &json!("passkeys_elsewhere")), "{path}");
        assert!(text(&refused["message"]).contains(ORIGIN), "{refused}");
        // The public address, and programs, which have no origin.
        assert_eq!(asked(path, &format!("Origin: {ORIGIN}\r\n"), &body).0, 200, "{path}");
        assert_eq!(asked(path, "", &body).0, 200, "{path}");
    }
}

/// Anyone may ask for one, as often as they may ask for anything.
#[test]
fn challenges_to_sign_in_with_are_not_stored() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stoa.db");
    let mut settings = talk::settings(&file);
    settings.public_url = Some(ORIGIN.to_owned());
    let server = Server::with(settings, talk::site());
    let mut zeno = member(&server, "Zeno");
    let mut device = Authenticator::new(b"device", true);
    let asked = order(&mut zeno);
    assert_eq!(zeno.post("/api/me/passkeys", &device.made(&asked, "mine")).0, 201);
    talk::run(
        &file,
        "CREATE TRIGGER full_disk BEFORE INSERT ON passkey_challenges \
         BEGIN SELECT RAISE(ABORT, 'no more challenges'); END",
    );
    let (status, player, _) = try_passkey(&server, &mut device);
    assert_eq!((status, &player["name"]), (200, &json!("Zeno")), "{player}");
}
