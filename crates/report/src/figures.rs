//! The figures of a report, counted from the games of its parts.

use std::collections::BTreeMap;

use serde::Serialize;
use stoa_engine::matches::{Bounded, Estimate, Pentanomial};
use stoa_engine::selfplay::file::{Aside, PlayedGame};
use stoa_engine::{Score, Strategy, best_strategy};
use stoa_rules::view::Ground;
use stoa_rules::{Game, Notation, Position, Reason, Record, Session, Side, Symmetry};

use crate::facts::{FAR_BEHIND, Facts};
use crate::games::{Rule, rules};
use crate::openings::{candidates, chances, first_moves};
use crate::parts::Collected;
use crate::plan::{ROUND, RUNGS, STRENGTHS, STRONGEST, Task, task};
use crate::replay::Fault;
use crate::stats::{Spread, mean, share};

/// A move is as good as the best if it costs at most this much of the chance of winning.
pub const AS_GOOD: f64 = 0.05;

/// Into how many equal parts a game is divided to see how figures change in its course.
pub const PHASES: usize = 10;

/// Everything that games tell about a board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The game's id.
    pub game: Game,
    /// The seed of the games.
    pub seed: u64,
    /// How many games were counted, over how many rounds.
    pub games: usize,
    /// How many whole rounds these are.
    pub rounds: usize,
    /// What the strength of a player is counted in: nodes or playouts.
    pub unit: &'static str,
    /// What games between players of equal strength are like, the weakest first.
    pub strengths: Vec<Played>,
    /// What thinking twice as much is worth.
    pub depth: Vec<Rung>,
    /// How many moves of a position matter.
    pub choice: Option<Choice>,
    /// How often the moves name each cell.
    pub board: Vec<CellUse>,
    /// How often each rule bites.
    pub rules: Vec<RuleUse>,
    /// The first moves.
    pub openings: Openings,
    /// What symmetry is left.
    pub symmetry: SymmetryFigures,
    /// Games worth looking at.
    pub examples: Vec<Example>,
}

/// What games between players of equal strength are like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Played {
    /// How many positions or playouts the players looked at for each move.
    pub nodes: u64,
    /// How many games there are.
    pub games: usize,
    /// How many of them are different.
    pub different: usize,
    /// How many the first player won, drew and lost.
    pub results: [usize; 3],
    /// The first player's score: a win counts 1, a draw a half.
    pub first_score: Bounded,
    /// The share of draws.
    pub draws: Bounded,
    /// The share of games that ended because of too many turns without progress.
    pub stalls: Bounded,
    /// The share of each way in which games ended.
    pub ends: Vec<(Reason, Bounded)>,
    /// The number of turns.
    pub length: Spread,
    /// The number of legal moves of a turn, on the average of each game.
    pub branching: Bounded,
    /// The same by tenths of the game.
    pub branching_by_phase: Vec<Bounded>,
    /// The most legal moves of any turn.
    pub max_branching: u32,
    /// How often the lead changes in a game.
    pub lead_changes: Bounded,
    /// How late a game is decided, as a share of its length.
    pub decided: Option<Bounded>,
    /// How many turns are left then.
    pub turns_after_decision: Option<Bounded>,
    /// The share of decisive games whose winner had been far behind.
    pub comebacks: Option<Bounded>,
    /// The share of games won by the side that was behind in the middle of the game.
    pub behind_wins: Option<Bounded>,
    /// The later winner's chances by tenths of the game.
    pub winner_by_phase: Vec<Bounded>,
}

/// A match between a player and one who thinks twice as much.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rung {
    /// How much the weaker one thinks.
    pub nodes: u64,
    /// How many pairs of games there are.
    pub pairs: u64,
    /// The stronger one's score and the difference in Elo.
    pub estimate: Estimate,
}

/// How many moves of a position matter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// How many positions were looked at, one of each game of the strongest.
    pub positions: usize,
    /// How many legal moves they have.
    pub legal: Bounded,
    /// How many of those are as good as the best.
    pub good: Bounded,
    /// In what share of the positions a single move is.
    pub single: Bounded,
    /// How much of the chance of winning a random move costs.
    pub random_cost: Bounded,
}

/// How often the moves name a cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellUse {
    /// The cell's name.
    pub name: String,
    /// Its place, counted in half cells.
    pub x: i16,
    /// Its place, counted in half cells or half rows.
    pub y: i16,
    /// The share of turns that name it.
    pub used: f64,
}

/// How often a rule bites.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleUse {
    /// The rule.
    #[serde(flatten)]
    pub rule: Rule,
    /// In how many turns of a game.
    pub a_game: Bounded,
    /// In what share of the games at all.
    pub in_games: Bounded,
}

/// The first moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Openings {
    /// How many first moves there are.
    pub moves: usize,
    /// Those that differ by more than a symmetry, the best for the first player first.
    pub first_moves: Vec<FirstMoveFigures>,
    /// The moves for a pie rule: those whose score is nearest to even.
    pub pie: Vec<String>,
}

/// What a first move is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FirstMoveFigures {
    /// One of the moves.
    #[serde(rename = "move")]
    pub mv: String,
    /// How many moves are the same but for a symmetry.
    pub alike: usize,
    /// The first player's chances as the search of the survey sees them.
    pub chances: f64,
    /// The first player's score in games that begin with it, if there were any.
    pub score: Option<Bounded>,
    /// How many games these are.
    pub games: usize,
}

/// What symmetry there is and what is left of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SymmetryFigures {
    /// How many symmetries the board has, with the one that changes nothing.
    pub symmetries: usize,
    /// How many of them leave the starting position as it is.
    pub of_start: usize,
    /// How many positions of a game are symmetric before the first that is not.
    pub symmetric_turns: Bounded,
}

/// A game worth looking at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Example {
    /// What it is an example of.
    pub of: &'static str,
    /// Its number among the games of the seed.
    pub number: u32,
    /// How many turns it has.
    pub plies: u32,
    /// The game as a record.
    pub record: String,
}

/// A game and its facts.
type Pair<'a> = (&'a PlayedGame, &'a Facts);

/// Counts everything.
pub fn figures(collected: &Collected) -> Result<Figures, Fault> {
    let game = collected.plan.game;
    let mut facts = BTreeMap::new();
    for (number, played) in &collected.games {
        facts.insert(*number, Facts::of(game, played)?);
    }
    let of = |wanted: &dyn Fn(Task) -> bool| -> Vec<Pair<'_>> {
        let games = collected.games.values().zip(facts.values());
        games.filter(|(played, _)| task(played.number).is_some_and(wanted)).collect()
    };
    let nodes = collected.plan.nodes;
    let strengths = (0..STRENGTHS.len()).filter_map(|strength| {
        played(STRENGTHS[strength] * nodes, &of(&|task| task == Task::Play(strength)))
    });
    let strongest = of(&|task| task == Task::Play(STRONGEST));
    let rung = |rung: usize| {
        rung_figures(rung, nodes, &of(&|task| matches!(task, Task::Match(r, _) if r == rung)))
    };
    Ok(Figures {
        game,
        seed: collected.plan.seed,
        games: collected.games.len(),
        rounds: collected.games.len() / ROUND as usize,
        unit: match best_strategy(game) {
            Strategy::AlphaBeta | Strategy::Random => "nodes",
            Strategy::Mcts | Strategy::Uct => "playouts",
        },
        strengths: strengths.collect(),
        depth: (0..RUNGS.len()).map(rung).filter(|rung| rung.pairs > 0).collect(),
        choice: choice(&strongest),
        board: board(game, &strongest),
        rules: rule_uses(game, &strongest),
        openings: openings(collected, &of(&|task| matches!(task, Task::Opening(_)))),
        symmetry: symmetry(game, &strongest),
        examples: examples(game, &strongest),
    })
}

fn played(nodes: u64, games: &[Pair<'_>]) -> Option<Played> {
    let count = games.len();
    let facts = || games.iter().map(|(_, facts)| *facts);
    let part = |wanted: &dyn Fn(&Facts) -> bool| facts().filter(|facts| wanted(facts)).count();
    let share_of = |wanted: &dyn Fn(&Facts) -> bool| share(part(wanted) as f64, count);
    let mean_of = |number: &dyn Fn(&Facts) -> Option<f64>| {
        mean(&facts().filter_map(number).collect::<Vec<f64>>())
    };
    let won = |side| part(&|facts| facts.outcome.winner == Some(side));
    let results =
        [won(Side::First), part(&|facts| facts.outcome.winner.is_none()), won(Side::Second)];
    let ends =
        Reason::WORDS.iter().filter(|(reason, _)| part(&|f| f.outcome.reason == *reason) > 0);
    let mut moves: Vec<Vec<u16>> =
        games.iter().map(|(played, _)| played.turns.iter().map(|turn| turn.mv).collect()).collect();
    moves.sort_unstable();
    moves.dedup();
    let decisive = part(&|facts| facts.lowest_chance_of_winner().is_some());
    let far_behind = |f: &Facts| f.lowest_chance_of_winner().is_some_and(|low| low <= FAR_BEHIND);
    let behind = part(&|facts| facts.behind_at_half_time().is_some());
    let turned =
        |f: &Facts| f.outcome.winner.is_some() && f.behind_at_half_time() == f.outcome.winner;
    let branching = |f: &Facts| {
        let choices: u64 = f.choices.iter().map(|&count| u64::from(count)).sum();
        (f.plies() > 0).then(|| choices as f64 / f64::from(f.plies()))
    };
    Some(Played {
        nodes,
        games: count,
        different: moves.len(),
        results,
        first_score: share(facts().map(Facts::first_points).sum(), count)?,
        draws: share(results[1] as f64, count)?,
        stalls: share_of(&|facts| facts.outcome.reason == Reason::Stall)?,
        ends: ends
            .filter_map(|(reason, _)| Some((*reason, share_of(&|f| f.outcome.reason == *reason)?)))
            .collect(),
        length: Spread::of(&facts().map(Facts::plies).collect::<Vec<_>>())?,
        branching: mean_of(&branching)?,
        branching_by_phase: by_phase(games, &|facts, turn| Some(facts.choices[turn].into())),
        max_branching: facts().flat_map(|facts| facts.choices.iter().copied()).max().unwrap_or(0),
        lead_changes: mean_of(&|facts| Some(facts.lead_changes().into()))?,
        decided: mean_of(&|f| Some(f64::from(f.decided_in()?) / f64::from(f.plies().max(1)))),
        turns_after_decision: mean_of(&|f| Some(f64::from(f.plies() - f.decided_in()?))),
        comebacks: share(part(&far_behind) as f64, decisive),
        behind_wins: share(part(&turned) as f64, behind),
        winner_by_phase: by_phase(games, &|facts, turn| {
            let chance = facts.chances[turn]?;
            Some(if facts.outcome.winner? == Side::First { chance } else { 1.0 - chance })
        }),
    })
}

/// The mean over games of a figure of each turn, for every tenth of the game.
fn by_phase(games: &[Pair<'_>], figure: &dyn Fn(&Facts, usize) -> Option<f64>) -> Vec<Bounded> {
    let of_phase = |phase: usize| {
        let of_game = |facts: &Facts| {
            let turns = facts.choices.len();
            let range = phase * turns / PHASES..(phase + 1) * turns / PHASES;
            let figures: Vec<f64> = range.filter_map(|turn| figure(facts, turn)).collect();
            (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64)
        };
        mean(&games.iter().filter_map(|(_, facts)| of_game(facts)).collect::<Vec<_>>())
    };
    (0..PHASES).filter_map(of_phase).collect()
}

fn rung_figures(rung: usize, nodes: u64, games: &[Pair<'_>]) -> Rung {
    let mut points: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (played, facts) in games {
        let second_of_pair = task(played.number) == Some(Task::Match(rung, true));
        let stronger = if second_of_pair { Side::First } else { Side::Second };
        let half_points = match facts.outcome.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == stronger),
        };
        let pair = played.number - u32::from(second_of_pair);
        points.entry(pair).or_default().push(half_points);
    }
    let mut pairs = Pentanomial::default();
    for both in points.values().filter(|games| games.len() == 2) {
        pairs.add(both.iter().sum());
    }
    Rung { nodes: RUNGS[rung] * nodes, pairs: pairs.pairs(), estimate: Estimate::of(&pairs) }
}

/// What the moves of a position cost, the best nothing. The scores are the opponent's.
fn costs(asides: &[Aside]) -> Vec<f64> {
    let chance = |aside: &Aside| 1.0 - Score::from_raw(aside.score).win_probability();
    let best = asides.iter().map(chance).fold(0.0, f64::max);
    asides.iter().map(|aside| best - chance(aside)).collect()
}

fn choice(games: &[Pair<'_>]) -> Option<Choice> {
    let (mut legal, mut good, mut single, mut random) = (vec![], vec![], 0, vec![]);
    for (played, facts) in games.iter().filter(|(played, _)| played.asides.len() > 1) {
        let moves = f64::from(facts.choices[usize::from(played.asides[0].turn)]);
        let costs = costs(&played.asides);
        // The first is the move that was played; the others stand for all others.
        let is_good = |cost: &&f64| **cost <= AS_GOOD;
        let among_others = costs[1..].iter().filter(is_good).count() as f64;
        let others = (moves - 1.0) / (costs.len() - 1) as f64;
        let count = f64::from(u8::from(is_good(&&costs[0]))) + among_others * others;
        legal.push(moves);
        good.push(count);
        single += usize::from(count < 1.5);
        random.push((costs[0] + costs[1..].iter().sum::<f64>() * others) / moves);
    }
    Some(Choice {
        positions: legal.len(),
        legal: mean(&legal)?,
        good: mean(&good)?,
        single: share(single as f64, legal.len())?,
        random_cost: mean(&random)?,
    })
}

fn board(game: Game, games: &[Pair<'_>]) -> Vec<CellUse> {
    let mut uses: BTreeMap<u16, u64> = BTreeMap::new();
    let mut turns = 0;
    for cells in games.iter().flat_map(|(_, facts)| &facts.cells) {
        turns += 1;
        for cell in cells {
            *uses.entry(*cell).or_default() += 1;
        }
    }
    let used = |cell: u16| *uses.get(&cell).unwrap_or(&0) as f64 / f64::from(turns.max(1));
    let is_used = |ground| !matches!(ground, Ground::Light | Ground::Ring);
    let spots = game.start().view().spots.into_iter();
    let spots = spots.filter(|spot| is_used(spot.ground) && !spot.name.is_empty());
    spots
        .map(|spot| CellUse {
            used: (used(spot.cell) * 1e5).round() / 1e5,
            name: spot.name,
            x: spot.x,
            y: spot.y,
        })
        .collect()
}

fn rule_uses(game: Game, games: &[Pair<'_>]) -> Vec<RuleUse> {
    let of_rule = |(place, rule): (usize, &Rule)| {
        let turns: Vec<f64> = games.iter().map(|(_, facts)| facts.rules[place].into()).collect();
        let with = turns.iter().filter(|turns| **turns > 0.0).count();
        Some(RuleUse {
            rule: *rule,
            a_game: mean(&turns)?,
            in_games: share(with as f64, turns.len())?,
        })
    };
    rules(game).iter().enumerate().filter_map(of_rule).collect()
}

fn openings(collected: &Collected, games: &[Pair<'_>]) -> Openings {
    let survey = &collected.survey.asides;
    let compared = candidates(survey);
    let game = collected.plan.game;
    let texts: Vec<(u16, String, usize)> = stoa_rules::dispatch!(game, |P, options| {
        let start = <P as Position>::start(options);
        let text = |mv| start.move_text(mv);
        first_moves(&start).into_iter().map(|f| (f.index, text(f.mv), f.all.len())).collect()
    });
    let mut firsts: Vec<FirstMoveFigures> = texts
        .iter()
        .zip(survey)
        .map(|((index, mv, alike), surveyed)| {
            let begun = games.iter().filter(|(played, _)| {
                compared.contains(index) && played.turns.first().is_some_and(|t| t.mv == *index)
            });
            let points: Vec<f64> = begun.map(|(_, facts)| facts.first_points()).collect();
            FirstMoveFigures {
                mv: mv.clone(),
                alike: *alike,
                chances: (chances(surveyed) * 1e4).round() / 1e4,
                score: share(points.iter().sum(), points.len()),
                games: points.len(),
            }
        })
        .collect();
    let worth = |first: &FirstMoveFigures| first.score.map_or(first.chances, |score| score.value);
    firsts.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    let mut even: Vec<&FirstMoveFigures> = firsts.iter().filter(|f| f.score.is_some()).collect();
    even.sort_by(|a, b| (worth(a) - 0.5).abs().total_cmp(&(worth(b) - 0.5).abs()));
    let pie = even.into_iter().take(3).map(|first| first.mv.clone()).collect();
    let moves = texts.iter().map(|(_, _, alike)| alike).sum();
    Openings { moves, first_moves: firsts, pie }
}

fn symmetry(game: Game, games: &[Pair<'_>]) -> SymmetryFigures {
    let (symmetries, of_start) = stoa_rules::dispatch!(game, |P, options| {
        let start = <P as Position>::start(options);
        let kept = (0..start.symmetries()).filter(|&s| start.transform(s) == start).count();
        (start.symmetries(), kept)
    });
    let turns: Vec<f64> = games.iter().map(|(_, facts)| facts.symmetric.into()).collect();
    let none = Bounded { value: 0.0, low: 0.0, high: 0.0 };
    SymmetryFigures { symmetries, of_start, symmetric_turns: mean(&turns).unwrap_or(none) }
}

/// The longest example. Others would make addresses too long.
const MAX_EXAMPLE_PLIES: u32 = 240;

fn examples(game: Game, games: &[Pair<'_>]) -> Vec<Example> {
    let short: Vec<&Pair<'_>> =
        games.iter().filter(|(_, facts)| facts.plies() <= MAX_EXAMPLE_PLIES).collect();
    type Worth = fn(&Facts) -> f64;
    let kinds: [(&'static str, Worth); 3] = [
        ("lead-changes", |facts| facts.lead_changes().into()),
        ("comeback", |facts| 1.0 - facts.lowest_chance_of_winner().unwrap_or(1.0)),
        ("shortest", |facts| -f64::from(facts.plies())),
    ];
    let mut found: Vec<Example> = Vec::new();
    for (of, worth) in kinds {
        let fresh = short.iter().filter(|(p, _)| found.iter().all(|e| e.number != p.number));
        let best = fresh
            .max_by(|a, b| worth(a.1).total_cmp(&worth(b.1)).then(b.0.number.cmp(&a.0.number)));
        if let Some((played, facts)) = best {
            let number = played.number;
            found.push(Example { of, number, plies: facts.plies(), record: record(game, played) });
        }
    }
    found
}

/// A game as a record.
fn record(game: Game, played: &PlayedGame) -> String {
    let mut session = Session::new(game.start());
    for turn in &played.turns {
        let moves = session.position().legal_moves();
        let Some(mv) = moves.get(usize::from(turn.mv)) else { break };
        if session.play(mv).is_err() {
            break;
        }
    }
    Record::from(&session).to_string()
}
