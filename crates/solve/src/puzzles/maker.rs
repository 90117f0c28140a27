//! Games of the engine against itself, and the puzzles in them.

use stoa_engine::{Engine, Level, Limits, Settings, Stop};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game};

use super::judge::{Found, Judge};
use super::theme::theme;
use super::{Certainty, Goal, Puzzle, Turn, grade};

/// At most so many puzzles come from one game, and so many moves lie between two of them.
const PUZZLES_OF_A_GAME: usize = 2;
const MOVES_BETWEEN: usize = 6;

/// At most so many moves at the start of a game are made by chance.
const MOST_BY_CHANCE: usize = 4;

/// No puzzle has more turns of the solver than this.
const MOST_TURNS: usize = 5;

/// How much of the game after a puzzle is told.
const MOST_REST: usize = 16;

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
        let mut rng = Rng::for_game(self.seed, number);
        let positions = self.play(&mut rng, stop);
        let Some(mut judge) = Judge::new(self.game, stop) else { return Vec::new() };
        let mut puzzles = Vec::new();
        // From the end: what is decided there is proven soonest.
        let mut next = positions.len();
        for (ply, position) in positions.iter().enumerate().rev() {
            let is_enough = puzzles.len() == PUZZLES_OF_A_GAME || judge.is_out_of_depth();
            if is_enough || stop.is_stopped() {
                break;
            }
            if ply > next || ply < 2 {
                continue;
            }
            if let Some(puzzle) = self.puzzle(position, &mut judge, stop) {
                puzzles.push(puzzle);
                next = ply.saturating_sub(MOVES_BETWEEN);
            }
        }
        if stop.is_stopped() { Vec::new() } else { puzzles }
    }

    /// The positions of a game between two low levels, after a few moves by chance.
    fn play(&self, rng: &mut Rng, stop: &Stop) -> Vec<AnyPosition> {
        let mut position = self.game.start();
        let mut positions = Vec::new();
        for _ in 0..rng.below(MOST_BY_CHANCE + 1) {
            let moves = position.legal_moves();
            let mut next = position.clone();
            let Some(Ok(_)) = moves.get(rng.below(moves.len())).map(|mv| next.play(mv)) else {
                break;
            };
            // A few bad moves make games different; one that ends the game makes none.
            if next.outcome().is_none() {
                position = next;
            }
        }
        let mut players: Vec<Engine> = Vec::new();
        for _ in 0..2 {
            let level = Level::new(2 + rng.below(4) as u8);
            let settings = Settings { level, seed: rng.bits(), table: 4, ..Settings::default() };
            players.extend(Engine::new(self.game, settings));
        }
        while position.outcome().is_none() && !stop.is_stopped() {
            positions.push(position.clone());
            let Some(player) = players.get_mut(positions.len() % 2) else { break };
            let thought = player.think(&position, &Limits::default(), stop, &mut |_| {});
            let Some(Ok(_)) = thought.best().map(|mv| position.play(mv)) else { break };
        }
        positions
    }

    /// The puzzle of a position, if it is one.
    fn puzzle(&self, position: &AnyPosition, judge: &mut Judge<'_>, stop: &Stop) -> Option<Puzzle> {
        let first = judge.judge(position)?;
        let (goal, certainty) = (first.goal, first.certainty);
        let theme = theme(position, &first.mv);
        let plies =
            (goal == Goal::Win && first.after.is_whole).then(|| first.after.line.len() as u32 + 1);
        let (turns, rest) = turns(position, first, judge)?;
        let grade = grade::grade(position, &turns, plies, stop);
        let id = id(position);
        Some(Puzzle {
            id,
            game: self.game.to_string(),
            position: position.text(),
            goal,
            certainty,
            grade,
            theme,
            plies,
            turns,
            rest,
        })
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
    first: Found,
    judge: &mut Judge<'_>,
) -> Option<(Vec<Turn>, Vec<String>)> {
    let mut turns = Vec::new();
    let (mut at, mut found) = (position.clone(), first);
    loop {
        at.play(&found.mv).ok()?;
        turns.push(Turn { accepted: vec![found.mv], reply: None });
        let goes_on = found.goal == Goal::Win
            && found.certainty == Certainty::Proven
            && turns.len() < MOST_TURNS;
        let mut line = found.after.line;
        if line.is_empty() && at.outcome().is_none() {
            line.extend(judge.reply(&at));
        }
        line.truncate(MOST_REST);
        let Some(reply) = line.first().filter(|_| goes_on) else { return Some((turns, line)) };
        let mut next = at.clone();
        next.play(reply).ok()?;
        match judge.judge(&next) {
            Some(more) if more.goal == Goal::Win && more.certainty == Certainty::Proven => {
                if let Some(turn) = turns.last_mut() {
                    turn.reply = Some(reply.clone());
                }
                (at, found) = (next, more);
            }
            _ => return Some((turns, line)),
        }
    }
}
