//! What a position is worth, always from the point of view of the player to move.

use std::fmt;
use std::ops::Neg;

/// The value of a position for the player to move.
///
/// An ordinary score is counted in points of which 400 mean winning ten games out of eleven, as in
/// Elo ratings; see [`Score::win_probability`]. A *proven* score says that the game is won or lost
/// whatever the opponent does, and how many turns it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(as = "Parts"))]
pub struct Score(i32);

/// The score of a game that has been won; a win in `n` turns is worth `n` less.
pub(crate) const WIN: i32 = 30_000;

/// Scores from here on are proven wins.
pub(crate) const PROVEN: i32 = 20_000;

/// The largest evaluation that is not proven.
pub(crate) const MAX_EVALUATION: i32 = 15_000;

/// More than any score.
pub(crate) const INFINITE: i32 = 32_000;

/// What a logit of 1.0 is worth in points.
pub(crate) const POINTS_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

impl Score {
    /// How many points mean winning ten games out of eleven.
    pub(crate) const TEN_TO_ONE: i32 = 400;

    /// Neither side is better; also the value of a draw.
    pub const EVEN: Score = Score(0);

    /// The score of a bare number, as [`raw`](Score::raw) gives it.
    pub fn from_raw(raw: i16) -> Score {
        Score(raw.into())
    }

    pub(crate) const fn new(points: i32) -> Score {
        Score(points)
    }

    /// An ordinary score of this many points.
    pub const fn points(points: i32) -> Score {
        let capped = if points < MAX_EVALUATION { points } else { MAX_EVALUATION };
        Score(if capped > -MAX_EVALUATION { capped } else { -MAX_EVALUATION })
    }

    /// A proven win in this many turns of both players.
    pub const fn win_in(turns: u32) -> Score {
        let max = (WIN - PROVEN) as u32;
        Score(WIN - if turns < max { turns as i32 } else { max as i32 })
    }

    /// A proven loss in this many turns of both players.
    pub const fn loss_in(turns: u32) -> Score {
        Score(-Score::win_in(turns).0)
    }

    /// The bare number: points, or a large one for a proven result.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Whether the game is proven to be won or lost.
    pub const fn is_proven(self) -> bool {
        self.0 >= PROVEN || self.0 <= -PROVEN
    }

    /// Whether the player to move is proven to win.
    pub const fn is_win(self) -> bool {
        self.0 >= PROVEN
    }

    /// Whether the player to move is proven to lose.
    pub const fn is_loss(self) -> bool {
        self.0 <= -PROVEN
    }

    /// How many turns a proven result takes at most, if the winner plays as the search has seen.
    pub const fn turns(self) -> Option<u32> {
        if self.is_proven() { Some((WIN - self.0.abs()) as u32) } else { None }
    }

    /// The same as an opinion: what is proven becomes the highest or lowest of ordinary scores, in
    /// the same order. For searches that have not looked at every move.
    pub(crate) fn unproven(self) -> Score {
        match self.turns() {
            None => self,
            Some(turns) => {
                let points = MAX_EVALUATION - turns.min(MAX_EVALUATION as u32) as i32;
                Score(if self.is_win() { points } else { -points })
            }
        }
    }

    /// The same when `ten_to_one` points, not 400, have meant ten games to one until now.
    pub(crate) fn scaled(self, ten_to_one: i32) -> Score {
        match self.is_proven() {
            true => self,
            false => Score::points(self.0.saturating_mul(Score::TEN_TO_ONE) / ten_to_one.max(1)),
        }
    }

    /// The probability with which the player to move wins; a draw counts half.
    pub fn win_probability(self) -> f64 {
        if self.is_win() {
            1.0
        } else if self.is_loss() {
            0.0
        } else {
            1.0 / (1.0 + 10f64.powf(-f64::from(self.0) / f64::from(Score::TEN_TO_ONE)))
        }
    }

    /// The ordinary score of a probability of winning.
    pub fn from_probability(probability: f64) -> Score {
        let p = probability.clamp(1e-6, 1.0 - 1e-6);
        let points = f64::from(Score::TEN_TO_ONE) * (p / (1.0 - p)).log10();
        Score::points(points.round() as i32)
    }
}

/// How many points of a game's evaluations mean winning ten games out of eleven.
///
/// An evaluation counts in points of its own, to which the search is tuned; what it reports is scaled so
/// that 400 points keep their promise. `stoa match` measures how well they do: in games between equal
/// players, `scores of A` should be about 400. The measurements are in docs/strength.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TenToOne {
    /// With a network.
    pub net: i32,
    /// With the hand-made terms.
    pub terms: i32,
}

impl Default for TenToOne {
    fn default() -> TenToOne {
        TenToOne { net: Score::TEN_TO_ONE, terms: Score::TEN_TO_ONE }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Points with a sign, such as `+35`; `win in 7` and `loss in 4` for proven results.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turns() {
            None => write!(f, "{:+}", self.0),
            Some(turns) if self.is_win() => write!(f, "win in {turns}"),
            Some(turns) => write!(f, "loss in {turns}"),
        }
    }
}

/// A [`Score`] as programs read it.
#[cfg(feature = "serde")]
#[derive(serde::Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Score"))]
struct Parts {
    /// 400 are ten to one; none if the result is proven.
    points: Option<i32>,
    /// From 0 to 1.
    win_probability: f64,
    /// A result that is certain.
    proven: Option<Proven>,
    /// After how many turns a proven result comes.
    turns: Option<u32>,
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
enum Proven {
    Win,
    Loss,
}

#[cfg(feature = "serde")]
impl serde::Serialize for Score {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let proven =
            if self.is_win() { Some(Proven::Win) } else { self.is_loss().then_some(Proven::Loss) };
        let points = (!self.is_proven()).then_some(self.0);
        let turns = self.turns();
        Parts { points, win_probability: self.win_probability(), proven, turns }
            .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_scores_give_their_turns() {
        assert_eq!(Score::win_in(7).turns(), Some(7));
        assert_eq!(Score::loss_in(4).to_string(), "loss in 4");
        assert_eq!(-Score::win_in(7), Score::loss_in(7));
        assert!(Score::win_in(3) > Score::win_in(5));
        assert!(Score::loss_in(3) < Score::loss_in(5));
        assert!(Score::win_in(1_000_000).is_win());
        assert_eq!(Score::points(99_999).turns(), None);
    }

    #[test]
    fn opinions_keep_their_order() {
        let proven = [Score::win_in(3), Score::win_in(5), Score::loss_in(5), Score::loss_in(3)];
        let opinions = proven.map(Score::unproven);
        assert!(opinions.iter().all(|score| !score.is_proven()), "{opinions:?}");
        assert!(opinions.is_sorted_by(|a, b| a > b), "{opinions:?}");
        assert_eq!(Score::points(-35).unproven(), Score::points(-35));
        assert!(Score::win_in(u32::MAX).unproven().win_probability() > 0.999);
    }

    #[test]
    fn scaling_keeps_proofs_and_signs() {
        assert_eq!(Score::points(143).scaled(143), Score::points(400));
        assert_eq!(Score::points(-50).scaled(200), Score::points(-100));
        assert_eq!(Score::win_in(7).scaled(143), Score::win_in(7));
        assert_eq!(Score::points(14_000).scaled(100), Score::points(MAX_EVALUATION));
        assert!(!Score::points(-14_000).scaled(100).is_proven());
    }

    #[test]
    fn four_hundred_points_are_ten_to_one() {
        assert!((Score::points(400).win_probability() - 10.0 / 11.0).abs() < 1e-9);
        assert_eq!(Score::from_probability(10.0 / 11.0), Score::points(400));
        assert_eq!(Score::EVEN.win_probability(), 0.5);
        assert_eq!(Score::points(-35).to_string(), "-35");
    }
}
