//! Laws of games between players, over random actions at random times.

use stoa_rules::Game;
use stoa_rules::playout::Rng;
use stoa_wire::Action;

use super::*;

/// What a random player might want, sensible or not.
fn any_action(play: &Play, rng: &mut Rng) -> Action {
    match rng.below(16) {
        0 => Action::Draw,
        1 => Action::DeclineDraw,
        2 => Action::Takeback,
        3 => Action::DeclineTakeback,
        4 => Action::AddTime,
        5 => Action::Rematch,
        6 => Action::DeclineRematch,
        7 if rng.below(20) == 0 => Action::Resign,
        8 if rng.below(20) == 0 => Action::Abort,
        9 => Action::Move { ply: rng.below(12), text: "rubbish".to_owned() },
        _ => {
            let moves = play.position.legal_moves();
            let index = rng.below(moves.len().max(1));
            let text = moves.get(index).cloned().unwrap_or_default();
            Action::Move { ply: play.ply(), text }
        }
    }
}

fn controls() -> [TimeControl; 4] {
    [
        TimeControl::Clock { initial: 60, increment: 0 },
        TimeControl::Clock { initial: 5, increment: 3 },
        TimeControl::Days { days: 1 },
        TimeControl::Unlimited,
    ]
}

#[test]
fn replaying_the_events_gives_the_same_game() {
    let mut ends = std::collections::HashMap::new();
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let games: Vec<Game> = Game::ALL.into_iter().collect();
        let game = games[rng.below(games.len())];
        let game = if game.info().id == "palisade" { "palisade:5".parse().unwrap() } else { game };
        let control = controls()[rng.below(4)];
        let downtimes = Downtimes::new(vec![(1_020_000, 1_500_000)]);
        let mut now = 1_000_000;
        let mut play = Play::new(game, control, now);
        let mut events = Vec::new();
        for _ in 0..400 {
            now += i64::try_from(rng.below(2_500)).unwrap();
            let side = Side::BOTH[rng.below(2)];
            let action = any_action(&play, &mut rng);
            let before = (play.version, play.ply());
            let event = match play.decide(side, &action, now, &downtimes) {
                Ok(Decision::Happens(event) | Decision::TooLate(event)) => event,
                Ok(Decision::Rematch) => GameEvent::Rematched { game: "next".to_owned() },
                Ok(Decision::Already) => {
                    panic!("{action:?} of {side:?} was not sent before: {events:?}")
                }
                Err(refusal) => {
                    assert!(!refusal.to_string().is_empty());
                    continue;
                }
            };
            play.apply(&event, now).unwrap();
            assert_eq!(play.version, before.0 + 1);
            if let Action::Move { ply, text } = &action
                && matches!(event, GameEvent::Moved { .. })
            {
                assert_eq!(play.ply(), before.1 + 1);
                let again = Action::Move { ply: *ply, text: text.clone() };
                let decision = play.decide(side, &again, now, &downtimes);
                assert_eq!(decision, Ok(Decision::Already), "the same move again counts once");
                let other = play.decide(side.other(), &again, now, &downtimes);
                assert!(other.is_err(), "it is not the other's move");
            }
            if let Some(left) = play.left(now, &downtimes) {
                assert!(left.iter().all(|left| *left >= 0), "{left:?} after {event:?}");
            }
            assert_eq!(play.turn().is_none(), play.end.is_some());
            events.push((now, event));
            if play.next.is_some() {
                break;
            }
        }
        let mut again = Play::new(game, control, 1_000_000);
        for (at, event) in &events {
            let text = serde_json::to_string(event).unwrap();
            again.apply(&serde_json::from_str(&text).unwrap(), *at).unwrap();
        }
        assert_eq!(again.moves, play.moves);
        assert_eq!((again.end, again.version), (play.end, play.version));
        assert_eq!(again.offers, play.offers);
        assert_eq!(again.left(now, &downtimes), play.left(now, &downtimes));
        assert_eq!(again.deadline(&downtimes), play.deadline(&downtimes));
        let record = play.record(["A", "B"]).to_string();
        let record = Record::parse(&record).unwrap();
        assert_eq!(record.main_line().len(), play.ply());
        let how = match play.end {
            None => "going on",
            Some(End::Aborted) => "aborted",
            Some(End::Over(outcome)) => outcome.reason.word(),
        };
        *ends.entry(how).or_insert(0) += 1;
    }
    for how in ["aborted", "resigned", "time", "agreed", "no-move"] {
        assert!(ends.contains_key(how), "no game ended so: {ends:?}");
    }
}

/// Whatever both sides ask for without making a move, there is an end to it.
#[test]
fn offers_cannot_be_toggled_for_ever() {
    let none = Downtimes::default();
    let toggles = [
        Action::Draw,
        Action::DeclineDraw,
        Action::Takeback,
        Action::DeclineTakeback,
        Action::Rematch,
        Action::DeclineRematch,
    ];
    let toggled = |play: &mut Play| {
        let before = play.version;
        for action in toggles.iter().cycle().take(600) {
            for side in Side::BOTH {
                // Each declines its own offers only, so that no offer is accepted.
                let own = [play.offers.draw, play.offers.takeback, play.offers.rematch];
                if own.iter().flatten().any(|by| *by != side) {
                    continue;
                }
                if let Ok(Decision::Happens(event)) = play.decide(side, action, 5, &none) {
                    play.apply(&event, 5).unwrap();
                }
            }
        }
        play.version - before
    };
    let game = Game::ALL.into_iter().find(|game| game.info().draws).expect("a game with draws");
    let mut play = Play::new(game, TimeControl::Unlimited, 0);
    for ply in 0..2 {
        let text = play.position.legal_moves()[0].clone();
        let side = play.turn().unwrap();
        let decision = play.decide(side, &Action::Move { ply, text }, 1, &none);
        let Ok(Decision::Happens(event)) = decision else { panic!("{decision:?}") };
        play.apply(&event, 1).unwrap();
    }
    // Three offers and their withdrawals, of draws and of take-backs, by both sides.
    assert_eq!(toggled(&mut play), 24);
    let resigned = play.decide(Side::First, &Action::Resign, 5, &none);
    let Ok(Decision::Happens(event)) = resigned else { panic!("{resigned:?}") };
    play.apply(&event, 5).unwrap();
    assert_eq!(toggled(&mut play), 12, "three rematches by both sides");
}

/// Moves can be taken back by agreement, but not for ever.
#[test]
fn moves_cannot_be_taken_back_for_ever() {
    let none = Downtimes::default();
    let mut play = Play::new(Game::Impasse, TimeControl::Unlimited, 0);
    let mut happened = 0;
    for _ in 0..1000 {
        let text = play.position.legal_moves()[0].clone();
        let mover = play.turn().unwrap();
        let ply = play.ply();
        let actions = [
            (mover, Action::Move { ply, text }),
            (mover, Action::Takeback),
            (mover.other(), Action::Takeback),
        ];
        for (side, action) in actions {
            match play.decide(side, &action, 5, &none) {
                Ok(Decision::Happens(event)) => play.apply(&event, 5).unwrap(),
                refused => {
                    assert_eq!(refused, Err(Refusal::AskedEnough));
                    assert_eq!(happened, 50);
                    return;
                }
            }
        }
        happened += 1;
    }
    panic!("moves were taken back {happened} times");
}

#[test]
fn events_that_do_not_fit_are_refused() {
    let mut play = Play::new(Game::Impasse, TimeControl::Unlimited, 0);
    let strange = GameEvent::Moved { ply: 0, text: "a1-a9".to_owned(), left: None };
    assert!(play.apply(&strange, 1).unwrap_err().to_string().starts_with("event 1 does not fit"));
    assert_eq!((play.version, play.ply()), (0, 0));
}
