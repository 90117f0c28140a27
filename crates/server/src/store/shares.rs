//! Tests: networks that may be one customer's get a share together, in lists and of what is limited.

use std::net::IpAddr;

use stoa_testing::{Durability, Postgres, or_skip};
use stoa_wire::{GameEvent, Player, Side, TimeControl};

use super::{
    Accepted, Added, Asked, ChallengeLimits, ChallengeRow, Commit, Committed, EngineBusy,
    EngineLimits, NewGame, PlayerRow, QueueLimits, Store,
};
use crate::guard::Client;
use crate::rooms::new_game;

/// A network in the /48 of a customer, each in a /56 of its own.
fn network(customer: u16, number: u16) -> String {
    let address = IpAddr::from([0x2001, 0xdb8, customer, number << 8, 0, 0, 0, 1]);
    Client::from(address).pseudonym(b"secret")
}

const LIMITS: ChallengeLimits = ChallengeLimits {
    of_player: 1000,
    from_network: Some(3),
    engine: EngineLimits { of_player: 2, from_network: Some(3), of_level: 4, all: 5 },
};

async fn player(store: &Store, id: &str) -> Player {
    let row = PlayerRow::for_test(id);
    assert!(store.add_player(&row).await.expect("a database"));
    row.into()
}

fn challenge(id: &str, creator: &Player, network: String) -> ChallengeRow {
    ChallengeRow {
        listed: true,
        network: Some(network),
        ..ChallengeRow::for_test(id, creator.clone(), TimeControl::Unlimited)
    }
}

async fn add(store: &Store, row: &ChallengeRow, limits: &ChallengeLimits) -> Added {
    store.add_challenge(row, limits).await.expect("a database")
}

fn ids(rows: Vec<ChallengeRow>) -> Vec<String> {
    let mut ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
    ids.sort();
    ids
}

async fn a_customer_with_many_networks_has_one_share_of_lists(store: &Store) {
    let none = ChallengeLimits { from_network: None, ..LIMITS };
    let [greedy, ann, victim] =
        [player(store, "greedy").await, player(store, "ann").await, player(store, "victim").await];
    for sent in [false, true] {
        let made = |id: &str, creator: &Player, created: i64, network: String| {
            let opponent = sent.then(|| victim.clone());
            let id = format!("{id} {sent}");
            let listed = !sent;
            ChallengeRow { created, opponent, listed, ..challenge(&id, creator, network) }
        };
        assert_eq!(add(store, &made("ann", &ann, 1, network(1, 1)), &none).await, Added::Done);
        for number in 0..9 {
            // The second half comes from networks that have one already.
            let row =
                made(&number.to_string(), &greedy, 10 + number, network(2, number as u16 % 5));
            assert_eq!(add(store, &row, &none).await, Added::Done);
        }
        let shown = match sent {
            false => store.lobby(100, 4).await,
            true => store.challenges_of(&victim.id, 100, 4).await,
        };
        let expected = ["6", "7", "8", "ann"].map(|id| format!("{id} {sent}"));
        assert_eq!(ids(shown.expect("a database")), expected, "each newest, and Ann's");
    }
}

async fn open_challenges_of_a_customer_are_limited(store: &Store) {
    let guest = player(store, "guest with networks").await;
    let mut made = 0;
    for number in 0..40 {
        let row = challenge(&format!("flood {number}"), &guest, network(3, number / 2));
        match add(store, &row, &LIMITS).await {
            Added::Done => made += 1,
            refused => assert_eq!(refused, Added::TooManyFromNetwork(12)),
        }
    }
    assert_eq!(made, 12, "a /48 has four times as many as an address");
    let other = challenge("no flood", &guest, network(4, 1));
    assert_eq!(add(store, &other, &LIMITS).await, Added::Done);
}

async fn begin(store: &Store, game: &NewGame) {
    let creator = PlayerRow::for_test(&game.players[0]).into();
    let row = ChallengeRow::for_test(&format!("for {}", game.id), creator, game.control);
    let none = ChallengeLimits { from_network: None, ..LIMITS };
    assert_eq!(add(store, &row, &none).await, Added::Done);
    let accepted = store.accept(&row.id, &game.players[1], 0, game).await.expect("a database");
    assert_eq!(accepted, Accepted::Done);
}

async fn reviews_of_a_customer_are_limited_and_newcomers_admitted(store: &Store) {
    let players = [player(store, "r1").await.id, player(store, "r2").await.id];
    let mut games = Vec::new();
    for _ in 0..40 {
        let control = TimeControl::Unlimited;
        let game = new_game(stoa_rules::Game::Impasse, control, players.clone(), None, 0);
        begin(store, &game).await;
        games.push(game.id);
    }
    let mut games = games.into_iter();
    let mut ask = async |network: String, limits: QueueLimits| {
        let game = games.next().expect("a game");
        // Guests cost nothing, and one who is deleted leaves what they have asked for.
        let guest = player(store, &format!("asks for {game}")).await.id;
        let asked = store.ask_review(&game, &guest, &network, limits, 0).await;
        store.delete_player(&guest, 0).await.expect("a database");
        asked.expect("a database")
    };
    let limits = QueueLimits { of_player: 5, from_network: 1, all: 6 };
    for number in 0..10 {
        let expected = if number < 4 { Asked::Known } else { Asked::TooMany };
        assert_eq!(ask(network(5, number), limits).await, expected, "{number}");
    }
    for customer in 6..8 {
        assert_eq!(ask(network(customer, 0), limits).await, Asked::Known);
    }
    assert_eq!(ask(network(6, 1), limits).await, Asked::QueueFull, "something waits");
    for customer in 8..14 {
        assert_eq!(ask(network(customer, 0), limits).await, Asked::Known, "nothing waits");
    }
    assert_eq!(ask(network(14, 0), limits).await, Asked::QueueFull, "twice as many");
}

/// Rematches are checked where they begin: many may be in one transaction.
async fn rematches_with_the_engine_are_limited(store: &Store) {
    let levels = [player(store, "stoa-1").await.id, player(store, "stoa-2").await.id];
    let mut old = Vec::new();
    for number in 0..6 {
        let guest = player(store, &format!("rematch {number}")).await.id;
        let players = [guest, levels[0].clone()];
        let game = new_game(
            stoa_rules::Game::Impasse,
            TimeControl::Unlimited,
            players,
            None,
            -1_000_000_000,
        );
        begin(store, &game).await;
        old.push(game);
    }
    let rematch = async |number: usize, level: usize, network: String, limits: EngineLimits| {
        let before = &old[number];
        let mut players = before.players.clone();
        players[1].clone_from(&levels[level]);
        let mut game =
            new_game(stoa_rules::Game::Impasse, before.control, players, Some(&before.id), 0);
        game.network = Some(network);
        let (version, _) = store.state(&before.id).await.expect("a database").expect("a game");
        let commit = Commit {
            game: before.id.clone(),
            version,
            revision: 0,
            events: vec![GameEvent::RematchOffered { by: Side::First }],
            at: 0,
            snapshot: before.snapshot.clone(),
            family: "impasse",
            conditional: None,
            new_game: Some(game),
            engine_limits: limits,
        };
        store.commit(commit).await.expect("a database")
    };
    let busy = Committed::EngineBusy;
    let limits = EngineLimits { of_player: 9, from_network: Some(1), of_level: 100, all: 100 };
    for number in 0..4 {
        assert_eq!(rematch(number, 1, network(9, number as u16), limits).await, Committed::Done);
    }
    let of_customer = rematch(4, 1, network(9, 4), limits).await;
    assert_eq!(of_customer, busy(EngineBusy::Network(4)), "a /48");
    let level = EngineLimits { of_level: 4, ..limits };
    assert_eq!(rematch(4, 1, network(10, 0), level).await, busy(EngineBusy::Level));
    // Those of the same transaction count.
    let at_once =
        tokio::join!(rematch(4, 0, network(11, 0), limits), rematch(5, 0, network(11, 0), limits));
    let refused = busy(EngineBusy::Network(1));
    assert!([(Committed::Done, refused), (refused, Committed::Done)].contains(&at_once));
}

mod on_sqlite {
    use super::*;

    async fn store(folder: &tempfile::TempDir) -> Store {
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        Store::open(&file).await.expect("a database")
    }

    macro_rules! tests {
        ($($test:ident),+ $(,)?) => {
            $(#[tokio::test]
            async fn $test() {
                let folder = tempfile::tempdir().expect("a folder");
                let store = store(&folder).await;
                super::$test(&store).await;
                store.close().await;
            })+
        };
    }

    tests! {
        a_customer_with_many_networks_has_one_share_of_lists,
        open_challenges_of_a_customer_are_limited,
        reviews_of_a_customer_are_limited_and_newcomers_admitted,
        rematches_with_the_engine_are_limited,
    }
}

#[tokio::test]
async fn on_postgres() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    let address = postgres.database("shares").expect("a database");
    let store = Store::open(&address).await.expect("a database");
    a_customer_with_many_networks_has_one_share_of_lists(&store).await;
    open_challenges_of_a_customer_are_limited(&store).await;
    reviews_of_a_customer_are_limited_and_newcomers_admitted(&store).await;
    rematches_with_the_engine_are_limited(&store).await;
    store.close().await;
}
