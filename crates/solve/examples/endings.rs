//! Which proves more endings in the same time: the engine's own search, or the proof search?
//!
//! `cargo run --release -p stoa-solve --example endings [MILLISECONDS [POSITIONS]]`

use std::time::Duration;

use stoa_engine::{Engine, Knowledge, KnowledgeVisitor, Limits, Settings, Stop, Strategy, visit};
use stoa_rules::Game;
use stoa_rules::playout::Rng;
use stoa_solve::Verdict;
use stoa_solve::proof::{Budget, prove};

/// How many turns before the end of a random game the positions are taken.
const BEFORE_THE_END: [usize; 5] = [4, 8, 12, 18, 26];

struct Compare {
    game: Game,
    time: Duration,
    positions: u64,
}

impl KnowledgeVisitor for Compare {
    type Output = Result<(), Box<dyn std::error::Error>>;

    fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
        let settings = Settings { strategy: Some(Strategy::AlphaBeta), ..Settings::default() };
        for before in BEFORE_THE_END {
            let (mut engine_only, mut proof_only, mut both, mut of) = (0, 0, 0, 0);
            for number in 0..self.positions {
                let Some(position) = near_the_end::<P>(options, before, number) else { continue };
                let text = position.to_setup().to_string();
                let mut engine = Engine::new(self.game, settings.clone())?;
                let limits =
                    Limits { time: Some(self.time), depth: Some(200), ..Limits::default() };
                let any = self.game.position(&text)?;
                let thought = engine.think(&any, &limits, &Stop::new(), &mut |_| {});
                let by_engine = thought.score().filter(|score| score.is_proven());
                let budget = Budget { time: Some(self.time), nodes: None, memory: 64 << 20 };
                let answer = prove(&position, &budget, &Stop::new(), &mut |_| {});
                // The engine does not tell a draw from an even score.
                let by_proof = answer.value().filter(|value| *value != Verdict::Draw);
                if let (Some(score), Some(value)) = (by_engine, by_proof) {
                    assert_eq!(score.is_win(), value == Verdict::Win, "{text}");
                }
                match (by_engine.is_some(), by_proof.is_some()) {
                    (true, true) => both += 1,
                    (true, false) => engine_only += 1,
                    (false, true) => proof_only += 1,
                    (false, false) => {}
                }
                of += 1;
            }
            println!(
                "{}, {before} turns before the end: of {of}, both {both}, only the engine {engine_only}, only the proof search {proof_only}",
                self.game
            );
        }
        Ok(())
    }
}

/// A position that many turns before the end of a game of sensible random moves.
fn near_the_end<P: Knowledge>(options: P::Options, before: usize, number: u64) -> Option<P> {
    let mut rng = Rng::for_game(0xe2d, number);
    let mut way = vec![P::start(options)];
    while let Some(last) = way.last()
        && last.outcome().is_none()
    {
        let mut next = last.clone();
        next.play_unchecked(last.playout_move(&mut rng)?);
        way.push(next);
    }
    way.into_iter().rev().nth(before)
}

/// A board on which games end soon enough to be proven now and then.
fn is_small(game: Game) -> bool {
    game.start().view().spots.len() <= 100
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let time = Duration::from_millis(numbers.next().transpose()?.unwrap_or(100));
    let positions = numbers.next().transpose()?.unwrap_or(40);
    for game in Game::variants().filter(|&game| is_small(game)) {
        visit(game, Compare { game, time, positions })?;
    }
    Ok(())
}
