//! Reports, for administrators: the message, its author, and what is done about it.

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
        self.database.truncate_log().await?;
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
        self.database.truncate_log().await?;
        Ok(removed.rows_affected())
    }
}
