//! `stoa solve impasse`: a table in a file, or a clear reason why not.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::{Command, Output};

use stoa_solve::impasse::Tablebase;

fn solve(out: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(["solve", "impasse", "--out"])
        .arg(out)
        .args(args)
        .output()
        .unwrap()
}

/// What a command that must fail says.
fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_tablebase_is_written_and_described() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("impasse.table");
    let output = solve(&path, &["--stacks", "3", "--threads", "2"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = "\
stacks     positions    won by the mover  longest
     2         3,488              64.5 %       13
     3       182,568              54.3 %       23
   all       186,056              54.5 %       23

One of the longest, 23 moves: 1W6/8/8/2W5/8/B7/8/8 b
";
    let rest = text.strip_prefix(expected).unwrap_or_else(|| panic!("{text}"));
    assert!(rest.starts_with(&format!("{}: 0.1 MB, written in ", path.display())), "{rest}");
    assert!(rest.ends_with(" positions a second and thread)\n"), "{rest}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    Tablebase::open(&path).unwrap().verify_all().unwrap();
}

#[test]
fn invalid_arguments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("impasse.table");
    for stacks in ["1", "7", "many", "-3"] {
        refusal(&solve(&path, &["--stacks", stacks]));
    }
    let said = refusal(&solve(folder.path(), &["--stacks", "2"]));
    assert!(said.contains("is a directory"), "{said}");
    let missing = folder.path().join("none/impasse.table");
    let said = refusal(&solve(&missing, &["--stacks", "2"]));
    assert!(said.contains("there is no such file or folder"), "{said}");
    let other = Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(["solve", "colonnade", "--stacks", "3"])
        .output()
        .unwrap();
    assert_eq!(refusal(&other), "stoa: --stacks is for impasse, not for colonnade\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("impasse.table");
    std::os::unix::fs::symlink("/dev/full", folder.path().join("impasse.table.part")).unwrap();
    let said = refusal(&solve(&path, &["--stacks", "2"]));
    assert_eq!(said, format!("stoa: {}.part: the disk is full\n", path.display()));
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("impasse.table");
    let child = Command::new(env!("CARGO_BIN_EXE_stoa"))
        .args(["solve", "impasse", "--threads", "1", "--out"])
        .arg(&path)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Some classes are done by then; all of them take minutes.
    std::thread::sleep(std::time::Duration::from_secs(2));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("Stopped. Finished work is kept in "), "{said}");
    assert!(!path.exists());
    let part = folder.path().join("impasse.table.part");
    assert!(std::fs::metadata(&part).unwrap().len() > 1000);
    assert!(Tablebase::open(&part).unwrap_err().to_string().contains("it is not finished"));
}
