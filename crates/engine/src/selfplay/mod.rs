//! Games that the engine plays against itself, as data to learn from.
//!
//! Best play alone teaches little: where every threat is parried, nobody learns what a threat is
//! worth. So games begin with random turns, go on with a random turn now and then, and aside from
//! the game some positions after a random move are judged, too. What refutes such a move is in the
//! score of the position after it.
//!
//! [`play`] plays the games, [`mod@file`] keeps them, [`samples`] turns them into rows for training, and
//! [`book`] into an opening book. A policy network plays against itself in [`guided`], and [`lessons`] keeps what its games
//! teach.

pub mod book;
pub mod file;
pub mod guided;
pub mod lessons;
mod order;
pub mod samples;

use stoa_rules::Game;
use stoa_rules::playout::Rng;

use crate::alphabeta::MoveOrderings;
use crate::games::{KnowledgeVisitor, visit};
use crate::training_games::{best_move, play_on_threads};
use crate::transposition::TranspositionTable;
use crate::{Evaluation, EvaluationChoice, EvaluationError, Knowledge, Stop, Strategy};

pub use order::in_order;

use file::{Aside, PlayedGame, PlayedTurn};
use order::InOrder;

/// How games are played.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The number of the first game.
    pub first: u64,
    /// How many games are played.
    pub games: u64,
    /// How many positions the engine searches for each move.
    pub nodes: u64,
    /// How many turns at the beginning of a game are random, at most.
    pub random_turns: u32,
    /// How many of a thousand later moves are random.
    pub explore: u32,
    /// After how many of a thousand positions a random move is tried aside from the game, and the
    /// position after it judged.
    pub aside: u32,
    /// How many games are played at a time.
    pub threads: usize,
    /// The seed: the same one gives the same games on any number of threads.
    pub seed: u64,
}

/// Plays games and hands them over in the order of their numbers. When stopped, it hands over only
/// games that came to an end.
pub fn play(
    game: Game,
    evaluation: &EvaluationChoice,
    plan: &Plan,
    stop: &Stop,
    finished: &mut (dyn FnMut(PlayedGame) + Send),
) -> Result<(), EvaluationError> {
    struct Play<'a>(
        Game,
        &'a EvaluationChoice,
        &'a Plan,
        &'a Stop,
        &'a mut (dyn FnMut(PlayedGame) + Send),
    );
    impl KnowledgeVisitor for Play<'_> {
        type Output = Result<(), EvaluationError>;
        fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
            let Play(game, choice, plan, stop, finished) = self;
            let evaluation = judging::<P>(game, options, choice)?;
            play_all::<P>(options, &evaluation, plan, stop, finished);
            Ok(())
        }
    }
    visit(game, Play(game, evaluation, plan, stop, finished))
}

/// What judges positions in these games, as it stands in the header of their file: the kind of evaluation, and the
/// checksum of its numbers.
pub fn identity(game: Game, evaluation: &EvaluationChoice) -> Result<String, EvaluationError> {
    struct Identity<'a>(Game, &'a EvaluationChoice);
    impl KnowledgeVisitor for Identity<'_> {
        type Output = Result<String, EvaluationError>;
        fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
            Ok(judging::<P>(self.0, options, self.1)?.identity::<P>())
        }
    }
    visit(game, Identity(game, evaluation))
}

/// The evaluation of these games, whose moves alpha-beta finds.
fn judging<P: Knowledge>(
    game: Game,
    options: P::Options,
    choice: &EvaluationChoice,
) -> Result<Evaluation, EvaluationError> {
    Evaluation::for_strategy::<P>(game, options, choice, Strategy::AlphaBeta)
}

fn play_all<P: Knowledge>(
    options: P::Options,
    evaluation: &Evaluation,
    plan: &Plan,
    stop: &Stop,
    finished: &mut (dyn FnMut(PlayedGame) + Send),
) {
    let end = plan.first + plan.games;
    let games = InOrder::new(plan.first, finished);
    play_on_threads(plan.threads, plan.first..end, stop, |number, table| {
        if let Some(game) = play_one::<P>(options, evaluation, plan, number, table, stop) {
            games.add(number, game);
        }
    });
}

/// Plays a game; nothing if it was stopped.
fn play_one<P: Knowledge>(
    options: P::Options,
    evaluation: &Evaluation,
    plan: &Plan,
    number: u64,
    table: &TranspositionTable,
    stop: &Stop,
) -> Option<PlayedGame> {
    let mut rng = Rng::for_game(plan.seed, number);
    let mut orderings = MoveOrderings::default();
    let mut search =
        |position: &P| best_move(position, evaluation, plan.nodes, table, &mut orderings, stop);
    let mut game =
        PlayedGame { number: number as u32, winner: None, turns: vec![], asides: vec![] };
    let mut position = random_start::<P>(options, plan, &mut rng, &mut game);
    loop {
        if let Some(outcome) = position.outcome() {
            game.winner = outcome.winner;
            break;
        }
        let (score, best) = search(&position)?;
        if stop.is_stopped() {
            return None;
        }
        let moves = position.legal_moves();
        let index_of = |mv| moves.iter().position(|&legal| legal == mv).unwrap_or(0);
        let explores = rng.below(1000) < plan.explore as usize;
        let chosen = if explores { rng.below(moves.len()) } else { index_of(best) };
        if rng.below(1000) < plan.aside as usize {
            let tried = rng.below(moves.len());
            let mut after = position.clone();
            after.play_unchecked(moves[tried]);
            if after.outcome().is_none() {
                let (score, _) = search(&after)?;
                let turn = game.turns.len() as u16;
                game.asides.push(Aside { turn, mv: tried as u16, score: score.raw() as i16 });
            }
        }
        let score = Some(score).map(|score| score.raw() as i16);
        game.turns.push(PlayedTurn { mv: chosen as u16, score, random: explores });
        if let Some(proven) = score.map(crate::Score::from_raw).filter(|score| score.is_proven()) {
            let side = position.side_to_move();
            game.winner = Some(if proven.is_win() { side } else { side.other() });
            break;
        }
        position.play_unchecked(moves[chosen]);
    }
    Some(game)
}

/// A position after some random turns in which the game goes on.
fn random_start<P: Knowledge>(
    options: P::Options,
    plan: &Plan,
    rng: &mut Rng,
    game: &mut PlayedGame,
) -> P {
    const MAX_TRIES: usize = 50;
    let mut turns = rng.below(plan.random_turns as usize + 1);
    loop {
        for _ in 0..MAX_TRIES {
            game.turns.clear();
            let mut position = P::start(options);
            for _ in 0..turns {
                let index = rng.below(position.count_moves());
                let Some(mv) = position.nth_move(index) else { break };
                position.play_unchecked(mv);
                game.turns.push(PlayedTurn { mv: index as u16, score: None, random: true });
            }
            if position.outcome().is_none() {
                return position;
            }
        }
        // Random games are seldom that long.
        turns /= 2;
    }
}
