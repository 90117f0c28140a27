//! How the games of a report are played.
//!
//! The first turns of a game are varied: each is chosen at random among moves that the search thinks
//! nearly as good as the best. After them both players play as well as they can.

use stoa_engine::selfplay::file::{Aside, PlayedGame, PlayedTurn};
use stoa_engine::selfplay::in_order;
use stoa_engine::{Engine, EvaluationError, Limits, Score, Settings, Stop};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Side};

use crate::games::Reported;
use crate::openings::{candidates, first_moves};
use crate::parts::{PartError, PartWriter};
use crate::plan::{Plan, RUNGS, STRENGTHS, STRONGEST, SURVEY, Share, Task, task};

/// How many turns at the beginning of a game are varied.
pub const VARIED_TURNS: usize = 6;

/// How many moves a varied turn has to choose from, at most.
pub const VARIED_LINES: usize = 8;

/// How much of the chance of winning a varied turn may cost.
pub const VARIED_LOSS: f64 = 0.05;

/// How many moves of a position are judged besides the one that was played.
pub const JUDGED_MOVES: usize = 32;

/// The memory of an engine, in MiB. So little is searched that more would only take time to clear.
const ENGINE_MEMORY: usize = 4;

/// Why games cannot be played or kept.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The engine has no evaluation of the game.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The file does not take them.
    #[error(transparent)]
    Part(#[from] PartError),
    /// This program would have played the games that are there otherwise.
    #[error(
        "{} was played by another version of the program, whose games cannot be repeated by this one; write to another folder, or delete the file",
        .0.display()
    )]
    OtherProgram(std::path::PathBuf),
}

/// Plays games of a share until its part has as many as are wanted, the survey before all others, and
/// calls `tick` after each. When stopped, the part has the games that came to an end in order.
pub fn fill(
    part: &mut PartWriter,
    plan: &Plan,
    share: Share,
    wanted: u64,
    threads: usize,
    stop: &Stop,
    tick: &mut (dyn FnMut() + Send),
) -> Result<(), PlayError> {
    if part.survey().is_none() {
        match survey(plan, threads, stop)? {
            Some(survey) => part.add(survey)?,
            None => return Ok(()),
        }
    }
    let Some(survey) = part.survey().cloned() else { return Ok(()) };
    if let Some(first) = part.first() {
        // One game tells whether the engine is still the one that played the others.
        match play_one(plan, &candidates(&survey.asides), first.number, stop) {
            Some(again) if again != *first => {
                return Err(PlayError::OtherProgram(part.path().to_owned()));
            }
            Some(_) => {}
            None => return Ok(()),
        }
    }
    let mut failed = None;
    let games = part.games()..wanted.max(part.games());
    play(plan, share, &survey, games, threads, stop, &mut |game| {
        if failed.is_none() {
            failed = part.add(game).err();
            tick();
        }
        if failed.is_some() {
            stop.stop();
        }
    })?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}

/// Judges the first moves: the survey, as a game without turns. Nothing if it was stopped.
pub fn survey(
    plan: &Plan,
    threads: usize,
    stop: &Stop,
) -> Result<Option<PlayedGame>, EvaluationError> {
    stoa_rules::dispatch!(plan.game, |P, options| {
        survey_of::<P>(&<P as stoa_rules::Position>::start(options), plan, threads, stop)
    })
}

fn survey_of<P: Reported>(
    start: &P,
    plan: &Plan,
    threads: usize,
    stop: &Stop,
) -> Result<Option<PlayedGame>, EvaluationError> {
    engine(plan.game, 0)?;
    let firsts = first_moves(start);
    let mut asides = Vec::new();
    in_order(0..firsts.len() as u64, threads, &mut |aside| asides.push(aside), |number| {
        let first = &firsts[number as usize];
        let mut engine = engine(plan.game, Rng::for_game(plan.seed, number).bits()).ok()?;
        let mut after = start.clone();
        after.play_unchecked(first.mv);
        let score = judge(&mut engine, &after, STRENGTHS[STRONGEST] * plan.nodes, stop)?;
        Some(Aside { turn: 0, mv: first.index, score })
    });
    let whole = asides.len() == firsts.len();
    Ok(whole.then_some(PlayedGame { number: SURVEY, winner: None, turns: Vec::new(), asides }))
}

/// Plays the games of a share from its game number `from` up to `to`, both counted from 0, and hands
/// them over in order. When stopped, it hands over only games that came to an end.
pub fn play(
    plan: &Plan,
    share: Share,
    survey: &PlayedGame,
    games: std::ops::Range<u64>,
    threads: usize,
    stop: &Stop,
    finished: &mut (dyn FnMut(PlayedGame) + Send),
) -> Result<(), EvaluationError> {
    engine(plan.game, 0)?;
    let candidates = candidates(&survey.asides);
    in_order(games, threads, finished, |index| {
        if stop.is_stopped() {
            return None;
        }
        play_one(plan, &candidates, share.number(index)?, stop)
    });
    Ok(())
}

/// Plays game number `number`; nothing if it was stopped. The candidates are the first moves to be
/// compared.
pub fn play_one(plan: &Plan, candidates: &[u16], number: u32, stop: &Stop) -> Option<PlayedGame> {
    stoa_rules::dispatch!(plan.game, |P, options| {
        play_typed(<P as stoa_rules::Position>::start(options), plan, candidates, number, stop)
    })
}

fn engine(game: Game, seed: u64) -> Result<Engine, EvaluationError> {
    Engine::new(game, Settings { table: ENGINE_MEMORY, seed, ..Settings::default() })
}

/// A game in progress.
struct Running<P: Reported> {
    position: P,
    played: PlayedGame,
}

impl<P: Reported> Running<P> {
    fn take(&mut self, mv: P::Move, score: Option<i16>, random: bool) -> Option<()> {
        let index = self.position.legal_moves().iter().position(|&legal| legal == mv)?;
        self.played.turns.push(PlayedTurn { mv: index as u16, score, random });
        self.position.play_unchecked(mv);
        Some(())
    }

    fn is_over(&self) -> bool {
        self.position.outcome().is_some()
    }

    /// Varies the first turns.
    fn vary(&mut self, plan: &Plan, rng: &mut Rng, stop: &Stop) -> Option<()> {
        let mut engine = engine(plan.game, rng.bits()).ok()?;
        engine.set_lines(VARIED_LINES);
        while self.played.turns.len() < VARIED_TURNS && !self.is_over() {
            let at = AnyPosition::new(self.position.clone());
            let thought = engine.think(&at, &Limits::nodes(4 * plan.nodes), stop, &mut |_| {});
            if stop.is_stopped() {
                return None;
            }
            let best = thought.score()?;
            let floor = best.win_probability() - VARIED_LOSS;
            let near = |line: &&stoa_engine::Line| line.score.win_probability() >= floor;
            let near: Vec<_> = thought.lines.iter().filter(near).collect();
            let chosen = near[rng.below(near.len())].moves.first()?;
            let mv = self.position.parse_move(chosen).ok()?;
            self.take(mv, Some(best.raw() as i16), true)?;
        }
        Some(())
    }
}

fn play_typed<P: Reported>(
    start: P,
    plan: &Plan,
    candidates: &[u16],
    number: u32,
    stop: &Stop,
) -> Option<PlayedGame> {
    let task = task(number)?;
    let mut rng = plan.rng(number);
    let first = match task {
        Task::Opening(place) if !candidates.is_empty() => {
            start.nth_move(candidates[(place % candidates.len() as u64) as usize].into())
        }
        _ => None,
    };
    let played = PlayedGame { number, winner: None, turns: Vec::new(), asides: Vec::new() };
    let mut running = Running { position: start.clone(), played };
    if let Some(first) = first {
        running.take(first, None, true)?;
    }
    running.vary(plan, &mut rng, stop)?;
    let nodes = nodes(plan, task);
    // Players of equal strength share what they remember; opponents in a match must not.
    let seeds = [rng.bits(), rng.bits()];
    let mut own = engine(plan.game, seeds[0]).ok()?;
    let mut other = match task {
        Task::Match(..) => Some(engine(plan.game, seeds[1]).ok()?),
        _ => None,
    };
    while !running.is_over() {
        let side = running.position.side_to_move();
        let engine = match &mut other {
            Some(other) if side == Side::Second => other,
            _ => &mut own,
        };
        let at = AnyPosition::new(running.position.clone());
        let limits = Limits::nodes(nodes[side.index()]);
        let thought = engine.think(&at, &limits, stop, &mut |_| {});
        if stop.is_stopped() {
            return None;
        }
        let mv = running.position.parse_move(thought.best()?).ok()?;
        running.take(mv, thought.score().map(|score| score.raw() as i16), false)?;
    }
    let mut played = running.played;
    played.winner = running.position.outcome().and_then(|outcome| outcome.winner);
    if task == Task::Play(STRONGEST) {
        played.asides = judged_moves(start, plan, &played, &mut rng, stop)?;
    }
    Some(played)
}

/// How many positions each player looks at for a move.
pub fn nodes(plan: &Plan, task: Task) -> [u64; 2] {
    let [first, second] = match task {
        Task::Play(strength) => [STRENGTHS[strength]; 2],
        Task::Opening(_) => [STRENGTHS[1]; 2],
        Task::Match(rung, false) => [RUNGS[rung], 2 * RUNGS[rung]],
        Task::Match(rung, true) => [2 * RUNGS[rung], RUNGS[rung]],
    };
    [first * plan.nodes, second * plan.nodes]
}

/// What the moves of one position of a game are worth, chosen at random among those in which there
/// was a choice: the one that was played, and others chosen at random if there are many.
fn judged_moves<P: Reported>(
    start: P,
    plan: &Plan,
    played: &PlayedGame,
    rng: &mut Rng,
    stop: &Stop,
) -> Option<Vec<Aside>> {
    let mut position = start;
    let mut with_choice = Vec::new();
    for (number, turn) in played.turns.iter().enumerate() {
        if !turn.random && position.count_moves() > 1 {
            with_choice.push((number, position.clone()));
        }
        position.play_unchecked(position.nth_move(turn.mv.into())?);
    }
    if with_choice.is_empty() {
        return Some(Vec::new());
    }
    let (number, position) = with_choice.swap_remove(rng.below(with_choice.len()));
    let chosen = played.turns[number].mv;
    let mut others: Vec<u16> =
        (0..position.count_moves() as u16).filter(|&mv| mv != chosen).collect();
    // The first of a shuffled list, without shuffling the rest.
    let judged = others.len().min(JUDGED_MOVES);
    for place in 0..judged {
        let from = place + rng.below(others.len() - place);
        others.swap(place, from);
    }
    others.truncate(judged);
    let mut engine = engine(plan.game, rng.bits()).ok()?;
    std::iter::once(chosen)
        .chain(others)
        .map(|mv| {
            let mut after = position.clone();
            after.play_unchecked(position.nth_move(mv.into())?);
            let score = judge(&mut engine, &after, 4 * plan.nodes, stop)?;
            Some(Aside { turn: number as u16, mv, score })
        })
        .collect()
}

/// What a position is worth for the player to move, by search or because the game is over. Nothing if
/// it was stopped.
fn judge<P: Reported>(engine: &mut Engine, position: &P, nodes: u64, stop: &Stop) -> Option<i16> {
    let score = match position.outcome() {
        Some(outcome) => match outcome.winner {
            None => Score::EVEN,
            Some(winner) if winner == position.side_to_move() => Score::win_in(0),
            Some(_) => Score::loss_in(0),
        },
        None => {
            let at = AnyPosition::new(position.clone());
            let thought = engine.think(&at, &Limits::nodes(nodes), stop, &mut |_| {});
            if stop.is_stopped() {
                return None;
            }
            thought.score()?
        }
    };
    Some(score.raw() as i16)
}
