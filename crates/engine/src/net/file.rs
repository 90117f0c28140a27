//! Network files: a header of text that says what the network is and how it was made, then its
//! numbers.
//!
//! ```text
//! stoa-net 1
//! game: impasse
//! inputs: 64 64
//! hidden: 128
//! second: 16
//! buckets: 1
//! terms: 900 5d3a10f2
//! made: round 2; 3,000,000 positions of 40,000 games; held-out loss 0.601
//! checksum: 1c291ca3
//!
//! ```
//!
//! After the empty line come the numbers, little-endian: the columns of the first layer (`i16`, for
//! each input `hidden` of them), its bias (`i16`), and for each bucket the second layer (`i16`, for
//! each unit `hidden` of them), its bias (`i32`), the output's weights (`i32`) and its bias
//! (`i32`). The checksum is the CRC-32 of these bytes.
//!
//! The line `terms` is there only if the network corrects the hand-made terms: how many 1024ths of
//! their points are added to its output, and the checksum of the weights that they have.

use stoa_rules::Game;

use super::header::{Header, MAX_NET_BYTES, Numbers};
use super::{ACCUMULATOR_ONE, ACTIVATION_ONE, Head, MAX_INPUT_GROUPS, Net};
use crate::{Knowledge, Weights};

const MAGIC: &str = "stoa-net 1";
const MAX_HIDDEN: usize = 1024;
const MAX_SECOND: usize = 64;
const MAX_BUCKETS: usize = 16;

/// What a network file says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetHeader {
    /// The game with its options.
    pub game: String,
    /// How many inputs each group has.
    pub inputs: Vec<usize>,
    /// How many values the accumulator has.
    pub hidden: usize,
    /// How many units the second layer has.
    pub second: usize,
    /// For how many phases of the game there are layers after the accumulator.
    pub buckets: usize,
    /// What it adds of the hand-made terms, if it corrects them.
    pub terms: Option<TermsShare>,
    /// How the network was made.
    pub made: String,
    /// The CRC-32 of its numbers.
    pub checksum: u32,
}

/// How a network takes part of its judgement from the hand-made terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermsShare {
    /// How much of the terms' points counts, in parts of [`WHOLE`](TermsShare::WHOLE).
    pub share: i32,
    /// The checksum of the terms' weights.
    pub weights: u32,
}

impl TermsShare {
    /// The share that counts the terms as they are.
    pub const WHOLE: i32 = 1024;

    /// The largest share: no sum of terms overflows with it.
    const MAX: i32 = 4 * TermsShare::WHOLE;

    fn parse(text: &str) -> Option<TermsShare> {
        let (share, weights) = text.split_once(' ')?;
        let share = share.parse().ok().filter(|share| (1..=TermsShare::MAX).contains(share))?;
        Some(TermsShare { share, weights: u32::from_str_radix(weights, 16).ok()? })
    }
}

/// Why a file cannot be used as a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// It is larger than any network.
    #[error(
        "this is not a network file: it has {0} bytes, and no network has more than {MAX_NET_BYTES}"
    )]
    TooLarge(usize),
    /// It does not begin as a network file does.
    #[error("this is not a network file: it does not begin with '{0}'")]
    NotANet(&'static str),
    /// The header does not end, or is not text.
    #[error("the header of this network file is damaged: {0}")]
    Header(&'static str),
    /// A line of the header is missing or wrong.
    #[error("the header of this network file needs a line '{key}: {expected}', found '{found}'")]
    Field {
        /// The name of the line.
        key: &'static str,
        /// What should stand there.
        expected: String,
        /// What stands there, or nothing.
        found: String,
    },
    /// The network is for another game or other options.
    #[error("this network is for {found}, not for {wanted}")]
    OtherGame {
        /// The game that is played.
        wanted: String,
        /// The game of the file.
        found: String,
    },
    /// The engine does not use networks in this game.
    #[error("{0} is not played with a network of this kind")]
    NoNets(String),
    /// The network corrects terms that have other weights today.
    #[error(
        "this network corrects hand-made terms with weights of the checksum {found:08x}, and those of \
         this engine have {wanted:08x}; train it again"
    )]
    OtherWeights {
        /// The checksum of the engine's weights.
        wanted: u32,
        /// The checksum in the file.
        found: u32,
    },
    /// There are fewer or more numbers than the header says.
    #[error(
        "this network file is damaged: it should have {expected} bytes after the header, found {found}"
    )]
    Length {
        /// How many bytes the header asks for.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The numbers are not those that were written.
    #[error(
        "this network file is damaged: its checksum is {found:08x}, and the header says {expected:08x}"
    )]
    Checksum {
        /// What the header says.
        expected: u32,
        /// What the bytes have.
        found: u32,
    },
    /// A sum of weights could overflow.
    #[error("this network cannot be used: its {0} has weights that are too large")]
    Overflow(&'static str),
}

pub(super) fn read<P: Knowledge>(
    bytes: &[u8],
    game: Game,
    options: P::Options,
) -> Result<Net, NetError> {
    let (lines, body) = Header::split(bytes, MAGIC)?;
    let mut header = parse_header::<P>(&lines, game)?;
    let mut numbers = Numbers::new(body);
    let inputs: usize = header.inputs.iter().sum();
    let (hidden, second) = (header.hidden, header.second);
    let head_bytes = second * (2 * hidden + 4 + 4) + 4;
    let expected = 2 * hidden * (inputs + 1) + header.buckets * head_bytes;
    header.checksum = lines.check_numbers(body, expected)?;
    let weights = Weights::of::<P>(options);
    if let Some(terms) = header.terms {
        let (wanted, found) = (weights.checksum::<P>(), terms.weights);
        if wanted != found {
            return Err(NetError::OtherWeights { wanted, found });
        }
    }
    let offsets = header.inputs.iter().scan(0, |sum, width| {
        let offset = *sum;
        *sum += width;
        Some(offset)
    });
    let net = Net {
        offsets: offsets.collect(),
        columns: numbers.i16s(inputs * hidden),
        bias: numbers.i16s(hidden),
        heads: (0..header.buckets)
            .map(|_| Head {
                second: numbers.i16s(second * hidden),
                second_bias: numbers.i32s(second),
                output: numbers.i32s(second),
                output_bias: numbers.i32(),
            })
            .collect(),
        header,
        weights,
    };
    check_sums::<P>(&net)?;
    Ok(net)
}

fn parse_header<P: Knowledge>(header: &Header<'_>, game: Game) -> Result<NetHeader, NetError> {
    let wanted = game.to_string();
    let widths: Vec<usize> = P::NET_INPUTS.iter().map(|&width| usize::from(width)).collect();
    if widths.is_empty() || widths.len() > MAX_INPUT_GROUPS {
        return Err(NetError::NoNets(wanted));
    }
    header.check_game(&wanted)?;
    let words: Vec<String> = widths.iter().map(usize::to_string).collect();
    let words = words.join(" ");
    if header.text("inputs") != words {
        return Err(header.wrong("inputs", words));
    }
    let hidden = header.number("hidden", MAX_HIDDEN)?;
    if !hidden.is_multiple_of(16) {
        return Err(header.wrong("hidden", "a multiple of 16"));
    }
    let buckets = header.number("buckets", MAX_BUCKETS)?;
    if buckets != P::NET_BUCKETS {
        return Err(header.wrong("buckets", P::NET_BUCKETS.to_string()));
    }
    let terms = |text: &str| {
        let expected = || format!("a number from 1 to {} and a checksum", TermsShare::MAX);
        TermsShare::parse(text).ok_or_else(|| header.wrong("terms", expected()))
    };
    Ok(NetHeader {
        game: wanted,
        inputs: widths,
        hidden,
        second: header.number("second", MAX_SECOND)?,
        buckets,
        terms: header.get("terms").map(terms).transpose()?,
        made: header.text("made").to_owned(),
        checksum: 0,
    })
}

/// Whether no sum of a position's inputs can leave the range of its integers.
fn check_sums<P: Knowledge>(net: &Net) -> Result<(), NetError> {
    let hidden = net.hidden();
    for unit in 0..hidden {
        let weights = net.columns.iter().skip(unit).step_by(hidden);
        let largest = weights.map(|&weight| i32::from(weight).abs()).max().unwrap_or(0);
        let bias = i32::from(net.bias[unit]).abs();
        if bias + largest * i32::from(P::NET_MAX_SET) > i32::from(i16::MAX) {
            return Err(NetError::Overflow("first layer"));
        }
    }
    debug_assert!(ACCUMULATOR_ONE < i32::from(i16::MAX));
    for head in &net.heads {
        for (row, &bias) in head.second.chunks_exact(hidden).zip(&head.second_bias) {
            let weights: i64 = row.iter().map(|&weight| i64::from(weight).abs()).sum();
            if weights * i64::from(ACTIVATION_ONE) + i64::from(bias).abs() > i64::from(i32::MAX) {
                return Err(NetError::Overflow("second layer"));
            }
        }
    }
    Ok(())
}
