//! Files of policy networks: a header of text that says what the network is and how it was made, then
//! its numbers.
//!
//! ```text
//! stoa-policy 1
//! game: palisade
//! channels: 32
//! blocks: 6
//! made: round 12; 3,000,000 positions of 60,000 games
//! checksum: 1c291ca3
//!
//! ```
//!
//! After the empty line come the numbers, little-endian. A convolution is nine matrices of weights
//! (`i16`, by cell from the bottom left, output channel, input channel) and a bias for each output
//! channel (`i32`). First comes the stem, from 16 planes; then for each block the first convolution,
//! the weights of the means (`i16`, by output channel, input channel) and the second convolution; the
//! weights of the policy (`i16`, by channel); the value layer (`i16`, for each of its 32 units the
//! weights of means, means times size, and maxima), its bias (`i32`), the output's weights (`i16`) and
//! its bias (`i32`). The checksum is the CRC-32 of these bytes.

use stoa_rules::Game;

use super::kernel::Layer;
use super::{
    ACTIVATION_ONE, Block, MAX_ACTIVATION, MAX_POLICY_WEIGHT, PLANES, PolicyNet, VALUE_UNITS,
};
use crate::net::{Header, NetError, Numbers};

const MAGIC: &str = "stoa-policy 1";

/// The most channels that a network may have.
pub const MAX_CHANNELS: usize = 128;
/// The most blocks that a network may have.
pub const MAX_BLOCKS: usize = 40;

/// What the file of a policy network says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyHeader {
    /// The game, whatever its options.
    pub game: String,
    /// How many values each cell has in the network.
    pub channels: usize,
    /// How many blocks of two convolutions it has.
    pub blocks: usize,
    /// How the network was made.
    pub made: String,
    /// The CRC-32 of its numbers.
    pub checksum: u32,
}

/// Whether a file begins as policy networks do.
pub(crate) fn is_policy_file(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC.as_bytes())
}

pub(super) fn read(bytes: &[u8], game: Game) -> Result<PolicyNet, NetError> {
    let (header, body) = Header::split(bytes, MAGIC)?;
    let wanted = game.info().id;
    header.check_game(wanted)?;
    let channels = header.number("channels", MAX_CHANNELS)?;
    if !channels.is_multiple_of(32) {
        return Err(header.wrong("channels", "a multiple of 32"));
    }
    let blocks = header.number("blocks", MAX_BLOCKS)?;
    let convolution = |inputs: usize| 2 * 9 * inputs * channels + 4 * channels;
    let block = 2 * convolution(channels) + 2 * channels * channels;
    let value = VALUE_UNITS * (2 * 3 * channels + 4 + 2) + 4;
    let expected = convolution(PLANES) + blocks * block + 2 * channels + value;
    let checksum = header.check_numbers(body, expected)?;
    let mut numbers = Numbers::new(body);
    let layer = |numbers: &mut Numbers, inputs: usize| {
        let weights = numbers.i16s(9 * inputs * channels);
        let bias = numbers.i32s(channels);
        check_weights(&weights)?;
        let layer = Layer::new(inputs, &weights, bias);
        // Half a unit is added before sums are rounded.
        if layer.largest_sum() > i64::from(i32::MAX / 2) {
            return Err(NetError::Overflow("convolutions"));
        }
        Ok(layer)
    };
    let stem = layer(&mut numbers, PLANES)?;
    let blocks = (0..blocks).map(|_| {
        let first = layer(&mut numbers, channels)?;
        let pool = numbers.i16s(channels * channels);
        check_weights(&pool)?;
        Ok(Block { first, pool, second: layer(&mut numbers, channels)? })
    });
    let blocks: Vec<Block> = blocks.collect::<Result<_, NetError>>()?;
    let policy = numbers.i16s(channels);
    check_weights(&policy)?;
    let net = PolicyNet {
        stem,
        policy,
        value: numbers.i16s(VALUE_UNITS * 3 * channels),
        value_bias: numbers.i32s(VALUE_UNITS),
        output: numbers.i16s(VALUE_UNITS),
        output_bias: numbers.i32(),
        header: PolicyHeader {
            game: wanted.to_owned(),
            channels,
            blocks: blocks.len(),
            made: header.text("made").to_owned(),
            checksum,
        },
        blocks,
    };
    Ok(net)
}

/// Whether no sum of as many products as there are channels can leave the range of its integers.
fn check_weights(weights: &[i16]) -> Result<(), NetError> {
    const { assert!(MAX_CHANNELS as i64 * MAX_ACTIVATION as i64 * 2047 < i32::MAX as i64 / 2) };
    const { assert!(ACTIVATION_ONE < MAX_ACTIVATION) };
    if weights.iter().any(|weight| weight.unsigned_abs() > MAX_POLICY_WEIGHT as u16) {
        return Err(NetError::Overflow("convolutions"));
    }
    Ok(())
}
