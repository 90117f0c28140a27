//! Whole games as readable text: a change in any rule shows as a difference here.
//!
//! `STOA_BLESS=1 cargo test --test goldens` writes them anew; read the difference before keeping it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::path::Path;

use common::random_move;
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Playable, Record, Session, Visitor, result_text};

/// A game of random moves.
struct Play {
    game: Game,
    seed: u64,
}

impl Visitor for Play {
    type Output = Session;

    fn visit<P: Playable>(self, options: P::Options) -> Session {
        let mut rng = Rng::new(self.seed);
        let mut position = P::start(options);
        let mut session = Session::new(self.game.start());
        while let Some(mv) = random_move(&position, &mut rng) {
            session.play(&position.move_text(mv)).unwrap();
            position.play_unchecked(mv);
        }
        session
    }
}

/// The record, then every position with what can be told of it.
fn playthrough(session: &Session) -> String {
    let game = session.position().game();
    let record = Record::from(session);
    let mut text = format!("{record}\n");
    let mut replay = Session::new(session.start().clone());
    for mv in std::iter::once(None).chain(session.moves().into_iter().map(Some)) {
        if let Some(mv) = mv {
            replay.play(mv).unwrap();
        }
        let position = replay.position();
        let view = position.view();
        text.push_str(&format!(
            "{:<14} {position}   {} moves, counts {}:{}, key {:016x}\n",
            mv.unwrap_or("start"),
            position.count_moves(),
            view.counts[0],
            view.counts[1],
            position.key(),
        ));
    }
    text.push_str(&format!("{}\n", result_text(game, session.position().outcome())));
    text
}

#[test]
fn golden_playthroughs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let bless = std::env::var_os("STOA_BLESS").is_some();
    let is_short = |game: &Game| !matches!(game, Game::Palisade(size) if size.get() != 7);
    for game in Game::variants().filter(is_short) {
        let id = game.to_string();
        let text = playthrough(&game.visit(Play { game, seed: 3 }));
        let file = folder.join(format!("{}.txt", id.replace(':', "-")));
        if bless {
            std::fs::write(&file, &text).unwrap();
        }
        let golden = std::fs::read_to_string(&file).unwrap_or_default();
        let first_difference = golden.lines().zip(text.lines()).find(|(a, b)| a != b);
        assert_eq!(first_difference, None, "{id} differs from its golden");
        assert_eq!(golden.lines().count(), text.lines().count(), "{id}");
        // The record at the head reads back to itself.
        let record = text.split("\n\nstart").next().unwrap();
        assert_eq!(Record::parse(record).unwrap().to_string().trim_end(), record.trim_end());
    }
}
