//! Bots: the server's own, and those of others.

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;
use stoa_client::{Client, NewChallenge, Player, Side, TimeControl};
use stoa_rules::playout::Rng;
use stoa_testing::Stoa;

use super::{begin, program, random_move, serve, until};

#[derive(Deserialize)]
struct Bots {
    bots: Vec<Player>,
}

pub(super) fn bots(client: &Client) -> Vec<Player> {
    client.get::<Bots>("/api/bots").unwrap().bots
}

/// Plays random moves against a bot until the game is over.
pub(super) fn play_against(person: &Client, seat: Side, game: &str, most: usize) -> usize {
    let mut rng = Rng::new(3);
    for moves in 0..most {
        let view = until("the bot's move", || {
            let view = person.game(game).ok()?;
            (view.situation.turn.is_none_or(|turn| turn == seat)).then_some(view)
        });
        if view.situation.result.is_some() {
            return moves;
        }
        // Again, if the server says that this was too often.
        let action = random_move(&view, &mut rng);
        until("a move", || {
            person.act(game, &action).map_err(|error| assert!(error.is_transient())).ok()
        });
    }
    most
}

/// The game that comes of a challenge; nothing if it is declined.
pub(super) fn answered(person: &Client, challenge: &str) -> Option<String> {
    until("an answer to the challenge", || {
        let challenge = person.challenge_of(challenge).unwrap();
        (challenge.state != stoa_client::ChallengeState::Open).then_some(challenge.game_id)
    })
}

#[test]
fn the_servers_own_engine_is_challenged_and_plays_again() {
    let data = tempfile::tempdir().unwrap();
    // With the limits that servers have: those are for others.
    let stoa = Stoa::start(program(), data.path(), &["--log", "warn"]).unwrap();
    let zeno = Client::guest(&stoa.url(), "Zeno").unwrap();
    let there = until("ten bots", || Some(bots(&zeno)).filter(|bots| bots.len() == 10));
    let names: Vec<&str> = there.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(names[..2], ["Stoa 1", "Stoa 2"]);
    assert!(there.iter().all(|bot| bot.kind == stoa_client::PlayerKind::Bot));
    let new = NewChallenge {
        side: stoa_client::ChallengeSide::Second,
        opponent: Some("stoa-2".to_owned()),
        ..NewChallenge::new("colonnade", TimeControl::Clock { initial: 60, increment: 1 })
    };
    let game = answered(&zeno, &zeno.challenge(&new).unwrap().id).expect("it is accepted");
    let moves = play_against(&zeno, Side::Second, &game, 100);
    assert!((2..100).contains(&moves), "{moves}");
    zeno.act(&game, &stoa_client::Action::Rematch).unwrap();
    let again = until("the rematch", || zeno.game(&game).unwrap().situation.next);
    assert_eq!(zeno.game(&again).unwrap().players[1].id, "stoa-2");
    play_against(&zeno, Side::First, &again, 2);
}

/// One person plays eight games against the highest level, and answers at once.
fn keep_busy(greedy: &Client, games: &[String], stop: &AtomicBool) {
    let mut rng = Rng::new(5);
    while !stop.load(Ordering::Relaxed) {
        for game in games {
            let Ok(view) = greedy.game(game) else { continue };
            let seat = view.side_of(&greedy.me().unwrap().unwrap().id);
            if view.situation.turn.is_some() && view.situation.turn == seat {
                let _ = greedy.act(game, &random_move(&view, &mut rng));
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn one_person_cannot_monopolise_the_engine() {
    let data = tempfile::tempdir().unwrap();
    let stoa = Stoa::start(program(), data.path(), &["--log", "warn", "--rate", "200"]).unwrap();
    let greedy = Client::guest(&stoa.url(), "Greedy").unwrap();
    let zeno = Client::guest(&stoa.url(), "Zeno").unwrap();
    until("ten bots", || Some(bots(&zeno)).filter(|bots| bots.len() == 10));
    let new = |level: &str, control| NewChallenge {
        side: stoa_client::ChallengeSide::Second,
        opponent: Some(level.to_owned()),
        ..NewChallenge::new("palisade:9", control)
    };
    let challenges: Vec<String> = (0..8)
        .map(|_| greedy.challenge(&new("stoa-10", TimeControl::Unlimited)).unwrap().id)
        .collect();
    let refused = greedy.challenge(&new("stoa-1", TimeControl::Unlimited)).unwrap_err();
    assert_eq!(refused.code(), Some(stoa_client::ErrorCode::EngineBusy), "an honest answer");
    let games: Vec<String> =
        challenges.iter().map(|id| answered(&greedy, id).expect("it is accepted")).collect();
    let plies =
        || -> usize { games.iter().map(|game| greedy.game(game).unwrap().situation.ply).sum() };
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| keep_busy(&greedy, &games, &stop));
        let clock = TimeControl::Clock { initial: 60, increment: 0 };
        let challenge = zeno.challenge(&new("stoa-1", clock)).unwrap().id;
        let game = answered(&zeno, &challenge).expect("it is accepted");
        // After the first answer it is known how long this level thinks.
        play_against(&zeno, Side::Second, &game, 2);
        let before = plies();
        let moves = play_against(&zeno, Side::Second, &game, 8);
        let view = zeno.game(&game).unwrap();
        let searched = plies() - before;
        stop.store(true, Ordering::Relaxed);
        let reason = view.situation.result.map(|result| result.reason.word());
        assert_ne!(reason, Some("time"), "the engine loses on time");
        // In the order of arrival, every answer would wait for eight long thoughts.
        assert!(searched < 4 * moves, "{searched} moves for one while another has {moves}");
    });
}

/// A running `stoa bot`.
struct Running(Child);

impl Running {
    fn start(stoa: &Stoa, token: &str) -> Running {
        let engine = format!("'{}' ugi {{game}} --level 1", program().display());
        let child = Command::new(program())
            .args(["bot", "--server", &stoa.url(), "--engine", &engine])
            .args(["--games", "colonnade", "--most-games", "1"])
            .env("STOA_TOKEN", token)
            .stdout(Stdio::null())
            .spawn();
        Running(child.unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[derive(Deserialize)]
struct Token {
    token: String,
}

#[test]
fn a_bot_with_any_engine_goes_on_after_restarts_and_declines_what_it_does_not_play() {
    let data = tempfile::tempdir().unwrap();
    let mut stoa = serve(data.path(), &[]);
    let owner = Client::guest(&stoa.url(), "Clockwork").unwrap();
    let label = serde_json::json!({"label": "test"});
    let token = owner.post::<Token>("/api/me/tokens", &label).unwrap().token;
    let id = owner.me().unwrap().unwrap().id;
    let zeno = Client::guest(&stoa.url(), "Zeno").unwrap();
    assert!(bots(&zeno).is_empty(), "nobody is a bot without saying so");

    let bot = Running::start(&stoa, &token);
    until("the bot", || bots(&zeno).iter().any(|bot| bot.id == id).then_some(()));
    let new = |game| NewChallenge {
        side: stoa_client::ChallengeSide::First,
        opponent: Some(id.clone()),
        ..NewChallenge::new(game, TimeControl::Unlimited)
    };
    assert_eq!(answered(&zeno, &zeno.challenge(&new("impasse")).unwrap().id), None);
    let challenge = zeno.challenge(&new("colonnade")).unwrap();
    let game = answered(&zeno, &challenge.id).expect("it is accepted");
    assert_eq!(answered(&zeno, &zeno.challenge(&new("colonnade")).unwrap().id), None, "too many");
    play_against(&zeno, Side::First, &game, 3);

    // The bot is gone, moves are made, it comes back; the same with the server.
    drop(bot);
    let mut rng = Rng::new(9);
    let view = zeno.game(&game).unwrap();
    if view.situation.turn == Some(Side::First) {
        zeno.act(&game, &random_move(&view, &mut rng)).unwrap();
    }
    let _bot = Running::start(&stoa, &token);
    play_against(&zeno, Side::First, &game, 2);
    stoa.kill();
    stoa.restart().unwrap();
    play_against(&zeno, Side::First, &game, 100);
    assert!(zeno.game(&game).unwrap().situation.result.is_some());
}

#[test]
fn nobody_becomes_a_bot_in_the_middle_of_a_game() {
    let data = tempfile::tempdir().unwrap();
    let stoa = serve(data.path(), &[]);
    let ann = Client::guest(&stoa.url(), "Ann").unwrap();
    let bob = Client::guest(&stoa.url(), "Bob").unwrap();
    let game = begin(&ann, &bob, "impasse", TimeControl::Unlimited);
    let refused = ann.become_bot().unwrap_err();
    assert_eq!(refused.code(), Some(stoa_client::ErrorCode::StillPlaying));
    ann.act(&game.id, &stoa_client::Action::Abort).unwrap();
    assert_eq!(ann.become_bot().unwrap().kind, stoa_client::PlayerKind::Bot);
    assert_eq!(ann.become_bot().unwrap().kind, stoa_client::PlayerKind::Bot, "twice is once");
    assert_eq!(ann.me().unwrap().unwrap().kind, stoa_client::PlayerKind::Bot);
}
