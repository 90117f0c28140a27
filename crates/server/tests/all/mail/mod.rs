//! Mail, with a mail server in this process: addresses, notices, forgotten passwords, trouble.

mod smtp;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stoa_server::{MailSettings, Settings, Time, Verdict};
use stoa_testing::{Durability, Nats, Postgres, or_skip};

use self::smtp::Smtp;
use crate::talk::people::{Person, begin, text};
use crate::talk::{self, Server, until};

const PASSWORD: &str = "Achilles never arrives";

/// One or two nodes with a mail server.
struct Club {
    smtp: Smtp,
    now: Arc<AtomicI64>,
    nodes: Vec<Server>,
    _nats: Option<Nats>,
    _postgres: Option<Postgres>,
}

fn settings(database: &Path, smtp: &Smtp) -> Settings {
    let mut settings = talk::settings(database);
    let mut mail = MailSettings::new(&smtp.url(), "Stoa <stoa@club.example>").expect("settings");
    mail.delay = Duration::ZERO;
    settings.mail = Some(mail);
    settings.public_url = Some("https://club.example".to_owned());
    settings
}

impl Club {
    /// Its time stands still until it is turned.
    fn on_sqlite(database: &Path) -> Club {
        Club::with_delay(database, Duration::ZERO)
    }

    /// The same, with notices that wait.
    fn with_delay(database: &Path, delay: Duration) -> Club {
        let smtp = Smtp::start();
        let now = Arc::new(AtomicI64::new(1_800_000_000_000));
        let mut settings = settings(database, &smtp);
        settings.mail.as_mut().expect("mail").delay = delay;
        settings.time = Time::Manual(Arc::clone(&now));
        settings.max_heartbeat_gap = None;
        let nodes = vec![Server::with(settings, talk::site())];
        Club { smtp, now, nodes, _nats: None, _postgres: None }
    }

    /// Two nodes, which share the time of the machine.
    fn on_two_nodes() -> Option<Club> {
        let postgres = or_skip(Postgres::start(Durability::Forgetful))?;
        let nats = or_skip(Nats::start())?;
        let smtp = Smtp::start();
        let mut settings = settings(postgres.database("stoa").expect("a database").as_ref(), &smtp);
        settings.nats = Some(nats.address());
        let nodes = vec![
            Server::with(settings.clone(), talk::site()),
            Server::with(settings, talk::site()),
        ];
        let now = Arc::default();
        Some(Club { smtp, now, nodes, _nats: Some(nats), _postgres: Some(postgres) })
    }

    fn turn(&self, time: Duration) {
        let ms = i64::try_from(time.as_millis()).expect("a time");
        self.now.fetch_add(ms, Ordering::SeqCst);
    }

    fn account(&self, node: usize, name: &str) -> Person {
        let mut person = Person::stranger(self.nodes[node % self.nodes.len()].address);
        let wish = json!({ "name": name, "password": PASSWORD });
        let (status, player) = person.post("/api/account/register", &wish);
        assert_eq!(status, 200, "{player}");
        person.id = text(&player["id"]);
        person
    }

    /// Gives a player an address, which they confirm.
    fn confirm(&self, person: &mut Person, address: &str) {
        let count = self.smtp.wait_for(address, 0).len();
        give(person, address, "en");
        let mail = self.smtp.wait_for(address, count + 1).pop().expect("a mail");
        let token = json!({ "token": mail.token("confirm") });
        let (status, answer) = person.post("/api/mail/confirm", &token);
        assert_eq!((status, &answer["address"]), (200, &json!(address)));
    }
}

fn give(person: &mut Person, address: &str, language: &str) {
    let wish = json!({ "address": address, "password": PASSWORD, "language": language });
    let (status, answer) = person.post("/api/me/mail", &wish);
    assert_eq!(status, 204, "{answer}");
}

/// A test of each scene on SQLite, and all of them on two nodes.
macro_rules! scenes {
    ($($scene:ident),+ $(,)?) => {
        mod on_sqlite {
            $(#[test] fn $scene() {
                let folder = tempfile::tempdir().expect("a folder");
                super::$scene(&super::Club::on_sqlite(&folder.path().join("stoa.db")));
            })+
        }

        #[test]
        fn on_two_nodes() {
            let Some(club) = Club::on_two_nodes() else { return };
            $(println!(stringify!($scene)); $scene(&club);)+
        }
    };
}

scenes! {
    an_address_is_confirmed_by_a_link_that_is_good_once,
    notices_come_once_and_only_to_those_who_want_them,
    one_request_ends_mail,
    a_forgotten_password_is_replaced,
    bad_requests_are_refused,
}

fn an_address_is_confirmed_by_a_link_that_is_good_once(club: &Club) {
    let mut ann = club.account(0, "Mail Ann");
    let choice = |person: &Person| person.get("/api/me/mail").1;
    assert_eq!(choice(&ann)["address"], Value::Null);
    let stranger = Person::stranger(club.nodes[0].address);
    assert_eq!(choice(&stranger)["available"], json!(true), "for a forgotten password");
    let wrong = json!({ "address": "ann@elea.example", "password": "not hers at all" });
    assert_eq!(ann.post("/api/me/mail", &wrong).0, 401);

    give(&mut ann, "Ann@ELEA.example", "es");
    let mail = club.smtp.wait_for("Ann@elea.example", 1).remove(0);
    assert_eq!(mail.header("From"), Some("Stoa <stoa@club.example>"));
    assert!(mail.text.contains("Mail Ann") && mail.text.contains("Alguien"), "{}", mail.text);
    assert!(mail.header("List-Unsubscribe").is_none(), "she asked for this one");
    assert_eq!(choice(&ann)["unconfirmed"], "Ann@elea.example");
    assert_eq!(choice(&ann)["address"], Value::Null);
    // A second link ends the first.
    let first = mail.token("confirm");
    give(&mut ann, "Ann@elea.example", "en");
    let second = club.smtp.wait_for("Ann@elea.example", 2).remove(1).token("confirm");
    let mut anybody = Person::stranger(club.nodes[0].address);
    let mut confirm = |token: &str| anybody.post("/api/mail/confirm", &json!({ "token": token }));
    let gone = json!("link_gone");
    assert_eq!(confirm(&first).1["code"], gone);
    let (id, tag) = second.split_once('-').expect("a token");
    for forged in ["", "x", &format!("{id}-{}", "0".repeat(tag.len())), &format!("x{second}")] {
        let (status, answer) = confirm(forged);
        assert_eq!((status, &answer["code"]), (409, &gone), "{forged}");
    }
    assert_eq!(confirm(&second).0, 200);
    assert_eq!(confirm(&second).1["code"], gone, "once");
    let known = choice(&ann);
    assert_eq!(
        (&known["address"], &known["unconfirmed"]),
        (&json!("Ann@elea.example"), &Value::Null)
    );
    assert_eq!((&known["turns"], &known["challenges"]), (&json!(true), &json!(true)));
    let (_, data) = ann.get("/api/me/data");
    assert_eq!(data["mail"]["address"], "Ann@elea.example", "it is in the export");
    assert_eq!(ann.delete("/api/me/mail").0, 204);
    assert_eq!(choice(&ann)["address"], Value::Null);
}

fn notices_come_once_and_only_to_those_who_want_them(club: &Club) {
    let mut ann = club.account(0, "Noticed Ann");
    let mut bob = club.account(1, "Noticed Bob");
    let address = "noticed@elea.example";
    club.confirm(&mut ann, address);
    let days = json!({ "kind": "days", "days": 3 });
    let subjects = |count: usize| -> Vec<String> {
        let mails = club.smtp.wait_for(address, count);
        mails.iter().skip(1).map(|mail| mail.header("Subject").unwrap_or("").to_owned()).collect()
    };
    // It is Bob's turn first, and Bob has no address.
    let game = begin("colonnade", days.clone(), &mut bob, &mut ann);
    assert_eq!(bob.play(&game, 0, "1b<").0, 200);
    assert_eq!(subjects(2), ["Your move: Colonnade against Noticed Bob"]);
    let mail = club.smtp.wait_for(address, 2).remove(1);
    let link = format!("https://club.example/#/game/{game}");
    assert!(mail.text.lines().any(|line| line == link), "{}", mail.text);
    assert_eq!(mail.header("Auto-Submitted"), Some("auto-generated"));
    assert_eq!(mail.header("List-Unsubscribe-Post"), Some("List-Unsubscribe=One-Click"));

    // Not in this game any more; a challenge comes.
    let own = json!({ "note": "", "notices": false });
    assert_eq!(ann.post(&format!("/api/games/{game}/mine"), &own).0, 200);
    assert_eq!(ann.play(&game, 1, "1g>").0, 200);
    let mv = text(&first_move(&bob, &game));
    assert_eq!(bob.play(&game, 2, &mv).0, 200);
    let wish = json!({ "game": "impasse", "control": days, "opponent": ann.id });
    assert_eq!(bob.post("/api/challenges", &wish).0, 201);
    assert_eq!(subjects(3)[1..], ["A challenge"]);
    // No challenges; turns still.
    let notices = json!({ "turns": true, "challenges": false });
    assert_eq!(ann.post("/api/me/mail/notices", &notices).0, 204);
    assert_eq!(bob.post("/api/challenges", &wish).0, 201);
    let other = begin("colonnade", days.clone(), &mut bob, &mut ann);
    assert_eq!(bob.play(&other, 0, "1b<").0, 200);
    assert_eq!(subjects(4)[2..], ["Your move: Colonnade against Noticed Bob"]);
    // With a clock nobody gets mail.
    let clock = json!({ "kind": "clock", "initial": 600, "increment": 5 });
    let live = begin("colonnade", clock, &mut bob, &mut ann);
    assert_eq!(bob.play(&live, 0, "1b<").0, 200);
    let last = begin("impasse", days, &mut bob, &mut ann);
    assert_eq!(bob.play(&last, 0, "d2-b4").0, 200);
    assert_eq!(subjects(5)[3..], ["Your move: Impasse against Noticed Bob"]);
    let ids: std::collections::HashSet<String> = club
        .smtp
        .wait_for(address, 5)
        .iter()
        .map(|mail| mail.header("Message-ID").expect("an id").to_owned())
        .collect();
    assert_eq!(ids.len(), 5, "each has an id of its own");
}

fn first_move(person: &Person, game: &str) -> Value {
    let view = person.look(game);
    let position = text(&view["position"]);
    let rules: stoa_rules::Game = text(&view["game"]).parse().expect("a game");
    json!(rules.position(&position).expect("a position").legal_moves()[0])
}

fn one_request_ends_mail(club: &Club) {
    let mut ann = club.account(0, "Ending Ann");
    let mut bob = club.account(1, "Ending Bob");
    let address = "ending@elea.example";
    club.confirm(&mut ann, address);
    let days = json!({ "kind": "days", "days": 3 });
    let game = begin("colonnade", days.clone(), &mut bob, &mut ann);
    assert_eq!(bob.play(&game, 0, "1b<").0, 200);
    let mail = club.smtp.wait_for(address, 2).remove(1);
    let request = mail.header("List-Unsubscribe").expect("a header").trim_matches(['<', '>']);
    let path = request.strip_prefix("https://club.example").expect("this server").to_owned();
    let page = mail.token("unsubscribe");
    assert!(path.ends_with(&page), "{path}");

    // Opening the link changes nothing; a mail program's request, without a cookie and as a form, does.
    let node = &club.nodes[0];
    let opened = node.ask(&talk::get(&path, ""));
    assert_eq!(opened.status, 303);
    assert_eq!(
        opened.header("location"),
        Some(&*format!("https://club.example/#/mail/unsubscribe/{page}"))
    );
    assert_eq!(ann.get("/api/me/mail").1["turns"], json!(true));
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let forged = path.replace(&ann.id, &bob.id);
    assert_eq!(node.ask(&talk::post(&forged, form, "List-Unsubscribe=One-Click")).status, 409);
    assert_eq!(node.ask(&talk::post(&path, form, "List-Unsubscribe=One-Click")).status, 204);
    let known = ann.get("/api/me/mail").1;
    assert_eq!((&known["turns"], &known["challenges"]), (&json!(false), &json!(false)));
    assert_eq!(known["address"], address, "for a new password");
    // Elsewhere a form is still refused.
    assert_eq!(node.ask(&talk::post("/api/mail/confirm", form, "token=x")).status, 415);
}

fn a_forgotten_password_is_replaced(club: &Club) {
    let mut ann = club.account(0, "Forgetful Ann");
    let address = "forgetful@elea.example";
    club.confirm(&mut ann, address);
    let mut device = Person::stranger(club.nodes[0].address);
    let asked = |person: &mut Person, address: &str| {
        person.post("/api/account/forgotten", &json!({ "address": address })).0
    };
    assert_eq!(asked(&mut device, "nobody@elea.example"), 204, "as for somebody");
    assert_eq!(asked(&mut device, "FORGETFUL@elea.example"), 204);
    let mail = club.smtp.wait_for(address, 2).remove(1);
    assert!(mail.text.contains("Forgetful Ann"), "{}", mail.text);
    let token = mail.token("reset");
    let new = "Tortoise arrives always";
    let reset = json!({ "token": token, "password": new });
    let short = json!({ "token": token, "password": "x" });
    assert_eq!(device.post("/api/account/reset", &short).1["code"], "bad_password");
    let (status, player) = device.post("/api/account/reset", &reset);
    assert_eq!((status, &player["id"]), (200, &json!(ann.id)), "{player}");
    assert_eq!(
        device.get("/api/me").1["player"]["name"],
        "Forgetful Ann",
        "this device is signed in"
    );
    // Other nodes know it within seconds.
    until("the other device is signed out", || ann.get("/api/me").1["player"] == Value::Null);
    assert_eq!(device.post("/api/account/reset", &reset).1["code"], "link_gone", "once");
    let sign_in = |password| Person::sign_in(club.nodes[0].address, "Forgetful Ann", password).0;
    assert_eq!((sign_in(new), sign_in(PASSWORD)), (200, 401));
    assert!(club.smtp.wait_for("nobody@elea.example", 0).is_empty());
}

fn bad_requests_are_refused(club: &Club) {
    let mut ann = club.account(0, "Bad Ann");
    for address in [
        "",
        "ann",
        "ann@localhost",
        "ann@elea.example\r\nBcc: all@elea.example",
        "a@elea.example,b@elea.example",
        "Ann <ann@elea.example>",
    ] {
        let wish = json!({ "address": address, "password": PASSWORD });
        let (status, answer) = ann.post("/api/me/mail", &wish);
        assert_eq!((status, &answer["code"]), (400, &json!("bad_address")), "{address}");
        assert_eq!(ann.post("/api/account/forgotten", &json!({ "address": address })).0, 400);
    }
    let language = json!({ "address": "a@elea.example", "password": PASSWORD, "language": "e\n" });
    assert_eq!(ann.post("/api/me/mail", &language).1["code"], "bad_language");
    let notices = json!({ "turns": true, "challenges": true });
    assert_eq!(ann.post("/api/me/mail/notices", &notices).0, 404, "without an address");
    let mut guest = Person::new(club.nodes[0].address, "Guest of the mail");
    let wish = json!({ "address": "guest@elea.example", "password": PASSWORD });
    assert_eq!(guest.post("/api/me/mail", &wish).1["code"], "no_account");
    // Links to one address are few, whoever asks.
    let statuses: Vec<u16> = (0..6)
        .map(|_| ann.post("/api/account/forgotten", &json!({ "address": "flood@elea.example" })).0)
        .collect();
    assert_eq!(statuses, [204, 204, 204, 429, 429, 429]);
}

#[test]
fn mail_is_tried_again_and_given_up_if_it_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::on_sqlite(&folder.path().join("stoa.db"));
    let mut ann = club.account(0, "Ann");
    let refused = |count: usize| {
        let began = Instant::now();
        while club.smtp.refused() < count {
            assert!(began.elapsed() < Duration::from_secs(30), "{}", club.smtp.refused());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    // The mail server is busy twice.
    club.smtp.refuse(&[451, 421]);
    give(&mut ann, "busy@elea.example", "en");
    refused(1);
    // The note of it may come a moment later, so the time is turned until it is tried again.
    let turn_until = |what: &dyn Fn() -> bool| {
        let began = Instant::now();
        while !what() {
            assert!(began.elapsed() < Duration::from_secs(30));
            club.turn(Duration::from_secs(30));
            std::thread::sleep(Duration::from_millis(200));
        }
    };
    turn_until(&|| club.smtp.refused() >= 2);
    turn_until(&|| !club.smtp.wait_for("busy@elea.example", 0).is_empty());
    assert_eq!(club.smtp.wait_for("busy@elea.example", 1).len(), 1, "once");

    // One that will never be taken is not tried again, and does not hold up others.
    club.smtp.refuse(&[550]);
    give(&mut ann, "never@elea.example", "en");
    refused(3);
    give(&mut ann, "other@elea.example", "en");
    club.smtp.wait_for("other@elea.example", 1);
    for _ in 0..5 {
        club.turn(Duration::from_secs(3600));
        std::thread::sleep(Duration::from_millis(500));
    }
    assert!(club.smtp.wait_for("never@elea.example", 0).is_empty());
    assert_eq!(club.smtp.refused(), 3);
}

#[test]
fn players_who_are_online_get_no_mail() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::on_sqlite(&folder.path().join("stoa.db"));
    let [mut ann, mut bob, mut eve] = ["Ann", "Bob", "Eve"].map(|name| club.account(0, name));
    club.confirm(&mut ann, "ann@elea.example");
    club.confirm(&mut eve, "eve@elea.example");
    let days = json!({ "kind": "days", "days": 3 });
    let [with_ann, with_eve] =
        [&mut ann, &mut eve].map(|other| begin("colonnade", days.clone(), &mut bob, other));
    let mut socket = ann.socket();
    socket.expect("hello");
    assert_eq!(bob.play(&with_ann, 0, "1b<").0, 200);
    socket.expect("yours");
    assert_eq!(bob.play(&with_eve, 0, "1b<").0, 200);
    club.smtp.wait_for("eve@elea.example", 2);
    assert_eq!(club.smtp.wait_for("ann@elea.example", 0).len(), 1, "only that of her address");
}

#[test]
fn links_expire() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::on_sqlite(&folder.path().join("stoa.db"));
    let mut ann = club.account(0, "Ann");
    give(&mut ann, "ann@elea.example", "en");
    let token = club.smtp.wait_for("ann@elea.example", 1).remove(0).token("confirm");
    club.turn(Duration::from_secs(24 * 3600 + 1));
    let (status, answer) = ann.post("/api/mail/confirm", &json!({ "token": token }));
    assert_eq!((status, &answer["code"]), (409, &json!("link_gone")));
    assert_eq!(ann.get("/api/me/mail").1["unconfirmed"], Value::Null);
    club.confirm(&mut ann, "ann@elea.example");
    ann.post("/api/account/forgotten", &json!({ "address": "ann@elea.example" }));
    let token = club.smtp.wait_for("ann@elea.example", 3).remove(2).token("reset");
    club.turn(Duration::from_secs(3601));
    let reset = json!({ "token": token, "password": "Tortoise arrives always" });
    assert_eq!(ann.post("/api/account/reset", &reset).1["code"], "link_gone");
}

/// A password reset sent to an address that is not the account's any more is worth nothing.
#[test]
fn a_link_to_an_earlier_address_is_not_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::on_sqlite(&folder.path().join("stoa.db"));
    let mut ann = club.account(0, "Ann");
    club.confirm(&mut ann, "old@elea.example");
    ann.post("/api/account/forgotten", &json!({ "address": "old@elea.example" }));
    let token = club.smtp.wait_for("old@elea.example", 2).remove(1).token("reset");
    club.confirm(&mut ann, "new@elea.example");
    let reset = json!({ "token": token, "password": "Tortoise arrives always" });
    assert_eq!(ann.post("/api/account/reset", &reset).1["code"], "link_gone");
}

/// Somebody who knew the password has asked for the account to get another address.
#[test]
fn a_new_password_ends_all_links() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::on_sqlite(&folder.path().join("stoa.db"));
    let mut ann = club.account(0, "Ann");
    club.confirm(&mut ann, "ann@elea.example");
    let confirm = |token: String| {
        let mut anybody = Person::stranger(club.nodes[0].address);
        anybody.post("/api/mail/confirm", &json!({ "token": token })).1["code"].clone()
    };
    give(&mut ann, "thief@elea.example", "en");
    let token = club.smtp.wait_for("thief@elea.example", 1).remove(0).token("confirm");
    let new = "Tortoise arrives always";
    let change = json!({ "old": PASSWORD, "new": new });
    assert_eq!(ann.post("/api/account/password", &change).0, 204);
    assert_eq!(confirm(token), "link_gone");
    let mail = club.smtp.wait_for("ann@elea.example", 2).remove(1);
    assert_eq!(mail.header("Subject"), Some("Your password was changed"));

    let wish = json!({ "address": "thief@elea.example", "password": new, "language": "en" });
    assert_eq!(ann.post("/api/me/mail", &wish).0, 204);
    let token = club.smtp.wait_for("thief@elea.example", 2).remove(1).token("confirm");
    ann.post("/api/account/forgotten", &json!({ "address": "ann@elea.example" }));
    let reset = club.smtp.wait_for("ann@elea.example", 3).remove(2).token("reset");
    let reset = json!({ "token": reset, "password": PASSWORD });
    assert_eq!(ann.post("/api/account/reset", &reset).0, 200);
    assert_eq!(confirm(token), "link_gone");
    assert_eq!(ann.get("/api/me/mail").1["address"], "ann@elea.example");
}

#[test]
fn an_address_that_is_replaced_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::on_sqlite(&folder.path().join("stoa.db"));
    let mut ann = club.account(0, "Ann");
    club.confirm(&mut ann, "old@elea.example");
    club.confirm(&mut ann, "new@elea.example");
    let mail = club.smtp.wait_for("old@elea.example", 2).remove(1);
    assert_eq!(mail.header("Subject"), Some("Your account has another address"));
    assert!(!mail.text.contains("new@elea.example"), "{}", mail.text);
    // The same address again is no other one.
    club.confirm(&mut ann, "New@elea.example");
    assert_eq!(club.smtp.wait_for("new@elea.example", 1).len(), 1);
}

/// What happens after a move and leaves it the same player's turn.
#[test]
fn an_offer_after_the_move_keeps_its_mail() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::with_delay(&folder.path().join("stoa.db"), Duration::from_secs(300));
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| club.account(0, name));
    club.confirm(&mut ann, "ann@elea.example");
    let days = json!({ "kind": "days", "days": 3 });
    let game = begin("colossus", days, &mut bob, &mut ann);
    let mv = text(&first_move(&bob, &game));
    assert_eq!(bob.play(&game, 0, &mv).0, 200);
    let offer = json!({ "kind": "draw" });
    assert_eq!(bob.post(&format!("/api/games/{game}/actions"), &offer).0, 200);
    until("the mail comes", || {
        club.turn(Duration::from_secs(10));
        club.smtp.wait_for("ann@elea.example", 0).len() == 2
    });
}

/// Challenges that were withdrawn before their mail was sent use up nothing, and turns are counted apart.
#[test]
fn challenges_use_up_no_mail_of_turns() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::with_delay(&folder.path().join("stoa.db"), Duration::from_secs(300));
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| club.account(0, name));
    club.confirm(&mut ann, "ann@elea.example");
    let days = json!({ "kind": "days", "days": 3 });
    for _ in 0..60 {
        let wish = json!({ "game": "impasse", "control": days, "opponent": ann.id });
        let (status, challenge) = bob.post("/api/challenges", &wish);
        assert_eq!(status, 201, "{challenge}");
        let path = format!("/api/challenges/{}", text(&challenge["id"]));
        assert_eq!(bob.delete(&path).0, 200);
    }
    let game = begin("colonnade", days, &mut bob, &mut ann);
    assert_eq!(bob.play(&game, 0, "1b<").0, 200);
    until("the mail comes", || {
        club.turn(Duration::from_secs(10));
        club.smtp.wait_for("ann@elea.example", 0).len() == 2
    });
}

#[test]
fn an_address_goes_with_its_account() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("stoa.db");
    let club = Club::on_sqlite(&database);
    let mut ann = club.account(0, "Ann");
    club.confirm(&mut ann, "xanthippe@elea.example");
    give(&mut ann, "xanthippe2@elea.example", "en");
    let traces = || {
        let files = ["", "-wal"].map(|end| format!("{}{end}", database.display()));
        let bytes: Vec<u8> =
            files.iter().flat_map(|file| std::fs::read(file).unwrap_or_default()).collect();
        bytes.windows(9).filter(|window| window.eq_ignore_ascii_case(b"xanthippe")).count()
    };
    assert!(traces() > 0, "what was stored is there");
    assert_eq!(ann.delete("/api/me").0, 204);
    until("everything is erased", || traces() == 0);
}

#[test]
fn a_set_up_is_checked_without_sending_anything() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let smtp = Smtp::start();
    let check = |url: &str, public_url: Option<&str>| {
        let mut settings = Settings::new("/nowhere/stoa.db", vec![0; 32]);
        let mail = MailSettings::new(url, "Stoa <stoa@club.example>").expect("settings");
        settings.mail = Some(mail);
        settings.public_url = public_url.map(str::to_owned);
        let listen = "127.0.0.1:0".parse().expect("an address");
        let found = runtime.block_on(stoa_server::check(&settings, listen));
        let found = found.into_iter().find(|found| found.subject == "mail").expect("a finding");
        assert!(!found.text.contains("ssword"), "{}", found.text);
        (found.verdict, found.text)
    };
    let url = Some("http://club.example");
    assert_eq!(check(&smtp.url(), url).0, Verdict::Good);
    assert_eq!(check(&smtp.url(), None).0, Verdict::Bad);
    let wrong = smtp.url().replace("tests", "others");
    let (verdict, said) = check(&wrong, url);
    assert!(verdict == Verdict::Bad && said.contains("535"), "{said}");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let nobody = format!("smtp://{}", closed.local_addr().expect("an address"));
    drop(closed);
    assert_eq!(check(&nobody, url).0, Verdict::Bad);
}

#[test]
fn a_server_without_mail_says_so() {
    let server = Server::start(talk::site());
    let mut ann = Person::new(server.address, "Ann");
    assert_eq!(ann.get("/api/me/mail").1["available"], json!(false));
    assert_eq!(ann.delete("/api/me/mail").0, 204, "an address from before can be removed");
    assert_eq!(ann.post("/api/account/forgotten", &json!({ "address": "a@b.example" })).0, 404);
}
