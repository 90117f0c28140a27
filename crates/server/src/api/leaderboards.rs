//! Handlers for leaderboards.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::Deserialize;
use stoa_wire::{
    ApiError, Contestants, ErrorCode, Leaderboard, LeaderboardEntry, Pace, RatedGame, RatedGameList,
};
use utoipa::IntoParams;

use super::Error;
use super::lists::cut;
use super::parse_game;
use crate::app::AppState;
use crate::ids;
use crate::ratings::Category;
use crate::store::LeaderboardCursor;

/// The page size of a leaderboard.
const PAGE_SIZE: i64 = 50;

/// Everything that can be rated: every game at every pace. Games with options that are rated together are
/// listed once.
#[utoipa::path(get, path = "/api/leaderboards", operation_id = "list_leaderboards", tag = "leaderboards",
    responses((status = 200, body = RatedGameList)))]
pub(crate) async fn list() -> Json<RatedGameList> {
    let rated = |Category { game, pace }| RatedGame { game: game.to_string(), pace };
    Json(RatedGameList { games: Category::all().into_iter().map(rated).collect() })
}

/// Which leaderboard to read.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeaderboardQuery {
    /// The game, with any of its options.
    game: String,
    /// The pace.
    pace: Pace,
    /// Who is in it; people by default.
    #[serde(default)]
    who: Contestants,
    /// Where the page begins: the `next` of the page before. Without it, the first page.
    #[serde(default)]
    cursor: Option<String>,
}

/// The strongest players of a game whose ratings are not provisional, in pages of 50.
#[utoipa::path(get, path = "/api/leaderboard", operation_id = "show_leaderboard", tag = "leaderboards",
    params(LeaderboardQuery),
    responses((status = 200, body = Leaderboard), (status = 400, body = ApiError)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    query: Result<Query<LeaderboardQuery>, QueryRejection>,
) -> Result<Json<Leaderboard>, Error> {
    let Query(LeaderboardQuery { game, pace, who, cursor }) = query?;
    let category = Category { game: parse_game(&game)?.rated_as(), pace };
    let after = match cursor.as_deref() {
        None => LeaderboardCursor::START,
        Some(text) => parse_cursor(text).ok_or_else(|| {
            Error::new(ErrorCode::BadRequest, "the cursor is not the `next` of a leaderboard")
        })?,
    };
    let now = app.time.now();
    let mut rows = app.store.leaderboard(category, who, &after, now, PAGE_SIZE + 1).await?;
    let is_last = cut(&mut rows, PAGE_SIZE);
    let next = rows.last().filter(|_| !is_last).map(|row| {
        let bits = row.standing.strength.rating.to_bits();
        format!("{}-{bits:x}-{}", after.places + PAGE_SIZE, row.player.id)
    });
    let entries = rows.into_iter().zip(after.places + 1..).map(|(row, place)| {
        let mut player = row.player;
        player.rating = Some(row.standing.rating_at(now));
        let standing = row.standing;
        let games = standing.wins + standing.losses + standing.draws;
        LeaderboardEntry { place, player, games }
    });
    Ok(Json(Leaderboard { entries: entries.collect(), next }))
}

/// The rating is there to the last bit, so that nobody is listed twice or left out.
fn parse_cursor(text: &str) -> Option<LeaderboardCursor> {
    let mut parts = text.splitn(3, '-');
    let places: i64 = parts.next()?.parse().ok()?;
    let rating = f64::from_bits(u64::from_str_radix(parts.next()?, 16).ok()?);
    let player = parts.next().filter(|id| ids::is_id(id))?.to_owned();
    let is_valid = places >= 0 && rating.is_finite();
    is_valid.then_some(LeaderboardCursor { places, rating, player })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_read_strictly() {
        let cursor = parse_cursor(&format!("50-{:x}-stoa-3", 1512.25_f64.to_bits())).unwrap();
        assert_eq!((cursor.places, cursor.rating, cursor.player.as_str()), (50, 1512.25, "stoa-3"));
        for text in ["", "50", "50-x-a", "-1-0-a", "50-0-a b", "50-7ff8000000000000-a"] {
            assert!(parse_cursor(text).is_none(), "{text}");
        }
    }
}
