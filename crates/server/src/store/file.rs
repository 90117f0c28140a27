//! Files of SQLite: who may read them, copies, and whether a copy can be used.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, ConnectOptions, Connection, Row};
use stoa_rules::Game;
use stoa_wire::{GameEvent, TimeControl};

use super::ownership::Ownership;
use super::{Access, Kind, StoreError, migrations};
use crate::play::Play;

/// What a copy of a database holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupReport {
    /// The version of its schema.
    pub schema: i64,
    /// The number of players.
    pub players: i64,
    /// The number of games.
    pub games: i64,
    /// The number of events of all games.
    pub events: i64,
}

fn failed(what: impl Into<String>) -> impl FnOnce(io::Error) -> StoreError {
    let what = what.into();
    move |why| StoreError::File { what, why }
}

fn unusable(file: &Path, why: impl Into<String>) -> StoreError {
    StoreError::Unusable { file: file.display().to_string(), why: why.into() }
}

/// Creates a file that only its owner may read; fails if it exists.
pub(super) fn create_private(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Gives a new file to the user whom the database in this place belongs to, or the folder if there is none: root
/// restores databases for servers that run as somebody else.
pub(super) fn give_to_owner(file: &fs::File, database: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty());
        let places = [database, folder.unwrap_or(Path::new("."))];
        // What root made there, as an earlier version did when it restored, says nothing.
        let mut owners = places.iter().flat_map(fs::metadata).filter(|found| found.uid() != 0);
        let made = file.metadata()?;
        if made.uid() == 0
            && let Some(owner) = owners.next()
        {
            fchown(file, Some(owner.uid()), Some(owner.gid()))?;
        }
    }
    #[cfg(not(unix))]
    let _ = (file, database);
    Ok(())
}

/// Makes sure that strangers cannot read the database: a new file is its owner's alone, and so is an old one that
/// everybody could use, as files are unless somebody sees to it. A group that alone has rights was given them on
/// purpose, and keeps them. SQLite gives the files beside it the same rights.
pub(super) fn protect(file: &Path) -> Result<(), StoreError> {
    match create_private(file) {
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(why) => return Err(failed(format!("create the database {}", file.display()))(why)),
    }
    #[cfg(unix)]
    for file in with_log(file) {
        use std::os::unix::fs::PermissionsExt;
        let Ok(found) = fs::metadata(&file) else { continue };
        let mode = found.permissions().mode();
        if mode & 0o007 != 0
            && let Err(error) = fs::set_permissions(&file, PermissionsExt::from_mode(mode & !0o077))
        {
            tracing::warn!(%error, file = %file.display(), "everyone on this machine can read the database");
        }
    }
    Ok(())
}

/// A database file and the files that SQLite keeps beside it.
fn with_log(file: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|suffix| {
        let mut name = file.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

async fn open(url: &str) -> Result<AnyConnection, StoreError> {
    sqlx::any::install_default_drivers();
    let options = AnyConnectOptions::from_str(url)?;
    Ok(options.connect().await?)
}

/// Copies an SQLite database to a new file while servers may be using it, and checks the copy. The database
/// must exist; it is not migrated.
///
/// # Errors
/// If there is no such database, it is not one of Stoa's, or the file exists or cannot be written.
pub async fn back_up(database: &str, to: &Path) -> Result<BackupReport, StoreError> {
    let kind = Kind::of(database)?;
    if kind == Kind::Postgres {
        return Err(StoreError::NotSqlite);
    }
    let from = kind.file(database);
    if !from.is_file() {
        return Err(StoreError::Missing(from.display().to_string()));
    }
    if to.exists() {
        let why = io::Error::from(io::ErrorKind::AlreadyExists);
        return Err(failed(format!("write {}", to.display()))(why));
    }
    let mut connection = open(&kind.url(database, Access::Existing)).await?;
    let copied = async {
        sqlx::query("PRAGMA busy_timeout = 5000").execute(&mut connection).await?;
        schema(&from, &mut connection).await?;
        // Under another name until it is complete, so that nobody takes half a copy for a whole one.
        let part = part_of(to);
        create_private(&part).map_err(failed(format!("write {}", part.display())))?;
        let done = copy_into(&mut connection, &part, to).await;
        if done.is_err() {
            let _ = fs::remove_file(&part);
        }
        done
    };
    let copied = copied.await;
    let _ = connection.close().await;
    copied
}

async fn copy_into(
    connection: &mut AnyConnection,
    part: &Path,
    to: &Path,
) -> Result<BackupReport, StoreError> {
    sqlx::query("VACUUM INTO $1")
        .bind(part.to_string_lossy().into_owned())
        .execute(connection)
        .await?;
    let mut copy = open(&read_only(part)).await?;
    let report = check_structure(part, &mut copy).await;
    let _ = copy.close().await;
    let report = report?;
    publish(part, to)?;
    Ok(report)
}

/// Syncs a file that was written under another name, and renames it. An existing file stays.
fn publish(part: &Path, to: &Path) -> Result<(), StoreError> {
    let write = || {
        fs::File::open(part)?.sync_all()?;
        fs::hard_link(part, to)?;
        fs::remove_file(part)?;
        sync_folder(to)
    };
    write().map_err(failed(format!("write {}", to.display())))
}

/// Syncs the folder of a file, so that its name is on the disk.
fn sync_folder(file: &Path) -> io::Result<()> {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => fs::File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

fn part_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{}.part", crate::ids::short()));
    PathBuf::from(name)
}

/// An address by which a file is read and never written, not even its log.
fn read_only(file: &Path) -> String {
    let file = file.to_string_lossy().replace('%', "%25").replace('?', "%3f");
    format!("sqlite://{file}?mode=ro&immutable=true")
}

/// Checks whether a copy of a database can be used: that the file is whole, that this program knows its
/// schema, and that every game can be replayed from its first event to the state in its row. Nothing is
/// changed.
///
/// # Errors
/// What is wrong with it.
pub async fn check_backup(file: &Path) -> Result<BackupReport, StoreError> {
    let mut head = [0; 16];
    let opened = fs::File::open(file).map_err(failed(format!("read {}", file.display())))?;
    let read = opened.take(16).read_exact(&mut head);
    if read.is_err() || head != *b"SQLite format 3\0" {
        return Err(unusable(file, "it is not a file of SQLite"));
    }
    let mut connection = open(&read_only(file)).await?;
    let checked = async {
        let report = check_structure(file, &mut connection).await?;
        check_games(file, &mut connection).await?;
        Ok(report)
    };
    let checked = checked.await;
    let _ = connection.close().await;
    checked
}

/// The version of the schema of a database that is Stoa's.
async fn schema(file: &Path, connection: &mut AnyConnection) -> Result<i64, StoreError> {
    let tables = sqlx::query(
        "SELECT COUNT(*) AS n FROM sqlite_master WHERE type = 'table' \
         AND name IN ('_sqlx_migrations', 'players', 'games', 'events')",
    )
    .fetch_one(&mut *connection)
    .await;
    let tables: i64 = match tables {
        Ok(row) => row.try_get("n")?,
        Err(error) => return Err(unusable(file, error.to_string())),
    };
    if tables < 4 {
        return Err(unusable(file, "it has no games of Stoa in it"));
    }
    let row = sqlx::query("SELECT MAX(version) AS version FROM _sqlx_migrations WHERE success");
    Ok(row.fetch_one(connection).await?.try_get("version")?)
}

async fn check_structure(
    file: &Path,
    connection: &mut AnyConnection,
) -> Result<BackupReport, StoreError> {
    let schema = schema(file, connection).await?;
    if schema > migrations::NEWEST {
        return Err(StoreError::Newer { found: schema, known: migrations::NEWEST });
    }
    let found = sqlx::query("PRAGMA integrity_check").fetch_all(&mut *connection).await?;
    let first: String = found.first().map_or(Ok(String::new()), |row| row.try_get(0))?;
    if first != "ok" {
        return Err(unusable(file, format!("it is damaged: {first}")));
    }
    let orphans = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut *connection).await?;
    if !orphans.is_empty() {
        return Err(unusable(
            file,
            format!("{} rows refer to rows that are missing", orphans.len()),
        ));
    }
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM players) AS players, (SELECT COUNT(*) FROM games) AS games, \
         (SELECT COUNT(*) FROM events) AS events",
    )
    .fetch_one(connection)
    .await?;
    Ok(BackupReport {
        schema,
        players: row.try_get("players")?,
        games: row.try_get("games")?,
        events: row.try_get("events")?,
    })
}

/// Replays every game.
async fn check_games(file: &Path, connection: &mut AnyConnection) -> Result<(), StoreError> {
    let games =
        sqlx::query("SELECT id, game, control, created, version, ply FROM games ORDER BY id")
            .fetch_all(&mut *connection)
            .await?;
    for row in games {
        let id: String = row.try_get("id")?;
        let bad = |why: String| unusable(file, format!("game {id}: {why}"));
        let game: Game =
            row.try_get::<String, _>("game")?.parse().map_err(|error| bad(format!("{error}")))?;
        let control: TimeControl = serde_json::from_str(&row.try_get::<String, _>("control")?)
            .map_err(|error| bad(error.to_string()))?;
        let mut play = Play::new(game, control, row.try_get("created")?);
        let events = sqlx::query("SELECT seq, at, body FROM events WHERE game = $1 ORDER BY seq")
            .bind(&id)
            .fetch_all(&mut *connection)
            .await?;
        for event in events {
            let seq: i64 = event.try_get("seq")?;
            if seq != play.version + 1 {
                return Err(bad(format!("event {} is missing", play.version + 1)));
            }
            let body: GameEvent = serde_json::from_str(&event.try_get::<String, _>("body")?)
                .map_err(|error| bad(format!("event {seq}: {error}")))?;
            play.apply(&body, event.try_get("at")?).map_err(|misfit| bad(misfit.to_string()))?;
        }
        let (version, ply): (i64, i64) = (row.try_get("version")?, row.try_get("ply")?);
        if play.version != version || i64::try_from(play.ply()).ok() != Some(ply) {
            return Err(bad(format!(
                "its events lead to version {} with {} moves, its row says version {version} with {ply}",
                play.version,
                play.ply()
            )));
        }
    }
    Ok(())
}

/// Replaces an SQLite database by a copy, which is checked first. The old database is kept under another
/// name, which is returned; nothing if there was none.
///
/// # Errors
/// If the copy cannot be used, or a server is using the database.
pub async fn restore(from: &Path, database: &str) -> Result<Option<PathBuf>, StoreError> {
    let kind = Kind::of(database)?;
    if kind == Kind::Postgres {
        return Err(StoreError::NotSqlite);
    }
    // No server starts meanwhile.
    let _ownership = Ownership::take(database, false).map_err(|error| match error {
        StoreError::Owned(file) => StoreError::InUse(file),
        error => error,
    })?;
    check_backup(from).await?;
    let to = kind.file(database);
    let part = part_of(&to);
    let copy = || {
        let mut copy = create_private(&part)?;
        give_to_owner(&copy, &to)?;
        io::copy(&mut fs::File::open(from)?, &mut copy)?;
        Ok(())
    };
    if let Err(why) = copy() {
        let _ = fs::remove_file(&part);
        return Err(failed(format!("write {}", part.display()))(why));
    }
    let replaced = replace(&to, &part, &kind.url(database, Access::Existing)).await;
    if replaced.is_err() {
        let _ = fs::remove_file(&part);
    }
    replaced
}

async fn replace(to: &Path, part: &Path, url: &str) -> Result<Option<PathBuf>, StoreError> {
    let is_there = to.exists();
    if is_there {
        refuse_if_in_use(to, url).await?;
    }
    let mut name = to.as_os_str().to_owned();
    name.push(format!(".before-restore-{}", crate::ids::short()));
    let old = PathBuf::from(name);
    // A log without its database goes, too: SQLite would take it for that of the copy.
    move_with_log(to, &old)?;
    let put = || {
        fs::File::open(part)?.sync_all()?;
        fs::rename(part, to)?;
        sync_folder(to)
    };
    if let Err(why) = put() {
        // Otherwise the next start would create an empty one.
        move_with_log(&old, to)?;
        return Err(failed(format!("write {}", to.display()))(why));
    }
    Ok(is_there.then_some(old))
}

/// Moves those files of a database that there are: all of them or none.
fn move_with_log(from: &Path, to: &Path) -> Result<(), StoreError> {
    let mut moved = Vec::new();
    for (from, to) in with_log(from).into_iter().zip(with_log(to)) {
        match fs::rename(&from, &to) {
            Ok(()) => moved.push((from, to)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(why) => {
                for (from, to) in moved {
                    fs::rename(&to, &from)
                        .map_err(failed(format!("move {} back", to.display())))?;
                }
                let what = format!("move {} to {}", from.display(), to.display());
                return Err(failed(what)(why));
            }
        }
    }
    Ok(())
}

/// Leaving the write-ahead log takes the only connection to a database, so it fails if there are others. A
/// file that is no database is used by nobody.
async fn refuse_if_in_use(file: &Path, url: &str) -> Result<(), StoreError> {
    let Ok(mut connection) = open(url).await else { return Ok(()) };
    let alone = sqlx::query("PRAGMA journal_mode = DELETE").fetch_optional(&mut connection).await;
    let _ = connection.close().await;
    match alone {
        Err(error) if error.to_string().contains("locked") => {
            Err(StoreError::InUse(file.display().to_string()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Store;
    use super::*;

    async fn made(file: &Path) {
        Store::open(&file.to_string_lossy()).await.expect("a database").close().await;
    }

    fn names(folder: &Path) -> Vec<String> {
        let files = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<String> =
            files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn a_database_that_cannot_be_replaced_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db");
        made(&file).await;
        let url = Kind::Sqlite.url(&file.to_string_lossy(), Access::Existing);
        // What cannot be put in its place is not even there.
        let part = folder.path().join("stoa.db.x.part");
        replace(&file, &part, &url).await.expect_err("nothing to put there");
        assert_eq!(names(folder.path()), ["stoa.db"]);
        check_backup(&file).await.expect("the database that was there");
    }

    #[tokio::test]
    async fn only_a_database_without_a_server_is_replaced() {
        let [folder, elsewhere] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let [file, copy] = [folder.path().join("stoa.db"), elsewhere.path().join("copy.db")];
        made(&copy).await;
        let address = file.to_string_lossy().into_owned();
        let ownership = Ownership::take(&address, false).expect("a server");
        let refused = restore(&copy, &address).await.expect_err("a server is starting");
        assert!(matches!(refused, StoreError::InUse(_)), "{refused}");
        drop(ownership);
        // Of a database that somebody has moved away.
        fs::write(folder.path().join("stoa.db-wal"), b"its log").expect("written");
        assert_eq!(restore(&copy, &address).await.expect("restored"), None);
        let bytes = [&file, &copy].map(|file| fs::read(file).expect("a database"));
        assert!(bytes[0] == bytes[1], "it is the copy");
        let left = names(folder.path());
        assert!(!left.iter().any(|name| name == "stoa.db-wal"), "{left:?}");
        let old = restore(&copy, &address).await.expect("restored").expect("the one before");
        check_backup(&old).await.expect("a database");
    }

    /// Root restores; the server runs as another user. Without root, all of it belongs to whoever tests.
    #[cfg(unix)]
    #[tokio::test]
    async fn a_restored_database_belongs_to_whom_its_folder_belongs_to() {
        use std::os::unix::fs::{MetadataExt, chown};
        let [folder, elsewhere] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let [file, copy] = [folder.path().join("stoa.db"), elsewhere.path().join("copy.db")];
        made(&copy).await;
        let is_root = chown(folder.path(), Some(4711), Some(4712)).is_ok();
        let address = file.to_string_lossy().into_owned();
        let owners = || {
            names(folder.path())
                .into_iter()
                .map(|name| {
                    let found = fs::metadata(folder.path().join(&name)).expect("a file");
                    (name, found.uid(), found.gid())
                })
                .collect::<Vec<_>>()
        };
        let owner = fs::metadata(folder.path()).expect("a folder");
        let all_of =
            |uid, gid| ["stoa.db", "stoa.db-lock"].map(|name| (name.to_owned(), uid, gid)).to_vec();
        restore(&copy, &address).await.expect("restored");
        assert_eq!(owners(), all_of(owner.uid(), owner.gid()));
        if !is_root {
            return;
        }
        // As an earlier version left it.
        chown(&file, Some(0), Some(0)).expect("root");
        let old = restore(&copy, &address).await.expect("restored").expect("the one before");
        fs::remove_file(old).expect("removed");
        assert_eq!(owners(), all_of(4711, 4712));
        // A folder of root's in which the server's group may write.
        chown(folder.path(), Some(0), Some(4712)).expect("root");
        let old = restore(&copy, &address).await.expect("restored").expect("the one before");
        fs::remove_file(old).expect("removed");
        assert_eq!(owners(), all_of(4711, 4712), "as the one before");
    }
}
