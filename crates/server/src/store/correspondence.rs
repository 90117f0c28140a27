//! Correspondence games: vacations, notes, the choice of notices.

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_wire::OwnGame;

use super::challenges::lock_player;
use super::{Store, StoreError};

/// When a player's clocks stood, or will stand, still.
pub(crate) type Interval = (i64, i64);

/// The result of changing a vacation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VacationChange {
    /// It is so now.
    Done,
    /// The vacation of this player has changed meanwhile, or the player is gone.
    Conflict,
}

fn interval(row: &AnyRow) -> Result<Interval, StoreError> {
    Ok((row.try_get("began")?, row.try_get("ends")?))
}

impl Store {
    /// The vacations of a player that end after a moment, in order.
    pub(crate) async fn vacations(
        &self,
        player: &str,
        after: i64,
    ) -> Result<Vec<Interval>, StoreError> {
        let rows = sqlx::query(
            "SELECT began, ends FROM vacations WHERE player = $1 AND ends > $2 ORDER BY began",
        )
        .bind(player)
        .bind(after)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(interval).collect()
    }

    /// Begins a vacation, or changes the end of the one that `known` ends with: all vacations that end after a
    /// moment. The player's correspondence games get a new revision: a node that judges their clocks without
    /// knowing of it has to decide again.
    pub(crate) async fn set_vacation(
        &self,
        player: &str,
        after: i64,
        known: &[Interval],
        (began, ends): Interval,
    ) -> Result<VacationChange, StoreError> {
        let mut transaction = self.database.write().await?;
        let is_there = lock_player(&mut transaction, player).await?;
        let row = sqlx::query(
            "SELECT COUNT(*) AS n, MAX(ends) AS last FROM vacations WHERE player = $1 AND ends > $2",
        )
        .bind(player)
        .bind(after)
        .fetch_one(&mut *transaction)
        .await?;
        let count = i64::try_from(known.len()).unwrap_or(i64::MAX);
        let is_same = row.try_get::<i64, _>("n")? == count
            && row.try_get::<Option<i64>, _>("last")? == known.last().map(|last| last.1);
        if !is_there || !is_same {
            transaction.roll_back().await?;
            return Ok(VacationChange::Conflict);
        }
        sqlx::query(
            "INSERT INTO vacations (player, began, ends) VALUES ($1, $2, $3) \
             ON CONFLICT (player, began) DO UPDATE SET ends = excluded.ends",
        )
        .bind(player)
        .bind(began)
        .bind(ends)
        .execute(&mut *transaction)
        .await?;
        let rows = sqlx::query(
            "SELECT id FROM games WHERE (first = $1 OR second = $1) AND status = 'playing' \
             AND control LIKE '{\"kind\":\"days\"%'",
        )
        .bind(player)
        .fetch_all(&mut *transaction)
        .await?;
        let mut games: Vec<String> =
            rows.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>()?;
        // Games are always locked in the same order, as by the writer task, to avoid deadlocks.
        games.sort_unstable();
        for game in games {
            sqlx::query("UPDATE games SET revision = revision + 1 WHERE id = $1")
                .bind(game)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(VacationChange::Done)
    }

    /// The correspondence games that a player is playing, and when their time runs out where it is their turn.
    pub(crate) async fn slow_games(
        &self,
        player: &str,
    ) -> Result<Vec<(String, Option<i64>)>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, CASE WHEN (turn = 'first' AND first = $1) OR (turn = 'second' AND second = $1) \
             THEN deadline ELSE NULL END AS due FROM games \
             WHERE (first = $1 OR second = $1) AND status = 'playing' \
             AND control LIKE '{\"kind\":\"days\"%' ORDER BY id",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(|row| Ok((row.try_get("id")?, row.try_get("due")?))).collect()
    }

    /// What a player keeps about a game of theirs.
    pub(crate) async fn own_game(&self, game: &str, player: &str) -> Result<OwnGame, StoreError> {
        let row =
            sqlx::query("SELECT note, notices FROM own_games WHERE game = $1 AND player = $2")
                .bind(game)
                .bind(player)
                .fetch_optional(self.database.readers())
                .await?;
        row.map_or(Ok(OwnGame::default()), |row| {
            Ok(OwnGame {
                note: row.try_get("note")?,
                notices: row.try_get::<i64, _>("notices")? != 0,
            })
        })
    }

    /// Keeps it. False if the player has been deleted.
    pub(crate) async fn set_own_game(
        &self,
        game: &str,
        player: &str,
        own: &OwnGame,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, player).await? {
            transaction.roll_back().await?;
            return Ok(false);
        }
        sqlx::query(
            "INSERT INTO own_games (game, player, note, notices) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (game, player) DO UPDATE SET note = excluded.note, notices = excluded.notices",
        )
        .bind(game)
        .bind(player)
        .bind(&own.note)
        .bind(i64::from(own.notices))
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(true)
    }

    /// What a player keeps about all games.
    pub(crate) async fn own_games(
        &self,
        player: &str,
    ) -> Result<Vec<(String, OwnGame)>, StoreError> {
        let rows = sqlx::query(
            "SELECT game, note, notices FROM own_games WHERE player = $1 ORDER BY game",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            let notices = row.try_get::<i64, _>("notices")? != 0;
            Ok((row.try_get("game")?, OwnGame { note: row.try_get("note")?, notices }))
        };
        rows.iter().map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use stoa_testing::{Durability, Postgres, or_skip};

    use super::super::PlayerRow;
    use super::*;

    /// The writer task has moves in two games of somebody who goes on vacation.
    #[tokio::test]
    async fn a_vacation_does_not_wait_for_moves_that_wait_for_it() {
        let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
        let address = postgres.database("vacations").expect("a database");
        let store = Store::open(&address).await.expect("a database");
        for id in ["p", "q"] {
            assert!(store.add_player(&PlayerRow::for_test(id)).await.expect("a database"));
        }
        let mut games = store.database.write().await.expect("a transaction");
        // Not stored in the order of their ids.
        for id in ["c", "b", "a"] {
            sqlx::query(
                "INSERT INTO games (id, game, control, first, second, created, version, updated, ply, \
                 position, status) VALUES ($1, 'impasse', '{\"kind\":\"days\",\"days\":3}', 'p', 'q', \
                 0, 0, 0, 0, '', 'playing')",
            )
            .bind(id)
            .execute(&mut *games)
            .await
            .expect("a game");
        }
        games.commit().await.expect("games");

        let mut moves = store.database.write_first().await.expect("a transaction");
        let play = "UPDATE games SET version = version + 1 WHERE id = $1";
        sqlx::query(play).bind("a").execute(&mut *moves).await.expect("a move");
        let vacation = tokio::spawn({
            let store = store.clone();
            async move { store.set_vacation("p", 0, &[], (10, 20)).await }
        });
        let waiting = "SELECT COUNT(*) AS n FROM pg_locks WHERE NOT granted";
        loop {
            let row = sqlx::query(waiting).fetch_one(store.database.readers()).await;
            if row.and_then(|row| row.try_get::<i64, _>("n")).expect("an answer") > 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        for id in ["b", "c"] {
            sqlx::query(play).bind(id).execute(&mut *moves).await.expect("a move");
        }
        moves.commit().await.expect("moves");
        let changed = vacation.await.expect("no panic").expect("a database");
        assert_eq!(changed, VacationChange::Done);
        for id in ["a", "b", "c"] {
            assert_eq!(store.state(id).await.expect("a database"), Some((1, 1)));
        }
        store.close().await;
    }
}
