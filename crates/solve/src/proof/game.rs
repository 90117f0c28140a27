//! The games as trees for the proof search.

use std::hash::{Hash, Hasher};

use stoa_engine::Knowledge;
use stoa_rules::Side;

use super::search::Space;
use super::table::Numbers;

/// What a player has to get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Need {
    /// A draw at least.
    Draw,
    /// A win.
    Win,
}

/// The positions of a game, and what each player needs of it: if one needs a win, the other needs a
/// draw at least, and one of them gets it.
pub(super) struct GameSpace<P> {
    /// What each side needs.
    needs: [Need; 2],
    /// The symmetries under which the root is the same, the identity excepted. Every position below
    /// it comes with its images, so they can share a key.
    symmetries: Vec<usize>,
    /// They do as long as the game may last this many turns. Looking at images costs more than most
    /// of what a search does; it saves most near the root, because what is settled there is not
    /// searched again below its images.
    turns_with_images: u32,
    marker: std::marker::PhantomData<P>,
}

impl<P: Knowledge> GameSpace<P> {
    /// Whether the player to move in `root` gets what they need, and all that follows from it.
    pub(super) fn new(root: &P, need: Need) -> GameSpace<P> {
        let other = if need == Need::Win { Need::Draw } else { Need::Win };
        let mut needs = [other; 2];
        needs[root.side_to_move().index()] = need;
        let symmetries =
            (1..root.symmetries()).filter(|&number| root.transform(number) == *root).collect();
        let turns_with_images = root.turns_left_at_most() / 4 * 3;
        GameSpace { needs, symmetries, turns_with_images, marker: std::marker::PhantomData }
    }

    fn need(&self, side: Side) -> Need {
        self.needs[side.index()]
    }

    fn key_of(&self, position: &P) -> [u64; 2] {
        // Without draws both questions are the same.
        let tag = u64::from(P::INFO.draws && self.need(position.side_to_move()) == Need::Win);
        let of = |position: &P| [position.key(), second_hash(position, tag)];
        let own = of(position);
        if self.symmetries.is_empty() || position.turns_left_at_most() < self.turns_with_images {
            return own;
        }
        let images = self.symmetries.iter().map(|&number| of(&position.transform(number)));
        images.fold(own, |least, image| least.min(image))
    }
}

impl<P: Knowledge> Space for GameSpace<P> {
    type State = P;
    type Move = P::Move;
    type Key = [u64; 2];

    fn settled(&self, position: &P) -> Option<bool> {
        let mover = position.side_to_move();
        position.outcome().map(|outcome| match outcome.winner {
            None => self.need(mover) == Need::Draw,
            Some(winner) => winner == mover,
        })
    }

    fn moves(&self, position: &P, moves: &mut Vec<P::Move>) {
        position.generate(moves);
        moves.sort_by_cached_key(|&mv| -position.ordering_score(mv));
    }

    fn after(&self, position: &P, mv: P::Move) -> P {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next
    }

    fn key(&self, position: &P) -> [u64; 2] {
        self.key_of(position)
    }

    fn guess(&self, position: &P) -> Numbers {
        Numbers::guess(1, position.count_moves() as u32)
    }

    fn timeless(&self, position: &P) -> Option<([u64; 2], u32)> {
        let board = position.without_stall()?;
        Some((self.key_of(&board), position.stall_left()))
    }
}

/// A hash that owes nothing to [`Position::key`](stoa_rules::Position::key).
fn second_hash<P: Hash>(position: &P, tag: u64) -> u64 {
    let mut hasher = SecondHasher(tag ^ 0x5374_6f61_5072_6f76);
    position.hash(&mut hasher);
    hasher.finish()
}

struct SecondHasher(u64);

impl SecondHasher {
    /// One to one in both the state and the word.
    #[inline]
    fn mix(&mut self, word: u64) {
        let mut mixed = self.0.rotate_left(23) ^ word;
        mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed = (mixed ^ mixed >> 29).wrapping_mul(0xa076_1d64_78bd_642f);
        self.0 = (mixed ^ mixed >> 32).wrapping_add(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for SecondHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.mix(byte.into());
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }

    #[inline]
    fn write_isize(&mut self, word: isize) {
        self.mix(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
