//! A game, some random plies and any text as a move. What is accepted is a legal move, and what
//! is refused is not.
//!
//! The first byte is the game, the second how many plies (`0` for none, `A` for 17 and so on, so
//! that seeds are text), the third the seed.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use stoa_fuzz::game;
use stoa_rules::playout::Rng;
use stoa_rules::{MoveError, Playable, Visitor};

fuzz_target!(|data: &[u8]| -> Corpus { run(data).unwrap_or(Corpus::Reject) });

fn run(data: &[u8]) -> Option<Corpus> {
    let (&[first, plies, seed], text) = data.split_first_chunk()?;
    let text = std::str::from_utf8(text).ok()?;
    let game = game(first);
    let before = game
        .position(&game.visit(Reach { plies: plies.wrapping_sub(b'0'), seed }))
        .expect("what the rules write they read");
    let legal = before.legal_moves();
    let mut after = before.clone();
    match after.play(text) {
        Ok(played) => {
            assert!(legal.contains(&played), "{before}: {played} is accepted");
            assert_ne!(after, before);
            let mut again = before.clone();
            assert_eq!(again.play(&played).as_ref(), Ok(&played), "{before}");
            assert_eq!(again, after, "{before}: {text} is not {played}");
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert_eq!(after, before);
            if let MoveError::Illegal { text, example, .. } = error {
                assert!(!legal.contains(&text), "{before}: {text} is refused");
                assert!(legal.contains(&example), "{before}: {example} is no example");
            }
        }
    }
    // Clicks are found for the same moves that are played.
    let steps = before.steps(text);
    assert_eq!(steps.is_some(), after != before, "{before}: {text}");
    Some(Corpus::Keep)
}

/// Plays random moves, avoiding those that end the game: in Colossus nearly all of them do.
struct Reach {
    plies: u8,
    seed: u8,
}

impl Visitor for Reach {
    type Output = String;

    fn visit<P: Playable>(self, options: P::Options) -> String {
        let mut rng = Rng::new(self.seed.into());
        let mut position = P::start(options);
        for _ in 0..self.plies {
            let mut next = None;
            for _ in 0..20 {
                let Some(mv) = position.nth_move(rng.below(position.count_moves())) else { break };
                let played = next.insert(position.clone());
                played.play_unchecked(mv);
                if played.outcome().is_none() {
                    break;
                }
            }
            let Some(next) = next else { break };
            position = next;
        }
        position.to_setup().to_string()
    }
}
