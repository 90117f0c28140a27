//! Whole games, with the rules as referee.

use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Session, Side};

use crate::talk::Talk;

/// The answer to `query result`.
fn result_word(position: &AnyPosition) -> &'static str {
    match position.outcome().map(|outcome| outcome.winner) {
        None => "none",
        Some(None) => "draw",
        Some(Some(Side::First)) => "p1win",
        Some(Some(Side::Second)) => "p2win",
    }
}

/// Plays a whole game: the engine has one side, and the other plays random moves.
fn whole_game(talk: &mut Talk, game: Game, engine: Side, rng: &mut Rng) {
    let mut session = Session::new(game.start());
    talk.send("uginewgame");
    loop {
        let position = session.position();
        let moves = session.moves().join(" ");
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        talk.send(&format!("position startpos{moves}"));
        assert_eq!(talk.ask("isready"), "readyok", "{position:?}");
        let is_first = position.side_to_move() == Side::First;
        assert_eq!(talk.ask("query p1turn"), format!("response {is_first}"));
        assert_eq!(talk.ask("query result"), format!("response {}", result_word(position)));
        let is_over = position.outcome().is_some();
        assert_eq!(talk.ask("query gameover"), format!("response {is_over}"));
        if is_over {
            assert_eq!(talk.ask("go movetime 10"), "bestmove none");
            assert_eq!(talk.ask("query moves"), "response");
            return;
        }
        let legal = position.legal_moves();
        let played = if position.side_to_move() == engine {
            let go = ["go nodes 60", "go depth 1", "go p1time 40 p2time 40 p1inc 0 p2inc 0"];
            talk.best(go[rng.below(go.len())])
        } else {
            legal[rng.below(legal.len())].clone()
        };
        assert!(legal.contains(&played), "{played} in {position:?}");
        session.play(&played).unwrap();
    }
}

#[test]
fn whole_games_of_every_game_have_legal_moves_only() {
    let mut rng = Rng::new(5);
    let is_quick = |game: &Game| !matches!(game, Game::Palisade(size) if size.get() != 7);
    for game in Game::variants().filter(is_quick) {
        let mut talk = Talk::with(&[&game.to_string(), "--hash", "4"]);
        for engine in Side::BOTH {
            whole_game(&mut talk, game, engine, &mut rng);
        }
        talk.quit();
    }
}
