//! Reviews of short games, each with a blunder in it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use stoa_rules::{Game, Session, Side};

use super::*;
use crate::Settings;

fn session(id: &str, start: Option<&str>, moves: &str) -> Session {
    let game: Game = id.parse().unwrap();
    let mut session = Session::new(start.map_or(game.start(), |text| game.position(text).unwrap()));
    for mv in moves.split_whitespace() {
        session.play(mv).unwrap();
    }
    session
}

fn reviewed(session: &Session, nodes: u64) -> Review {
    let mut engine = Engine::new(session.start().game(), Settings::default()).unwrap();
    review(&mut engine, session, &Limits::nodes(nodes), &Stop::new(), &mut |_| {})
}

/// A short game, and the move in it that throws it away.
struct Planted {
    game: &'static str,
    start: Option<&'static str>,
    moves: &'static str,
    blunder: usize,
    /// What its reason says.
    says: &'static str,
}

const PLANTED: [Planted; 9] = [
    Planted {
        game: "colonnade",
        start: Some("rbr/b/r/r/brb/r/-/- r"),
        moves: "2e< 1e< 2d< 1c>",
        blunder: 0,
        says: "Misses a win in 3 turns: 1c> 2a> 1b>. \
               Allows a forced loss: Blue wins in 3 turns with 1e< 2d< 1c>.",
    },
    Planted {
        game: "colonnade",
        start: Some("-/b/rb/br/-/rbrb/br/- b"),
        moves: "1c< 1d> 2g< 1f>",
        blunder: 0,
        says: "Red wins in 3 turns with 1d> 2g< 1f>.",
    },
    Planted {
        game: "impasse",
        start: Some("8/8/8/6b1/8/2w5/8/8 w"),
        moves: "c3-b4 g5-c1 b4-c5 *c1",
        blunder: 0,
        says: "Black wins in 3 turns with g5-c1",
    },
    Planted {
        game: "impasse",
        start: Some("8/8/5b2/8/8/2w5/8/8 b"),
        moves: "f6-h4 c3-h8 h4-e1 *h8",
        blunder: 0,
        says: "White wins in 3 turns with c3-h8",
    },
    Planted {
        game: "palisade:5",
        start: Some("1wb1b/w1w1w/bw1w1/1bw2/b1b1b b"),
        moves: "d2 d5",
        blunder: 0,
        says: "White wins in 2 turns",
    },
    Planted {
        game: "palisade:5",
        start: Some("bw1w1/1bwb1/bwbw1/3bw/bw2b w"),
        moves: "e4 c1",
        blunder: 0,
        says: "Lets Black win at once with c1.",
    },
    Planted {
        game: "columna",
        start: None,
        moves: "b9@b2 i2@b2 a3@b3 h1@h8 a8@h8 b1,b2-d2 a2@b2",
        blunder: 5,
        says: "Lets Black win at once with a2@b2.",
    },
    Planted {
        game: "colossus",
        start: None,
        moves: "b2 g4-e4",
        blunder: 1,
        says: "Ends the game, and Black wins.",
    },
    Planted {
        game: "colossus",
        start: Some("t2W/5/3w2/t1b3t/6/1b3/B2t b 3 3 9"),
        moves: "a1-a3",
        blunder: 0,
        says: "Ends the game, and White wins.",
    },
];

#[test]
fn a_planted_blunder_is_found_and_explained() {
    for Planted { game, start, moves, blunder, says } in PLANTED {
        let session = session(game, start, moves);
        let review = reviewed(&session, 3_000);
        assert!(review.is_complete(), "{game}");
        let found = &review.moves[blunder];
        assert_eq!(found.class, Class::Blunder, "{game} {found:?}");
        assert!(found.allowed_loss.is_some(), "{game} {found:?}");
        assert_eq!(found.after.mover.win_probability(), 0.0, "{game}");
        assert!(found.reason.as_ref().unwrap().contains(says), "{game} {:?}", found.reason);
        assert_ne!(found.best[0], found.played, "{game}");
        // The player who uses it is not to blame.
        for later in &review.moves[blunder + 1..] {
            assert!(!later.class.is_error(), "{game} {later:?}");
        }
        let player = &review.players[found.side.index()];
        assert_eq!((player.counts.blunder, player.allowed_losses), (1, 1), "{game}");
        let was_favourite = found.before.mover.win_probability() >= 0.5;
        assert!(!was_favourite || review.turning_points.contains(&blunder), "{game}");
    }
}

#[test]
fn the_same_game_gets_the_same_review() {
    for Planted { game, start, moves, .. } in PLANTED {
        let session = session(game, start, moves);
        assert_eq!(reviewed(&session, 500), reviewed(&session, 500), "{game}");
    }
}

/// No move gains anything, values fit together, and every point of view is the one it claims.
#[test]
fn invariants_of_every_review() {
    for Planted { game, start, moves, .. } in PLANTED {
        let session = session(game, start, moves);
        let review = reviewed(&session, 300);
        assert_eq!(review.curve().len(), review.plies + 1, "{game}");
        let mut side = session.start().side_to_move();
        for (ply, mv) in review.moves.iter().enumerate() {
            let at = format!("{game} {mv:?}");
            assert_eq!((mv.ply, mv.side), (ply, side), "{at}");
            assert!(mv.lost >= 0.0, "{at}");
            for value in [mv.before, mv.after] {
                let first = if side == Side::First { value.mover } else { -value.mover };
                assert_eq!(value.first, first, "{at}");
            }
            let is_best = matches!(mv.class, Class::Best | Class::Forced);
            assert_eq!(mv.best[0] == mv.played, is_best, "{at}");
            assert!(!is_best || mv.lost == 0.0, "{at}");
            let is_wrong =
                mv.class.is_error() || mv.missed_win.is_some() || mv.allowed_loss.is_some();
            assert_eq!(mv.reason.is_some(), is_wrong, "{at}");
            if let Some(next) = review.moves.get(ply + 1) {
                assert_eq!(mv.after.first, next.before.first, "one position, one value: {at}");
            }
            side = side.other();
        }
    }
}

/// With the colours exchanged, everything is the same for the mover and the opposite for the first
/// player.
#[test]
fn both_players_are_judged_alike() {
    let red = session("colonnade", Some("rbr/b/r/r/brb/r/-/- r"), "2e< 1e< 2d< 1c>");
    let blue = session("colonnade", Some("brb/r/b/b/rbr/b/-/- b"), "2e< 1e< 2d< 1c>");
    let [red, blue] = [red, blue].map(|session| reviewed(&session, 3_000));
    for (red, blue) in red.moves.iter().zip(&blue.moves) {
        assert_eq!(red.side, blue.side.other());
        assert_eq!(red.class, blue.class);
        assert_eq!((red.before.mover, red.after.mover), (blue.before.mover, blue.after.mover));
        assert_eq!((red.before.first, red.after.first), (-blue.before.first, -blue.after.first));
        assert_eq!(red.best, blue.best);
    }
    assert_eq!(red.moves[0].before, Value { mover: Score::win_in(3), first: Score::win_in(3) });
    assert_eq!(red.moves[0].after, Value { mover: Score::loss_in(3), first: Score::loss_in(3) });
    assert_eq!(blue.moves[0].before, Value { mover: Score::win_in(3), first: Score::loss_in(3) });
    assert_eq!(blue.moves[0].after, Value { mover: Score::loss_in(3), first: Score::win_in(3) });
    assert_eq!(red.moves[0].missed_win, Some(3));
    assert_eq!(red.moves[0].allowed_loss, Some(3));
    assert_eq!(red.players[0].counts, blue.players[1].counts);
    assert_eq!(red.players[0].accuracy, blue.players[1].accuracy);
}

/// In a solved game all is decided from the start, and what players make of that counts all the same.
#[test]
fn in_a_solved_game_every_move_counts() {
    let mut rng = stoa_rules::playout::Rng::new(5);
    let mut session = session("colonnade", Some("rbr/b/rb/br/rb/rb/br/r r"), "");
    while session.position().outcome().is_none() {
        let moves = session.position().legal_moves();
        session.play(&moves[rng.below(moves.len())]).unwrap();
    }
    let review = reviewed(&session, 20_000);
    for player in review.players {
        let own = || review.moves.iter().filter(|mv| mv.side == player.side);
        let proven = own().filter(|mv| mv.before.mover.is_proven() && mv.class != Class::Forced);
        let lost: f64 = proven.clone().map(|mv| mv.lost).sum();
        let average = player.average_loss.expect("proven moves count");
        assert!(proven.clone().count() >= 4, "a game this short says nothing");
        // Giving up resistance counts for something, too, but never for more than a quarter.
        let least = lost / proven.count() as f64;
        assert!(average >= least - 1e-9 && average <= least + 0.25, "{average}, {least}");
        assert!(average < 1.0 && player.accuracy.is_some());
    }
}

#[test]
fn a_turn_earlier_the_other_player_sees_the_opposite() {
    assert_eq!(a_turn_earlier(Score::points(35)), Score::points(-35));
    assert_eq!(a_turn_earlier(Score::win_in(4)), Score::loss_in(5));
    assert_eq!(a_turn_earlier(Score::loss_in(0)), Score::win_in(1));
    let over = Game::Colonnade.position("r/-/-/-/-/-/-/- r").unwrap();
    assert_eq!(end_score(&over), Some(Score::loss_in(0)), "Red cannot move");
    assert_eq!(end_score(&Game::Colonnade.start()), None);
}

#[test]
fn two_looks_at_one_move_are_evened_out() {
    let (better, worse) = (Score::points(120), Score::points(-40));
    let even = even_out(better, worse);
    assert!(worse < even && even < better);
    assert_eq!(even_out(better, worse), even_out(worse, better));
    assert_eq!(even_out(Score::win_in(3), worse), Score::win_in(3), "a proof stands");
    assert_eq!(even_out(worse, Score::loss_in(3)), worse, "the game alone proves no loss");
}

#[test]
fn classes_go_by_what_is_lost() {
    let classes = [0.0, 0.049, 0.05, 0.1, 0.19, 0.2, 1.0].map(Class::of_loss);
    use Class::{Blunder, Good, Inaccuracy, Mistake};
    assert_eq!(classes, [Good, Good, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
}

/// A review that is stopped keeps the moves it has judged: the last ones.
#[test]
fn a_stopped_review_keeps_the_end_of_the_game() {
    let moves = "b9@b2 i2@b2 a3@b3 h1@h8 a8@h8 b1,b2-d2 a2@b2";
    let session = session("columna", None, moves);
    let mut engine = Engine::new(session.start().game(), Settings::default()).unwrap();
    let stop = Stop::new();
    let review = review(&mut engine, &session, &Limits::nodes(500), &stop, &mut |progress| {
        assert_eq!(progress.positions, 8);
        if progress.judged == 4 {
            stop.stop();
        }
    });
    assert!(!review.is_complete());
    assert_eq!(review.plies, 7);
    assert_eq!(review.moves.iter().map(|mv| mv.ply).collect::<Vec<_>>(), [4, 5, 6]);
    assert_eq!(review.curve().len(), 4);
}

#[test]
fn another_games_session_is_not_reviewed() {
    let mut engine = Engine::new(Game::Impasse, Settings::default()).unwrap();
    let session = session("colonnade", None, "1b<");
    let review =
        review(&mut engine, &session, &Limits::nodes(500), &Stop::new(), &mut |_| unreachable!());
    assert_eq!((review.plies, review.moves.len()), (1, 0));
    assert_eq!(review.players[0].accuracy, None);
}

#[test]
fn judgements_make_the_same_review_again() {
    for Planted { game, start, moves, .. } in PLANTED {
        let session = session(game, start, moves);
        let review = reviewed(&session, 1_000);
        let judgements = review.judgements().unwrap();
        let explains = explaining(&session);
        assert_eq!(rebuild(&explains, &session, &judgements).unwrap(), review, "{game}");
    }
}

/// An engine that has nothing to search with.
fn explaining(session: &Session) -> Engine {
    let evaluation = crate::EvaluationChoice::Terms;
    let settings = Settings { table: 1, evaluation, ..Settings::default() };
    Engine::new(session.start().game(), settings).unwrap()
}

#[test]
fn judgements_that_cannot_be_true_are_refused() {
    let Planted { game, start, moves, .. } = PLANTED[0];
    let session = session(game, start, moves);
    let sound = reviewed(&session, 1_000).judgements().unwrap();
    let explains = explaining(&session);
    let last = sound.len() - 1;
    let refused = |change: &dyn Fn(&mut Vec<Judgement>)| {
        let mut judgements = sound.clone();
        change(&mut judgements);
        rebuild(&explains, &session, &judgements).unwrap_err().to_string()
    };
    let said = refused(&|all| drop(all.pop()));
    assert_eq!(said, "4 positions are judged, and the game has 5");
    assert!(refused(&|all| all.push(all[0].clone())).contains("6 positions"));
    let said = refused(&|all| all[1].score = Score::from_raw(17_000));
    assert_eq!(said, "position 1: there is no score 17000");
    assert!(refused(&|all| all[1].score = Score::from_raw(i16::MIN)).contains("-32768"));
    assert_eq!(refused(&|all| all[2].line.clear()), "position 2: there is no line");
    let said = refused(&|all| all[2].line[0] = "8h>".to_owned());
    assert!(said.starts_with("position 2: ") && said.contains("8h>"), "{said}");
    assert!(refused(&|all| all[2].line[0] = "\u{1b}[2J".to_owned()).starts_with("position 2: "));
    let said = refused(&|all| all[2].line = vec!["1c>".to_owned(); MAX_LINE + 1]);
    assert!(said.contains("13 moves"), "{said}");
    let said = refused(&|all| all[last].score = Score::win_in(0));
    assert!(said.contains("the game is over, and its value is loss in 0"), "{said}");
    let said = refused(&|all| all[last].line.push("1b>".to_owned()));
    assert!(said.starts_with("position 4: "), "{said}");
    let said = refused(&|all| all[0].score = Score::loss_in(1));
    assert!(said.contains("is no better than the move played"), "{said}");
    let other = Engine::new("impasse".parse().unwrap(), Settings::default()).unwrap();
    assert_eq!(rebuild(&other, &session, &sound), Err(Nonsense::OtherGame));
}
