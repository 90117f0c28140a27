//! Ratings, leaderboards and profiles.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Player, PuzzleScore, TimeControl, display_as_word};

/// How fast a game is played. Each pace has ratings of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// With clocks.
    Live,
    /// With days for each move.
    Correspondence,
}

display_as_word!(Pace);

impl Pace {
    /// Both.
    pub const ALL: [Pace; 2] = [Pace::Live, Pace::Correspondence];

    /// The pace of a time control. Games without a time limit have none, and are not rated: the losing player
    /// could stop moving.
    pub fn of(control: TimeControl) -> Option<Pace> {
        match control {
            TimeControl::Clock { .. } => Some(Pace::Live),
            TimeControl::Days { .. } => Some(Pace::Correspondence),
            TimeControl::Unlimited => None,
        }
    }
}

/// How strong a player is in one kind of game (Glicko-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Rating {
    /// The rating; everyone begins with 1500.
    #[cfg_attr(feature = "schema", schema(example = 1643))]
    pub value: i32,
    /// Whether it is known only roughly: the deviation is above 110, because of too few games or a long
    /// absence.
    pub provisional: bool,
}

/// What a game did to the rating of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatingChange {
    /// The rating before the game.
    pub before: i32,
    /// The rating after it.
    pub after: i32,
    /// Whether the rating after it is provisional.
    pub provisional: bool,
}

/// A rating of a player, with what it is for and what it is based on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PlayerRating {
    /// The game with the option that stands for all those that are rated together: `palisade:9` is for
    /// boards of 9 and 11.
    #[cfg_attr(feature = "schema", schema(example = "palisade:9"))]
    pub game: String,
    /// The pace.
    pub pace: Pace,
    /// The rating.
    #[serde(flatten)]
    pub rating: Rating,
    /// How uncertain it is now: the true strength is within twice this with a probability of 95 %.
    pub deviation: i32,
    /// Rated games won.
    pub wins: i64,
    /// Rated games lost.
    pub losses: i64,
    /// Rated games drawn.
    pub draws: i64,
    /// When the last of them ended.
    pub at: i64,
}

/// A player as their page shows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Profile {
    /// The player.
    pub player: Player,
    /// What identifies the player in the URL of their page: the name to sign in with, or the id.
    #[cfg_attr(feature = "schema", schema(example = "zeno"))]
    pub handle: String,
    /// When they first came here.
    pub created: i64,
    /// When they were last online, to the hour; null if they hide it.
    #[cfg_attr(feature = "schema", schema(required))]
    pub seen: Option<i64>,
    /// Whether they are online now; false if they hide it.
    pub here: bool,
    /// Their ratings, by game and pace.
    pub ratings: Vec<PlayerRating>,
    /// Puzzles that they have solved, by game; games without any are left out.
    pub puzzles: Vec<PuzzleScore>,
    /// Whether you follow them.
    pub following: bool,
    /// Whether you have blocked them.
    pub blocked: bool,
}

/// One game in the history of a rating.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatingPoint {
    /// The id of the game.
    pub game: String,
    /// When it ended.
    pub at: i64,
    /// The rating after it.
    pub value: i32,
    /// The deviation after it.
    pub deviation: i32,
}

/// The history of a rating.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatingHistory {
    /// The games that counted, the latest first.
    pub points: Vec<RatingPoint>,
    /// The `cursor` of the next page; null if this is the last.
    #[cfg_attr(feature = "schema", schema(required))]
    pub next: Option<String>,
}

/// How often a player has won, lost and drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Score {
    /// Games won.
    pub wins: i64,
    /// Games lost.
    pub losses: i64,
    /// Games drawn.
    pub draws: i64,
}

/// Results in one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ResultsInGame {
    /// The game with the option that stands for all those that are rated together.
    pub game: String,
    /// The results.
    #[serde(flatten)]
    pub score: Score,
}

/// Results against one opponent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ResultsAgainst {
    /// The opponent.
    pub opponent: Player,
    /// The results.
    #[serde(flatten)]
    pub score: Score,
}

/// What a player has achieved, rated or not, in their latest games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Results {
    /// How many games were counted: the latest, at most 2,000.
    pub counted: usize,
    /// Whether these are all there are.
    pub complete: bool,
    /// By game, the most played first.
    pub games: Vec<ResultsInGame>,
    /// By opponent, the most frequent first, at most 50.
    pub opponents: Vec<ResultsAgainst>,
}

/// Who is in a leaderboard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Contestants {
    /// People with an account.
    #[default]
    People,
    /// Bots and the levels of the server's engine.
    Bots,
}

/// What can be rated: a game, with the option that stands for all those that are rated together, at a pace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatedGame {
    /// The game.
    #[cfg_attr(feature = "schema", schema(example = "palisade:9"))]
    pub game: String,
    /// The pace.
    pub pace: Pace,
}

/// Everything that can be rated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RatedGameList {
    /// Every game at every pace.
    pub games: Vec<RatedGame>,
}

/// A player in a leaderboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct LeaderboardEntry {
    /// The place, beginning with 1.
    pub place: i64,
    /// The player, with their rating.
    pub player: Player,
    /// How many rated games it is based on.
    pub games: i64,
}

/// The strongest players of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Leaderboard {
    /// Those whose rating is not provisional, the strongest first.
    pub entries: Vec<LeaderboardEntry>,
    /// The `cursor` of the next page; null if this is the last.
    #[cfg_attr(feature = "schema", schema(required))]
    pub next: Option<String>,
}

/// A player whom you follow or have blocked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Acquaintance {
    /// The player.
    pub player: Player,
    /// Whether they are online now; false if they hide it, and for those you have blocked.
    pub here: bool,
}

/// The people whom you follow or have blocked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AcquaintanceList {
    /// Those whom you follow, those who are online first.
    pub following: Vec<Acquaintance>,
    /// Those whom you have blocked.
    pub blocked: Vec<Acquaintance>,
}

/// What others may see of you.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Privacy {
    /// Whether others see when you were last online, and whether you are online now.
    pub show_presence: bool,
}
