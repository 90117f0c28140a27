//! Learned evaluations: a small neural network that judges a position in place of the hand-made
//! terms.
//!
//! The network sees a position from the side to move as a set of bits ([`Knowledge::net_inputs`]).
//! Its first layer is a sum of one column of weights for each bit that is set, the *accumulator*.
//! Positions that a search evaluates one after the other differ in few bits, so the accumulator is
//! not summed anew but brought up to date by the difference ([`Accumulators`]). Two small layers
//! follow. Everything is integers: the result is the same on every machine, whatever instructions
//! the compiler chooses for it.
//!
//! | step | values | scale of 1.0 |
//! |---|---|---|
//! | accumulator: bias plus the columns of the set inputs | `i16` | [`ACCUMULATOR_ONE`] |
//! | activation: clamped to 0..1, squared | 0..=254 | [`ACTIVATION_ONE`] |
//! | second layer: bias plus weighted activations | `i32` | `ACTIVATION_ONE` · [`SECOND_ONE`] |
//! | activation: clamped to 0..1, squared | 0..=254² | `ACTIVATION_ONE`² |
//! | output: bias plus weighted activations, in points | `i64` | `ACTIVATION_ONE`² · [`OUTPUT_ONE`] |
//!
//! Second layer and output exist once for every *bucket*, a phase of the game that the game itself distinguishes
//! ([`Knowledge::net_bucket`]).
//!
//! A network may be trained to correct the hand-made terms instead of replacing them. Then a share of
//! what the terms say is added to its output ([`TermsShare`]): where the terms know something that
//! self-played games rarely show, a threat that every player parries, nothing of it is lost.

mod file;
mod header;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use stoa_rules::Game;

pub use file::{NetError, NetHeader, TermsShare};
pub use header::MAX_NET_BYTES;
pub(crate) use header::{Header, Numbers, crc32};

use crate::score::MAX_EVALUATION;
use crate::{Evaluator, Knowledge, Weights};

/// The most groups of inputs that a game may have.
pub const MAX_INPUT_GROUPS: usize = 24;

/// What 1.0 is in the accumulator.
pub const ACCUMULATOR_ONE: i32 = 255;
/// What 1.0 is after an activation.
pub const ACTIVATION_ONE: i32 = 254;
/// What a weight of 1.0 is in the second layer.
pub const SECOND_ONE: i32 = 128;
/// What a weight of one point is in the output.
pub const OUTPUT_ONE: i32 = 16;

/// The inputs of a position: one word of bits for each group.
pub type InputGroups = [u64; MAX_INPUT_GROUPS];

/// A network for one game.
#[derive(Clone, PartialEq, Eq)]
pub struct Net {
    header: NetHeader,
    /// Where the columns of each group begin.
    offsets: Vec<usize>,
    /// A column of `hidden` weights for each input.
    columns: Vec<i16>,
    bias: Vec<i16>,
    heads: Vec<Head>,
    /// The weights of the terms that the network corrects.
    weights: Weights,
}

/// The layers after the accumulator, for one bucket.
#[derive(Clone, PartialEq, Eq)]
struct Head {
    /// A row of `hidden` weights for each unit of the second layer.
    second: Vec<i16>,
    second_bias: Vec<i32>,
    output: Vec<i32>,
    output_bias: i32,
}

impl Net {
    /// Reads a network for a game from the bytes of a file.
    pub fn read<P: Knowledge>(
        bytes: &[u8],
        game: Game,
        options: P::Options,
    ) -> Result<Net, NetError> {
        file::read::<P>(bytes, game, options)
    }

    /// What the file says of itself.
    pub fn header(&self) -> &NetHeader {
        &self.header
    }

    fn hidden(&self) -> usize {
        self.header.hidden
    }

    /// The value in points of a position with these inputs.
    #[inline]
    fn value(&self, accumulator: &mut Accumulator, inputs: &InputGroups, bucket: usize) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions that the function was compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.value_with_avx2(accumulator, inputs, bucket) };
        }
        self.value_portable(accumulator, inputs, bucket)
    }

    /// The same code as [`value_portable`](Net::value_portable), compiled for wider registers.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn value_with_avx2(
        &self,
        accumulator: &mut Accumulator,
        inputs: &InputGroups,
        bucket: usize,
    ) -> i32 {
        self.value_portable(accumulator, inputs, bucket)
    }

    /// Plain loops over integers, which the compiler turns into vector instructions of whatever it
    /// compiles for.
    #[inline(always)]
    fn value_portable(
        &self,
        accumulator: &mut Accumulator,
        inputs: &InputGroups,
        bucket: usize,
    ) -> i32 {
        self.update(accumulator, inputs);
        self.output(accumulator, bucket)
    }

    /// The column of an input.
    #[inline(always)]
    fn column(&self, input: usize) -> &[i16] {
        &self.columns[input * self.hidden()..][..self.hidden()]
    }

    /// Brings an accumulator up to date.
    #[inline(always)]
    fn update(&self, accumulator: &mut Accumulator, inputs: &InputGroups) {
        for (group, &offset) in self.offsets.iter().enumerate() {
            let (old, new) = (accumulator.inputs[group], inputs[group]);
            for bit in bits(new & !old) {
                add(&mut accumulator.values, self.column(offset + bit));
            }
            for bit in bits(old & !new) {
                subtract(&mut accumulator.values, self.column(offset + bit));
            }
        }
        accumulator.inputs = *inputs;
    }

    /// The value of an accumulator in points.
    #[inline(always)]
    fn output(&self, accumulator: &mut Accumulator, bucket: usize) -> i32 {
        let Accumulator { values, activations, .. } = accumulator;
        for (activation, &value) in activations.iter_mut().zip(values.iter()) {
            let clamped = value.clamp(0, ACCUMULATOR_ONE as i16) as u16;
            *activation = ((clamped * clamped) >> 8) as i16;
        }
        let head = &self.heads[bucket.min(self.heads.len() - 1)];
        let rows = head.second.chunks_exact(activations.len());
        let units = rows.zip(&head.second_bias).zip(&head.output);
        let sum: i64 = units
            .map(|((row, &bias), &weight)| {
                let sum = (bias + dot(row, activations)) / SECOND_ONE;
                let value = sum.clamp(0, ACTIVATION_ONE);
                i64::from(value * value) * i64::from(weight)
            })
            .sum();
        let scale = i64::from(ACTIVATION_ONE * ACTIVATION_ONE);
        let points = (sum / scale + i64::from(head.output_bias)) / i64::from(OUTPUT_ONE);
        points.clamp(-i64::from(MAX_EVALUATION), i64::from(MAX_EVALUATION)) as i32
    }

    /// What the terms contribute, in points for the player to move.
    #[inline]
    fn share_of_terms<P: Knowledge>(&self, position: &P) -> i32 {
        self.header.terms.map_or(0, |share| {
            self.weights.evaluate(position, &mut ()) * share.share / TermsShare::WHOLE
        })
    }
}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Net").field("header", &self.header).finish_non_exhaustive()
    }
}

/// The accumulators of one thread's search: one for each side to move.
#[derive(Debug, Clone)]
pub struct Accumulators([Accumulator; 2]);

/// The sum of the columns of some inputs.
#[derive(Debug, Clone)]
struct Accumulator {
    inputs: InputGroups,
    values: Vec<i16>,
    /// Room for the activations, so that nothing is allocated in a search.
    activations: Vec<i16>,
}

impl<P: Knowledge> Evaluator<P> for Arc<Net> {
    type State = Accumulators;

    fn state(&self) -> Accumulators {
        let empty = Accumulator {
            inputs: [0; MAX_INPUT_GROUPS],
            values: self.bias.clone(),
            activations: vec![0; self.hidden()],
        };
        Accumulators([empty.clone(), empty])
    }

    #[inline]
    fn evaluate(&self, position: &P, state: &mut Accumulators) -> i32 {
        let mut inputs = [0; MAX_INPUT_GROUPS];
        position.net_inputs(&mut inputs);
        let accumulator = &mut state.0[position.side_to_move().index()];
        let learned = self.value(accumulator, &inputs, position.net_bucket());
        (learned + self.share_of_terms(position)).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}

/// Adds a column to an accumulator. It may overflow on the way to a sum that does not, so it wraps.
#[inline(always)]
fn add(values: &mut [i16], column: &[i16]) {
    for (value, &weight) in values.iter_mut().zip(column) {
        *value = value.wrapping_add(weight);
    }
}

#[inline(always)]
fn subtract(values: &mut [i16], column: &[i16]) {
    for (value, &weight) in values.iter_mut().zip(column) {
        *value = value.wrapping_sub(weight);
    }
}

#[inline(always)]
fn dot(row: &[i16], activations: &[i16]) -> i32 {
    row.iter().zip(activations).map(|(&w, &a)| i32::from(w) * i32::from(a)).sum()
}

/// The numbers of the bits that are set.
#[inline(always)]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}
