//! Addresses for mail, links that were sent to them, and the queue of mail.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::challenges::lock_player;
use super::{PasswordHash, Store, StoreError};

/// How many mails may wait to be sent.
const MAX_QUEUED: i64 = 10_000;
/// How many links of which nobody has made use may have been sent to one address.
const MAX_LINKS_TO_ADDRESS: i64 = 5;
/// How many accounts with one address are found.
const MAX_ACCOUNTS_OF_ADDRESS: i64 = 5;

/// Where and when a player gets mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MailAddressRow {
    pub(crate) address: String,
    pub(crate) language: String,
    pub(crate) turns: bool,
    pub(crate) challenges: bool,
    pub(crate) confirmed: i64,
}

/// A link that is good once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MailLinkRow {
    pub(crate) id: String,
    pub(crate) player: String,
    pub(crate) purpose: String,
    pub(crate) address: String,
    pub(crate) language: String,
    pub(crate) expires: i64,
}

/// A mail in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MailRow {
    pub(crate) id: String,
    pub(crate) player: String,
    /// JSON.
    pub(crate) letter: String,
    pub(crate) created: i64,
    pub(crate) due: i64,
    pub(crate) attempts: i64,
}

impl Store {
    /// The confirmed address of a player.
    pub(crate) async fn mail_address(
        &self,
        player: &str,
    ) -> Result<Option<MailAddressRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM mail_addresses WHERE player = $1")
            .bind(player)
            .fetch_optional(self.database.readers())
            .await?;
        let read = |row: &AnyRow| {
            Ok(MailAddressRow {
                address: row.try_get("address")?,
                language: row.try_get("language")?,
                turns: row.try_get::<i64, _>("turns")? != 0,
                challenges: row.try_get::<i64, _>("challenges")? != 0,
                confirmed: row.try_get("confirmed")?,
            })
        };
        row.as_ref().map(read).transpose()
    }

    /// The accounts with a confirmed address: who, and the address as it was written.
    pub(crate) async fn accounts_with_address(
        &self,
        address: &str,
    ) -> Result<Vec<(String, String, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT a.player, a.address, a.language FROM mail_addresses a \
             JOIN players p ON p.id = a.player WHERE a.folded = $1 AND p.login IS NOT NULL \
             AND p.deleted IS NULL AND p.closed IS NULL ORDER BY a.confirmed DESC LIMIT $2",
        )
        .bind(address.to_lowercase())
        .bind(MAX_ACCOUNTS_OF_ADDRESS)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
        rows.iter().map(read).collect()
    }

    /// A link that has not been used, by its id, or by player and purpose.
    pub(crate) async fn mail_link(&self, id: &str) -> Result<Option<MailLinkRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM mail_links WHERE id = $1")
            .bind(id)
            .fetch_optional(self.database.readers())
            .await?;
        row.as_ref().map(MailLinkRow::read).transpose()
    }

    /// The link of a player for a purpose that has not been used.
    pub(crate) async fn mail_link_of(
        &self,
        player: &str,
        purpose: &str,
    ) -> Result<Option<MailLinkRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM mail_links WHERE player = $1 AND purpose = $2")
            .bind(player)
            .bind(purpose)
            .fetch_optional(self.database.readers())
            .await?;
        row.as_ref().map(MailLinkRow::read).transpose()
    }

    /// Stores a link together with the mail that brings it; an earlier one for the same purpose ends. False
    /// if the player is gone, or too many links wait at that address.
    pub(crate) async fn add_mail_link(
        &self,
        link: &MailLinkRow,
        mail: &MailRow,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, &link.player).await? {
            transaction.roll_back().await?;
            return Ok(false);
        }
        let folded = link.address.to_lowercase();
        sqlx::query("DELETE FROM mail_links WHERE (player = $1 AND purpose = $2) OR expires <= $3")
            .bind(&link.player)
            .bind(&link.purpose)
            .bind(mail.created)
            .execute(&mut *transaction)
            .await?;
        let added = sqlx::query(
            "INSERT INTO mail_links (id, player, purpose, address, folded, language, expires) \
             SELECT $1, $2, $3, $4, $5, $6, $7 WHERE \
             (SELECT COUNT(*) FROM mail_links WHERE folded = $5) < $8",
        )
        .bind(&link.id)
        .bind(&link.player)
        .bind(&link.purpose)
        .bind(&link.address)
        .bind(folded)
        .bind(&link.language)
        .bind(link.expires)
        .bind(MAX_LINKS_TO_ADDRESS)
        .execute(&mut *transaction)
        .await?;
        if added.rows_affected() == 0 {
            transaction.roll_back().await?;
            return Ok(false);
        }
        insert_mail(&mut transaction, mail, i64::MAX).await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(true)
    }

    /// Makes the address of a link that of its player, once. Nothing if the link is not good any more.
    pub(crate) async fn confirm_mail_address(
        &self,
        id: &str,
        now: i64,
    ) -> Result<Option<MailLinkRow>, StoreError> {
        let mut transaction = self.database.write().await?;
        let row = sqlx::query(
            "DELETE FROM mail_links WHERE id = $1 AND purpose = 'confirm' AND expires > $2 RETURNING *",
        )
        .bind(id)
        .bind(now)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(link) = row.as_ref().map(MailLinkRow::read).transpose()? else {
            transaction.roll_back().await?;
            return Ok(None);
        };
        if !lock_player(&mut transaction, &link.player).await? {
            transaction.roll_back().await?;
            return Ok(None);
        }
        // A link to choose a new password that went to another address is not good any more.
        sqlx::query("DELETE FROM mail_links WHERE player = $1")
            .bind(&link.player)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO mail_addresses (player, address, folded, language, turns, challenges, confirmed) \
             VALUES ($1, $2, $3, $4, 1, 1, $5) ON CONFLICT (player) DO UPDATE SET address = $2, \
             folded = $3, language = $4, confirmed = $5",
        )
        .bind(&link.player)
        .bind(&link.address)
        .bind(link.address.to_lowercase())
        .bind(&link.language)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(Some(link))
    }

    /// Changes the password of the player to whom a link was sent, once, and ends all sessions. Nothing if
    /// the link is not good any more.
    pub(crate) async fn reset_password(
        &self,
        id: &str,
        password: &PasswordHash,
        now: i64,
    ) -> Result<Option<String>, StoreError> {
        let mut transaction = self.database.write().await?;
        // Only while the address is still the one to which the link was sent.
        let row = sqlx::query(
            "DELETE FROM mail_links WHERE id = $1 AND purpose = 'reset' AND expires > $2 AND folded = \
             (SELECT a.folded FROM mail_addresses a WHERE a.player = mail_links.player) RETURNING player",
        )
        .bind(id)
        .bind(now)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else {
            transaction.roll_back().await?;
            return Ok(None);
        };
        let player: String = row.try_get("player")?;
        let done = sqlx::query(
            "UPDATE players SET password = $1, epoch = epoch + 1 \
             WHERE id = $2 AND login IS NOT NULL AND deleted IS NULL AND closed IS NULL",
        )
        .bind(&password.0)
        .bind(&player)
        .execute(&mut *transaction)
        .await?;
        if done.rows_affected() == 0 {
            transaction.roll_back().await?;
            return Ok(None);
        }
        sqlx::query("DELETE FROM sessions WHERE player = $1")
            .bind(&player)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(Some(player))
    }

    /// Chooses what comes by mail. False if the player has no address.
    pub(crate) async fn set_mail_notices(
        &self,
        player: &str,
        turns: bool,
        challenges: bool,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let done =
            sqlx::query("UPDATE mail_addresses SET turns = $2, challenges = $3 WHERE player = $1")
                .bind(player)
                .bind(i64::from(turns))
                .bind(i64::from(challenges))
                .execute(&mut *transaction)
                .await?;
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }

    /// Forgets the address of a player, and what was to be sent to it.
    pub(crate) async fn delete_mail_address(&self, player: &str) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        for statement in [
            "DELETE FROM mail_addresses WHERE player = $1",
            "DELETE FROM mail_links WHERE player = $1",
            "DELETE FROM mails WHERE player = $1",
        ] {
            sqlx::query(statement).bind(player).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        self.erasure.request();
        Ok(())
    }

    /// Queues a mail, unless there is one with this id, the player has got more than `max` since a day
    /// before, or too many wait.
    pub(crate) async fn queue_mail(&self, mail: &MailRow, max: i64) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, &mail.player).await? {
            transaction.roll_back().await?;
            return Ok(false);
        }
        let added = insert_mail(&mut transaction, mail, max).await?;
        transaction.commit().await?;
        Ok(added)
    }

    /// Mails that are to be sent now.
    pub(crate) async fn due_mails(&self, now: i64, limit: i64) -> Result<Vec<MailRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM mails WHERE done IS NULL AND due <= $1 ORDER BY due, id LIMIT $2",
        )
        .bind(now)
        .bind(limit)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            Ok(MailRow {
                id: row.try_get("id")?,
                player: row.try_get("player")?,
                letter: row.try_get("letter")?,
                created: row.try_get("created")?,
                due: row.try_get("due")?,
                attempts: row.try_get("attempts")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Takes a mail that is due for this node until a time, at which it is due again. False if another node
    /// has it; the commit decides.
    pub(crate) async fn lease_mail(&self, mail: &MailRow, until: i64) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let taken = sqlx::query(
            "UPDATE mails SET due = $3, attempts = attempts + 1 \
             WHERE id = $1 AND due = $2 AND done IS NULL",
        )
        .bind(&mail.id)
        .bind(mail.due)
        .bind(until)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(taken.rows_affected() > 0)
    }

    /// A mail is tried again at a time.
    pub(crate) async fn retry_mail(&self, id: &str, due: i64) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("UPDATE mails SET due = $2 WHERE id = $1 AND done IS NULL")
            .bind(id)
            .bind(due)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await
    }

    /// A mail was sent, or is given up; only its id is kept.
    pub(crate) async fn finish_mail(&self, id: &str, now: i64) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("UPDATE mails SET letter = '', done = $2 WHERE id = $1")
            .bind(id)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await
    }

    /// Forgets mails that were done before a time, and links that have expired.
    pub(crate) async fn prune_mails(&self, done_before: i64, now: i64) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("DELETE FROM mails WHERE done < $1")
            .bind(done_before)
            .execute(&mut *transaction)
            .await?;
        let links = sqlx::query("DELETE FROM mail_links WHERE expires <= $1")
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        if links.rows_affected() > 0 {
            self.erasure.request();
        }
        Ok(())
    }
}

/// Inserts a mail, if there is room for it.
async fn insert_mail(
    connection: &mut sqlx::AnyConnection,
    mail: &MailRow,
    max: i64,
) -> Result<bool, StoreError> {
    const DAY_MS: i64 = 24 * 3600 * 1000;
    let added = sqlx::query(
        "INSERT INTO mails (id, player, letter, created, due, attempts) \
         SELECT $1, $2, $3, $4, $5, 0 WHERE \
         (SELECT COUNT(*) FROM mails WHERE player = $2 AND created > $6) < $7 \
         AND (SELECT COUNT(*) FROM mails WHERE done IS NULL) < $8 ON CONFLICT (id) DO NOTHING",
    )
    .bind(&mail.id)
    .bind(&mail.player)
    .bind(&mail.letter)
    .bind(mail.created)
    .bind(mail.due)
    .bind(mail.created - DAY_MS)
    .bind(max)
    .bind(MAX_QUEUED)
    .execute(connection)
    .await?;
    Ok(added.rows_affected() > 0)
}

impl MailLinkRow {
    fn read(row: &AnyRow) -> Result<MailLinkRow, StoreError> {
        Ok(MailLinkRow {
            id: row.try_get("id")?,
            player: row.try_get("player")?,
            purpose: row.try_get("purpose")?,
            address: row.try_get("address")?,
            language: row.try_get("language")?,
            expires: row.try_get("expires")?,
        })
    }
}
