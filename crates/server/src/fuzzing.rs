//! What a client can send, read and acted upon without a network: for `fuzz/fuzz_targets/message.rs`.

use stoa_rules::{Game, Record};

use crate::api;
use crate::play::{Action, Control, Decision, Downtimes, Event, Play, Seat};
use crate::wire::{Request, Situation};

/// Time that passes between two messages, in milliseconds.
const STEP: i64 = 700;

/// Reads each line of a text as every kind of message there is. Actions happen in a game: its kind is the
/// first byte's, `a` for the first and so on, its clock the second's, and a line that begins with `2` is
/// the second player's.
///
/// # Panics
/// If something that was accepted does not hold together.
pub fn messages(data: &[u8]) {
    let Some((head, rest)) = data.split_at_checked(2) else { return };
    let Ok(text) = str::from_utf8(rest) else { return };
    let games: Vec<Game> = Game::variants().collect();
    let game = games[usize::from(head[0].wrapping_sub(b'a')) % games.len()];
    let control = match head[1] {
        b'c' => Control::Clock { initial: 5, increment: 1 },
        b'd' => Control::Days { days: 1 },
        _ => Control::Unlimited,
    };
    let mut now = 1_000_000;
    let mut play = Play::new(game, control, now);
    let downtimes = Downtimes::default();
    for line in text.lines().take(200) {
        now += STEP;
        let (seat, line) = match line.strip_prefix('2') {
            Some(line) => (Seat::Second, line),
            None => (Seat::First, line.strip_prefix('1').unwrap_or(line)),
        };
        api::read_as_everything(line);
        let action = match serde_json::from_str(line) {
            Ok(Request::Act { action, .. }) => action,
            _ => match serde_json::from_str::<Action>(line) {
                Ok(action) => action,
                Err(_) => continue,
            },
        };
        let event = match play.decide(seat, &action, now, &downtimes) {
            Ok(Decision::Happens(event) | Decision::TooLate(event)) => event,
            Ok(Decision::Rematch) => Event::Rematched { game: "next".to_owned() },
            Ok(Decision::Already) => continue,
            Err(refusal) => {
                assert!(!refusal.to_string().is_empty() && !refusal.code().is_empty());
                continue;
            }
        };
        let kept = serde_json::to_string(&event).expect("an event that can be kept");
        let again: Event = serde_json::from_str(&kept).expect("an event that can be read");
        assert_eq!(again, event, "{kept}");
        let version = play.version;
        play.apply(&event, now).expect("an event that fits");
        assert_eq!(play.version, version + 1);
        let situation = Situation::of(&play, now, &downtimes);
        assert_eq!(situation.turn.is_some(), situation.result.is_none(), "{kept}");
        let record = play.record(["Ann", "Bob"]).to_string();
        assert!(Record::parse(&record).is_ok(), "{record}");
    }
}

#[cfg(test)]
mod tests {
    use super::messages;

    #[test]
    fn a_game_by_messages() {
        let moves = r#"1{"kind":"move","ply":0,"move":"nonsense"}"#;
        for kind in b'a'..b'k' {
            for clock in b"cdu" {
                let mut data = vec![kind, *clock];
                data.extend(
                    format!("{moves}\n2{{\"kind\":\"draw\"}}\n1{{\"kind\":\"draw\"}}\n").bytes(),
                );
                data.extend(b"1{\"kind\":\"resign\"}\n2{\"kind\":\"rematch\"}\n1{\"kind\":\"rematch\"}\n[[[");
                messages(&data);
            }
        }
        messages(b"");
        messages(&[b'a', b'c', 0xff, 0xfe]);
    }
}
