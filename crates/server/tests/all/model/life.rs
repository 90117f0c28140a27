//! The model: challenges and games as they should be, without databases or networks.

use serde_json::{Value, json};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Reason, Side};

use super::clock::{Control, ModelClock};
use super::prepared::{self, Prepared};

/// The code of a refusal.
pub(super) type Refused = &'static str;

/// How many open challenges a person may have.
const MAX_OPEN: usize = 20;
/// How often a side may ask for something between two moves.
const MAX_ASKED: usize = 3;

/// Something that a player does.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Challenge { who: usize, game: Game, control: Control, opponent: Option<usize> },
    Accept { who: usize, challenge: usize },
    Decline { who: usize, challenge: usize },
    Cancel { who: usize, challenge: usize },
    Act { who: usize, game: usize, act: Act },
}

/// Something that a player does in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    Move {
        ply: usize,
        text: String,
    },
    Resign,
    Abort,
    Draw,
    DeclineDraw,
    Takeback,
    DeclineTakeback,
    AddTime,
    Rematch,
    DeclineRematch,
    /// Prepares answers to what the other side may play.
    Prepare {
        lines: Vec<Vec<String>>,
    },
}

#[derive(Debug, Clone)]
pub(super) struct ModelChallenge {
    creator: usize,
    opponent: Option<usize>,
    game: Game,
    control: Control,
    /// When it ends without its creator, who is never connected here.
    until: i64,
    state: &'static str,
}

#[derive(Debug, Clone)]
pub(super) struct ModelGame {
    players: [usize; 2],
    /// The position before the first move, and after each.
    positions: Vec<AnyPosition>,
    moves: Vec<String>,
    draw: Option<Side>,
    takeback: Option<Side>,
    rematch: Option<Side>,
    /// How often each side has asked for a draw and for a take-back since the last move, and for a rematch.
    asked: [[usize; 3]; 2],
    version: usize,
    pub(super) end: Option<(Option<Side>, &'static str)>,
    has_next: bool,
    clock: ModelClock,
    /// What each side has prepared.
    prepared: [Prepared; 2],
    /// How many answers were played for a player.
    pub(super) answers: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Life {
    people: usize,
    /// What time it is.
    pub(super) now: i64,
    pub(super) challenges: Vec<ModelChallenge>,
    pub(super) games: Vec<ModelGame>,
    /// People who have left; their places are taken by others.
    gone: Vec<(usize, usize)>,
}

impl Step {
    pub(super) fn who(&self) -> usize {
        match self {
            Step::Challenge { who, .. }
            | Step::Accept { who, .. }
            | Step::Decline { who, .. }
            | Step::Cancel { who, .. }
            | Step::Act { who, .. } => *who,
        }
    }
}

impl Act {
    pub(super) fn body(&self) -> Value {
        let kind = match self {
            Act::Move { ply, text } => return json!({ "kind": "move", "ply": ply, "move": text }),
            Act::Resign => "resign",
            Act::Abort => "abort",
            Act::Draw => "draw",
            Act::DeclineDraw => "decline_draw",
            Act::Takeback => "takeback",
            Act::DeclineTakeback => "decline_takeback",
            Act::AddTime => "add_time",
            Act::Rematch => "rematch",
            Act::DeclineRematch => "decline_rematch",
            Act::Prepare { lines } => return json!({ "lines": lines }),
        };
        json!({ "kind": kind })
    }
}

impl Life {
    pub(super) fn new(people: usize, now: i64) -> Life {
        Life { people, now, challenges: Vec::new(), games: Vec::new(), gone: Vec::new() }
    }

    /// Time passes. Returns the games that end by it.
    pub(super) fn wait(&mut self, ms: i64) -> Vec<usize> {
        self.now += ms;
        let now = self.now;
        for challenge in &mut self.challenges {
            if challenge.state == "open" && challenge.until <= now {
                challenge.state = "expired";
            }
        }
        (0..self.games.len()).filter(|game| self.games[*game].run_out(now)).collect()
    }

    /// Something that a player might do, sensible or not.
    pub(super) fn any_step(&self, rng: &mut Rng) -> Step {
        let who = rng.below(self.people);
        let challenge = match self.challenges.len() {
            0 => return self.any_challenge(who, rng),
            // Mostly one of the last.
            count => count - 1 - rng.below(count.min(4)),
        };
        match rng.below(20) {
            0 | 1 => self.any_challenge(who, rng),
            2..5 => Step::Accept { who, challenge },
            5 => Step::Decline { who, challenge },
            6 => Step::Cancel { who, challenge },
            _ => match self.any_game(rng) {
                Some(game) => self.any_act(game, rng),
                None => Step::Accept { who, challenge },
            },
        }
    }

    fn any_challenge(&self, who: usize, rng: &mut Rng) -> Step {
        let game = [Game::Impasse, Game::Colossus, Game::Colonnade][rng.below(3)];
        let control = [Control::Unlimited, Control::Days(1), Control::Clock(60, 2)][rng.below(3)];
        let other = (who + 1 + rng.below(self.people - 1)) % self.people;
        Step::Challenge { who, game, control, opponent: (rng.below(2) == 0).then_some(other) }
    }

    /// One of the last games.
    pub(super) fn any_game(&self, rng: &mut Rng) -> Option<usize> {
        let count = self.games.len();
        (count > 0).then(|| count - 1 - rng.below(count.min(3)))
    }

    pub(super) fn any_act(&self, game: usize, rng: &mut Rng) -> Step {
        let known = &self.games[game];
        let anyone = rng.below(self.people);
        let position = known.positions.last().expect("a position");
        let mover = known.players[position.side_to_move().index()];
        let mut who = if rng.below(4) == 0 { anyone } else { mover };
        let waiting = position.side_to_move().other();
        let act = match rng.below(28) {
            0 => Act::Draw,
            1 => Act::DeclineDraw,
            2 => Act::Takeback,
            3 => Act::DeclineTakeback,
            4 => Act::AddTime,
            5 | 6 if known.end.is_some() => Act::Rematch,
            5 => Act::Rematch,
            7 => Act::DeclineRematch,
            8 if rng.below(4) == 0 => Act::Resign,
            9 if rng.below(4) == 0 => Act::Abort,
            10 => Act::Move { ply: known.moves.len() + 1, text: "a1".to_owned() },
            11 if !known.moves.is_empty() => {
                let text = known.moves.last().cloned().unwrap_or_default();
                Act::Move { ply: known.moves.len() - 1, text }
            }
            12 => Act::Move { ply: known.moves.len(), text: "nonsense".to_owned() },
            13..17 => {
                let who = match rng.below(6) {
                    0 => anyone,
                    _ => known.players[waiting.index()],
                };
                let who = if self.is_gone(game, who) { anyone } else { who };
                let act = Act::Prepare { lines: any_lines(position, rng) };
                return Step::Act { who, game, act };
            }
            17..20 if !known.prepared[waiting.index()].lines.is_empty() => {
                let lines = &known.prepared[waiting.index()].lines;
                let text = lines[rng.below(lines.len())][0].clone();
                Act::Move { ply: known.moves.len(), text }
            }
            _ => {
                let moves = position.legal_moves();
                let text = moves.get(rng.below(moves.len().max(1))).cloned();
                Act::Move { ply: known.moves.len(), text: text.unwrap_or_default() }
            }
        };
        // Offers are answered by the other side now and then.
        if !matches!(act, Act::Move { .. }) {
            who = known.players[rng.below(2)];
        }
        Step::Act { who: if self.is_gone(game, who) { anyone } else { who }, game, act }
    }

    /// Whether a place in a game belongs to a person who has left.
    pub(super) fn is_gone(&self, game: usize, who: usize) -> bool {
        self.gone.iter().any(|(place, games)| *place == who && game < *games)
    }

    /// What comes of a step.
    pub(super) fn take(&mut self, step: &Step) -> Result<(), Refused> {
        match step {
            Step::Challenge { who, game, control, opponent } => {
                let open = |one: &&ModelChallenge| one.creator == *who && one.state == "open";
                if self.challenges.iter().filter(open).count() >= MAX_OPEN {
                    return Err("too_many_challenges");
                }
                let (creator, opponent, game, control) = (*who, *opponent, *game, *control);
                let is_live = opponent.is_some() && matches!(control, Control::Clock(..));
                let until = if is_live { self.now + 60_000 } else { i64::MAX };
                let state = "open";
                let new = ModelChallenge { creator, opponent, game, control, until, state };
                self.challenges.push(new);
                Ok(())
            }
            Step::Accept { who, challenge } => {
                let known = &mut self.challenges[*challenge];
                if known.creator == *who {
                    return Err("own_challenge");
                }
                if known.opponent.is_some_and(|opponent| opponent != *who) {
                    return Err("not_for_you");
                }
                known.close("accepted")?;
                let players = [known.creator, *who];
                let game = ModelGame::new(known.game, known.control, players, self.now);
                self.games.push(game);
                Ok(())
            }
            Step::Decline { who, challenge } => {
                let known = &mut self.challenges[*challenge];
                if known.opponent != Some(*who) {
                    return Err("not_for_you");
                }
                known.close("declined")
            }
            Step::Cancel { who, challenge } => {
                let known = &mut self.challenges[*challenge];
                if known.creator != *who {
                    return Err("not_yours");
                }
                known.close("cancelled")
            }
            Step::Act { who, game, act } => {
                if self.is_gone(*game, *who) {
                    return Err("not_yours");
                }
                let mut after = self.games[*game].clone();
                let next = after.act(*who, act, self.now)?;
                // Nobody plays a rematch against a person who has left, or is asked for one.
                let is_gone = |other: &usize| self.is_gone(*game, *other);
                if *act == Act::Rematch && after.players.iter().any(is_gone) {
                    return Err("gone");
                }
                self.games[*game] = after;
                self.games.extend(next);
                Ok(())
            }
        }
    }

    /// A player leaves: their games are resigned, their challenges closed.
    pub(super) fn leave(&mut self, who: usize) {
        for challenge in &mut self.challenges {
            if challenge.state == "open" && challenge.creator == who {
                challenge.state = "cancelled";
            } else if challenge.state == "open" && challenge.opponent == Some(who) {
                challenge.state = "declined";
            }
            // The next person in the place is another one.
            if challenge.creator == who {
                challenge.creator = usize::MAX;
            }
            if challenge.opponent == Some(who) {
                challenge.opponent = Some(usize::MAX);
            }
        }
        for game in 0..self.games.len() {
            if !self.is_gone(game, who) && self.games[game].players.contains(&who) {
                let _ = self.games[game].act(who, &Act::Resign, self.now);
            }
        }
        self.gone.push((who, self.games.len()));
    }
}

impl ModelChallenge {
    /// Whether it is in this state. One that has ended by itself may be closed when a player leaves, if the server has
    /// not noticed before.
    pub(super) fn is(&self, state: &Value) -> bool {
        let left = ["cancelled", "declined"].iter().any(|left| state == left);
        state == self.state || (self.state == "expired" && left)
    }

    fn close(&mut self, state: &'static str) -> Result<(), Refused> {
        if self.state != "open" {
            return Err("gone");
        }
        self.state = state;
        Ok(())
    }
}

impl ModelGame {
    fn new(game: Game, control: Control, players: [usize; 2], now: i64) -> ModelGame {
        ModelGame {
            clock: ModelClock::new(control, now),
            prepared: Default::default(),
            answers: 0,
            players,
            positions: vec![game.start()],
            moves: Vec::new(),
            draw: None,
            takeback: None,
            rematch: None,
            asked: [[0; 3]; 2],
            version: 0,
            end: None,
            has_next: false,
        }
    }

    fn position(&self) -> &AnyPosition {
        self.positions.last().expect("a position")
    }

    fn turn(&self) -> Option<Side> {
        self.end.is_none().then(|| self.position().side_to_move())
    }

    /// Ends the game if the side to move has run out of time; true if it has.
    fn run_out(&mut self, now: i64) -> bool {
        let ply = self.moves.len();
        let Some(turn) = self.turn() else { return false };
        if self.clock.deadline(turn, ply).is_none_or(|deadline| now < deadline) {
            return false;
        }
        match ply {
            0 | 1 => self.finish(None, "aborted", now),
            _ => self.finish(Some(turn.other()), Reason::Time.word(), now),
        }
        self.version += 1;
        true
    }

    /// What comes of an action: perhaps another game.
    fn act(&mut self, who: usize, act: &Act, now: i64) -> Result<Option<ModelGame>, Refused> {
        let side = self.players.iter().position(|player| *player == who).ok_or("not_yours")?;
        let side = Side::BOTH[side];
        if let Act::Move { ply, text } = act {
            return self.play(side, *ply, text, now).map(|()| None);
        }
        if let Act::Prepare { lines } = act {
            return self.prepare(side, lines).map(|()| None);
        }
        let is_after = matches!(act, Act::Rematch | Act::DeclineRematch);
        match self.end {
            None if is_after => return Err("not_over"),
            Some(_) if !is_after => return Err("game_over"),
            Some(_) if self.has_next => return Err("has_rematch"),
            _ => {}
        }
        let mut next = None;
        match act {
            Act::Move { .. } | Act::Prepare { .. } => {}
            Act::Resign => self.finish(Some(side.other()), "resigned", now),
            Act::Abort if self.moves.len() >= 2 => return Err("too_late_to_abort"),
            Act::Abort => self.finish(None, "aborted", now),
            Act::AddTime => self.clock.give(side.other())?,
            Act::Draw if !self.position().game().info().draws => return Err("no_draws"),
            Act::Draw => {
                if ask(&mut self.draw, side, &mut self.asked[side.index()][0])? {
                    self.finish(None, "agreed", now);
                }
            }
            Act::Takeback => {
                let mover = self.takeback.unwrap_or(side);
                let asked = &mut self.asked[side.index()][1];
                if self.takeback.is_none() && *asked >= MAX_ASKED {
                    return Err("asked_enough");
                }
                let mut plies = (0..self.moves.len()).rev();
                let last = plies.find(|ply| self.positions[*ply].side_to_move() == mover);
                if self.takeback != Some(side) {
                    last.ok_or("nothing_to_take_back")?;
                }
                if ask(&mut self.takeback, side, asked)? {
                    let ply = last.unwrap_or(0);
                    self.clock.stop(self.turn(), self.moves.len(), now);
                    self.prepared.iter_mut().for_each(|one| one.drop_because("taken_back"));
                    self.moves.truncate(ply);
                    self.positions.truncate(ply + 1);
                    self.forget_offers();
                }
            }
            Act::Rematch => {
                if ask(&mut self.rematch, side, &mut self.asked[side.index()][2])? {
                    self.has_next = true;
                    let [first, second] = self.players;
                    let game = self.position().game();
                    next = Some(ModelGame::new(game, self.clock.control, [second, first], now));
                }
            }
            Act::DeclineDraw => {
                self.draw = self.draw.take().map(|_| None).ok_or("nothing_asked")?
            }
            Act::DeclineTakeback => {
                self.takeback = self.takeback.take().map(|_| None).ok_or("nothing_asked")?;
            }
            Act::DeclineRematch => {
                self.rematch = self.rematch.take().map(|_| None).ok_or("nothing_asked")?;
            }
        }
        self.version += 1;
        Ok(next)
    }

    fn prepare(&mut self, side: Side, lines: &[Vec<String>]) -> Result<(), Refused> {
        let mut kept = Vec::new();
        if !lines.is_empty() {
            match self.turn() {
                None => return Err("game_over"),
                Some(turn) if turn == side => return Err("your_turn"),
                Some(_) if matches!(self.clock.control, Control::Clock(..)) => {
                    return Err("live_game");
                }
                Some(_) => kept = prepared::checked(self.position(), lines)?,
            }
        }
        self.prepared[side.index()] = Prepared { lines: kept, dropped: None };
        Ok(())
    }

    fn play(&mut self, side: Side, ply: usize, text: &str, now: i64) -> Result<(), Refused> {
        if ply < self.moves.len() {
            let was_mine = self.positions[ply].side_to_move() == side;
            if was_mine && self.moves[ply] == text {
                return Ok(());
            }
            return Err(if self.end.is_some() { "game_over" } else { "wrong_ply" });
        }
        if self.end.is_some() {
            return Err("game_over");
        }
        if ply != self.moves.len() {
            return Err("wrong_ply");
        }
        let mut position = self.position().clone();
        if position.side_to_move() != side {
            return Err("not_your_turn");
        }
        let text = position.play(text).map_err(|_| "illegal_move")?;
        self.moved(side, text.clone(), position, now);
        let waiting = side.other();
        let is_offered = self.draw == Some(side);
        let prepared = &mut self.prepared[waiting.index()];
        if self.end.is_some() {
            prepared.drop_because("game_over");
        } else if !prepared.lines.is_empty()
            && let Some(answer) = prepared.answer(&text, is_offered)
        {
            let mut position = self.position().clone();
            position.play(&answer).map_err(|_| "a prepared answer is not legal")?;
            self.moved(waiting, answer, position, now);
            self.answers += 1;
            if self.end.is_some() {
                self.prepared[waiting.index()].lines.clear();
            }
        }
        Ok(())
    }

    fn moved(&mut self, side: Side, text: String, position: AnyPosition, now: i64) {
        self.clock.moved(side, self.moves.len(), now);
        if let Some(outcome) = position.outcome() {
            self.end = Some((outcome.winner, outcome.reason.word()));
        }
        self.moves.push(text);
        self.positions.push(position);
        self.takeback = None;
        self.draw = self.draw.filter(|by| *by == side);
        self.asked = [[0; 3]; 2];
        self.version += 1;
    }

    fn finish(&mut self, winner: Option<Side>, reason: &'static str, now: i64) {
        // An aborted game has no clocks worth stopping.
        if reason != "aborted" {
            self.clock.stop(self.turn(), self.moves.len(), now);
        }
        self.end = Some((winner, reason));
        self.prepared.iter_mut().for_each(|one| one.drop_because("game_over"));
        (self.draw, self.takeback, self.rematch) = (None, None, None);
    }

    fn forget_offers(&mut self) {
        (self.draw, self.takeback, self.rematch) = (None, None, None);
        self.asked = [[0; 3]; 2];
    }

    /// What the player in a place has prepared, if somebody is there.
    pub(super) fn prepared(&self, who: usize) -> Option<&Prepared> {
        let side = self.players.iter().position(|player| *player == who)?;
        Some(&self.prepared[side])
    }

    /// Whether the server says the same.
    pub(super) fn is(&self, view: &Value, now: i64) -> bool {
        let ply = self.moves.len();
        let end = self.end.map(|(winner, reason)| json!({ "winner": winner, "reason": reason }));
        let turn = self.turn();
        let rematch = self.rematch.filter(|_| !self.has_next);
        let offers = json!({ "draw": self.draw, "takeback": self.takeback, "rematch": rematch });
        view["moves"] == json!(self.moves)
            && view["position"] == self.position().text()
            && view["offers"] == offers
            && view["result"] == json!(end)
            && view["turn"] == json!(turn)
            && view["version"] == self.version
            && view["next"].is_string() == self.has_next
            && view["left"] == json!(self.clock.left(turn, ply, now))
            && view["running"] == json!(self.clock.running(turn, ply))
            && view["deadline"] == json!(turn.and_then(|turn| self.clock.deadline(turn, ply)))
    }
}

/// Answers that a player might prepare: mostly legal, sometimes two to the same move, sometimes nonsense.
fn any_lines(position: &AnyPosition, rng: &mut Rng) -> Vec<Vec<String>> {
    let count = [0, 1, 1, 2, 3][rng.below(5)];
    let any_line = |_| {
        let mut after = position.clone();
        let length = [2, 2, 2, 4, 4, 3][rng.below(6)];
        let mut line = Vec::new();
        for _ in 0..length {
            let moves = after.legal_moves();
            // Few different ones, so that lines begin alike.
            let text = moves.get(rng.below(moves.len().clamp(1, 3))).cloned();
            let text = if rng.below(30) == 0 { None } else { text };
            let text = text.unwrap_or("nonsense".to_owned());
            let _ = after.play(&text);
            line.push(text);
        }
        line
    };
    (0..count).map(any_line).collect()
}

/// Asks for something, or agrees to it; true if both agree.
fn ask(offer: &mut Option<Side>, side: Side, asked: &mut usize) -> Result<bool, Refused> {
    match *offer {
        None if *asked >= MAX_ASKED => Err("asked_enough"),
        None => {
            *offer = Some(side);
            *asked += 1;
            Ok(false)
        }
        Some(by) if by == side => Err("already_asked"),
        Some(_) => Ok(true),
    }
}
