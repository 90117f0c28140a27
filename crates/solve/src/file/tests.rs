//! Whole files come back as they were written; anything else is refused.

use std::fs;
use std::path::PathBuf;

use super::*;

const GAME: &str = "impasse";
const KIND: &str = "test";

/// A folder that is removed in the end, and a tablebase's name in it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.table");
    (folder, path)
}

fn part(path: &Path) -> PathBuf {
    path.with_added_extension("part")
}

/// Data that does not repeat.
fn data(length: usize, seed: u64) -> Vec<u8> {
    let mut rng = stoa_rules::playout::Rng::new(seed);
    (0..length).map(|_| rng.bits() as u8).collect()
}

fn small_file() -> Vec<u8> {
    let (_folder, path) = place();
    let mut writer = Writer::create(&path, GAME, KIND).unwrap();
    writer.section(3, &data(100, 1)).unwrap();
    writer.section(1, &[]).unwrap();
    writer.section(2, &data(33, 2)).unwrap();
    writer.finish(b"meta").unwrap();
    fs::read(&path).unwrap()
}

/// Reads everything that can be read.
fn read_all(bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, TablebaseError> {
    let table = TablebaseFile::from_bytes(bytes, GAME, KIND)?;
    let mut all = vec![table.meta()?.to_vec()];
    for section in table.sections() {
        all.push(section.read(0..section.length())?.to_vec());
    }
    Ok(all)
}

fn fault(bytes: Vec<u8>) -> String {
    read_all(bytes).unwrap_err().fault().to_string()
}

#[test]
fn sections_are_read_back_as_written() {
    let (folder, path) = place();
    let (large, small) = (data(5 * CHUNK / 2, 1), data(5, 2));
    let mut writer = Writer::create(&path, GAME, KIND).unwrap();
    let mut section = writer.begin_section(9).unwrap();
    for piece in large.chunks(100_003) {
        section.write(piece).unwrap();
    }
    section.finish().unwrap();
    writer.section(4, &small).unwrap();
    assert_eq!(writer.read_section(9).unwrap().as_ref(), Some(&large));
    assert_eq!(writer.read_section(5).unwrap(), None);
    // Reading back in between does no harm to what is written next.
    writer.section(5, &small).unwrap();
    assert!(!path.exists());
    writer.finish(b"meta").unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");

    let mapped = TablebaseFile::open(&path, GAME, KIND).unwrap();
    let held = TablebaseFile::from_bytes(fs::read(&path).unwrap(), GAME, KIND).unwrap();
    for table in [mapped, held] {
        table.verify_all().unwrap();
        assert_eq!(table.meta().unwrap(), b"meta");
        let ids: Vec<u32> = table.sections().map(|section| section.id()).collect();
        assert_eq!(ids, [4, 5, 9]);
        let section = table.section(9).unwrap();
        assert_eq!(section.length(), large.len());
        for range in [0..1, CHUNK - 1..CHUNK + 1, 0..large.len(), 5..5, large.len()..large.len()] {
            assert_eq!(section.read(range.clone()).unwrap(), &large[range]);
        }
        assert_eq!(section.byte(CHUNK).unwrap(), large[CHUNK]);
        let beyond = section.read(0..large.len() + 1).unwrap_err().to_string();
        assert!(beyond.contains("section 9 has 2621440 bytes, but 2621441 are needed"), "{beyond}");
        assert!(section.byte(usize::MAX).is_err());
        assert!(table.section(6).is_none() && table.section(META).is_none());
    }
}

#[test]
fn a_change_of_any_byte_is_noticed() {
    let whole = small_file();
    read_all(whole.clone()).unwrap();
    for index in 0..whole.len() {
        for change in [1, 0x80, 0xff] {
            let mut changed = whole.clone();
            changed[index] ^= change;
            assert!(read_all(changed).is_err(), "byte {index}");
        }
    }
}

#[test]
fn a_file_of_any_other_length_is_refused() {
    let whole = small_file();
    for length in 0..whole.len() {
        let fault = fault(whole[..length].to_vec());
        assert!(fault.contains("cut off") || length == 0 && fault.contains("not a"), "{length}");
    }
    let mut longer = whole.clone();
    longer.extend([0; 32]);
    assert!(fault(longer).contains("more follows after its end"));
}

#[test]
fn foreign_files_are_refused_with_the_reason() {
    assert_eq!(fault(b"".to_vec()), "it is not a Stoa table");
    assert_eq!(fault(b"\x89PNG\r\n\x1a\n and so on".to_vec()), "it is not a Stoa table");
    let (_folder, path) = place();
    let missing = TablebaseFile::open(&path, GAME, KIND).unwrap_err();
    assert!(missing.is_missing());
    assert_eq!(missing.to_string(), format!("{}: there is no such file or folder", path.display()));
    assert!(TablebaseFile::open(path.parent().unwrap(), GAME, KIND).is_err());

    let mut newer = small_file();
    newer[8] = 2;
    let expected =
        "it has format 2, but this version of Stoa reads format 1; a newer Stoa reads it";
    assert_eq!(fault(newer), expected);
    let mut older = small_file();
    older[8] = 0;
    assert!(fault(older).ends_with("solve the game again"));

    let other = |game, kind| {
        TablebaseFile::from_bytes(small_file(), game, kind).unwrap_err().fault().to_string()
    };
    let expected = "it is a table of impasse (test), not of colonnade (test)";
    assert_eq!(other("colonnade", KIND), expected);
    assert_eq!(other(GAME, "tests"), "it is a table of impasse (test), not of impasse (tests)");
}

#[test]
fn damage_is_noticed_only_where_it_is_read() {
    let (_folder, path) = place();
    let mut writer = Writer::create(&path, GAME, KIND).unwrap();
    writer.section(1, &data(3 * CHUNK, 1)).unwrap();
    writer.finish(b"").unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[HEADER + layout::RECORD + CHUNK + 77] ^= 4;
    fs::write(&path, bytes).unwrap();
    let table = TablebaseFile::open(&path, GAME, KIND).unwrap();
    let section = table.section(1).unwrap();
    for _ in 0..2 {
        section.read(0..CHUNK).unwrap();
        section.read(2 * CHUNK..3 * CHUNK).unwrap();
        let error = section.byte(CHUNK).unwrap_err().to_string();
        let expected =
            "it is damaged (bytes 1048672 to 2097248, in section 1); solve the game again";
        assert_eq!(error, format!("{}: {expected}", path.display()));
        assert!(section.read(CHUNK - 1..CHUNK + 1).is_err());
        assert!(table.verify_all().is_err());
    }
}

/// Sections 1 and 2, and whatever became of the file then.
fn interrupted(path: &Path) -> Vec<u8> {
    let mut writer = Writer::create(path, GAME, KIND).unwrap();
    writer.section(1, &data(CHUNK + 9, 1)).unwrap();
    writer.section(2, &data(50, 2)).unwrap();
    drop(writer);
    fs::read(part(path)).unwrap()
}

fn resumed(path: &Path) -> Vec<u32> {
    let writer = Writer::resume_or_create(path, GAME, KIND).unwrap();
    writer.sections().iter().map(|section| section.id).collect()
}

#[test]
fn an_interrupted_build_goes_on_where_it_was() {
    let (_folder, path) = place();
    let whole = interrupted(&path);
    assert_eq!(resumed(&path), [1, 2]);
    // An unfinished file is no tablebase, whatever its name.
    assert_eq!(fault(whole.clone()), "it is not finished; solve the game again");

    // Cut anywhere: only whole sections count, and what comes after them is as if for the first time.
    let second = whole.len() - 32 - 64 - 32;
    for length in [0, 5, 63, 64, 100, second - 1, second, second + 1, whole.len() - 1] {
        fs::write(part(&path), &whole[..length]).unwrap();
        let expected: &[u32] = if length < second { &[] } else { &[1] };
        assert_eq!(resumed(&path), expected, "{length}");
        let mut writer = Writer::resume_or_create(&path, GAME, KIND).unwrap();
        if expected.is_empty() {
            writer.section(1, &data(CHUNK + 9, 1)).unwrap();
        }
        assert_eq!(writer.read_section(1).unwrap().unwrap(), data(CHUNK + 9, 1));
        writer.section(2, &data(50, 2)).unwrap();
        drop(writer);
        assert!(fs::read(part(&path)).unwrap() == whole, "{length}");
    }

    // Damaged somewhere.
    for (at, expected) in [(70, &[][..]), (300, &[]), (second + 40, &[1])] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(part(&path), damaged).unwrap();
        assert_eq!(resumed(&path), expected, "{at}");
    }
}

#[test]
fn a_section_that_is_given_up_leaves_nothing() {
    let (_folder, path) = place();
    let mut writer = Writer::create(&path, GAME, KIND).unwrap();
    let mut section = writer.begin_section(1).unwrap();
    section.write(&data(1000, 1)).unwrap();
    drop(section);
    assert!(!writer.has_section(1));
    writer.section(1, &data(10, 2)).unwrap();
    assert!(writer.section(1, b"twice").is_err());
    writer.finish(b"").unwrap();
    let table = TablebaseFile::open(&path, GAME, KIND).unwrap();
    assert_eq!(table.section(1).unwrap().read(0..10).unwrap(), data(10, 2));
}

#[test]
fn a_table_interrupted_before_it_got_its_name_is_finished() {
    let (_folder, path) = place();
    fs::write(part(&path), small_file()).unwrap();
    let writer = Writer::resume_or_create(&path, GAME, KIND).unwrap();
    assert_eq!(writer.sections().len(), 3);
    assert!(TablebaseFile::open(&part(&path), GAME, KIND).is_err(), "it is unfinished again");
    writer.finish(b"meta").unwrap();
    assert_eq!(fs::read(&path).unwrap(), small_file());
}

#[test]
fn other_files_are_not_overwritten() {
    let (_folder, path) = place();
    fs::write(part(&path), "somebody's notes").unwrap();
    for open in [Writer::create, Writer::resume_or_create] {
        let error = open(&path, GAME, KIND).unwrap_err().to_string();
        assert_eq!(error, format!("{}: it is not a Stoa table", part(&path).display()));
    }
    fs::remove_file(part(&path)).unwrap();
    interrupted(&path);
    let error = Writer::resume_or_create(&path, "colonnade", KIND).unwrap_err();
    assert!(matches!(error.fault(), Fault::OtherTablebase { .. }), "{error}");

    let first = Writer::create(&path, GAME, KIND).unwrap();
    let second = Writer::create(&path, GAME, KIND).unwrap_err().to_string();
    assert!(second.ends_with("another program is writing it"), "{second}");
    drop(first);
    Writer::create(&path, GAME, KIND).unwrap();
    assert!(Writer::create(path.parent().unwrap(), GAME, KIND).is_err());
    assert!(Writer::create(&path, GAME, "a name that is too long").is_err());
    assert!(Writer::create(&path, "", KIND).is_err());
}

#[test]
fn links_stay_links() {
    let (folder, path) = place();
    fs::write(&path, "an old table").unwrap();
    let link = folder.path().join("link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&path, &link).unwrap();
    #[cfg(not(unix))]
    return;
    Writer::create(&link, GAME, KIND).unwrap().finish(b"").unwrap();
    assert!(link.is_symlink());
    TablebaseFile::open(&path, GAME, KIND).unwrap();
}

/// `/dev/full` takes the part of a disk that is full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_no_table_appears() {
    let (_folder, path) = place();
    std::os::unix::fs::symlink("/dev/full", part(&path)).unwrap();
    let error = Writer::create(&path, GAME, KIND).unwrap_err();
    let expected = format!("{}: the disk is full", part(&path).display());
    assert_eq!(error.to_string(), expected);
    fs::remove_file(part(&path)).unwrap();

    // Full in the middle of it: what was finished stays, and the rest can follow when there is room.
    let mut writer = Writer::create(&path, GAME, KIND).unwrap();
    writer.section(1, &data(50, 1)).unwrap();
    writer.divert("/dev/full");
    assert_eq!(writer.section(2, &data(CHUNK, 2)).unwrap_err().to_string(), expected);
    assert_eq!(writer.section(2, &data(10, 2)).unwrap_err().to_string(), expected);
    assert_eq!(writer.finish(b"").unwrap_err().to_string(), expected);
    assert!(!path.exists());
    assert_eq!(resumed(&path), [1]);
}
