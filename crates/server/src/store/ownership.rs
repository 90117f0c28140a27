//! A file of SQLite belongs to one server, and stays where it is.
//!
//! Two servers with one file would each have games in memory that the other changes: their players would look at
//! boards on which nothing happens. A file that is moved away or replaced takes everything with it that is written
//! from then on.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::file::{create_private, give_to_owner};
use super::{Kind, StoreError};

/// The right of a server to an SQLite file. It ends when this is dropped, or with the process.
#[derive(Debug)]
pub(crate) struct Ownership {
    lock: Option<Arc<Lock>>,
}

/// A file that is locked, or that waits for it.
#[derive(Debug)]
struct Lock {
    file: File,
    is_waiting: AtomicBool,
    is_given_up: AtomicBool,
}

impl Lock {
    fn new(file: File, is_waiting: bool) -> Arc<Lock> {
        let [is_waiting, is_given_up] = [is_waiting, false].map(AtomicBool::new);
        Arc::new(Lock { file, is_waiting, is_given_up })
    }

    fn unlock(&self) {
        // If it fails, closing the file does it.
        let _ = self.file.unlock();
    }
}

impl Ownership {
    /// Takes a database for a server. One that takes over from another gets it when that has ended.
    ///
    /// # Errors
    /// If another server has it.
    pub(crate) fn take(address: &str, takes_over: bool) -> Result<Ownership, StoreError> {
        let kind = Kind::of(address)?;
        if kind == Kind::Postgres {
            return Ok(Ownership { lock: None });
        }
        let database = kind.file(address);
        let resolved = resolved(&database);
        let path = beside(&resolved);
        let file = open(&path, &resolved).map_err(|why| {
            let what = match why.kind() {
                io::ErrorKind::NotFound => format!("create the database {}", database.display()),
                _ => format!("write {}", path.display()),
            };
            StoreError::File { what, why }
        })?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if takes_over => {
                let lock = Lock::new(file, true);
                let waiting = Arc::clone(&lock);
                // Nothing else is blocked by it, and it ends with the process at the latest.
                std::thread::spawn(move || {
                    if let Err(error) = waiting.file.lock() {
                        tracing::warn!(%error, "cannot lock the database");
                    }
                    waiting.is_waiting.store(false, Ordering::SeqCst);
                    if waiting.is_given_up.load(Ordering::SeqCst) {
                        waiting.unlock();
                    }
                });
                return Ok(Ownership { lock: Some(lock) });
            }
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Owned(database.display().to_string()));
            }
            // Some file systems cannot lock.
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, file = %path.display(), "cannot lock the database");
            }
        }
        Ok(Ownership { lock: Some(Lock::new(file, false)) })
    }

    /// Says whether another server, from which this one takes over, still has the database, as far as can be told: any
    /// number of servers use Postgres.
    pub(crate) fn predecessor(&self) -> impl Fn() -> bool + Send + use<> {
        let lock = self.lock.clone();
        move || lock.as_ref().is_some_and(|lock| lock.is_waiting.load(Ordering::SeqCst))
    }
}

/// To close the file would not be enough: a child process that is just being started has it, too, for a moment.
impl Drop for Ownership {
    fn drop(&mut self) {
        if let Some(lock) = &self.lock {
            lock.is_given_up.store(true, Ordering::SeqCst);
            lock.unlock();
        }
    }
}

/// The same path for everyone who means this file, whether it exists or not.
fn resolved(database: &Path) -> PathBuf {
    let folder = |file: &Path| {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(file.file_name()?))
    };
    let found = database.canonicalize().ok().or_else(|| folder(database));
    found.unwrap_or_else(|| database.to_owned())
}

/// The file whose lock says that a server has the database. It is never deleted, because another server may be about
/// to lock it.
fn beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-lock");
    PathBuf::from(name)
}

fn open(path: &Path, database: &Path) -> io::Result<File> {
    match create_private(path) {
        Ok(file) => give_to_owner(&file, database).map(|()| file),
        // One that is there keeps its owner: it may be a link to anything.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            File::options().write(true).open(path)
        }
        Err(why) => Err(why),
    }
}

/// A file as it was when it was opened.
#[derive(Debug, Clone)]
pub(super) struct KnownFile {
    path: PathBuf,
    identity: Option<Identity>,
}

/// What tells a file from another one at the same path.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = ();

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(drop)
}

impl KnownFile {
    pub(super) fn at(path: PathBuf) -> KnownFile {
        let identity = identity(&path).ok();
        KnownFile { path, identity }
    }

    /// That the file is still there. What is written to one that has gone would be lost with the process.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match identity(&self.path) {
            Ok(found) if self.identity.is_none_or(|known| known == found) => Ok(()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Ok(()),
            _ => Err(StoreError::Replaced(self.path.display().to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Store;
    use super::*;

    #[test]
    fn a_database_has_one_server_until_another_takes_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let address = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let first = Ownership::take(&address, false).expect("the first");
        let refused = Ownership::take(&address, false).expect_err("the second").to_string();
        assert!(refused.contains("another server"), "{refused}");
        let successor = Ownership::take(&address, true).expect("a successor");
        let is_there = successor.predecessor();
        assert!(is_there() && !first.predecessor()());
        drop(first);
        let waited = (0..1000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            Ownership::take(&address, false).is_err()
        });
        assert!(waited, "the successor has it now");
        while is_there() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        drop(successor);
    }

    /// What a child process has between fork and exec.
    #[test]
    fn a_copy_of_the_file_does_not_keep_the_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let address = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let first = Ownership::take(&address, false).expect("the first");
        let copy = first.lock.as_ref().expect("a lock").file.try_clone().expect("a copy");
        drop(first);
        let second = Ownership::take(&address, false).expect("the second");
        drop(copy);
        assert!(Ownership::take(&address, false).is_err(), "the second has it");
        drop(second);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_the_same_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, linked] =
            ["data/stoa.db", "link.db", "other/stoa.db"].map(|name| folder.path().join(name));
        fs::create_dir(folder.path().join("data")).expect("a folder");
        std::os::unix::fs::symlink(folder.path().join("data"), folder.path().join("other"))
            .expect("a link");
        let take = |path: &Path| Ownership::take(&path.to_string_lossy(), false);
        let before = take(&file).expect("a file that will be made");
        assert!(take(&linked).is_err());
        drop(before);
        File::create(&file).expect("a file");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        let first = take(&link).expect("a file");
        assert!(take(&file).is_err());
        assert!(take(&linked).is_err());
        drop(first);
    }

    #[test]
    fn a_folder_that_is_missing_is_no_matter_of_locks() {
        let folder = tempfile::tempdir().expect("a folder");
        let address = folder.path().join("missing/stoa.db").to_string_lossy().into_owned();
        let refused = Ownership::take(&address, false).expect_err("no folder").to_string();
        assert!(refused.starts_with(&format!("cannot create the database {address}")), "{refused}");
    }

    #[tokio::test]
    async fn a_file_that_is_no_database_is_called_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db");
        fs::write(&file, [7; 4096]).expect("written");
        let refused = Store::open(&file.to_string_lossy()).await.expect_err("refused").to_string();
        assert!(refused.contains("not a database"), "{refused}");
    }

    #[tokio::test]
    async fn nothing_is_written_to_a_file_that_was_moved_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, moved] = ["stoa.db", "moved.db"].map(|name| folder.path().join(name));
        let store = Store::open(&file.to_string_lossy()).await.expect("a database");
        let beat = async |id: i64| {
            let mut transaction = store.database.write().await.expect("it is there");
            let added = sqlx::query("INSERT INTO beat (id, at) VALUES ($1, 7)").bind(id);
            added.execute(&mut *transaction).await.expect("a row");
            transaction.commit().await.expect("a commit");
        };
        beat(1001).await;
        fs::rename(&file, &moved).expect("moved");
        let refused = store.database.write().await.expect_err("refused").to_string();
        assert!(refused.contains("was moved"), "{refused}");
        open_reader_in_vain(&store).await;
        assert!(!file.exists(), "a reader puts no empty file there");
        File::create(&file).expect("another file");
        assert!(store.database.write().await.is_err(), "it is another one");
        assert!(store.database.truncate_log().await.is_err(), "it is another one");
        open_reader_in_vain(&store).await;
        fs::rename(&moved, &file).expect("moved back");
        beat(1002).await;
        // What is on the disk now is what a crash would leave.
        let crashed = tempfile::tempdir().expect("a folder");
        for name in ["stoa.db", "stoa.db-wal"] {
            fs::copy(folder.path().join(name), crashed.path().join(name)).expect("a copy");
        }
        store.close().await;
        let file = crashed.path().join("stoa.db");
        let found = Store::open(&file.to_string_lossy()).await.expect("a database");
        let rows = sqlx::query("SELECT id FROM beat WHERE id IN (1001, 1002)")
            .fetch_all(found.database.readers())
            .await
            .expect("an answer");
        assert_eq!(rows.len(), 2, "what was committed before and after");
        found.close().await;
    }

    /// Takes connections that read until the pool has to open one, which it cannot.
    async fn open_reader_in_vain(store: &Store) {
        let mut readers = Vec::new();
        for _ in 0..store.database.kind().connections() {
            match store.database.readers().acquire().await {
                Ok(reader) => readers.push(reader),
                Err(_) => return,
            }
        }
        panic!("a reader was opened while the file was away");
    }
}
