//! How long the engine takes for a search of a fixed size from the start: `cargo bench -p stoa-engine`,
//! or `-- columna` after it for one game. The number of nodes is the same every time.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use stoa_engine::{Engine, Limits, Settings, Stop, Strategy, best_strategy};
use stoa_rules::Game;

fn searches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    for game in Game::variants() {
        let nodes = match best_strategy(game) {
            Strategy::AlphaBeta => 200_000,
            _ => 2_000,
        };
        group.throughput(Throughput::Elements(nodes));
        group.bench_with_input(BenchmarkId::from_parameter(game), &game, |bencher, &game| {
            let settings = Settings { table: 16, ..Settings::default() };
            let Ok(mut engine) = Engine::new(game, settings) else { return };
            bencher.iter(|| {
                engine.forget();
                let limits = Limits::nodes(nodes);
                black_box(engine.think(&game.start(), &limits, &Stop::new(), &mut |_| {}))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
