//! Games of the engine against itself, and the puzzles in them.

use stoa_engine::{Engine, Knowledge, KnowledgeVisitor, Level, Limits, Settings, Stop, visit};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game};

use super::judge::{Judge, WinningMove};
use super::urgent::{Seeker, Solution};
use super::{Goal, Puzzle, Turn, grade, is_wide};

/// How many puzzles come from one game at most.
const MAX_PUZZLES: usize = 2;

/// How many moves lie between two puzzles of a game at least.
const MIN_MOVES_BETWEEN: usize = 6;

/// How the games are played.
#[derive(Debug, Clone, Copy)]
struct Play {
    /// At most this many moves at the start are random.
    max_random_moves: usize,
    /// The levels of the players: the lowest, and how many there are.
    levels: (u8, usize),
}

/// Narrow games are played by levels that miss chances.
const NARROW: Play = Play { max_random_moves: 4, levels: (2, 4) };

/// Players of wide games are kept from blunders, and need not think long.
const WIDE: Play = Play { max_random_moves: 12, levels: (1, 3) };

/// No puzzle has more turns of the solver than this.
const MAX_TURNS: usize = 5;

/// How many moves of the game after a puzzle are kept.
const MAX_REST: usize = 16;

/// Looks for puzzles in games, each of which depends on nothing but the game, the seed and its
/// number.
#[derive(Debug, Clone, Copy)]
pub struct Maker {
    game: Game,
    seed: u64,
}

impl Maker {
    /// A maker of puzzles of one game.
    pub fn new(game: Game, seed: u64) -> Maker {
        Maker { game, seed }
    }

    /// The puzzles of one game; none if it is stopped.
    pub fn from_game(&self, number: u64, stop: &Stop) -> Vec<Puzzle> {
        let rng = Rng::for_game(self.seed, number);
        let puzzles = if is_wide(self.game) {
            visit(self.game, UrgentPuzzles { maker: self, rng, stop })
        } else {
            self.proven_puzzles(rng, stop)
        };
        if stop.is_stopped() { Vec::new() } else { puzzles }
    }

    /// Puzzles that the proof search settles.
    fn proven_puzzles(&self, mut rng: Rng, stop: &Stop) -> Vec<Puzzle> {
        let positions = self.play(&mut rng, NARROW, &mut |_| false, stop);
        let mut judge = Judge::new(stop);
        let mut puzzles = Vec::new();
        // From the end: what is decided there is proven soonest.
        let mut next = positions.len();
        for (ply, position) in positions.iter().enumerate().rev() {
            let is_enough = puzzles.len() == MAX_PUZZLES || judge.is_out_of_depth();
            if is_enough || stop.is_stopped() {
                break;
            }
            if ply > next || ply < 2 {
                continue;
            }
            if let Some(puzzle) = proven_puzzle(position, &mut judge, stop) {
                puzzles.push(puzzle);
                next = ply.saturating_sub(MIN_MOVES_BETWEEN);
            }
        }
        puzzles
    }

    /// The positions of a game between two low levels, after a few moves by chance. Moves that are
    /// blunders are not made if there are others.
    fn play(
        &self,
        rng: &mut Rng,
        how: Play,
        is_blunder: &mut dyn FnMut(&AnyPosition) -> bool,
        stop: &Stop,
    ) -> Vec<AnyPosition> {
        let mut position = self.game.start();
        let mut positions = Vec::new();
        for _ in 0..rng.below(how.max_random_moves + 1) {
            let moves = position.legal_moves();
            let mut next = position.clone();
            let Some(Ok(_)) = moves.get(rng.below(moves.len())).map(|mv| next.play(mv)) else {
                break;
            };
            // A few bad moves make games different; one that ends the game makes none.
            if next.outcome().is_none() && !is_blunder(&next) {
                position = next;
            }
        }
        let mut players: Vec<Engine> = Vec::new();
        for _ in 0..2 {
            let (lowest, count) = how.levels;
            let level = Level::new(lowest + rng.below(count) as u8);
            let settings = Settings { level, seed: rng.bits(), table: 4, ..Settings::default() };
            players.extend(Engine::new(self.game, settings));
        }
        while position.outcome().is_none() && !stop.is_stopped() {
            positions.push(position.clone());
            let Some(player) = players.get_mut(positions.len() % 2) else { break };
            let thought = player.think(&position, &Limits::default(), stop, &mut |_| {});
            let Some(mv) = thought.best() else { break };
            let mut next = position.clone();
            if next.play(mv).is_err() {
                break;
            }
            if is_blunder(&next) {
                let others = position.legal_moves().into_iter().filter_map(|mv| {
                    let mut other = position.clone();
                    other.play(&mv).ok()?;
                    (!is_blunder(&other)).then_some(other)
                });
                let mut others: Vec<AnyPosition> = others.collect();
                if !others.is_empty() {
                    next = others.swap_remove(rng.below(others.len()));
                }
            }
            position = next;
        }
        positions
    }
}

/// The puzzles of a few turns in a game whose players never let the other win at once if they can
/// help it: without that, most games of low levels end with the same oversight.
struct UrgentPuzzles<'a> {
    maker: &'a Maker,
    rng: Rng,
    stop: &'a Stop,
}

impl KnowledgeVisitor for UrgentPuzzles<'_> {
    type Output = Vec<Puzzle>;

    fn visit<P: Knowledge>(mut self, _: P::Options) -> Vec<Puzzle> {
        let mut seeker = Seeker::<P>::new(self.stop);
        let mut is_blunder = |position: &AnyPosition| {
            position.downcast().is_some_and(|position| seeker.loses_at_once(position))
        };
        let game = self.maker.play(&mut self.rng, WIDE, &mut is_blunder, self.stop);
        let mut found = Vec::new();
        for (ply, position) in game.iter().enumerate().skip(2).rev() {
            if self.stop.is_stopped() {
                break;
            }
            let Some(own) = position.downcast::<P>() else { break };
            found.extend(seeker.look(own, game.len() - ply).map(|urgent| (ply, urgent)));
        }
        // What takes longest is the rarest.
        found.sort_by_key(|(_, urgent)| std::cmp::Reverse(urgent.goal.plies()));
        let mut kept: Vec<usize> = Vec::new();
        let mut puzzles = Vec::new();
        for (ply, urgent) in found {
            let is_near = kept.iter().any(|other| ply.abs_diff(*other) < MIN_MOVES_BETWEEN);
            if is_near || puzzles.len() == MAX_PUZZLES {
                continue;
            }
            let position = &game[ply];
            let Some(own) = position.downcast::<P>() else { break };
            if let Some(Solution { turns, rest }) = seeker.solution(own, &urgent) {
                kept.push(ply);
                puzzles.push(puzzle(position, urgent.goal, None, turns, rest, self.stop));
            }
        }
        puzzles
    }
}

/// The puzzle of a position, if the proof search makes it one.
fn proven_puzzle(position: &AnyPosition, judge: &mut Judge<'_>, stop: &Stop) -> Option<Puzzle> {
    let first = judge.judge(position)?;
    let plies = first.after.is_whole.then(|| first.after.line.len() as u32 + 1);
    let (turns, rest) = turns(position, first, judge)?;
    Some(puzzle(position, Goal::Win, plies, turns, rest, stop))
}

fn puzzle(
    position: &AnyPosition,
    goal: Goal,
    plies: Option<u32>,
    turns: Vec<Turn>,
    rest: Vec<String>,
    stop: &Stop,
) -> Puzzle {
    Puzzle {
        id: id(position),
        game: position.game().to_string(),
        position: position.text(),
        goal,
        grade: grade::grade(position, &turns, goal.plies().or(plies), stop),
        theme: turns.first().and_then(|turn| position.theme(turn.accepted.first()?)),
        plies,
        turns,
        rest,
    }
}

/// An id that depends on game and position alone: the game's name and eight hexadecimal digits.
pub(super) fn id(position: &AnyPosition) -> String {
    let digits = (position.key() >> 32) as u32;
    format!("{}-{digits:08x}", position.game().to_string().replace(':', "-"))
}

/// The solver's turns from the first on, as long as one move alone is right, and how the game may go
/// on after them.
fn turns(
    position: &AnyPosition,
    first: WinningMove,
    judge: &mut Judge<'_>,
) -> Option<(Vec<Turn>, Vec<String>)> {
    let mut turns = Vec::new();
    let (mut at, mut found) = (position.clone(), first);
    loop {
        at.play(&found.mv).ok()?;
        turns.push(Turn { accepted: vec![found.mv], reply: None });
        let mut line = found.after.line;
        line.truncate(MAX_REST);
        let goes_on = turns.len() < MAX_TURNS;
        let Some(reply) = line.first().filter(|_| goes_on) else { return Some((turns, line)) };
        let mut next = at.clone();
        next.play(reply).ok()?;
        let Some(more) = judge.judge(&next) else { return Some((turns, line)) };
        if let Some(turn) = turns.last_mut() {
            turn.reply = Some(reply.clone());
        }
        (at, found) = (next, more);
    }
}
