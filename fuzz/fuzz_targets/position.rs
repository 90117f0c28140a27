//! A game and any text as a position. What is accepted can be written, read and used.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use stoa_fuzz::{check, click, game};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Playable, Visitor};

fuzz_target!(|data: &[u8]| -> Corpus { run(data).unwrap_or(Corpus::Reject) });

fn run(data: &[u8]) -> Option<Corpus> {
    let (&first, text) = data.split_first()?;
    let text = std::str::from_utf8(text).ok()?;
    match game(first).position(text) {
        Ok(position) => {
            let game = position.game();
            assert_eq!(game.position(&position.text()).as_ref(), Ok(&position));
            game.visit(Check(&position));
            let mut rng = Rng::new(text.len() as u64);
            click(&position, |count| rng.below(count));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    Some(Corpus::Keep)
}

struct Check<'a>(&'a AnyPosition);

impl Visitor for Check<'_> {
    type Output = ();

    fn visit<P: Playable>(self, _: P::Options) {
        let position: &P = self.0.downcast().expect("the type of its own game");
        check(position);
        // And so can all that follows.
        for mv in position.legal_moves().into_iter().take(16) {
            let mut next = position.clone();
            next.play_unchecked(mv);
            check(&next);
            assert!(next.turns_left_at_most() < position.turns_left_at_most());
        }
    }
}
