//! The engine's public face: a game, settings, and searches of positions.
//!
//! ```
//! use stoa_engine::{Engine, Limits, Settings, Stop};
//! use stoa_rules::Game;
//!
//! let mut engine = Engine::new(Game::Colonnade, Settings::default())?;
//! let thought = engine.think(&Game::Colonnade.start(), &Limits::nodes(5_000), &Stop::new(), &mut |_| {});
//! assert!(Game::Colonnade.start().legal_moves().contains(&thought.best().unwrap().to_owned()));
//! # Ok::<(), stoa_engine::EvaluationError>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Side};

use crate::alphabeta::{self, MoveOrderings, ScoredLine, SearchOptions};
use crate::crew::Crew;
use crate::games::{KnowledgeVisitor, visit};
use crate::level::Oversight;
use crate::limits::{Now, Stop, Timer, system_now};
use crate::mcts::{self, Tree, TreeSearchChanges, TreeSearchOptions};
use crate::text::excerpt;
use crate::transposition::TranspositionTable;
use crate::{
    Evaluation, EvaluationChoice, EvaluationError, Knowledge, Level, Limits, Oracle, Score, Skill,
    Weights,
};

/// How moves are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Alpha-beta with the game's evaluation.
    AlphaBeta,
    /// Monte Carlo tree search with the game's knowledge.
    Mcts,
    /// Plain UCT with random playouts: a baseline.
    Uct,
    /// A random legal move: a baseline too.
    Random,
}

impl Strategy {
    /// Every strategy with its word.
    pub const WORDS: [(Strategy, &'static str); 4] = [
        (Strategy::AlphaBeta, "alphabeta"),
        (Strategy::Mcts, "mcts"),
        (Strategy::Uct, "uct"),
        (Strategy::Random, "random"),
    ];
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Strategy::WORDS.iter().find(|(strategy, _)| strategy == self);
        f.write_str(word.map_or("", |(_, word)| word))
    }
}

/// There is no such strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no strategy '{0}'; the strategies are alphabeta, mcts, uct and random")]
pub struct UnknownStrategy(String);

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Strategy, UnknownStrategy> {
        let known = Strategy::WORDS.iter().find(|(_, word)| text.eq_ignore_ascii_case(word));
        known.map(|(strategy, _)| *strategy).ok_or_else(|| UnknownStrategy(excerpt(text)))
    }
}

/// What an engine is made of.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How it plays; `None` for the strategy that is best for the game.
    pub strategy: Option<Strategy>,
    /// How many threads search.
    pub threads: usize,
    /// The memory of the search in MiB: the transposition table of alpha-beta, the trees of all
    /// threads of the tree search.
    pub table: usize,
    /// The seed of everything random.
    pub seed: u64,
    /// How many lines are found.
    pub lines: usize,
    /// A level of strength below the full one.
    pub level: Option<Level>,
    /// A skill that overrides the level's.
    pub skill: Option<Skill>,
    /// The options of alpha-beta; no other strategy has a use for them.
    pub search_options: SearchOptions,
    /// What is different from the game's own options of [`Strategy::Mcts`]. [`Strategy::Uct`] always has
    /// [`TreeSearchOptions::PLAIN`].
    pub tree_search: TreeSearchChanges,
    /// How positions are judged. For [`EvaluationChoice::Best`] an engine of a level that takes no network
    /// ([`Level::takes_net`]) takes the hand-made terms, with which its level was calibrated; so does alpha-beta in a
    /// game whose network guides a tree search.
    pub evaluation: EvaluationChoice,
    /// A source of exact values. An engine whose level limits what it sees does not ask it.
    pub oracle: Option<Arc<dyn Oracle>>,
    /// Engines without common memory with which it searches, if nothing limits what it sees. One that helps finds no
    /// lines of its own; it helps until it is stopped.
    pub crew: Option<Crew>,
    /// The clock. WebAssembly has none of its own: without one passed here, limits of time never
    /// take effect there.
    pub now: Now,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            strategy: None,
            threads: 1,
            table: 64,
            seed: 0,
            lines: 1,
            level: None,
            skill: None,
            search_options: SearchOptions::default(),
            tree_search: TreeSearchChanges::default(),
            evaluation: EvaluationChoice::default(),
            oracle: None,
            crew: None,
            now: system_now,
        }
    }
}

impl Settings {
    /// Settings for an engine of a level.
    pub fn level(level: Level) -> Settings {
        Settings { level: Some(level), ..Settings::default() }
    }
}

/// A line of play and its value for the player to move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "EngineLine"))]
pub struct Line {
    /// Its value.
    pub score: Score,
    /// The moves, in the game's notation.
    pub moves: Vec<String>,
}

/// What the engine thinks of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Thought {
    /// The strategy that found it.
    #[cfg_attr(feature = "serde", serde(serialize_with = "as_text"))]
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub strategy: Strategy,
    /// Whose turn it is: the scores are theirs.
    pub side: Side,
    /// The depth that the search completed, in turns.
    pub depth: u32,
    /// How many nodes it searched; for a tree search, how many playouts it made.
    pub nodes: u64,
    /// How long it took.
    #[cfg_attr(feature = "ts", ts(type = "{ secs: number; nanos: number }"))]
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub table_used: u32,
    /// The best lines, the best first. None when the game is over.
    pub lines: Vec<Line>,
}

#[cfg(feature = "serde")]
fn as_text<S: serde::Serializer>(value: &impl fmt::Display, s: S) -> Result<S::Ok, S::Error> {
    s.collect_str(value)
}

impl Thought {
    /// The best move.
    pub fn best(&self) -> Option<&str> {
        self.lines.first()?.moves.first().map(String::as_str)
    }

    /// The value of the position for the player to move.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// An engine for one game.
pub struct Engine {
    game: Game,
    inner: Box<dyn Think>,
}

impl Engine {
    /// An engine for a game. It fails if the settings have weights that are not the game's.
    pub fn new(game: Game, settings: Settings) -> Result<Engine, EvaluationError> {
        struct Build(Game, Settings);
        impl KnowledgeVisitor for Build {
            type Output = Result<Box<dyn Think>, EvaluationError>;
            fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
                TypedEngine::<P>::boxed(self.0, options, self.1)
            }
        }
        let inner = visit(game, Build(game, settings))?;
        Ok(Engine { game, inner })
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Searches a position of its game until a limit is reached or it is stopped, and reports what it
    /// has found so far meanwhile.
    ///
    /// A finished game gets a thought without lines. So does a position of another game or of the same
    /// game with other options, whose weights and level would be wrong: make an engine for
    /// [`AnyPosition::game`].
    pub fn think(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Thought),
    ) -> Thought {
        self.inner.think(position, limits, stop, report)
    }

    /// The evaluation of a position term by term, without any search, for the player to move. Empty for
    /// a position of another game or of the same game with other options.
    pub fn explain(&self, position: &AnyPosition) -> Vec<(&'static crate::Term, Score)> {
        self.inner.explain(position)
    }

    /// Sets how many lines are found from now on.
    pub fn set_lines(&mut self, lines: usize) {
        self.inner.set_lines(lines);
    }

    /// Clears what earlier searches have stored: for a new game.
    pub fn forget(&mut self) {
        self.inner.forget();
    }
}

trait Think: Send {
    fn think(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Thought),
    ) -> Thought;
    fn explain(&self, position: &AnyPosition) -> Vec<(&'static crate::Term, Score)>;
    fn set_lines(&mut self, lines: usize);
    fn forget(&mut self);
}

/// The engine of one game, in its own types.
struct TypedEngine<P: Knowledge> {
    game: Game,
    settings: Settings,
    strategy: Strategy,
    /// What limits it, if anything does.
    skill: Option<Skill>,
    evaluation: Evaluation,
    /// The terms, which explain what a network only judges, and which playouts use.
    weights: Weights,
    crew: Option<Crew>,
    table: TranspositionTable,
    orderings: MoveOrderings<P>,
    trees: Vec<Tree<P>>,
    rng: Rng,
}

impl<P: Knowledge> TypedEngine<P> {
    fn boxed(
        game: Game,
        options: P::Options,
        settings: Settings,
    ) -> Result<Box<dyn Think>, EvaluationError> {
        let strategy = settings.strategy.unwrap_or_else(|| P::strategy(options));
        let takes_net = settings.level.is_none_or(|level| level.takes_net(game));
        let choice = match &settings.evaluation {
            EvaluationChoice::Best if !takes_net => &EvaluationChoice::Terms,
            choice => choice,
        };
        let evaluation = Evaluation::for_strategy::<P>(game, options, choice, strategy)?;
        let weights = match &evaluation {
            Evaluation::Terms(weights) => Weights::clone(weights),
            Evaluation::Net(_) | Evaluation::Policy(_) => Weights::of::<P>(options),
        };
        let skill_of = |level: Level| match evaluation {
            Evaluation::Terms(_) => level.skill_with_terms(game),
            Evaluation::Net(_) | Evaluation::Policy(_) => level.skill(game),
        };
        let skill = settings.skill.or_else(|| settings.level.map(skill_of));
        let crew = settings.crew.clone();
        let crew = crew.map(|crew| crew.among(&game.to_string(), evaluation.checksum()));
        let bytes = settings.table << 20;
        // Threads have trees of their own, but for those that a network guides.
        let trees = match (strategy, &evaluation) {
            (Strategy::AlphaBeta | Strategy::Random, _) => 0,
            (Strategy::Mcts, Evaluation::Policy(_)) => 1,
            (Strategy::Mcts | Strategy::Uct, _) => settings.threads.max(1),
        };
        let table = if strategy == Strategy::AlphaBeta { bytes } else { 0 };
        Ok(Box::new(TypedEngine::<P> {
            game,
            strategy,
            skill,
            evaluation,
            weights,
            crew,
            table: TranspositionTable::new(table),
            orderings: MoveOrderings::default(),
            trees: std::iter::repeat_with(|| Tree::new(bytes / trees)).take(trees).collect(),
            rng: Rng::new(settings.seed),
            settings,
        }))
    }

    /// A position of this engine's game with the same options, in its own type.
    fn own<'a>(&self, position: &'a AnyPosition) -> Option<&'a P> {
        position.downcast().filter(|_| position.game() == self.game)
    }

    fn think_of(
        &mut self,
        position: &P,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Thought),
    ) -> Thought {
        let timer = Timer::with(self.settings.now);
        let skill = self.skill;
        let limits = &skill.map_or(*limits, |skill| skill.limits(limits));
        let overlook = skill.map_or(0, |skill| skill.overlook);
        let sees_all = skill.is_none_or(Skill::sees_all);
        // Nobody chooses a strategy in a browser, so its module needs no code for the others.
        let strategy = match cfg!(target_arch = "wasm32") {
            true => P::strategy(position.options()),
            false => self.strategy,
        };
        let side = position.side_to_move();
        let ten_to_one = match (strategy, &self.evaluation) {
            (Strategy::AlphaBeta, Evaluation::Net(_)) | (Strategy::Mcts, Evaluation::Policy(_)) => {
                P::ten_to_one(position.options()).net
            }
            (Strategy::AlphaBeta, Evaluation::Terms(_)) => P::ten_to_one(position.options()).terms,
            _ => Score::TEN_TO_ONE,
        };
        let thought = |depth, nodes, used, found: &[ScoredLine<P::Move>]| Thought {
            strategy,
            side,
            depth,
            nodes,
            time: timer.elapsed(),
            table_used: used,
            lines: lines_in_text(position, found, overlook == 0, ten_to_one),
        };
        if position.outcome().is_some() {
            return thought(0, 0, 0, &[]);
        }
        let oversight = Oversight { seed: self.settings.seed, overlook };
        match strategy {
            Strategy::Random => {
                let mv = position.nth_move(self.rng.below(position.count_moves()));
                let found = ScoredLine { score: Score::EVEN, line: mv.into_iter().collect() };
                thought(0, 1, 0, &[found])
            }
            Strategy::AlphaBeta => {
                let search = alphabeta::Search {
                    position,
                    evaluator: &self.evaluation,
                    table: &self.table,
                    options: self.settings.search_options,
                    oversight,
                    limits,
                    lines: self.settings.lines,
                    threads: self.settings.threads,
                    oracle: self.settings.oracle.as_deref().filter(|_| sees_all),
                    crew: self.crew.as_ref().filter(|_| sees_all),
                    stop,
                    timer,
                };
                let table = &self.table;
                let ended = search.run(&mut self.orderings, &mut |progress| {
                    let used = table.fullness();
                    report(&thought(progress.depth, progress.nodes, used, progress.found));
                });
                thought(ended.depth, ended.nodes, self.table.fullness(), &ended.found)
            }
            Strategy::Mcts | Strategy::Uct => {
                let guide = match &self.evaluation {
                    Evaluation::Policy(net) if strategy == Strategy::Mcts => Some(&**net),
                    _ => None,
                };
                let options = match (strategy, guide) {
                    (Strategy::Uct, _) => TreeSearchOptions::PLAIN,
                    (_, Some(_)) => self.settings.tree_search.apply(TreeSearchOptions::GUIDED),
                    _ => {
                        let own = P::tree_search_options(position.options());
                        self.settings.tree_search.apply(own)
                    }
                };
                let search = mcts::Search {
                    position,
                    evaluator: &self.weights,
                    guide,
                    options,
                    oversight,
                    limits,
                    lines: self.settings.lines,
                    threads: self.settings.threads,
                    crew: self.crew.as_ref().filter(|_| sees_all),
                    stop,
                    timer,
                };
                let (found, depth, playouts) = search.run(&mut self.trees, &mut |progress| {
                    report(&thought(progress.depth, progress.playouts, 0, progress.found));
                });
                thought(depth, playouts, 0, &found)
            }
        }
    }
}

impl<P: Knowledge> Think for TypedEngine<P> {
    fn think(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Thought),
    ) -> Thought {
        match self.own(position) {
            Some(position) => self.think_of(position, limits, stop, report),
            None => Thought {
                strategy: self.strategy,
                side: position.side_to_move(),
                depth: 0,
                nodes: 0,
                time: Duration::ZERO,
                table_used: 0,
                lines: Vec::new(),
            },
        }
    }

    fn explain(&self, position: &AnyPosition) -> Vec<(&'static crate::Term, Score)> {
        let Some(position) = self.own(position) else { return Vec::new() };
        let ten_to_one = P::ten_to_one(position.options()).terms;
        let terms = crate::eval::explain(position, &self.weights).into_iter();
        terms.map(|(term, score)| (term, score.scaled(ten_to_one))).collect()
    }

    fn set_lines(&mut self, lines: usize) {
        self.settings.lines = lines;
    }

    fn forget(&mut self) {
        self.table.clear();
        if let Some(crew) = &self.crew {
            crew.forget();
        }
        for tree in &mut self.trees {
            tree.clear();
        }
        self.rng = Rng::new(self.settings.seed);
    }
}

/// Lines in the game's notation. Proven scores are reported as proven only if the search was
/// `thorough`: a search that overlooks moves proves nothing. The others are scaled to what they promise.
fn lines_in_text<P: Knowledge>(
    position: &P,
    found: &[ScoredLine<P::Move>],
    thorough: bool,
    ten_to_one: i32,
) -> Vec<Line> {
    let text = |line: &[P::Move]| {
        let mut at = position.clone();
        let mut moves = Vec::with_capacity(line.len());
        for &mv in line {
            moves.push(at.move_text(mv));
            at.play_unchecked(mv);
        }
        moves
    };
    let score = |score: Score| {
        if thorough { score.scaled(ten_to_one) } else { score.scaled(ten_to_one).unproven() }
    };
    found.iter().map(|found| Line { score: score(found.score), moves: text(&found.line) }).collect()
}

/// The strategy that plays a game best.
pub fn best_strategy(game: Game) -> Strategy {
    struct Best;
    impl KnowledgeVisitor for Best {
        type Output = Strategy;
        fn visit<P: Knowledge>(self, options: P::Options) -> Strategy {
            P::strategy(options)
        }
    }
    visit(game, Best)
}
