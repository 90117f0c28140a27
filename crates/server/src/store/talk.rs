//! Messages in games, mutes, reports.

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_wire::{Phrase, TalkMessage, TalkRoom};

use super::challenges::{lock_both, lock_player};
use super::rows::{Word, optional_word, player, word};
use super::{Store, StoreError};

/// The result of sending a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    /// It is kept.
    Done,
    /// The speaker has been deleted.
    Gone,
    /// Enough has been said in this game.
    Full,
}

/// The result of muting or reporting a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Muted {
    /// It is so now.
    Done,
    /// One of the players has been deleted.
    Gone,
    /// There are too many already.
    TooMany,
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReportRow {
    pub(crate) id: String,
    pub(crate) reporter: String,
    pub(crate) accused: String,
    pub(crate) game: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) reason: String,
    pub(crate) at: i64,
}

/// Something that a player said, and in which game.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct OwnTalk {
    pub(crate) game: String,
    pub(crate) at: i64,
    pub(crate) phrase: Option<Phrase>,
    pub(crate) text: Option<String>,
}

/// A report of a player's own, for them to see what is kept.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct OwnReport {
    pub(crate) accused: String,
    pub(crate) game: Option<String>,
    pub(crate) reason: String,
    pub(crate) at: i64,
}

fn read(row: &AnyRow) -> Result<TalkMessage, StoreError> {
    Ok(TalkMessage {
        id: row.try_get("id")?,
        room: word(row, "room")?,
        by: player(row, ["player", "name", "kind"])?,
        at: row.try_get("at")?,
        phrase: optional_word(row, "phrase")?,
        text: row.try_get("text")?,
    })
}

impl Store {
    /// Stores a message of a player in a game; a room has at most `max`.
    pub(crate) async fn say(
        &self,
        game: &str,
        message: &TalkMessage,
        max: i64,
    ) -> Result<Said, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, &message.by.id).await? {
            transaction.roll_back().await?;
            return Ok(Said::Gone);
        }
        let room = Word(message.room).to_string();
        let row = sqlx::query("SELECT COUNT(*) AS n FROM talk WHERE game = $1 AND room = $2")
            .bind(game)
            .bind(&room)
            .fetch_one(&mut *transaction)
            .await?;
        if row.try_get::<i64, _>("n")? >= max {
            transaction.roll_back().await?;
            return Ok(Said::Full);
        }
        sqlx::query(
            "INSERT INTO talk (id, game, room, player, at, phrase, text) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&message.id)
        .bind(game)
        .bind(room)
        .bind(&message.by.id)
        .bind(message.at)
        .bind(message.phrase.map(|phrase| Word(phrase).to_string()))
        .bind(message.text.as_deref())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Said::Done)
    }

    /// The messages in a room of a game, in order.
    pub(crate) async fn talk(
        &self,
        game: &str,
        room: TalkRoom,
    ) -> Result<Vec<TalkMessage>, StoreError> {
        let rows = sqlx::query(
            "SELECT t.*, p.name, p.kind FROM talk t JOIN players p ON p.id = t.player \
             WHERE t.game = $1 AND t.room = $2 ORDER BY t.at, t.id",
        )
        .bind(game)
        .bind(Word(room).to_string())
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(read).collect()
    }

    /// A message, and its game.
    pub(crate) async fn talk_message(
        &self,
        id: &str,
    ) -> Result<Option<(String, TalkMessage)>, StoreError> {
        let row = sqlx::query(
            "SELECT t.*, p.name, p.kind FROM talk t JOIN players p ON p.id = t.player WHERE t.id = $1",
        )
        .bind(id)
        .fetch_optional(self.database.readers())
        .await?;
        row.map(|row| Ok((row.try_get("game")?, read(&row)?))).transpose()
    }

    /// Mutes another person for a player, who may have muted at most `max`.
    pub(crate) async fn mute(
        &self,
        from: &str,
        other: &str,
        now: i64,
        max: i64,
    ) -> Result<Muted, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_both(&mut transaction, [from, other]).await? {
            transaction.roll_back().await?;
            return Ok(Muted::Gone);
        }
        let row = sqlx::query("SELECT COUNT(*) AS n FROM mutes WHERE player = $1 AND other <> $2")
            .bind(from)
            .bind(other)
            .fetch_one(&mut *transaction)
            .await?;
        if row.try_get::<i64, _>("n")? >= max {
            transaction.roll_back().await?;
            return Ok(Muted::TooMany);
        }
        sqlx::query(
            "INSERT INTO mutes (player, other, created) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        )
        .bind(from)
        .bind(other)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Muted::Done)
    }

    /// Unmutes a person.
    pub(crate) async fn unmute(&self, from: &str, other: &str) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("DELETE FROM mutes WHERE player = $1 AND other = $2")
            .bind(from)
            .bind(other)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(())
    }

    /// The people whom a player has muted, and those they have blocked.
    pub(crate) async fn unheard(&self, id: &str) -> Result<[Vec<String>; 2], StoreError> {
        let mut unheard = [Vec::new(), Vec::new()];
        for (statement, list) in [
            "SELECT other FROM mutes WHERE player = $1 ORDER BY other",
            "SELECT other FROM acquaintances WHERE player = $1 AND kind = 'block' ORDER BY other",
        ]
        .into_iter()
        .zip(&mut unheard)
        {
            let rows = sqlx::query(statement).bind(id).fetch_all(self.database.readers()).await?;
            for row in rows {
                list.push(row.try_get("other")?);
            }
        }
        Ok(unheard)
    }

    /// Whether a player has muted or blocked another person.
    pub(crate) async fn is_unheard(&self, reader: &str, by: &str) -> Result<bool, StoreError> {
        let row = sqlx::query(
            "SELECT other FROM mutes WHERE player = $1 AND other = $2 UNION \
             SELECT other FROM acquaintances WHERE player = $1 AND other = $2 AND kind = 'block'",
        )
        .bind(reader)
        .bind(by)
        .fetch_optional(self.database.readers())
        .await?;
        Ok(row.is_some())
    }

    /// Keeps a report; the same person reports the same thing once.
    pub(crate) async fn add_report(
        &self,
        report: &ReportRow,
        max: i64,
    ) -> Result<Muted, StoreError> {
        let ReportRow { id, reporter, accused, game, message, reason, at } = report;
        let mut transaction = self.database.write().await?;
        if !lock_both(&mut transaction, [reporter, accused]).await? {
            transaction.roll_back().await?;
            return Ok(Muted::Gone);
        }
        let row = sqlx::query(
            "SELECT COUNT(*) AS n, SUM(CASE WHEN accused = $2 AND COALESCE(message, '') = $3 \
             THEN 1 ELSE 0 END) AS same FROM reports WHERE reporter = $1",
        )
        .bind(reporter)
        .bind(accused)
        .bind(message.as_deref().unwrap_or_default())
        .fetch_one(&mut *transaction)
        .await?;
        let known = row.try_get::<Option<i64>, _>("same")?.unwrap_or(0) > 0;
        if known || row.try_get::<i64, _>("n")? >= max {
            transaction.roll_back().await?;
            return Ok(if known { Muted::Done } else { Muted::TooMany });
        }
        sqlx::query(
            "INSERT INTO reports (id, reporter, accused, game, message, reason, at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(id)
        .bind(reporter)
        .bind(accused)
        .bind(game.as_deref())
        .bind(message.as_deref())
        .bind(reason)
        .bind(at)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Muted::Done)
    }

    /// Everything that a player has said.
    pub(crate) async fn talk_of(&self, player: &str) -> Result<Vec<OwnTalk>, StoreError> {
        let rows = sqlx::query(
            "SELECT game, at, phrase, text FROM talk WHERE player = $1 ORDER BY at, id",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            Ok(OwnTalk {
                game: row.try_get("game")?,
                at: row.try_get("at")?,
                phrase: optional_word(row, "phrase")?,
                text: row.try_get("text")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Everything that a player has reported and that is not dealt with yet.
    pub(crate) async fn reports_by(&self, player: &str) -> Result<Vec<OwnReport>, StoreError> {
        let rows = sqlx::query(
            "SELECT accused, game, reason, at FROM reports WHERE reporter = $1 ORDER BY at, id",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            Ok(OwnReport {
                accused: row.try_get("accused")?,
                game: row.try_get("game")?,
                reason: row.try_get("reason")?,
                at: row.try_get("at")?,
            })
        };
        rows.iter().map(read).collect()
    }
}
