//! What the engine thinks about while the app runs: its own turns, hints, the bar, reviews.
//!
//! [`App::update_engine_task`] compares what should be thought about now with what is, after everything that
//! happens. So nothing that moves pieces or opens windows needs to know that there is an engine.

use std::time::{Duration, Instant};

use stoa_engine::{Limits, Score, Thought};
use stoa_rules::{AnyPosition, Side};

use super::app::App;
use super::engine_thread::{EngineThread, Player, Update, Work};
use super::local_game::LocalGame;
use super::overlay::Overlay;
use super::review::GameReview;

/// How long the engine thinks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// About its own moves.
    pub(super) turn: Limits,
    /// About a hint.
    pub(super) hint: Limits,
    /// About the value of a position.
    pub(super) estimate: Limits,
    /// About every position of a review.
    pub(super) review: Limits,
    /// For so long a person sees that it thinks, however soon it knows its move.
    pub(super) shown: Duration,
    /// How many threads it uses when it thinks with all its strength.
    pub(super) threads: usize,
}

impl Pace {
    /// For people, with this time for a move of the engine.
    pub(super) fn for_people(turn: Duration) -> Pace {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Pace {
            turn: Limits::time(turn),
            hint: Limits::time(Duration::from_millis(800)),
            // Long enough for anyone who waits for it; then the processor rests.
            estimate: Limits::time(Duration::from_secs(20)),
            review: Limits::time(Duration::from_millis(150)),
            shown: Duration::from_millis(300),
            threads: (cores / 2).clamp(1, 4),
        }
    }
}

/// What a thought is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// The engine's move.
    Turn(Player),
    Hint,
    Estimate,
    /// What is said about the whole game.
    Review,
}

/// What is being thought about.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) aim: Aim,
    position: AnyPosition,
    begun: Instant,
    /// What was found so far.
    thought: Option<Thought>,
    is_done: bool,
    /// Whether a person would rather see the move now.
    is_hurried: bool,
}

/// A move recommended to a person.
#[derive(Debug)]
pub(super) struct Hint {
    position: AnyPosition,
    /// The move and what may follow.
    pub(super) line: Vec<String>,
    /// What it is worth for the player to move.
    pub(super) score: Score,
}

/// What a position is worth.
#[derive(Debug)]
pub(super) struct Estimate {
    /// For the first player.
    pub(super) score: Score,
    pub(super) depth: u32,
}

/// All that concerns the engine.
#[derive(Debug)]
pub(super) struct EngineTasks {
    thread: EngineThread,
    pace: Pace,
    task: Option<Task>,
    wants_hint: bool,
    hint: Option<Hint>,
    /// Whether the bar is shown.
    pub(super) bar: bool,
    /// The last estimate, perhaps of the position before.
    pub(super) estimate: Option<Estimate>,
}

impl EngineTasks {
    pub(super) fn new(pace: Pace) -> EngineTasks {
        EngineTasks {
            thread: EngineThread::new(pace.threads),
            pace,
            task: None,
            wants_hint: false,
            hint: None,
            bar: false,
            estimate: None,
        }
    }

    /// The hint for a position, if one was given.
    pub(super) fn hint(&self, position: &AnyPosition) -> Option<&Hint> {
        self.hint.as_ref().filter(|hint| hint.position == *position)
    }

    /// Recommends a move.
    pub(super) fn advise(&mut self, position: AnyPosition, line: Vec<String>, score: Score) {
        self.hint = Some(Hint { position, line, score });
    }

    /// Whether an update may come soon.
    pub(super) fn is_busy(&self) -> bool {
        self.task.as_ref().is_some_and(|task| !task.is_done || task.aim != Aim::Estimate)
    }

    /// What a person waits for, and for how long.
    pub(super) fn awaited(&self, now: Instant) -> Option<(Aim, Duration)> {
        let task = self.task.as_ref().filter(|task| task.aim != Aim::Estimate)?;
        Some((task.aim, now.saturating_duration_since(task.begun)))
    }

    /// Forgets what belongs to another game.
    pub(super) fn forget(&mut self) {
        (self.hint, self.estimate, self.wants_hint) = (None, None, false);
    }

    fn forget_task(&mut self) {
        self.task = None;
        self.thread.stop();
    }
}

impl App {
    /// Takes in what the engine has found since, and keeps it busy. Returns whether there may be
    /// something new to see.
    pub(super) fn tick(&mut self, now: Instant) -> bool {
        let updates = self.engine.thread.updates();
        let mut changed = !updates.is_empty();
        for update in updates {
            self.handle_update(update);
        }
        changed |= self.play_what_is_ready(now);
        self.update_engine_task(now);
        changed || self.engine.awaited(now).is_some()
    }

    fn handle_update(&mut self, update: Update) {
        let Some(task) = &mut self.engine.task else { return };
        let (thought, is_done) = match update {
            Update::SoFar(thought) => (thought, false),
            Update::Found(thought) => (thought, true),
            Update::Reviewing(progress) => return self.set_review_progress(progress),
            Update::Reviewed(review) => {
                task.is_done = true;
                return self.set_review(*review);
            }
            Update::Failed(why) => return self.give_up(why),
        };
        task.is_done = is_done;
        if task.aim == Aim::Estimate || (task.aim == Aim::Hint && is_done) {
            self.engine.estimate = estimate(&thought).or(self.engine.estimate.take());
        }
        if task.aim == Aim::Hint && is_done {
            self.engine.wants_hint = false;
            let position = task.position.clone();
            if let Some(line) = thought.lines.first() {
                self.engine.advise(position, line.moves.clone(), line.score);
                self.message.clear();
            }
        }
        if let Some(task) = &mut self.engine.task {
            task.thought = Some(thought);
        }
    }

    /// The engine does not work: the game goes on without it.
    fn give_up(&mut self, why: String) {
        self.engine.forget_task();
        (self.engine.wants_hint, self.engine.bar) = (false, false);
        self.game.as_mut().map(LocalGame::stop_opponent);
        self.review = None;
        let text = format!("{why}. You can go on without it, and save the game.");
        self.overlay = Overlay::Notice { text, typed: None };
    }

    /// Plays the engine's move, once it is found and was waited for.
    fn play_what_is_ready(&mut self, now: Instant) -> bool {
        let Some(task) = &self.engine.task else { return false };
        let waited = now.saturating_duration_since(task.begun) >= self.engine.pace.shown;
        if !matches!(task.aim, Aim::Turn(_)) || !task.is_done || !(waited || task.is_hurried) {
            return false;
        }
        let best = task.thought.as_ref().and_then(Thought::best).map(str::to_owned);
        self.engine.task = None;
        let played =
            best.is_some_and(|best| self.game.as_mut().is_some_and(|game| game.answer(&best)));
        self.message.clear();
        let targets = self.game.as_ref().map(LocalGame::targets).unwrap_or_default();
        self.cursor = self.cursor.or(targets.first().copied());
        if !played {
            self.give_up("The engine found no move; this is a bug".to_owned());
        }
        true
    }

    /// What should be thought about now.
    fn wanted(&self) -> Option<Aim> {
        let game = self.game.as_ref()?;
        if self.overlay == Overlay::Review {
            let is_done = self.review.as_ref().is_none_or(GameReview::is_done);
            return (!is_done).then_some(Aim::Review);
        }
        if game.position().outcome().is_some() {
            return None;
        }
        match game.engine_to_move() {
            Some(level) => Some(Aim::Turn(Player { level, seed: self.seed })),
            None if self.engine.wants_hint => Some(Aim::Hint),
            None if self.engine.bar => Some(Aim::Estimate),
            None => None,
        }
    }

    /// Sees to it that the engine thinks about what it should.
    pub(super) fn update_engine_task(&mut self, now: Instant) {
        let wanted = self.wanted();
        let thinking = &mut self.engine;
        let (Some(aim), Some(game)) = (wanted, &self.game) else {
            if thinking.task.is_some() {
                thinking.forget_task();
            }
            return;
        };
        let position = match (aim, &self.review) {
            (Aim::Review, Some(review)) => review.session().position(),
            _ => game.position(),
        };
        let known = thinking.task.as_ref();
        if known.is_some_and(|task| task.aim == aim && task.position == *position) {
            return;
        }
        let position = position.clone();
        let think = |player| Work::Think(position.clone(), player);
        let (work, limits) = match (aim, &self.review) {
            (Aim::Review, Some(review)) => {
                (Work::Review(review.session().clone()), thinking.pace.review)
            }
            (Aim::Turn(player), _) => (think(Some(player)), thinking.pace.turn),
            (Aim::Hint, _) => (think(None), thinking.pace.hint),
            (Aim::Estimate | Aim::Review, _) => (think(None), thinking.pace.estimate),
        };
        let asked = thinking.thread.ask(work, limits);
        thinking.task = Some(Task {
            aim,
            position,
            begun: now,
            thought: None,
            is_done: false,
            is_hurried: false,
        });
        if let Err(why) = asked {
            self.give_up(why);
        }
    }

    /// Looks for a hint; plays it, if it has been given already.
    pub(super) fn hint_key(&mut self) {
        let Some(game) = &mut self.game else { return };
        let position = game.position();
        if position.outcome().is_some() {
            self.message = "There are no hints when the game is over.".to_owned();
        } else if game.engine_to_move().is_some() {
            self.message = "It is not your turn; Esc stops the engine.".to_owned();
        } else if let Some(hint) = self.engine.hint(position) {
            if let Some(mv) = hint.line.first().cloned() {
                match game.type_move(&mv) {
                    Ok(()) => self.message = format!("Played the hint, {mv}."),
                    Err(why) => self.message = why,
                }
            }
        } else {
            self.engine.wants_hint = true;
        }
    }

    /// Shows or hides the bar.
    pub(super) fn bar_key(&mut self) {
        self.engine.bar = !self.engine.bar;
    }

    /// Stops what a person waits for. Returns whether there was anything.
    pub(super) fn stop_thinking(&mut self) -> bool {
        if std::mem::take(&mut self.engine.wants_hint) {
            self.message = "No hint, then.".to_owned();
            return true;
        }
        let stopped = self.game.as_mut().is_some_and(LocalGame::stop_opponent);
        if stopped {
            self.message = "Stopped. g lets it move, u takes back; or move for it.".to_owned();
        }
        stopped
    }

    /// Lets the engine move: now, if it is thinking; again, if it was stopped.
    pub(super) fn go_key(&mut self) {
        let Some(game) = &mut self.game else { return };
        if game.engine_to_move().is_some() {
            if let Some(task) = self.engine.task.as_mut().filter(|task| task.thought.is_some()) {
                task.is_hurried = true;
                self.engine.thread.hurry();
            }
        } else if !game.let_opponent_move() {
            self.message = "It is not the engine's turn.".to_owned();
        }
    }
}

fn estimate(thought: &Thought) -> Option<Estimate> {
    let score = thought.score()?;
    let score = if thought.side == Side::First { score } else { -score };
    Some(Estimate { score, depth: thought.depth })
}
