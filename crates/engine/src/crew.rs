//! Engines that search one position together although they share no memory but some words.
//!
//! Threads share whatever they like. The workers of a browser have memories of their own, each with its own copy of
//! the engine; all that JavaScript lets them share is an array of integers. A [`Crew`] puts into such an array what
//! pays. In alpha-beta that is what the leader is searching at the root, which moves near the root are being searched,
//! and what has been found out about positions at least `MIN_DEPTH` turns from the leaves. Those are few, so it does
//! not matter that words outside the engine's memory are slow; everything else stays in each engine's own table. In a
//! tree search that a network guides the leader has the only tree, and each helper judges leaves for it.
//!
//! Words are written without locks, as the transposition table is: an entry whose words do not belong together is
//! not found.

use std::fmt::Debug;
use std::sync::Arc;

use crate::policy::{Judgement, MAX_CELLS};
use crate::transposition::{Entry, pack, unpack};

/// An array of integers that several engines share. All are 0 at first.
pub trait SharedWords: Debug + Send + Sync {
    /// How many words there are.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Reads a word.
    fn load(&self, place: usize) -> u32;
    /// Writes a word.
    fn store(&self, place: usize, word: u32);
}

/// What an engine does in its crew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Its search is the one that counts.
    Leader,
    /// It helps the leader with what that searches, until it is stopped. Helpers are counted from 0, up to
    /// [`MAX_HELPERS`] of them.
    Helper(usize),
}

/// The most helpers that a leader has.
pub const MAX_HELPERS: usize = 3;

/// How many leaves a helper has at a time: while it judges one, the next one waits already. The leader looks after them
/// only between leaves of its own.
const LEAVES_EACH: usize = 2;

/// The most leaves that wait to be judged.
pub(crate) const MAX_LEAVES: usize = LEAVES_EACH * MAX_HELPERS;

/// An engine's part in a crew.
#[derive(Debug, Clone)]
pub struct Crew {
    words: Arc<dyn SharedWords>,
    role: Role,
    /// Keeps apart what engines of other games and evaluations have left in the words.
    pub(crate) salt: u64,
}

/// Nearer to the leaves a position is searched again sooner than it is looked up. Tests exchange everything.
pub(crate) const MIN_DEPTH: i32 = if cfg!(test) { 1 } else { 4 };

/// The most moves that a search of the root leaves out, as first moves of lines found before.
pub(crate) const MAX_EXCLUDED: usize = 32;

// The words: the announcement, the moves being searched, the leaves to judge, the table.
const NUMBER: usize = 0;
const CHECK: usize = 1;
const DEPTH: usize = 2;
const ALPHA: usize = 3;
const BETA: usize = 4;
const EXCLUDED: usize = 5;
const SEARCHING: usize = 64;
const SEARCHING_WAYS: usize = 4;
const SEARCHING_SETS: usize = 1 << 10;
const LEAVES: usize = SEARCHING + SEARCHING_WAYS * SEARCHING_SETS;
const TABLE: usize = LEAVES + LEAF_WORDS * MAX_LEAVES;
const ENTRY_WORDS: usize = 4;

// The words of a leaf: what happens to it, its number, the size of the board, two cells in each word; the answer.
const STATE: usize = 0;
const LEAF: usize = 1;
const SIDE: usize = 2;
const CELLS: usize = 3;
const VALUE: usize = CELLS + MAX_CELLS.div_ceil(2);
const LOGITS: usize = VALUE + 1;
const LEAF_WORDS: usize = LOGITS + MAX_CELLS;

/// Nobody judges leaves here.
const ABSENT: u32 = 0;
/// A helper waits for a leaf.
const READY: u32 = 1;
/// A leaf waits for the helper.
const ASKED: u32 = 2;
/// The helper has judged it.
const JUDGED: u32 = 3;

/// How many words a crew needs for a table of so many entries.
pub const fn words_for(entries: usize) -> usize {
    TABLE + ENTRY_WORDS * entries
}

/// What the leader is searching at the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RootSearch {
    /// Counted from 1.
    pub(crate) number: u32,
    pub(crate) depth: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    /// The moves that are left out, by their place in the list of legal moves.
    pub(crate) excluded: Vec<u16>,
}

impl Crew {
    /// The part of an engine; none if there are fewer words than a crew without a table needs ([`words_for`]).
    pub fn new(words: Arc<dyn SharedWords>, role: Role) -> Option<Crew> {
        (words.len() >= words_for(0)).then_some(Crew { words, role, salt: 0 })
    }

    /// Whether its search is the one that counts.
    pub(crate) fn leads(&self) -> bool {
        self.role == Role::Leader
    }

    /// The same among engines that judge positions of a game with a network of this checksum.
    pub(crate) fn among(self, game: &str, checksum: u32) -> Crew {
        let mix = |sum: u64, part: u64| (sum ^ part).wrapping_mul(0x0000_0100_0000_01b3);
        let salt = game.bytes().map(u64::from).fold(0xcbf2_9ce4_8422_2325, mix);
        Crew { salt: mix(salt, checksum.into()).rotate_left(32), ..self }
    }

    /// Announces what the leader begins to search.
    pub(crate) fn begin(&self, root: u64, search: &RootSearch) {
        let words = &*self.words;
        // Nobody takes a half-written announcement for a whole one.
        words.store(CHECK, !check_of(root ^ self.salt, search));
        words.store(DEPTH, search.depth as u32);
        words.store(ALPHA, search.alpha as u32);
        words.store(BETA, search.beta as u32);
        let excluded = &search.excluded[..search.excluded.len().min(MAX_EXCLUDED)];
        words.store(EXCLUDED, excluded.len() as u32);
        for (place, &index) in excluded.iter().enumerate() {
            words.store(EXCLUDED + 1 + place, index.into());
        }
        words.store(NUMBER, search.number);
        words.store(CHECK, check_of(root ^ self.salt, search));
    }

    /// The number of the latest search of the root, 0 before the first.
    pub(crate) fn latest(&self) -> u32 {
        self.words.load(NUMBER)
    }

    /// The latest search, if its root has this key and it is not the one with this number.
    pub(crate) fn next_after(&self, number: u32, root: u64) -> Option<RootSearch> {
        let words = &*self.words;
        let latest = words.load(NUMBER);
        let count = words.load(EXCLUDED) as usize;
        if latest == number || latest == 0 || count > MAX_EXCLUDED {
            return None;
        }
        let search = RootSearch {
            number: latest,
            depth: words.load(DEPTH) as i32,
            alpha: words.load(ALPHA) as i32,
            beta: words.load(BETA) as i32,
            excluded: (0..count).map(|place| words.load(EXCLUDED + 1 + place) as u16).collect(),
        };
        (words.load(CHECK) == check_of(root ^ self.salt, &search)).then_some(search)
    }

    fn set_of(fingerprint: u32) -> std::ops::Range<usize> {
        // Bit 0 of a fingerprint is always set.
        let start = SEARCHING + (fingerprint >> 1) as usize % SEARCHING_SETS * SEARCHING_WAYS;
        start..start + SEARCHING_WAYS
    }

    /// Whether somebody is searching this.
    pub(crate) fn is_searching(&self, fingerprint: u32) -> bool {
        Self::set_of(fingerprint).any(|place| self.words.load(place) == fingerprint)
    }

    /// Records that this engine is searching it.
    pub(crate) fn enter(&self, fingerprint: u32) {
        let mut set = Self::set_of(fingerprint);
        let first = set.start;
        let free = set.find(|&place| self.words.load(place) == 0);
        self.words.store(free.unwrap_or(first), fingerprint);
    }

    /// Records that it no longer is.
    pub(crate) fn leave(&self, fingerprint: u32) {
        for place in Self::set_of(fingerprint) {
            if self.words.load(place) == fingerprint {
                self.words.store(place, 0);
            }
        }
    }

    /// Where the table has a place for a key, if it has any.
    fn place_of(&self, key: u64) -> Option<usize> {
        let entries = self.words.len().checked_sub(TABLE)? / ENTRY_WORDS;
        let index = (u128::from(key) * entries as u128) >> 64;
        (entries > 0).then_some(TABLE + ENTRY_WORDS * index as usize)
    }

    /// Clears the table, if this engine leads.
    pub fn forget(&self) {
        if self.leads() {
            (TABLE..self.words.len()).for_each(|place| self.words.store(place, 0));
        }
    }

    /// What has been found out about a position.
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let key = key ^ self.salt;
        let place = self.place_of(key)?;
        let word = |number| u64::from(self.words.load(place + number));
        let data = word(0) | word(1) << 32;
        let check = word(2) | word(3) << 32;
        (data != 0 && check == check_of_entry(key, data)).then(|| unpack(data))
    }

    /// Stores what has been found out about a position.
    pub(crate) fn put(&self, key: u64, entry: Entry) {
        let key = key ^ self.salt;
        let Some(place) = self.place_of(key) else { return };
        let data = pack(entry, 0);
        let check = check_of_entry(key, data);
        for (number, word) in [data, data >> 32, check, check >> 32].into_iter().enumerate() {
            self.words.store(place + number, word as u32);
        }
    }
}

/// What has become of a leaf that a helper was asked to judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing yet.
    Pending,
    /// It is judged.
    Judged,
    /// Nobody will judge it any more.
    Lost,
}

/// Leaves of a tree search.
impl Crew {
    fn leaf(place: usize) -> usize {
        LEAVES + LEAF_WORDS * place
    }

    /// Whether a helper has a place free for a leaf; also one whose answer nobody waits for any more.
    pub(crate) fn is_ready(&self, place: usize) -> bool {
        matches!(self.words.load(Self::leaf(place) + STATE), READY | JUDGED)
    }

    /// Asks for the judgement of a board.
    pub(crate) fn ask(&self, place: usize, number: u32, cells: &[u16], side: usize) {
        let (start, words) = (Self::leaf(place), &*self.words);
        words.store(start + LEAF, number);
        words.store(start + SIDE, side as u32);
        for (place, pair) in cells.chunks(2).enumerate() {
            let second = pair.get(1).map_or(0, |&cell| u32::from(cell) << 16);
            words.store(start + CELLS + place, u32::from(pair[0]) | second);
        }
        words.store(start + STATE, ASKED);
    }

    /// What has become of a leaf. If it is judged, its place is free for another one.
    pub(crate) fn answer(&self, place: usize, number: u32, judgement: &mut Judgement) -> Answer {
        let (start, words) = (Self::leaf(place), &*self.words);
        match words.load(start + STATE) {
            ASKED => return Answer::Pending,
            JUDGED if words.load(start + LEAF) == number => {}
            _ => return Answer::Lost,
        }
        judgement.value = words.load(start + VALUE) as i32;
        let side = (words.load(start + SIDE) as usize).min(crate::policy::MAX_GRID_SIDE);
        let logits = start + LOGITS..start + LOGITS + side * side;
        judgement.policy.clear();
        judgement.policy.extend(logits.map(|place| words.load(place) as i32));
        words.store(start + STATE, READY);
        Answer::Judged
    }

    /// The places of this helper.
    fn own_places(&self) -> std::ops::Range<usize> {
        match self.role {
            Role::Helper(number) if number < MAX_HELPERS => {
                LEAVES_EACH * number..LEAVES_EACH * (number + 1)
            }
            _ => 0..0,
        }
    }

    /// Begins or ends to judge leaves for the leader.
    pub(crate) fn stand_by(&self, is_ready: bool) {
        for place in self.own_places() {
            self.words.store(Self::leaf(place) + STATE, if is_ready { READY } else { ABSENT });
        }
    }

    /// A board that this helper is to judge: its cells are read, its place and size returned.
    pub(crate) fn asked(&self, cells: &mut [u16; MAX_CELLS]) -> Option<(usize, usize)> {
        let words = &*self.words;
        let is_asked = |place: &usize| words.load(Self::leaf(*place) + STATE) == ASKED;
        let place = self.own_places().find(is_asked)?;
        let start = Self::leaf(place);
        let side = (words.load(start + SIDE) as usize).clamp(1, crate::policy::MAX_GRID_SIDE);
        for (place, pair) in cells[..side * side].chunks_mut(2).enumerate() {
            let word = words.load(start + CELLS + place);
            for (cell, bits) in pair.iter_mut().zip([word, word >> 16]) {
                *cell = bits as u16;
            }
        }
        Some((place, side))
    }

    /// Says what this helper thinks of the board at a place.
    pub(crate) fn reply(&self, place: usize, judgement: &Judgement) {
        let start = Self::leaf(place);
        self.words.store(start + VALUE, judgement.value as u32);
        for (place, &logit) in judgement.policy.iter().enumerate() {
            self.words.store(start + LOGITS + place, logit as u32);
        }
        self.words.store(start + STATE, JUDGED);
    }
}

/// What says that an entry is whole, and of which position. Each of its halves depends on both halves of the data:
/// engines that write about the same position at once must not leave halves of two entries.
fn check_of_entry(key: u64, data: u64) -> u64 {
    key ^ data ^ data.rotate_left(32)
}

/// What says that an announcement is whole, and of which position.
fn check_of(root: u64, search: &RootSearch) -> u32 {
    let parts = [search.number, search.depth as u32, search.alpha as u32, search.beta as u32];
    let excluded = search.excluded.iter().take(MAX_EXCLUDED).map(|&index| u32::from(index) + 1);
    let mix = |sum: u32, part: u32| (sum ^ part).wrapping_mul(0x9e37_79b1).rotate_left(15);
    parts.into_iter().chain(excluded).fold((root ^ root >> 32) as u32, mix)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::transposition::Bound;

    /// Words in this process.
    #[derive(Debug)]
    pub(crate) struct Words(Box<[AtomicU32]>);

    impl Words {
        pub(crate) fn new(count: usize) -> Words {
            Words(std::iter::repeat_with(AtomicU32::default).take(count).collect())
        }
    }

    impl SharedWords for Words {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn load(&self, place: usize) -> u32 {
            self.0[place].load(Ordering::Relaxed)
        }

        fn store(&self, place: usize, word: u32) {
            self.0[place].store(word, Ordering::Relaxed);
        }
    }

    /// A helper that answers late: after the leader has looked 40 times whether it has.
    #[derive(Debug)]
    pub(crate) struct LateHelper {
        words: Words,
        looks: AtomicU32,
        /// How many of its answers the leader has taken.
        pub(crate) taken: AtomicU32,
    }

    impl LateHelper {
        const PLACE: usize = LEAVES + STATE;

        pub(crate) fn new() -> LateHelper {
            let words = Words::new(words_for(0));
            words.store(Self::PLACE, READY);
            LateHelper { words, looks: AtomicU32::new(0), taken: AtomicU32::new(0) }
        }
    }

    impl SharedWords for LateHelper {
        fn len(&self) -> usize {
            self.words.len()
        }

        fn load(&self, place: usize) -> u32 {
            if place == Self::PLACE
                && self.words.load(place) == ASKED
                && self.looks.fetch_add(1, Ordering::Relaxed) == 40
            {
                self.looks.store(0, Ordering::Relaxed);
                self.words.store(place, JUDGED);
            }
            self.words.load(place)
        }

        fn store(&self, place: usize, word: u32) {
            if place == Self::PLACE && word == READY {
                self.taken.fetch_add(1, Ordering::Relaxed);
            }
            self.words.store(place, word);
        }
    }

    fn crew(words: &Arc<Words>, leads: bool) -> Crew {
        let words: Arc<dyn SharedWords> = words.clone();
        Crew::new(words, if leads { Role::Leader } else { Role::Helper(0) }).unwrap()
    }

    #[test]
    fn too_few_words_make_no_crew() {
        let part = |count| Crew::new(Arc::new(Words::new(count)), Role::Leader);
        assert!(part(0).is_none() && part(words_for(0) - 1).is_none());
        assert!(part(words_for(0)).is_some());
    }

    #[test]
    fn only_the_leader_clears_the_table() {
        let words = Arc::new(Words::new(words_for(100)));
        let entry = Entry { best: Some(3), score: -700, depth: 9, bound: Bound::Upper };
        let (leader, helper) = (crew(&words, true), crew(&words, false));
        leader.put(5, entry);
        helper.forget();
        assert_eq!(helper.get(5), Some(entry));
        leader.forget();
        assert_eq!(helper.get(5), None);
    }

    /// Fingerprints are odd.
    #[test]
    fn all_sets_are_used() {
        let words = Arc::new(Words::new(words_for(0)));
        let one = crew(&words, true);
        for number in 0..SEARCHING_SETS as u32 {
            one.enter(2 * number + 1);
        }
        let is_used = |set: usize| words.load(SEARCHING + SEARCHING_WAYS * set) != 0;
        assert!((0..SEARCHING_SETS).all(is_used));
    }

    #[test]
    fn entries_are_found_by_engines_of_the_same_game_and_network_only() {
        let words = Arc::new(Words::new(words_for(100)));
        let entry = Entry { best: Some(3), score: -700, depth: 9, bound: Bound::Upper };
        let keys = (0..20u64).map(|key| key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let one = crew(&words, true).among("impasse", 7);
        for key in keys {
            one.put(key, entry);
            assert_eq!(crew(&words, false).among("impasse", 7).get(key), Some(entry));
            assert_eq!(crew(&words, false).among("impasse", 8).get(key), None);
            assert_eq!(crew(&words, false).among("another game", 7).get(key), None);
            assert_eq!(one.get(!key), None);
        }
    }

    #[test]
    fn halves_of_two_entries_are_not_found() {
        let words = Arc::new(Words::new(words_for(1)));
        let key = 0x9e37_79b9_7f4a_7c15;
        let one = Entry { best: Some(3), score: -700, depth: 9, bound: Bound::Upper };
        let other = Entry { best: Some(7), score: 25_000, depth: 4, bound: Bound::Lower };
        let stored = [one, other].map(|entry| {
            crew(&words, true).put(key, entry);
            [0, 1, 2, 3].map(|number| words.load(TABLE + number))
        });
        for mixture in 0..16 {
            for number in 0..4 {
                words.store(TABLE + number, stored[mixture >> number & 1][number]);
            }
            let whole = match mixture {
                0 => Some(one),
                15 => Some(other),
                _ => None,
            };
            assert_eq!(crew(&words, false).get(key), whole, "mixture {mixture:04b}");
        }
    }

    #[test]
    fn an_announcement_is_heard_once_and_whole() {
        let words = Arc::new(Words::new(words_for(0)));
        let (leader, helper) = (crew(&words, true), crew(&words, false));
        assert_eq!(helper.next_after(0, 5), None);
        let search =
            RootSearch { number: 1, depth: 3, alpha: -30_000, beta: 17, excluded: vec![0, 9] };
        leader.begin(5, &search);
        assert_eq!(helper.next_after(0, 5), Some(search.clone()));
        assert_eq!(helper.next_after(1, 5), None, "heard before");
        assert_eq!(helper.next_after(0, 6), None, "another root");
        words.store(BETA, 18);
        assert_eq!(helper.next_after(0, 5), None, "half of another announcement");
        assert_eq!(leader.get(1), None, "there is no table");
        leader.put(1, Entry { best: None, score: 0, depth: 1, bound: Bound::Exact });
    }

    #[test]
    fn what_is_searched_is_known_until_it_is_left() {
        let words = Arc::new(Words::new(words_for(0)));
        let (one, other) = (crew(&words, true), crew(&words, false));
        let all: Vec<u32> = (0..6).map(|number| 1 + number * SEARCHING_SETS as u32 * 2).collect();
        for &fingerprint in &all {
            one.enter(fingerprint);
            assert!(other.is_searching(fingerprint));
        }
        for &fingerprint in &all {
            one.leave(fingerprint);
            assert!(!other.is_searching(fingerprint));
        }
    }

    #[test]
    fn leaves_are_judged_by_helpers_that_are_there() {
        let words = Arc::new(Words::new(words_for(0)));
        let (leader, helper) = (crew(&words, true), crew(&words, false));
        let cells: Vec<u16> = (0..25).map(|cell| cell * 2_600).collect();
        let mut read = [0; MAX_CELLS];
        let mut judged = Judgement { policy: Vec::new(), value: 0 };
        assert!(!leader.is_ready(0));
        helper.stand_by(true);
        assert!(leader.is_ready(0) && leader.is_ready(1) && !leader.is_ready(2));
        assert_eq!(helper.asked(&mut read), None);
        leader.ask(0, 7, &cells, 5);
        assert_eq!(leader.answer(0, 7, &mut judged), Answer::Pending);
        assert_eq!(helper.asked(&mut read), Some((0, 5)));
        assert_eq!(read[..25], cells[..]);
        let judgement = Judgement { policy: (0..25).map(|n| -n * 70_000).collect(), value: -3 };
        helper.reply(0, &judgement);
        assert_eq!(leader.answer(0, 8, &mut judged), Answer::Lost, "another leaf");
        assert_eq!(leader.answer(0, 7, &mut judged), Answer::Judged);
        assert_eq!(judged, judgement);
        assert!(leader.is_ready(0));
        leader.ask(0, 8, &cells, 5);
        assert!(!leader.is_ready(0), "even if the leader has given it up");
        helper.reply(0, &judgement);
        assert!(leader.is_ready(0));
        leader.ask(0, 9, &cells, 5);
        helper.stand_by(false);
        assert_eq!(leader.answer(0, 9, &mut judged), Answer::Lost, "the helper has gone");
    }
}
