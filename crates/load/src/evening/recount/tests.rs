//! An honest evening recounts to nothing, and every planted fault is found.

use stoa_client::{
    Action, EndReason, GameResult, GameReview, GameView, Offers, Player, PlayerKind, ReviewState,
    Side, Situation, TimeControl,
};
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Reason, Record};
use stoa_wire::{
    ArchivedGame, Audience, ClassCounts, GameSummary, MoveClass, Pace, PlayerRating, Rating,
    RatingChange, Review, ReviewedMove, ReviewedPlayer, ReviewedScore, ReviewedValue,
};

use super::*;
use crate::evening::database::{GameRow, RatingTables, ReviewRow};
use crate::evening::found::{Found, FoundGame, Standing};
use crate::evening::ledger::{AbandonedLease, Ledger, SeenGame, SeenPlayer, SeenReview};

/// A rated game that is resigned after some moves, a casual one that ends on the board, one that is aborted, one
/// that goes on; a review of the first, which a killed worker had begun.
fn honest() -> (Ledger, Found) {
    let (mut ledger, mut found) = (Ledger::default(), Found::default());
    for id in ["ann", "bob"] {
        ledger.players.push(SeenPlayer { id: id.to_owned(), is_guest: false });
    }
    let resigned = EndReason::Over(Reason::Resigned);
    let resigned = GameResult { winner: Some(Side::First), reason: resigned };
    let aborted = GameResult { winner: None, reason: EndReason::Aborted };
    let days = TimeControl::Days { days: 1 };
    add(&mut ledger, &mut found, "rated", "impasse", days, 6, Some(resigned));
    add(&mut ledger, &mut found, "casual", "palisade:3", TimeControl::Unlimited, usize::MAX, None);
    add(&mut ledger, &mut found, "aborted", "columna", days, 1, Some(aborted));
    add(&mut ledger, &mut found, "open", "palisade:9", days, 5, None);
    let deeds = |game: &str, side, action| (game.to_owned(), (side, action));
    for (game, deed) in
        [deeds("rated", Side::Second, Action::Resign), deeds("aborted", Side::First, Action::Abort)]
    {
        ledger.games.get_mut(&game).unwrap().deeds.push(deed);
    }
    rate(&mut found);
    for game in Game::variants() {
        found.explored.insert(game.to_string(), 0);
    }
    found.explored.extend([("impasse".to_owned(), 1), ("palisade:3".to_owned(), 1)]);
    let moves = found.games["rated"].view.moves.clone();
    let review = reviewed("rated", &moves);
    let body = serde_json::to_string(&review.review).unwrap();
    let abandoned = vec![AbandonedLease { attempts: 1, killed: 100 }];
    ledger.reviews.insert("rated".to_owned(), SeenReview { done: Some((50_000, body)), abandoned });
    found.reviews.insert("rated".to_owned(), review);
    let row = ReviewRow { state: "done".to_owned(), attempts: 2 };
    found.review_rows.insert("rated".to_owned(), row);
    found.reviews_kept = 1;
    (ledger, found)
}

/// Plays a game of at most so many moves, and puts it wherever it belongs. The board decides if no result is given.
fn add(
    ledger: &mut Ledger,
    found: &mut Found,
    id: &str,
    kind: &str,
    control: TimeControl,
    moves: usize,
    result: Option<GameResult>,
) {
    let kind: Game = kind.parse().unwrap();
    let mut record = Record::new(kind.start());
    let mut session = record.session();
    let mut rng = Rng::new(7);
    while session.position().outcome().is_none() && session.moves().len() < moves {
        let legal = session.position().legal_moves();
        session.play(&legal[rng.below(legal.len())]).unwrap();
    }
    record.follow(&session);
    let outcome = session.position().outcome();
    let on_board = outcome.map(|outcome| GameResult {
        winner: outcome.winner,
        reason: EndReason::Over(outcome.reason),
    });
    if let Some(GameResult { winner, reason: EndReason::Over(reason) }) = result {
        record.end(stoa_rules::Outcome { winner, reason });
    }
    let moves: Vec<String> = record.main_line().map(|node| node.text().to_owned()).collect();
    let version = moves.len() as i64 + i64::from(result.is_some());
    let result = result.or(on_board);
    let rated = Pace::of(control).is_some();
    let players = ["ann", "bob"].map(player);
    let situation = Situation {
        version,
        ply: moves.len(),
        position: session.position().text(),
        turn: None,
        left: None,
        running: None,
        deadline: None,
        offers: Offers::default(),
        result,
        next: None,
        now: 0,
    };
    let summary = GameSummary {
        id: id.to_owned(),
        game: kind.to_string(),
        control,
        players: players.clone(),
        rated,
        rating_changes: None,
        created: 0,
        updated: 0,
        version,
        ply: moves.len(),
        position: situation.position.clone(),
        turn: None,
        deadline: None,
        result,
    };
    let view = GameView {
        id: id.to_owned(),
        game: kind.to_string(),
        control,
        players,
        rated,
        rating_changes: None,
        created: 0,
        previous: None,
        moves: moves.clone(),
        situation,
        vacations: [None; 2],
        audience: Audience::default(),
    };
    let is_over = view.situation.status() == GameStatus::Over;
    if is_over {
        // Those that ended last come first.
        let ended = 1000 - found.archive.len() as i64;
        let archived = ArchivedGame { game: summary, ended };
        found.archive.push(archived.clone());
        for player in ["ann", "bob"] {
            let own = found.archives.entry(player.to_owned()).or_default();
            own.0.push(archived.clone());
            own.1.push(record.clone());
        }
    }
    found.games.insert(id.to_owned(), FoundGame { view, record: record.to_string() });
    let row = GameRow { version, events: version, is_archived: is_over, counted: None };
    found.rows.insert(id.to_owned(), row);
    let seen = SeenGame {
        kind,
        control,
        players: ["ann", "bob"].map(str::to_owned),
        rated,
        moves,
        unanswered: None,
        deeds: Vec::new(),
        draw_offered: false,
        results: result.into_iter().collect(),
    };
    ledger.games.insert(id.to_owned(), seen);
}

fn player(id: &str) -> Player {
    Player { id: id.to_owned(), name: id.to_owned(), kind: PlayerKind::Account, rating: None }
}

/// Counts the rated game.
fn rate(found: &mut Found) {
    let change = RatingChange { before: 1500, after: 1600, provisional: true };
    found.games.get_mut("rated").unwrap().view.rating_changes = Some([change; 2]);
    found.archive[0].game.rating_changes = Some([change; 2]);
    found.rows.get_mut("rated").unwrap().counted = Some(1);
    for (player, wins, losses) in [("ann", 1, 0), ("bob", 0, 1)] {
        let rating = PlayerRating {
            game: "impasse".to_owned(),
            pace: Pace::Correspondence,
            rating: Rating { value: 1500, provisional: true },
            deviation: 300,
            wins,
            losses,
            draws: 0,
            at: 0,
        };
        let history = vec!["rated".to_owned()];
        found.ratings.insert(player.to_owned(), vec![(rating, history)]);
    }
    found.leaderboards.push(Standing {
        category: "impasse correspondence".to_owned(),
        player: "ann".to_owned(),
        games: 1,
    });
    let tables = RatingTables {
        ratings: vec!["ann 1600".to_owned(), "bob 1400".to_owned()],
        changes: vec!["rated ann".to_owned(), "rated bob".to_owned()],
    };
    found.rating_tables = [tables.clone(), tables];
    found.rebuilt = "2 ratings from 1 games: all were right".to_owned();
}

fn reviewed(game: &str, moves: &[String]) -> GameReview {
    let score = ReviewedScore { points: Some(0), win_probability: 0.5, proven: None, turns: None };
    let value = ReviewedValue { mover: score.clone(), first: score };
    let reviewed = moves.iter().enumerate().map(|(ply, text)| ReviewedMove {
        ply,
        side: Side::BOTH[ply % 2],
        text: text.clone(),
        class: MoveClass::Best,
        before: value.clone(),
        after: value.clone(),
        lost: 0.0,
        best: vec![text.clone()],
        expected: Vec::new(),
        missed_win: None,
        allowed_loss: None,
        findings: Vec::new(),
        reason: None,
    });
    let counts = ClassCounts { forced: 0, best: 0, good: 0, inaccuracy: 0, mistake: 0, blunder: 0 };
    let player = |side| ReviewedPlayer {
        side,
        average_loss: None,
        accuracy: None,
        counts,
        missed_wins: 0,
        allowed_losses: 0,
    };
    GameReview {
        game: game.to_owned(),
        state: ReviewState::Done,
        available: true,
        before: None,
        judged: None,
        failure: None,
        finished: Some(50_000),
        review: Some(Review {
            plies: moves.len(),
            moves: reviewed.collect(),
            players: Side::BOTH.map(player),
            turning_points: Vec::new(),
            curve: Vec::new(),
            complete: true,
        }),
    }
}

/// The subjects that differ.
fn differing(ledger: &Ledger, found: &Found) -> Vec<&'static str> {
    let lines = recount(ledger, found, 1);
    lines.iter().filter(|line| !line.faults.is_empty()).map(|line| line.subject).collect()
}

/// Plants a fault in an honest evening, and expects it to be found in these subjects.
#[track_caller]
fn planted(expected: &[&str], plant: impl FnOnce(&mut Ledger, &mut Found)) {
    let (mut ledger, mut found) = honest();
    plant(&mut ledger, &mut found);
    assert_eq!(differing(&ledger, &found), expected, "{:#?}", recount(&ledger, &found, 1));
}

fn view<'a>(found: &'a mut Found, game: &str) -> &'a mut GameView {
    &mut found.games.get_mut(game).unwrap().view
}

#[test]
fn an_honest_evening_differs_in_nothing() {
    planted(&[], |_, _| {});
    let (ledger, found) = honest();
    let text = recount(&ledger, &found, 1).iter().map(Line::to_string).collect::<Vec<_>>();
    assert!(text.iter().all(|line| line.contains("ok ")), "{text:#?}");
    assert!(text[1].contains("4 begun: 2 over, 1 aborted, 1 still being played"), "{text:#?}");
}

#[test]
fn moves_and_games_that_are_lost_or_invented_are_found() {
    planted(&["games"], |_, found| {
        found.games.remove("open");
        found.rows.remove("open");
    });
    planted(&["games"], |ledger, _| drop(ledger.games.remove("open")));
    planted(&["moves"], |_, found| {
        // It is gone everywhere on the server, which agrees with itself.
        let open = found.games.get_mut("open").unwrap();
        open.view.moves.pop();
        let mut record = Record::new(open.view.game.parse::<Game>().unwrap().start());
        let mut session = record.session();
        for text in &open.view.moves {
            session.play(text).unwrap();
        }
        record.follow(&session);
        open.record = record.to_string();
        open.view.situation.position = session.position().text();
        open.view.situation.version -= 1;
        let row = found.rows.get_mut("open").unwrap();
        (row.version, row.events) = (row.version - 1, row.events - 1);
    });
    planted(&["moves"], |ledger, _| drop(ledger.games.get_mut("open").unwrap().moves.pop()));
    // A move without a response may have been played.
    planted(&[], |ledger, _| {
        let open = ledger.games.get_mut("open").unwrap();
        open.unanswered = open.moves.pop();
    });
    // An event that nobody knows of.
    planted(&["moves"], |_, found| found.rows.get_mut("open").unwrap().events += 1);
    planted(&["moves"], |_, found| found.games.get_mut("open").unwrap().record.clear());
}

#[test]
fn results_that_change_or_are_nobodys_doing_are_found() {
    planted(&["results"], |ledger, _| ledger.games.get_mut("rated").unwrap().deeds.clear());
    planted(&["results"], |ledger, _| {
        let told = GameResult { winner: None, reason: EndReason::Aborted };
        ledger.games.get_mut("open").unwrap().results.push(told);
    });
    planted(&["results", "archive", "records"], |_, found| {
        let time = EndReason::Over(Reason::Time);
        let result = GameResult { winner: Some(Side::First), reason: time };
        view(found, "casual").situation.result = Some(result);
    });
}

#[test]
fn ratings_that_count_twice_or_not_or_too_much_are_found() {
    planted(&["ratings"], |_, found| found.ratings.get_mut("ann").unwrap()[0].0.wins += 1);
    planted(&["ratings"], |_, found| found.ratings.get_mut("ann").unwrap()[0].0.wins -= 1);
    planted(&["ratings"], |_, found| {
        let ann = &mut found.ratings.get_mut("ann").unwrap()[0].0;
        (ann.wins, ann.losses) = (ann.losses, ann.wins);
    });
    planted(&["ratings"], |_, found| {
        found.ratings.get_mut("ann").unwrap()[0].1.push("rated".to_owned());
    });
    planted(&["ratings"], |_, found| found.ratings.get_mut("ann").unwrap()[0].1.clear());
    // An aborted game has counted.
    planted(&["ratings"], |_, found| found.rows.get_mut("aborted").unwrap().counted = Some(2));
    planted(&["archive", "ratings"], |_, found| view(found, "rated").rating_changes = None);
    planted(&["ratings"], |_, found| found.rows.get_mut("rated").unwrap().counted = Some(2));
    planted(&["ratings"], |_, found| found.leaderboards[0].games = 2);
    planted(&["rebuild"], |_, found| found.rating_tables[1].ratings[0].push('1'));
    planted(&["rebuild"], |_, found| drop(found.rating_tables[0].changes.pop()));
    planted(&["rebuild"], |_, found| found.rebuilt += "; 1 game had not counted yet");
}

#[test]
fn an_archive_that_repeats_or_leaves_out_is_found() {
    planted(&["archive"], |_, found| found.archive.push(found.archive[1].clone()));
    planted(&["archive"], |_, found| drop(found.archive.pop()));
    planted(&["archive"], |_, found| found.archive.reverse());
    planted(&["archive"], |_, found| found.archive[0].game.ply += 1);
    planted(&["archive"], |_, found| found.rows.get_mut("aborted").unwrap().is_archived = true);
    planted(&["archive", "records"], |_, found| {
        found.archives.get_mut("bob").unwrap().0.pop();
    });
    planted(&["records"], |_, found| found.archives.get_mut("bob").unwrap().1.reverse());
    planted(&["explorer"], |_, found| *found.explored.get_mut("impasse").unwrap() += 1);
    planted(&["explorer"], |_, found| *found.explored.get_mut("palisade:3").unwrap() -= 1);
    planted(&["backup"], |_, found| found.backup = Some(Err("game x is not legal".to_owned())));
}

#[test]
fn reviews_that_are_lost_or_done_twice_or_of_another_game_are_found() {
    planted(&["reviews"], |_, found| drop(found.review_rows.remove("rated")));
    planted(&["reviews"], |ledger, _| drop(ledger.reviews.remove("rated")));
    planted(&["reviews"], |_, found| {
        found.review_rows.get_mut("rated").unwrap().state = "failed".to_owned();
    });
    // It was done, and is done again later.
    planted(&["reviews"], |_, found| {
        found.reviews.get_mut("rated").unwrap().finished = Some(60_000);
    });
    planted(&["reviews"], |_, found| found.reviews_kept = 2);
    planted(&["reviews"], |ledger, found| {
        let other = reviewed("rated", &found.games["casual"].view.moves.clone());
        ledger.reviews.get_mut("rated").unwrap().done = None;
        found.reviews.insert("rated".to_owned(), other);
    });
    // Nobody else has taken it since the worker died, and yet it was done long afterwards.
    planted(&["leases"], |_, found| found.review_rows.get_mut("rated").unwrap().attempts = 1);
    planted(&["leases"], |_, found| {
        let row = ReviewRow { state: "running".to_owned(), attempts: 1 };
        found.review_rows.insert("rated".to_owned(), row);
        found.reviews_kept = 0;
    });
    planted(&["players"], |ledger, _| ledger.complaints.push("it is slow".to_owned()));
}
