//! How long the rules take, on this machine and now: `cargo bench -p stoa-rules --bench speed`.
//!
//! Add `-- --quick` for a first impression, or `-- impasse` for one game. For counts that do not
//! depend on the machine see `instructions.rs`.

mod samples;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use samples::{Samples, samples};
use stoa_rules::playout::{Rng, random_game};
use stoa_rules::{Game, Playable, Setup, Visitor, perft};

/// A game is counted as deep as it has no more leaves than this, judged by how their number has
/// grown: that takes about a tenth of a second.
const MAX_LEAVES: u64 = 100_000_000;

/// Random games in one measurement.
const PLAYOUTS: u64 = 16;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for game in Game::representatives() {
        game.visit(Measure { group: criterion.benchmark_group(game.to_string()) });
    }
    criterion.final_summary();
}

struct Measure<'a> {
    group: BenchmarkGroup<'a, WallTime>,
}

impl Visitor for Measure<'_> {
    type Output = ();

    fn visit<P: Playable>(mut self, options: P::Options) {
        let start = P::start(options);
        let samples = samples::<P>(options);
        self.perft(&start);
        self.random_games(&start);
        self.generate(&samples);
        self.play(&samples);
        self.position_text(&samples);
        self.move_text(&samples);
        self.group.finish();
    }
}

impl Measure<'_> {
    fn perft<P: Playable>(&mut self, start: &P) {
        let (mut depth, mut leaves, mut growth) = (0, 1, 1);
        while leaves * growth <= MAX_LEAVES {
            let next = perft(start, depth + 1);
            (depth, leaves, growth) = (depth + 1, next, next / leaves);
        }
        self.elements(leaves);
        self.group.bench_function("perft", |b| b.iter(|| perft(black_box(start), depth)));
    }

    fn random_games<P: Playable>(&mut self, start: &P) {
        // The same games every time, so that the number of plies is known.
        let play_all = |start: &P| -> u64 {
            let game = |index| random_game(&mut start.clone(), &mut Rng::for_game(1, index));
            (0..PLAYOUTS).map(|index| u64::from(game(index).plies)).sum()
        };
        self.elements(play_all(start));
        self.group.bench_function("random games", |b| b.iter(|| play_all(black_box(start))));
    }

    fn generate<P: Playable>(&mut self, samples: &Samples<P>) {
        let mut moves = Vec::new();
        self.elements(samples.positions.iter().map(|p| p.count_moves() as u64).sum());
        self.group.bench_function("generate", |b| {
            b.iter(|| {
                for position in black_box(&samples.positions) {
                    moves.clear();
                    position.generate(&mut moves);
                    black_box(&moves);
                }
            });
        });
    }

    /// As a search does it: copy the position, then play.
    fn play<P: Playable>(&mut self, samples: &Samples<P>) {
        self.elements(samples.positions.len() as u64);
        self.group.bench_function("play", |b| {
            b.iter(|| {
                for (position, &mv) in black_box(&samples.positions).iter().zip(&samples.moves) {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    black_box(&next);
                }
            });
        });
    }

    fn position_text<P: Playable>(&mut self, samples: &Samples<P>) {
        let options = samples.positions[0].options();
        let write = |position: &P| position.to_setup().to_string();
        let read = |text: &String| P::Setup::parse(text, options).map(|setup| setup.validate());
        let texts: Vec<String> = samples.positions.iter().map(write).collect();
        self.elements(texts.len() as u64);
        self.group.bench_function("write positions", |b| {
            b.iter(|| {
                samples.positions.iter().for_each(|position| drop(black_box(write(position))))
            });
        });
        self.group.bench_function("read positions", |b| {
            b.iter(|| texts.iter().for_each(|text| drop(black_box(read(text)))));
        });
    }

    fn move_text<P: Playable>(&mut self, samples: &Samples<P>) {
        let played = || samples.positions.iter().zip(&samples.moves);
        let texts: Vec<String> = played().map(|(position, &mv)| position.move_text(mv)).collect();
        self.elements(texts.len() as u64);
        self.group.bench_function("write moves", |b| {
            b.iter(|| played().for_each(|(position, &mv)| drop(black_box(position.move_text(mv)))));
        });
        self.group.bench_function("read moves", |b| {
            b.iter(|| {
                for (position, text) in samples.positions.iter().zip(&texts) {
                    black_box(position.parse_move(text)).expect("it was written by the rules");
                }
            });
        });
    }

    /// How much one measurement does, so that it is reported per second.
    fn elements(&mut self, count: u64) {
        self.group.throughput(Throughput::Elements(count));
    }
}
