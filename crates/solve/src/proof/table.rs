//! What a proof search remembers: the proof numbers of positions, in a table of fixed size.

/// What identifies a position in a table. It is compared whole, so nothing is ever mistaken for
/// anything else but two positions with the same key.
pub trait Key: Copy + Eq {
    /// How many words it has.
    const WORDS: usize;

    /// A well-mixed number that says where to look.
    fn spread(self) -> u64;

    /// Writes it into [`WORDS`](Key::WORDS) words.
    fn write(self, words: &mut [u64]);

    /// Reads it from the words it was written into.
    fn read(words: &[u64]) -> Self;
}

/// Two independent hashes of 64 bits. For a hundred billion positions looked up in a table of a
/// billion, the chance that any two of them share a key is below one in 10¹⁸.
impl Key for [u64; 2] {
    const WORDS: usize = 2;

    #[inline]
    fn spread(self) -> u64 {
        self[0]
    }

    #[inline]
    fn write(self, words: &mut [u64]) {
        words.copy_from_slice(&self);
    }

    #[inline]
    fn read(words: &[u64]) -> [u64; 2] {
        [words[0], words[1]]
    }
}

/// A whole position in a word: no two share one.
impl Key for u64 {
    const WORDS: usize = 1;

    #[inline]
    fn spread(self) -> u64 {
        // The finaliser of MurmurHash3.
        let mut mixed = self ^ self >> 33;
        mixed = mixed.wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^= mixed >> 33;
        mixed = mixed.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        mixed ^ mixed >> 33
    }

    #[inline]
    fn write(self, words: &mut [u64]) {
        words[0] = self;
    }

    #[inline]
    fn read(words: &[u64]) -> u64 {
        words[0]
    }
}

/// How hard it is to prove that the player to move gets what they want, and that they do not.
///
/// A number is a guess at how many positions must still be proven: 0 says that it is done, and
/// then the other one is [infinite](Numbers::is_proven) and tells how long the proof is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// To prove that the player to move gets it.
    pub proof: u32,
    /// To prove that they do not.
    pub disproof: u32,
}

const BITS: u32 = 26;
const INFINITE: u32 = (1 << BITS) - 1;

/// No proof is longer; no game of those we have is.
const MAX_TURNS: u32 = (1 << 14) - 1;

/// The largest number that is not infinite.
pub(super) const MAX_NUMBER: u32 = INFINITE - MAX_TURNS - 1;

impl Numbers {
    /// A guess about a position of which nothing is proven.
    #[inline]
    pub fn guess(proof: u32, disproof: u32) -> Numbers {
        Numbers { proof: proof.clamp(1, MAX_NUMBER), disproof: disproof.clamp(1, MAX_NUMBER) }
    }

    /// The player to move gets it within this many turns, or does not.
    #[inline]
    pub fn proven(gets_it: bool, turns: u32) -> Numbers {
        let far = INFINITE - turns.min(MAX_TURNS);
        if gets_it {
            Numbers { proof: 0, disproof: far }
        } else {
            Numbers { proof: far, disproof: 0 }
        }
    }

    /// Numbers as they were stored, if they are valid.
    pub(crate) fn checked(proof: u32, disproof: u32) -> Option<Numbers> {
        let is_open = |number| (1..=MAX_NUMBER).contains(&number);
        let is_infinite = |number| (MAX_NUMBER + 1..=INFINITE).contains(&number);
        let are_numbers = match (proof, disproof) {
            (0, other) | (other, 0) => is_infinite(other),
            (proof, disproof) => is_open(proof) && is_open(disproof),
        };
        are_numbers.then_some(Numbers { proof, disproof })
    }

    /// Whether the player to move is proven to get it.
    #[inline]
    pub fn is_proven(self) -> bool {
        self.proof == 0
    }

    /// Whether the player to move is proven not to get it.
    #[inline]
    pub fn is_disproven(self) -> bool {
        self.disproof == 0
    }

    /// Whether either is proven.
    #[inline]
    pub fn is_settled(self) -> bool {
        self.is_proven() || self.is_disproven()
    }

    /// The most turns until the end of the game, if the winner plays as the proof says.
    #[inline]
    pub fn turns(self) -> Option<u32> {
        self.is_settled().then(|| INFINITE - self.proof.max(self.disproof))
    }
}

/// What is known of a position, and the logarithm of how many others were looked at for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry<K> {
    pub(crate) key: K,
    pub(crate) numbers: Numbers,
    pub(crate) work: u32,
}

/// Entries that one key may go to.
const WAYS: usize = 4;

/// The table: for each entry the words of its key, and one with the numbers and the work. That one
/// is 0 where there is no entry, for both numbers are never 0 at once.
#[derive(Debug)]
pub struct ProofTable<K> {
    // Plain words, which the system hands out as zeros when they are first touched.
    words: Vec<u64>,
    buckets: usize,
    used: u64,
    key: std::marker::PhantomData<K>,
}

impl<K: Key> ProofTable<K> {
    const ENTRY: usize = K::WORDS + 1;

    /// A table of at most this many bytes, but of one bucket at least.
    pub fn new(bytes: usize) -> ProofTable<K> {
        let bucket = WAYS * Self::ENTRY;
        let buckets = (bytes / (8 * bucket)).max(1);
        let words = vec![0; buckets * bucket];
        ProofTable { words, buckets, used: 0, key: std::marker::PhantomData }
    }

    /// How many positions it holds.
    pub fn len(&self) -> u64 {
        self.used
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// How many positions it has room for.
    pub fn capacity(&self) -> u64 {
        (self.buckets * WAYS) as u64
    }

    /// The words that a key may be in.
    #[inline]
    fn bucket(&self, key: K) -> std::ops::Range<usize> {
        let number = (u128::from(key.spread()) * self.buckets as u128) >> 64;
        let first = number as usize * WAYS * Self::ENTRY;
        first..first + WAYS * Self::ENTRY
    }

    #[inline]
    fn entry(words: &[u64]) -> Option<Entry<K>> {
        let data = words[K::WORDS];
        (data != 0).then(|| Entry {
            key: K::read(&words[..K::WORDS]),
            numbers: Numbers {
                proof: data as u32 & INFINITE,
                disproof: (data >> 32) as u32 & INFINITE,
            },
            work: data as u32 >> BITS,
        })
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: K) -> Option<Numbers> {
        let bucket = &self.words[self.bucket(key)];
        let mut entries = bucket.chunks_exact(Self::ENTRY).filter_map(Self::entry);
        entries.find(|entry| entry.key == key).map(|entry| entry.numbers)
    }

    /// Remembers what is known of a position, and that this many others were looked at for it.
    pub fn put(&mut self, key: K, numbers: Numbers, positions: u64) {
        self.insert(Entry { key, numbers, work: positions.max(1).ilog2() });
    }

    /// Puts an entry in place of an older one of the same position, of none, or of that which was
    /// the least work.
    pub(crate) fn insert(&mut self, mut new: Entry<K>) {
        let range = self.bucket(new.key);
        let bucket = &mut self.words[range];
        let (mut place, mut least) = (0, u32::MAX);
        for (index, words) in bucket.chunks_exact(Self::ENTRY).enumerate() {
            let Some(entry) = Self::entry(words) else {
                place = index;
                break;
            };
            if entry.key == new.key {
                if entry.numbers.is_settled() && !new.numbers.is_settled() {
                    return;
                }
                new.work = new.work.max(entry.work);
                place = index;
                break;
            }
            if entry.work < least {
                (least, place) = (entry.work, index);
            }
        }
        let words = &mut bucket[place * Self::ENTRY..][..Self::ENTRY];
        self.used += u64::from(words[K::WORDS] == 0);
        new.key.write(&mut words[..K::WORDS]);
        let Numbers { proof, disproof } = new.numbers;
        words[K::WORDS] = u64::from(proof | new.work.min(63) << BITS) | u64::from(disproof) << 32;
    }

    /// Every entry.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<K>> {
        self.words.chunks_exact(Self::ENTRY).filter_map(Self::entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_entries_are_found() {
        let mut table: ProofTable<u64> = ProofTable::new(1 << 12);
        assert_eq!(table.get(0), None, "an empty entry is not the position of key 0");
        for key in 0..20 {
            table.put(key, Numbers::guess(key as u32 + 1, 7), 1);
        }
        assert_eq!(table.get(3), Some(Numbers::guess(4, 7)));
        table.put(3, Numbers::proven(true, 12), 100);
        assert_eq!(table.get(3).unwrap().turns(), Some(12));
        assert_eq!(table.len(), 20);
        table.put(3, Numbers::guess(1, 1), 1);
        assert!(table.get(3).unwrap().is_proven(), "a proof is not forgotten for a guess");
    }

    #[test]
    fn entries_of_least_work_are_replaced_first() {
        let mut table: ProofTable<[u64; 2]> = ProofTable::new(1);
        for key in 0..4 {
            table.put([key, 1], Numbers::guess(1, 1), 1 << (key + 1));
        }
        table.put([9, 1], Numbers::guess(1, 1), 1);
        assert_eq!(table.get([0, 1]), None);
        assert!((1..4).all(|key| table.get([key, 1]).is_some()));
        assert_eq!(table.get([1, 2]), None, "the whole key counts");
        assert_eq!((table.len(), table.capacity()), (4, 4));
    }

    #[test]
    fn a_proof_gives_its_length() {
        for turns in [0, 1, 9, 10_000] {
            let (win, loss) = (Numbers::proven(true, turns), Numbers::proven(false, turns));
            assert_eq!((win.turns(), loss.turns()), (Some(turns), Some(turns)));
            assert!(win.is_proven() && !win.is_disproven() && loss.is_disproven());
        }
        assert_eq!(Numbers::guess(u32::MAX, 0), Numbers { proof: MAX_NUMBER, disproof: 1 });
        assert_eq!(Numbers::guess(1, 1).turns(), None);
    }
}
