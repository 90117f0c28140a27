//! Checks certificates. A certificate proves who wins a position by giving the winner's reply to
//! everything the loser can do. The checker plays it all through with the rules of the game, and
//! uses nothing else.
//!
//! A certificate is a text: a first line, the game, the position, whether the player to move wins
//! or loses, the replies, and a checksum of everything before it.
//!
//! ```text
//! stoa certificate 1
//! game: colonnade
//! position: -/-/-/r/r/-/-/- r
//! claim: win
//!
//! 0
//! checksum: 3d1d2f4a5c0e7b99
//! ```
//!
//! A reply is a place in the list of the winner's legal moves, sorted by their text and counted
//! from 0, written with the digits `0-9a-zA-Z`: one digit if there are at most 62 moves, else two.
//! The replies come in the order in which they are needed here: the position looked at next is
//! always the newest that has not been looked at, and the loser's moves are tried in the order of
//! their text. A position that comes up again needs no second look.

use std::collections::HashSet;

use stoa_rules::{AnyPosition, Game, Side};

/// How a certificate begins.
pub const TITLE: &str = "stoa certificate 1";

/// The digits of replies.
pub const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// What a certificate proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The position.
    pub position: AnyPosition,
    /// Who wins it.
    pub winner: Side,
    /// How many positions the loser can come to.
    pub positions: usize,
    /// How many replies the winner needs.
    pub replies: usize,
}

/// Why a text proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(String);

fn refuse<T>(why: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(why.into()))
}

/// Checks a certificate.
pub fn verify(text: &str) -> Result<Proof, Refused> {
    let Some((body, sum)) = text.rsplit_once("checksum: ") else {
        return refuse("there is no checksum, so this is not a whole certificate");
    };
    if sum.trim_end() != format!("{:016x}", checksum(body)) {
        return refuse("the checksum is wrong: the text is not as it was written");
    }
    let mut lines = body.lines();
    if lines.next() != Some(TITLE) {
        return refuse(format!("the first line is not '{TITLE}'"));
    }
    let mut field = |name: &str| match lines.next().and_then(|line| line.strip_prefix(name)) {
        Some(value) => Ok(value.to_owned()),
        None => refuse(format!("there is no line '{name}…' where it should be")),
    };
    let game: Game = match field("game: ")?.parse() {
        Ok(game) => game,
        Err(error) => return refuse(format!("{error}")),
    };
    let start = match game.position(&field("position: ")?) {
        Ok(position) => position,
        Err(error) => return refuse(format!("the position is not sound: {error}")),
    };
    let mover = start.side_to_move();
    let winner = match field("claim: ")?.as_str() {
        "win" => mover,
        "loss" => mover.other(),
        _ => return refuse("the claim is neither 'win' nor 'loss'"),
    };
    let mut digits = lines.flat_map(str::bytes);
    let mut replies = 0;
    let mut reply = |position: &AnyPosition| {
        replies += 1;
        let moves = sorted_moves(position);
        let mut place = 0;
        for _ in 0..digits_for(moves.len()) {
            let digit = digits.next().and_then(|digit| DIGITS.iter().position(|d| *d == digit));
            let Some(digit) = digit else {
                return refuse(format!("reply {replies} is missing, in {}", position.text()));
            };
            place = place * DIGITS.len() + digit;
        }
        match moves.get(place) {
            Some(mv) => played(position, mv),
            None => refuse(format!("reply {replies} is not a move, in {}", position.text())),
        }
    };

    // Positions with the loser to move that have not been looked at, and all that were ever met.
    let mut waiting = Vec::new();
    let mut met = HashSet::new();
    if !is_won(&start, winner)? {
        let first = if mover == winner { reply(&start)? } else { start.clone() };
        if !is_won(&first, winner)? {
            met.insert(first.text());
            waiting.push(first);
        }
    }
    while let Some(position) = waiting.pop() {
        for mv in sorted_moves(&position) {
            let after = played(&position, &mv)?;
            if is_won(&after, winner)? {
                continue;
            }
            let after = reply(&after)?;
            if !is_won(&after, winner)? && met.insert(after.text()) {
                waiting.push(after);
            }
        }
    }
    if digits.next().is_some() {
        return refuse("there are more replies than are needed");
    }
    Ok(Proof { position: start, winner, positions: met.len(), replies })
}

/// Whether the game is over and won; it must not be over otherwise, nor without moves.
fn is_won(position: &AnyPosition, winner: Side) -> Result<bool, Refused> {
    match position.outcome() {
        Some(outcome) if outcome.winner == Some(winner) => Ok(true),
        Some(_) => refuse(format!("the claimed winner has not won {}", position.text())),
        None if position.count_moves() > 0 => Ok(false),
        None => refuse(format!("the game does not go on from {}", position.text())),
    }
}

/// The position after a move. The rules bound the length of a game; the bound must fall with every
/// move, so that no strategy can win by going round in circles.
fn played(position: &AnyPosition, mv: &str) -> Result<AnyPosition, Refused> {
    let mut after = position.clone();
    match after.play(mv) {
        Err(error) => refuse(format!("{mv} is not legal in {}: {error}", position.text())),
        Ok(_) if after.turns_left_at_most() >= position.turns_left_at_most() => refuse(format!(
            "the game does not come nearer to its end by {mv} in {}",
            position.text()
        )),
        Ok(_) => Ok(after),
    }
}

/// The legal moves in the order that replies count in.
pub fn sorted_moves(position: &AnyPosition) -> Vec<String> {
    let mut moves = position.legal_moves();
    moves.sort();
    moves
}

/// How many digits a reply takes where there are this many moves.
pub fn digits_for(moves: usize) -> usize {
    if moves <= DIGITS.len() { 1 } else { 2 }
}

/// The checksum of a text (FNV-1a, 64 bits): against damage, not against forgery, which the play
/// itself finds out.
pub fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
