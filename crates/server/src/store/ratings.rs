//! Ratings: counting games that have ended, and reading the results.
//!
//! Games count one after the other: the node that counts holds the row of `rating_order`. What a game does and
//! that it has counted are one transaction, so no game counts twice or halfway.

use std::sync::LazyLock;

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_rules::Side;
use stoa_wire::{Contestants, PlayerKind, RatingChange};

use super::bulk::{self, Bulk};
use super::database::{WriteTransaction, WriterConnection};
use super::rows::{Word, optional_word, player};
use super::{Store, StoreError};
use crate::ratings::{Category, Standing, Strength};

/// A game that has counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CountedGame {
    pub(crate) id: String,
    pub(crate) changes: [RatingChange; 2],
}

/// A finished game, as far as it matters for ratings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FinishedGame {
    pub(super) id: String,
    pub(super) category: String,
    pub(super) players: [String; 2],
    pub(super) winner: Option<Side>,
    pub(super) ended: i64,
}

/// A place in a leaderboard: after the player with this rating and id.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LeaderboardCursor {
    /// How many are before it.
    pub(crate) places: i64,
    pub(crate) rating: f64,
    pub(crate) player: String,
}

impl LeaderboardCursor {
    /// Before the first player.
    pub(crate) const START: LeaderboardCursor =
        LeaderboardCursor { places: 0, rating: f64::MAX, player: String::new() };
}

/// A player in a leaderboard.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LeaderboardRow {
    pub(crate) player: stoa_wire::Player,
    pub(crate) standing: Standing,
}

/// One game in the history of a rating.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HistoryRow {
    pub(crate) game: String,
    pub(crate) counted: i64,
    pub(crate) category: String,
    pub(crate) at: i64,
    pub(crate) rating: f64,
    pub(crate) deviation: f64,
}

impl Store {
    /// Whether there are games that have ended and not counted yet.
    pub(crate) async fn has_uncounted_games(&self) -> Result<bool, StoreError> {
        let row = sqlx::query(
            "SELECT id FROM games \
             WHERE rated = 1 AND status = 'over' AND ply >= 2 AND counted IS NULL LIMIT 1",
        )
        .fetch_optional(self.database.readers())
        .await?;
        Ok(row.is_some())
    }

    /// Counts games that have ended, in the order in which they did, and so many at most.
    pub(crate) async fn count_games(&self, limit: i64) -> Result<Vec<CountedGame>, StoreError> {
        count_games(self.database.write_behind().await?, limit).await
    }

    /// The ratings of a player, by category.
    pub(crate) async fn ratings_of(
        &self,
        player: &str,
    ) -> Result<Vec<(Category, Standing)>, StoreError> {
        let rows = sqlx::query("SELECT * FROM ratings WHERE player = $1 ORDER BY category")
            .bind(player)
            .fetch_all(self.database.readers())
            .await?;
        let mut ratings = Vec::with_capacity(rows.len());
        for row in &rows {
            let category: String = row.try_get("category")?;
            ratings.push((category.parse().map_err(StoreError::Corrupt)?, Standing::read(row)?));
        }
        Ok(ratings)
    }

    /// The games that changed a rating of a player, before a place in their order, the latest first.
    pub(crate) async fn rating_history(
        &self,
        player: &str,
        category: Category,
        before: i64,
        limit: i64,
    ) -> Result<Vec<HistoryRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM rating_changes WHERE player = $1 AND category = $2 AND counted < $3 \
             ORDER BY counted DESC LIMIT $4",
        )
        .bind(player)
        .bind(category.to_string())
        .bind(before)
        .bind(limit)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            Ok(HistoryRow {
                game: row.try_get("game")?,
                counted: row.try_get("counted")?,
                category: row.try_get("category")?,
                at: row.try_get("at")?,
                rating: row.try_get("rating_after")?,
                deviation: row.try_get("deviation_after")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// The strongest players of a category whose rating is not provisional, after a cursor.
    pub(crate) async fn leaderboard(
        &self,
        category: Category,
        contestants: Contestants,
        after: &LeaderboardCursor,
        now: i64,
        limit: i64,
    ) -> Result<Vec<LeaderboardRow>, StoreError> {
        let kind = match contestants {
            Contestants::People => PlayerKind::Account,
            Contestants::Bots => PlayerKind::Bot,
        };
        let rows = sqlx::query(
            "SELECT r.*, p.name, p.kind FROM ratings r JOIN players p ON p.id = r.player \
             WHERE r.category = $1 AND p.kind = $2 AND p.deleted IS NULL \
             AND p.closed IS NULL AND r.sure_until > $3 \
             AND (r.rating < $4 OR (r.rating = $4 AND r.player > $5)) \
             ORDER BY r.rating DESC, r.player LIMIT $6",
        )
        .bind(category.to_string())
        .bind(Word(kind).to_string())
        .bind(now)
        .bind(after.rating)
        .bind(&after.player)
        .bind(limit)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            let player = player(row, ["player", "name", "kind"])?;
            Ok(LeaderboardRow { player, standing: Standing::read(row)? })
        };
        rows.iter().map(read).collect()
    }
}

/// Counts games that have ended, in the order in which they did, and so many at most.
pub(super) async fn count_games(
    mut transaction: WriteTransaction,
    limit: i64,
) -> Result<Vec<CountedGame>, StoreError> {
    let mut place = lock_order(&mut transaction).await?;
    let rows = sqlx::query(
        "SELECT id, category, first, second, winner, ended FROM games \
             WHERE rated = 1 AND status = 'over' AND ply >= 2 AND counted IS NULL \
             ORDER BY ended, id LIMIT $1",
    )
    .bind(limit)
    .fetch_all(&mut *transaction)
    .await?;
    if rows.is_empty() {
        transaction.roll_back().await?;
        return Ok(Vec::new());
    }
    let mut counted = Vec::with_capacity(rows.len());
    let mut places = Vec::with_capacity(rows.len());
    for row in &rows {
        let game = FinishedGame::read(row)?;
        place += 1;
        let changes = count_game(&mut transaction, &game, place).await?;
        places.push((game.id.clone(), place));
        counted.push(CountedGame { id: game.id, changes });
    }
    // Every node locks games in the same order, to avoid deadlocks.
    places.sort();
    for (game, place) in places {
        sqlx::query("UPDATE games SET counted = $1 WHERE id = $2")
            .bind(place)
            .bind(game)
            .execute(&mut *transaction)
            .await?;
    }
    set_order(&mut transaction, place).await?;
    transaction.commit().await?;
    Ok(counted)
}

/// Locks the order in which games count until the end of the transaction; returns how many have.
pub(super) async fn lock_order(transaction: &mut WriteTransaction) -> Result<i64, StoreError> {
    let row =
        sqlx::query("UPDATE rating_order SET counted = counted WHERE id = 1 RETURNING counted")
            .fetch_one(&mut **transaction)
            .await?;
    Ok(row.try_get("counted")?)
}

async fn set_order(connection: &mut WriterConnection, counted: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE rating_order SET counted = $1 WHERE id = 1")
        .bind(counted)
        .execute(connection)
        .await?;
    Ok(())
}

/// Computes and stores what one game at its place does to the ratings of its players.
async fn count_game(
    connection: &mut WriterConnection,
    game: &FinishedGame,
    place: i64,
) -> Result<[RatingChange; 2], StoreError> {
    let mut before = [Standing::START; 2];
    for (player, standing) in game.players.iter().zip(&mut before) {
        let row = sqlx::query("SELECT * FROM ratings WHERE player = $1 AND category = $2")
            .bind(player)
            .bind(&game.category)
            .fetch_optional(&mut *connection)
            .await?;
        if let Some(row) = &row {
            *standing = Standing::read(row)?;
        }
    }
    let after = Standing::after_game(before, game.winner, game.ended);
    for side in Side::BOTH {
        let at = side.index();
        write_standing(connection, &game.players[at], &game.category, &after[at]).await?;
        let change = ChangeRow::new(game, place, side, before[at], after[at]);
        write_changes(connection, std::slice::from_ref(&change)).await?;
    }
    Ok(Side::BOTH.map(|side| {
        let at = side.index();
        Standing::change(before[at], after[at], game.ended)
    }))
}

/// Writes where a player stands in a category.
pub(super) async fn write_standing(
    connection: &mut WriterConnection,
    player: &str,
    category: &str,
    standing: &Standing,
) -> Result<(), StoreError> {
    let Standing { strength, wins, losses, draws, at } = standing;
    sqlx::query(
        "INSERT INTO ratings (player, category, rating, deviation, volatility, wins, losses, draws, \
         at, sure_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
         ON CONFLICT (player, category) DO UPDATE SET rating = excluded.rating, \
         deviation = excluded.deviation, volatility = excluded.volatility, wins = excluded.wins, \
         losses = excluded.losses, draws = excluded.draws, at = excluded.at, \
         sure_until = excluded.sure_until",
    )
    .bind(player)
    .bind(category)
    .bind(strength.rating)
    .bind(strength.deviation)
    .bind(strength.volatility)
    .bind(wins)
    .bind(losses)
    .bind(draws)
    .bind(at.unwrap_or_default())
    .bind(standing.sure_until())
    .execute(connection)
    .await?;
    Ok(())
}

/// A row of `rating_changes`.
#[derive(Debug, Clone)]
pub(super) struct ChangeRow {
    game: String,
    player: String,
    category: String,
    counted: i64,
    at: i64,
    before: Standing,
    after: Standing,
}

impl ChangeRow {
    pub(super) fn new(
        game: &FinishedGame,
        counted: i64,
        side: Side,
        before: Standing,
        after: Standing,
    ) -> ChangeRow {
        ChangeRow {
            game: game.id.clone(),
            player: game.players[side.index()].clone(),
            category: game.category.clone(),
            counted,
            at: game.ended,
            before,
            after,
        }
    }
}

/// Writes several rows with one statement, which takes a fraction of the time of one for each.
pub(super) async fn write_changes(
    connection: &mut WriterConnection,
    changes: &[ChangeRow],
) -> Result<(), StoreError> {
    for (text, some) in ADD_CHANGES.split(changes, bulk::MAX_ROWS) {
        let mut query = sqlx::query(text);
        for change in some {
            let is_provisional =
                |standing: Standing| i64::from(standing.rating_at(change.at).provisional);
            query = query
                .bind(&change.game)
                .bind(&change.player)
                .bind(&change.category)
                .bind(change.counted)
                .bind(change.at)
                .bind(change.before.strength.rating)
                .bind(change.after.strength.rating)
                .bind(change.after.strength.deviation)
                .bind(is_provisional(change.before))
                .bind(is_provisional(change.after));
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

static ADD_CHANGES: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new(
        "INSERT INTO rating_changes (game, player, category, counted, at, rating_before, \
         rating_after, deviation_after, provisional_before, provisional_after) VALUES",
        10,
        "",
    )
});

impl FinishedGame {
    pub(super) fn read(row: &AnyRow) -> Result<FinishedGame, StoreError> {
        let id: String = row.try_get("id")?;
        let missing =
            |what: &str| StoreError::Corrupt(format!("the rated game {id} has no {what}"));
        let category: Option<String> = row.try_get("category")?;
        let ended: Option<i64> = row.try_get("ended")?;
        Ok(FinishedGame {
            category: category.ok_or_else(|| missing("category"))?,
            players: [row.try_get("first")?, row.try_get("second")?],
            winner: optional_word(row, "winner")?,
            ended: ended.ok_or_else(|| missing("end"))?,
            id,
        })
    }
}

impl Standing {
    pub(super) fn read(row: &AnyRow) -> Result<Standing, StoreError> {
        Ok(Standing {
            strength: Strength {
                rating: row.try_get("rating")?,
                deviation: row.try_get("deviation")?,
                volatility: row.try_get("volatility")?,
            },
            wins: row.try_get("wins")?,
            losses: row.try_get("losses")?,
            draws: row.try_get("draws")?,
            at: Some(row.try_get("at")?),
        })
    }
}
