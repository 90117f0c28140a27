//! A mail server for tests: keeps what it is sent, and refuses what it is told to.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A person who wants mail has to sign in with these.
pub(crate) const USER: &str = "stoa";
pub(crate) const PASSWORD: &str = "a p@ssword of the tests";

/// A message that has arrived.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) to: String,
    head: String,
    pub(crate) text: String,
}

impl Received {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let line = |line: &'_ str| line.split_once(": ").is_some_and(|(key, _)| key == name);
        let line = self.head.lines().find(|one| line(one))?;
        line.split_once(": ").map(|(_, value)| value)
    }

    /// The token of the link for a purpose.
    pub(crate) fn token(&self, purpose: &str) -> String {
        let begin = format!("https://club.example/#/mail/{purpose}/");
        let link = self.text.lines().find_map(|line| line.strip_prefix(&begin));
        link.unwrap_or_else(|| panic!("no link to {purpose}: {}", self.text)).to_owned()
    }
}

#[derive(Debug, Default)]
struct Box {
    received: Vec<Received>,
    /// Answers to the next attempts to send something, instead of taking it.
    refusals: VecDeque<u16>,
    refused: usize,
}

/// A mail server that runs as long as the test.
#[derive(Debug, Clone)]
pub(crate) struct Smtp {
    pub(crate) address: SocketAddr,
    state: Arc<(Mutex<Box>, Condvar)>,
}

impl Smtp {
    pub(crate) fn start() -> Smtp {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let smtp = Smtp { address, state: Arc::default() };
        let server = smtp.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = server.clone();
                std::thread::spawn(move || server.serve(stream));
            }
        });
        smtp
    }

    pub(crate) fn url(&self) -> String {
        format!("smtp://{USER}:a%20p%40ssword%20of%20the%20tests@{}", self.address)
    }

    /// Answers with these codes before anything is taken again.
    pub(crate) fn refuse(&self, codes: &[u16]) {
        self.state.0.lock().expect("a lock").refusals.extend(codes);
    }

    /// How many mails were refused.
    pub(crate) fn refused(&self) -> usize {
        self.state.0.lock().expect("a lock").refused
    }

    /// Everything that was sent to an address, once there is so much.
    pub(crate) fn wait_for(&self, to: &str, count: usize) -> Vec<Received> {
        let began = Instant::now();
        let mut state = self.state.0.lock().expect("a lock");
        loop {
            let found: Vec<Received> =
                state.received.iter().filter(|mail| mail.to == to).cloned().collect();
            if found.len() >= count {
                return found;
            }
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "{} of {count} for {to}",
                found.len()
            );
            let waited = self.state.1.wait_timeout(state, Duration::from_secs(1));
            state = waited.expect("a lock").0;
        }
    }

    fn serve(&self, mut stream: TcpStream) {
        let Ok(reading) = stream.try_clone() else { return };
        let mut lines = BufReader::new(reading).lines();
        let mut say = |text: &str| stream.write_all(format!("{text}\r\n").as_bytes()).is_ok();
        let (mut to, mut is_signed_in) = (String::new(), false);
        say("220 mail.example");
        while let Some(Ok(line)) = lines.next() {
            let command = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
            match command.as_str() {
                "EHLO" => say("250-mail.example\r\n250-AUTH PLAIN\r\n250 8BITMIME"),
                "AUTH" => {
                    let given = line.rsplit(' ').next().and_then(|text| STANDARD.decode(text).ok());
                    is_signed_in = given == Some(format!("\0{USER}\0{PASSWORD}").into_bytes());
                    say(if is_signed_in { "235 welcome" } else { "535 who are you?" })
                }
                "MAIL" if !is_signed_in => say("530 sign in first"),
                "MAIL" => {
                    let mut state = self.state.0.lock().expect("a lock");
                    match state.refusals.pop_front() {
                        Some(code) => {
                            state.refused += 1;
                            self.state.1.notify_all();
                            say(&format!("{code} not now"))
                        }
                        None => say("250 go on"),
                    }
                }
                "RCPT" => {
                    let address = line.split(['<', '>']).nth(1).unwrap_or_default();
                    address.clone_into(&mut to);
                    say("250 go on")
                }
                "DATA" => {
                    say("354 go on");
                    let data: Vec<String> = lines
                        .by_ref()
                        .map_while(Result::ok)
                        .take_while(|line| line != ".")
                        .collect();
                    self.keep(&to, &data.join("\n"));
                    say("250 taken")
                }
                "QUIT" => {
                    say("221 bye");
                    return;
                }
                _ => say("250 as you say"),
            };
        }
    }

    fn keep(&self, to: &str, data: &str) {
        let (head, body) = data.split_once("\n\n").expect("a head and a body");
        let head = head.replace("\n ", " ");
        let encoding =
            head.lines().find_map(|line| line.strip_prefix("Content-Transfer-Encoding: "));
        let text = match encoding {
            Some("quoted-printable") => quoted_printable(body),
            Some("base64") => {
                let bytes = STANDARD.decode(body.replace('\n', "")).expect("base64");
                String::from_utf8(bytes).expect("a text").replace('\r', "")
            }
            _ => body.to_owned(),
        };
        let received = Received { to: to.to_owned(), head, text };
        self.state.0.lock().expect("a lock").received.push(received);
        self.state.1.notify_all();
    }
}

fn quoted_printable(body: &str) -> String {
    let joined = body.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte == b'=' && tail.len() >= 2 {
            let hex = std::str::from_utf8(&tail[..2]).expect("two digits");
            bytes.push(u8::from_str_radix(hex, 16).expect("a number"));
            rest = &tail[2..];
        } else {
            bytes.push(byte);
            rest = tail;
        }
    }
    String::from_utf8(bytes).expect("a text").replace('\r', "")
}
