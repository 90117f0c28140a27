//! The migrations in `migrations/`, in their order. Released ones never change; a new one is added here.
//!
//! `sqlx::migrate!` would list them by itself, but it compiles all of sqlx and SQLite a second time.

use std::borrow::Cow;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Version, description and statements of each.
const ALL: [(i64, &str, &str); 13] = [
    (1, "start", include_str!("../../migrations/0001_start.sql")),
    (2, "shares", include_str!("../../migrations/0002_shares.sql")),
    (3, "ratings", include_str!("../../migrations/0003_ratings.sql")),
    (4, "archive", include_str!("../../migrations/0004_archive.sql")),
    (7, "administration", include_str!("../../migrations/0007_administration.sql")),
    (8, "correspondence", include_str!("../../migrations/0008_correspondence.sql")),
    (9, "talk", include_str!("../../migrations/0009_talk.sql")),
    (10, "reviews", include_str!("../../migrations/0010_reviews.sql")),
    (11, "sign in", include_str!("../../migrations/0011_sign_in.sql")),
    (12, "positions", include_str!("../../migrations/0012_positions.sql")),
    (13, "mail", include_str!("../../migrations/0013_mail.sql")),
    (14, "puzzles", include_str!("../../migrations/0014_puzzles.sql")),
    (15, "limits", include_str!("../../migrations/0015_limits.sql")),
];

/// The version of the newest.
pub(super) const NEWEST: i64 = ALL[ALL.len() - 1].0;

/// Everything that brings a database up to date.
pub(super) fn all() -> Migrator {
    let migrations = ALL.map(|(version, description, sql)| {
        let sql = sql.into_sql_str();
        Migration::new(version, Cow::Borrowed(description), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.into())
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn every_file_is_listed_by_its_number() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let names = std::fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<String> =
            names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        let listed =
            ALL.map(|(version, name, _)| format!("{version:04}_{}.sql", name.replace(' ', "_")));
        assert_eq!(names, listed);
    }
}
