//! Reports, for administrators: the message, its author, and what is done about it.

use std::time::Duration;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::administration::{Administration, AdministrationError};

/// A report of a player. Times are in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Identifies the report.
    pub id: String,
    /// When it was made.
    pub at: i64,
    /// The name of the reporter.
    pub reporter: String,
    /// The name of the accused.
    pub accused: String,
    /// The id of the accused, by which the account can be closed.
    pub accused_id: String,
    /// The id of the game that it is about, if it is about one.
    pub game: Option<String>,
    /// Whether it is about a message.
    pub is_about_text: bool,
    /// The message: a text, or the id of a phrase. Nothing if it has been removed.
    pub said: Option<String>,
    /// The reporter's own words.
    pub reason: String,
}

impl Report {
    fn read(row: &AnyRow) -> Result<Report, sqlx::Error> {
        let text: Option<String> = row.try_get("text")?;
        let phrase: Option<String> = row.try_get("phrase")?;
        Ok(Report {
            id: row.try_get("id")?,
            at: row.try_get("at")?,
            reporter: row.try_get("reporter_name")?,
            accused: row.try_get("accused_name")?,
            accused_id: row.try_get("accused")?,
            game: row.try_get("game")?,
            is_about_text: row.try_get::<Option<String>, _>("message")?.is_some(),
            said: text.or(phrase),
            reason: row.try_get("reason")?,
        })
    }
}

/// How often the log is tried to be truncated, and how long to wait in between.
const MAX_ERASURES: u32 = 40;
const ERASURE_PAUSE: Duration = Duration::from_millis(250);

impl Administration {
    /// All reports that nobody has dealt with, oldest first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn reports(&self) -> Result<Vec<Report>, AdministrationError> {
        let rows = sqlx::query(
            "SELECT r.*, a.name AS reporter_name, b.name AS accused_name, t.text, t.phrase \
             FROM reports r JOIN players a ON a.id = r.reporter JOIN players b ON b.id = r.accused \
             LEFT JOIN talk t ON t.id = r.message ORDER BY r.at, r.id",
        )
        .fetch_all(self.database.readers())
        .await?;
        Ok(rows.iter().map(Report::read).collect::<Result<_, _>>()?)
    }

    /// Deletes a report; with `remove`, also the message. Returns the number of removed texts.
    ///
    /// # Errors
    /// If there is no such report, or the database fails.
    pub async fn settle_report(&self, id: &str, remove: bool) -> Result<u64, AdministrationError> {
        let mut transaction = self.database.write().await?;
        let mut removed = 0;
        if remove {
            let text = sqlx::query(
                "DELETE FROM talk WHERE id = (SELECT message FROM reports WHERE id = $1)",
            );
            removed = text.bind(id).execute(&mut *transaction).await?.rows_affected();
        }
        let settled = sqlx::query("DELETE FROM reports WHERE id = $1").bind(id);
        if settled.execute(&mut *transaction).await?.rows_affected() == 0 {
            transaction.roll_back().await?;
            return Err(AdministrationError::NoReport(id.to_owned()));
        }
        transaction.commit().await?;
        self.erase().await?;
        Ok(removed)
    }

    /// Removes everything that a player has said in games; returns how much that was.
    ///
    /// # Errors
    /// If there is no such account, or the database fails.
    pub async fn remove_texts(&self, name: &str) -> Result<u64, AdministrationError> {
        let account = self.account(name).await?;
        let mut transaction = self.database.write().await?;
        let removed = sqlx::query("DELETE FROM talk WHERE player = $1")
            .bind(&account.id)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.erase().await?;
        Ok(removed.rows_affected())
    }

    /// Erases what was deleted from the log of SQLite, which a server keeps for long. While somebody writes or reads an
    /// earlier state, it is tried again.
    async fn erase(&self) -> Result<(), AdministrationError> {
        for _ in 0..MAX_ERASURES {
            if self.database.truncate_log().await? {
                return Ok(());
            }
            tokio::time::sleep(ERASURE_PAUSE).await;
        }
        Err(AdministrationError::NotErased)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PlayerRow, Store};
    use super::*;

    #[tokio::test]
    async fn what_is_removed_is_erased_when_nobody_reads_it_any_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        assert!(store.add_player(&PlayerRow::for_test("p")).await.expect("a database"));
        store.close().await;
        // In the place of a server.
        let server = Administration::open(&file).await.expect("a database");
        let mut transaction = server.database.write().await.expect("a transaction");
        sqlx::query(
            "INSERT INTO reports (id, reporter, accused, reason, at) VALUES ('r', 'p', 'p', 'rude', 1)",
        )
        .execute(&mut *transaction)
        .await
        .expect("a report");
        transaction.commit().await.expect("a commit");
        let mut reader = server.database.readers().acquire().await.expect("a reader");
        sqlx::raw_sql("BEGIN; SELECT * FROM reports").execute(&mut *reader).await.expect("rows");
        let reads = async {
            tokio::time::sleep(2 * ERASURE_PAUSE).await;
            sqlx::raw_sql("COMMIT").execute(&mut *reader).await.expect("read");
        };
        let administration = Administration::open(&file).await.expect("beside a server");
        let (settled, ()) = tokio::join!(administration.settle_report("r", true), reads);
        assert_eq!(settled.expect("settled"), 0);
        let log = std::fs::metadata(format!("{file}-wal")).expect("a log").len();
        assert_eq!(log, 0);
        drop(reader);
        administration.close().await;
        server.close().await;
    }
}
