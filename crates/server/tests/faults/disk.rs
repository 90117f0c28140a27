//! A disk that fails on demand: a virtual file system of SQLite over the real one.
//!
//! It fails reads, writes and syncs, is full, is slow, and loses what was not synced when the power fails.
//! Everything else, such as locks and shared memory, is that of the real file system. There is one such disk
//! in a process, so tests use it one after the other.

#![allow(unsafe_code, reason = "SQLite's interface to file systems is in C")]

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use libsqlite3_sys as ffi;
use stoa_rules::playout::Rng;

/// The name by which databases ask for this file system.
pub(crate) const NAME: &str = "faults";

/// What is wrong with the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// There is no space.
    Full,
    /// One write in this many fails, half-done.
    Writes(usize),
    /// One sync in this many fails.
    Syncs(usize),
    /// One read in this many fails.
    Reads(usize),
    /// Every sync takes this many milliseconds.
    Slow(u64),
    /// The power is gone: nothing can be done any more.
    Dead,
}

#[derive(Debug)]
struct Disk {
    fault: Fault,
    rng: Rng,
    /// What was done since the last sync of a file, and how it is undone.
    unsynced: Vec<(PathBuf, Undo)>,
    files: HashMap<usize, OpenFile>,
    /// How often something failed.
    failures: u64,
}

#[derive(Debug)]
enum Undo {
    Write { offset: u64, old: Vec<u8>, old_size: u64 },
    Truncate { tail: Vec<u8>, size: u64 },
}

#[derive(Debug, Clone)]
struct OpenFile {
    path: PathBuf,
    real: &'static ffi::sqlite3_io_methods,
}

static DISK: Mutex<Option<Disk>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Disk>> {
    DISK.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with_disk<T>(act: impl FnOnce(&mut Disk) -> T) -> T {
    act(lock().as_mut().expect("a disk"))
}

/// Makes the disk new; what happens to it then is determined by the seed.
pub(crate) fn install(seed: u64) {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(register);
    let mut disk = lock();
    let files = disk.take().map(|disk| disk.files).unwrap_or_default();
    let rng = Rng::new(seed);
    *disk = Some(Disk { fault: Fault::None, rng, unsynced: Vec::new(), files, failures: 0 });
}

pub(crate) fn set(fault: Fault) {
    with_disk(|disk| disk.fault = fault);
}

/// How often something has failed.
pub(crate) fn failures() -> u64 {
    with_disk(|disk| disk.failures)
}

/// Loses what was not synced, after the power has failed and everyone is gone. Of each file some of the
/// earliest writes may have reached the disk.
pub(crate) fn lose_unsynced() {
    let (mut unsynced, mut rng) = with_disk(|disk| {
        assert_eq!(disk.fault, Fault::Dead);
        disk.fault = Fault::None;
        (std::mem::take(&mut disk.unsynced), Rng::new(disk.rng.below(usize::MAX) as u64))
    });
    // Sorted, so that the seed determines what is lost.
    let mut lost: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (path, _) in &unsynced {
        *lost.entry(path.clone()).or_default() += 1;
    }
    lost.values_mut().for_each(|count| *count = rng.below(*count + 1));
    while let Some((path, undo)) = unsynced.pop() {
        let left = lost.entry(path.clone()).or_default();
        if *left == 0 {
            continue;
        }
        *left -= 1;
        let Ok(mut file) = fs::OpenOptions::new().write(true).open(&path) else { continue };
        match undo {
            Undo::Write { offset, old, old_size } => {
                file.write_all_at(&old, offset).expect("written");
                file.set_len(old_size).expect("shortened");
            }
            Undo::Truncate { tail, size } => {
                let start = size - tail.len() as u64;
                file.seek(SeekFrom::Start(start)).expect("a place");
                file.write_all(&tail).expect("written");
            }
        }
    }
}

impl Disk {
    fn one_in(&mut self, count: usize) -> bool {
        let fails = self.rng.below(count.max(1)) == 0;
        self.failures += u64::from(fails);
        fails
    }
}

/// The file, unless the disk is being used by somebody whom it does not know.
fn opened(file: *mut ffi::sqlite3_file) -> OpenFile {
    with_disk(|disk| disk.files.get(&(file as usize)).cloned())
        .expect("a file that was opened here")
}

unsafe extern "C" fn x_open(
    _: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: the arguments are SQLite's own, and go to the file system that they are meant for. The table
    // of methods is copied and leaked, so it lives as long as the file.
    unsafe {
        let real_vfs = ffi::sqlite3_vfs_find(std::ptr::null());
        let Some(open) = (*real_vfs).xOpen else { return ffi::SQLITE_CANTOPEN };
        let result = open(real_vfs, name, file, flags, out);
        if result != ffi::SQLITE_OK || (*file).pMethods.is_null() || name.is_null() {
            return result;
        }
        let real: &'static ffi::sqlite3_io_methods = &*(*file).pMethods;
        let path = PathBuf::from(CStr::from_ptr(name).to_string_lossy().into_owned());
        let mut methods = *real;
        methods.xClose = Some(x_close);
        methods.xRead = Some(x_read);
        methods.xWrite = Some(x_write);
        methods.xTruncate = Some(x_truncate);
        methods.xSync = Some(x_sync);
        (*file).pMethods = Box::leak(Box::new(methods));
        with_disk(|disk| disk.files.insert(file as usize, OpenFile { path, real }));
        result
    }
}

unsafe extern "C" fn x_close(file: *mut ffi::sqlite3_file) -> c_int {
    let known = with_disk(|disk| disk.files.remove(&(file as usize)));
    match known.and_then(|known| known.real.xClose) {
        // SAFETY: the file is closed by the file system that opened it.
        Some(close) => unsafe { close(file) },
        None => ffi::SQLITE_OK,
    }
}

unsafe extern "C" fn x_read(
    file: *mut ffi::sqlite3_file,
    buffer: *mut c_void,
    amount: c_int,
    offset: i64,
) -> c_int {
    let fails = with_disk(|disk| match disk.fault {
        Fault::Reads(count) => disk.one_in(count),
        Fault::Dead => true,
        _ => false,
    });
    if fails {
        return ffi::SQLITE_IOERR_READ;
    }
    let Some(read) = opened(file).real.xRead else { return ffi::SQLITE_IOERR_READ };
    // SAFETY: the arguments are SQLite's own.
    unsafe { read(file, buffer, amount, offset) }
}

unsafe extern "C" fn x_write(
    file: *mut ffi::sqlite3_file,
    bytes: *const c_void,
    amount: c_int,
    offset: i64,
) -> c_int {
    let known = opened(file);
    let (code, amount) = with_disk(|disk| {
        let fault = disk.fault;
        match fault {
            Fault::Full => {
                disk.failures += 1;
                (ffi::SQLITE_FULL, 0)
            }
            Fault::Dead => (ffi::SQLITE_IOERR_WRITE, 0),
            Fault::Writes(count) if disk.one_in(count) => (ffi::SQLITE_IOERR_WRITE, amount / 2),
            _ => (ffi::SQLITE_OK, amount),
        }
    });
    if amount == 0 {
        return code;
    }
    remember_write(&known.path, u64::try_from(offset).unwrap_or(0), amount as usize);
    let Some(write) = known.real.xWrite else { return ffi::SQLITE_IOERR_WRITE };
    // SAFETY: the arguments are SQLite's own; of a write that fails, half is done.
    let written = unsafe { write(file, bytes, amount, offset) };
    if code == ffi::SQLITE_OK { written } else { code }
}

fn remember_write(path: &PathBuf, offset: u64, amount: usize) {
    let Ok(file) = fs::File::open(path) else { return };
    let old_size = file.metadata().map_or(0, |data| data.len());
    let there = usize::try_from(old_size.saturating_sub(offset)).unwrap_or(0).min(amount);
    let mut old = vec![0; there];
    if file.read_exact_at(&mut old, offset).is_ok() {
        let undo = Undo::Write { offset, old, old_size };
        with_disk(|disk| disk.unsynced.push((path.clone(), undo)));
    }
}

unsafe extern "C" fn x_truncate(file: *mut ffi::sqlite3_file, size: i64) -> c_int {
    let known = opened(file);
    if with_disk(|disk| disk.fault == Fault::Dead) {
        return ffi::SQLITE_IOERR_TRUNCATE;
    }
    if let Ok(content) = fs::read(&known.path) {
        let start = usize::try_from(size).unwrap_or(0).min(content.len());
        let undo = Undo::Truncate { tail: content[start..].to_vec(), size: content.len() as u64 };
        with_disk(|disk| disk.unsynced.push((known.path.clone(), undo)));
    }
    let Some(truncate) = known.real.xTruncate else { return ffi::SQLITE_IOERR_TRUNCATE };
    // SAFETY: the arguments are SQLite's own.
    unsafe { truncate(file, size) }
}

unsafe extern "C" fn x_sync(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    let known = opened(file);
    let mut slow = Duration::ZERO;
    let fails = with_disk(|disk| match disk.fault {
        Fault::Syncs(count) => disk.one_in(count),
        Fault::Dead => true,
        Fault::Slow(millis) => {
            slow = Duration::from_millis(millis);
            false
        }
        _ => false,
    });
    if fails {
        return ffi::SQLITE_IOERR_FSYNC;
    }
    std::thread::sleep(slow);
    // The files are in memory or thrown away: that they reach a real disk does not matter.
    with_disk(|disk| disk.unsynced.retain(|(path, _)| *path != known.path));
    ffi::SQLITE_OK
}

unsafe extern "C" fn x_delete(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    sync_directory: c_int,
) -> c_int {
    if with_disk(|disk| disk.fault == Fault::Dead) {
        return ffi::SQLITE_IOERR_DELETE;
    }
    // SAFETY: the arguments are SQLite's own, and go to the file system that they are meant for.
    unsafe {
        let path = PathBuf::from(CStr::from_ptr(name).to_string_lossy().into_owned());
        with_disk(|disk| disk.unsynced.retain(|(other, _)| *other != path));
        let real_vfs = ffi::sqlite3_vfs_find(std::ptr::null());
        (*real_vfs).xDelete.map_or(ffi::SQLITE_OK, |delete| delete(real_vfs, name, sync_directory))
    }
}

fn register() {
    // SAFETY: SQLite is initialised first; the copy of the real file system and its name live for ever.
    unsafe {
        ffi::sqlite3_initialize();
        let real_vfs = ffi::sqlite3_vfs_find(std::ptr::null());
        let mut vfs = *real_vfs;
        vfs.pNext = std::ptr::null_mut();
        vfs.zName = c"faults".as_ptr();
        vfs.xOpen = Some(x_open);
        vfs.xDelete = Some(x_delete);
        let registered = ffi::sqlite3_vfs_register(Box::leak(Box::new(vfs)), 0);
        assert_eq!(registered, ffi::SQLITE_OK);
    }
}
