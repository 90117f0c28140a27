//! Players and their accounts.

use std::sync::LazyLock;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::bulk::Bulk;
use super::challenges::lock_player;
use super::database::WriterConnection;
use super::rows::Word;
use super::{Authenticated, NewSession, PasswordHash, PlayerRow, Store, StoreError};
use crate::names;

/// How many times of use one transaction stores.
const MAX_SEEN: usize = 256;

static SET_PLAYERS_SEEN: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new(
        "UPDATE players SET seen = v.column2 FROM (VALUES",
        2,
        ") AS v WHERE players.id = v.column1",
    )
});
static SET_SESSIONS_USED: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new(
        "UPDATE sessions SET used = v.column2 FROM (VALUES",
        2,
        ") AS v WHERE sessions.id = v.column1",
    )
});
static SET_TOKENS_USED: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new(
        "UPDATE tokens SET used = v.column2 FROM (VALUES",
        2,
        ") AS v WHERE tokens.hash = v.column1",
    )
});

/// The result of creating an account for a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NewAccount {
    /// The player is one now, with this epoch: copies of the guest's cookie are no longer valid.
    Done { epoch: i64 },
    /// The login, or one that looks like it, is taken.
    NameTaken,
    /// The player has one already, or is gone.
    HasAccount,
}

/// Stores a new player. False if the login is taken.
async fn insert(connection: &mut WriterConnection, player: &PlayerRow) -> Result<bool, StoreError> {
    let skeleton = player.login.as_ref().map(|_| names::skeleton(&player.name));
    let added = sqlx::query(
        "INSERT INTO players (id, name, kind, login, password, epoch, created, seen, skeleton) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8) ON CONFLICT DO NOTHING",
    )
    .bind(&player.id)
    .bind(&player.name)
    .bind(Word(player.kind).to_string())
    .bind(player.login.as_deref())
    .bind(player.password.as_ref().map(|password| password.0.as_str()))
    .bind(player.epoch)
    .bind(player.created)
    .bind(skeleton)
    .execute(connection)
    .await?;
    Ok(added.rows_affected() > 0)
}

impl Store {
    /// Stores a new player. False if the login is taken.
    pub(crate) async fn add_player(&self, player: &PlayerRow) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let is_added = insert(&mut transaction, player).await?;
        transaction.commit().await?;
        Ok(is_added)
    }

    /// Stores a new player with an account, signed in on one device. False if the login is taken.
    pub(crate) async fn add_account(
        &self,
        player: &PlayerRow,
        session: &NewSession,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let is_added = insert(&mut transaction, player).await?;
        if is_added {
            session.insert(&mut transaction, &player.id).await?;
        }
        transaction.commit().await?;
        Ok(is_added)
    }

    /// The player with this name: the owner of the account that signs in with it, or else the guest or bot
    /// of this name who was here last.
    pub(crate) async fn player_named(&self, name: &str) -> Result<Option<PlayerRow>, StoreError> {
        let owner = sqlx::query("SELECT * FROM players WHERE login = $1")
            .bind(name.to_lowercase())
            .fetch_optional(self.database.readers())
            .await?;
        if let Some(owner) = owner {
            return PlayerRow::read(&owner).map(Some);
        }
        let row = sqlx::query(
            "SELECT * FROM players WHERE name = $1 AND deleted IS NULL ORDER BY seen DESC LIMIT 1",
        )
        .bind(name)
        .fetch_optional(self.database.readers())
        .await?;
        row.as_ref().map(PlayerRow::read).transpose()
    }

    /// A player by id, even if deleted.
    pub(crate) async fn player(&self, id: &str) -> Result<Option<PlayerRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM players WHERE id = $1")
            .bind(id)
            .fetch_optional(self.database.readers())
            .await?;
        row.as_ref().map(PlayerRow::read).transpose()
    }

    /// Changes the name of a player.
    pub(crate) async fn rename(&self, id: &str, name: &str) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("UPDATE players SET name = $1 WHERE id = $2 AND deleted IS NULL")
            .bind(name)
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(())
    }

    /// A player who has been neither deleted nor closed, and when they were last seen.
    pub(crate) async fn authenticated_player(
        &self,
        id: &str,
    ) -> Result<Option<Authenticated>, StoreError> {
        let row = sqlx::query(
            "SELECT * FROM players WHERE id = $1 AND deleted IS NULL AND closed IS NULL",
        )
        .bind(id)
        .fetch_optional(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            Ok(Authenticated { player: PlayerRow::read(row)?, seen: Some(row.try_get("seen")?) })
        };
        row.as_ref().map(read).transpose()
    }

    /// The player with a login.
    pub(crate) async fn account(&self, login: &str) -> Result<Option<PlayerRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM players WHERE login = $1 AND deleted IS NULL")
            .bind(login)
            .fetch_optional(self.database.readers())
            .await?;
        row.as_ref().map(PlayerRow::read).transpose()
    }

    /// Whether an account signs in with this login, or with a name that looks like this one.
    pub(crate) async fn is_login_taken(&self, login: &str, name: &str) -> Result<bool, StoreError> {
        let row = sqlx::query("SELECT id FROM players WHERE login = $1 OR skeleton = $2")
            .bind(login)
            .bind(names::skeleton(name))
            .fetch_optional(self.database.readers())
            .await?;
        Ok(row.is_some())
    }

    /// Gives a player a login and a password, and signs one device in.
    pub(crate) async fn make_account(
        &self,
        id: &str,
        name: &str,
        login: &str,
        password: &PasswordHash,
        session: &NewSession,
    ) -> Result<NewAccount, StoreError> {
        let mut transaction = self.database.write().await?;
        let done = sqlx::query(
            "UPDATE players SET name = $1, login = $2, password = $3, skeleton = $5, epoch = epoch + 1, \
             kind = CASE WHEN kind = 'guest' THEN 'account' ELSE kind END \
             WHERE id = $4 AND login IS NULL AND deleted IS NULL RETURNING epoch",
        )
        .bind(name)
        .bind(login)
        .bind(&password.0)
        .bind(id)
        .bind(names::skeleton(name))
        .fetch_optional(&mut *transaction)
        .await;
        match done {
            Ok(Some(row)) => {
                session.insert(&mut transaction, id).await?;
                transaction.commit().await?;
                self.erasure.request();
                Ok(NewAccount::Done { epoch: row.try_get("epoch")? })
            }
            Ok(None) => {
                transaction.roll_back().await?;
                Ok(NewAccount::HasAccount)
            }
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
                transaction.roll_back().await?;
                Ok(NewAccount::NameTaken)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Stores the skeletons of accounts that were created before there were any. Where two accounts look
    /// alike, both stay as they are, and nobody else can take such a name.
    pub(super) async fn complete_skeletons(&self) -> Result<(), StoreError> {
        let without = sqlx::query(
            "SELECT id, login FROM players WHERE login IS NOT NULL AND skeleton IS NULL ORDER BY created",
        )
        .fetch_all(self.database.readers())
        .await?;
        for row in without {
            let skeleton = names::skeleton(&row.try_get::<String, _>("login")?);
            let mut transaction = self.database.write().await?;
            sqlx::query(
                "UPDATE players SET skeleton = $1 WHERE id = $2 AND skeleton IS NULL AND NOT EXISTS \
                 (SELECT 1 FROM players WHERE skeleton = $1)",
            )
            .bind(skeleton)
            .bind(row.try_get::<String, _>("id")?)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Changes the password, invalidates all cookies and ends all sessions but one. False if the epoch is
    /// no longer the expected one.
    pub(crate) async fn set_password(
        &self,
        id: &str,
        epoch: i64,
        password: &PasswordHash,
        session: Option<&str>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let done = sqlx::query(
            "UPDATE players SET password = $1, epoch = epoch + 1 \
             WHERE id = $2 AND epoch = $3 AND deleted IS NULL",
        )
        .bind(&password.0)
        .bind(id)
        .bind(epoch)
        .execute(&mut *transaction)
        .await?;
        if done.rows_affected() > 0 {
            sqlx::query("DELETE FROM sessions WHERE player = $1 AND id <> $2")
                .bind(id)
                .bind(session.unwrap_or_default())
                .execute(&mut *transaction)
                .await?;
            // An intruder with the old password may have requested links.
            sqlx::query("DELETE FROM mail_links WHERE player = $1")
                .bind(id)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        self.erasure.request();
        Ok(done.rows_affected() > 0)
    }

    /// Deletes the personal data of a player in one transaction. The row stays, without a name: games refer
    /// to it. Returns the challenges that were closed.
    pub(crate) async fn delete_player(
        &self,
        id: &str,
        now: i64,
    ) -> Result<Vec<String>, StoreError> {
        let mut transaction = self.database.write().await?;
        // Before anything is read: a challenge made meanwhile waits for this, or this for it.
        lock_player(&mut transaction, id).await?;
        let open = sqlx::query(
            "SELECT id FROM challenges WHERE (creator = $1 OR opponent = $1) AND state = 'open'",
        )
        .bind(id)
        .fetch_all(&mut *transaction)
        .await?;
        for statement in [
            "UPDATE challenges SET state = 'cancelled', network = NULL \
             WHERE creator = $1 AND state = 'open'",
            "UPDATE challenges SET state = 'declined', network = NULL \
             WHERE opponent = $1 AND state = 'open'",
            "DELETE FROM tokens WHERE player = $1",
            "DELETE FROM pushes WHERE player = $1",
            "DELETE FROM puzzles_solved WHERE player = $1",
            "DELETE FROM mail_addresses WHERE player = $1",
            "DELETE FROM mail_links WHERE player = $1",
            "DELETE FROM mails WHERE player = $1",
            "DELETE FROM passkeys WHERE player = $1",
            "DELETE FROM passkey_challenges WHERE player = $1",
            "DELETE FROM sessions WHERE player = $1",
            "DELETE FROM acquaintances WHERE player = $1 OR other = $1",
            "DELETE FROM waiting WHERE player = $1",
            "DELETE FROM conditional_moves WHERE player = $1",
            "DELETE FROM vacations WHERE player = $1",
            "DELETE FROM own_games WHERE player = $1",
            "DELETE FROM talk WHERE player = $1",
            "DELETE FROM mutes WHERE player = $1 OR other = $1",
            "DELETE FROM reports WHERE reporter = $1 OR accused = $1",
            "UPDATE reviews SET player = NULL WHERE player = $1",
            "DELETE FROM explored WHERE scope = $1",
        ] {
            sqlx::query(statement).bind(id).execute(&mut *transaction).await?;
        }
        sqlx::query(
            "UPDATE players SET name = '', login = NULL, skeleton = NULL, password = NULL, \
             epoch = epoch + 1, show_presence = 1, here_until = NULL, deleted = $2 WHERE id = $1 AND deleted IS NULL",
        )
        .bind(id)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        self.erasure.request_for_account();
        open.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// Stores when players, sessions and tokens were last seen. With thousands of them that takes a while, so
    /// others have their turn in between.
    pub(crate) async fn set_seen(
        &self,
        players: &[(String, i64)],
        sessions: &[(String, i64)],
        tokens: &[(String, i64)],
    ) -> Result<(), StoreError> {
        let at_once = self.database.kind().rows_in_order();
        for (statement, seen) in [
            (&SET_PLAYERS_SEEN, players),
            (&SET_SESSIONS_USED, sessions),
            (&SET_TOKENS_USED, tokens),
        ] {
            for some in seen.chunks(MAX_SEEN) {
                let mut transaction = self.database.write_behind().await?;
                for (text, rows) in statement.split(some, at_once) {
                    let mut query = sqlx::query(text);
                    for (key, at) in rows {
                        query = query.bind(key).bind(at);
                    }
                    query.execute(&mut *transaction).await?;
                }
                transaction.commit().await?;
            }
        }
        Ok(())
    }
}
