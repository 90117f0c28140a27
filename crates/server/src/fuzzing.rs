//! Everything a client can send, parsed and carried out without a network: for `fuzz/fuzz_targets/message.rs`.

use stoa_rules::{Game, Record, Side};
use stoa_wire::{Action, ClientMessage, GameEvent, TimeControl};

use crate::api;
use crate::play::{Decision, Downtimes, Play};

/// Time that passes between two messages, in milliseconds.
const STEP_MS: i64 = 700;

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
        b'c' => TimeControl::Clock { initial: 5, increment: 1 },
        b'd' => TimeControl::Days { days: 1 },
        _ => TimeControl::Unlimited,
    };
    let mut now = 1_000_000;
    let mut play = Play::new(game, control, now);
    let downtimes = Downtimes::default();
    for line in text.lines().take(200) {
        now += STEP_MS;
        let (side, line) = match line.strip_prefix('2') {
            Some(line) => (Side::Second, line),
            None => (Side::First, line.strip_prefix('1').unwrap_or(line)),
        };
        api::parse_as_every_body(line);
        let action = match serde_json::from_str(line) {
            Ok(ClientMessage::Act { action, .. }) => action,
            _ => match serde_json::from_str::<Action>(line) {
                Ok(action) => action,
                Err(_) => continue,
            },
        };
        let event = match play.decide(side, &action, now, &downtimes) {
            Ok(Decision::Happens(event) | Decision::TooLate(event)) => event,
            Ok(Decision::Rematch) => GameEvent::Rematched { game: "next".to_owned() },
            Ok(Decision::Already) => continue,
            Err(refusal) => {
                assert!(!refusal.to_string().is_empty());
                continue;
            }
        };
        let json = serde_json::to_string(&event).expect("an event that can be written");
        let again: GameEvent = serde_json::from_str(&json).expect("an event that can be read");
        assert_eq!(again, event, "{json}");
        let version = play.version;
        play.apply(&event, now).expect("an event that fits");
        assert_eq!(play.version, version + 1);
        let situation = play.situation(now, &downtimes);
        assert_eq!(situation.turn.is_some(), situation.result.is_none(), "{json}");
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
