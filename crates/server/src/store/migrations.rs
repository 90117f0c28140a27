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
    use crate::ids;

    /// Databases remember what they were migrated by, and servers refuse one whose migrations have changed since.
    const RELEASED: &[(i64, &str)] = &[
        (1, "4d11f8077f527e5bb5a3554a838bdd3bf603b4e38468cf56770cb59a268f8581"),
        (2, "ded9adf447f35c5adbd7c1a81ff649f71cebdd63950a49d249a1022e03fae300"),
        (3, "73b87865f25813621e5bf2eca4027473add132a26ed0338eb659d4077ba01d03"),
        (4, "ef07f63ccd247685e3ccb92f0d5c9f19c40c83af68a472e5876ffd36414d61a1"),
        (7, "b84670d2b36c5d0ed58476e0bff5d354abc6807111a51ee9e6a1e67ee32c09c1"),
        (8, "5d097da9571249940cd196cfe3314b256eec07f08579183b0126f5a0a150e7f7"),
        (9, "eaa4247c9a446cba9d51571253616b510728049ba3d0e8d6e9890d45de7151ba"),
        (10, "70f1ae7f839d2a8f69795e704138bca53c9c08aad30d50715de4777a5de3a921"),
        (11, "fc7b01d3249e43d3b171e94d7f4f019d20d1616be046b63397581482899b074d"),
        (12, "5956f64b4c2d0e29976c239de65861ffd3fb198593084e09fb0067b16fe19469"),
        (13, "e419e7f6c284e145acb7b64aed623315e14c778edee4e5869a4d44a3947dfc58"),
        (14, "e2d8c49b6f3ea71bbc82de91342f0dfc7259310c5c39267a84d6caa5a14991c5"),
        (15, "81687f5daa91a0c25ec0efa4b4280a8895615c3030bb2bdff59664e99d0a6503"),
    ];

    #[test]
    fn what_was_released_is_never_changed() {
        for (version, name, sql) in ALL {
            let hash = ids::hash(sql);
            match RELEASED.iter().find(|(released, _)| *released == version) {
                Some((_, released)) => assert_eq!(
                    hash, *released,
                    "migration {version} ({name}) was changed, and no database that has it can be opened any \
                     more: restore the file, and put the change into a new migration"
                ),
                None => panic!("a new migration: add ({version}, \"{hash}\") to RELEASED"),
            }
        }
        assert_eq!(RELEASED.len(), ALL.len(), "a released migration is missing");
    }

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
