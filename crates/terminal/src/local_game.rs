//! A game being played at this terminal: the moves so far, the clicks of the move being made, who plays.

use std::path::{Path, PathBuf};

use stoa_draw::Marks;
use stoa_engine::Level;
use stoa_files::{WriteError, records, write_atomically};
use stoa_rules::playout::Rng;
use stoa_rules::{
    AnyPosition, Choices, Game, Objection, Outcome, Record, Role, Session, Side, Step,
};

use super::calendar;
use super::players::{PlayerChoice, Players};

/// Whether the game goes on by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// People move in turn.
    Playing,
    /// The opponent is stopped; a person may move for it.
    Stopped,
    /// A person goes through the game a move at a time.
    LookingBack,
}

/// A game being played.
#[derive(Debug)]
pub(super) struct LocalGame {
    session: Session,
    players: Players,
    flow: Flow,
    rng: Rng,
    clicks: Vec<Step>,
    choices: Choices,
    /// The file it was loaded from or saved to last.
    pub(super) file: Option<PathBuf>,
    /// What was loaded, with its comments and variations.
    record: Option<Record>,
    /// The moves that are in the file.
    saved: Vec<String>,
}

/// Why a game cannot be saved.
#[derive(Debug, thiserror::Error)]
pub(super) enum SaveError {
    #[error("the variations of the loaded game are nested too deep to add another")]
    TooDeep,
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// What a click has led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Clicked {
    /// The move goes on.
    Selected,
    /// The clicks are a move, but could go on.
    Complete,
    /// A move was played.
    Played,
    /// No legal move begins with these clicks. The rules may say what is wrong with the move that
    /// they were probably meant as.
    Refused(Option<Objection>),
    /// It is not a person's turn.
    NotYourTurn,
}

impl LocalGame {
    pub(super) fn new(session: Session, players: Players, rng: Rng) -> LocalGame {
        let mut game = LocalGame {
            session,
            players,
            flow: Flow::Playing,
            rng,
            clicks: Vec::new(),
            choices: Choices::default(),
            file: None,
            record: None,
            saved: Vec::new(),
        };
        game.settle();
        game
    }

    /// The game of a file, at its last move, with the players wished for or else those it names.
    pub(super) fn load(
        path: &Path,
        choice: PlayerChoice,
        mut rng: Rng,
    ) -> Result<LocalGame, records::Error> {
        let record = records::read_one(path, None)?;
        let players = choice.players_of(&record, &mut rng);
        let session = record.session();
        let mut game = LocalGame::new(session.clone(), players, rng);
        // What was resigned or agreed is not played on by itself.
        if record.result().is_some() && session.position().outcome().is_none() {
            game.flow = Flow::Stopped;
            game.session = session;
            game.forget_clicks();
        }
        game.file = Some(path.to_owned());
        game.saved = record.main_line().map(|node| node.text().to_owned()).collect();
        game.record = Some(record);
        Ok(game)
    }

    /// Writes the game to a file.
    pub(super) fn save(&mut self, path: &Path) -> Result<(), SaveError> {
        let mut record = match self.record.clone() {
            Some(mut loaded) => {
                if !loaded.follow(&self.session) {
                    return Err(SaveError::TooDeep);
                }
                loaded
            }
            None => {
                let mut record = Record::from(&self.session);
                record.set_tag("date", &calendar::today());
                record
            }
        };
        self.players.name_in(&mut record);
        write_atomically(path, &record.to_string())?;
        self.file = Some(path.to_owned());
        self.saved = self.session.moves().into_iter().map(str::to_owned).collect();
        self.record = Some(record);
        Ok(())
    }

    /// Whether there are moves that no file has.
    pub(super) fn is_unsaved(&self) -> bool {
        let moves = self.session.moves();
        // A first move that was not a person's is no loss.
        let untouched = moves.len() <= 1 && self.players.opponent_plays(self.start_side());
        // Moves that were taken back are still in the file.
        !untouched
            && (self.saved.len() < moves.len()
                || self.saved.iter().zip(&moves).any(|(a, b)| a != b))
    }

    fn start_side(&self) -> Side {
        self.session.start().side_to_move()
    }

    pub(super) fn game(&self) -> Game {
        self.session.position().game()
    }

    pub(super) fn position(&self) -> &AnyPosition {
        self.session.position()
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    pub(super) fn players(&self) -> Players {
        self.players
    }

    /// Who plays whom, the first player first; nothing if both are people.
    pub(super) fn names(&self) -> Option<String> {
        self.players.names()
    }

    /// The move that the clicks so far stand for.
    pub(super) fn complete(&self) -> Option<&str> {
        self.choices.complete.as_deref()
    }

    /// How the game ended: on the board, or as the loaded record says after its last move.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        let at_end_of_record = self.saved.iter().map(String::as_str).eq(self.session.moves());
        let recorded = self.record.as_ref().filter(|_| at_end_of_record).and_then(Record::result);
        self.position().outcome().or(recorded)
    }

    /// What the next click may be for.
    pub(super) fn roles(&self) -> &[Role] {
        &self.choices.roles
    }

    /// A legal move, to show how moves are written.
    pub(super) fn example(&self) -> Option<String> {
        self.position().legal_moves().into_iter().next()
    }

    pub(super) fn targets(&self) -> &[Step] {
        &self.choices.next
    }

    /// Everything to be pointed out on the board.
    pub(super) fn marks(&self, cursor: Option<Step>, advised: Option<&str>) -> Marks {
        let targets = if self.is_persons_turn() { self.choices.next.clone() } else { Vec::new() };
        let advised = advised.and_then(|text| self.position().steps(text)).unwrap_or_default();
        let selected = self.clicks.clone();
        Marks { selected, targets, advised, cursor, ..Marks::last_move(&self.session) }
    }

    /// A click on the board.
    pub(super) fn click(&mut self, step: Step) -> Clicked {
        if self.position().outcome().is_none() && !self.is_persons_turn() {
            return Clicked::NotYourTurn;
        }
        // The same click again ends a move that could go on.
        if self.clicks.last() == Some(&step)
            && !self.choices.next.contains(&step)
            && let Some(complete) = self.choices.complete.clone()
        {
            return self.play_and_answer(&complete);
        }
        let Some(step) = self.understood(step) else {
            let mut refused = std::mem::take(&mut self.clicks);
            self.forget_clicks();
            // A click elsewhere begins another move, if one begins there.
            if let Some(first) = self.understood(step) {
                return self.add_click(first);
            }
            refused.push(step);
            let refusal = self.position().explain_clicks(&refused);
            return Clicked::Refused(refusal.map(|refusal| refusal.objection));
        };
        self.add_click(step)
    }

    /// The step among the choices that a click means: the clicked checker, else the cell, else the
    /// highest checker of the cell that can be picked up.
    fn understood(&self, step: Step) -> Option<Step> {
        let next = &self.choices.next;
        let on_cell = next.iter().rev().copied().find(|choice| choice.cell == step.cell);
        [step, Step::cell(step.cell)]
            .into_iter()
            .find(|step| next.contains(step))
            .or_else(|| on_cell.filter(|_| step.level == 0))
    }

    fn add_click(&mut self, step: Step) -> Clicked {
        self.clicks.push(step);
        self.choices = self.session.position().choices(&self.clicks).unwrap_or_default();
        match (&self.choices.complete, self.choices.next.is_empty()) {
            (Some(complete), true) => {
                let complete = complete.clone();
                self.play_and_answer(&complete)
            }
            (Some(_), false) => Clicked::Complete,
            (None, _) => Clicked::Selected,
        }
    }

    /// Ends a move that could go on.
    pub(super) fn finish(&mut self) -> Clicked {
        match self.choices.complete.clone() {
            Some(complete) => self.play_and_answer(&complete),
            None => Clicked::Refused(None),
        }
    }

    /// Plays a typed move.
    pub(super) fn type_move(&mut self, text: &str) -> Result<(), String> {
        if self.position().outcome().is_none() && !self.is_persons_turn() {
            return Err("it is not your turn".to_owned());
        }
        self.session.play(text).map_err(|error| error.to_string())?;
        self.flow = Flow::Playing;
        self.settle();
        Ok(())
    }

    fn play_and_answer(&mut self, text: &str) -> Clicked {
        let played = self.session.play(text).is_ok();
        if played {
            self.flow = Flow::Playing;
        }
        self.settle();
        if played { Clicked::Played } else { Clicked::Refused(None) }
    }

    /// Takes back the last move of a person, and the answer to it.
    pub(super) fn undo(&mut self) -> bool {
        if !self.clicks.is_empty() {
            self.forget_clicks();
            return true;
        }
        let (before, flow) = (self.session.clone(), self.flow);
        self.leave_stop();
        let mut undone = self.session.undo();
        while undone && !self.is_persons_turn() {
            undone = self.session.undo();
        }
        if !undone {
            // There is no earlier turn of a person to go back to.
            (self.session, self.flow) = (before, flow);
        }
        self.forget_clicks();
        undone
    }

    /// Plays again what was taken back.
    pub(super) fn redo(&mut self) -> bool {
        if !self.session.can_redo() {
            return false;
        }
        self.leave_stop();
        let mut redone = self.session.redo();
        while redone && !self.is_persons_turn() && self.session.can_redo() {
            redone = self.session.redo();
        }
        self.settle();
        redone
    }

    pub(super) fn forget_clicks(&mut self) -> bool {
        let had = !self.clicks.is_empty();
        self.clicks.clear();
        self.choices = self.session.position().choices(&[]).unwrap_or_default();
        had
    }

    /// Looks at a game that was played here, at the position after some of its moves.
    pub(super) fn look_back(&mut self, mut game: Session, moves: usize) {
        while game.moves().len() > moves && game.undo() {}
        self.session = game;
        self.flow = Flow::LookingBack;
        self.forget_clicks();
    }

    /// Stops the opponent. Returns whether it was its turn.
    pub(super) fn stop_opponent(&mut self) -> bool {
        let was_thinking = self.engine_to_move().is_some();
        if was_thinking {
            self.flow = Flow::Stopped;
            self.forget_clicks();
        }
        was_thinking
    }

    /// Lets the opponent continue. Returns whether it is its turn.
    pub(super) fn let_opponent_move(&mut self) -> bool {
        if self.position().outcome().is_some() || !self.is_opponents_turn() {
            return false;
        }
        self.flow = Flow::Playing;
        self.settle();
        true
    }

    /// Plays the engine's answer.
    pub(super) fn answer(&mut self, text: &str) -> bool {
        self.engine_to_move().is_some() && self.play_and_answer(text) == Clicked::Played
    }

    /// The engine that is to move now, if one is.
    pub(super) fn engine_to_move(&self) -> Option<Level> {
        let level = self.players.engine()?;
        let waits = self.is_persons_turn() || self.position().outcome().is_some();
        (!waits).then_some(level)
    }

    /// Whether it would be the opponent's turn, were it not stopped.
    pub(super) fn is_opponent_waiting(&self) -> bool {
        self.flow != Flow::Playing && self.is_opponents_turn() && self.outcome().is_none()
    }

    fn is_opponents_turn(&self) -> bool {
        self.players.opponent_plays(self.position().side_to_move())
    }

    fn is_persons_turn(&self) -> bool {
        self.flow != Flow::Playing || !self.is_opponents_turn()
    }

    fn leave_stop(&mut self) {
        if self.flow == Flow::Stopped {
            self.flow = Flow::Playing;
        }
    }

    /// Plays the random mover's turns, and offers the choices of the next player. An engine's move comes later,
    /// through [`LocalGame::answer`].
    fn settle(&mut self) {
        while !self.is_persons_turn() {
            // The answer to a move that is played again is played again, too.
            if self.session.redo() {
                continue;
            }
            if self.players.engine().is_some() {
                break;
            }
            let moves = self.session.position().legal_moves();
            let Some(chosen) = moves.get(self.rng.below(moves.len())) else { break };
            if self.session.play(chosen).is_err() {
                break;
            }
        }
        self.forget_clicks();
    }
}
