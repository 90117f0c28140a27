//! Policy networks: convolutions over a square board that say how likely each move is to be the best
//! and who will win. They guide a tree search in place of playouts.
//!
//! The network sees a position from the side to move: some bits for each cell of the board
//! ([`Knowledge::grid`]). It is made of convolutions of 3×3 cells and of means over the whole board, so
//! one network serves boards of all sizes. Everything up to the last layer is integers, so the result
//! is the same on every machine, whatever instructions it has:
//!
//! | values | type | scale of 1.0 |
//! |---|---|---|
//! | activations, 0 to just below 8 | `i16` | [`ACTIVATION_ONE`] |
//! | weights, within ±2 | `i16` | [`WEIGHT_ONE`] |
//! | sums and biases | `i32` | `ACTIVATION_ONE` · `WEIGHT_ONE` |
//! | what the value layer sees | `i16` | [`POOLED_ONE`] |
//!
//! | layer | computes |
//! |---|---|
//! | stem | convolution of the planes, clamped to 0..8 |
//! | block, several times | convolution plus a weighted mean of its input over the board, clamped; another convolution, added to the block's input, clamped |
//! | policy | one weighted sum for each cell: the logit of the move there |
//! | value | of each channel the mean over the board, the mean times how much larger than 9×9 the board is, and the maximum; a layer of these, clamped; a weighted sum: the logit of winning |

mod file;
mod kernel;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

pub(crate) use file::is_policy_file;
pub use file::{MAX_BLOCKS, MAX_CHANNELS, PolicyHeader};

use crate::score::{MAX_EVALUATION, POINTS_PER_LOGIT};
use crate::{Evaluator, Knowledge};
use kernel::{Kernel, Layer};

/// What 1.0 is in an activation.
pub const ACTIVATION_ONE: i32 = 256;
/// The largest activation.
pub const MAX_ACTIVATION: i32 = 8 * ACTIVATION_ONE - 1;
/// What 1.0 is in a weight.
pub const WEIGHT_ONE: i32 = 1024;
/// The largest weight.
pub const MAX_POLICY_WEIGHT: i16 = 2 * WEIGHT_ONE as i16 - 1;
/// What 1.0 is in what the value layer sees.
pub const POOLED_ONE: i32 = 8 * ACTIVATION_ONE;
/// How many planes a network has: the bits of a cell.
pub const PLANES: usize = 16;
/// How many units the hidden layer of the value has.
pub const VALUE_UNITS: usize = 32;
/// How many symmetries a square has.
pub const GRID_SYMMETRIES: usize = 8;

/// The largest board, in cells along a side.
pub const MAX_GRID_SIDE: usize = 19;
pub(crate) const MAX_CELLS: usize = MAX_GRID_SIDE * MAX_GRID_SIDE;

/// The bits of each cell, row by row from the bottom.
pub type Grid = [u16; MAX_CELLS];

/// A network that judges moves and positions.
#[derive(Clone, PartialEq, Eq)]
pub struct PolicyNet {
    header: PolicyHeader,
    stem: Layer,
    blocks: Vec<Block>,
    policy: Vec<i16>,
    value: Vec<i16>,
    value_bias: Vec<i32>,
    output: Vec<i16>,
    output_bias: i32,
}

/// Two convolutions around which the input is led.
#[derive(Clone, PartialEq, Eq)]
struct Block {
    first: Layer,
    /// For each output channel, a row of weights for the means of the input channels.
    pool: Vec<i16>,
    second: Layer,
}

/// What a network says of a position, before it is turned into probabilities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The logit of each cell.
    pub policy: Vec<i32>,
    /// The logit of a win for the player to move.
    pub value: i32,
}

/// What a logit of 1.0 is in a [`Judgement`].
pub const LOGIT_ONE: i32 = ACTIVATION_ONE * WEIGHT_ONE;

/// Room for one thread's computations, so that nothing is allocated in a search.
#[derive(Debug, Clone)]
pub struct PolicyState {
    grid: Box<Grid>,
    planes: Vec<i16>,
    stream: Vec<i16>,
    inner: Vec<i16>,
    bias: Vec<i32>,
    judgement: Judgement,
}

impl PolicyNet {
    /// Reads a network for a game from the bytes of a file.
    pub fn read<P: Knowledge>(
        bytes: &[u8],
        game: stoa_rules::Game,
    ) -> Result<PolicyNet, crate::NetError> {
        match P::GRID_PLANES {
            0 => Err(crate::NetError::NoNets(game.to_string())),
            _ => file::read(bytes, game),
        }
    }

    /// What the file says of itself.
    pub fn header(&self) -> &PolicyHeader {
        &self.header
    }

    /// Room to compute in.
    pub fn room(&self) -> PolicyState {
        let padded = (MAX_GRID_SIDE + 2) * (MAX_GRID_SIDE + 2);
        let channels = self.header.channels;
        PolicyState {
            grid: Box::new([0; MAX_CELLS]),
            planes: vec![0; padded * PLANES],
            stream: vec![0; padded * channels],
            inner: vec![0; padded * channels],
            bias: vec![0; channels],
            judgement: Judgement { policy: Vec::with_capacity(MAX_CELLS), value: 0 },
        }
    }

    /// Judges a position that is not over as it looks through a symmetry of the board. The logits are
    /// those of the cells as they are.
    ///
    /// # Panics
    ///
    /// If the game has no grid ([`Knowledge::GRID_PLANES`] is 0), so that no network has been read for it.
    pub fn judge<'a, P: Knowledge>(
        &self,
        position: &P,
        symmetry: usize,
        state: &'a mut PolicyState,
    ) -> &'a Judgement {
        assert!(P::GRID_PLANES > 0, "a policy network sees nothing of a game without a grid");
        let side = position.grid(&mut state.grid);
        self.judge_grid(side, symmetry, state);
        &state.judgement
    }

    /// Judges a board whose bits are known.
    ///
    /// # Panics
    ///
    /// Unless `side` is from 1 to [`MAX_GRID_SIDE`], and there are that many cells squared.
    pub fn judge_cells<'a>(
        &self,
        cells: &[u16],
        side: usize,
        state: &'a mut PolicyState,
    ) -> &'a Judgement {
        assert!(
            (1..=MAX_GRID_SIDE).contains(&side),
            "there are no boards of {side} × {side} cells"
        );
        state.grid[..side * side].copy_from_slice(&cells[..side * side]);
        self.judge_grid(side, 0, state);
        &state.judgement
    }

    fn judge_grid(&self, side: usize, symmetry: usize, state: &mut PolicyState) {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the instructions that the function was compiled for.
                #[allow(unsafe_code)]
                unsafe {
                    self.judge_with_avx2(side, symmetry, state);
                }
                return;
            }
            self.judge_with::<kernel::Sse2>(side, symmetry, state);
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        self.judge_with::<kernel::Simd128>(side, symmetry, state);
        #[cfg(not(any(
            target_arch = "x86_64",
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        self.judge_with::<kernel::Plain>(side, symmetry, state);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn judge_with_avx2(&self, side: usize, symmetry: usize, state: &mut PolicyState) {
        self.judge_with::<kernel::Avx2>(side, symmetry, state);
    }

    #[inline(always)]
    fn judge_with<K: Kernel>(&self, side: usize, symmetry: usize, state: &mut PolicyState) {
        let PolicyState { grid, planes, stream, inner, bias, judgement } = state;
        let channels = self.header.channels;
        let cells = side * side;
        let at = |cell: usize| (cell / side + 1) * (side + 2) + cell % side + 1;
        clear_border(planes, side, PLANES);
        clear_border(stream, side, channels);
        clear_border(inner, side, channels);
        for cell in 0..cells {
            let bits = grid[transformed(cell, side, symmetry)];
            let plane = &mut planes[at(cell) * PLANES..][..PLANES];
            for (number, value) in plane.iter_mut().enumerate() {
                *value = (bits >> number & 1) as i16 * ACTIVATION_ONE as i16;
            }
        }
        self.stem.apply::<K>(planes, &self.stem.bias, side, false, stream);
        for block in &self.blocks {
            block.means(stream, side, channels, bias);
            block.first.apply::<K>(stream, bias, side, false, inner);
            block.second.apply::<K>(inner, &block.second.bias, side, true, stream);
        }
        judgement.policy.clear();
        judgement.policy.resize(cells, 0);
        for cell in 0..cells {
            let values = &stream[at(cell) * channels..][..channels];
            judgement.policy[transformed(cell, side, symmetry)] = dot(values, &self.policy);
        }
        judgement.value = self.value_of(stream, side);
    }

    /// The logit of a win.
    fn value_of(&self, stream: &[i16], side: usize) -> i32 {
        let channels = self.header.channels;
        let mut seen = [0i16; 3 * MAX_CHANNELS];
        for channel in 0..channels {
            let (mut sum, mut most) = (0i32, 0i16);
            for row in 1..=side {
                let start = (row * (side + 2) + 1) * channels + channel;
                for &value in stream[start..].iter().step_by(channels).take(side) {
                    sum += i32::from(value);
                    most = most.max(value);
                }
            }
            let mean = sum * (POOLED_ONE / ACTIVATION_ONE) / (side * side) as i32;
            seen[channel] = mean as i16;
            seen[channels + channel] = (mean * (side as i32 - 9) / 8) as i16;
            seen[2 * channels + channel] = most * (POOLED_ONE / ACTIVATION_ONE) as i16;
        }
        let seen = &seen[..3 * channels];
        let rows = self.value.chunks_exact(3 * channels).zip(&self.value_bias);
        let sum: i64 = rows
            .zip(&self.output)
            .map(|((row, &bias), &weight)| {
                let pairs = row.iter().zip(seen);
                let sum: i64 = pairs.map(|(&w, &x)| i64::from(w) * i64::from(x)).sum();
                let divisor = i64::from(POOLED_ONE / ACTIVATION_ONE * WEIGHT_ONE);
                let unit = (sum + i64::from(bias)) / divisor;
                unit.clamp(0, MAX_ACTIVATION.into()) * i64::from(weight)
            })
            .sum();
        let most = i64::from(i32::MAX);
        (sum + i64::from(self.output_bias)).clamp(-most, most) as i32
    }
}

impl Block {
    /// The biases of the first convolution, to which the board as a whole contributes.
    #[inline(always)]
    fn means(&self, stream: &[i16], side: usize, channels: usize, bias: &mut [i32]) {
        let mut sums = [0i32; MAX_CHANNELS];
        for row in 1..=side {
            let start = (row * (side + 2) + 1) * channels;
            for cell in stream[start..start + side * channels].chunks_exact(channels) {
                for (sum, &value) in sums.iter_mut().zip(cell) {
                    *sum += i32::from(value);
                }
            }
        }
        let means = sums.map(|sum| (sum / (side * side) as i32) as i16);
        for ((bias, &own), row) in
            bias.iter_mut().zip(&self.first.bias).zip(self.pool.chunks_exact(channels))
        {
            *bias = own + dot(&means[..channels], row);
        }
    }
}

/// Sets the cells around the board to zero, which a board of another size may have used.
fn clear_border(values: &mut [i16], side: usize, channels: usize) {
    let width = side + 2;
    values[..width * channels].fill(0);
    values[width * (width - 1) * channels..][..width * channels].fill(0);
    for row in 1..=side {
        values[row * width * channels..][..channels].fill(0);
        values[(row * width + width - 1) * channels..][..channels].fill(0);
    }
}

/// The cell that a symmetry brings to a cell: bit 0 exchanges left and right, bit 1 bottom and top,
/// and bit 2 then files and ranks.
#[inline]
pub(crate) fn transformed(cell: usize, side: usize, symmetry: usize) -> usize {
    let (rank, file) = (cell / side, cell % side);
    let file = if symmetry & 1 != 0 { side - 1 - file } else { file };
    let rank = if symmetry & 2 != 0 { side - 1 - rank } else { rank };
    if symmetry & 4 != 0 { file * side + rank } else { rank * side + file }
}

#[inline(always)]
fn dot(values: &[i16], weights: &[i16]) -> i32 {
    values.iter().zip(weights).map(|(&x, &w)| i32::from(x) * i32::from(w)).sum()
}

/// The exponential of a number that is not positive, by the same steps on every machine: those of the
/// standard library differ in the last bit.
pub(crate) fn exp(x: f32) -> f32 {
    /// Of 2 to the power of x between -0.5 and 0.5, by powers of x.
    const POWERS: [f32; 7] = [
        1.0,
        std::f32::consts::LN_2,
        0.240_226_5,
        0.055_504_11,
        0.009_618_13,
        0.001_333_36,
        0.000_154_03,
    ];
    let exponent = (x * std::f32::consts::LOG2_E).max(-100.0);
    let whole = (exponent + 0.5).floor();
    let part = exponent - whole;
    let power = POWERS.iter().rev().fold(0.0, |sum, &factor| sum * part + factor);
    power * f32::from_bits(((127 + whole as i32) as u32) << 23)
}

impl std::fmt::Debug for PolicyNet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PolicyNet").field("header", &self.header).finish_non_exhaustive()
    }
}

/// As an evaluation for alpha-beta it says what its value is worth in points.
impl<P: Knowledge> Evaluator<P> for Arc<PolicyNet> {
    type State = PolicyState;

    fn state(&self) -> PolicyState {
        self.room()
    }

    fn evaluate(&self, position: &P, state: &mut PolicyState) -> i32 {
        if P::GRID_PLANES == 0 {
            return 0;
        }
        let logit = f64::from(self.judge(position, 0, state).value) / f64::from(LOGIT_ONE);
        let points = (logit * POINTS_PER_LOGIT) as i32;
        points.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}
