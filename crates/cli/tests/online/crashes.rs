//! Kills. `cargo xtask load crash` does the same for as long as you like.

use std::time::Duration;

use stoa_client::{Client, TimeControl};
use stoa_load::crash::{Crashes, Victim};
use stoa_rules::playout::Rng;

use super::{begin, play, program, serve};

fn crash(victims: &[Victim], kills: usize) -> anyhow::Result<()> {
    let crashes =
        Crashes { stoa: program().to_owned(), victims: victims.to_vec(), kills, games: 4, seed: 6 };
    let report = crashes.run(&mut |_| {})?;
    println!("{report}");
    assert_eq!(report.kills.iter().sum::<usize>(), kills);
    assert!(report.moves > kills, "hardly anything was going on");
    Ok(())
}

#[test]
fn a_server_that_is_killed_loses_nothing() {
    crash(&[Victim::Server], 5).unwrap();
}

#[test]
fn a_server_whose_database_crashes_loses_nothing() {
    match crash(&[Victim::Server, Victim::Postgres, Victim::Both], 5) {
        Err(error) if error.to_string().contains("there is no program") => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            eprintln!("skipped: {error}");
        }
        done => done.unwrap(),
    }
}

#[test]
fn time_in_which_the_server_is_down_is_nobodys_loss() {
    let data = tempfile::tempdir().unwrap();
    let mut stoa = serve(data.path(), &[]);
    let ann = Client::guest(&stoa.url(), "Ann").unwrap();
    let bob = Client::guest(&stoa.url(), "Bob").unwrap();
    let game = begin(&ann, &bob, "impasse", TimeControl::Clock { initial: 5, increment: 0 }).id;
    let mut rng = Rng::new(1);
    for _ in 0..2 {
        play([&ann, &bob], &game, &mut rng);
    }
    stoa.kill();
    // Longer than the whole clock.
    std::thread::sleep(Duration::from_secs(6));
    stoa.restart().unwrap();
    let view = ann.game(&game).unwrap();
    assert_eq!(view.situation.result, None);
    let left = view.situation.left.unwrap();
    assert!(left[0] > 3000 && left[1] == 5000, "{left:?}");
    play([&ann, &bob], &game, &mut rng);
}
