//! A disk that fills up, and gets space again.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use stoa_client::{Client, ErrorCode, TimeControl};
use stoa_rules::playout::Rng;
use stoa_testing::Stoa;

use super::{begin, play, program, random_move, until};

/// A program that runs `stoa` with its data on a file system of 8 MB, which only it can see.
fn on_small_disk(folder: &Path, data: &Path) -> PathBuf {
    let script = folder.join("stoa-on-a-small-disk");
    let text = format!(
        "#!/bin/sh\nexec unshare --mount sh -c \
         'mount -t tmpfs -o size=8m none \"$0\" && exec {} \"$@\"' {} \"$@\"\n",
        program().display(),
        data.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    script
}

/// Whether this system lets tests mount something.
fn may_mount() -> bool {
    let tried = Command::new("unshare")
        .args(["--mount", "sh", "-c", "mount -t tmpfs -o size=1m none /mnt"])
        .output();
    tried.is_ok_and(|output| output.status.success())
}

/// Writes a file until the disk is full.
fn fill(file: &Path) {
    let mut filler = fs::File::create(file).unwrap();
    for size in [65536, 4096, 1] {
        while filler.write_all(&vec![b'x'; size]).is_ok() {}
    }
}

fn ready(url: &str) -> bool {
    Client::anonymous(url).text("/readyz").is_ok()
}

#[test]
fn a_full_disk_ends_nothing_for_good() {
    if !may_mount() {
        eprintln!("skipped: nothing can be mounted here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    let program = on_small_disk(folder.path(), &data);
    let arguments = ["--rate", "0", "--engine", "false", "--log", "warn"];
    let stoa = Stoa::start(&program, &data, &arguments).unwrap();
    let url = stoa.url();
    let ann = Client::guest(&url, "Ann").unwrap();
    let bob = Client::guest(&url, "Bob").unwrap();
    let game = begin(&ann, &bob, "impasse", TimeControl::Unlimited).id;
    let mut rng = Rng::new(1);
    for _ in 0..6 {
        play([&ann, &bob], &game, &mut rng);
    }
    let seen = format!("/proc/{}/root{}", stoa.process().unwrap(), data.display());
    let filler = Path::new(&seen).join("filler");
    fill(&filler);
    // What is written goes into space that the log already has, until that is used up.
    let refused = until("a write is refused", || {
        // Space that the server gives back is taken at once.
        fill(&Path::new(&seen).join("more"));
        Client::guest(&url, "One more").err()
    });
    assert_eq!(refused.code(), Some(ErrorCode::Unavailable), "{refused}");
    until("it is not ready", || {
        fill(&Path::new(&seen).join("more"));
        let _ = Client::guest(&url, "One more");
        (!ready(&url)).then_some(())
    });
    let view = ann.game(&game).expect("games can be read");
    let mover = [&ann, &bob][view.situation.turn.unwrap().index()];
    let action = random_move(&view, &mut rng);
    let _ = mover.act(&game, &action);

    fs::remove_file(&filler).unwrap();
    fs::remove_file(Path::new(&seen).join("more")).unwrap();
    let situation = until("a move", || mover.act(&game, &action).ok());
    assert_eq!(situation.ply, view.situation.ply + 1);
    until("it is ready", || ready(&url).then_some(()));
    for _ in 0..6 {
        play([&ann, &bob], &game, &mut rng);
    }
    begin(&bob, &ann, "colonnade", TimeControl::Unlimited);
    let said = fs::read_to_string(stoa.log()).unwrap();
    assert!(said.lines().count() < 60, "failures that repeat are folded:\n{said}");
    assert!(!said.contains("transaction depth"), "{said}");
}

/// The memory of a process that is in use, in megabytes.
fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() / 1024
}

#[test]
fn sign_ins_do_not_pin_memory() {
    let data = tempfile::tempdir().unwrap();
    let stoa = super::serve(data.path(), &[]);
    let client = Client::anonymous(&stoa.url());
    let before = resident(stoa.process().unwrap());
    std::thread::scope(|scope| {
        for thread in 0..10 {
            let client = &client;
            scope.spawn(move || {
                for n in 0..5 {
                    let wrong = serde_json::json!({
                        "name": format!("Nobody {thread} {n}"), "password": "wrong, and wrong again",
                    });
                    let refused = client.post::<serde_json::Value>("/api/account/login", &wrong);
                    assert_eq!(refused.unwrap_err().code(), Some(ErrorCode::BadLogin));
                }
            });
        }
    });
    // Two hashes at a time, of 19 MiB each.
    let grown = resident(stoa.process().unwrap()).saturating_sub(before);
    assert!(grown < 70, "50 sign-ins keep {grown} MB, on top of {before} MB");
}
