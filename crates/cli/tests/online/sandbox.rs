//! The server with no system calls but those that its unit for systemd allows.

#![allow(unsafe_code, reason = "a filter of system calls is set between fork and exec")]

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rustix::process::Signal;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
use stoa_client::{Client, NewChallenge, Side, TimeControl};
use stoa_testing::Stoa;
use syscalls::Sysno;

use super::bots::{answered, bots, play_against};
use super::handover::{STARTED, Successor, TOOK_OVER, logged, signal};
use super::reviews::{done, finished};
use super::{program, until};

const UNIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/stoa.service");

/// The calls that a word of `SystemCallFilter=` stands for: a call, or a group that systemd knows.
fn calls_of(word: &str) -> Vec<Sysno> {
    if !word.starts_with('@') {
        // Systemd's groups have calls of other processors, too.
        return word.parse().into_iter().collect();
    }
    let output = Command::new("systemd-analyze").args(["syscall-filter", word]).output().unwrap();
    assert!(output.status.success(), "systemd does not know {word}");
    let group = String::from_utf8(output.stdout).unwrap();
    let words = group.lines().skip(1).map(str::trim);
    words.filter(|word| !word.is_empty() && !word.starts_with('#')).flat_map(calls_of).collect()
}

/// The filter of the unit. What it does not allow ends the process, so that it is noticed.
fn filter() -> BpfProgram {
    let unit = std::fs::read_to_string(UNIT).unwrap();
    let mut rules = BTreeMap::new();
    let lists = unit.lines().filter_map(|line| line.strip_prefix("SystemCallFilter="));
    for (number, list) in lists.enumerate() {
        let forbidden = list.strip_prefix('~');
        assert_eq!(forbidden.is_none(), number == 0, "the first list allows, the others forbid");
        for call in forbidden.unwrap_or(list).split_whitespace().flat_map(calls_of) {
            match forbidden {
                None => rules.insert(i64::from(call.id()), vec![]),
                Some(_) => rules.remove(&i64::from(call.id())),
            };
        }
    }
    assert!(rules.len() > 200, "{} calls", rules.len());
    if rustix::process::geteuid().is_root() {
        // SQLite gives its files to the owner of the database, if it may. The user of the unit may not.
        rules.insert(i64::from(Sysno::fchown.id()), vec![]);
    }
    let end = SeccompAction::KillProcess;
    let processor = std::env::consts::ARCH.try_into().unwrap();
    SeccompFilter::new(rules, end, SeccompAction::Allow, processor).unwrap().try_into().unwrap()
}

/// Confines what a command starts, and all that this starts.
fn confine(command: &mut Command) {
    let filter = filter();
    let confine = move || seccompiler::apply_filter(&filter).map_err(std::io::Error::other);
    // SAFETY: between fork and exec the child makes two system calls and, unless they fail, allocates nothing.
    unsafe { command.pre_exec(confine) };
}

/// It plays, reviews, draws, hands over to another process and ends.
#[test]
fn the_server_needs_no_call_that_its_unit_forbids() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "systemd-analyze is missing");
        eprintln!("not tested: systemd-analyze is missing");
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let arguments = ["--rate", "0", "--log-form", "json", "--review-time", "20ms"];
    let mut stoa = Stoa::start_prepared(program(), data.path(), &arguments, confine).unwrap();
    let ann = Client::guest(&stoa.url(), "Ann").unwrap();
    let bob = Client::guest(&stoa.url(), "Bob").unwrap();
    until("ten bots", || Some(bots(&ann)).filter(|bots| bots.len() == 10));
    let new = NewChallenge {
        side: stoa_client::ChallengeSide::First,
        opponent: Some("stoa-10".to_owned()),
        ..NewChallenge::new("impasse", TimeControl::Clock { initial: 60, increment: 0 })
    };
    let challenge = ann.challenge(&new).unwrap().id;
    let game = answered(&ann, &challenge).expect("it is accepted");
    assert_eq!(play_against(&ann, Side::First, &game, 3), 3);
    let game = finished(&ann, &bob, "impasse", 6);
    until("a worker", || ann.review(&game).unwrap().available.then_some(()));
    ann.ask_review(&game).unwrap();
    assert!(done(&ann, &game).review.is_some());
    assert!(ann.bytes("/pictures/position/impasse.png?p=7b/8/8/8/8/2w5/8/8_b").is_ok());
    let old = stoa.process().unwrap();
    signal(old, Signal::USR2);
    let new = Successor(until("a successor", || logged(&stoa, STARTED)));
    until("the new process takes over", || (logged(&stoa, TOOK_OVER) == Some(old)).then_some(()));
    until("the old process ends", || (!stoa.is_alive()).then_some(()));
    assert!(Client::guest(&stoa.url(), "Cleo").is_ok());
    drop(new);
}

/// The test notices what is forbidden.
#[test]
fn a_forbidden_call_ends_a_confined_process() {
    use std::os::unix::process::ExitStatusExt as _;
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        return;
    }
    let mut command = Command::new("chroot");
    command.args(["/", "true"]);
    confine(&mut command);
    let status = command.status().unwrap();
    assert_eq!(status.signal(), Some(Signal::SYS.as_raw()), "{status}");
}
