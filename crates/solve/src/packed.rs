//! Small numbers, packed: each by a Huffman code that depends on the two before it, in groups that
//! can be read one by one.
//!
//! Neighbours in a table are alike, and the code makes use of it; but a reader wants a single number
//! and no long way to it. So every [`GROUP`] numbers the code begins anew, and a directory tells
//! where.
//!
//! The layout, all numbers little-endian: the count of numbers in eight bytes; the lengths of all
//! codes, four bits each; for every [`GROUPS`] groups the byte where they begin, in eight bytes, and
//! the bit where each begins from there, in two; and the codes, highest bit first, with
//! [`MARGIN`] bytes behind them.

use std::convert::Infallible;
use std::ops::Range;

use crate::file::{Section, TablebaseError};
use crate::threads;

/// Numbers are smaller than this.
pub(crate) const LIMIT: usize = 40;

/// What stands for a number before the first.
const NONE: usize = LIMIT;

/// The two numbers before one.
const CONTEXTS: usize = (LIMIT + 1) * (LIMIT + 1);

/// How many numbers are read one after the other.
const GROUP: usize = 128;

/// How many groups share an entry of the directory.
const GROUPS: usize = 32;

/// The size of an entry of the directory.
const ENTRY: usize = 8 + 2 * GROUPS;

/// The longest code.
const MAX_LENGTH: usize = 12;

/// The codes this long or shorter are found at a glance.
const SHORT: usize = 6;

/// A reader may look at this many bytes from where a code begins.
const MARGIN: usize = 8;

/// How many numbers a thread packs at a time.
const PIECE: usize = 64 * GROUPS * GROUP;

/// Where the directory begins.
const DIRECTORY: usize = 8 + CONTEXTS * LIMIT / 2;

/// Which code is used after two numbers.
#[inline]
fn context(before: usize, last: usize) -> usize {
    before * (LIMIT + 1) + last
}

/// Packs numbers, all smaller than [`LIMIT`].
pub(crate) fn pack(numbers: &[u8], threads: usize) -> Vec<u8> {
    let pieces: Vec<&[u8]> = numbers.chunks(PIECE).collect();
    let counts = threads::map(threads, pieces.clone(), count);
    let mut total = vec![0u64; CONTEXTS * LIMIT];
    for counts in counts {
        total.iter_mut().zip(counts).for_each(|(total, count)| *total += u64::from(count));
    }
    let lengths: Vec<u8> = total.chunks(LIMIT).flat_map(code_lengths).collect();
    let codes: Vec<(u16, u8)> = lengths.chunks(LIMIT).flat_map(assign_codes).collect();
    let pieces = threads::map(threads, pieces, |piece| encode(piece, &codes));

    let mut packed = (numbers.len() as u64).to_le_bytes().to_vec();
    packed.extend(lengths.chunks(2).map(|pair| pair[0] | pair[1] << 4));
    let entries: usize = pieces.iter().map(|piece| piece.starts.len()).sum();
    let mut start = (DIRECTORY + entries * ENTRY) as u64;
    for piece in &pieces {
        for (bytes, bits) in &piece.starts {
            packed.extend((start + *bytes as u64).to_le_bytes());
            packed.extend(bits.iter().flat_map(|bit| bit.to_le_bytes()));
        }
        start += piece.codes.len() as u64;
    }
    pieces.iter().for_each(|piece| packed.extend(&piece.codes));
    packed.extend([0; MARGIN]);
    packed
}

/// How often each number follows each two.
fn count(numbers: &[u8]) -> Vec<u32> {
    let mut counts = vec![0; CONTEXTS * LIMIT];
    for group in numbers.chunks(GROUP) {
        let (mut before, mut last) = (NONE, NONE);
        for &number in group {
            counts[context(before, last) * LIMIT + usize::from(number)] += 1;
            (before, last) = (last, usize::from(number));
        }
    }
    counts
}

/// The lengths of a Huffman code for numbers that come so often; 0 for those that never come.
fn code_lengths(counts: &[u64]) -> [u8; LIMIT] {
    let mut weights: Vec<(u64, usize)> =
        counts.iter().copied().zip(0..).filter(|(count, _)| *count > 0).collect();
    let mut lengths = [0; LIMIT];
    if let [(_, only)] = weights[..] {
        lengths[only] = 1;
        return lengths;
    }
    loop {
        // The trees that have not been joined yet, each with its numbers.
        let mut trees: Vec<(u64, Vec<usize>)> =
            weights.iter().map(|&(count, number)| (count, vec![number])).collect();
        lengths = [0; LIMIT];
        while trees.len() > 1 {
            trees.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            let ((one, numbers), (other, others)) = match (trees.pop(), trees.pop()) {
                (Some(one), Some(other)) => (one, other),
                _ => break,
            };
            let joined: Vec<usize> = numbers.into_iter().chain(others).collect();
            joined.iter().for_each(|&number| lengths[number] += 1);
            trees.push((one + other, joined));
        }
        if lengths.iter().all(|&length| usize::from(length) <= MAX_LENGTH) {
            return lengths;
        }
        // Rare numbers have too long codes; made more alike, they get shorter ones.
        weights.iter_mut().for_each(|(count, _)| *count = *count / 2 + 1);
    }
}

/// The codes that belong to lengths, by the usual rule: shorter ones first, then smaller numbers.
fn assign_codes(lengths: &[u8]) -> [(u16, u8); LIMIT] {
    let mut codes = [(0, 0); LIMIT];
    let mut code = 0;
    for length in 1..=MAX_LENGTH as u8 {
        for (number, _) in lengths.iter().enumerate().filter(|(_, of)| **of == length) {
            codes[number] = (code, length);
            code += 1;
        }
        code <<= 1;
    }
    codes
}

/// Some packed numbers: their codes, and for every entry of the directory the byte where it begins
/// and the bits of its groups.
struct Piece {
    codes: Vec<u8>,
    starts: Vec<(usize, [u16; GROUPS])>,
}

fn encode(numbers: &[u8], codes: &[(u16, u8)]) -> Piece {
    let mut piece = Piece { codes: Vec::with_capacity(numbers.len() / 2), starts: Vec::new() };
    for groups in numbers.chunks(GROUPS * GROUP) {
        let first = piece.codes.len();
        let mut starts = [0; GROUPS];
        let (mut buffer, mut bits, mut written) = (0u64, 0u32, 0usize);
        for (start, group) in starts.iter_mut().zip(groups.chunks(GROUP)) {
            *start = (written + bits as usize) as u16;
            let (mut before, mut last) = (NONE, NONE);
            for &number in group {
                let number = usize::from(number);
                let (code, length) = codes[context(before, last) * LIMIT + number];
                buffer = buffer << length | u64::from(code);
                bits += u32::from(length);
                if bits >= 32 {
                    bits -= 32;
                    piece.codes.extend(((buffer >> bits) as u32).to_be_bytes());
                    written += 32;
                }
                (before, last) = (last, number);
            }
        }
        // The rest, up to a whole byte.
        let rest = ((buffer << (32 - bits)) as u32).to_be_bytes();
        piece.codes.extend(&rest[..bits.div_ceil(8) as usize]);
        piece.starts.push((first, starts));
    }
    piece
}

/// Where packed numbers are read from.
pub(crate) trait Bytes {
    /// Why they may not be.
    type Error;

    /// Some of the bytes.
    fn read(&self, range: Range<usize>) -> Result<&[u8], Self::Error>;

    /// How many there are.
    fn length(&self) -> usize;
}

impl Bytes for Section<'_> {
    type Error = TablebaseError;

    #[inline]
    fn read(&self, range: Range<usize>) -> Result<&[u8], TablebaseError> {
        Section::read(self, range)
    }

    #[inline]
    fn length(&self) -> usize {
        Section::length(self)
    }
}

/// Bytes in memory, as [`pack`] made them; what is missing at the end is not there.
impl Bytes for [u8] {
    type Error = Infallible;

    fn read(&self, range: Range<usize>) -> Result<&[u8], Infallible> {
        let end = range.end.min(self.len());
        Ok(&self[range.start.min(end)..end])
    }

    fn length(&self) -> usize {
        self.len()
    }
}

/// How the numbers of a section are read.
#[derive(Debug)]
pub(crate) struct Packed {
    codes: Vec<Code>,
    count: usize,
}

/// The code used after two numbers.
#[derive(Debug, Clone)]
struct Code {
    /// The number and the length of the code that begins with some bits, if it is short; else 0.
    short: [(u8, u8); 1 << SHORT],
    /// For each longer length the first code that is too large for it, as if it had the greatest
    /// length, and what to add to a code to find its number.
    long: [(u16, i16); MAX_LENGTH - SHORT],
    /// The numbers in the order of their codes.
    numbers: [u8; LIMIT],
}

impl Code {
    fn new(lengths: &[u8]) -> Code {
        let mut code = Code {
            short: [(0, 0); 1 << SHORT],
            long: [(0, 0); MAX_LENGTH - SHORT],
            numbers: [0; LIMIT],
        };
        let codes = assign_codes(lengths);
        let mut order: Vec<usize> = (0..LIMIT).filter(|&number| lengths[number] > 0).collect();
        order.sort_by_key(|&number| lengths[number]);
        for (place, &number) in order.iter().enumerate() {
            code.numbers[place] = number as u8;
            let (bits, length) = (usize::from(codes[number].0), usize::from(codes[number].1));
            if length <= SHORT {
                let spare = SHORT - length;
                code.short[bits << spare..(bits + 1) << spare].fill((number as u8, length as u8));
            } else {
                let past = ((bits + 1) << (MAX_LENGTH - length)) as u16;
                code.long[length - SHORT - 1] = (past, place as i16 - bits as i16);
            }
        }
        code
    }

    /// The number that some bits begin with, and the length of its code.
    #[inline]
    fn read(&self, bits: u16) -> Option<(u8, u8)> {
        let (number, length) = self.short[usize::from(bits) >> (MAX_LENGTH - SHORT)];
        if length > 0 { Some((number, length)) } else { self.read_long(bits) }
    }

    fn read_long(&self, bits: u16) -> Option<(u8, u8)> {
        let index = self.long.iter().position(|&(past, _)| bits < past)?;
        let length = SHORT + 1 + index;
        let place = (bits >> (MAX_LENGTH - length)) as i16 + self.long[index].1;
        Some((*self.numbers.get(usize::try_from(place).ok()?)?, length as u8))
    }
}

impl Packed {
    /// Reads how a section is packed.
    pub(crate) fn open<B: Bytes + ?Sized>(section: &B) -> Result<Packed, B::Error> {
        let head = section.read(0..DIRECTORY)?;
        let (count, lengths) = head.split_at(8.min(head.len()));
        let count = u64::from_le_bytes(count.try_into().unwrap_or_default()) as usize;
        let lengths: Vec<u8> = lengths.iter().flat_map(|pair| [pair & 15, pair >> 4]).collect();
        Ok(Packed { codes: lengths.chunks_exact(LIMIT).map(Code::new).collect(), count })
    }

    /// How many numbers there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The number at a place; nothing if the section makes no sense.
    #[inline]
    pub(crate) fn get<B: Bytes + ?Sized>(
        &self,
        section: &B,
        index: usize,
    ) -> Result<Option<u8>, B::Error> {
        let mut number = 0;
        let whole =
            self.read_group(section, index / GROUP, index % GROUP + 1, |found| number = found)?;
        Ok(whole.then_some(number))
    }

    /// All numbers of the section, one after the other, as far as the section makes sense.
    pub(crate) fn all<B: Bytes + ?Sized>(&self, section: &B) -> Result<Vec<u8>, B::Error> {
        let mut numbers = Vec::with_capacity(self.count);
        for group in 0..self.count.div_ceil(GROUP) {
            let count = GROUP.min(self.count - group * GROUP);
            self.read_group(section, group, count, |number| numbers.push(number))?;
        }
        Ok(numbers)
    }

    /// Reads the first numbers of a group, and tells whether they all were there.
    #[inline]
    fn read_group<B: Bytes + ?Sized>(
        &self,
        section: &B,
        group: usize,
        count: usize,
        mut take: impl FnMut(u8),
    ) -> Result<bool, B::Error> {
        let entry = DIRECTORY + group / GROUPS * ENTRY;
        let entry = section.read(entry..entry + ENTRY)?;
        let Some((start, bits)) = entry.split_at_checked(8) else { return Ok(false) };
        let start = u64::from_le_bytes(start.try_into().unwrap_or_default()) as usize;
        let place = group % GROUPS * 2;
        let Some(&[low, high]) = bits.get(place..place + 2) else { return Ok(false) };
        let first = usize::from(u16::from_le_bytes([low, high]));
        // No more than this can be needed; the margin is behind the last code.
        let end = start + first / 8 + GROUP * MAX_LENGTH / 8 + MARGIN;
        let bytes = section.read(start + first / 8..end.min(section.length()))?;
        let mut bit = first % 8;
        let (mut before, mut last) = (NONE, NONE);
        for _ in 0..count {
            let Some(window) = bytes.get(bit / 8..bit / 8 + 4) else { return Ok(false) };
            let window = u32::from_be_bytes(window.try_into().unwrap_or_default()) << (bit % 8);
            let bits = (window >> (32 - MAX_LENGTH)) as u16;
            let Some(code) = self.codes.get(context(before, last)) else { return Ok(false) };
            let Some((number, length)) = code.read(bits) else { return Ok(false) };
            take(number);
            bit += usize::from(length);
            (before, last) = (last, usize::from(number));
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use stoa_rules::playout::Rng;

    use super::*;

    fn unpacked(packed: &[u8]) -> (Vec<u8>, Packed) {
        let Ok(reader) = Packed::open(packed);
        let Ok(numbers) = reader.all(packed);
        (numbers, reader)
    }

    #[test]
    fn numbers_come_back() {
        let mut rng = Rng::new(1);
        for count in [0, 1, 2, GROUP - 1, GROUP, GROUP + 1, GROUPS * GROUP, PIECE + 77] {
            // Steep, flat and single-valued, so that codes of all lengths occur.
            for spread in [1, 2, LIMIT, 1000] {
                let numbers: Vec<u8> = (0..count)
                    .map(|_| match spread {
                        1000 => (0..LIMIT - 1).take_while(|_| rng.below(2) == 0).count() as u8,
                        _ => rng.below(spread) as u8,
                    })
                    .collect();
                let packed = pack(&numbers, 2);
                let (all, reader) = unpacked(&packed);
                assert_eq!(all, numbers);
                assert_eq!(reader.count(), count);
                for index in (0..count).step_by(count / 50 + 1) {
                    let Ok(number) = reader.get(&packed[..], index);
                    assert_eq!(number, Some(numbers[index]));
                }
            }
        }
    }

    #[test]
    fn threads_make_no_difference() {
        let mut rng = Rng::new(2);
        let numbers: Vec<u8> = (0..3 * PIECE).map(|_| rng.below(LIMIT) as u8).collect();
        assert_eq!(pack(&numbers, 1), pack(&numbers, 4));
    }

    #[test]
    fn truncated_data_is_never_misread() {
        let numbers: Vec<u8> = (0..1000).map(|index| (index % 7) as u8).collect();
        let packed = pack(&numbers, 1);
        for length in (0..packed.len()).step_by(89) {
            let (all, reader) = unpacked(&packed[..length]);
            assert!(all.len() <= numbers.len() && all == numbers[..all.len()]);
            let Ok(_) = reader.get(&packed[..length], 999);
        }
    }
}
