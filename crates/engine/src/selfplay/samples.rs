//! Rows for training: what the network sees of each position, and the result.
//!
//! A file begins with a line of text, padded with spaces to [`HEADER_BYTES`]:
//! `stoa-samples 3 game=ID inputs=64,64 max-set=24 buckets=1 weights=1c291ca3`, where `max-set` is the most inputs that
//! a position sets, and `weights` the checksum of the hand-made terms' weights. Each row has a word of eight bytes for every group of inputs and
//! then, little-endian: the number of the game (4 bytes), the score of the search for the player to
//! move (2), what the hand-made terms say of the position, for the player to move (2), the phase
//! of the game (1), and the result for the player to move (1): 0 lost, 1 drawn, 2 won, 3 if the
//! position was never played.

use std::io::{self, Write};

use stoa_rules::Game;
use stoa_rules::playout::Rng;

use super::file::PlayedGame;
use crate::games::{KnowledgeVisitor, visit};
use crate::net::MAX_INPUT_GROUPS;
use crate::{Evaluator, Knowledge, Score, Weights};

/// How long the header of a file of samples is.
pub const HEADER_BYTES: usize = 256;

/// The game has moves that the file's game does not have.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The samples cannot be written.
    #[error("cannot write the samples: {0}")]
    Io(#[from] io::Error),
    /// The engine does not use networks in this game.
    #[error("no network for {0} learns from samples")]
    NoNets(Game),
    /// A game does not follow the rules.
    #[error("game {0} has a move that is not there; was it played by other rules?")]
    NoSuchMove(u32),
}

/// Writes the header.
pub fn write_header(game: Game, to: &mut impl Write) -> Result<(), SampleError> {
    struct Shape;
    impl KnowledgeVisitor for Shape {
        type Output = (Vec<String>, u16, usize, u32);
        fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
            let inputs = P::NET_INPUTS.iter().map(u8::to_string).collect();
            (inputs, P::NET_MAX_SET, P::NET_BUCKETS, Weights::of::<P>(options).checksum::<P>())
        }
    }
    let (inputs, max_set, buckets, weights) = visit(game, Shape);
    if inputs.is_empty() {
        return Err(SampleError::NoNets(game));
    }
    let inputs = inputs.join(",");
    let text = format!(
        "stoa-samples 3 game={game} inputs={inputs} max-set={max_set} buckets={buckets} weights={weights:08x}"
    );
    writeln!(to, "{text:<width$}", width = HEADER_BYTES - 1)?;
    Ok(())
}

/// Writes the rows of a game's positions, each seen through a random symmetry of the board, and
/// tells how many there are.
pub fn write_samples(
    game: Game,
    played: &PlayedGame,
    to: &mut dyn Write,
) -> Result<usize, SampleError> {
    struct Rows<'a>(&'a PlayedGame, &'a mut dyn Write);
    impl KnowledgeVisitor for Rows<'_> {
        type Output = Result<usize, SampleError>;
        fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
            rows::<P>(options, self.0, self.1)
        }
    }
    visit(game, Rows(played, to))
}

fn rows<P: Knowledge>(
    options: P::Options,
    played: &PlayedGame,
    to: &mut dyn Write,
) -> Result<usize, SampleError> {
    let missing = || SampleError::NoSuchMove(played.number);
    let mut rng = Rng::for_game(0x5a3b_1e50, played.number.into());
    let weights = Weights::of::<P>(options);
    let mut position = P::start(options);
    let mut asides = played.asides.iter().peekable();
    let mut written = 0;
    for (number, turn) in played.turns.iter().enumerate() {
        if let Some(score) = turn.score {
            let result = match played.winner {
                None => 1,
                Some(winner) if winner == position.side_to_move() => 2,
                Some(_) => 0,
            };
            row(&position, &weights, played.number, [score, result], &mut rng, to)?;
            written += 1;
        }
        while let Some(aside) = asides.next_if(|aside| usize::from(aside.turn) == number) {
            let mut after = position.clone();
            after.play_unchecked(position.nth_move(aside.mv.into()).ok_or_else(missing)?);
            row(&after, &weights, played.number, [aside.score, 3], &mut rng, to)?;
            written += 1;
        }
        if turn.score.is_some_and(|score| Score::from_raw(score).is_proven()) {
            break;
        }
        position.play_unchecked(position.nth_move(turn.mv.into()).ok_or_else(missing)?);
    }
    Ok(written)
}

fn row<P: Knowledge>(
    position: &P,
    weights: &Weights,
    game: u32,
    [score, result]: [i16; 2],
    rng: &mut Rng,
    to: &mut dyn Write,
) -> io::Result<()> {
    let seen = position.transform(rng.below(position.symmetries()));
    let mut inputs = [0; MAX_INPUT_GROUPS];
    seen.net_inputs(&mut inputs);
    for word in &inputs[..P::NET_INPUTS.len()] {
        to.write_all(&word.to_le_bytes())?;
    }
    to.write_all(&game.to_le_bytes())?;
    to.write_all(&score.to_le_bytes())?;
    let terms = weights.evaluate(&seen, &mut ());
    to.write_all(&(terms.clamp(i16::MIN.into(), i16::MAX.into()) as i16).to_le_bytes())?;
    to.write_all(&[seen.net_bucket() as u8, result as u8])
}
