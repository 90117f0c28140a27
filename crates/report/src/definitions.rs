//! What each figure means, in a sentence.

use crate::facts::{AHEAD, DECIDED, FAR_BEHIND};
use crate::figures::AS_GOOD;
use crate::play::{JUDGED_MOVES, VARIED_LINES, VARIED_LOSS, VARIED_TURNS};

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// The meanings of all figures.
pub fn all() -> Vec<String> {
    vec![
        format!(
            "**Games.** The engine plays against itself with a fixed number of positions (playouts, for \
             a tree search) a move; each of the first {VARIED_TURNS} turns is chosen at random among up to \
             {VARIED_LINES} moves that cost at most {} of the chance of winning.",
            percent(VARIED_LOSS)
        ),
        "**Error.** `56 ± 2 %` means that the true figure lies within 2 of 56 with a probability of \
         95 %: Wilson's interval for shares, the normal one for means, that of the pairs of games for Elo."
            .to_owned(),
        "**First player's score**: the share of points of the player who moves first, a draw counting \
         half."
            .to_owned(),
        "**Draws, stalls**: the share of games without a winner; of games that ended because of too many \
         turns without progress."
            .to_owned(),
        "**Turns**: the turns of both players until the game is over.".to_owned(),
        "**Legal moves** (branching): the mean number of legal moves of a turn, over the turns of a game \
         and then over the games."
            .to_owned(),
        format!(
            "**Lead changes**: how often a side has a chance of winning of at least {} after the other \
             one last had.",
            percent(AHEAD)
        ),
        format!(
            "**Decided at**: the part of a game that is over when the winner's chance rises to {} and \
             stays there; what is left are the turns after it.",
            percent(DECIDED)
        ),
        format!(
            "**Comebacks** (drama): the share of decisive games whose winner had a chance of at most {} at \
             some time.",
            percent(FAR_BEHIND)
        ),
        format!(
            "**Behind at half-time**: how often a side wins whose opponent had a chance of at least {} in \
             the middle of the game.",
            percent(AHEAD)
        ),
        "**Depth**: what thinking twice as much is worth, in Elo, from pairs of games with the same \
         opening and sides swapped."
            .to_owned(),
        format!(
            "**Moves that matter**: in one position of each game the moves (the one played and up to \
             {JUDGED_MOVES} others, which stand for the rest) are searched one by one; as good as the best \
             are those that cost at most {} of the chance of winning.",
            percent(AS_GOOD)
        ),
        "**Rules**: in how many turns of a game a rule comes into play, and in what share of the games it \
         does at all."
            .to_owned(),
        "**Openings**: the first player's score in games that begin with a move; the survey's chances are \
         the search's opinion before anything was played."
            .to_owned(),
        "**Pie rule**: one player makes the first move, the other chooses a side; the moves named are \
         those whose score is nearest to even."
            .to_owned(),
        "**Use of the board**: the share of turns whose move names a cell.".to_owned(),
        "**Symmetric positions**: how many positions from the start on look the same after some turn, \
         reflection or exchange of colours."
            .to_owned(),
        "**Chances** are those that the engine's search gives, at the strength of the players.".to_owned(),
    ]
}
