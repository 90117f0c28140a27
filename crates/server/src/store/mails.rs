//! Addresses for mail, links that were sent to them, and the queue of mail.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::challenges::lock_player;
use super::database::WriterConnection;
use super::{PasswordHash, Store, StoreError};

/// How many mails may wait to be sent.
const MAX_QUEUED: i64 = 10_000;
/// How many accounts may wait for one address to be confirmed. Links for new passwords do not count: otherwise
/// strangers could use up the links of an address, and learn whether an account has it.
const MAX_UNCONFIRMED: i64 = 5;
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
    /// The kind of mail, a space, and what it is about: mails with the same id are sent once.
    pub(crate) id: String,
    pub(crate) player: String,
    /// JSON.
    pub(crate) letter: String,
    pub(crate) created: i64,
    pub(crate) due: i64,
    pub(crate) attempts: i64,
}

/// How many mails of a kind a player gets within a day, and how many mails may wait for the mail server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MailQuota {
    pub(crate) a_day: i64,
    pub(crate) queued: i64,
}

impl MailQuota {
    /// For mail that a person waits for: the request has been limited already.
    const NONE: MailQuota = MailQuota { a_day: i64::MAX, queued: i64::MAX };

    /// For notices.
    pub(crate) fn a_day(a_day: i64) -> MailQuota {
        MailQuota { a_day, queued: MAX_QUEUED }
    }
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
        row.as_ref().map(MailAddressRow::read).transpose()
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
    /// if the player is gone, or too many accounts wait for that address to be confirmed.
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
             SELECT $1, $2, $3, $4, $5, $6, $7 WHERE $3 <> 'confirm' OR \
             (SELECT COUNT(*) FROM mail_links WHERE folded = $5 AND purpose = 'confirm') < $8",
        )
        .bind(&link.id)
        .bind(&link.player)
        .bind(&link.purpose)
        .bind(&link.address)
        .bind(folded)
        .bind(&link.language)
        .bind(link.expires)
        .bind(MAX_UNCONFIRMED)
        .execute(&mut *transaction)
        .await?;
        if added.rows_affected() == 0
            || !insert_mail(&mut transaction, mail, MailQuota::NONE).await?
        {
            transaction.roll_back().await?;
            return Ok(false);
        }
        transaction.commit().await?;
        self.erasure.request();
        Ok(true)
    }

    /// Makes the address of a link that of its player, once, and queues a mail to an address that it replaces.
    /// Nothing if the link is no longer valid.
    pub(crate) async fn confirm_mail_address(
        &self,
        id: &str,
        now: i64,
        replaced: impl FnOnce(&str, MailAddressRow) -> Result<MailRow, StoreError> + Send,
    ) -> Result<Option<MailLinkRow>, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player_of_link(&mut transaction, id).await? {
            transaction.roll_back().await?;
            return Ok(None);
        }
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
        let earlier = sqlx::query("SELECT * FROM mail_addresses WHERE player = $1")
            .bind(&link.player)
            .fetch_optional(&mut *transaction)
            .await?;
        let earlier = earlier.as_ref().map(MailAddressRow::read).transpose()?;
        let is_other =
            |row: &MailAddressRow| row.address.to_lowercase() != link.address.to_lowercase();
        if let Some(earlier) = earlier.filter(is_other) {
            let mail = replaced(&link.player, earlier)?;
            insert_mail(&mut transaction, &mail, MailQuota::NONE).await?;
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
        if !lock_player_of_link(&mut transaction, id).await? {
            transaction.roll_back().await?;
            return Ok(None);
        }
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
        for statement in [
            "DELETE FROM sessions WHERE player = $1",
            // An intruder with the old password may have requested them.
            "DELETE FROM mail_links WHERE player = $1",
        ] {
            sqlx::query(statement).bind(&player).execute(&mut *transaction).await?;
        }
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
        lock_player(&mut transaction, player).await?;
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

    /// Queues a mail, unless there is one with this id, or a limit is reached.
    pub(crate) async fn queue_mail(
        &self,
        mail: &MailRow,
        quota: MailQuota,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, &mail.player).await? {
            transaction.roll_back().await?;
            return Ok(false);
        }
        let added = insert_mail(&mut transaction, mail, quota).await?;
        transaction.commit().await?;
        Ok(added)
    }

    /// Mails that are to be sent now; those that a person waits for come first.
    pub(crate) async fn due_mails(&self, now: i64, limit: i64) -> Result<Vec<MailRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM mails WHERE done IS NULL AND due <= $1 \
             ORDER BY CASE WHEN id LIKE 'link %' THEN 0 ELSE 1 END, due, id LIMIT $2",
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

    /// Forgets a mail that was out of date before it was sent: it counts for no limit.
    pub(crate) async fn drop_mail(&self, id: &str) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("DELETE FROM mails WHERE id = $1").bind(id).execute(&mut *transaction).await?;
        transaction.commit().await
    }

    /// Forgets mails that were done before a time, and links that have expired. Also the addresses of players whom
    /// a node of an earlier version has deleted, which did not know of mail.
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
        let mut erased = links.rows_affected();
        for statement in [
            "DELETE FROM mail_addresses WHERE EXISTS (SELECT 1 FROM players p \
             WHERE p.id = mail_addresses.player AND p.deleted IS NOT NULL)",
            "DELETE FROM mail_links WHERE EXISTS (SELECT 1 FROM players p \
             WHERE p.id = mail_links.player AND p.deleted IS NOT NULL)",
        ] {
            erased += sqlx::query(statement).execute(&mut *transaction).await?.rows_affected();
        }
        transaction.commit().await?;
        if erased > 0 {
            self.erasure.request();
        }
        Ok(())
    }
}

/// Locks the player to whom a link was sent, before the link: every transaction locks them in this order, to
/// avoid deadlocks. False if there is no such link or player.
async fn lock_player_of_link(
    connection: &mut WriterConnection,
    id: &str,
) -> Result<bool, StoreError> {
    let row = sqlx::query("SELECT player FROM mail_links WHERE id = $1")
        .bind(id)
        .fetch_optional(&mut *connection)
        .await?;
    match row {
        Some(row) => lock_player(connection, &row.try_get::<String, _>("player")?).await,
        None => Ok(false),
    }
}

/// Inserts a mail, if there is room for it.
async fn insert_mail(
    connection: &mut WriterConnection,
    mail: &MailRow,
    quota: MailQuota,
) -> Result<bool, StoreError> {
    const DAY_MS: i64 = 24 * 3600 * 1000;
    let kind = mail.id.split(' ').next().unwrap_or_default();
    let added = sqlx::query(
        "INSERT INTO mails (id, player, letter, created, due, attempts) \
         SELECT $1, $2, $3, $4, $5, 0 WHERE \
         (SELECT COUNT(*) FROM mails WHERE player = $2 AND created > $6 AND id LIKE $9) < $7 \
         AND (SELECT COUNT(*) FROM mails WHERE done IS NULL) < $8 ON CONFLICT (id) DO NOTHING",
    )
    .bind(&mail.id)
    .bind(&mail.player)
    .bind(&mail.letter)
    .bind(mail.created)
    .bind(mail.due)
    .bind(mail.created - DAY_MS)
    .bind(quota.a_day)
    .bind(quota.queued)
    .bind(format!("{kind} %"))
    .execute(connection)
    .await?;
    Ok(added.rows_affected() > 0)
}

impl MailAddressRow {
    fn read(row: &AnyRow) -> Result<MailAddressRow, StoreError> {
        Ok(MailAddressRow {
            address: row.try_get("address")?,
            language: row.try_get("language")?,
            turns: row.try_get::<i64, _>("turns")? != 0,
            challenges: row.try_get::<i64, _>("challenges")? != 0,
            confirmed: row.try_get("confirmed")?,
        })
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::PlayerRow;

    /// Strangers who enter another person's address cannot keep its owner from a new password, and do not learn
    /// from the limit whether an account has the address.
    #[tokio::test]
    async fn links_for_new_passwords_and_unconfirmed_addresses_are_counted_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let add = async |player: usize, purpose: &str| {
            let player = format!("player{player}");
            let link = MailLinkRow {
                id: format!("{purpose} {player}"),
                player: player.clone(),
                purpose: purpose.to_owned(),
                address: "Zeno@elea.example".to_owned(),
                language: "en".to_owned(),
                expires: 1000,
            };
            let id = format!("link {}", link.id);
            let letter = String::new();
            let mail = MailRow { id, player, letter, created: 0, due: 0, attempts: 0 };
            store.add_mail_link(&link, &mail).await.expect("a database")
        };
        for number in 0..8 {
            let row = PlayerRow::for_test(&format!("player{number}"));
            assert!(store.add_player(&row).await.expect("a database"));
        }
        assert!(add(0, "reset").await && add(1, "reset").await);
        for player in 2..7 {
            assert!(add(player, "confirm").await, "{player}");
        }
        assert!(!add(7, "confirm").await, "five accounts wait for this address");
        assert!(!add(8, "confirm").await, "there is no such player");
        assert!(add(7, "reset").await, "links for new passwords do not count");
        assert_eq!(store.due_mails(0, 100).await.expect("a database").len(), 8);
        store.close().await;
    }

    /// Challenges that were withdrawn use up nothing, and kinds of mail are counted apart.
    #[tokio::test]
    async fn kinds_of_mail_are_counted_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let row = PlayerRow::for_test("zeno");
        assert!(store.add_player(&row).await.expect("a database"));
        let queue = async |id: &str| {
            let (id, player, letter) = (id.to_owned(), "zeno".to_owned(), String::new());
            let mail = MailRow { id, player, letter, created: 0, due: 0, attempts: 0 };
            store.queue_mail(&mail, MailQuota::a_day(2)).await.expect("a database")
        };
        assert!(queue("challenge a").await && queue("challenge b").await);
        assert!(!queue("challenge c").await && queue("turn a").await);
        store.drop_mail("challenge a").await.expect("a database");
        assert!(queue("challenge c").await && !queue("challenge d").await);
        store.close().await;
    }
}
