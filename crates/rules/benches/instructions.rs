//! How many instructions the rules take, which does not depend on how busy the machine is:
//! `cargo bench -p stoa-rules --bench instructions`.
//!
//! It needs valgrind and `cargo install gungraun-runner --version 0.20.0 --locked` (the version
//! that `Cargo.toml` gives for gungraun). A run is compared with the one before.
//!
//! Totals are for [`PLIES`] plies in `random_plies` and for [`SAMPLES`](samples::SAMPLES)
//! positions elsewhere. What prepares them is not counted.

mod samples;

use std::hint::black_box;

use samples::{Samples, samples};
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Playable, Visitor};

/// How many random plies are played, in as many games as it takes.
const PLIES: usize = 10_000;

/// What is counted. A benchmark function cannot be generic over games that are known by name, so
/// the game's type is forgotten here; the call costs a handful of instructions in all.
trait Work {
    fn random_plies(&mut self);
    fn generate(&mut self);
    fn count_moves(&mut self);
    fn nth_move(&mut self);
    fn play(&mut self);
    fn outcome(&mut self);
}

struct Prepared<P: Playable> {
    start: P,
    samples: Samples<P>,
    /// Already long enough.
    list: Vec<P::Move>,
}

impl<P: Playable> Work for Prepared<P> {
    fn random_plies(&mut self) {
        let mut rng = Rng::new(1);
        let mut position = self.start.clone();
        let mut plies = 0;
        while plies < PLIES {
            let count = position.count_moves();
            match position.nth_move(rng.below(count)) {
                Some(mv) => {
                    position.play_unchecked(mv);
                    plies += 1;
                }
                None => position = self.start.clone(),
            }
        }
        black_box(position);
    }

    fn generate(&mut self) {
        for position in &self.samples.positions {
            self.list.clear();
            position.generate(&mut self.list);
            black_box(&self.list);
        }
    }

    fn count_moves(&mut self) {
        for position in &self.samples.positions {
            black_box(position.count_moves());
        }
    }

    fn nth_move(&mut self) {
        for (position, &index) in self.samples.positions.iter().zip(&self.samples.indices) {
            black_box(position.nth_move(index));
        }
    }

    fn play(&mut self) {
        for (position, &mv) in self.samples.positions.iter_mut().zip(&self.samples.moves) {
            position.play_unchecked(mv);
            black_box(position);
        }
    }

    fn outcome(&mut self) {
        for position in &self.samples.positions {
            black_box(position.outcome());
        }
    }
}

struct Prepare;

impl Visitor for Prepare {
    type Output = Box<dyn Work>;

    fn visit<P: Playable>(self, options: P::Options) -> Box<dyn Work> {
        let samples = samples::<P>(options);
        let most = samples.positions.iter().map(P::count_moves).max().unwrap_or(0);
        Box::new(Prepared { start: P::start(options), samples, list: Vec::with_capacity(most) })
    }
}

fn prepare(id: &str) -> Box<dyn Work> {
    id.parse::<Game>().expect("the list names games").visit(Prepare)
}

/// Only `cargo bench` counts: `cargo test --all-targets` runs this too, and must do without
/// valgrind.
fn main() {
    if std::env::args().any(|arg| arg == "--bench" || arg.starts_with("--gungraun")) {
        harness::run();
    }
}

mod harness {
    use super::{Work, prepare};
    use gungraun::prelude::*;

    /// A benchmark for every game of each method of [`Work`]. The work is handed back so that
    /// freeing its memory is not counted.
    macro_rules! count {
        ($($method:ident),+) => {
            $(
                #[library_benchmark(setup = prepare)]
                #[bench::colonnade("colonnade")]
                #[bench::impasse("impasse")]
                #[bench::palisade_9("palisade:9")]
                #[bench::palisade("palisade")]
                #[bench::columna("columna")]
                #[bench::columna_points("columna:points")]
                #[bench::colossus("colossus")]
                fn $method(mut work: Box<dyn Work>) -> Box<dyn Work> {
                    work.$method();
                    work
                }
            )+
            library_benchmark_group!(name = rules, benchmarks = [$($method),+]);
        };
    }

    count!(random_plies, generate, count_moves, nth_move, play, outcome);

    gungraun::main!(library_benchmark_groups = rules);

    pub(super) fn run() {
        main();
    }
}
