//! Certificates: the winner's reply to everything, in a form that [`stoa_verify`] checks.

use std::collections::HashSet;
use std::fmt::Write as _;

use stoa_rules::AnyPosition;
use stoa_verify::{DIGITS, TITLE, checksum, digits_for, sorted_moves};

use crate::Verdict;

/// How long a line of replies is.
const LINE: usize = 100;

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum NoCertificate<E> {
    /// Nobody wins.
    #[error("nobody wins {0}")]
    Drawn(String),
    /// A position whose value is not known.
    #[error("the value of {0} is not known")]
    Unknown(String),
    /// There are more moves than replies can tell apart.
    #[error("{0} has too many moves for a certificate")]
    TooManyMoves(String),
    /// The value could not be found out.
    #[error(transparent)]
    Failed(#[from] E),
}

/// Writes the certificate of a position, given the value of every position that
/// comes up. Of the winning replies it takes those that need the fewest others.
pub fn certify<E>(
    start: &AnyPosition,
    mut value: impl FnMut(&AnyPosition) -> Result<Option<Verdict>, E>,
) -> Result<String, NoCertificate<E>> {
    let claim = match value(start)? {
        Some(Verdict::Draw) => return Err(NoCertificate::Drawn(start.text())),
        Some(verdict) => verdict,
        None => return Err(NoCertificate::Unknown(start.text())),
    };
    let mut replies = String::new();
    let mut met = HashSet::new();
    let mut waiting = Vec::new();
    let mut answer = |position: &AnyPosition, waiting: &mut Vec<AnyPosition>| {
        let moves = sorted_moves(position);
        let mut best: Option<((bool, usize), usize, AnyPosition)> = None;
        for (place, mv) in moves.iter().enumerate() {
            let after = played(position, mv);
            let over = after.outcome();
            let wins = match over {
                Some(outcome) => outcome.winner == Some(position.side_to_move()),
                None => value(&after)? == Some(Verdict::Loss),
            };
            if wins {
                // What has been met costs nothing; else each move of the loser wants a reply.
                let known = over.is_some() || met.contains(&after.text());
                let cost = (!known, if known { 0 } else { after.count_moves() });
                if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                    best = Some((cost, place, after));
                }
            }
        }
        let Some((_, place, after)) = best else {
            return Err(NoCertificate::Unknown(position.text()));
        };
        match digits_for(moves.len()) {
            1 => replies.push(char::from(DIGITS[place])),
            _ if moves.len() > DIGITS.len() * DIGITS.len() => {
                return Err(NoCertificate::TooManyMoves(position.text()));
            }
            _ => {
                replies.push(char::from(DIGITS[place / DIGITS.len()]));
                replies.push(char::from(DIGITS[place % DIGITS.len()]));
            }
        }
        if after.outcome().is_none() && met.insert(after.text()) {
            waiting.push(after);
        }
        Ok(())
    };
    if start.outcome().is_none() {
        match claim {
            Verdict::Win => answer(start, &mut waiting)?,
            _ => waiting.push(start.clone()),
        }
    }
    while let Some(position) = waiting.pop() {
        for mv in sorted_moves(&position) {
            let after = played(&position, &mv);
            if after.outcome().is_none() {
                answer(&after, &mut waiting)?;
            }
        }
    }
    let game = start.game();
    let mut text = format!("{TITLE}\ngame: {game}\nposition: {}\nclaim: {claim}\n\n", start.text());
    for line in replies.as_bytes().chunks(LINE) {
        text.extend(line.iter().map(|&digit| char::from(digit)));
        text.push('\n');
    }
    let sum = checksum(&text);
    // Writing to a string does not fail.
    let _ = writeln!(text, "checksum: {sum:016x}");
    Ok(text)
}

/// The position after one of its legal moves.
fn played(position: &AnyPosition, mv: &str) -> AnyPosition {
    let mut after = position.clone();
    // A move from the list of legal ones is legal.
    let _ = after.play(mv);
    after
}
