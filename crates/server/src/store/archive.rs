//! Finished games, and the indexes by which they are found.
//!
//! A row is added in the commit that ends a game and never changes, so a page of a search stays what it is.
//! Whatever is searched for, a page looks through a limited number of games: an index leads to the games with a
//! position, of a player or of one kind, and the rest of the conditions is checked one by one.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use sqlx::Row;

use super::bulk::{self, Bulk};
use super::database::WriterConnection;
use super::games::select_games;
use super::{GameRow, PlayedGame, Store, StoreError};

/// How many games a page of a search looks through.
pub(crate) const MAX_SEARCHED: i64 = 5000;

/// What to search for; empty texts are no condition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ArchiveFilter {
    /// The id of a player.
    pub(crate) player: String,
    /// The id of the other player.
    pub(crate) opponent: String,
    /// The game without its options.
    pub(crate) family: String,
    /// The game with its options.
    pub(crate) game: String,
    /// `clock`, `days` or `unlimited`.
    pub(crate) pace: String,
    /// `first`, `second` or `none`.
    pub(crate) winner: String,
    /// `won` or `lost`, by the player.
    pub(crate) result: String,
    /// When it ended, at the earliest and at the latest.
    pub(crate) since: i64,
    pub(crate) until: i64,
    /// The number of moves, at least and at most.
    pub(crate) min_ply: i64,
    pub(crate) max_ply: i64,
    /// The key of a position that the game came to.
    pub(crate) position: Option<i64>,
    pub(crate) rating: Option<RatingFilter>,
}

/// Which ratings players had when a game counted; casual games have none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RatingFilter {
    /// How many of the two players: one or both.
    pub(crate) players: i64,
    /// At least this, and less than that.
    pub(crate) from: f64,
    pub(crate) below: f64,
}

/// A place in a search: after the game with this id that ended at this time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArchiveCursor {
    pub(crate) ended: i64,
    pub(crate) id: String,
}

impl ArchiveCursor {
    /// Before the first game.
    pub(crate) const START: ArchiveCursor = ArchiveCursor { ended: i64::MAX, id: String::new() };
}

/// The games that a page looks through, by the index that serves it best: with a position, of a player, of a
/// family of games, or all. `$1` is the player, `$2` the family and `$8` the position.
macro_rules! candidates {
    ($scope:literal) => {
        concat!(
            "SELECT * FROM archive WHERE ",
            $scope,
            " AND ended >= $3 AND ended <= $4 AND (ended, id) < ($5, $6) \
             ORDER BY ended DESC, id DESC LIMIT $7"
        )
    };
}

macro_rules! candidates_of_player {
    () => {
        concat!(
            "SELECT * FROM (SELECT * FROM (",
            candidates!("first = $1"),
            ") x UNION ALL SELECT * FROM (",
            candidates!("second = $1"),
            ") y) z ORDER BY ended DESC, id DESC LIMIT $7"
        )
    };
}

macro_rules! candidates_with_position {
    () => {
        "SELECT archive.* FROM (SELECT ended AS at, game AS found FROM archive_positions \
         WHERE position = $8 AND ended >= $3 AND ended <= $4 AND (ended, game) < ($5, $6) \
         ORDER BY ended DESC, game DESC LIMIT $7) p JOIN archive ON archive.id = p.found"
    };
}

/// A page of them.
macro_rules! page {
    ($candidates:expr) => {
        select_games!(
            concat!(
                "(SELECT games.*, s.ended AS archived FROM (",
                $candidates,
                ") s JOIN games ON games.id = s.id WHERE ($2 = '' OR s.family = $2) AND $8 = $8 \
                 AND ($1 = '' OR s.first = $1 OR s.second = $1) \
                 AND ($9 = '' OR s.game = $9) AND ($10 = '' OR s.pace = $10) \
                 AND ($11 = '' OR s.winner = $11) \
                 AND ($12 = '' OR s.winner = CASE WHEN (s.first = $1) = ($12 = 'won') THEN 'first' ELSE 'second' END) \
                 AND ($13 = '' OR s.first = $13 OR s.second = $13) \
                 AND s.ply >= $14 AND s.ply <= $15 \
                 AND ($16 = 0 OR (SELECT COUNT(*) FROM rating_changes c WHERE c.game = s.id \
                 AND c.rating_before >= $17 AND c.rating_before < $18) >= $16) \
                 ORDER BY s.ended DESC, s.id DESC LIMIT $19)"
            ),
            "ORDER BY g.archived DESC, g.id DESC"
        )
    };
}

/// The last of the games that a page looks through, if it has reached its limit.
macro_rules! last {
    ($candidates:expr) => {
        concat!(
            "SELECT ended, id FROM (",
            $candidates,
            ") s WHERE ($1 = $1 AND $2 = $2 AND $8 = $8) ORDER BY ended DESC, id DESC LIMIT 1 OFFSET $9"
        )
    };
}

/// Adds a game that is over, unless it is there already.
pub(super) async fn add(
    connection: &mut WriterConnection,
    game: &str,
    family: &str,
    at: i64,
) -> Result<(), StoreError> {
    let added = sqlx::query(
        "INSERT INTO archive (id, family, game, pace, first, second, winner, ply, ended) \
         SELECT id, $2, game, CASE WHEN control LIKE '{\"kind\":\"clock\"%' THEN 'clock' \
         WHEN control LIKE '{\"kind\":\"days\"%' THEN 'days' ELSE 'unlimited' END, \
         first, second, COALESCE(winner, 'none'), ply, $3 FROM games WHERE id = $1 \
         ON CONFLICT (id) DO NOTHING",
    )
    .bind(game)
    .bind(family)
    .bind(at)
    .execute(&mut *connection)
    .await?;
    if added.rows_affected() > 0 {
        sqlx::query("INSERT INTO uncounted (ended, game) VALUES ($1, $2)")
            .bind(at)
            .bind(game)
            .execute(connection)
            .await?;
    }
    Ok(())
}

static ADD_POSITIONS: LazyLock<Bulk> = LazyLock::new(|| {
    let before = "INSERT INTO archive_positions (position, ended, game) VALUES";
    Bulk::new(before, 3, "ON CONFLICT DO NOTHING")
});

/// Adds games to those that are found by their positions.
pub(super) async fn add_positions(
    connection: &mut WriterConnection,
    games: &[&PlayedGame],
) -> Result<(), StoreError> {
    let rows = games.iter().flat_map(|game| {
        game.positions.iter().map(|&position| (position, game.ended, game.id.as_str()))
    });
    // Every node locks rows in the same order, to avoid deadlocks; and no row is added twice.
    let rows: Vec<(i64, i64, &str)> = rows.collect::<BTreeSet<_>>().into_iter().collect();
    for (text, some) in ADD_POSITIONS.split(&rows, bulk::MAX_ROWS) {
        let mut query = sqlx::query(text);
        for (position, ended, game) in some {
            query = query.bind(*position).bind(*ended).bind((*game).to_owned());
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

impl Store {
    /// A page of a search with the times at which the games ended, and where the next page begins; nothing if
    /// this is the last.
    pub(crate) async fn search(
        &self,
        filter: &ArchiveFilter,
        after: &ArchiveCursor,
        limit: i64,
    ) -> Result<(Vec<(GameRow, i64)>, Option<ArchiveCursor>), StoreError> {
        let (page, last) = match (filter.player.as_str(), filter.family.as_str()) {
            _ if filter.position.is_some() => {
                (page!(candidates_with_position!()), last!(candidates_with_position!()))
            }
            ("", "") => (page!(candidates!("$1 = $1")), last!(candidates!("$1 = $1"))),
            ("", _) => (page!(candidates!("family = $2")), last!(candidates!("family = $2"))),
            _ => (page!(candidates_of_player!()), last!(candidates_of_player!())),
        };
        let position = filter.position.unwrap_or_default();
        let rating =
            filter.rating.unwrap_or(RatingFilter { players: 0, from: f64::MIN, below: f64::MAX });
        let rows = sqlx::query(page)
            .bind(&filter.player)
            .bind(&filter.family)
            .bind(filter.since)
            .bind(filter.until)
            .bind(after.ended)
            .bind(&after.id)
            .bind(MAX_SEARCHED)
            .bind(position)
            .bind(&filter.game)
            .bind(&filter.pace)
            .bind(&filter.winner)
            .bind(&filter.result)
            .bind(&filter.opponent)
            .bind(filter.min_ply)
            .bind(filter.max_ply)
            .bind(rating.players)
            .bind(rating.from)
            .bind(rating.below)
            // One more than the page has, to see whether there is another page.
            .bind(limit + 1)
            .fetch_all(self.database.readers())
            .await?;
        let mut games = rows
            .iter()
            .map(|row| Ok((GameRow::read(row)?, row.try_get("archived")?)))
            .collect::<Result<Vec<(GameRow, i64)>, StoreError>>()?;
        if i64::try_from(games.len()).is_ok_and(|found| found > limit) {
            games.pop();
            let next = games
                .last()
                .map(|(game, ended)| ArchiveCursor { ended: *ended, id: game.id.clone() });
            return Ok((games, next));
        }
        let row = sqlx::query(last)
            .bind(&filter.player)
            .bind(&filter.family)
            .bind(filter.since)
            .bind(filter.until)
            .bind(after.ended)
            .bind(&after.id)
            .bind(MAX_SEARCHED)
            .bind(position)
            .bind(MAX_SEARCHED - 1)
            .fetch_optional(self.database.readers())
            .await?;
        let next = row
            .map(|row| {
                let cursor = ArchiveCursor { ended: row.try_get("ended")?, id: row.try_get("id")? };
                Ok::<_, StoreError>(cursor)
            })
            .transpose()?;
        Ok((games, next))
    }
}
