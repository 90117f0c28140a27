//! Convolutions of 3×3 cells in integers, with the instructions of each machine.
//!
//! Sums of integers do not depend on their order, so all kernels agree bit by bit; a test holds them to
//! it. Each multiplies pairs of 16-bit numbers and adds the two products, which x86 and WebAssembly do
//! in one instruction.

use super::{MAX_ACTIVATION, WEIGHT_ONE};

/// How many output channels are computed at a time, as vectors.
const VECTORS: usize = 4;
/// How many cells are computed at a time.
const CELLS: usize = 3;

/// A vector of sums.
pub(super) trait Kernel: Copy {
    /// How many sums it has.
    const LANES: usize;
    /// Reads sums.
    fn load(sums: &[i32]) -> Self;
    /// Writes sums.
    fn store(self, sums: &mut [i32]);
    /// Adds to each sum the products of a pair of inputs and a pair of weights.
    fn add_products(self, inputs: [i16; 2], weights: &[[i16; 2]]) -> Self;
}

/// Any machine.
#[derive(Clone, Copy)]
#[cfg_attr(
    any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")),
    allow(dead_code)
)]
pub(super) struct Plain([i32; 4]);

impl Kernel for Plain {
    const LANES: usize = 4;

    #[inline(always)]
    fn load(sums: &[i32]) -> Plain {
        Plain([sums[0], sums[1], sums[2], sums[3]])
    }

    #[inline(always)]
    fn store(self, sums: &mut [i32]) {
        sums[..4].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn add_products(mut self, [a, b]: [i16; 2], weights: &[[i16; 2]]) -> Plain {
        for (sum, &[x, y]) in self.0.iter_mut().zip(&weights[..4]) {
            *sum += i32::from(a) * i32::from(x) + i32::from(b) * i32::from(y);
        }
        self
    }
}

/// x86-64 with AVX2. Only used where the processor has been asked for it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Avx2(std::arch::x86_64::__m256i);

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
impl Kernel for Avx2 {
    const LANES: usize = 8;

    #[inline(always)]
    fn load(sums: &[i32]) -> Avx2 {
        let sums = &sums[..8];
        // SAFETY: eight sums are there, and the processor has AVX2.
        Avx2(unsafe { std::arch::x86_64::_mm256_loadu_si256(sums.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, sums: &mut [i32]) {
        let sums = &mut sums[..8];
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_mm256_storeu_si256(sums.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn add_products(self, inputs: [i16; 2], weights: &[[i16; 2]]) -> Avx2 {
        use std::arch::x86_64::{
            _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32,
        };
        let weights = &weights[..8];
        // SAFETY: eight pairs of weights are there, and the processor has AVX2.
        unsafe {
            let weights = _mm256_loadu_si256(weights.as_ptr().cast());
            let inputs = _mm256_set1_epi32(both(inputs));
            Avx2(_mm256_add_epi32(self.0, _mm256_madd_epi16(weights, inputs)))
        }
    }
}

/// Every x86-64.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Sse2(std::arch::x86_64::__m128i);

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
impl Kernel for Sse2 {
    const LANES: usize = 4;

    #[inline(always)]
    fn load(sums: &[i32]) -> Sse2 {
        let sums = &sums[..4];
        // SAFETY: four sums are there, and every x86-64 has SSE2.
        Sse2(unsafe { std::arch::x86_64::_mm_loadu_si128(sums.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, sums: &mut [i32]) {
        let sums = &mut sums[..4];
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_mm_storeu_si128(sums.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn add_products(self, inputs: [i16; 2], weights: &[[i16; 2]]) -> Sse2 {
        use std::arch::x86_64::{_mm_add_epi32, _mm_loadu_si128, _mm_madd_epi16, _mm_set1_epi32};
        let weights = &weights[..4];
        // SAFETY: four pairs of weights are there, and every x86-64 has SSE2.
        unsafe {
            let weights = _mm_loadu_si128(weights.as_ptr().cast());
            let inputs = _mm_set1_epi32(both(inputs));
            Sse2(_mm_add_epi32(self.0, _mm_madd_epi16(weights, inputs)))
        }
    }
}

/// WebAssembly.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[derive(Clone, Copy)]
pub(super) struct Simd128(std::arch::wasm32::v128);

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
impl Kernel for Simd128 {
    const LANES: usize = 4;

    #[inline(always)]
    fn load(sums: &[i32]) -> Simd128 {
        let sums = &sums[..4];
        // SAFETY: four sums are there.
        Simd128(unsafe { std::arch::wasm32::v128_load(sums.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, sums: &mut [i32]) {
        let sums = &mut sums[..4];
        // SAFETY: four sums are there.
        unsafe { std::arch::wasm32::v128_store(sums.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn add_products(self, inputs: [i16; 2], weights: &[[i16; 2]]) -> Simd128 {
        use std::arch::wasm32::{i32x4_add, i32x4_dot_i16x8, i32x4_splat, v128_load};
        let weights = &weights[..4];
        // SAFETY: four pairs of weights are there.
        let weights = unsafe { v128_load(weights.as_ptr().cast()) };
        Simd128(i32x4_add(self.0, i32x4_dot_i16x8(weights, i32x4_splat(both(inputs)))))
    }
}

/// Two 16-bit numbers as one of 32 bits, the first one lowest.
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn both([low, high]: [i16; 2]) -> i32 {
    i32::from(low as u16) | i32::from(high) << 16
}

/// A convolution of 3×3 cells.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Layer {
    inputs: usize,
    /// For each of the nine cells, each pair of input channels and each output channel: two weights.
    weights: Vec<[i16; 2]>,
    pub(super) bias: Vec<i32>,
}

impl Layer {
    /// A layer whose weights come cell by cell, then by output channel, then by input channel.
    pub(super) fn new(inputs: usize, weights: &[i16], bias: Vec<i32>) -> Layer {
        let outputs = bias.len();
        let mut pairs = Vec::with_capacity(weights.len() / 2);
        for cell in weights.chunks_exact(inputs * outputs) {
            for pair in 0..inputs / 2 {
                for row in cell.chunks_exact(inputs) {
                    pairs.push([row[2 * pair], row[2 * pair + 1]]);
                }
            }
        }
        Layer { inputs, weights: pairs, bias }
    }

    /// The largest sum that can come up, whatever the inputs are.
    pub(super) fn largest_sum(&self) -> i64 {
        let outputs = self.bias.len();
        let sums = (0..outputs).map(|output| {
            let weights = self.weights.iter().skip(output).step_by(outputs);
            let sum: i64 = weights.map(|&[a, b]| i64::from(a).abs() + i64::from(b).abs()).sum();
            sum * i64::from(MAX_ACTIVATION) + i64::from(self.bias[output]).abs()
        });
        sums.max().unwrap_or(0)
    }

    /// Computes the layer for every cell of a board of `side` × `side` cells, which has a border of one
    /// cell of zeros, and clamps the results. If `added`, they are added to what is in `to`.
    // Code for AVX2 must be inlined into what asked for it. In a browser the size counts.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(super) fn apply<K: Kernel>(
        &self,
        from: &[i16],
        bias: &[i32],
        side: usize,
        added: bool,
        to: &mut [i16],
    ) {
        for row in 0..side {
            let mut file = 0;
            while file + CELLS <= side {
                self.cells::<K, CELLS>(from, bias, side, added, [row, file], to);
                file += CELLS;
            }
            while file < side {
                self.cells::<K, 1>(from, bias, side, added, [row, file], to);
                file += 1;
            }
        }
    }

    /// Some neighbouring cells of a row.
    #[inline(always)]
    fn cells<K: Kernel, const COUNT: usize>(
        &self,
        from: &[i16],
        bias: &[i32],
        side: usize,
        added: bool,
        [row, file]: [usize; 2],
        to: &mut [i16],
    ) {
        let (width, outputs, inputs) = (side + 2, self.bias.len(), self.inputs);
        let step = VECTORS * K::LANES;
        for first in (0..outputs).step_by(step) {
            let start = std::array::from_fn(|vector| K::load(&bias[first + vector * K::LANES..]));
            let mut sums: [[K; VECTORS]; COUNT] = [start; COUNT];
            for tap in 0..9 {
                let cell = (row + tap / 3) * width + file + tap % 3;
                let seen = &from[cell * inputs..][..COUNT * inputs];
                let weights = &self.weights[tap * (inputs / 2) * outputs..][..inputs / 2 * outputs];
                for (pair, weights) in weights.chunks_exact(outputs).enumerate() {
                    let weights = &weights[first..first + step];
                    for (count, sums) in sums.iter_mut().enumerate() {
                        let at = count * inputs + 2 * pair;
                        let both = [seen[at], seen[at + 1]];
                        for (sum, weights) in sums.iter_mut().zip(weights.chunks_exact(K::LANES)) {
                            *sum = sum.add_products(both, weights);
                        }
                    }
                }
            }
            for (count, sums) in sums.into_iter().enumerate() {
                let cell = (row + 1) * width + file + 1 + count;
                let to = &mut to[cell * outputs + first..][..step];
                let mut whole = [0; VECTORS * 8];
                for (vector, sum) in sums.into_iter().enumerate() {
                    sum.store(&mut whole[vector * K::LANES..]);
                }
                for (value, &sum) in to.iter_mut().zip(&whole) {
                    let rounded = (sum + WEIGHT_ONE / 2) >> WEIGHT_ONE.ilog2();
                    let before = if added { i32::from(*value) } else { 0 };
                    *value = (before + rounded).clamp(0, MAX_ACTIVATION) as i16;
                }
            }
        }
    }
}
