//! Puzzles that people have solved.

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_wire::SolvedPuzzle;

use super::challenges::lock_player;
use super::{Store, StoreError};

/// A solved puzzle, to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SolvedRow {
    pub(crate) puzzle: String,
    pub(crate) family: String,
    pub(crate) clean: bool,
}

impl Store {
    /// Stores that a player has solved puzzles, each once; what was solved cleanly stays so. False if the player
    /// is gone.
    pub(crate) async fn add_solved_puzzles(
        &self,
        player: &str,
        solved: &[SolvedRow],
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, player).await? {
            transaction.roll_back().await?;
            return Ok(false);
        }
        for SolvedRow { puzzle, family, clean } in solved {
            sqlx::query(
                "INSERT INTO puzzles_solved (player, puzzle, family, clean, at) \
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT (player, puzzle) DO UPDATE SET \
                 clean = CASE WHEN excluded.clean = 1 THEN 1 ELSE puzzles_solved.clean END",
            )
            .bind(player)
            .bind(puzzle)
            .bind(family)
            .bind(i64::from(*clean))
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// The puzzles that a player has solved, the first first.
    pub(crate) async fn solved_puzzles(
        &self,
        player: &str,
    ) -> Result<Vec<SolvedPuzzle>, StoreError> {
        let rows = sqlx::query(
            "SELECT puzzle, clean, at FROM puzzles_solved WHERE player = $1 ORDER BY at, puzzle",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            Ok(SolvedPuzzle {
                puzzle: row.try_get("puzzle")?,
                clean: row.try_get::<i64, _>("clean")? != 0,
                at: row.try_get("at")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Forgets which puzzles a player has solved.
    pub(crate) async fn delete_solved_puzzles(&self, player: &str) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("DELETE FROM puzzles_solved WHERE player = $1")
            .bind(player)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(())
    }

    /// How many puzzles of each game a player has solved, and how many of them cleanly.
    pub(crate) async fn solved_by_game(
        &self,
        player: &str,
    ) -> Result<Vec<(String, i64, i64)>, StoreError> {
        let rows = sqlx::query(
            "SELECT family, COUNT(*) AS solved, COUNT(CASE WHEN clean = 1 THEN 1 END) AS clean \
             FROM puzzles_solved WHERE player = $1 GROUP BY family",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            Ok((row.try_get("family")?, row.try_get("solved")?, row.try_get("clean")?))
        };
        rows.iter().map(read).collect()
    }
}
