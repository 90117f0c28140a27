//! How well do evaluations judge positions whose value is proven? Positions are taken from games of a low level against
//! itself, some turns before the end, and those count that the proof search settles.
//!
//! `cargo run --release -p stoa-solve --example judged GAME [GAMES [NODES]]`
//!
//! A judge is *right* when it prefers the player who wins; the *loss* is the cross-entropy of its probabilities, which
//! is 0.693 for somebody who always says one half. Draws are left out.

use stoa_engine::{
    Engine, EvaluationChoice, Knowledge, KnowledgeVisitor, Level, Limits, Settings, Stop, Strategy,
    visit,
};
use stoa_rules::Game;
use stoa_rules::playout::Rng;
use stoa_solve::Verdict;
use stoa_solve::proof::{Budget, prove};

/// How many turns before the end of a game positions are taken.
const BEFORE_THE_END: [usize; 8] = [3, 5, 8, 12, 17, 23, 30, 38];

/// How many random moves a game begins with.
const RANDOM_MOVES: usize = 6;

/// Who plays the games.
const PLAYER: u8 = 4;

/// Somebody who says who will win.
struct Judge {
    name: String,
    engine: Engine,
    limits: Limits,
    right: u32,
    loss: f64,
}

impl Judge {
    /// Nobody, where the game has no network to judge with.
    fn new(
        game: Game,
        strategy: Option<Strategy>,
        evaluation: EvaluationChoice,
        nodes: u64,
    ) -> Option<Judge> {
        let name = match strategy {
            Some(strategy) => format!("{evaluation}, {strategy}, {nodes} nodes"),
            None => format!("{evaluation}, {nodes} nodes"),
        };
        let engine = Engine::new(game, Settings { strategy, evaluation, ..Settings::default() });
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        Some(Judge { name, engine: engine.ok()?, limits, right: 0, loss: 0.0 })
    }

    /// Asks for a position that the player to move wins, or loses.
    fn ask(&mut self, position: &stoa_rules::AnyPosition, is_won: bool) {
        self.engine.forget();
        let thought = self.engine.think(position, &self.limits, &Stop::new(), &mut |_| {});
        let chance = thought.score().map_or(0.5, |score| score.win_probability());
        let chance = if is_won { chance } else { 1.0 - chance };
        self.right += u32::from(chance > 0.5);
        self.loss -= chance.max(1e-9).ln();
    }
}

struct Compare {
    game: Game,
    games: u64,
    budget: Budget,
}

impl KnowledgeVisitor for Compare {
    type Output = Result<(), Box<dyn std::error::Error>>;

    fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
        let Compare { game, games, budget } = self;
        let terms = || EvaluationChoice::Terms;
        let judges = [
            Judge::new(game, Some(Strategy::AlphaBeta), terms(), 1),
            Judge::new(game, Some(Strategy::Mcts), terms(), 200),
            Judge::new(game, None, EvaluationChoice::Net, 1),
            Judge::new(game, None, EvaluationChoice::Best, 200),
        ];
        let mut judges: Vec<Judge> = judges.into_iter().flatten().collect();
        let (mut asked, mut proven) = (0, 0);
        for number in 0..games {
            let way = play::<P>(game, options, number)?;
            for before in BEFORE_THE_END {
                let Some(position) = way.iter().rev().nth(before) else { continue };
                asked += 1;
                let answer = prove(position, &budget, &Stop::new(), &mut |_| {});
                let is_won = match answer.value() {
                    Some(Verdict::Win) => true,
                    Some(Verdict::Loss) => false,
                    Some(Verdict::Draw) | None => continue,
                };
                proven += 1;
                let any = game.position(&position.to_setup().to_string())?;
                for judge in &mut judges {
                    judge.ask(&any, is_won);
                }
            }
        }
        println!("{game}: {proven} of {asked} positions proven to be won or lost");
        if proven == 0 {
            return Ok(());
        }
        for Judge { name, right, loss, .. } in judges {
            let (right, loss) = (f64::from(right), loss / f64::from(proven));
            println!(
                "{name:>28}: right {:5.1} %, loss {loss:.3}",
                100.0 * right / f64::from(proven)
            );
        }
        Ok(())
    }
}

/// The positions of a game of a low level against itself.
fn play<P: Knowledge>(
    game: Game,
    options: P::Options,
    number: u64,
) -> Result<Vec<P>, Box<dyn std::error::Error>> {
    let level = Level::new(PLAYER).ok_or("there is such a level")?;
    let mut engine = Engine::new(game, Settings { seed: number, ..Settings::level(level) })?;
    let mut rng = Rng::for_game(0x1d6e, number);
    let mut way = vec![P::start(options)];
    while let Some(last) = way.last()
        && last.outcome().is_none()
    {
        let mut next = last.clone();
        if way.len() <= RANDOM_MOVES {
            let index = rng.below(last.count_moves());
            next.play_unchecked(last.nth_move(index).ok_or("there are as many moves")?);
        } else {
            let any = game.position(&last.to_setup().to_string())?;
            let thought = engine.think(&any, &Limits::default(), &Stop::new(), &mut |_| {});
            let best = thought.best().ok_or("a game that is not over has a move")?;
            next.play_unchecked(last.parse_move(best)?);
        }
        way.push(next);
    }
    Ok(way)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().ok_or("name a game")?.parse::<Game>()?;
    let mut numbers = arguments.map(|text| text.parse::<u64>());
    let games = numbers.next().transpose()?.unwrap_or(100);
    let nodes = numbers.next().transpose()?.unwrap_or(300_000);
    let budget = Budget { nodes: Some(nodes), time: None, memory: 256 << 20 };
    visit(game, Compare { game, games, budget })
}
