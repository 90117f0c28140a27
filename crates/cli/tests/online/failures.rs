//! Services that go away and come back.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use stoa_client::{Action, Client, ServerMessage, Situation, TimeControl};
use stoa_rules::playout::Rng;
use stoa_testing::{Durability, Nats, Postgres, or_skip};

use super::{begin, play, random_move, serve, until};

/// Something about a game, whenever a node tells.
fn told<T: Send + 'static>(client: &Client, game: &str, what: fn(&Situation) -> T) -> Receiver<T> {
    let events = client.game_events(game).unwrap();
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for event in events {
            let heard = match event {
                Ok(ServerMessage::Game { game }) => what(&game.situation),
                Ok(ServerMessage::Update { situation, .. }) => what(&situation),
                Ok(_) => continue,
                Err(_) => return,
            };
            if tell.send(heard).is_err() {
                return;
            }
        }
    });
    told
}

/// How long it takes until a game is reported to have this many moves.
fn wait_for(told: &Receiver<usize>, ply: usize) -> Duration {
    let began = Instant::now();
    loop {
        let heard = told.recv_timeout(Duration::from_secs(20)).expect("the move arrives");
        if heard >= ply {
            return began.elapsed();
        }
    }
}

#[test]
fn without_nats_moves_reach_other_nodes_a_little_later() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    let Some(mut nats) = or_skip(Nats::start()) else { return };
    let data = tempfile::tempdir().unwrap();
    let more = ["--database", &postgres.address(), "--nats", &nats.address()];
    let nodes = [serve(data.path(), &more), serve(data.path(), &more)];
    let ann = Client::guest(&nodes[0].url(), "Ann").unwrap();
    let bob = Client::guest(&nodes[1].url(), "Bob").unwrap();
    let game = begin(&ann, &bob, "impasse", TimeControl::Unlimited).id;
    let [to_ann, to_bob] = [&ann, &bob].map(|client| told(client, &game, |now| now.ply));
    let mut rng = Rng::new(1);
    let mut ply = 0;
    let mut move_on = || {
        ply = play([&ann, &bob], &game, &mut rng).ply;
        let (one, two) = (wait_for(&to_ann, ply), wait_for(&to_bob, ply));
        one.max(two)
    };
    for _ in 0..4 {
        assert!(move_on() < Duration::from_secs(2), "with NATS");
    }
    nats.kill();
    for _ in 0..4 {
        assert!(move_on() < Duration::from_secs(5), "without NATS");
    }
    nats.restart().unwrap();
    // The nodes find it again by themselves; nothing is lost meanwhile.
    for _ in 0..4 {
        move_on();
    }
    until("NATS is used again", || (move_on() < Duration::from_millis(400)).then_some(()));
}

#[test]
fn after_an_outage_of_nats_nothing_is_published_late_or_twice() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    let Some(mut nats) = or_skip(Nats::start()) else { return };
    let data = tempfile::tempdir().unwrap();
    let more = ["--database", &postgres.address(), "--nats", &nats.address()];
    let nodes = [serve(data.path(), &more), serve(data.path(), &more)];
    let ann = Client::guest(&nodes[0].url(), "Ann").unwrap();
    let bob = Client::guest(&nodes[0].url(), "Bob").unwrap();
    let game = begin(&ann, &bob, "impasse", TimeControl::Unlimited).id;
    let watcher = Client::anonymous(&nodes[1].url());
    let told = told(&watcher, &game, |now| now.version);
    let mut rng = Rng::new(1);
    let mut moves = |count: usize| {
        (0..count).map(|_| play([&ann, &bob], &game, &mut rng).version).last().unwrap()
    };
    moves(5);
    nats.kill();
    moves(20);
    nats.restart().unwrap();
    let mut heard = Vec::new();
    for _ in 0..15 {
        let last = moves(1);
        while heard.last() != Some(&last) {
            heard.push(told.recv_timeout(Duration::from_secs(20)).expect("the move arrives"));
        }
    }
    assert!(heard.is_sorted_by(|a, b| a < b), "{heard:?}");
}

#[test]
fn a_database_outage_costs_nobody_time_and_moves_count_once() {
    let Some(mut postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    let data = tempfile::tempdir().unwrap();
    let stoa = serve(data.path(), &["--database", &postgres.address()]);
    let ann = Client::guest(&stoa.url(), "Ann").unwrap();
    let bob = Client::guest(&stoa.url(), "Bob").unwrap();
    let game = begin(&ann, &bob, "impasse", TimeControl::Clock { initial: 6, increment: 0 }).id;
    let mut rng = Rng::new(1);
    for _ in 0..2 {
        play([&ann, &bob], &game, &mut rng);
    }
    let action = random_move(&ann.game(&game).unwrap(), &mut rng);
    postgres.crash();
    let down = Instant::now();
    let refused = ann.act(&game, &action).unwrap_err();
    assert_eq!(refused.code(), Some(stoa_client::ErrorCode::Unavailable), "{refused}");
    assert!(refused.is_transient() && refused.retry_after().is_some());
    std::thread::sleep(Duration::from_secs(7).saturating_sub(down.elapsed()));
    postgres.restart().unwrap();
    // Sent again until it is answered, and then once more.
    let situation = until("the move", || ann.act(&game, &action).ok());
    assert_eq!(situation.ply, 3);
    assert_eq!(ann.act(&game, &action).unwrap().ply, 3);
    let other = Action::Move { ply: 2, text: "a1-a1".to_owned() };
    assert_eq!(ann.act(&game, &other).unwrap_err().code(), Some(stoa_client::ErrorCode::WrongPly));
    // The database was away for longer than the whole clock.
    let left = situation.left.unwrap();
    assert!(left[0] > 2000, "{left:?}");
    play([&ann, &bob], &game, &mut rng);
}
