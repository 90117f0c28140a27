//! A game played by bytes: the first is the game, and every two after it choose a move. All laws
//! that are cheap hold after every move.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use stoa_fuzz::{check, game};
use stoa_rules::{Playable, Visitor};

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((&first, choices)) = data.split_first() else { return Corpus::Reject };
    game(first).visit(Play(choices));
    Corpus::Keep
});

struct Play<'a>(&'a [u8]);

impl Visitor for Play<'_> {
    type Output = ();

    fn visit<P: Playable>(self, options: P::Options) {
        let mut position = P::start(options);
        check(&position);
        let (choices, _) = self.0.as_chunks();
        for &bytes in choices {
            let choice = usize::from(u16::from_le_bytes(bytes));
            let mv = position
                .nth_move(choice % position.count_moves())
                .expect("a game that is not over has moves");
            let next = step(&position, mv, choice % position.symmetries());
            // A move that ends the game is looked at and taken back: in Colossus most moves do.
            if next.outcome().is_none() {
                position = next;
            }
        }
    }
}

/// Plays a move, and checks what a move does.
fn step<P: Playable>(position: &P, mv: P::Move, symmetry: usize) -> P {
    let text = position.move_text(mv);
    assert_eq!(position.parse_move(&text), Ok(mv), "{}", position.to_setup());
    assert_eq!(position.violation(mv), None, "{} {text}", position.to_setup());
    let mut next = position.clone();
    next.play_unchecked(mv);
    check(&next);
    assert!(next.turns_left_at_most() < position.turns_left_at_most(), "{}", position.to_setup());
    assert_eq!(next.side_to_move(), position.side_to_move().other());
    assert_eq!(next.options(), position.options());
    // Looked at through a symmetry, the same happens.
    let mut turned = position.transform(symmetry);
    turned.play_unchecked(position.transform_move(mv, symmetry));
    assert!(turned == next.transform(symmetry), "{} {text}", position.to_setup());
    next
}
