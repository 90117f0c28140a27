//! The stream of a NATS server in which some messages are overtaken by later ones.

use std::time::{Duration, Instant};

/// By how many later messages one is overtaken at most.
const MAX_OVERTAKEN: usize = 4;
/// How long a message is kept if nothing overtakes it.
const MAX_DELAY: Duration = Duration::from_secs(1);

/// What a server has sent and has not been passed on.
#[derive(Default)]
pub(crate) struct Reordering {
    /// The beginning of something.
    buffer: Vec<u8>,
    held: Option<Held>,
    /// How many messages have been held.
    count: usize,
}

struct Held {
    message: Vec<u8>,
    /// How many messages are still to overtake it.
    left: usize,
    since: Instant,
}

impl Reordering {
    /// Takes what has come, and returns what is to be passed on. `is_on` says whether more messages are held back.
    pub(crate) fn pass(&mut self, bytes: &[u8], is_on: bool) -> Vec<u8> {
        self.buffer.extend(bytes);
        let mut passed = Vec::new();
        while let Some((length, is_message)) = first(&self.buffer) {
            let whole: Vec<u8> = self.buffer.drain(..length).collect();
            match &mut self.held {
                None if is_on && is_message => {
                    let left = 1 + self.count % MAX_OVERTAKEN;
                    self.count += 1;
                    self.held = Some(Held { message: whole, left, since: Instant::now() });
                    continue;
                }
                Some(held) if is_message => held.left -= 1,
                _ => {}
            }
            passed.extend(whole);
            passed.extend(self.release(|held| held.left == 0));
        }
        passed.extend(self.release(|held| held.since.elapsed() > MAX_DELAY));
        passed
    }

    fn release(&mut self, is_released: impl Fn(&Held) -> bool) -> Vec<u8> {
        self.held.take_if(|held| is_released(held)).map(|held| held.message).unwrap_or_default()
    }
}

/// How long the first thing in a stream is, once it is there as a whole, and whether it is a message.
fn first(stream: &[u8]) -> Option<(usize, bool)> {
    let end = stream.windows(2).position(|two| two == b"\r\n")? + 2;
    let line = String::from_utf8_lossy(&stream[..end - 2]).into_owned();
    // The last word of both is how long the payload is, with its headers.
    let is_message = line.starts_with("MSG ") || line.starts_with("HMSG ");
    let payload = line.rsplit(' ').next().and_then(|length| length.parse::<usize>().ok());
    let length = match payload.filter(|_| is_message) {
        Some(payload) => end + payload + 2,
        None => end,
    };
    (stream.len() >= length).then_some((length, is_message))
}

#[test]
fn messages_are_overtaken_and_nothing_is_lost() {
    let message =
        |n: usize| format!("HMSG stoa.game.{n} 1 12 16\r\nNATS/1.0\r\n\r\n\r\n{n:02}\r\n");
    let stream = |order: &[usize]| -> String {
        order.iter().map(|n| if *n == 0 { "PING\r\n".to_owned() } else { message(*n) }).collect()
    };
    let sent = stream(&[0, 1, 2, 0, 3, 4, 5, 6]);
    // Whatever comes in one piece.
    for size in [1, 7, 1000] {
        let mut reordering = Reordering::default();
        let passed: Vec<u8> =
            sent.as_bytes().chunks(size).flat_map(|bytes| reordering.pass(bytes, true)).collect();
        let passed = String::from_utf8(passed).expect("a text");
        assert_eq!(passed, stream(&[0, 2, 1, 0, 4, 5, 3]), "{size}");
        let rest = reordering.pass(stream(&[7, 8, 9, 10]).as_bytes(), false);
        assert_eq!(String::from_utf8(rest).expect("a text"), stream(&[7, 8, 9, 6, 10]));
    }
    let mut fair = Reordering::default();
    assert_eq!(fair.pass(sent.as_bytes(), false), sent.as_bytes());
    let plain = "MSG stoa.lobby 1 4\r\n\r\n\r\n\r\n+OK\r\n";
    assert_eq!(first(plain.as_bytes()), Some((26, true)), "a payload of ends of lines");
    assert_eq!(first(&plain.as_bytes()[..25]), None);
}
