//! Short runs of loads that take long: that they work and measure, not what they find on a busy machine.

use std::time::{Duration, Instant};

use stoa_load::{
    ArchiveLoad, Asked, Evening, FairnessLoad, Habit, SoakLoad, Target, TargetOptions,
};

use super::program;

fn target(limited: bool) -> Target {
    let options = TargetOptions {
        stoa: program().to_owned(),
        postgres: false,
        nodes: 1,
        limited,
        folder: None,
        arguments: Vec::new(),
    };
    Target::start(&options).unwrap()
}

#[test]
fn people_come_and_go_and_everything_is_drawn() {
    let load = SoakLoad { games: 4, duration: Duration::from_secs(12), hurry: 1 };
    let measured = load.measure(&target(false)).unwrap();
    assert!(measured.moves() > 10, "{measured}");
    let text = measured.to_string();
    for trend in ["memory, MB", "open files", "p99, ms", "database, bytes a move"] {
        assert!(text.contains(trend), "{text}");
    }
    let page = measured.html();
    assert_eq!(page.matches("<polyline").count(), 5, "{page}");
    assert!(!page.contains("points=\"\""), "graphs without points: {page}");
}

#[test]
fn a_greedy_address_is_refused_and_others_are_not() {
    let load = FairnessLoad { games: 4, seconds: 2, greed: 200, habits: Habit::ALL.to_vec() };
    let target = target(true);
    let begun = Instant::now();
    // A refused move or game fails this.
    let measured = load.measure(&target).unwrap();
    println!("{measured}");
    assert!(begun.elapsed() > Duration::from_secs(2 * 13), "each part has its time");
    assert_eq!(measured.moves().len(), 2 * Habit::ALL.len() + 1, "{measured}");
    assert!(measured.moves().iter().sum::<usize>() > 20, "{measured}");
    for (habit, Asked { all, refused }) in measured.greed() {
        if habit == Habit::Sockets {
            assert!(all > refused, "none was opened: {measured}");
            continue;
        }
        // How many it asks for does not depend on how fast the machine is.
        assert!(all >= 200, "{habit:?}: {measured}");
        // Pages and pictures are counted apart. Of the rest the server lets a hundred at once and 20 a second.
        assert!(refused > all / 4 || habit == Habit::Pages, "{habit:?}: {measured}");
    }
    let text = measured.to_string();
    assert!(text.contains(&format!("verdict              {}", measured.verdict())), "{text}");
}

#[test]
fn an_archive_is_filled_and_found_again() {
    let load = ArchiveLoad { games: 60, moves: 6, questions: 20 };
    // Games that are not counted, positions that are not found fail this.
    let measured = load.measure(&target(false)).unwrap();
    assert_eq!(measured.games(), 60);
    assert!(measured.rebuild().is_some());
    let text = measured.to_string();
    assert!(text.contains("from 60 games: all were right"), "{text}");
}

#[test]
fn an_evening_with_kills_is_recounted_and_nothing_differs() {
    let evening = Evening {
        stoa: program().to_owned(),
        people: 10,
        duration: Duration::from_secs(6),
        kills: 2,
        // A lease expires after 20 seconds; a review that is still waiting then is no difference.
        review_timeout: Duration::from_secs(40),
        postgres: false,
        nodes: 1,
        folder: None,
        seed: 1,
    };
    let report = evening.run(&mut |_| {}).unwrap();
    assert!(report.is_sound(), "{report}");
    assert_eq!(report.kills(), [1, 0, 1], "{report}");
    assert!(report.games() > 2 && report.moves() > 10, "{report}");
    println!("{report}");
}
