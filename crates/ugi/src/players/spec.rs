//! Players in words: `level=5`, `alphabeta,nodes=5000,futility=off`, `ugi:./engine ;time=100ms`.
//! `stoa help match` lists all of them.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use stoa_engine::{Level, Limits, SearchOptions, Skill, Strategy, TreeSearchChanges};
use stoa_rules::Game;

use super::EvaluationSpec;
use crate::parse_duration;

/// How many turns the careful player looks ahead: its own, and the opponent's reply. It makes no immediate
/// blunders and sees nothing else, so it is what the lowest level should lose to.
const CAREFUL_DEPTH: u32 = 2;

/// A player as written on the command line, such as `level=5` or `ugi:./engine ;time=100ms`.
#[derive(Debug, Clone)]
pub struct PlayerSpec {
    text: String,
    kind: Kind,
    limits: Limits,
}

/// Which program plays.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// Stoa's engine.
    Engine(Box<EngineSpec>),
    /// Another program.
    External {
        /// The program and its arguments, with spaces between them.
        command: String,
        /// Options for the program itself.
        options: Vec<(String, String)>,
    },
}

/// The settings of Stoa's engine.
#[derive(Debug, Clone)]
pub(super) struct EngineSpec {
    pub(super) strategy: Option<Strategy>,
    pub(super) level: Option<Level>,
    pub(super) skill: Option<Skill>,
    pub(super) threads: usize,
    /// The size of the table in MiB; nothing for one that is large enough.
    pub(super) table: Option<usize>,
    /// Whether tables of solved positions are used.
    pub(super) tables: bool,
    /// Nothing for another seed in every game.
    pub(super) seed: Option<u64>,
    pub(super) evaluation: EvaluationSpec,
    pub(super) search_options: SearchOptions,
    pub(super) tree_search: TreeSearchChanges,
}

impl PlayerSpec {
    /// The engine at a level. Its own number of nodes is its limit, so that it plays alike on every
    /// machine; without one, the time of the match counts.
    pub fn level_by_nodes(level: Level, game: Game) -> PlayerSpec {
        let build = EngineSpec { level: Some(level), ..EngineSpec::new(None) };
        PlayerSpec::by_nodes(format!("level={}", level.number()), build, level.skill(game))
    }

    /// The engine as a level would be with another skill, limited by nodes as well.
    pub fn skill_by_nodes(level: Level, game: Game, skill: Skill) -> PlayerSpec {
        let text = format!("skill={}/{}", skill.nodes.unwrap_or(0), skill.overlook);
        let (text, evaluation) = match level.takes_net(game) {
            true => (text, EvaluationSpec::default()),
            false => (text + ",evaluation=terms", EvaluationSpec::Terms),
        };
        let build = EngineSpec { skill: Some(skill), evaluation, ..EngineSpec::new(None) };
        PlayerSpec::by_nodes(text, build, skill)
    }

    fn by_nodes(text: String, build: EngineSpec, skill: Skill) -> PlayerSpec {
        let limits = Limits { nodes: skill.nodes, ..Limits::default() };
        PlayerSpec { text, kind: Kind::Engine(Box::new(build)), limits }
    }

    /// Which program plays.
    pub(super) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// How many nodes its own limits, its level or its skill allow for a move.
    pub(super) fn max_nodes(&self, game: Game) -> Option<u64> {
        let Kind::Engine(build) = &self.kind else { return None };
        let skill = build.skill.or(build.level.map(|level| level.skill(game)));
        [self.limits.nodes, skill.and_then(|skill| skill.nodes)].into_iter().flatten().min()
    }

    /// Whether its own limits speak of playouts.
    pub(super) fn has_playouts(&self) -> bool {
        self.limits.playouts.is_some()
    }

    /// What the player may use in a match with these limits: its own limits if it has any, and the
    /// clock in any case.
    pub fn limits(&self, of_match: &Limits) -> Limits {
        if self.limits.is_infinite() {
            *of_match
        } else {
            Limits { clock: of_match.clock, ..self.limits }
        }
    }
}

impl EngineSpec {
    fn new(strategy: Option<Strategy>) -> EngineSpec {
        EngineSpec {
            strategy,
            level: None,
            skill: None,
            threads: 1,
            table: None,
            tables: false,
            seed: None,
            evaluation: EvaluationSpec::default(),
            search_options: SearchOptions::default(),
            tree_search: TreeSearchChanges::default(),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for PlayerSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerSpec, String> {
        let text = text.trim();
        let mut limits = Limits::default();
        let kind = match text.strip_prefix("ugi:") {
            Some(rest) => external(rest, &mut limits)?,
            None => Kind::Engine(Box::new(engine(text, &mut limits)?)),
        };
        Ok(PlayerSpec { text: text.to_owned(), kind, limits })
    }
}

/// Reads what follows `ugi:`.
fn external(text: &str, limits: &mut Limits) -> Result<Kind, String> {
    let (command, words) = text.split_once(" ;").unwrap_or((text, ""));
    if command.trim().is_empty() {
        return Err("ugi: needs a program, such as ugi:./engine".to_owned());
    }
    let mut options = Vec::new();
    for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("'{word}' is not an option; write key=value"))?;
        if !set_limit(limits, key, value)? {
            options.push((key.to_owned(), value.to_owned()));
        }
    }
    Ok(Kind::External { command: command.trim().to_owned(), options })
}

/// Reads a player that is Stoa's engine.
fn engine(text: &str, limits: &mut Limits) -> Result<EngineSpec, String> {
    let mut words = text.split(',').map(str::trim);
    let first = words.next().unwrap_or_default();
    let mut spec = match first.split_once('=') {
        None if first == "best" => EngineSpec::new(None),
        None if first == "careful" => {
            limits.depth = Some(CAREFUL_DEPTH);
            let strategy = Some(Strategy::AlphaBeta);
            EngineSpec { evaluation: EvaluationSpec::Terms, ..EngineSpec::new(strategy) }
        }
        None => match first.parse() {
            Ok(strategy) => EngineSpec::new(Some(strategy)),
            Err(_) => return Err(no_such_player(first)),
        },
        Some(("level", level)) => {
            let level = level.parse::<Level>().map_err(|error| error.to_string())?;
            EngineSpec { level: Some(level), ..EngineSpec::new(None) }
        }
        Some(("skill", skill)) => {
            EngineSpec { skill: Some(read_skill(skill)?), ..EngineSpec::new(None) }
        }
        Some(_) => return Err(no_such_player(first)),
    };
    for word in words {
        let (key, value) = word.split_once('=').ok_or_else(|| no_such_option(word))?;
        if !set_limit(limits, key, value)? {
            set_option(&mut spec, key, value)?;
        }
    }
    if spec.strategy == Some(Strategy::Uct) && spec.tree_search != TreeSearchChanges::default() {
        return Err("uct is plain, and its options cannot be changed; write mcts".to_owned());
    }
    Ok(spec)
}

fn no_such_player(word: &str) -> String {
    format!(
        "there is no player '{word}'; write best, level=N, skill=NODES/OVERLOOK, alphabeta, mcts, \
         uct, careful, random or ugi:COMMAND first"
    )
}

fn no_such_option(word: &str) -> String {
    format!(
        "'{word}' is not an option of a player; the options are time, nodes, depth, playouts, threads, \
         table, tables, seed, evaluation, weights, reductions, futility, pruning, quiescence, \
         exploration, sharing, priors, solver, policy, cut and expand"
    )
}

fn read_skill(text: &str) -> Result<Skill, String> {
    let read = |text: &str| {
        let (nodes, overlook) = text.split_once('/')?;
        let nodes: u64 = nodes.parse().ok()?;
        let overlook = overlook.parse().ok().filter(|overlook| *overlook < 1000)?;
        Some(Skill { nodes: (nodes > 0).then_some(nodes), overlook })
    };
    read(text).ok_or_else(|| {
        format!("skill={text} does not work; write skill=NODES/OVERLOOK, such as skill=500/200")
    })
}

/// Sets a limit; returns whether the key is one.
fn set_limit(limits: &mut Limits, key: &str, value: &str) -> Result<bool, String> {
    match key {
        "time" => {
            let time = parse_duration(value)
                .map_err(|hint| format!("time={value} does not work; {hint}"))?;
            limits.time = Some(time);
        }
        "nodes" => limits.nodes = Some(whole(key, value, 1..=u64::MAX)?),
        "playouts" => limits.playouts = Some(whole(key, value, 1..=u64::MAX)?),
        "depth" => limits.depth = Some(whole(key, value, 1..=1000)? as u32),
        _ => return Ok(false),
    }
    Ok(true)
}

fn set_option(spec: &mut EngineSpec, key: &str, value: &str) -> Result<(), String> {
    let tree_search = &mut spec.tree_search;
    match key {
        "threads" => spec.threads = whole(key, value, 1..=1024)? as usize,
        "table" => spec.table = Some(whole(key, value, 1..=65_536)? as usize),
        "seed" => spec.seed = Some(whole(key, value, 0..=u64::MAX)?),
        "weights" if value.is_empty() => return Err("weights= needs a file".to_owned()),
        "weights" => spec.evaluation = EvaluationSpec::Weights(PathBuf::from(value)),
        "evaluation" => spec.evaluation = EvaluationSpec::from_word(value),
        "tables" => spec.tables = switch(key, value)?,
        "reductions" => spec.search_options.reductions = switch(key, value)?,
        "futility" => spec.search_options.futility = switch(key, value)?,
        "pruning" => spec.search_options.pruning = switch(key, value)?,
        "quiescence" => spec.search_options.quiescence = switch(key, value)?,
        "exploration" => tree_search.exploration = Some(factor(key, value)?),
        "sharing" => tree_search.sharing = Some(factor(key, value)?),
        "priors" => tree_search.priors = Some(factor(key, value)?),
        "solver" => tree_search.solver = Some(switch(key, value)?),
        "policy" => tree_search.policy = Some(switch(key, value)?),
        "cut" if value == "off" => tree_search.cut = Some(None),
        "cut" => tree_search.cut = Some(Some(whole(key, value, 0..=100_000)? as u32)),
        "expand" => tree_search.expand_after = Some(whole(key, value, 1..=100_000)? as u32),
        _ => return Err(no_such_option(&format!("{key}={value}"))),
    }
    Ok(())
}

fn whole(key: &str, value: &str, range: std::ops::RangeInclusive<u64>) -> Result<u64, String> {
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (low, high) = range.into_inner();
        let end = if high == u64::MAX { "up".to_owned() } else { format!("to {high}") };
        format!("{key}={value} does not work; write a whole number from {low} {end}")
    })
}

fn factor(key: &str, value: &str) -> Result<f32, String> {
    let number = value.parse().ok().filter(|number: &f32| (0.0..=1e6).contains(number));
    number.ok_or_else(|| format!("{key}={value} does not work; write a number from 0 up"))
}

fn switch(key: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("{key}={value} does not work; write {key}=on or {key}=off")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use stoa_engine::TreeSearchOptions;

    fn build(text: &str) -> EngineSpec {
        match text.parse::<PlayerSpec>().unwrap().kind {
            Kind::Engine(build) => *build,
            Kind::External { .. } => panic!("{text}"),
        }
    }

    fn refused(text: &str) -> String {
        text.parse::<PlayerSpec>().unwrap_err()
    }

    #[test]
    fn every_kind_of_player() {
        assert_eq!(build("best").strategy, None);
        assert_eq!(build("mcts").strategy, Some(Strategy::Mcts));
        assert_eq!(build("level=5").level, Level::new(5));
        assert_eq!(build("level=sage").level, Level::new(9));
        assert_eq!(build("skill=500/200").skill, Some(Skill { nodes: Some(500), overlook: 200 }));
        assert_eq!(build("careful").evaluation, EvaluationSpec::Terms);
        assert_eq!(build("careful").strategy, Some(Strategy::AlphaBeta));
        assert_eq!(build("skill=0/0").skill, Some(Skill { nodes: None, overlook: 0 }));
        let spec: PlayerSpec = "ugi:./engine --quiet ;nodes=500,Hash=64".parse().unwrap();
        assert_eq!(spec.limits.nodes, Some(500));
        let Kind::External { command, options } = spec.kind else { panic!() };
        assert_eq!(command, "./engine --quiet");
        assert_eq!(options, [("Hash".to_owned(), "64".to_owned())]);
    }

    #[test]
    fn levels_can_go_by_nodes_alone() {
        let in_match = Limits::time(Duration::from_millis(50));
        let skill = Skill { nodes: Some(7), overlook: 8 };
        let as_level = |level| PlayerSpec::skill_by_nodes(level, Game::Impasse, skill);
        assert_eq!(as_level(Level::HIGHEST).limits(&in_match), Limits::nodes(7));
        assert_eq!(as_level(Level::HIGHEST).to_string(), "skill=7/8");
        assert_eq!(as_level(Level::LOWEST).to_string(), "skill=7/8,evaluation=terms");
        let highest = PlayerSpec::level_by_nodes(Level::HIGHEST, Game::Impasse);
        assert_eq!(highest.limits(&in_match), in_match);
        assert_eq!(highest.to_string(), "level=10");
    }

    #[test]
    fn options_are_set() {
        let made = build("alphabeta,threads=2,table=8,seed=7,reductions=off,weights=w.txt");
        assert_eq!((made.threads, made.table, made.seed), (2, Some(8), Some(7)));
        assert!(!made.search_options.reductions && made.search_options.futility);
        assert_eq!(made.evaluation, EvaluationSpec::Weights("w.txt".into()));
        let tree_search = build("mcts,exploration=0.3,cut=12,expand=4,solver=off").tree_search;
        let tree_search = tree_search.apply(TreeSearchOptions::default());
        assert_eq!(
            (tree_search.exploration, tree_search.cut, tree_search.expand_after),
            (0.3, Some(12), 4)
        );
        assert!(!tree_search.solver && tree_search.policy);
        assert_eq!(build("mcts").tree_search, TreeSearchChanges::default());
    }

    #[test]
    fn own_limits_replace_those_of_the_match() {
        let of_match = Limits::time(Duration::from_millis(50));
        let limits = |text: &str| text.parse::<PlayerSpec>().unwrap().limits(&of_match);
        assert_eq!(limits("best"), of_match);
        assert_eq!(limits("best,time=1.5"), Limits::time(Duration::from_millis(1500)));
        assert_eq!(limits("best,nodes=9"), Limits::nodes(9));
        assert_eq!(limits("careful"), Limits::depth(2));
        assert_eq!(limits("careful,depth=3"), Limits::depth(3));
        let clock = stoa_engine::Clock { left: Duration::from_secs(9), increment: Duration::ZERO };
        let of_match = Limits { clock: Some(clock), ..Limits::default() };
        let with_clock = "best,depth=3".parse::<PlayerSpec>().unwrap().limits(&of_match);
        assert_eq!(with_clock, Limits { clock: Some(clock), ..Limits::depth(3) });
    }

    #[test]
    fn invalid_players_are_refused() {
        assert!(refused("").starts_with("there is no player ''; write best, level=N"));
        assert!(refused("deep blue").starts_with("there is no player 'deep blue'"));
        assert_eq!(refused("level=11"), "there is no level '11'; levels go from 1 to 10");
        assert!(refused("skill=5").starts_with("skill=5 does not work; write skill="));
        assert!(refused("skill=5/1000").starts_with("skill=5/1000 does not work"));
        assert!(refused("best,nodes").starts_with("'nodes' is not an option of a player"));
        assert!(refused("best,noodles=3").starts_with("'noodles=3' is not an option"));
        assert_eq!(
            refused("best,nodes=0"),
            "nodes=0 does not work; write a whole number from 1 up"
        );
        assert!(refused("best,time=soon").starts_with("time=soon does not work; write a time"));
        assert!(refused("best,solver=maybe").ends_with("write solver=on or solver=off"));
        assert!(refused("mcts,priors=-1").starts_with("priors=-1 does not work"));
        assert!(refused("uct,priors=1").starts_with("uct is plain"));
        assert_eq!(refused("ugi: "), "ugi: needs a program, such as ugi:./engine");
        assert!(refused("ugi:x ;fast").starts_with("'fast' is not an option"));
        assert!(refused("best,").starts_with("'' is not an option"));
    }
}
