//! Administration of a database that servers may be using.
//!
//! It opens an existing database and does not migrate it, so that a newer program cannot break an older one that
//! is running. Writes take SQLite's lock like those of a server; each is one short transaction. Servers read
//! what has changed within seconds.

use std::str::FromStr;

use sqlx::Row;
use sqlx::any::{AnyConnectOptions, AnyRow};

use super::challenges::lock_player;
use super::database::Database;
use super::workers::MAX_WORKER_LABEL;
use super::{Access, Kind, Store, StoreError, migrations, without_password};
use crate::limits;
use crate::names;
use crate::time::Time;

/// The longest line for all pages, in characters.
pub const MAX_BANNER_LENGTH: usize = 300;

/// A database that an administrator works on.
#[derive(Debug)]
pub struct Administration {
    pub(super) database: Database,
    time: Time,
}

/// A player as an administrator sees one. Times are in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The id, which never changes.
    pub id: String,
    /// The name that others see.
    pub name: String,
    /// What kind of player it is: guest, account or bot.
    pub kind: String,
    /// The name it signs in with; guests have none.
    pub login: Option<String>,
    /// When it was created.
    pub created: i64,
    /// When it was last seen, to the hour.
    pub seen: i64,
    /// Since when it is closed.
    pub closed: Option<i64>,
    /// How many games it plays.
    pub playing: i64,
    /// How many games it has had, those included.
    pub games: i64,
    /// How many API tokens it has.
    pub tokens: i64,
}

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum AdministrationError {
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A program of this version has not used the database yet.
    #[error(
        "the database has schema {found}, and this program needs schema {needed}: start the server of this \
         version first, which migrates it"
    )]
    Older {
        /// The schema of the database.
        found: i64,
        /// The newest schema that this program knows.
        needed: i64,
    },
    /// Nobody is called so.
    #[error("there is no account {0:?}; `stoa admin accounts list` shows them all")]
    NoAccount(String),
    /// There is no such report.
    #[error("there is no report {0:?}; `stoa admin reports` shows them all")]
    NoReport(String),
    /// Something was removed, and is still in the log.
    #[error(
        "it is removed, but the log of the database still has it, because something reads or writes there all the \
         time; it is erased when the server is started again"
    )]
    NotErased,
    /// The server's own players cannot be closed.
    #[error("{0:?} is one of the engine's levels; start the server with --engine false instead")]
    Engine(String),
    /// The label of a worker cannot be used.
    #[error("the label of a worker must be one line of at most {MAX_WORKER_LABEL} characters")]
    WorkerLabel,
    /// There is no such limit, or it cannot be changed.
    #[error("there is no limit {0:?} that can be changed; these can: {1}")]
    NoLimit(String, String),
    /// The limit is out of bounds.
    #[error("{name} may be {min} to {max}")]
    LimitBounds {
        /// The limit.
        name: &'static str,
        /// At least.
        min: i64,
        /// At most.
        max: i64,
    },
    /// The line cannot be shown.
    #[error("the line must be one line of 1 to {MAX_BANNER_LENGTH} characters")]
    Banner,
}

impl From<sqlx::Error> for AdministrationError {
    fn from(error: sqlx::Error) -> AdministrationError {
        StoreError::from(error).into()
    }
}

const ACCOUNT: &str = "SELECT p.id, p.name, p.kind, p.login, p.created, p.seen, p.closed, \
    (SELECT COUNT(*) FROM games g WHERE g.first = p.id OR g.second = p.id) AS games, \
    (SELECT COUNT(*) FROM games g WHERE (g.first = p.id OR g.second = p.id) AND g.status = 'playing') \
        AS playing, \
    (SELECT COUNT(*) FROM tokens t WHERE t.player = p.id) AS tokens \
    FROM players p WHERE p.deleted IS NULL";

impl Account {
    fn read(row: &AnyRow) -> Result<Account, sqlx::Error> {
        Ok(Account {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            kind: row.try_get("kind")?,
            login: row.try_get("login")?,
            created: row.try_get("created")?,
            seen: row.try_get("seen")?,
            closed: row.try_get("closed")?,
            playing: row.try_get("playing")?,
            games: row.try_get("games")?,
            tokens: row.try_get("tokens")?,
        })
    }
}

impl Administration {
    /// Opens a database that exists and has the newest schema; servers may be using it.
    ///
    /// # Errors
    /// If there is none, or its schema is another.
    pub async fn open(address: &str) -> Result<Administration, AdministrationError> {
        sqlx::any::install_default_drivers();
        let kind = Kind::of(address)?;
        if kind == Kind::Sqlite && !kind.file(address).is_file() {
            return Err(StoreError::Missing(kind.file(address).display().to_string()).into());
        }
        let options = AnyConnectOptions::from_str(&kind.url(address, Access::Existing))
            .map_err(|_| StoreError::Address(without_password(address)))?;
        let database = Database::open(kind, options, address).await?;
        let administration = Administration { database, time: Time::System };
        let known = migrations::NEWEST;
        match administration.schema().await {
            Ok(found) if found == known => Ok(administration),
            Ok(found) if found > known => Err(StoreError::Newer { found, known }.into()),
            Ok(found) => Err(AdministrationError::Older { found, needed: known }),
            Err(error) => {
                let file = without_password(address);
                Err(StoreError::Unusable { file, why: error.to_string() }.into())
            }
        }
    }

    pub(super) fn database(&self) -> &Database {
        &self.database
    }

    pub(super) fn now(&self) -> i64 {
        self.time.now()
    }

    async fn schema(&self) -> Result<i64, sqlx::Error> {
        let row = sqlx::query("SELECT MAX(version) AS version FROM _sqlx_migrations WHERE success")
            .fetch_one(self.database.readers())
            .await?;
        row.try_get("version")
    }

    /// Everyone who can sign in, those seen last first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn accounts(&self) -> Result<Vec<Account>, AdministrationError> {
        let query = format!("{ACCOUNT} AND p.login IS NOT NULL ORDER BY p.seen DESC, p.id");
        let rows = sqlx::query(sqlx::AssertSqlSafe(query));
        let rows = rows.fetch_all(self.database.readers()).await?;
        Ok(rows.iter().map(Account::read).collect::<Result<_, _>>()?)
    }

    /// The player who signs in with a name, or has an id, as guests do.
    ///
    /// # Errors
    /// If there is none, or the database fails.
    pub async fn account(&self, name: &str) -> Result<Account, AdministrationError> {
        // A name is looked for before an id: people choose names, and nobody chooses an id.
        let query = format!(
            "{ACCOUNT} AND (p.login = $1 OR p.id = $2) ORDER BY CASE WHEN p.login = $1 THEN 0 ELSE 1 END"
        );
        let row = sqlx::query(sqlx::AssertSqlSafe(query))
            .bind(names::login(name))
            .bind(name)
            .fetch_optional(self.database.readers())
            .await?;
        let row = row.ok_or_else(|| AdministrationError::NoAccount(name.to_owned()))?;
        Ok(Account::read(&row)?)
    }

    /// Closes an account: nobody can sign in to it, cookies and tokens no longer work, and its open
    /// challenges end. Its games stay, and its name stays taken. False if it was closed already.
    ///
    /// # Errors
    /// If there is no such account, or the database fails.
    pub async fn close_account(&self, name: &str) -> Result<bool, AdministrationError> {
        let account = self.account(name).await?;
        if crate::bots::is_engine(&account.id) {
            return Err(AdministrationError::Engine(account.name));
        }
        let mut transaction = self.database.write().await?;
        // Before anything is read: a challenge made meanwhile waits for this, or this for it.
        lock_player(&mut transaction, &account.id).await?;
        let closed = sqlx::query(
            "UPDATE players SET closed = $2, epoch = epoch + 1 \
             WHERE id = $1 AND closed IS NULL AND deleted IS NULL",
        )
        .bind(&account.id)
        .bind(self.time.now())
        .execute(&mut *transaction)
        .await?;
        if closed.rows_affected() == 0 {
            transaction.roll_back().await?;
            return Ok(false);
        }
        for statement in [
            "UPDATE challenges SET state = 'cancelled', network = NULL \
             WHERE creator = $1 AND state = 'open'",
            "UPDATE challenges SET state = 'declined', network = NULL \
             WHERE opponent = $1 AND state = 'open'",
            "DELETE FROM sessions WHERE player = $1",
        ] {
            sqlx::query(statement).bind(&account.id).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Opens a closed account again. Its owner signs in with the old password, and its tokens work again.
    /// False if it was not closed.
    ///
    /// # Errors
    /// If there is no such account, or the database fails.
    pub async fn reopen_account(&self, name: &str) -> Result<bool, AdministrationError> {
        let account = self.account(name).await?;
        let mut transaction = self.database.write().await?;
        let reopened =
            sqlx::query("UPDATE players SET closed = NULL WHERE id = $1 AND closed IS NOT NULL")
                .bind(&account.id)
                .execute(&mut *transaction)
                .await?;
        transaction.commit().await?;
        Ok(reopened.rows_affected() > 0)
    }

    /// The line that all pages show, if there is one.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn banner(&self) -> Result<Option<String>, AdministrationError> {
        Ok(read_banner(&self.database).await?)
    }

    /// Has all pages show a line of plain text, or none.
    ///
    /// # Errors
    /// If it is empty, too long or has control characters, or the database fails.
    pub async fn set_banner(&self, text: Option<&str>) -> Result<(), AdministrationError> {
        let text = text.map(str::trim);
        let is_bad = |text: &str| {
            text.is_empty()
                || text.chars().count() > MAX_BANNER_LENGTH
                || text.chars().any(char::is_control)
        };
        if text.is_some_and(is_bad) {
            return Err(AdministrationError::Banner);
        }
        let mut transaction = self.database.write().await?;
        sqlx::query("DELETE FROM banner").execute(&mut *transaction).await?;
        if let Some(text) = text {
            sqlx::query("INSERT INTO banner (id, text, at) VALUES (1, $1, $2)")
                .bind(text)
                .bind(self.time.now())
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// The limits that were changed, by name.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn changed_limits(&self) -> Result<Vec<(String, i64)>, AdministrationError> {
        Ok(read_limits(&self.database).await?)
    }

    /// Changes a limit of all servers that use this database, or resets it to their options.
    ///
    /// # Errors
    /// If there is no such limit, the value is out of bounds, or the database fails.
    pub async fn set_limit(
        &self,
        name: &str,
        value: Option<i64>,
    ) -> Result<(), AdministrationError> {
        let Some((name, min, max)) = limits::bounds(name) else {
            let all = limits::adjustable_names().join(", ");
            return Err(AdministrationError::NoLimit(name.to_owned(), all));
        };
        if value.is_some_and(|value| !(min..=max).contains(&value)) {
            return Err(AdministrationError::LimitBounds { name, min, max });
        }
        let mut transaction = self.database.write().await?;
        sqlx::query("DELETE FROM limits WHERE name = $1")
            .bind(name)
            .execute(&mut *transaction)
            .await?;
        if let Some(value) = value {
            sqlx::query("INSERT INTO limits (name, value, at) VALUES ($1, $2, $3)")
                .bind(name)
                .bind(value)
                .bind(self.time.now())
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Closes the database.
    pub async fn close(self) {
        self.database.close().await;
    }
}

async fn read_banner(database: &Database) -> Result<Option<String>, StoreError> {
    let row = sqlx::query("SELECT text FROM banner WHERE id = 1")
        .fetch_optional(database.readers())
        .await?;
    Ok(row.map(|row| row.try_get("text")).transpose()?)
}

async fn read_limits(database: &Database) -> Result<Vec<(String, i64)>, StoreError> {
    let rows = sqlx::query("SELECT name, value FROM limits ORDER BY name")
        .fetch_all(database.readers())
        .await?;
    rows.iter().map(|row| Ok((row.try_get("name")?, row.try_get("value")?))).collect()
}

impl Store {
    /// The limits that were changed, by name.
    pub(crate) async fn changed_limits(&self) -> Result<Vec<(String, i64)>, StoreError> {
        read_limits(&self.database).await
    }

    /// The line that all pages show.
    pub(crate) async fn banner(&self) -> Result<Option<String>, StoreError> {
        read_banner(&self.database).await
    }
}

#[cfg(test)]
mod tests {
    use stoa_wire::PlayerKind;

    use super::super::PlayerRow;
    use super::*;

    async fn with_zeno(folder: &tempfile::TempDir) -> (Store, String) {
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let zeno = PlayerRow {
            kind: PlayerKind::Account,
            login: Some("zeno".to_owned()),
            epoch: 4,
            created: 1,
            ..PlayerRow::for_test("z")
        };
        assert!(store.add_player(&zeno).await.expect("a database"));
        (store, file)
    }

    #[tokio::test]
    async fn a_closed_account_is_known_and_cannot_be_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, file) = with_zeno(&folder).await;
        let administration = Administration::open(&file).await.expect("beside a server");
        let found = administration.account("ZENO").await.expect("an account");
        assert_eq!((found.id.as_str(), found.closed, found.games), ("z", None, 0));
        assert!(administration.close_account("zeno").await.expect("closed"));
        assert!(!administration.close_account("z").await.expect("closed"), "by its id, and once");
        assert!(store.authenticated_player("z").await.expect("a database").is_none());
        let kept = store.account("zeno").await.expect("a database").expect("still there");
        assert!(kept.closed.is_some() && kept.epoch == 5);
        assert!(store.is_login_taken("zeno", "Zeno").await.expect("a database"));
        assert!(administration.reopen_account("zeno").await.expect("reopened"));
        assert!(!administration.reopen_account("zeno").await.expect("reopened"));
        assert!(store.authenticated_player("z").await.expect("a database").is_some());
        let nobody = administration.account("nobody").await.expect_err("nobody").to_string();
        assert!(nobody.contains("no account \"nobody\""), "{nobody}");
        assert_eq!(administration.accounts().await.expect("accounts").len(), 1);
        administration.close().await;
        store.close().await;
    }

    #[tokio::test]
    async fn a_banner_is_one_line_of_plain_text() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, file) = with_zeno(&folder).await;
        let administration = Administration::open(&file).await.expect("a database");
        assert_eq!(administration.banner().await.expect("a database"), None);
        administration.set_banner(Some(" Back at <six>. ")).await.expect("set");
        assert_eq!(store.banner().await.expect("a database").as_deref(), Some("Back at <six>."));
        for bad in ["", "  ", "two\nlines", &"x".repeat(MAX_BANNER_LENGTH + 1)] {
            assert!(administration.set_banner(Some(bad)).await.is_err(), "{bad:?}");
        }
        assert!(store.banner().await.expect("a database").is_some(), "what was there stays");
        administration.set_banner(None).await.expect("cleared");
        assert_eq!(store.banner().await.expect("a database"), None);
        administration.close().await;
        store.close().await;
    }

    #[tokio::test]
    async fn databases_that_are_missing_or_of_another_schema_are_refused_and_unchanged() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let missing = Administration::open(&file).await.expect_err("nothing").to_string();
        assert!(missing.contains("there is no database"), "{missing}");
        assert!(!folder.path().join("stoa.db").exists());
        let (store, file) = with_zeno(&folder).await;
        let newest = migrations::NEWEST;
        let newer = format!("UPDATE _sqlx_migrations SET version = 9999 WHERE version = {newest}");
        for (change, said) in [
            (newer.as_str(), "a newer version"),
            ("DELETE FROM _sqlx_migrations WHERE version = 9999", "start the server"),
            ("DROP TABLE _sqlx_migrations", "not a usable database"),
        ] {
            let mut transaction = store.database.write().await.expect("a transaction");
            let change = sqlx::AssertSqlSafe(change.to_owned());
            sqlx::query(change).execute(&mut *transaction).await.expect("changed");
            transaction.commit().await.expect("committed");
            let refused = Administration::open(&file).await.expect_err(said).to_string();
            assert!(refused.contains(said), "{refused}");
        }
        store.close().await;
    }
}
